//! What a debugging session needs of an executor, the same on both of them:
//! breakpoints while stepping, forgotten moments, changed input,
//! interruptions, and ways back from every end.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use execute::gdb::GdbExecutor;
use execute::interpreter::Interpreter;
use execute::{ExecuteError, Executor, FaultKind, Goal, Input, RunOptions, StepCounts, Stop, Until};
use ir::{Program, StepId};
use memory::{Entity, Root, State, Value};

/// A program on one of the executors.
struct Session {
    engine: &'static str,
    program: Arc<Program>,
    executor: Box<dyn Executor>,
}

fn options(input: &str) -> RunOptions {
    RunOptions { input: Input::Bytes(input.into()), max_seconds: 60.0, ..RunOptions::default() }
}

/// Runs a script on both executors.
fn on_both(text: &str, options: &RunOptions, script: impl Fn(&mut Session)) {
    let program = read_program(text);
    let interpreter = Interpreter::start(program.clone(), options).expect("it starts");
    script(&mut Session { engine: "interpreter", program: program.clone(), executor: Box::new(interpreter) });
    script(&mut under_gdb(program, options));
}

fn read_program(text: &str) -> Arc<Program> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("test.c");
    std::fs::write(&path, text).expect("the folder is writable");
    Arc::new(ir::load(&path).expect("the test program is C"))
}

fn under_gdb(program: Arc<Program>, options: &RunOptions) -> Session {
    let gdb = GdbExecutor::start(program.clone(), options).expect("gdb starts");
    Session { engine: "gdb", program, executor: Box::new(gdb) }
}

impl Session {
    /// The statements with this text.
    fn steps(&self, text: &str) -> BTreeSet<StepId> {
        let steps = self.program.steps.iter().enumerate();
        let found = steps.filter(|(_, step)| self.program.source.text(step.span) == text);
        found.map(|(i, _)| StepId(i as u32)).collect()
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
        self.executor.resume(&until, &breakpoints).expect("it runs on");
        self.place()
    }

    fn state(&mut self) -> State {
        self.executor.state().expect("a state")
    }

    /// The value of a variable of the innermost call.
    fn value(&mut self, name: &str) -> i128 {
        let state = self.state();
        let frame = state.frames.last().expect("a call");
        match frame.variables.iter().find(|variable| &*variable.name == name).map(|variable| &variable.value) {
            Some(Value::Int(value)) => *value,
            other => panic!("{name} is {other:?}"),
        }
    }

    fn left(&mut self) -> Option<usize> {
        self.executor.input_left().expect("it can be asked")
    }

    /// Runs to the end until another thread interrupts it.
    fn interrupt_soon(&mut self, until: Until) {
        let interrupter = self.executor.interrupter();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(150));
            interrupter.interrupt();
        });
        let stop = self.executor.resume(&until, &BTreeSet::new()).expect("it runs on");
        assert_eq!(stop, Stop::Interrupted, "{}", self.engine);
        thread.join().expect("the thread ends");
    }
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
fn breakpoints_stop_inside_of_what_is_stepped_over() {
    on_both(RECURSION, &options(""), |session| {
        assert_eq!(session.place(), "int a = deep(3);");
        assert_eq!(session.go(Until::Over, "g = g + 1"), "g = g + 1");
        assert_eq!((session.value("n"), session.state().frames.len()), (0, 5));
        // The statement it stands at is run before it stops there again.
        assert_eq!(session.go(Until::End, "g = g + 1"), "g = g + 1");
        assert_eq!(session.value("n"), 1);
        assert_eq!(session.go(Until::Out, "return r + 1"), "return r + 1");
        assert_eq!(session.value("n"), 1);
        assert_eq!(session.go(Until::Out, ""), "g = g + 1");
        assert_eq!(session.value("n"), 2);
        assert_eq!(session.go(Until::Over, ""), "return r + 1");
        assert_eq!(session.go(Until::End, "int b = deep(0) + a;"), "int b = deep(0) + a;");
        assert_eq!(session.go(Until::Over, ""), "return b");
        assert_eq!(session.go(Until::Over, "return b"), "}");
        assert_eq!(session.go(Until::End, "return b"), "Exited(5)");
    });
}

#[test]
fn a_deeper_call_of_the_same_function_stops_too() {
    on_both(RECURSION, &options(""), |session| {
        assert_eq!(session.go(Until::End, "r = deep(n - 1)"), "r = deep(n - 1)");
        for n in [2, 1] {
            assert_eq!(session.go(Until::Over, "r = deep(n - 1)"), "r = deep(n - 1)", "{}", session.engine);
            assert_eq!(session.value("n"), n);
        }
        assert_eq!(session.go(Until::Over, "r = deep(n - 1)"), "g = g + 1");
        assert_eq!(session.value("n"), 1);
    });
}

#[test]
fn forgotten_moments_are_gone_and_others_stay() {
    on_both(RECURSION, &options(""), |session| {
        let mut moments = Vec::new();
        for _ in 0..8 {
            moments.push((session.executor.checkpoint().expect("a checkpoint"), session.state()));
            session.go(Until::Into, "");
        }
        for i in [7, 0, 3, 6] {
            session.executor.forget(moments[i].0);
        }
        let fresh = session.executor.checkpoint().expect("a checkpoint");
        assert!(moments.iter().all(|moment| moment.0 != fresh));
        for (i, (moment, state)) in moments.iter().enumerate() {
            match session.executor.restore(*moment) {
                Ok(()) => assert_eq!(session.state(), *state),
                Err(ExecuteError::NotHere(_)) => assert!([0, 3, 6, 7].contains(&i)),
                Err(error) => panic!("{error}"),
            }
        }
        session.executor.restore(fresh).expect("it is there");
    });
}

const READER: &str = r#"
#include <stdio.h>
int main(void) {
    char line[20];
    int x = 0, c = 0, total = 0;
    scanf("%d", &x);
    c = getchar();
    c = getchar();
    ungetc('7', stdin);
    fgets(line, sizeof line, stdin);
    while (scanf("%d", &x) == 1)
        total += x;
    return total;
}
"#;

/// gdb stands at the same place in a later round when it is taken back: it must
/// not run the statement twice.
#[test]
fn a_return_to_an_earlier_round_goes_on_from_there() {
    let text = "int main(void) { int i, sum = 0; for (i = 0; i < 9; i++) sum += i; return sum; }";
    on_both(text, &options(""), |session| {
        session.go(Until::End, "sum += i");
        let first = session.executor.checkpoint().expect("a checkpoint");
        for _ in 0..3 {
            session.go(Until::End, "sum += i");
            session.executor.restore(first).expect("it goes back");
            assert_eq!((session.place(), session.value("i")), ("sum += i".into(), 0));
            assert_eq!((session.go(Until::Over, ""), session.value("i")), ("i++".into(), 0), "{}", session.engine);
            session.executor.restore(first).expect("it goes back");
        }
    });
}

#[test]
fn visits_are_counted() {
    let text = "int main(void) { int i, s = 0; for (i = 0; i < 9; i++) { if (i % 2) continue; s += i; } return s; }";
    on_both(text, &options(""), |session| {
        let start = session.executor.checkpoint().expect("a checkpoint");
        let (add, test) = (session.steps("s += i"), session.steps("i % 2"));
        let counted: BTreeSet<StepId> = add.union(&test).copied().collect();
        let goal = Goal::First(session.steps("return s"));
        let (_, counts) = session.executor.resume_counting(&goal, &counted).expect("it runs");
        assert_eq!(session.place(), "return s");
        let (add, test) = (*add.first().expect("a step"), *test.first().expect("a step"));
        assert_eq!(counts, StepCounts::from([(add, 5), (test, 9)]), "{}", session.engine);
        // The last of these comes in the seventh round; the visit that ends it is not counted.
        session.executor.restore(start).expect("it goes back");
        let goal = Goal::Times(StepCounts::from([(add, 3), (test, 7)]));
        let (_, counts) = session.executor.resume_counting(&goal, &counted).expect("it runs");
        assert_eq!((session.place(), session.value("i")), ("i % 2".into(), 6), "{}", session.engine);
        assert_eq!(counts, StepCounts::from([(add, 3), (test, 6)]), "{}", session.engine);
        assert_eq!((session.go(Until::Over, ""), session.value("i")), ("s += i".into(), 6), "{}", session.engine);
        // What never comes so often is looked for to the end.
        let goal = Goal::Times(StepCounts::from([(add, 100)]));
        session.executor.resume_counting(&goal, &counted).expect("it runs");
        assert_eq!(session.place(), "Exited(20)", "{}", session.engine);
    });
}

#[test]
fn a_changed_constant_comes_back() {
    let text = "int main(void) { static const int table[] = {1, 2, 3}; int x = 0; x = table[1]; return x; }";
    on_both(text, &options(""), |session| {
        let before = session.executor.checkpoint().expect("a checkpoint");
        let local = Root::Local { frame: 0, function: "main".into(), name: "table".into() };
        let entity = Entity { root: local, path: "[1]".into() };
        session.executor.write(&entity, &Value::Int(7)).expect("it is written");
        let changed = session.executor.checkpoint().expect("a checkpoint");
        session.executor.restore(before).expect("it goes back");
        session.go(Until::Over, "");
        session.go(Until::Over, "");
        assert_eq!(session.value("x"), 2, "{}", session.engine);
        session.executor.restore(changed).expect("it goes back");
        session.go(Until::Over, "");
        session.go(Until::Over, "");
        assert_eq!(session.value("x"), 7, "{}", session.engine);
    });
}

#[test]
fn what_is_left_of_the_input_is_known() {
    on_both(READER, &options("12\nab\n5 6\n"), |session| {
        let mut left = vec![session.left()];
        for _ in 0..20 {
            if session.executor.position().step().is_none() {
                break;
            }
            session.go(Until::Into, "");
            if session.left() != left[left.len() - 1] {
                left.push(session.left());
            }
        }
        assert_eq!(left, [10, 8, 7, 6, 7, 4, 3, 1, 0].map(Some), "{}", session.engine);
        assert_eq!(session.place(), "Exited(11)");
    });
}

#[test]
fn the_input_can_be_changed() {
    on_both(READER, &options("12\nab\n5 6\n"), |session| {
        let start = session.executor.checkpoint().expect("a checkpoint");
        session.go(Until::End, "c = getchar()");
        assert_eq!((session.value("x"), session.left()), (12, Some(8)));
        let middle = session.executor.checkpoint().expect("a checkpoint");
        // What was read ahead is read again from the new text.
        session.executor.set_input(b"99-xy\n20 30 50").expect("it takes it");
        assert_eq!(session.left(), Some(12));
        session.go(Until::Over, "");
        assert_eq!(session.value("c"), i128::from(b'-'));
        assert_eq!(session.go(Until::End, ""), "Exited(100)");
        // The position is that of the moment, the text the last one.
        session.executor.restore(middle).expect("it goes back");
        assert_eq!((session.value("x"), session.left()), (12, Some(12)));
        assert_eq!(session.go(Until::End, ""), "Exited(100)");
        session.executor.restore(start).expect("it goes back");
        session.executor.set_input(b"1").expect("it takes it");
        assert_eq!(session.left(), Some(1));
        assert_eq!(session.go(Until::End, ""), "Exited(0)");
        assert_eq!(session.left(), Some(0));
    });
}

#[test]
fn the_input_from_a_file_is_counted_but_not_changed() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "12\nab\n5 6\n").expect("it is written");
    let options = RunOptions { input: Input::File(file.path().into()), ..options("") };
    on_both(READER, &options, |session| {
        session.go(Until::End, "c = getchar()");
        assert_eq!(session.left(), Some(8));
        let refused = session.executor.set_input(b"1");
        assert!(matches!(refused, Err(ExecuteError::NotHere(why)) if why.contains("comes from the file")));
    });
}

#[test]
fn an_endless_loop_can_be_interrupted_remembered_and_stepped() {
    let text = "int main(void) { unsigned long x = 0; while (1) { x = x + 1; } }";
    on_both(text, &options(""), |session| {
        for _ in 0..3 {
            session.interrupt_soon(Until::End);
            let interrupted = session.executor.checkpoint().expect("a checkpoint");
            let state = session.state();
            assert_eq!(session.go(Until::Into, ""), "x = x + 1");
            let here = session.executor.checkpoint().expect("a checkpoint");
            let x = session.value("x");
            assert_eq!(session.go(Until::Into, ""), "x = x + 1");
            assert_eq!(session.value("x"), x + 1);
            session.executor.restore(here).expect("it goes back");
            assert_eq!((session.place().as_str(), session.value("x")), ("x = x + 1", x));
            session.executor.restore(interrupted).expect("it goes back");
            assert_eq!((session.place().as_str(), session.state()), ("Interrupted", state));
            assert_eq!(session.go(Until::Into, ""), "x = x + 1");
            assert_eq!(session.value("x"), x);
        }
    });
}

#[test]
fn a_loop_without_statements_can_be_interrupted() {
    on_both("int main(void) { int x; x = 7; for (;;) ; }", &options(""), |session| {
        session.interrupt_soon(Until::End);
        let here = session.executor.checkpoint().expect("a checkpoint");
        session.interrupt_soon(Until::Into);
        assert_eq!(session.value("x"), 7);
        session.executor.restore(here).expect("it goes back");
        session.interrupt_soon(Until::Over);
        assert_eq!(session.value("x"), 7);
    });
}

#[test]
fn floating_values_survive_a_return_to_an_interruption() {
    let text = "
double add(double a, double b) { return a + b; }
int main(void) {
    double s = 0;
    while (s < 1e7)
        s = add(s * 1.0, 1.0) * 1.0;
    return s == 1e7;
}
";
    let options = options("");
    on_both(text, &options, |session| {
        for _ in 0..4 {
            let interrupter = session.executor.interrupter();
            let thread = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(7));
                interrupter.interrupt();
            });
            let stop = session.executor.resume(&Until::End, &BTreeSet::new()).expect("it runs on");
            thread.join().expect("the thread ends");
            if stop != Stop::Interrupted {
                break;
            }
            let here = session.executor.checkpoint().expect("a checkpoint");
            (0..9).for_each(|_| drop(session.go(Until::Into, "")));
            session.executor.restore(here).expect("it goes back");
        }
        while *session.executor.position() == Stop::Interrupted {
            session.go(Until::End, "");
        }
        assert_eq!(session.place(), "Exited(1)", "{}", session.engine);
    });
}

/// The end of a program, and what a way back to before it must show.
fn there_and_back(text: &str, end: &str) {
    let options = RunOptions { max_depth: 2000, ..options("5 6 7") };
    on_both(text, &options, |session| {
        let start = (session.executor.checkpoint().expect("a checkpoint"), session.state());
        session.go(Until::Into, "");
        session.go(Until::Into, "");
        let middle = (session.executor.checkpoint().expect("a checkpoint"), session.state());
        assert_eq!(session.go(Until::End, ""), end, "{}", session.engine);
        let position = session.executor.position().clone();
        let last = (session.executor.checkpoint().expect("a checkpoint"), session.state());
        let output = session.executor.output().expect("its output");
        for round in 0..20 {
            let (moment, state) = if round % 2 == 0 { &middle } else { &start };
            session.executor.restore(*moment).expect("it goes back");
            assert!(session.state() == *state, "{}, round {round}", session.engine);
            if round % 3 == 0 {
                session.executor.restore(last.0).expect("it goes to the end");
            } else {
                assert_eq!(session.go(Until::End, ""), end, "{}, round {round}", session.engine);
            }
            assert_eq!(*session.executor.position(), position, "{}, round {round}", session.engine);
            assert!(session.state() == last.1, "{}, round {round}", session.engine);
            assert_eq!(session.executor.output().expect("its output"), output);
            let over = session.executor.resume(&Until::Into, &BTreeSet::new());
            assert!(matches!(over, Err(ExecuteError::Over)));
        }
    });
}

fn with_end(body: &str) -> String {
    format!(
        "
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
struct node {{ int data; struct node *next; }};
int down(int n) {{ int pad[200] = {{ n }}; return n < 0 ? 0 : down(n + 1) + pad[0]; }}
int main(void) {{
    struct node *head = calloc(1, sizeof *head);
    int x = 0;
    while (scanf(\"%d\", &x) == 1) {{
        head->data += x;
        printf(\"%d\\n\", head->data);
    }}
    {body}
}}
"
    )
}

#[test]
fn a_program_comes_back_from_its_end() {
    there_and_back(&with_end("return head->data;"), "Exited(18)");
    there_and_back(&with_end("exit(3);"), "Exited(3)");
}

#[test]
fn a_program_comes_back_from_a_crash() {
    let cases = [
        ("return head->next->data;", FaultKind::Null),
        ("assert(head->data == 3); return 0;", FaultKind::Assert),
        ("free(head); free(head); return 0;", FaultKind::DoubleFree),
        ("x = 0; return head->data / x;", FaultKind::DivisionByZero),
    ];
    for (body, kind) in cases {
        there_and_back(&with_end(body), &format!("{kind:?}"));
    }
}

#[test]
fn what_calls_left_on_the_stack_comes_back() {
    let text = "
int fill(int n) { int a[40]; for (int i = 0; i < 40; i++) a[i] = n; return a[n % 40]; }
int look(void) { int a[40]; return a[7] & 63; }
int main(void) { fill(9); look(); fill(5); return look(); }
";
    let mut session = under_gdb(read_program(text), &options(""));
    session.go(Until::End, "look()");
    let here = session.executor.checkpoint().expect("a checkpoint");
    session.go(Until::End, "return a[7] & 63");
    let first = session.state();
    session.go(Until::End, "");
    session.executor.restore(here).expect("it goes back");
    session.go(Until::End, "return a[7] & 63");
    assert_eq!(session.state(), first);
}

#[test]
fn a_program_comes_back_from_a_full_stack() {
    there_and_back(&with_end("return down(1);"), "StackOverflow");
}

/// The interpreter does not wait, so only gdb is asked.
#[test]
fn a_program_that_waits_can_be_interrupted_and_waits_again() {
    let text = "
#include <unistd.h>
int main(void) {
    int ends[2];
    char c = 0;
    pipe(ends);
    sleep(2);
    write(ends[1], \"x\", 1);
    read(ends[0], &c, 1);
    read(ends[0], &c, 1);
    return c;
}
";
    let mut session = under_gdb(read_program(text), &options(""));
    let start = Instant::now();
    session.interrupt_soon(Until::End);
    assert!(start.elapsed() < Duration::from_secs(1));
    let asleep = session.executor.checkpoint().expect("a checkpoint");
    assert_eq!(session.go(Until::Over, ""), "write(ends[1], \"x\", 1)");
    assert!(start.elapsed() >= Duration::from_secs(2));
    session.executor.restore(asleep).expect("it goes back");
    let again = Instant::now();
    assert_eq!(session.go(Until::Into, ""), "write(ends[1], \"x\", 1)");
    assert!(again.elapsed() >= Duration::from_secs(1), "{:?}", again.elapsed());
    session.interrupt_soon(Until::End);
    assert_eq!(session.value("c"), i128::from(b'x'));
    session.interrupt_soon(Until::Over);
}
