//! Going back.

use std::collections::BTreeSet;

use execute::{CheckpointId, Executor, Input, RunOptions, Stop, Until};
use memory::State;

use super::{Session, compilers, options};

const READER: &str = "
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
int main(void) {
    struct node *head = NULL;
    int x;
    while (scanf(\"%d\", &x) == 1) {
        struct node *n = calloc(1, sizeof *n);
        n->data += x;
        n->next = head;
        head = n;
        printf(\"%d,\", x);
        if (x == 13) {
            free(head);
            free(n);
        }
    }
    return 7;
}
";

/// Runs to the end and remembers every statement.
fn remember_all(session: &mut Session) -> Vec<(CheckpointId, String, State, String)> {
    let mut moments = Vec::new();
    loop {
        let id = session.gdb.checkpoint().expect("a checkpoint");
        moments.push((id, session.place(), session.state(), session.output()));
        if session.gdb.position().step().is_none() {
            return moments;
        }
        session.go(&Until::Into);
    }
}

fn check_all(input: &str, end: &str) {
    let options = RunOptions { input: Input::Bytes(input.into()), ..options() };
    let mut session = Session::with(READER, &options, &compilers()[0]);
    let moments = remember_all(&mut session);
    assert!(moments.len() >= 50, "{}", moments.len());
    assert_eq!(moments.last().expect("an end").1, end);
    // In an order that jumps about, and each goes on as it did before.
    for i in 0..moments.len() {
        let i = i * 37 % moments.len();
        let (id, place, state, output) = &moments[i];
        session.gdb.restore(*id).expect("it goes back");
        assert_eq!((&session.place(), &session.output()), (place, output));
        assert_eq!(&session.state(), state);
        if let Some((_, place, state, output)) = moments.get(i + 1) {
            session.go(&Until::Into);
            assert_eq!((&session.place(), &session.output()), (place, output));
            assert_eq!(&session.state(), state);
        }
    }
    session.gdb.restore(moments[0].0).expect("it goes back");
    assert_eq!(session.go(&Until::End), end);
    assert_eq!(session.output(), moments.last().expect("an end").3);
}

#[test]
fn every_moment_comes_back_after_the_end() {
    check_all("1 2 3 4 5 6 7 8", "Exited(7)");
}

#[test]
fn every_moment_comes_back_after_a_crash() {
    check_all("1 2 3 4 5 6 7 13 9", "DoubleFree");
}

#[test]
fn another_way_can_be_taken_from_a_checkpoint() {
    let options = RunOptions { input: Input::Bytes(b"1 2 3".to_vec()), ..options() };
    let mut session = Session::with(READER, &options, &compilers()[0]);
    session.run_to("x == 13");
    let here = session.gdb.checkpoint().expect("a checkpoint");
    session.gdb.decide(true).expect("it enters");
    assert_eq!(session.go(&Until::End), "DoubleFree");
    session.gdb.restore(here).expect("it goes back");
    assert_eq!(session.go(&Until::End), "Exited(7)");
    assert_eq!(session.output(), "1,2,3,");
    assert!(session.gdb.restore(CheckpointId(9)).is_err());
}

#[test]
fn an_interruption_can_be_remembered() {
    let text = "int main(void) { volatile int n = 0; while (n < 2000000000) n++; return 3; }";
    let options = RunOptions { max_seconds: 0.2, ..options() };
    let mut session = Session::with(text, &options, &compilers()[0]);
    assert_eq!(session.gdb.resume(&Until::End, &BTreeSet::new()).expect("a stop"), Stop::Interrupted);
    let (id, n) = (session.gdb.checkpoint().expect("a checkpoint"), session.value("n"));
    assert_eq!(session.gdb.resume(&Until::End, &BTreeSet::new()).expect("a stop"), Stop::Interrupted);
    assert_ne!(session.value("n"), n);
    session.gdb.restore(id).expect("it goes back");
    assert_eq!(session.value("n"), n);
    assert!(matches!(session.gdb.resume(&Until::Into, &BTreeSet::new()).expect("a stop"), Stop::Step(_)));
}
