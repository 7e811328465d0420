//! Live changes, the same on both executors: what a changed program does from
//! the moment it is changed, and that it does what the changed text does.

mod differential;
mod speed;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use execute::gdb::GdbExecutor;
use execute::interpreter::Interpreter;
use execute::{
    ExecuteError, Executor, FaultKind, Goal, Input, LiveChange, Patched, RunOptions, StepCounts, Stop, Until,
};
use ir::{Program, StepId};
use memory::Value;

/// A program with live changes on one of the executors.
struct Session {
    engine: &'static str,
    program: Arc<Program>,
    executor: Patched,
}

fn read_program(text: &str) -> Arc<Program> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("test.c");
    std::fs::write(&path, text).expect("the folder is writable");
    Arc::new(ir::load(&path).expect("the test program is C"))
}

/// The program on both executors.
fn sessions(text: &str) -> [Session; 2] {
    let program = read_program(text);
    let options = RunOptions { input: Input::Bytes(b"7 8".into()), max_seconds: 60.0, ..RunOptions::default() };
    let interpreter = Interpreter::start(program.clone(), &options).expect("it starts");
    let gdb = GdbExecutor::start(program.clone(), &options).expect("gdb starts");
    let session = |engine, inner: Box<dyn Executor>| {
        let executor = Patched::new(inner, program.clone());
        Session { engine, program: program.clone(), executor }
    };
    [session("interpreter", Box::new(interpreter)), session("gdb", Box::new(gdb))]
}

/// Runs a script on both executors.
fn on_both(text: &str, script: impl Fn(&mut Session)) {
    sessions(text).iter_mut().for_each(script);
}

impl Session {
    fn steps(&self, text: &str) -> BTreeSet<StepId> {
        let steps = self.program.steps.iter().enumerate();
        let found = steps.filter(|(_, step)| self.program.source.text(step.span) == text);
        found.map(|(i, _)| StepId(i as u32)).collect()
    }

    /// The first statement with this text; `} name` is the end of a function.
    fn step(&self, text: &str) -> StepId {
        if let Some(name) = text.strip_prefix("} ") {
            let id = self.program.function_named(name).expect("a function");
            return self.program.function(id).exit;
        }
        *self.steps(text).first().unwrap_or_else(|| panic!("no statement {text}"))
    }

    fn replace(&self, step: &str, text: &str) -> LiveChange {
        LiveChange::Replace { step: self.step(step), text: text.into() }
    }

    fn insert(&self, to: &str, statement: &str) -> LiveChange {
        LiveChange::Insert { to: self.step(to), from: None, guard: None, statement: statement.into() }
    }

    fn insert_from(&self, from: &[&str], to: &str, statement: &str) -> LiveChange {
        let from = Some(from.iter().map(|text| self.step(text)).collect());
        LiveChange::Insert { to: self.step(to), from, guard: None, statement: statement.into() }
    }

    fn insert_if(&self, guard: &str, to: &str, statement: &str) -> LiveChange {
        let guard = Some(guard.to_string());
        LiveChange::Insert { to: self.step(to), from: None, guard, statement: statement.into() }
    }

    fn guard(&self, step: &str, condition: &str) -> LiveChange {
        LiveChange::Guard { step: self.step(step), condition: condition.into() }
    }

    fn set(&mut self, changes: impl IntoIterator<Item = LiveChange>) {
        self.executor.set_changes(changes.into_iter().collect()).expect("it can be changed");
    }

    fn place(&self) -> String {
        match self.executor.position() {
            Stop::Step(step) => self.program.source.text(self.program.step(*step).span),
            Stop::Fault(fault) => format!("{:?}", fault.kind),
            other => format!("{other:?}"),
        }
    }

    fn go(&mut self, until: Until, breakpoint: &str) -> String {
        let breakpoints = self.steps(breakpoint);
        self.executor.resume(&until, &breakpoints).unwrap_or_else(|error| panic!("{}: {error}", self.engine));
        self.place()
    }

    fn end(&mut self) -> String {
        self.go(Until::End, "")
    }

    fn to(&mut self, breakpoint: &str) -> String {
        self.go(Until::End, breakpoint)
    }

    /// The value of a variable of the innermost call, or of the file.
    fn value(&mut self, name: &str) -> String {
        let state = self.executor.state().expect("a state");
        let locals = state.frames.last().map(|frame| &frame.variables[..]).unwrap_or_default();
        let found = locals.iter().chain(&state.globals).find(|variable| &*variable.name == name);
        found.map_or_else(|| panic!("no variable {name}"), |variable| variable.value.to_string())
    }

    /// Every variable of every call and every node, as text.
    fn show(&mut self) -> String {
        let state = self.executor.state().expect("a state");
        let variables = state.globals.iter().chain(state.frames.iter().flat_map(|frame| &frame.variables));
        let known = variables.filter(|variable| variable.value != Value::Uninitialised);
        let mut text: Vec<String> = known.map(|variable| format!("{} = {}", variable.name, variable.value)).collect();
        for node in &state.nodes {
            text.push(format!("{}: {}", node.id, if node.live { node.value.to_string() } else { "freed".into() }));
        }
        text.join(", ")
    }

    fn output(&mut self) -> String {
        String::from_utf8(self.executor.output().expect("its output")).expect("text")
    }
}

const REVERSE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *reverse(struct node *head) {
    struct node *prev = NULL, *next = NULL;
    while (head) {
        next = head->next;
        head->next = head;
        prev = head;
        head = next;
    }
    return head;
}
int main(void) {
    struct node *list = NULL, *n = NULL;
    int i = 0, sum = 0;
    for (i = 1; i <= 3; i++) {
        n = malloc(sizeof(struct node));
        n->data = i;
        n->next = list;
        list = n;
    }
    list = reverse(list);
    for (n = list; n; n = n->next)
        printf("%d ", n->data);
    return 0;
}
"#;

#[test]
fn a_wrong_list_reversal_is_repaired_while_it_runs() {
    on_both(REVERSE, |session| {
        assert_eq!(session.to("head->next = head"), "head->next = head");
        session.set([
            session.replace("head->next = head", "head->next = prev"),
            session.replace("return head", "return prev"),
        ]);
        assert_eq!(session.go(Until::Over, ""), "prev = head", "{}", session.engine);
        assert_eq!(session.end(), "Exited(0)", "{}", session.engine);
        assert_eq!(session.output(), "1 2 3 ", "{}", session.engine);
    });
}

#[test]
fn deleted_statements_do_nothing() {
    let text =
        "int main(void) { int a = 1; a = 5; if (a > 1) return 7; int b = 3; for (a = 2; a < 4; a++) b++; return b; }";
    on_both(text, |session| {
        session.set([session.replace("a = 5", "")]);
        session.to("a > 1");
        assert_eq!(session.value("a"), "1");
        // A deleted `return` is passed over, too.
        session.set([
            session.replace("return 7", ""),
            session.replace("a > 1", "a == 1"),
            session.replace("a = 2", ""),
        ]);
        session.to("return 7");
        assert_eq!(session.go(Until::Over, ""), "int b = 3;", "{}", session.engine);
        assert_eq!(session.end(), "Exited(6)", "{}", session.engine);
    });
}

const LOOP: &str = "
int g;
int main(void) {
    int i = 0, s = 0;
    while (i < 5) {
        i++;
        s += i;
    }
    g = s;
    return g;
}
";

#[test]
fn insertions_know_where_control_comes_from() {
    on_both(LOOP, |session| {
        let start = session.executor.checkpoint().expect("a checkpoint");
        let cases: [(Vec<LiveChange>, &str); 7] = [
            (vec![session.insert_from(&["s += i"], "i < 5", "s += 10")], "Exited(65)"),
            (vec![session.insert_from(&["int i = 0, s = 0;"], "i < 5", "s += 10")], "Exited(25)"),
            (vec![session.insert("i < 5", "s += 10")], "Exited(75)"),
            (vec![session.insert_if("i == 3", "s += i", "s += 10")], "Exited(25)"),
            (vec![session.insert("} main", "g = 1")], "Exited(15)"),
            (vec![session.insert("i++", "s += 1"), session.insert("i++", "s *= 2")], "Exited(119)"),
            (vec![session.insert("s += i", "i += 1"), session.replace("s += i", "s -= i")], "Exited(244)"),
        ];
        for (changes, end) in cases {
            session.executor.restore(start).expect("it goes back");
            session.set(changes.clone());
            assert_eq!(session.end(), end, "{}: {changes:?}", session.engine);
            // Stepping comes to the same.
            session.executor.restore(start).expect("it goes back");
            while session.executor.position().step().is_some() {
                session.go(Until::Into, "");
            }
            assert_eq!(session.place(), end, "{}: {changes:?}", session.engine);
        }
    });
}

#[test]
fn an_insertion_at_the_end_is_seen_before_the_call_returns() {
    on_both(LOOP, |session| {
        session.set([session.insert("} main", "g = 1")]);
        session.to("return g");
        assert_eq!(session.value("g"), "15");
        assert_eq!(session.go(Until::Over, ""), "}");
        assert_eq!(session.value("g"), "1", "{}", session.engine);
    });
}

#[test]
fn guarded_statements_run_only_if() {
    on_both(LOOP, |session| {
        session.set([session.guard("s += i", "i % 2 == 0")]);
        assert_eq!(session.to("g = s"), "g = s");
        assert_eq!(session.value("s"), "6", "{}", session.engine);
        assert_eq!(session.end(), "Exited(6)");
    });
    on_both(LOOP, |session| {
        session.set([
            session.guard("i < 5", "s < 3"),
            session.guard("s += i", "1"),
            session.replace("s += i", "s += 2"),
        ]);
        assert_eq!(session.end(), "Exited(4)", "{}", session.engine);
    });
}

#[test]
fn conditions_are_changed() {
    let text = "
int main(void) {
    int i = 0, s = 0;
    for (int j = 0; j < 3; j++)
        s += 100;
    do {
        if (i > 2)
            s += 10;
        i++;
    } while (i < 5);
    return s;
}
";
    on_both(text, |session| {
        session.set([
            session.replace("int j = 0;", "j = 2"),
            session.replace("i > 2", "i > 3 || i == 0"),
            session.replace("i < 5", "i < 4"),
        ]);
        assert_eq!(session.end(), "Exited(110)", "{}", session.engine);
    });
    on_both(text, |session| {
        session.to("i > 2");
        session.set([session.replace("i > 2", "i == 1")]);
        // A decision is taken as ever.
        session.executor.decide(true).expect("it is decided");
        assert_eq!(session.place(), "s += 10");
        assert_eq!(session.go(Until::Over, "i > 2"), "i++");
        assert_eq!(session.to("i > 2"), "i > 2");
        assert_eq!(session.go(Until::Over, ""), "s += 10");
    });
}

#[test]
fn results_are_changed() {
    let text = "
#include <stdlib.h>
struct node { int data; struct node *next; };
int whole(int a) { return a; }
double half(double a) { return a; }
float third(float a) { return a; }
char letter(void) { return 'a'; }
struct node *make(int data) { return NULL; }
void nothing(void) { return; }
int main(void) {
    int w = whole(3);
    double h = half(3);
    float t = third(9);
    char c = letter();
    struct node *n = make(5);
    nothing();
    return w == 6 && h == 1.5 && t == 3 && c == 'b' && n && n->data == 0;
}
";
    on_both(text, |session| {
        let start = session.executor.checkpoint().expect("a checkpoint");
        let texts = [
            session.replace("return a", "return a * 2"),
            LiveChange::Replace {
                step: *session.steps("return a").iter().nth(1).expect("two"),
                text: "return a / 2".into(),
            },
            LiveChange::Replace {
                step: *session.steps("return a").last().expect("three"),
                text: "return a / 3".into(),
            },
            session.replace("return 'a'", "return 'a' + 1"),
            session.replace("return NULL", "return calloc(1, sizeof(struct node))"),
            session.replace("return", ""),
        ];
        session.set(texts);
        assert_eq!(session.end(), "Exited(1)", "{}", session.engine);
        session.executor.restore(start).expect("it goes back");
        while session.executor.position().step().is_some() {
            session.go(Until::Into, "");
        }
        assert_eq!(session.place(), "Exited(1)", "{}", session.engine);
    });
}

const RECURSION: &str = "
int g;
int deep(int n) {
    int r = 0;
    if (n > 0)
        r = deep(n - 1);
    g = g + 1;
    return r + 1;
}
int main(void) {
    int a = deep(3);
    int b = deep(0) + a;
    return b;
}
";

#[test]
fn recursion_is_stepped_over_and_out_of() {
    on_both(RECURSION, |session| {
        session.set([session.replace("g = g + 1", "g = g + 10"), session.insert("return r + 1", "r += n")]);
        assert_eq!(session.go(Until::Over, ""), "int b = deep(0) + a;", "{}", session.engine);
        assert_eq!((session.value("g"), session.value("a")), ("40".into(), "10".into()), "{}", session.engine);
        assert_eq!(session.go(Until::Into, ""), "int r = 0;");
        assert_eq!(session.go(Until::Out, ""), "return b", "{}", session.engine);
        assert_eq!(session.value("g"), "50");
        assert_eq!(session.end(), "Exited(11)");
    });
    on_both(RECURSION, |session| {
        session.set([session.replace("g = g + 1", "g = g + 10")]);
        assert_eq!(session.to("r = deep(n - 1)"), "r = deep(n - 1)");
        assert_eq!(session.to("r = deep(n - 1)"), "r = deep(n - 1)");
        assert_eq!((session.go(Until::Over, ""), session.value("n")), ("g = g + 1".into(), "2".into()));
        assert_eq!(session.value("g"), "20", "{}", session.engine);
        assert_eq!((session.go(Until::Out, ""), session.value("n")), ("g = g + 1".into(), "3".into()));
        assert_eq!(session.value("g"), "30", "{}", session.engine);
        assert_eq!(session.go(Until::Out, "return r + 1"), "return r + 1");
    });
}

#[test]
fn a_changed_call_is_patched_in_every_depth() {
    on_both(RECURSION, |session| {
        session.set([
            session.replace("r = deep(n - 1)", "r = deep(n - 2) + 10"),
            session.replace("return r + 1", "return r + 2"),
        ]);
        let start = session.executor.checkpoint().expect("a checkpoint");
        assert_eq!(session.end(), "Exited(28)", "{}", session.engine);
        session.executor.restore(start).expect("it goes back");
        // It is stepped into, and out of.
        session.to("r = deep(n - 1)");
        assert_eq!((session.go(Until::Into, ""), session.value("n")), ("int r = 0;".into(), "1".into()));
        assert_eq!(session.executor.calls().expect("calls").len(), 3, "{}", session.engine);
        let inside = session.executor.checkpoint().expect("a checkpoint");
        assert_eq!(
            (session.go(Until::Out, ""), session.value("n")),
            ("g = g + 1".into(), "3".into()),
            "{}",
            session.engine
        );
        assert_eq!(session.value("r"), "24", "{}", session.engine);
        session.executor.restore(inside).expect("it goes back");
        assert_eq!(session.go(Until::End, "g = g + 1"), "g = g + 1");
        assert_eq!(session.value("n"), "-1");
        assert_eq!(session.end(), "Exited(28)", "{}", session.engine);
    });
}

#[test]
fn what_an_inserted_call_does_is_patched_and_stops() {
    on_both(RECURSION, |session| {
        session.set([
            session.replace("g = g + 1", "g = g + 10"),
            session.insert("int b = deep(0) + a;", "a = a + deep(1)"),
        ]);
        for n in ["0", "1", "2", "3", "0"] {
            assert_eq!(session.to("return r + 1"), "return r + 1");
            assert_eq!(session.value("n"), n, "{}", session.engine);
        }
        // This is in the inserted text.
        let inside = session.executor.checkpoint().expect("a checkpoint");
        assert_eq!(
            (session.go(Until::Out, ""), session.value("n")),
            ("g = g + 1".into(), "1".into()),
            "{}",
            session.engine
        );
        assert_eq!(session.go(Until::Out, ""), "int b = deep(0) + a;", "{}", session.engine);
        assert_eq!((session.value("a"), session.value("g")), ("6".into(), "60".into()), "{}", session.engine);
        session.executor.restore(inside).expect("it goes back");
        session.set([]);
        assert_eq!(session.end(), "Exited(7)", "{}", session.engine);
    });
}

#[test]
fn statements_without_instructions_cannot_be_changed_under_gdb() {
    on_both("int main(void) { int x = 1; x; return x; }", |session| {
        let change = session.replace("x", "x = 5");
        match (session.engine, session.executor.set_changes(Arc::new([change]))) {
            ("gdb", refused) => {
                let expected = "the compiler made no instructions for `x`, so nothing can be changed there";
                assert_eq!(refused.expect_err("it has no code").to_string(), expected);
            }
            (_, accepted) => {
                accepted.expect("it can be changed");
                assert_eq!(session.end(), "Exited(5)");
            }
        }
    });
}

#[test]
fn memory_is_allocated_and_freed() {
    on_both(REVERSE, |session| {
        session.set([
            session.insert("n->data = i", "n->next = calloc(1, sizeof *n)"),
            session.insert("n->next = list", "n->next->data = 9"),
            session.insert_if("i == 2", "list = n", "free(n->next)"),
            session.replace("n = malloc(sizeof(struct node))", "n = calloc(2, sizeof(struct node))"),
        ]);
        session.to("n->next = list");
        assert_eq!(
            session.show(),
            "list = null, n = n1, i = 1, sum = 0, n1: [{data: 1, next: n2}, {data: 0, next: null}], n2: {data: 9, next: null}",
            "{}",
            session.engine
        );
        session.to("n->next = list");
        session.to("list = n");
        assert_eq!(session.executor.state().expect("a state").nodes.iter().filter(|node| !node.live).count(), 1);
    });
}

#[test]
fn checkpoints_remember_the_way() {
    on_both(LOOP, |session| {
        session.set([session.insert_from(&["s += i"], "i < 5", "s += 10")]);
        session.to("s += i");
        let before = session.executor.checkpoint().expect("a checkpoint");
        session.go(Until::Over, "");
        let after = (session.executor.checkpoint().expect("a checkpoint"), session.show());
        assert_eq!(session.value("s"), "11", "{}", session.engine);
        for _ in 0..2 {
            assert_eq!(session.end(), "Exited(65)");
            session.executor.restore(before).expect("it goes back");
            assert_eq!(session.value("s"), "0");
            assert_eq!(session.end(), "Exited(65)", "{}", session.engine);
            session.executor.restore(after.0).expect("it goes back");
            assert_eq!(session.show(), after.1);
            // Without the change, from here.
            session.set([]);
            assert_eq!(session.end(), "Exited(25)");
            session.executor.restore(after.0).expect("it goes back");
            session.set([session.insert_from(&["s += i"], "i < 5", "s += 10")]);
        }
        session.executor.forget(before);
        assert!(session.executor.restore(before).is_err());
    });
}

#[test]
fn breakpoints_stop_in_a_patched_loop() {
    on_both(LOOP, |session| {
        session.set([session.replace("s += i", "s += 2 * i"), session.insert_from(&["s += i"], "i < 5", "s++")]);
        for s in ["0", "3", "8"] {
            assert_eq!(session.to("i++"), "i++");
            assert_eq!(session.value("s"), s, "{}", session.engine);
        }
        let counted = session.steps("s += i");
        let goal = Goal::First(session.steps("g = s"));
        let (_, counts) = session.executor.resume_counting(&goal, &counted).expect("it runs");
        assert_eq!(counts, StepCounts::from([(session.step("s += i"), 3)]), "{}", session.engine);
        assert_eq!(session.value("s"), "35", "{}", session.engine);
    });
}

#[test]
fn patched_statements_crash_as_others_do() {
    let crashes = [
        ("n->next = list", "n->next->data = 1", FaultKind::Null),
        ("n->data = i", "n->data = i / (i - i)", FaultKind::DivisionByZero),
        ("i <= 3", "n->data > 0", FaultKind::Null),
        ("list = n", "free(n), free(n)", FaultKind::DoubleFree),
        ("list = n", "free(&n->next)", FaultKind::InvalidFree),
    ];
    for (step, text, kind) in crashes {
        on_both(REVERSE, |session| {
            let start = session.executor.checkpoint().expect("a checkpoint");
            let fix = session.insert("n->next = list", "n->next = 0");
            let changes = [
                vec![fix.clone(), session.replace(step, text)],
                vec![fix.clone(), session.insert(step, text)],
                vec![fix, session.guard(step, &format!("({text}), 1"))],
            ];
            for changes in changes {
                session.executor.restore(start).expect("it goes back");
                session.set(changes);
                assert_eq!(session.end(), format!("{kind:?}"), "{}: {text}", session.engine);
                let Stop::Fault(fault) = session.executor.position() else { unreachable!() };
                assert_eq!(fault.step, Some(session.step(step)), "{}: {text}", session.engine);
                let over = session.executor.resume(&Until::Into, &BTreeSet::new());
                assert!(matches!(over, Err(ExecuteError::Over)), "{}", session.engine);
            }
        });
    }
}

#[test]
fn an_inserted_exit_ends_the_program() {
    on_both(REVERSE, |session| {
        session.set([session.insert_if("i == 2", "list = n", "exit(i + 40)")]);
        let start = session.executor.checkpoint().expect("a checkpoint");
        assert_eq!(session.end(), "Exited(42)", "{}", session.engine);
        session.executor.restore(start).expect("it goes back");
        session.set([]);
        session.to("list = reverse(list)");
    });
}

#[test]
fn an_endless_loop_made_by_a_patch_is_interrupted() {
    on_both(LOOP, |session| {
        session.set([session.replace("i++", "i = 0")]);
        for _ in 0..2 {
            let interrupter = session.executor.interrupter();
            let thread = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(150));
                interrupter.interrupt();
            });
            assert_eq!(session.end(), "Interrupted", "{}", session.engine);
            thread.join().expect("the thread ends");
            assert!(session.executor.truth("i == 0").is_err());
            session.go(Until::Into, "");
            assert!(session.executor.position().step().is_some());
        }
        session.set([]);
        assert_eq!(session.end(), "Exited(15)", "{}", session.engine);
    });
}

#[test]
fn texts_are_run_where_the_program_stands() {
    on_both(REVERSE, |session| {
        session.to("n->data = i");
        let here = session.executor.position().clone();
        let mut run = |text: &str| session.executor.execute_here(text).expect("it runs");
        for text in [
            "i = 5",
            "n->next = malloc(sizeof(struct node))",
            "n->next->data = 3",
            "n->next->next = NULL",
            "n->data = 0",
        ] {
            assert_eq!(run(text), here);
        }
        assert_eq!(session.value("i"), "5", "{}", session.engine);
        assert!(session.executor.truth("n && n->next->data == 3 && i == 5").expect("a truth"), "{}", session.engine);
        assert!(!session.executor.truth("n->next->next").expect("a truth"), "{}", session.engine);
        assert_eq!(*session.executor.position(), here);
        assert!(session.executor.execute_here("nothing = 1").is_err());
        assert_eq!(*session.executor.position(), here);
        let state = session.executor.state().expect("a state");
        let nodes: Vec<String> = state.nodes.iter().map(|node| node.value.to_string()).collect();
        assert_eq!(nodes, ["{data: 0, next: n2}", "{data: 3, next: null}"], "{}", session.engine);
        let refused = session.executor.truth("n->next->next->data == 1");
        assert!(matches!(refused, Err(ExecuteError::Over)), "{}: {refused:?}", session.engine);
        assert_eq!(session.place(), "Null", "{}", session.engine);
    });
}

#[test]
fn changes_that_cannot_be_made_are_refused() {
    on_both(LOOP, |session| {
        let mut refuse = |change: LiveChange| {
            session.executor.set_changes(Arc::new([change])).expect_err("it is refused").to_string()
        };
        let program = read_program(LOOP);
        let condition = StepId(
            program.steps.iter().position(|step| program.source.text(step.span) == "i < 5").expect("it is there")
                as u32,
        );
        let exit = program.functions[0].exit;
        assert_eq!(
            refuse(LiveChange::Replace { step: condition, text: " ".into() }),
            "`i < 5` is a condition and cannot be deleted"
        );
        assert_eq!(
            refuse(LiveChange::Guard { step: exit, condition: "1".into() }),
            "`}` is the end of a function and cannot be changed"
        );
        assert_eq!(session.end(), "Exited(15)");
    });
}
