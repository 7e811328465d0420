//! Writing, deciding, and running something else.

use execute::{Executor, Until};
use memory::{Entity, NodeId, Object, Place, Root, Value};

use super::Session;

const LIST: &str = "
#include <stdio.h>
#include <stdlib.h>
#define LIMIT 10
struct node { int data; struct node *next, *prev; };
struct node *head;
double ratio;
struct { unsigned low : 3; int high : 5; } bits;
char word[8];
int twice(int x) { return 2 * x; }
int main(void) {
    int total = 0, i = 0;
    for (i = 0; i < 3; i++) {
        struct node *n = calloc(1, sizeof(struct node));
        n->data = i;
        n->next = head;
        head = n;
    }
    if (total > 0)
        total = 100;
    else
        total = 200;
    while (total < 300)
        total += 50;
    total++;
    printf(\"%d\\n\", total);
    return 0;
}
";

fn global(name: &str, path: &str) -> Entity {
    Entity { root: Root::Global(name.into()), path: path.into() }
}

fn local(name: &str) -> Entity {
    Entity { root: Root::Local { frame: 0, function: "main".into(), name: name.into() }, path: String::new() }
}

fn node(id: u32, path: &str) -> Entity {
    Entity { root: Root::Node(NodeId(id)), path: path.into() }
}

fn to(id: u32) -> Value {
    Value::Pointer(Place { object: Object::Node(NodeId(id)), offset: 0, path: String::new(), inside: true })
}

#[test]
fn entities_are_written() {
    let mut session = Session::new(LIST);
    session.run_to("total > 0");
    let mut write = |entity: Entity, value: Value| session.gdb.write(&entity, &value).expect("it is written");
    write(local("total"), Value::Int(-5));
    write(global("ratio", ""), Value::Float(0.25));
    write(global("bits", ".low"), Value::Int(6));
    write(global("bits", ".high"), Value::Int(-7));
    write(global("word", "[1]"), Value::Int(98));
    write(global("word", ""), Value::Text(b"abc".to_vec()));
    write(global("head", ""), to(1));
    write(node(1, ".next"), to(3));
    write(node(3, ".prev"), to(2));
    write(node(2, ".next"), Value::Null);
    write(node(2, ".data"), Value::Int(77));
    assert_eq!(session.value("total"), "-5");
    let state = session.state();
    let globals: Vec<String> = state.globals.iter().map(|v| format!("{} = {}", v.name, v.value)).collect();
    assert_eq!(globals, ["head = n1", "ratio = 0.25", "bits = {low: 6, high: -7}", "word = \"abc\""]);
    let nodes: Vec<String> = state.nodes.iter().map(|n| n.value.to_string()).collect();
    let expected =
        ["{data: 0, next: n3, prev: null}", "{data: 77, next: null, prev: null}", "{data: 2, next: n2, prev: n2}"];
    assert_eq!(nodes, expected);
}

#[test]
fn what_cannot_be_written_says_why() {
    let mut session = Session::new(LIST);
    session.run_to("total > 0");
    let mut refusal = |entity: Entity, value: Value| session.gdb.write(&entity, &value).unwrap_err().to_string();
    let cases = [
        (node(9, ".next"), Value::Null, "there is no node n9; nodes are n1–n3"),
        (node(1, ".nxt"), Value::Null, "struct node has no member `nxt`; it has data, next, prev"),
        (local("sum"), Value::Int(1), "main has no variable `sum` here; it has total, i"),
        (global("tail", ""), Value::Null, "there is no global variable `tail`; there are head, ratio, bits, word"),
        (global("word", "[9]"), Value::Int(1), "`char [8]` has no [9]"),
        (global("bits", ".low"), Value::Int(8), "8 does not fit in 3 bits of `unsigned int` (0 to 7)"),
        (local("total"), Value::Null, "null is not a value of type `int`"),
        (node(1, ".next"), to(12), "there is no node n12; nodes are n1–n3"),
    ];
    for (entity, value, expected) in cases {
        assert_eq!(refusal(entity, value), expected);
    }
}

#[test]
fn decisions_are_taken_without_the_condition() {
    let mut session = Session::new(LIST);
    session.run_to("total > 0");
    session.gdb.decide(true).expect("it goes there");
    assert_eq!((session.place(), session.value("total")), ("total = 100".into(), "0".into()));
    assert_eq!(session.go(&Until::Into), "total < 300");
    assert_eq!(session.value("total"), "100");
    session.gdb.decide(false).expect("it leaves the loop");
    assert_eq!(session.place(), "total++");
    assert!(session.gdb.decide(true).unwrap_err().to_string().contains("no condition"));
    assert_eq!(session.go(&Until::End), "Exited(0)");
    assert_eq!(session.output(), "101\n");
}

#[test]
fn a_loop_can_be_entered_again_and_again() {
    let mut session = Session::new(LIST);
    session.run_to("total < 300");
    for _ in 0..5 {
        session.gdb.decide(true).expect("it enters");
        assert_eq!(session.place(), "total += 50");
        assert_eq!(session.go(&Until::Over), "total < 300");
    }
    assert_eq!(session.value("total"), "450");
    assert_eq!(session.go(&Until::Over), "total++");
}

#[test]
fn other_statements_are_run() {
    let mut session = Session::new(LIST);
    session.run_to("n->data = i");
    let instead = |session: &mut Session, text: &str| {
        session.gdb.execute_instead(text).expect("it runs");
        session.place()
    };
    assert_eq!(instead(&mut session, "n->data = twice(21) + LIMIT;"), "n->next = head");
    assert_eq!(instead(&mut session, "n->next = (struct node *)malloc(sizeof(struct node))"), "head = n");
    assert_eq!(instead(&mut session, "head = (n->prev = NULL, n)"), "i++");
    let state = session.state();
    assert_eq!(state.nodes.len(), 2);
    assert_eq!(state.nodes[0].value.to_string(), "{data: 52, next: n2, prev: null}");
    session.run_to("total = 200");
    assert_eq!(instead(&mut session, "printf(\"%s\\n\", \"hello\")"), "total < 300");
    assert_eq!(session.output(), "hello\n");
    session.run_to("total++");
    assert_eq!(instead(&mut session, ""), "printf(\"%d\\n\", total)");
    let refused = session.gdb.execute_instead("nothing = 1;").unwrap_err().to_string();
    assert!(refused.starts_with("`nothing = 1` cannot be run here: No symbol \"nothing\""), "{refused}");
    assert_eq!(session.go(&Until::End), "Exited(0)");
}
