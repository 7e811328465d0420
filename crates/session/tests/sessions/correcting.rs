//! Forcing, correcting and asserting, on both engines.

use crate::common::transcript;
use expect_test::expect;

const REVERSE: &str = include_str!("../../../../examples/reverse.c");

#[test]
fn loops_are_forced() {
    let told = transcript(
        REVERSE,
        &[
            "start",
            "break reverse",
            "continue",
            "enter",
            "leave",
            "back 2",
            "enter",
            "next; next",
            "enter",
            "flip",
            "flip",
        ],
    );
    expect![[r#"
        (start)
          47 main: push(2)
        (break reverse)
          breakpoint 1 at line 27: struct node *current, *temp1 = NULL, *temp2 = NULL;
          47 main: push(2)
        (continue)
          breakpoint 1
          · head: null -> n4
          · reverse(): new, …
          · n1: new, {data: 2, next: null, prev: n2}
          · n2: new, {data: 4, next: n1, prev: n3}
          · n3: new, {data: 8, next: n2, prev: n4}
          · n4: new, {data: 10, next: n3, prev: null}
          27 reverse: struct node *current, *temp1 = NULL, *temp2 = NULL;
        (enter)
          · reverse:current: new, n4
          · reverse:temp1: new, null
          · reverse:temp2: new, null
          30 reverse: temp1 = current->prev
        (leave)
          · reverse:current: n4 -> null
          · n4.next: n3 -> null
          37 reverse: }
        (back 2)
          · reverse:current: null -> n4
          34 reverse: current = current->prev
        (enter)
          · reverse:current: n4 -> null
          30 reverse: temp1 = current->prev
        (next)
          crashed: Null at temp1 = current->prev
        (next)
          error: the program has crashed; `back` goes back, `start` runs it again
          crashed: Null at temp1 = current->prev
        (enter)
          error: the program has crashed, there is no condition ahead; `back` goes back
          crashed: Null at temp1 = current->prev
        (flip)
          error: the program has crashed, there is no condition ahead; `back` goes back
          crashed: Null at temp1 = current->prev
        (flip)
          error: the program has crashed, there is no condition ahead; `back` goes back
          crashed: Null at temp1 = current->prev
    "#]]
    .assert_eq(&told);
}

#[test]
fn the_state_is_changed_in_many_ways() {
    let told = transcript(
        REVERSE,
        &[
            "start",
            "break 29",
            "continue",
            "change current n3",
            "change n4->prev n3",
            "change n4 -> prev n2",
            "change n4.prev null",
            "change current -> n2",
            "change n4.data = 7 + 1",
            "change n4->data n3->data",
            "change head head->next->next",
            "change n3->data -1",
            "change temp2 0",
        ],
    );
    expect![[r#"
        (start)
          47 main: push(2)
        (break 29)
          breakpoint 1 at line 29: while (temp1 != NULL)
          47 main: push(2)
        (continue)
          breakpoint 1
          · head: null -> n4
          · reverse(): new, …
          · n1: new, {data: 2, next: null, prev: n2}
          · n2: new, {data: 4, next: n1, prev: n3}
          · n3: new, {data: 8, next: n2, prev: n4}
          · n4: new, {data: 10, next: n3, prev: null}
          29 reverse: while (temp1 != NULL)
        (change current n3)
          current: n4 -> n3
          · reverse:current: n4 -> n3
          29 reverse: while (temp1 != NULL)
        (change n4->prev n3)
          n4.prev: null -> n3
          · n4.prev: null -> n3
          29 reverse: while (temp1 != NULL)
        (change n4 -> prev n2)
          n4.prev: n3 -> n2
          · n4.prev: n3 -> n2
          29 reverse: while (temp1 != NULL)
        (change n4.prev null)
          n4.prev: n2 -> null
          · n4.prev: n2 -> null
          29 reverse: while (temp1 != NULL)
        (change current -> n2)
          current: n3 -> n2
          · reverse:current: n3 -> n2
          29 reverse: while (temp1 != NULL)
        (change n4.data = 7 + 1)
          n4.data: 10 -> 8
          · n4.data: 10 -> 8
          29 reverse: while (temp1 != NULL)
        (change n4->data n3->data)
          n4.data is 8 already
          29 reverse: while (temp1 != NULL)
        (change head head->next->next)
          head: n4 -> n2
          · head: n4 -> n2
          29 reverse: while (temp1 != NULL)
        (change n3->data -1)
          n3.data: 8 -> -1
          · n3.data: 8 -> -1
          29 reverse: while (temp1 != NULL)
        (change temp2 0)
          temp2 is null already
          29 reverse: while (temp1 != NULL)
    "#]]
    .assert_eq(&told);
}

#[test]
fn wrong_changes_are_explained() {
    let told = transcript(
        REVERSE,
        &[
            "start",
            "break 29",
            "continue",
            "change",
            "change current",
            "change curent n3",
            "change current n9",
            "change n9->prev n3",
            "change n4->prv n3",
            "change n4->data n3",
            "change current 5",
            "change n4 n3",
            "change current n3 n2",
            "change main:x 3",
            "change current = ",
            "change head->next->next->next->next n1",
            "change head->next->next->next->next->next n1",
            "change current->next",
        ],
    );
    expect![[r#"
        (start)
          47 main: push(2)
        (break 29)
          breakpoint 1 at line 29: while (temp1 != NULL)
          47 main: push(2)
        (continue)
          breakpoint 1
          · head: null -> n4
          · reverse(): new, …
          · n1: new, {data: 2, next: null, prev: n2}
          · n2: new, {data: 4, next: n1, prev: n3}
          · n3: new, {data: 8, next: n2, prev: n4}
          · n4: new, {data: 10, next: n3, prev: null}
          29 reverse: while (temp1 != NULL)
        (change)
          error: change what? For example: change current n3
          29 reverse: while (temp1 != NULL)
        (change current)
          error: change current to what? For example: change current null
          29 reverse: while (temp1 != NULL)
        (change curent n3)
          error: there is no `curent` here, did you mean `current`? reverse has current, temp1, temp2; globals are head
            curent
            ^^^^^^
          29 reverse: while (temp1 != NULL)
        (change current n9)
          error: there is no node n9; nodes are n1–n4
            n9
            ^^
          29 reverse: while (temp1 != NULL)
        (change n9->prev n3)
          error: there is no node n9; nodes are n1–n4
            n9->prev
            ^^
          29 reverse: while (temp1 != NULL)
        (change n4->prv n3)
          error: `struct node` has no member `prv`, did you mean `prev`? It has data, next, prev
            n4->prv
                ^^^
          29 reverse: while (temp1 != NULL)
        (change n4->data n3)
          error: n4.data is of type `int`; give it a number, not n3
          29 reverse: while (temp1 != NULL)
        (change current 5)
          error: current is of type `struct node *`; give it a node, null or another pointer, not 5
          29 reverse: while (temp1 != NULL)
        (change n4 n3)
          error: n4 has parts; name one of them, as in n4.data
          29 reverse: while (temp1 != NULL)
        (change current n3 n2)
          error: `n2` is not expected here: the expression ends before it
            n3 n2
               ^^
          29 reverse: while (temp1 != NULL)
        (change main:x 3)
          error: main has no variable `x` here
            main:x
            ^^^^^^
          29 reverse: while (temp1 != NULL)
        (change current =)
          error: change current to what? For example: change current null
          29 reverse: while (temp1 != NULL)
        (change head->next->next->next->next n1)
          n1.next: null -> n1
          · n1.next: null -> n1
          29 reverse: while (temp1 != NULL)
        (change head->next->next->next->next->next n1)
          n1.next is n1 already
          29 reverse: while (temp1 != NULL)
        (change current->next)
          error: change current->next to what? For example: change current->next null
          29 reverse: while (temp1 != NULL)
    "#]]
    .assert_eq(&told);
}

#[test]
fn states_are_asserted_and_resumed() {
    let told = transcript(
        REVERSE,
        &[
            "spec",
            "start",
            "break 29",
            "continue",
            "spec",
            "enter; next 5",
            "change current n3; change n4->prev n3",
            "spec",
            "spec n3->data == 8",
            "spec n3->data > 9",
            "spec n3->data",
            "spec n3 = n4",
            "checkpoints",
            "info specification",
            "resume 0",
            "leave",
            "info spec",
            "spec",
            "checkpoints",
            "resume 1",
            "back",
            "undo",
            "undo",
            "resume 9",
        ],
    );
    expect![[r#"
        (spec)
          error: the program is not running; type `start`
        (start)
          47 main: push(2)
        (break 29)
          breakpoint 1 at line 29: while (temp1 != NULL)
          47 main: push(2)
        (continue)
          breakpoint 1
          · head: null -> n4
          · reverse(): new, …
          · n1: new, {data: 2, next: null, prev: n2}
          · n2: new, {data: 4, next: n1, prev: n3}
          · n3: new, {data: 8, next: n2, prev: n4}
          · n4: new, {data: 10, next: n3, prev: null}
          29 reverse: while (temp1 != NULL)
        (spec)
          Program states added - Checkpoint 0
          not asserted, as nothing reads it from here on: temp2
          29 reverse: while (temp1 != NULL)
        (enter)
          30 reverse: temp1 = current->prev
        (next 5)
          · reverse:current: n4 -> null
          · n4.next: n3 -> null
          29 reverse: while (temp1 != NULL)
        (change current n3)
          current: null -> n3
          · reverse:current: null -> n3
          29 reverse: while (temp1 != NULL)
        (change n4->prev n3)
          n4.prev: null -> n3
          · n4.prev: null -> n3
          29 reverse: while (temp1 != NULL)
        (spec)
          Program states added - Checkpoint 1
          not asserted, as nothing reads it from here on: temp2
          29 reverse: while (temp1 != NULL)
        (spec n3->data == 8)
          Program states added - Checkpoint 2: n3.data == 8
          29 reverse: while (temp1 != NULL)
        (spec n3->data > 9)
          Program states added - Checkpoint 3: n3.data > 9
          this is not so now, it is 8; `change` would make it so in the running program
          29 reverse: while (temp1 != NULL)
        (spec n3->data)
          error: `n3->data` is no fact; write for example: spec n4->prev == n3
          29 reverse: while (temp1 != NULL)
        (spec n3 = n4)
          error: n3 has parts; name one of them, as in n3.data
          29 reverse: while (temp1 != NULL)
        (checkpoints)
          0  line 29: while (temp1 != NULL)  (15 facts)
          └─ 1  line 29: while (temp1 != NULL)  (15 facts)
             └─ 2  line 29: while (temp1 != NULL)  (n3.data == 8)
                └─ 3  line 29: while (temp1 != NULL)  (n3.data > 9)  ◀ here
          29 reverse: while (temp1 != NULL)
        (info specification)
          asserted: checkpoint 0  line 29: while (temp1 != NULL)  (15 facts)
          forced: line 29: while (temp1 != NULL) is taken
          asserted: checkpoint 1  line 29: while (temp1 != NULL)  (15 facts)
          asserted: checkpoint 2  line 29: while (temp1 != NULL)  (n3.data == 8)
          asserted: checkpoint 3  line 29: while (temp1 != NULL)  (n3.data > 9)
          29 reverse: while (temp1 != NULL)
        (resume 0)
          Program resumed at checkpoint 0
          · reverse:current: n3 -> n4
          · n4.next: null -> n3
          · n4.prev: n3 -> null
          29 reverse: while (temp1 != NULL)
        (leave)
          37 reverse: }
        (info spec)
          asserted: checkpoint 0  line 29: while (temp1 != NULL)  (15 facts)
          forced: line 29: while (temp1 != NULL) is passed
          37 reverse: }
        (spec)
          Program states added - Checkpoint 4
          not asserted, as nothing reads it from here on: current, temp1, temp2
          37 reverse: }
        (checkpoints)
          0  line 29: while (temp1 != NULL)  (15 facts)
          ├─ 1  line 29: while (temp1 != NULL)  (15 facts)
          │  └─ 2  line 29: while (temp1 != NULL)  (n3.data == 8)
          │     └─ 3  line 29: while (temp1 != NULL)  (n3.data > 9)
          └─ 4  line 37: }  (13 facts)  ◀ here
          37 reverse: }
        (resume 1)
          Program resumed at checkpoint 1
          · reverse:current: n4 -> n3
          · n4.next: n3 -> null
          · n4.prev: null -> n3
          29 reverse: while (temp1 != NULL)
        (back)
          checkpoints 1, 2, 3 lie ahead; `resume 1` returns there
          · reverse:current: n3 -> n4
          · n4.prev: n3 -> null
          34 reverse: current = current->prev
        (undo)
          took back `back`
          · reverse:current: n4 -> n3
          · n4.prev: null -> n3
          29 reverse: while (temp1 != NULL)
        (undo)
          took back `resume 1`
          · reverse:current: n3 -> n4
          · n4.next: null -> n3
          · n4.prev: n3 -> null
          37 reverse: }
        (resume 9)
          error: there is no checkpoint 9; there are 0 to 4
          37 reverse: }
    "#]]
    .assert_eq(&told);
}

#[test]
fn what_is_tracked_can_be_chosen() {
    let told = transcript(
        REVERSE,
        &[
            "start",
            "break 29",
            "continue",
            "track",
            "untrack data",
            "track +temp2 -head",
            "track n4.data",
            "track",
            "untrack nothing",
            "track reverse:temp1 push:fresh push:nothing",
            "untrack all",
            "spec",
            "undo",
            "track",
            "concrete 5",
            "concrete 30,32-33",
            "concrete",
            "undo",
            "concrete",
        ],
    );
    expect![[r#"
        (start)
          47 main: push(2)
        (break 29)
          breakpoint 1 at line 29: while (temp1 != NULL)
          47 main: push(2)
        (continue)
          breakpoint 1
          · head: null -> n4
          · reverse(): new, …
          · n1: new, {data: 2, next: null, prev: n2}
          · n2: new, {data: 4, next: n1, prev: n3}
          · n3: new, {data: 8, next: n2, prev: n4}
          · n4: new, {data: 10, next: n3, prev: null}
          29 reverse: while (temp1 != NULL)
        (track)
          `spec` would assert: head, reverse:current, reverse:temp1, n1.data, n1.next, n1.prev, n2.data, n2.next, n2.prev, n3.data, n3.next, n3.prev, n4.data, n4.next, n4.prev
          and would not: reverse:temp2
          29 reverse: while (temp1 != NULL)
        (untrack data)
          29 reverse: while (temp1 != NULL)
        (track +temp2 -head)
          29 reverse: while (temp1 != NULL)
        (track n4.data)
          29 reverse: while (temp1 != NULL)
        (track)
          rules: -.data +reverse:temp2 -head +n4.data
          `spec` would assert: reverse:current, reverse:temp1, reverse:temp2, n1.next, n1.prev, n2.next, n2.prev, n3.next, n3.prev, n4.data, n4.next, n4.prev
          and would not: head, n1.data, n2.data, n3.data
          29 reverse: while (temp1 != NULL)
        (untrack nothing)
          error: there is no `nothing` here; reverse has current, temp1, temp2; globals are head
            nothing
            ^^^^^^^
          29 reverse: while (temp1 != NULL)
        (track reverse:temp1 push:fresh push:nothing)
          error: push has no variable `nothing`; it has data, fresh
          29 reverse: while (temp1 != NULL)
        (untrack all)
          29 reverse: while (temp1 != NULL)
        (spec)
          error: nothing here is tracked, so there is nothing to assert; `track` shows what is
          29 reverse: while (temp1 != NULL)
        (undo)
          took back `untrack all`
          29 reverse: while (temp1 != NULL)
        (track)
          rules: -.data +reverse:temp2 -head +n4.data
          `spec` would assert: reverse:current, reverse:temp1, reverse:temp2, n1.next, n1.prev, n2.next, n2.prev, n3.next, n3.prev, n4.data, n4.next, n4.prev
          and would not: head, n1.data, n2.data, n3.data
          29 reverse: while (temp1 != NULL)
        (concrete 5)
          error: line 5 has no statement
          29 reverse: while (temp1 != NULL)
        (concrete 30,32-33)
          trusted, and never repaired: lines 30, 32, 33
          29 reverse: while (temp1 != NULL)
        (concrete)
          trusted, and never repaired: lines 30, 32, 33
          29 reverse: while (temp1 != NULL)
        (undo)
          took back `concrete 30,32-33`
          29 reverse: while (temp1 != NULL)
        (concrete)
          no lines are trusted
          29 reverse: while (temp1 != NULL)
    "#]].assert_eq(&told);
}
