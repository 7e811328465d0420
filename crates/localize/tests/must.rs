//! Must localization: the examples of Rothenberg and Grumberg, loops, several inputs.

use std::sync::Arc;

use c_syntax::Source;
use check::{Example, Options, Task, Verdict, check, load_sources, more_counterexamples};
use localize::must_slice;

fn task(text: &str, entry: &str, assume: &str) -> Task {
    let source = Arc::new(Source::new("a.c", text.as_bytes().to_vec()));
    let assume = if assume.is_empty() { vec![] } else { vec![assume.to_string()] };
    let options = Options { entry: Some(entry.into()), assume, ..Options::default() };
    load_sources(&[source], &options).expect("it is a task")
}

/// The lines that matter for the inputs.
fn lines(task: &Task, inputs: &[&[i128]]) -> Vec<u32> {
    let examples: Vec<Example> =
        inputs.iter().map(|input| Example { nondet: input.to_vec(), ..Example::default() }).collect();
    let slice = must_slice(task, &examples).expect("it is small");
    assert_eq!(slice.inputs, inputs.len(), "all of the inputs go wrong");
    let mut lines: Vec<u32> = slice.in_all().map(|place| task.program.source().line(place.span.start)).collect();
    lines.sort_unstable();
    lines
}

const ABSOLUTE: &str = "#include <assert.h>
void absolute(int x) {
    int abs = x;
    if (x < -1)
        abs = -x;
    assert(abs >= 0);
}
";

/// Figure 1: the condition that was not taken is among them.
#[test]
fn absolute_value() {
    let task = task(ABSOLUTE, "absolute", "");
    assert_eq!(lines(&task, &[&[-1]]), [3, 4]);
}

const FOO: &str = "#include <assert.h>
void foo(int x, int w) {
    int t = 0;
    int y = x - 3;
    int z = x + 3;
    if (w > 3) {
        t = z + w;
        assert(t < x);
        y = y + 10;
    }
    assert(y > z);
}
";

/// Figure 2 and Example 2: statements 2, 3 and 4 of the paper, without `t`.
#[test]
fn the_papers_foo() {
    let task = task(FOO, "foo", "");
    assert_eq!(lines(&task, &[&[0, 0]]), [4, 5, 6]);
    // In the branch the first assertion fails, which is about t.
    assert_eq!(lines(&task, &[&[0, 9]]), [5, 6, 7]);
}

const LOOP: &str = "#include <assert.h>
void count(int n) {
    int i = 0, s = 0, unused = 1;
    while (i <= n) {
        s += 2;
        unused += s;
        i++;
    }
    assert(s == 2 * n);
}
";

#[test]
fn rounds_of_a_loop_are_one_statement() {
    let task = task(LOOP, "count", "n >= 0 && n <= 3");
    assert_eq!(lines(&task, &[&[2]]), [3, 4, 5, 7]);
}

/// Every single statement whose change can repair the input is in the set: tried with all values that the statement could compute.
#[test]
fn a_repair_outside_of_the_set_is_impossible() {
    let repairs = [("int abs = x;", "int abs = 5;"), ("x < -1", "x < 0"), ("abs = -x", "abs = 7")];
    let task = task(ABSOLUTE, "absolute", "");
    let must = lines(&task, &[&[-1]]);
    for (old, new) in repairs {
        let line = ABSOLUTE[..ABSOLUTE.find(old).expect("it is there")].lines().count() as u32;
        let side = task.program.with_text(ABSOLUTE.replacen(old, new, 1).as_bytes()).expect("it is C");
        let example = Example { nondet: vec![-1], ..Example::default() };
        let is_repaired = check::confirm(&task, &side, &example).expect("it runs").is_none();
        assert!(!is_repaired || must.contains(&line), "line {line} repairs the input");
    }
}

#[test]
fn several_counterexamples_narrow_the_set() {
    let task = task(FOO, "foo", "x >= -2 && x <= 2 && w >= 0 && w <= 5");
    let Verdict::Fails(first) = check(&task) else { panic!("it fails") };
    let examples = more_counterexamples(&task, &first, 4);
    assert_eq!(examples.len(), 4);
    let slice = must_slice(&task, &examples).expect("it is small");
    assert_eq!(slice.inputs, 4);
    assert!(slice.in_all().count() >= 1 && slice.in_all().count() <= slice.places.len());
}
