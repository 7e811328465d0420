//! How fast it is. The limits are wide, for busy machines; the figures are printed.

use std::time::{Duration, Instant};

use execute::{Executor, Until};

use super::Session;

fn list(nodes: u32) -> String {
    format!(
        "
#include <stdlib.h>
struct node {{ int data; struct node *next; }};
int main(void) {{
    struct node *head = NULL;
    int steps = 0;
    for (int i = 0; i < {nodes}; i++) {{
        struct node *n = malloc(sizeof *n);
        n->data = i; n->next = head; head = n;
    }}
    while (1) {{ steps++; head->data = steps; }}
}}
"
    )
}

fn at_loop(nodes: u32) -> Session {
    let mut session = Session::new(&list(nodes));
    let program = session.program.clone();
    let at = program.steps.iter().position(|step| program.source.text(step.span) == "steps++");
    let stops = [ir::StepId(at.expect("a step") as u32)].into();
    session.go_to(&Until::End, &stops);
    session
}

#[test]
fn steps_with_states_are_fast() {
    let mut session = at_loop(100);
    let (start, mut steps) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_millis(500) {
        session.go(&Until::Into);
        assert_eq!(session.state().nodes.len(), 100);
        steps += 1;
    }
    let rate = f64::from(steps) / start.elapsed().as_secs_f64();
    println!("{rate:.0} steps with 100 nodes per second");
    assert!(rate > 100.0);
}

#[test]
fn large_heaps_are_read_fast() {
    let mut session = at_loop(10_000);
    session.state();
    session.go(&Until::Into);
    let start = Instant::now();
    assert_eq!(session.state().nodes.len(), 10_000);
    let first = start.elapsed();
    let start = Instant::now();
    let id = session.gdb.checkpoint().expect("a checkpoint");
    let checkpoint = start.elapsed();
    session.go(&Until::Into);
    let start = Instant::now();
    session.gdb.restore(id).expect("it goes back");
    println!("10,000 nodes: state {first:?}, checkpoint {checkpoint:?}, restore {:?}", start.elapsed());
    assert!(first < Duration::from_millis(500));
}

#[test]
fn it_starts_fast() {
    let program = super::read_program("test.c", &list(10));
    let start = Instant::now();
    let gdb = execute::gdb::GdbExecutor::start(program, &super::options()).expect("a running program");
    println!("started in {:?}", start.elapsed());
    drop(gdb);
    assert!(start.elapsed() < Duration::from_secs(5));
}
