//! Contracts and evidence, as a user sees them.

use std::path::Path;
use std::process::{Command, Output};

use expect_test::{Expect, expect};

const MAX: &str = r"/*@ requires n > 0 && \valid_read(a + (0 .. n-1));
  @ assigns \nothing;
  @ ensures \forall integer k; 0 <= k < n ==> \result >= a[k];
  @ ensures \exists integer k; 0 <= k < n && \result == a[k];
  @*/
int max(int a[], int n) {
    int i, s;
    i = 1;
    s = a[0];
    while (i < n) {
        if (s >= a[i])
            s = a[i];
        i = i + 1;
    }
    return s;
}
";

/// Runs wolverine in a folder of its own with these files.
fn run(files: &[(&str, &str)], arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_wolverine"));
    command.current_dir(folder.path()).args(arguments).output().expect("wolverine starts")
}

fn says(files: &[(&str, &str)], arguments: &[&str], expected: Expect) {
    let output = run(files, arguments);
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    expected.assert_eq(&format!("{}\nexit {}\n", lines.join("\n"), output.status.code().unwrap_or(-1)));
}

#[test]
fn a_right_function_meets_its_contract() {
    let right = MAX.replace("s >= a[i]", "s < a[i]");
    says(
        &[("max.c", &right)],
        &["check", "max.c", "--function", "max", "--length", "3"],
        expect![[r#"
            holds: the contract is met and no access is wrong, for all arrays up to length 3, for all inputs up to 10 rounds of each loop
            exit 0
        "#]],
    );
}

#[test]
fn a_clause_that_does_not_hold_is_shown() {
    let output = run(&[("max.c", MAX)], &["check", "max.c", "--entry", "max", "--length", "2", "--replay"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.starts_with("max.c:3:13: the function does not ensure this\n"), "{text}");
    assert!(text.contains("the real binary: it aborts"), "{text}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn evidence_repairs_the_example_of_the_paper() {
    says(
        &[("max.c", MAX), ("max.calls", "max([-2, 5, 3], 3) = 5\nmax([1], 1) = 1\n")],
        &["repair", "max.c", "--function", "max", "--method", "evidence", "--tests", "max.calls", "--length", "3"],
        expect![[r#"
            1 of 2 tests fail; the tests run 6 of 7 statements and 3 of 4 branches
            repair: line 11: `>=` to `<`
                11 -        if (s >= a[i])
                11 +        if (s < a[i])
            the evidence: (s-a[i=2]<0) holds where (s-a[2]>=0) should
            it passes all 2 tests (0 of them found by the check)
            holds: the contract is met and no access is wrong, for all arrays up to length 3, for all inputs up to 10 rounds of each loop
            exit 0
        "#]],
    );
}

#[test]
fn other_methods_use_the_contract() {
    let output = run(
        &[("max.c", MAX)],
        &["repair", "max.c", "--function", "max", "--method", "mutation", "--first", "--length", "2"],
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("repair 1: line 11: `>=` to `<`"), "{text}");
    let output = run(&[("max.c", MAX)], &["localize", "max.c", "--entry", "max", "--method", "must", "--length", "2"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("if (s >= a[i])"));
}

#[test]
fn a_callee_can_stand_by_its_contract() {
    let text = "/*@ requires x > -100; assigns \\nothing; ensures \\result > x; */\nint more(int x) { return x; }\n\
                /*@ requires 0 <= x < 50; ensures \\result > x + 1; */\nint twice(int x) { return more(more(x)); }\n";
    let check = |more: &[&str]| {
        let arguments = [&["check", "two.c", "--function", "twice"][..], more].concat();
        run(&[("two.c", text)], &arguments).status.code()
    };
    assert_eq!((check(&[]), check(&["--use-contracts", "more"])), (Some(1), Some(0)));
}

#[test]
fn bad_input_is_said_plainly() {
    let contradiction = MAX.replace("n > 0", "n > 0 && n < 0");
    says(
        &[("max.c", &contradiction)],
        &["repair", "max.c", "--function", "max", "--method", "evidence"],
        expect![[r#"
            wolverine: max.c:1:14: no input satisfies what is required: the precondition contradicts itself
             1 | /*@ requires n > 0 && n < 0 && \valid_read(a + (0 .. n-1));
               |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            exit 2
        "#]],
    );
    says(
        &[("max.c", MAX), ("bad.calls", "max([1, 2], 2) = 1\nmax([], 0) = 0\n")],
        &["repair", "max.c", "--function", "max", "--method", "evidence", "--tests", "bad.calls"],
        expect![[r#"
            wolverine: the contract and the tests contradict each other:
              bad.calls, line 1: result = 1 breaks the contract
              bad.calls, line 2: the precondition does not allow these inputs
            exit 2
        "#]],
    );
    let without = MAX.replace("/*@", "/*");
    says(
        &[("max.c", &without)],
        &["repair", "max.c", "--function", "max", "--method", "evidence"],
        expect![[r#"
            wolverine: `max` has no contract: write one in a comment before it, /*@ requires …; ensures …; */, and name the function with --function
            exit 2
        "#]],
    );
}

#[test]
fn the_right_programs_of_the_table_meet_their_contracts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/contracts");
    for (file, function) in [
        ("sum", "sum"),
        ("max", "max"),
        ("binary_search", "binary_search"),
        ("array_copy", "array_copy"),
        ("array_copy_upto", "array_copy"),
    ] {
        let path = folder.join(format!("{file}.c"));
        let output = run(&[], &["check", &path.display().to_string(), "--function", function, "--length", "3"]);
        assert_eq!(output.status.code(), Some(0), "{file}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

const COUNT: &str = r#"#include <stdio.h>

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
  @ assigns \nothing;
  @ ensures \result == \numof(0, n - 1, \lambda integer k; a[k] > 0);
  @*/
int positive(const int *a, int n) {
    int i, count = 0;
    for (i = 0; i < n; i++)
        if (a[i] >= 0)
            count++;
    return count;
}

int main(void) {
    int n, i, all[100];
    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &all[i]);
    printf("%d of %d\n", positive(all, n), n);
    return 0;
}
"#;

/// The calls that a program makes on the inputs of its tests are tests of the function.
#[test]
fn inputs_and_outputs_of_the_whole_program_are_tests() {
    let tests = [("count.c", COUNT), ("a.in", "3 1 0 2\n"), ("a.out", "2 of 3\n"), ("b.in", "0"), ("b.out", "0 of 0")];
    says(
        &tests,
        &["repair", "count.c", "--function", "positive", "--method", "evidence", "--tests", "."],
        expect![[r#"
            2 of 4 tests fail; the tests run 14 of 14 statements and 5 of 6 branches
            repair: line 10: `>=` to `>`
                10 -        if (a[i] >= 0)
                10 +        if (a[i] > 0)
            the evidence: (\result=2) should hold and does not
            it passes all 6 tests (2 of them found by the check)
            holds: the contract is met and no access is wrong, for all arrays up to length 6, for all inputs up to 10 rounds of each loop
            the 2 tests of the whole program make 2 different calls of `positive`, which are tests, too
            exit 0
        "#]],
    );
    // What the function must do is as the contract says; the fault is in the program around it.
    let elsewhere = COUNT.replace(">= 0)", "> 0)").replace("&all[i]", "&all[0]");
    let tests = [("count.c", elsewhere.as_str()), ("a.in", "2 1 0\n"), ("a.out", "1 of 2\n")];
    says(
        &tests,
        &["repair", "count.c", "--function", "positive", "--method", "evidence", "--tests", "."],
        expect![[r#"
            the 1 tests of the whole program make 1 different calls of `positive`, which are tests, too
            wolverine: the whole program fails tests, but the function meets its contract: look for the fault in other functions, or say more in the contract
            exit 2
        "#]],
    );
    says(
        &[("count.c", COUNT), ("a.in", "3 1 0 2\n")],
        &["localize", "count.c", "--function", "positive", "--method", "evidence", "--tests", "."],
        expect![[r#"
            wolverine: ./a.in has no file beside it that says what the program must print: write it into ./a.out
            exit 2
        "#]],
    );
    says(
        &[("max.c", MAX), ("a.in", "1"), ("a.out", "1")],
        &["localize", "max.c", "--function", "max", "--method", "evidence", "--tests", "."],
        expect![[r#"
            wolverine: NAME.in and NAME.out are tests of a whole program, but the file has no `main`; write calls into NAME.calls
            exit 2
        "#]],
    );
}

/// Definitions of one name for pointers and numbers, for one state and two; a quantifier over all values of a type.
#[test]
fn contracts_as_the_books_write_them() {
    let sort = r"
        /*@ predicate Equal{K,L}(int *a, integer m, integer n, int *b) =
          @   \forall integer i; m <= i < n ==> \at(a[i],K) == \at(b[i],L);
          @ predicate Equal{K,L}(int *a, integer m, integer n, integer p) =
          @   \forall integer i; 0 <= i < n - m ==> \at(a[m + i],K) == \at(a[p + i],L);
          @ predicate Equal{K,L}(int *a, integer n, int *b) = Equal{K,L}(a, 0, n, b);
          @ logic integer Count(int *a, integer n, int v) =
          @   n <= 0 ? 0 : Count(a, n - 1, v) + (a[n - 1] == v ? 1 : 0);
          @ predicate Permutation{K,L}(int *a, integer n) =
          @   \forall int v; Count{K}(a, n, v) == Count{L}(a, n, v);
          @*/
        /*@ requires 0 <= n && \valid_read(a + (0 .. n-1)) && \valid_read(b + (0 .. n-1));
          @ assigns \nothing;
          @ ensures \result <==> Equal{Here,Here}(a, n, b);
          @*/
        int equal(const int *a, int n, const int *b) {
            for (int i = 0; i < n; i++)
                if (a[i] != b[i])
                    return 0;
            return 1;
        }
        /*@ requires 1 <= n && \valid(a + (0 .. n-1));
          @ assigns a[0 .. n-2];
          @ ensures Equal{Old,Here}(a, 1, n, 0);
          @*/
        void shift(int *a, int n) {
            for (int i = 0; i + 1 < n; i++)
                a[i] = a[i + 1];
        }
        /*@ requires 0 <= n && \valid(a + (0 .. n-1));
          @ assigns a[0 .. n-1];
          @ ensures \forall integer k; 0 <= k < n - 1 ==> a[k] <= a[k + 1];
          @ ensures Permutation{Old,Here}(a, n);
          @*/
        void sort(int *a, int n) {
            for (int i = 0; i + 1 < n; i++)
                for (int j = i + 1; j < n; j++)
                    if (a[j] < a[i]) {
                        int t = a[i];
                        a[i] = a[j];
                        a[j] = t;
                    }
        }
    ";
    for function in ["equal", "shift", "sort"] {
        let output = run(&[("sort.c", sort)], &["check", "sort.c", "--function", function, "--length", "3"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.starts_with("holds: the contract is met"), "{function}: {text}");
    }
    let lost = sort.replace("a[j] = t;", "");
    says(
        &[("sort.c", &lost)],
        &["check", "sort.c", "--function", "sort", "--length", "2", "--replay"],
        expect![[r#"
            sort.c:33:21: the function does not ensure this
             33 |           @ ensures Permutation{Old,Here}(a, n);
                |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^

            with these inputs:
              a[0] = 1
              a[1] = 0
              n = 2
              any_v = 0

            the statements that matter, in the order of the run:
                36  int i = 0;                                          i = 0
                36  i + 1 < n                                           yes
                37  int j = i + 1;                                      j = 1
                37  j < n                                               yes
                38  if (a[j] < a[i])                                    yes
                40  a[i] = a[j]                                         a[0] = 0
                37  j++                                                 j = 2
                37  j < n                                               no
                36  i++                                                 i = 1
                36  i + 1 < n                                           no

            the real binary: it aborts, as by a failed assertion
            exit 1
        "#]],
    );
}

/// A function of a header: it has a contract and no body, and its contract speaks of a definition of its own.
#[test]
fn a_declared_function_stands_by_its_contract() {
    let text = r"
        /*@ predicate Swapped{K,L}(int *p, int *q) = \at(*p,K) == \at(*q,L) && \at(*q,K) == \at(*p,L); */
        /*@ requires \valid(p) && \valid(q);
          @ assigns *p, *q;
          @ ensures Swapped{Old,Here}(p, q);
          @*/
        void swap(int *p, int *q);

        /*@ requires 0 <= n && \valid(a + (0 .. n-1));
          @ assigns a[0 .. n-1];
          @ ensures \forall integer k; 0 <= k < n ==> a[k] == \old(a[n - 1 - k]);
          @*/
        void reverse(int *a, int n) {
            for (int i = 0; i < n / 2; i++)
                swap(a + i, a + n - 1 - i);
        }
    ";
    says(
        &[("reverse.c", text)],
        &["check", "reverse.c", "--function", "reverse", "--length", "4"],
        expect![[r#"
        holds: the contract is met and no access is wrong, for all arrays up to length 4, for all inputs up to 10 rounds of each loop
        reverse.c:3:12: note: `swap` has no body in this file: its contract stands for it
         3 |         /*@ requires \valid(p) && \valid(q);
           |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        exit 0
    "#]],
    );
    let wrong = text.replace("n / 2", "n");
    let output = run(&[("reverse.c", &wrong)], &["check", "reverse.c", "--function", "reverse", "--length", "4"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("the function does not ensure this"), "{said}");
    // Without a body there is no run to follow.
    let always = wrong.replace("requires 0 <= n", "requires 1 <= n");
    for (text, sentence) in [
        (&wrong, "no failing run can be followed: `swap` has no body in this file"),
        (&always, "no tests could be run: `swap` has no body in this file"),
    ] {
        let output = run(&[("r.c", text)], &["repair", "r.c", "--function", "reverse", "--method", "evidence"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(sentence), "{said}");
    }
}
