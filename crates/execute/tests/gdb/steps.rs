//! Where it stops.

use std::collections::BTreeSet;

use execute::{Executor, Until};
use ir::StepId;

use super::{Session, compilers, options};

/// All statements that are met, run into, at most `limit`.
fn statements(session: &mut Session, limit: usize) -> Vec<String> {
    let mut met = Vec::new();
    while session.gdb.position().step().is_some() && met.len() < limit {
        met.push(session.place());
        session.go(&Until::Into);
    }
    met
}

const LOOPS: &str = "
int main(void) {
    int n = 2, s = 0; s++; s += n;
    for (int i = 0; i < 2; i++) s += i;
    while (n--);
    do { s--; } while (s > 3);
    if (s && n) s = 7; else s = 9;
    for (;;) { if (s++ > 7) break; }
    return s;
}
";

#[test]
fn each_statement_is_met_each_time_it_runs() {
    let expected = "int n = 2, s = 0;|s++|s += n|int i = 0;|i < 2|s += i|i++|i < 2|s += i|i++|i < 2|n--|n--|n--|\
                    s--|s > 3|s && n|s = 7|s++ > 7|s++ > 7|return s";
    for compiler in compilers() {
        let mut session = Session::with(LOOPS, &options(), &compiler);
        let met = statements(&mut session, 100);
        let met: Vec<&str> = met.iter().map(String::as_str).filter(|text| *text != "}").collect();
        assert_eq!(met.join("|"), expected, "{compiler:?}");
        assert_eq!(session.place(), "Exited(9)");
    }
}

const CONDITIONS: &str = "
struct node { struct node *next; };
int main(void) {
    struct node b = { 0 }, a = { &b };
    int k = 0;
    for (struct node *p = &a; p; p = p->next) k++;
    do { if (k == 2) { k--; continue; } k--; } while (k);
    return k;
}
";

/// clang puts a condition that is just a variable at the loop's keyword or brace.
#[test]
fn conditions_that_are_a_variable_are_met() {
    let expected = "k == 2|k--|k|k == 2|k--|k|return k";
    for compiler in compilers() {
        let mut session = Session::with(CONDITIONS, &options(), &compiler);
        session.run_to("p");
        assert_eq!(session.go(&Until::Into), "k++");
        session.run_to("k == 2");
        let met = statements(&mut session, 100);
        let met: Vec<&str> = met.iter().map(String::as_str).filter(|text| *text != "}").collect();
        assert_eq!(met.join("|"), expected, "{compiler:?}");
    }
}

const CALLS: &str = "
#include <stdlib.h>
int fact(int n) {
    if (n < 2)
        return 1;
    return n * fact(n - 1);
}
int twice(int x) { int y = fact(x); return 2 * y; }
int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int main(void) {
    int r = twice(5) + twice(3);
    int a[3] = { 3, 1, 2 };
    qsort(a, 3, sizeof a[0], compare);
    return r - 252 + a[0];
}
";

#[test]
fn calls_are_passed_over_and_left() {
    for compiler in compilers() {
        let mut session = Session::with(CALLS, &options(), &compiler);
        assert_eq!(session.place(), "int r = twice(5) + twice(3);");
        assert_eq!(session.go(&Until::Into), "int y = fact(x);");
        session.run_to("return n * fact(n - 1)");
        session.go(&Until::Into);
        assert_eq!((session.place(), session.value("n")), ("n < 2".into(), "4".into()));
        assert_eq!(session.go(&Until::Over), "return n * fact(n - 1)");
        // The statement calls the same function, deeper.
        session.go(&Until::Over);
        if session.place() == "}" {
            assert_eq!(session.value("n"), "4");
        }
        session.run_to_depth(3);
        assert_eq!(session.value("n"), "5");
        assert_eq!(session.go(&Until::Out), "return 2 * y");
        // The second call of `twice` stands where the first one stood.
        session.go(&Until::Over);
        if session.place() == "}" {
            session.go(&Until::Over);
        }
        assert_eq!(session.place(), "int a[3] = { 3, 1, 2 };", "{compiler:?}");
        session.run_to("return *(int *)a - *(int *)b");
        assert_eq!(session.state().frames.len(), 2);
        assert_eq!(session.go(&Until::Out), "return r - 252 + a[0]");
        assert_eq!(session.go(&Until::End), "Exited(1)");
    }
}

impl Session {
    /// Leaves calls until this many are active.
    fn run_to_depth(&mut self, depth: usize) {
        while self.state().frames.len() > depth {
            self.go(&Until::Over);
        }
    }
}

#[test]
fn breakpoints_stop_in_any_call() {
    let mut session = Session::new(CALLS);
    let at = session.program.steps.iter().position(|step| session.program.source.text(step.span) == "return 1");
    let stops = BTreeSet::from([StepId(at.expect("a step") as u32)]);
    assert_eq!(session.go_to(&Until::End, &stops), "return 1");
    assert_eq!(session.state().frames.len(), 7);
    assert_eq!(session.go_to(&Until::End, &stops), "return 1");
    assert_eq!(session.state().frames.len(), 5);
    assert_eq!(session.go_to(&Until::End, &stops), "Exited(1)");
}

/// Passing over a deep recursion takes two stops, not hundreds of thousands.
#[test]
fn deep_recursion_is_passed_over_quickly() {
    let text = "
int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
int main(void) { return fib(24) == 46368 ? 3 : 4; }
";
    let mut session = Session::new(text);
    session.run_to("return fib(n - 1) + fib(n - 2)");
    let before = std::time::Instant::now();
    assert_eq!(session.go(&Until::Over), "}");
    assert!(before.elapsed().as_secs() < 10);
    assert_eq!(session.value("n"), "24");
    assert_eq!(session.go(&Until::End), "Exited(3)");
}

#[test]
fn long_jumps_do_not_lose_it() {
    let text = "
#include <setjmp.h>
jmp_buf there;
int dive(int n) { if (n == 0) longjmp(there, 1); return dive(n - 1) + 1; }
int main(void) {
    int r = 0;
    if (setjmp(there) == 0)
        r = dive(5);
    r = 4;
    return r;
}
";
    let mut session = Session::new(text);
    session.run_to("return dive(n - 1) + 1");
    assert_eq!(session.go(&Until::Over), "r = 4");
}

/// Both compilers agree on the way through a program, wherever both have code.
#[test]
fn compilers_agree() {
    let compilers = compilers();
    if compilers.len() < 2 {
        return;
    }
    for text in [LOOPS, CONDITIONS, CALLS] {
        let ways: Vec<Vec<String>> = compilers
            .iter()
            .map(|compiler| {
                let mut session = Session::with(text, &options(), compiler);
                statements(&mut session, 500).into_iter().filter(|text| text != "}").collect()
            })
            .collect();
        assert_eq!(ways[0], ways[1]);
    }
}
