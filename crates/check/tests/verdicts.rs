//! Small programs with their verdicts.

use std::sync::Arc;

use c_syntax::Source;
use check::{Failure, Options, Task, TaskError, Verdict, check, load_sources};

fn source(name: &str, text: &str) -> Arc<Source> {
    Arc::new(Source::new(name, text.as_bytes().to_vec()))
}

fn load(text: &str, reference: Option<&str>, options: &Options) -> Result<Task, TaskError> {
    let mut sources = vec![source("program.c", text)];
    sources.extend(reference.map(|text| source("reference.c", text)));
    load_sources(&sources, options)
}

fn entry(name: &str) -> Options {
    Options { entry: Some(name.into()), ..Options::default() }
}

/// The verdict in a few words.
fn verdict_with(text: &str, reference: Option<&str>, options: &Options) -> String {
    let task = load(text, reference, options).unwrap_or_else(|error| panic!("{error}"));
    match check(&task) {
        Verdict::Holds(proof) if proof.is_whole() => "holds".into(),
        Verdict::Holds(proof) => {
            let parts = proof.unmodelled.iter().map(|one| one.what.clone()).chain(proof.unconfirmed);
            format!("holds apart from: {}", parts.collect::<Vec<_>>().join("; "))
        }
        Verdict::Fails(found) => match &found.failure {
            Failure::Fault(fault) => format!("fails: {:?} with {:?}", fault.kind, found.example.lines(&task.program)),
            other => format!("fails: {other:?}"),
        },
        Verdict::BoundTooSmall(beyond) => {
            let line = task.program.source().line(beyond.violation.span.start);
            format!("{} in line {line} goes on", beyond.violation.about)
        }
        Verdict::Nothing => "nothing to check".into(),
        Verdict::OutOfTime(why) => format!("out of time: {why}"),
    }
}

fn verdict(text: &str) -> String {
    verdict_with(text, None, &Options::default())
}

const NONDET: &str = "#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
";

fn of(text: &str) -> String {
    verdict(&format!("{NONDET}{text}"))
}

/// Found by `agree`: each of these was wrong once.
#[test]
fn what_random_programs_found() {
    // `_Bool` counts in its own type.
    assert_eq!(of("int main(void) { _Bool b = __VERIFIER_nondet_bool(); b++; assert(b == 1); return 0; }"), "holds");
    assert_eq!(of("int main(void) { _Bool b = __VERIFIER_nondet_bool(), c = !b; b--; assert(b == c); }"), "holds");
    // An index with a constant before the start, in an array whose elements are no power of two.
    let text = "struct three { int x, y, z; } many[4] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 }, { 10, 11, 12 } };
int main(void) { int i = __VERIFIER_nondet_int(); if (i < 1 || i > 4) return 0; assert(many[i - 1].y == 3 * i - 1); }";
    assert_eq!(of(text), "holds");
    // A declaration that a jump passes over.
    let text = "int main(void) {
    if (__VERIFIER_nondet_bool()) goto end;
    int a[3] = { 1, 2, 3 };
end:
    return a[1];
}";
    assert!(of(text).starts_with("fails: Uninitialised"), "{}", of(text));
    // Memory that is zero on one of the ways.
    let text = "int main(void) {
    int a[3]; _Bool b = __VERIFIER_nondet_bool();
    if (b) memset(a, 0, sizeof a);
    if (b) assert(a[1] == 0);
}";
    assert_eq!(of(text), "holds");
    // A struct that was never written does not become zero by being copied to a global.
    let text = "struct pair { int x, y; } g;
int main(void) { struct pair s; s.x = __VERIFIER_nondet_int(); g = s; return g.y; }";
    assert!(of(text).starts_with("fails: Uninitialised"), "{}", of(text));
    // The distance between different objects is not known.
    let text = "int a[2], b[2];
int main(void) { int *p = __VERIFIER_nondet_bool() ? a + 1 : b; assert(p - a < 2); }";
    assert_eq!(of(text), "holds apart from: the distance between different objects");
}

/// A counter in a loop is a choice between constants in which everything is shared.
#[test]
fn an_index_that_is_counted_up_takes_no_time() {
    let text = "int main(void) {
    int a[50], n = 0;
    for (int i = 0; i < 40; i++) { a[n] = i; if (__VERIFIER_nondet_bool()) n++; }
    assert(n <= 40 && a[0] <= 39);
}";
    let start = std::time::Instant::now();
    assert_eq!(of(text), "holds");
    assert!(start.elapsed().as_secs() < 40, "{:?}", start.elapsed());
}

#[test]
fn shifts_that_go_too_far_are_confirmed() {
    let text =
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 32) return 0; return (1u << n) == 3; }";
    assert_eq!(of(text), "fails: Shift with [\"input 1 = 32\"]");
    assert_eq!(of(&text.replace("> 32", "> 31")), "holds");
}

#[test]
fn holds_or_fails() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(), y = x; if (x < LIMIT) y = -x; assert(y >= 0 || y == -2147483647 - 1); }";
    assert_eq!(of(&text.replace("LIMIT", "0")), "holds");
    assert_eq!(of(&text.replace("LIMIT", "-1")), "fails: Assert with [\"input 1 = -1\"]");
    assert_eq!(
        of("int main(void) { int d = __VERIFIER_nondet_int(); return 7 / d; }"),
        "fails: DivisionByZero with [\"input 1 = 0\"]"
    );
    assert_eq!(
        of("int main(void) { int *p = __VERIFIER_nondet_bool() ? malloc(4) : 0; *p = 1; }"),
        "fails: Null with [\"input 1 = 0\"]"
    );
}

#[test]
fn loops_and_recursion() {
    let text = "int main(void) {
    unsigned n = __VERIFIER_nondet_int(), i = 0;
    __VERIFIER_assume(n <= MOST);
    while (i < n) i++;
    assert(i == n);
}";
    let text = format!("extern void __VERIFIER_assume(int);\n{text}");
    assert_eq!(of(&text.replace("MOST", "10")), "holds");
    assert_eq!(of(&text.replace("MOST", "11")), "the loop in line 11 goes on");
    assert_eq!(of("int main(void) { int x = __VERIFIER_nondet_int(); while (x) ; }"), "fails: Endless");
    let text = "int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
int main(void) { assert(sum(COUNT) == COUNT * (COUNT + 1) / 2); }";
    assert_eq!(of(&text.replace("COUNT", "30")), "holds", "how deep it goes does not depend on the input");
    assert_eq!(of(&text.replace("COUNT", "400")), "holds", "there is room for deep calls");
    let text = "int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
int main(void) { int n = __VERIFIER_nondet_int(); if (n > 50) return 0; assert(sum(n) >= 0); }";
    assert_eq!(of(text), "the recursion of sum in line 7 goes on");
}

#[test]
fn what_is_not_modelled_is_told() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); double d = x; assert(d + 1 > d); }";
    assert_eq!(
        of(text),
        "holds apart from: the condition is over a floating number, or another value that is not modelled"
    );
    // A floating number that does not matter does not matter.
    assert_eq!(
        of("int main(void) { double d = 1.5; int x = __VERIFIER_nondet_int(); assert(x == x); (void)d; }"),
        "holds"
    );
    let text = "int main(void) { double d = 2.5; return (int)d; }";
    let reference = Some("int main(void) { return 2; }");
    assert_eq!(verdict_with(text, reference, &Options::default()), "holds apart from: the exit status is not modelled");
    assert_eq!(verdict("int main(void) { return 0; }"), "nothing to check");
}

#[test]
fn programs_that_read() {
    let text =
        "int main(void) { int a, b; if (scanf(\"%d %d\", &a, &b) != 2) return 1; assert(a != 7 || b != 9); return 0; }";
    assert_eq!(of(text), "fails: Assert with [\"standard input: 7 9\"]");
    let text = "int main(void) { int c, n = 0; while ((c = getchar()) != EOF && c != '\\n') n++; assert(n < 3); }";
    assert_eq!(of(text).split(" with").next(), Some("fails: Assert"));
    let text = "int main(int argc, char **argv) { if (argc < 3) return 1; assert(atoi(argv[1]) + atoi(argv[2]) != 5); return 0; }";
    assert_eq!(of(text).split(" with").next(), Some("fails: Assert"));
    let text = "main(argc, argv) int argc; char **argv; { int x = atoi(argv[1]); assert(x != 4); return 0; }";
    assert_eq!(of(text), "fails: Assert with [\"arguments: 4\"]");
}

#[test]
fn programs_that_read_words() {
    let text =
        "int main(void) { char s[20]; int n; scanf(\"%d%s\", &n, s); assert(n != 7 || strcmp(s, \"ab\") != 0); }";
    assert_eq!(of(text), "fails: Assert with [\"standard input: 7 ab\"]");
    let text =
        "int main(void) { char s[20]; scanf(\"%s\", s); assert(strlen(s) > 0 && strlen(s) < 11 && s[0] != ' '); }";
    assert_eq!(of(text), "holds");
    let text = "int main(void) { char s[5]; scanf(\"%s\", s); return s[0] == 'x'; }";
    assert_eq!(of(text).split(" with").next(), Some("fails: OutOfBounds"));
    let text = "int main(void) { char a, b; scanf(\" %c %c\", &a, &b); assert(a != 'x' || b != 'y'); }";
    assert_eq!(of(text), "fails: Assert with [\"standard input: x y\"]");
    let text = "int main(void) { char s[20], t[20]; if (scanf(\"%s %s\", s, t) == 1) assert(s[0] != 'q'); return 0; }";
    assert_eq!(of(text).split(" with [\"standard input: q").next(), Some("fails: Assert"));
    // Which field is a word depends on the input.
    let text = "int main(void) { int n; char s[20]; if (scanf(\"%d\", &n) && n > 3) scanf(\"%d\", &n); scanf(\"%s\", s); assert(s[0]); }";
    assert!(of(text).starts_with("holds apart from"), "{}", of(text));
}

#[test]
fn programs_that_read_lines() {
    let text = "int main(void) { char s[20]; if (!gets(s)) return 1; assert(strcmp(s, \"a b\") != 0); return 0; }";
    let text = format!("char *gets(char *);\n{text}");
    assert!(of(&text).starts_with("fails: Assert with [\"standard input: a b"), "{}", of(&text));
    let text =
        "int main(void) { char s[4]; if (!fgets(s, 4, stdin)) return 1; assert(strlen(s) < 4 && s[0]); return 0; }";
    assert!(of(text).starts_with("fails: Assert"), "{}", of(text));
    let text = "int main(void) { char s[4]; if (!fgets(s, 4, stdin)) return 1; assert(strlen(s) < 4); return 0; }";
    assert_eq!(of(text), "holds");
    let text = "int main(void) { char s[4], t[4]; if (!fgets(s, 4, stdin) || !fgets(t, 4, stdin)) return 1; assert(s[0] != 'a' || t[0] != 'b'); return 0; }";
    assert!(of(text).starts_with("fails: Assert"), "{}", of(text));
    let text = "int main(void) { char s[40]; fgets(s, 40, stdin); return s[0] == 'a'; }";
    assert!(of(text).starts_with("fails: Uninitialised"), "{}", of(text));
    let text =
        "int main(void) { char s[40]; if (fgets(s, 40, stdin)) assert(s[0] != 'a' || s[1] != '\\n'); return 0; }";
    assert!(of(text).starts_with("fails: Assert with [\"standard input: a"), "{}", of(text));
    let text = "int main(void) { char c; if (scanf(\"%c\", &c) == 1) assert(c != ' '); return 0; }";
    assert!(of(text).starts_with("fails: Assert"), "{}", of(text));
}

#[test]
fn memory_is_copied() {
    let text = "int main(void) { int a[3] = { 1, __VERIFIER_nondet_int(), 3 }, b[3]; memcpy(b, a, sizeof a); assert(b[1] != 5 && b[2] == 3); }";
    assert_eq!(of(text), "fails: Assert with [\"input 1 = 5\"]");
    let text =
        "int main(void) { int a[3] = { 1, 2, 3 }; memmove(a + 1, a, 2 * sizeof *a); assert(a[1] == 1 && a[2] == 2); }";
    assert_eq!(of(text), "holds");
    let text = "int main(void) { int a[3] = { 1, 2, 3 }, b[2]; memcpy(b, a, sizeof a); return 0; }";
    assert!(of(text).starts_with("fails: OutOfBounds"), "{}", of(text));
}

#[test]
fn references() {
    let text = "int f(int x) { return x < 0 ? -x : x; }";
    let other = "int f(int x) { if (x LIMIT 0) return x; return -x; }";
    assert_eq!(verdict_with(text, Some(&other.replace("LIMIT", ">")), &entry("f")), "holds");
    let found = verdict_with(text, Some(&other.replace("LIMIT", ">= -1 +")), &entry("f"));
    assert!(found.starts_with("fails: Different"), "{found}");
    let error = load(text, Some("long f(int x) { return x; }"), &entry("f")).expect_err("the result differs");
    assert_eq!(
        error.to_string(),
        "the reference's function is `long f(int)`, the program's is `int f(int)`: they must take the same arguments and return the same type"
    );
}

/// A number that is known on each way is the same output as one that is chosen.
#[test]
fn printed_numbers_that_are_chosen() {
    let text = "#include <stdio.h>\nint main(void) { int x; scanf(\"%d\", &x); printf(\"%d\\n\", x > 3 ? 15 : 7); }";
    let other = "#include <stdio.h>
int main(void) { int x; scanf(\"%d\", &x); if (x > 3) printf(\"%d\\n\", 15); else printf(\"7\\n\"); }";
    assert_eq!(verdict_with(text, Some(other), &Options::default()), "holds");
}

#[test]
fn errors_are_sentences() {
    let text = "int f(int x) { return x; }\nint g(int x) { return x; }";
    let error = |options: &Options| load(text, None, options).expect_err("it is wrong").to_string();
    assert_eq!(error(&entry("h")), "program.c has no function `h`; it has `f`, `g`");
    assert_eq!(error(&Options::default()), "program.c has no function `main`; it has `f`, `g`");
    let options = Options { assume: vec!["x < y".into()], ..entry("f") };
    assert_eq!(
        error(&options),
        "`--assume x < y` is not a condition over the parameters of f: use of undeclared identifier 'y'"
    );
    let options = Options { observe: vec!["z".into()], ..entry("f") };
    assert_eq!(error(&options), "`--observe z`: there is no parameter or global of that name, and it is not `result`");
}
