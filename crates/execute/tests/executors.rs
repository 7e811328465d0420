//! One suite over all executors: each test is a script that is run by the
//! interpreter and under gdb, must give the same transcript on both, and the
//! one that is written down here.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use execute::gdb::GdbExecutor;
use execute::interpreter::Interpreter;
use execute::{Executor, Input, RunOptions, Stop, Until};
use expect_test::{Expect, expect};
use ir::{Program, StepId};
use memory::{Entity, NodeId, Object, Place, Root, Value};

/// An executor with a transcript of what was done to it.
struct Session {
    executor: Box<dyn Executor>,
    program: Arc<Program>,
    transcript: String,
}

impl Session {
    fn note(&mut self, text: impl std::fmt::Display) {
        let _ = writeln!(self.transcript, "{text}");
    }

    fn position(&mut self, stop: Stop) {
        let text = match stop {
            Stop::Step(step) => {
                let step = self.program.step(step);
                format!("{}: {}", step.line, self.program.source.text(step.span))
            }
            Stop::Exited(status) => format!("exited with {status}"),
            Stop::Fault(fault) => {
                let line = fault.step.map_or(0, |step| self.program.step(step).line);
                format!("{:?} at line {line}", fault.kind)
            }
            Stop::Interrupted => "interrupted".into(),
        };
        self.note(text);
    }

    fn resume(&mut self, until: Until) {
        self.resume_to(until, &BTreeSet::new());
    }

    fn resume_to(&mut self, until: Until, breakpoints: &BTreeSet<StepId>) {
        match self.executor.resume(&until, breakpoints) {
            Ok(stop) => self.position(stop),
            Err(error) => self.note(error),
        }
    }

    fn into(&mut self, times: usize) {
        (0..times).for_each(|_| self.resume(Until::Into));
    }

    fn on_line(&self, line: u32) -> BTreeSet<StepId> {
        let steps = self.program.steps.iter().enumerate().filter(|(_, step)| step.line == line);
        steps.map(|(i, _)| StepId(i as u32)).collect()
    }

    fn run_to(&mut self, line: u32) {
        self.resume_to(Until::End, &self.on_line(line));
    }

    fn decide(&mut self, taken: bool) {
        match self.executor.decide(taken) {
            Ok(stop) => self.position(stop),
            Err(error) => self.note(error),
        }
    }

    fn instead(&mut self, text: &str) {
        match self.executor.execute_instead(text) {
            Ok(stop) => self.position(stop),
            Err(_) => self.note("refused"),
        }
    }

    fn write(&mut self, entity: Entity, value: Value) {
        match self.executor.write(&entity, &value) {
            Ok(()) => self.note(format!("{entity} := {value}")),
            Err(error) => self.note(error),
        }
    }

    /// Shows nodes and the named variables of all frames.
    fn show(&mut self) {
        let state = self.executor.state().expect("a state can be read");
        for variable in state.globals.iter().chain(state.frames.iter().flat_map(|frame| &frame.variables)) {
            // What was never written only the interpreter knows.
            if variable.value != Value::Uninitialised {
                let _ = write!(self.transcript, "  {} = {}", variable.name, variable.value);
            }
        }
        self.transcript.push('\n');
        for node in &state.nodes {
            self.note(format!("  {}: {}", node.id, if node.live { node.value.to_string() } else { "freed".into() }));
        }
    }

    fn output(&mut self) {
        let output = self.executor.output().expect("output is captured");
        self.note(format!("output {:?}", String::from_utf8_lossy(&output)));
    }
}

fn program(text: &str) -> (tempfile::TempDir, Arc<Program>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("test.c");
    std::fs::write(&path, text).expect("the folder is writable");
    (folder, Arc::new(ir::load(&path).expect("the test program is C")))
}

fn shipped(name: &str) -> Arc<Program> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    Arc::new(ir::load(&root.join(name)).expect("a shipped program is C"))
}

/// Runs a script on both executors.
fn on_both(program: &Arc<Program>, options: &RunOptions, script: impl Fn(&mut Session), expected: Expect) {
    let run = |executor: Box<dyn Executor>| {
        let mut session = Session { executor, program: program.clone(), transcript: String::new() };
        script(&mut session);
        session.transcript
    };
    let interpreted = run(Box::new(Interpreter::start(program.clone(), options).expect("it starts")));
    let real = run(Box::new(GdbExecutor::start(program.clone(), options).expect("gdb starts")));
    assert_eq!(interpreted, real, "interpreter (left) and gdb (right)");
    expected.assert_eq(&interpreted);
}

fn local(frame: usize, function: &str, name: &str) -> Entity {
    Entity { root: Root::Local { frame, function: function.into(), name: name.into() }, path: String::new() }
}

fn member(node: u32, path: &str) -> Entity {
    Entity { root: Root::Node(NodeId(node)), path: path.into() }
}

fn global(name: &str) -> Entity {
    Entity { root: Root::Global(name.into()), path: String::new() }
}

fn to(node: u32) -> Value {
    Value::Pointer(Place { object: Object::Node(NodeId(node)), offset: 0, path: String::new(), inside: true })
}

#[test]
fn steps_go_into_over_and_out_of_calls() {
    let script = |session: &mut Session| {
        session.into(3);
        session.resume(Until::Out);
        session.resume(Until::Over);
        session.resume(Until::Over);
        session.run_to(29);
        session.show();
        session.resume(Until::End);
        session.output();
        session.resume(Until::Into);
    };
    on_both(
        &shipped("examples/reverse.c"),
        &RunOptions::default(),
        script,
        expect![[r#"
        17: struct node *fresh = (struct node *)malloc(sizeof(struct node));
        18: fresh->data = data
        19: fresh->prev = NULL
        48: push(4)
        49: push(8)
        50: push(10)
        29: temp1 != NULL
          head = n4  current = n4  temp1 = null  temp2 = null
          n1: {data: 2, next: null, prev: n2}
          n2: {data: 4, next: n1, prev: n3}
          n3: {data: 8, next: n2, prev: n4}
          n4: {data: 10, next: n3, prev: null}
        exited with 0
        output "10 8 4 2 \n"
        the program is over; start it again, or go back
    "#]],
    );
}

#[test]
fn over_goes_to_the_next_statement_of_this_function_or_a_caller() {
    let text = r#"
#include <stdlib.h>
int f(int x) {
    return x + 1;
}
int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}
int fact(int n) {
    if (n < 2)
        return 1;
    return n * fact(n - 1);
}
int main(void) {
    int a[3] = { 3, 1, 2 };
    int s = f(1) + f(2);
    qsort(a, 3, sizeof a[0], compare);
    s += fact(5);
    return s + a[0];
}
"#;
    let (_folder, program) = program(text);
    let script = |session: &mut Session| {
        session.into(2);
        (0..3).for_each(|_| session.resume(Until::Over));
        session.into(1);
        session.show();
        session.run_to(12);
        session.into(2);
        session.resume(Until::Out);
        (0..4).for_each(|_| session.resume(Until::Over));
    };
    on_both(
        &program,
        &RunOptions::default(),
        script,
        expect![[r#"
            16: int s = f(1) + f(2);
            4: return x + 1
            5: }
            17: qsort(a, 3, sizeof a[0], compare)
            18: s += fact(5)
            10: n < 2
              a = [1, 2, 3]  s = 5  n = 5
            12: return n * fact(n - 1)
            10: n < 2
            12: return n * fact(n - 1)
            13: }
            19: return s + a[0]
            20: }
            exited with 126
            the program is over; start it again, or go back
        "#]],
    );
}

#[test]
fn states_can_be_corrected_and_decisions_forced() {
    let script = |session: &mut Session| {
        session.run_to(29);
        session.decide(true);
        session.into(5);
        session.write(local(1, "reverse", "current"), to(3));
        session.write(member(4, ".prev"), to(3));
        session.write(member(4, ".data"), Value::Int(11));
        session.write(global("head"), Value::Null);
        session.write(global("head"), to(4));
        session.show();
        session.write(member(9, ".prev"), to(3));
        session.write(member(4, ".nxt"), to(3));
        session.write(member(4, ".data"), to(3));
        session.decide(true);
        session.into(5);
        session.decide(false);
        session.show();
        session.decide(true);
    };
    on_both(
        &shipped("examples/reverse.c"),
        &RunOptions::default(),
        script,
        expect![[r#"
        29: temp1 != NULL
        30: temp1 = current->prev
        31: temp2 = current->prev
        32: current->prev = temp2
        33: current->next = temp1
        34: current = current->prev
        29: temp1 != NULL
        reverse:current := n3
        n4.prev := n3
        n4.data := 11
        head := null
        head := n4
          head = n4  current = n3  temp1 = null  temp2 = null
          n1: {data: 2, next: null, prev: n2}
          n2: {data: 4, next: n1, prev: n3}
          n3: {data: 8, next: n2, prev: n4}
          n4: {data: 11, next: null, prev: n3}
        there is no node n9; nodes are n1–n4
        struct node has no member `nxt`; it has data, next, prev
        n3 is not a value of type `int`
        30: temp1 = current->prev
        31: temp2 = current->prev
        32: current->prev = temp2
        33: current->next = temp1
        34: current = current->prev
        29: temp1 != NULL
        37: }
          head = n4  current = n4  temp1 = n4  temp2 = n4
          n1: {data: 2, next: null, prev: n2}
          n2: {data: 4, next: n1, prev: n3}
          n3: {data: 8, next: n4, prev: n4}
          n4: {data: 11, next: null, prev: n3}
        this statement is no condition, so there is nothing to decide
    "#]],
    );
}

#[test]
fn another_statement_can_be_run_instead() {
    let script = |session: &mut Session| {
        session.run_to(27);
        session.instead("temp1 = temp2 = NULL");
        session.instead("current = head->next");
        session.show();
        session.instead("temp1 == NULL");
        session.instead("temp1 = (struct node *)malloc(sizeof(struct node));");
        session.instead("temp1->data = current->data + 100");
        session.instead("this is not C");
        session.instead("current->next = NULL");
        session.instead("temp1->prev = temp1->next = temp2");
        session.show();
    };
    on_both(
        &shipped("examples/reverse.c"),
        &RunOptions::default(),
        script,
        expect![[r#"
        27: struct node *current, *temp1 = NULL, *temp2 = NULL;
        28: current = head
        29: temp1 != NULL
          head = n4  current = n3  temp1 = null  temp2 = null
          n1: {data: 2, next: null, prev: n2}
          n2: {data: 4, next: n1, prev: n3}
          n3: {data: 8, next: n2, prev: n4}
          n4: {data: 10, next: n3, prev: null}
        30: temp1 = current->prev
        31: temp2 = current->prev
        32: current->prev = temp2
        refused
        33: current->next = temp1
        34: current = current->prev
          head = n4  current = n3  temp1 = n5  temp2 = null
          n1: {data: 2, next: null, prev: n2}
          n2: {data: 4, next: n1, prev: n3}
          n3: {data: 8, next: null, prev: n4}
          n4: {data: 10, next: n3, prev: null}
          n5: {data: 108, next: null, prev: null}
    "#]],
    );
}

#[test]
fn checkpoints_bring_back_memory_position_and_output() {
    let text = r#"
#include <stdio.h>
#include <stdlib.h>
int total;
int main(void) {
    int i, *p = malloc(4);
    for (i = 0; i < 3; i++) {
        *p = i * 10;
        total += *p;
        printf("%d\n", total);
    }
    free(p);
    return total;
}
"#;
    let (_folder, program) = program(text);
    let script = |session: &mut Session| {
        session.run_to(9);
        let first = session.executor.checkpoint().expect("a checkpoint");
        session.show();
        session.run_to(9);
        let second = session.executor.checkpoint().expect("a checkpoint");
        session.resume(Until::End);
        session.output();
        for checkpoint in [first, second, first] {
            session.executor.restore(checkpoint).expect("it is remembered");
            let position = session.executor.position().clone();
            session.position(position);
            session.show();
            session.output();
        }
        session.resume(Until::End);
        session.output();
    };
    on_both(
        &program,
        &RunOptions::default(),
        script,
        expect![[r#"
        9: total += *p
          total = 0  i = 0  p = n1
          n1: 0
        9: total += *p
        exited with 30
        output "0\n10\n30\n"
        9: total += *p
          total = 0  i = 0  p = n1
          n1: 0
        output ""
        9: total += *p
          total = 0  i = 1  p = n1
          n1: 10
        output "0\n"
        9: total += *p
          total = 0  i = 0  p = n1
          n1: 0
        output ""
        exited with 30
        output "0\n10\n30\n"
    "#]],
    );
}

#[test]
fn programs_read_arguments_and_input() {
    let text = r#"
#include <stdio.h>
int main(int argc, char **argv) {
    int a = 0, b = 0;
    char word[8];
    int n = scanf("%d %d %7s", &a, &b, word);
    printf("%d %d %d %s %s\n", n, argc, a + b, word, argv[1]);
    fprintf(stderr, "done");
    return 3;
}
"#;
    let (_folder, program) = program(text);
    let options = RunOptions {
        arguments: vec!["two words".into(), "it's \"$x\"".into()],
        input: Input::Bytes(b"4 5 six".to_vec()),
        ..RunOptions::default()
    };
    let script = |session: &mut Session| {
        session.resume(Until::End);
        session.output();
        let errors = session.executor.errors().expect("captured");
        session.note(String::from_utf8_lossy(&errors).into_owned());
    };
    on_both(
        &program,
        &options,
        script,
        expect![[r#"
        exited with 3
        output "3 3 9 six two words\n"
        done
    "#]],
    );
}

#[test]
fn crashes_are_events_and_the_state_stays() {
    let text = r#"
#include <stdlib.h>
#include <assert.h>
struct node { int data; struct node *next; };
int depth(int n) { return depth(n + 1) + 1; }
int main(int argc, char **argv) {
    struct node *p = malloc(sizeof *p), *q = NULL;
    p->data = argc;
    p->next = NULL;
    switch (argc) {
    case 1: q->data = 1;
    case 2: return 10 / (argc - 2);
    case 3: assert(p->next != NULL);
    case 4: abort();
    case 5: free(p); free(p);
    case 6: free(&p);
    case 7: depth(0);
    }
    return 0;
}
"#;
    let (_folder, program) = program(text);
    for (arguments, expected) in [
        (
            0,
            expect![[r#"
            Null at line 11
            in main, 1 nodes
            the program is over; start it again, or go back
        "#]],
        ),
        (
            1,
            expect![[r#"
            DivisionByZero at line 12
            in main, 1 nodes
            the program is over; start it again, or go back
        "#]],
        ),
        (
            2,
            expect![[r#"
            Assert at line 13
            in main, 1 nodes
            the program is over; start it again, or go back
        "#]],
        ),
        (
            3,
            expect![[r#"
            Abort at line 14
            in main, 1 nodes
            the program is over; start it again, or go back
        "#]],
        ),
        (
            4,
            expect![[r#"
            DoubleFree at line 15
            in main, 1 nodes
            the program is over; start it again, or go back
        "#]],
        ),
        (
            5,
            expect![[r#"
            InvalidFree at line 16
            in main, 1 nodes
            the program is over; start it again, or go back
        "#]],
        ),
    ] {
        let options = RunOptions { arguments: vec!["x".into(); arguments], ..RunOptions::default() };
        let script = |session: &mut Session| {
            session.resume(Until::End);
            let state = session.executor.state().expect("the state at the crash");
            let frames: Vec<&str> = state.frames.iter().map(|frame| &*frame.function).collect();
            session.note(format!("in {}, {} nodes", frames.join(" > "), state.nodes.len()));
            session.resume(Until::Into);
        };
        on_both(&program, &options, script, expected);
    }
}
