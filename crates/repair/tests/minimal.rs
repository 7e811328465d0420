//! All minimal mutation repairs: the same by every way, none that is vacuous, each proved.

use std::sync::Arc;

use c_syntax::Source;
use check::{Options, Task, load_sources};
use repair::scheme::mutation::Level;
use repair::strategy::minimal::{Blocking, End, Repairs, Wanted, Way, repairs};

fn task(texts: &[&str], entry: &str, assume: &str, unwind: u32) -> Task {
    let source = |text: &&str| Arc::new(Source::new("a.c", text.as_bytes().to_vec()));
    let sources: Vec<_> = texts.iter().map(source).collect();
    let assume = if assume.is_empty() { vec![] } else { vec![assume.to_string()] };
    let mut options = Options { entry: Some(entry.into()), assume, ..Options::default() };
    options.bounds.unwind = unwind;
    load_sources(&sources, &options).expect("it is a task")
}

fn all(task: &Task, level: Level, way: Way) -> Repairs {
    let wanted = Wanted { level, way, check: way == Way::Tree, ..Wanted::default() };
    repairs(task, &wanted, &mut |_, _| {})
}

fn whats(found: &Repairs) -> Vec<String> {
    let mut whats: Vec<String> = found.found.iter().map(|repair| repair.what.join("; ")).collect();
    whats.sort();
    whats
}

/// The repairs of all ways, which must be the same.
fn agreed(task: &Task, level: Level) -> Vec<String> {
    let tree = all(task, level, Way::Tree);
    assert_eq!((&tree.end, tree.counts.refused), (&End::Covered, 0));
    for blocking in [Blocking::Must, Blocking::Itself] {
        let other = all(task, level, Way::Enumerate(blocking));
        assert_eq!(other.end, End::Covered);
        assert_eq!(whats(&other), whats(&tree), "{blocking:?}");
        assert!(tree.counts.validated <= other.counts.validated);
    }
    assert!(tree.found.iter().all(|repair| repair.proof.as_ref().is_some_and(check::Proof::is_whole)));
    whats(&tree)
}

/// AllRepair reports nine repairs here, eight of which make the loop endless.
#[test]
fn a_loop_that_does_not_end_is_no_repair() {
    let text = "#include <assert.h>
void sum(void) {
    int i = 0, s = 0;
    while (i < 4) {
        s = s + i;
        i = i + 1;
    }
    assert(s == 10);
}
";
    let task = task(&[text], "sum", "", 8);
    assert_eq!(agreed(&task, Level::One), ["line 4: `<` to `<=`"]);
    assert_eq!(agreed(&task, Level::Two), ["line 4: `4` to `5`", "line 4: `<` to `<=`"]);
}

#[test]
fn an_assertion_that_nothing_comes_to_is_no_repair() {
    let text = "#include <assert.h>
void f(int x) {
    if (x > 2) {
        int y = x + 1;
        assert(y < x);
    }
}
";
    let task = task(&[text], "f", "x >= 0 && x <= 5", 2);
    assert_eq!(agreed(&task, Level::One), ["line 4: `+` to `-`"]);
    let found = all(&task, Level::Two, Way::Tree);
    let vacuous = found.found.iter().any(|repair| repair.what.iter().any(|what| what.contains("line 3: `2` to `5`")));
    assert!(!vacuous, "{:?}", whats(&found));
}

#[test]
fn two_faults_need_two_mutations() {
    let right = "int mid(int a, int b, int c) { if (a < b) { if (b < c) return b; if (a < c) return c; return a; }
if (a < c) return a; if (b < c) return c; return b; }";
    let wrong = right.replacen("b < c", "b > c", 1).replacen("if (a < c) return a", "if (a > c) return a", 1);
    let assume = "a >= 0 && a <= 3 && b >= 0 && b <= 3 && c >= 0 && c <= 3";
    let task = task(&[&wrong, right], "mid", assume, 2);
    let found = agreed(&task, Level::Two);
    assert!(found.contains(&"line 1: `>` to `<`; line 2: `>` to `<`".to_string()), "{found:?}");
}

#[test]
fn a_right_program_needs_nothing() {
    let text = "int twice(int x) { return x + x; }";
    let other = "int twice(int x) { return 2 * x; }";
    let task = task(&[text, other], "twice", "", 2);
    assert_eq!(all(&task, Level::Two, Way::Tree).end, End::AlreadyRight);
}

#[test]
fn the_definition_of_a_macro_is_changed_once() {
    let right = "#define LIMIT 10\nint cut(int x) { if (x > LIMIT) return LIMIT; return x; }";
    let wrong = right.replace("LIMIT 10", "LIMIT 9");
    let task = task(&[&wrong, right], "cut", "", 2);
    assert_eq!(agreed(&task, Level::Two), ["line 1: `9` to `10`"]);
}
