//! Mutations: what there are, and that the choice inside of the program and
//! the patched text mean the same.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use c_syntax::{SelectorId, Source, Unit};
use execute::interpreter::Interpreter;
use execute::{Executor, RunOptions, Stop, Until};
use expect_test::{Expect, expect};
use ir::Program;
use repair::scheme::mutation::{Level, Mutated, mutate};

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn parse(text: &str) -> Unit {
    c_syntax::parse_text(Arc::new(Source::new("a.c", text.as_bytes().to_vec()))).expect("it is C")
}

// ----- what there are -----

/// Each mutation with the line that it makes.
fn list(text: &str, level: Level) -> String {
    let unit = parse(text);
    let mutated = mutate(&unit, level, None);
    let mut shown = String::new();
    for one in &mutated.mutations {
        let patched = patch::apply(&unit.source, &one.edits).expect("the edits fit");
        let new = String::from_utf8_lossy(&patched.text).into_owned();
        let old: Vec<&str> = text.lines().collect();
        let changed: Vec<&str> = new.lines().filter(|line| !old.contains(line)).map(str::trim).collect();
        let function = one.function.as_deref().unwrap_or("#define");
        shown += &format!("{} {function}: {} | {}\n", one.site.0, one.what, changed.join(" / "));
    }
    shown
}

fn check(text: &str, level: Level, expected: Expect) {
    expected.assert_eq(&list(text, level));
}

const SMALL: &str = "#define TOP 600
int g;
int f(int x, int y) {
    if (x + y*2 <= TOP || !g)
        g++;
    return x - y - 1;
}
";

#[test]
fn level_one() {
    check(
        SMALL,
        Level::One,
        expect![[r#"
        0 f: `+` to `-` | if (x - y*2 <= TOP || !g)
        1 f: `<=` to `<` | if (x + y*2 < TOP || !g)
        2 f: `||` to `&&` | if (x + y*2 <= TOP && !g)
        3 f: `++` to `--` | g--;
        4 f: `-` to `+` | return x + y - 1;
        5 f: `-` to `+` | return x - y + 1;
    "#]],
    );
}

#[test]
fn level_two() {
    check(
        SMALL,
        Level::Two,
        expect![[r#"
            0 #define: `600` to `601` | #define TOP 601
            0 #define: `600` to `599` | #define TOP 599
            0 #define: `600` to `-600` | #define TOP -600
            0 #define: `600` to `0` | #define TOP 0
            1 f: `+` to `-` | if (x - y*2 <= TOP || !g)
            1 f: `+` to `*` | if (x * (y*2) <= TOP || !g)
            2 f: `*` to `+` | if (x + (y+2) <= TOP || !g)
            2 f: `*` to `-` | if (x + (y-2) <= TOP || !g)
            3 f: `2` to `3` | if (x + y*3 <= TOP || !g)
            3 f: `2` to `1` | if (x + y*1 <= TOP || !g)
            3 f: `2` to `-2` | if (x + y* -2 <= TOP || !g)
            3 f: `2` to `0` | if (x + y*0 <= TOP || !g)
            4 f: `<=` to `<` | if (x + y*2 < TOP || !g)
            4 f: `<=` to `>` | if (x + y*2 > TOP || !g)
            4 f: `<=` to `>=` | if (x + y*2 >= TOP || !g)
            5 f: `||` to `&&` | if (x + y*2 <= TOP && !g)
            6 f: no `!` before `g` | if (x + y*2 <= TOP || g)
            7 f: `++` to `--` | g--;
            8 f: `-` to `+` | return x + y - 1;
            8 f: `-` to `*` | return x * y - 1;
            9 f: `-` to `+` | return x - y + 1;
            9 f: `-` to `*` | return (x - y) * 1;
            10 f: `1` to `2` | return x - y - 2;
            10 f: `1` to `0` | return x - y - 0;
            10 f: `1` to `-1` | return x - y - -1;
        "#]],
    );
}

#[test]
fn tests_of_values_are_negated_at_level_two() {
    check(
        "int g(int);
int f(int a, int *p) {
    int b = !a;
    while (p && !g(a)) p = 0;
    if (!(a && b)) return a ? b : 3 > a;
    return !(a < b) ? a : g(!b);
}
",
        Level::Two,
        expect![[r#"
            0 f: `!` before `p` | while (!p && !g(a)) p = 0;
            1 f: `&&` to `||` | while (p || !g(a)) p = 0;
            2 f: no `!` before `g(a)` | while (p && g(a)) p = 0;
            3 f: `!` before `a` | if (!(!a && b)) return a ? b : 3 > a;
            4 f: `&&` to `||` | if (!(a || b)) return a ? b : 3 > a;
            5 f: `!` before `b` | if (!(a && !b)) return a ? b : 3 > a;
            6 f: `!` before `a` | if (!(a && b)) return !a ? b : 3 > a;
            7 f: `3` to `4` | if (!(a && b)) return a ? b : 4 > a;
            7 f: `3` to `2` | if (!(a && b)) return a ? b : 2 > a;
            7 f: `3` to `-3` | if (!(a && b)) return a ? b : -3 > a;
            7 f: `3` to `0` | if (!(a && b)) return a ? b : 0 > a;
            8 f: `>` to `>=` | if (!(a && b)) return a ? b : 3 >= a;
            8 f: `>` to `<` | if (!(a && b)) return a ? b : 3 < a;
            8 f: `>` to `<=` | if (!(a && b)) return a ? b : 3 <= a;
            9 f: `<` to `<=` | return !(a <= b) ? a : g(!b);
            9 f: `<` to `>` | return !(a > b) ? a : g(!b);
            9 f: `<` to `>=` | return !(a >= b) ? a : g(!b);
        "#]],
    );
}

#[test]
fn level_three() {
    check(
        SMALL,
        Level::Three,
        expect![[r#"
            0 #define: `600` to `601` | #define TOP 601
            0 #define: `600` to `599` | #define TOP 599
            0 #define: `600` to `-600` | #define TOP -600
            0 #define: `600` to `0` | #define TOP 0
            1 f: `x` to `g` | if (g + y*2 <= TOP || !g)
            1 f: `x` to `y` | if (y + y*2 <= TOP || !g)
            2 f: `&& !g` after `x + y*2 <= TOP` | if (x + y*2 <= TOP && !g || !g)
            3 f: `!` before `x + y*2 <= TOP || !g` | if (!(x + y*2 <= TOP || !g))
            3 f: `&& x + y*2 <= TOP` after `x + y*2 <= TOP || !g` | if ((x + y*2 <= TOP || !g) && x + y*2 <= TOP)
            3 f: `&& !g` after `x + y*2 <= TOP || !g` | if ((x + y*2 <= TOP || !g) && !g)
            4 f: `+` to `-` | if (x - y*2 <= TOP || !g)
            4 f: `+` to `*` | if (x * (y*2) <= TOP || !g)
            5 f: `y` to `g` | if (x + g*2 <= TOP || !g)
            5 f: `y` to `x` | if (x + x*2 <= TOP || !g)
            6 f: `*` to `+` | if (x + (y+2) <= TOP || !g)
            6 f: `*` to `-` | if (x + (y-2) <= TOP || !g)
            7 f: `2` to `3` | if (x + y*3 <= TOP || !g)
            7 f: `2` to `1` | if (x + y*1 <= TOP || !g)
            7 f: `2` to `-2` | if (x + y* -2 <= TOP || !g)
            7 f: `2` to `0` | if (x + y*0 <= TOP || !g)
            7 f: `2` to `TOP` | if (x + y*TOP <= TOP || !g)
            7 f: `2` to `g` | if (x + y*g <= TOP || !g)
            7 f: `2` to `x` | if (x + y*x <= TOP || !g)
            7 f: `2` to `y` | if (x + y*y <= TOP || !g)
            8 f: `<=` to `<` | if (x + y*2 < TOP || !g)
            8 f: `<=` to `>` | if (x + y*2 > TOP || !g)
            8 f: `<=` to `>=` | if (x + y*2 >= TOP || !g)
            8 f: `<=` to `==` | if (x + y*2 == TOP || !g)
            8 f: `<=` to `!=` | if (x + y*2 != TOP || !g)
            9 f: `||` to `&&` | if (x + y*2 <= TOP && !g)
            9 f: leave out `!g` and its `||` | if (x + y*2 <= TOP)
            9 f: leave out `x + y*2 <= TOP` and its `||` | if (!g)
            10 f: no `!` before `g` | if (x + y*2 <= TOP || g)
            10 f: `&& x + y*2 <= TOP` after `!g` | if (x + y*2 <= TOP || !g && x + y*2 <= TOP)
            11 f: `g` to `x` | if (x + y*2 <= TOP || !x)
            11 f: `g` to `y` | if (x + y*2 <= TOP || !y)
            12 f: `&& x + y*2 <= TOP` after `g` | if (x + y*2 <= TOP || !(g && x + y*2 <= TOP))
            12 f: `&& !g` after `g` | if (x + y*2 <= TOP || !(g && !g))
            12 f: `|| x + y*2 <= TOP` after `g` | if (x + y*2 <= TOP || !(g || x + y*2 <= TOP))
            12 f: `|| !g` after `g` | if (x + y*2 <= TOP || !(g || !g))
            13 f: `g` to `x` | x++;
            13 f: `g` to `y` | y++;
            14 f: leave out `g++` | ;
            15 f: `++` to `--` | g--;
            16 f: `x` to `g` | return g - y - 1;
            16 f: `x` to `y` | return y - y - 1;
            17 f: `-` to `+` | return x + y - 1;
            17 f: `-` to `*` | return x * y - 1;
            18 f: `y` to `g` | return x - g - 1;
            18 f: `y` to `x` | return x - x - 1;
            19 f: `-` to `+` | return x - y + 1;
            19 f: `-` to `*` | return (x - y) * 1;
            20 f: `1` to `2` | return x - y - 2;
            20 f: `1` to `0` | return x - y - 0;
            20 f: `1` to `-1` | return x - y - -1;
            20 f: `1` to `TOP` | return x - y - TOP;
            20 f: `1` to `g` | return x - y - g;
            20 f: `1` to `x` | return x - y - x;
            20 f: `1` to `y` | return x - y - y;
        "#]],
    );
}

const NAMES: &str = "#define LOW 3
#define NONE (-1)
#define BOTH (LOW + 4)
enum { RED, GREEN = 2 };
int a[9], n, shift;
int step(void) { return shift ? n + LOW : n; }
int late(void);
int f(void) {
    if (a[5] == NONE)
        return 'a';
    n = n * BOTH + LOW;
    return n;
}
int late(void) { return n; }
";

/// Names, variables and calls that stand for constants and operands.
#[test]
fn names_and_calls() {
    let names = ["LOW", "NONE", "GREEN", "step()", "late()", "`5` to", "`'a'` to"];
    let listed = list(NAMES, Level::Three);
    let is_new = |line: &&str| {
        let what = line.split(" | ").next().unwrap_or_default();
        line.contains(" f: ") && !what.contains("after") && names.iter().any(|name| what.contains(name))
    };
    let shown: Vec<&str> = listed.lines().filter(is_new).collect();
    expect![[r#"
        9 f: `5` to `6` | if (a[6] == NONE)
        9 f: `5` to `4` | if (a[4] == NONE)
        9 f: `5` to `-5` | if (a[-5] == NONE)
        9 f: `5` to `0` | if (a[0] == NONE)
        9 f: `5` to `LOW` | if (a[LOW] == NONE)
        9 f: `5` to `NONE` | if (a[NONE] == NONE)
        9 f: `5` to `GREEN` | if (a[GREEN] == NONE)
        9 f: `5` to `RED` | if (a[RED] == NONE)
        9 f: `5` to `n` | if (a[n] == NONE)
        9 f: `5` to `shift` | if (a[shift] == NONE)
        11 f: `NONE` to `LOW` | if (a[5] == LOW)
        11 f: `NONE` to `GREEN` | if (a[5] == GREEN)
        11 f: `NONE` to `RED` | if (a[5] == RED)
        12 f: `'a'` to `'b'` | return 'b';
        12 f: `'a'` to `'`'` | return '`';
        12 f: `'a'` to `-97` | return -97;
        12 f: `'a'` to `'\0'` | return '\0';
        12 f: `'a'` to `LOW` | return LOW;
        12 f: `'a'` to `NONE` | return NONE;
        12 f: `'a'` to `GREEN` | return GREEN;
        12 f: `'a'` to `RED` | return RED;
        12 f: `'a'` to `n` | return n;
        12 f: `'a'` to `shift` | return shift;
        14 f: leave out `n = n * BOTH + LOW` | 
        15 f: `n` to `step()` | n = step() * BOTH + LOW;
        16 f: `n * BOTH` to `step()` | n = step() + LOW;
        17 f: `n * BOTH + LOW` to `step()` | n = step();
        20 f: `LOW` to `NONE` | n = n * BOTH + NONE;
        20 f: `LOW` to `GREEN` | n = n * BOTH + GREEN;
        20 f: `LOW` to `RED` | n = n * BOTH + RED;
        21 f: `n` to `step()` | return step();"#]]
    .assert_eq(&shown.join("\n"));
}

#[test]
fn parentheses_where_they_are_needed() {
    let text = "int f(int x, int a, int b) {\n    return x + a - b;\n}\n";
    check(
        text,
        Level::Two,
        expect![[r#"
        0 f: `+` to `-` | return x - a - b;
        0 f: `+` to `*` | return x * a - b;
        1 f: `-` to `+` | return x + a + b;
        1 f: `-` to `*` | return (x + a) * b;
    "#]],
    );
    let text = "int f(int a, int b, int c) {\n    return a && b || c-(a|b);\n}\n";
    check(
        text,
        Level::One,
        expect![[r#"
        0 f: `&&` to `||` | return a || b || c-(a|b);
        1 f: `||` to `&&` | return a && b && c-(a|b);
        2 f: `-` to `+` | return a && b || c+(a|b);
        3 f: `|` to `&` | return a && b || c-(a&b);
        3 f: `|` to `^` | return a && b || c-(a^b);
    "#]],
    );
}

#[test]
fn macros_whose_uses_are_not_all_known() {
    let text = "#include <assert.h>
#define N 3
#define M 4
#define P 5
#define Q 6
int a[N];
int f(int x) {
    assert(x < M);
    switch (x) {
    case P:
        return 1;
    }
    return x + (N + M + P + Q);
}
";
    check(
        text,
        Level::Two,
        expect![[r#"
        0 #define: `6` to `7` | #define Q 7
        0 #define: `6` to `5` | #define Q 5
        0 #define: `6` to `-6` | #define Q -6
        0 #define: `6` to `0` | #define Q 0
        1 f: `1` to `2` | return 2;
        1 f: `1` to `0` | return 0;
        1 f: `1` to `-1` | return -1;
        2 f: `+` to `-` | return x - (N + M + P + Q);
        2 f: `+` to `*` | return x * (N + M + P + Q);
        3 f: `+` to `-` | return x + (N - M + P + Q);
        3 f: `+` to `*` | return x + (N * M + P + Q);
        4 f: `+` to `-` | return x + (N + M - P + Q);
        4 f: `+` to `*` | return x + ((N + M) * P + Q);
        5 f: `+` to `-` | return x + (N + M + P - Q);
        5 f: `+` to `*` | return x + ((N + M + P) * Q);
    "#]],
    );
}

#[test]
fn only_in_some_functions() {
    let unit = parse("#define N 3\nint f(int x) { return x + N; }\nint g(int x) { return x - N; }\n");
    let mutated = mutate(&unit, Level::Two, Some(&["g"]));
    let shown: Vec<&str> = mutated.mutations.iter().map(|one| &*one.what).collect();
    assert_eq!(shown, ["`3` to `4`", "`3` to `2`", "`3` to `-3`", "`3` to `0`", "`-` to `+`", "`-` to `*`"]);
}

// ----- what they mean -----

/// How a run ends: what it printed, and its exit status or fault.
#[derive(Debug, PartialEq)]
enum End {
    Exited(i32, String),
    Fault(String, String),
    Endless,
}

fn run(program: Arc<Program>, arguments: &[&str]) -> End {
    let arguments = arguments.iter().map(|argument| argument.to_string()).collect();
    let options =
        RunOptions { arguments, max_steps: 3000, max_depth: 500, max_memory: 1 << 24, ..RunOptions::default() };
    let mut interpreter = Interpreter::start(program, &options).expect("it starts");
    let stop = match interpreter.position().clone() {
        Stop::Step(_) => interpreter.resume(&Until::End, &Default::default()).expect("it runs"),
        over => over,
    };
    let output = String::from_utf8_lossy(&interpreter.output().expect("it is kept")).into_owned();
    match stop {
        Stop::Exited(status) => End::Exited(status, output),
        Stop::Fault(fault) => End::Fault(format!("{:?}", fault.kind), output),
        _ => End::Endless,
    }
}

fn with_selectors(program: &Arc<Program>, on: &[SelectorId]) -> Arc<Program> {
    let mut program = Program::clone(program);
    for selector in on {
        let global = program.selectors[selector.0 as usize];
        program.globals[global.index()].image = vec![1];
    }
    Arc::new(program)
}

/// Every mutation alone, and some of two together.
fn sets(mutated: &Mutated, pairs: usize) -> Vec<Vec<SelectorId>> {
    let mut state = 12345_u64;
    let count = mutated.mutations.len();
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % count
    };
    let mut sets: Vec<Vec<SelectorId>> = mutated.mutations.iter().map(|one| vec![one.selector]).collect();
    for _ in 0..pairs {
        let (a, b) = (&mutated.mutations[random()], &mutated.mutations[random()]);
        if a.site != b.site {
            sets.push(vec![a.selector, b.selector]);
        }
    }
    sets.insert(0, Vec::new());
    sets
}

/// Compares the program with choices and the patched text.
fn compare(path: &Path, level: Level, pairs: usize, every: usize, arguments: &[&str]) {
    let unit = c_syntax::parse(path).expect("it is C");
    let source = unit.source.clone();
    let mutated = mutate(&unit, level, None);
    let program = Arc::new(ir::lower(mutated.unit.clone()));
    assert_eq!(program.selectors.len(), mutated.mutations.len());
    let sets: Vec<_> = sets(&mutated, pairs).into_iter().step_by(every).collect();
    let mut unwritten = 0;
    let mut differences = Vec::new();
    for chunk in sets.chunks(64) {
        let edits = chunk.iter().filter_map(|on| Some((on, mutated.edits(on)?)));
        let patched: Vec<_> = edits
            .map(|(on, edits)| (on, patch::apply(&source, &edits).unwrap_or_else(|error| panic!("{on:?}: {error}"))))
            .collect();
        unwritten += chunk.len() - patched.len();
        let texts: Vec<_> =
            patched.iter().map(|(_, text)| Arc::new(Source::new(source.path.clone(), text.text.clone()))).collect();
        for ((on, text), new) in patched.iter().zip(ir::load_texts(&texts)) {
            let what: Vec<&str> = on.iter().map(|on| &*mutated.mutations[on.0 as usize].what).collect();
            let new = match new {
                Ok(new) => run(Arc::new(new), arguments),
                Err(error) => {
                    differences.push(format!("{what:?}: {error}\n{}", text.diff("a.c")));
                    continue;
                }
            };
            let chosen = run(with_selectors(&program, on), arguments);
            if chosen != new {
                differences.push(format!("{what:?}: chosen {chosen:?}, patched {new:?}\n{}", text.diff("a.c")));
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{}: {} of {} differ, {unwritten} can not be written:\n{}",
        path.display(),
        differences.len(),
        sets.len(),
        differences[..differences.len().min(20)].join("\n")
    );
    assert!(unwritten * 50 <= sets.len(), "{unwritten} of {} can not be written", sets.len());
}

#[test]
fn an_old_program_with_macros() {
    compare(&file("tests/mutation/advisory.c"), Level::Three, 60, 4, &[]);
}

#[test]
fn all_operators() {
    compare(&file("tests/mutation/operators.c"), Level::Three, 60, 4, &[]);
}

#[test]
fn nested_conditions() {
    compare(&file("tests/mutation/nested.c"), Level::Three, 60, 4, &[]);
}

#[test]
fn named_constants_and_calls() {
    compare(&file("tests/mutation/names.c"), Level::Three, 200, 2, &[]);
}

#[test]
fn programs_with_all_kinds_of_features() {
    let programs = [
        "small/b05_sorted_insert_singly.c",
        "large/l16_quicksort_list.c",
        "features/array_1d.c",
        "features/compound_assignment.c",
        "features/const_volatile.c",
        "features/gnu_typeof.c",
        "features/graph_bfs.c",
        "features/macros_basic.c",
        "features/macros_places.c",
        "features/short_circuit.c",
        "features/switch_duff.c",
        "features/ternary.c",
    ];
    for program in programs {
        compare(&file("../../programs").join(program), Level::Three, 10, 9, &["3", "1", "2"]);
    }
}

#[test]
fn a_choice_of_an_index_is_made_after_its_operators() {
    let text = "int f(int *a, int *p) {\n    return a[p - a];\n}\n";
    check(
        text,
        Level::Three,
        expect![[r#"
        0 f: `a` to `p` | return p[p - a];
        1 f: `p` to `a` | return a[a - a];
        2 f: index `p - a` by +1 | return a[p - a + 1];
        2 f: index `p - a` by -1 | return a[p - a - 1];
        3 f: `a` to `p` | return a[p - p];
    "#]],
    );
}
