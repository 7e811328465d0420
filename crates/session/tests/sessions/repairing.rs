//! Repairs that are live at once, on both engines.

use expect_test::expect;
use session::EngineKind;

use crate::common::{session, transcript, transcript_after};

/// Walks along a list; one statement goes the wrong way.
const WALK: &str = "\
#include <stdlib.h>
struct node { int data; struct node *next, *prev; };
struct node *head, *found;
void push(int data) {
    struct node *fresh = malloc(sizeof(struct node));
    fresh->data = data;
    fresh->prev = NULL;
    fresh->next = head;
    if (head != NULL)
        head->prev = fresh;
    head = fresh;
}
void find(int data) {
    struct node *walk;
    walk = head;
    while (walk->data != data) {
        found = walk;
        walk = walk->prev;
    }
}
int main(void) {
    push(1); push(2); push(3); push(4);
    find(2);
    return found->data;
}
";

/// To the first round of the loop, corrected and asserted.
const ASSERTED: &str = "start; next 4; step; next 1; spec; next 3; change walk n3; spec";

#[test]
fn a_repair_is_live_and_can_be_taken_back() {
    expect![[r#"
        (localize)
          1 of 3 statements are suspicious: a change at one of these places could meet all:
          * line  18: walk = walk->prev
                after this the run has walk = null where n3 is asserted
            line  17: a statement may be missing before found = walk;
            line  18: a statement may be missing before walk = walk->prev;
            line  19: a statement may be missing before }
          16 find: while (walk->data != data)
        (repair)
          Repair synthesized: one change, checked against 2 asserted states
              18 -        walk = walk->prev;
              18 +        walk = walk->next;
          5 other repairs fit too; `candidates` shows all, `pick N` takes another
          the patch is live; go on from here, or save it with `rewrite FILE`
          16 find: while (walk->data != data)
        (candidates)
          1  2 tokens, checked against 2 asserted states, live
              18 -        walk = walk->prev;
              18 +        walk = walk->next;
          2  4 tokens, checked against 2 asserted states
              18 -        walk = walk->prev;
              18 +        walk = head->next;
          3  4 tokens, checked against 2 asserted states
              18 -        walk = walk->prev;
              18 +        walk = found->next;
          4  6 tokens, checked against 2 asserted states
              19 +        walk = head->next;
          5  6 tokens, checked against 2 asserted states
              19 +        walk = found->next;
          6  8 tokens, checked against 2 asserted states
              18 +        walk = walk->next->next;
          16 find: while (walk->data != data)
        (next 3)
          · found: n4 -> n3
          · find:walk: n3 -> n2
          16 find: while (walk->data != data)
        (undo)
          took back `next 3`
          · found: n3 -> n4
          · find:walk: n2 -> n3
          16 find: while (walk->data != data)
        (undo)
          took back `repair`
          16 find: while (walk->data != data)
        (next 3)
          · found: n4 -> n3
          · find:walk: n3 -> n4
          16 find: while (walk->data != data)
        (back)
          · find:walk: n4 -> n3
          18 find: walk = walk->prev
        (repair)
          Repair synthesized: one change, checked against 2 asserted states
              18 -        walk = walk->prev;
              18 +        walk = walk->next;
          5 other repairs fit too; `candidates` shows all, `pick N` takes another
          the patch is live; go on from here, or save it with `rewrite FILE`
          18 find: walk = walk->prev
        (next 3)
          · find(): gone, was …
          24 main: return found->data
        (next 2)
          · main(): gone, was …
          ended with 3
        (continue)
          error: the program has ended; `start` runs it again, `back` goes back
          ended with 3
    "#]]
    .assert_eq(&transcript_after(
        WALK,
        ASSERTED,
        &["localize; repair; candidates; next 3; undo; undo; next 3; back; repair; next 3; next 2; continue"],
    ));
}

#[test]
fn a_repair_stays_live_in_the_next_run() {
    expect![[r#"
        (repair)
          Repair synthesized: one change, checked against 2 asserted states
              18 -        walk = walk->prev;
              18 +        walk = walk->next;
          5 other repairs fit too; `candidates` shows all, `pick N` takes another
          the patch is live; go on from here, or save it with `rewrite FILE`
          16 find: while (walk->data != data)
        (start)
          the repair is live in this run too; `undo` takes it back
          · head: n4 -> null
          · found: n4 -> null
          · find(): gone, was …
          · n1: gone, was {data: 1, next: null, prev: n2}
          · n2: gone, was {data: 2, next: n1, prev: n3}
          · n3: gone, was {data: 3, next: n2, prev: n4}
          · n4: gone, was {data: 4, next: n3, prev: null}
          22 main: push(1)
        (break 20)
          breakpoint 1 at line 20: }
          22 main: push(1)
        (continue)
          breakpoint 1
          · head: null -> n4
          · found: null -> n3
          · find(): new, …
          · n1: new, {data: 1, next: null, prev: n2}
          · n2: new, {data: 2, next: n1, prev: n3}
          · n3: new, {data: 3, next: n2, prev: n4}
          · n4: new, {data: 4, next: n3, prev: null}
          20 find: }
        (print found->data)
          (int) 3
          20 find: }
        (continue)
          · main(): gone, was …
          · find(): gone, was …
          ended with 3
    "#]]
    .assert_eq(&transcript_after(WALK, ASSERTED, &["repair; start; break 20; continue; print found->data; continue"]));
}

#[test]
fn another_candidate_can_be_picked() {
    expect![[r#"
        (pick 1)
          error: there is nothing to pick from yet; `repair` looks for candidates
          16 find: while (walk->data != data)
        (repair)
          Repair synthesized: one change, checked against 2 asserted states
              18 -        walk = walk->prev;
              18 +        walk = walk->next;
          5 other repairs fit too; `candidates` shows all, `pick N` takes another
          the patch is live; go on from here, or save it with `rewrite FILE`
          16 find: while (walk->data != data)
        (pick 0)
          error: there is no candidate 0; there are 1 to 6
          16 find: while (walk->data != data)
        (pick 99)
          error: there is no candidate 99; there are 1 to 6
          16 find: while (walk->data != data)
        (pick 2)
          candidate 2:
              18 -        walk = walk->prev;
              18 +        walk = head->next;
          the patch is live; go on from here, or save it with `rewrite FILE`
          16 find: while (walk->data != data)
        (rewrite /nowhere/at/all.c)
          error: /nowhere/at/all.c cannot be written: No such file or directory (os error 2)
          16 find: while (walk->data != data)
    "#]]
    .assert_eq(&transcript_after(
        WALK,
        ASSERTED,
        &["pick 1; repair; pick 0; pick 99; pick 2; rewrite /nowhere/at/all.c"],
    ));
}

#[test]
fn why_there_is_no_repair_is_told() {
    expect![[r#"
        (repair)
          error: the program is not running; type `start`
        (localize)
          error: the program is not running; type `start`
        (candidates)
          error: there are no candidates yet; `repair` looks for some
        (rewrite)
          error: there is no repair yet; `repair` looks for one
        (start)
          22 main: push(1)
        (repair)
          error: nothing is asserted on the way to here; correct the state with `change`, then assert it with `spec`
          22 main: push(1)
        (next 4)
          · head: null -> n4
          · n1: new, {data: 1, next: null, prev: n2}
          · n2: new, {data: 2, next: n1, prev: n3}
          · n3: new, {data: 3, next: n2, prev: n4}
          · n4: new, {data: 4, next: n3, prev: null}
          23 main: find(2)
        (step)
          · find(): new, …
          15 find: walk = head
        (next 1)
          · find:walk: ? -> n4
          16 find: while (walk->data != data)
        (repair nothing)
          error: `repair` knows guards, wide, all, here, algorithm3 and algvar, not `nothing`
          16 find: while (walk->data != data)
        (spec walk == n1)
          Program states added - Checkpoint 0: find:walk == n1
          this is not so now, it is n4; `change` would make it so in the running program
          16 find: while (walk->data != data)
        (spec walk == n2)
          Program states added - Checkpoint 1: find:walk == n2
          this is not so now, it is n4; `change` would make it so in the running program
          16 find: while (walk->data != data)
        (repair)
          error: none of the changes that are tried can meet all that is asserted; look at:
            find:walk == n1
            find:walk == n2
          `undo` takes the last assertion back, `untrack` leaves values out of the next
          16 find: while (walk->data != data)
        (undo)
          took back `spec walk == n2`
          16 find: while (walk->data != data)
        (undo)
          took back `spec walk == n1`
          16 find: while (walk->data != data)
        (spec)
          Program states added - Checkpoint 0
          16 find: while (walk->data != data)
        (localize)
          everything that is asserted holds; no statement is suspicious
          16 find: while (walk->data != data)
        (repair)
          the program meets everything that is asserted; there is nothing to repair
          16 find: while (walk->data != data)
    "#]]
    .assert_eq(&transcript(
        WALK,
        &[
            "repair; localize; candidates; rewrite",
            "start; repair; next 4; step; next 1; repair nothing",
            "spec walk == n1; spec walk == n2; repair; undo; undo",
            "spec; localize; repair",
        ],
    ));
}

/// Killing gdb after a repair loses neither the repair nor what is asserted.
#[test]
fn a_repair_outlives_gdb() {
    let mut sessions = [session(WALK, EngineKind::Gdb), session(WALK, EngineKind::Gdb)];
    for session in &mut sessions {
        for command in ASSERTED.split("; ").chain(["repair", "next"]) {
            assert_eq!(session.run(command).error, None, "{command}");
        }
    }
    let [broken, whole] = &mut sessions;
    let gdb = broken.processes()[0];
    let status = std::process::Command::new("kill").args(["-9", &gdb.to_string()]).status();
    assert!(status.expect("kill is there").success());
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert!(broken.run("next").error.is_some());
    for command in ["next", "next", "next", "print walk->data", "repair"] {
        let (a, b) = (broken.run(command), whole.run(command));
        assert_eq!((a.error, a.messages, a.position), (b.error, b.messages, b.position), "{command}");
        assert_eq!(a.state, b.state, "{command}");
    }
}

/// gcc makes no instructions for `x = x`, so gdb cannot patch it; that is told, and nothing else is claimed.
#[test]
fn what_cannot_be_live_is_told() {
    let text = WALK.replace("walk = walk->prev;", "walk = walk;");
    let mut session = session(&text, EngineKind::Gdb);
    for command in "start; next 4; step; next 1; spec; next 2; change walk n3; spec".split("; ") {
        assert_eq!(session.run(command).error, None, "{command}");
    }
    let messages = session.run("repair").messages.join("\n");
    assert!(messages.contains("walk = walk->next;"), "{messages}");
    assert!(messages.contains("the patch is not live in the running program: the compiler made no instructions"));
    assert!(!messages.contains("the patch is live"), "{messages}");
}

/// Prints a list, but stops too early.
const PRINTS: &str = "\
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *push(struct node *list, int data) {
    struct node *fresh = malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = list;
    return fresh;
}
void print(struct node *list) {
    struct node *p = list;
    while (p->next != NULL) {
        printf(\"%d \", p->data);
        p = p->next;
    }
    printf(\"\\n\");
}
int main(void) {
    struct node *list = push(push(push(NULL, 3), 2), 1);
    print(list);
    return 0;
}
";

#[test]
fn what_is_printed_can_be_asserted() {
    let commands = "break 21; start; continue; spec output \"1 2 3 \\n\"; info specification; repair";
    expect![[r#"
        (break 21)
          breakpoint 1 at line 21: return 0
        (start)
          19 main: struct node *list = push(push(push(NULL, 3), 2), 1);
        (continue)
          breakpoint 1
          > 1 2 
          · main:list: new, n3
          · n1: new, {data: 3, next: null}
          · n2: new, {data: 2, next: n1}
          · n3: new, {data: 1, next: n2}
          21 main: return 0
        (spec output "1 2 3 \n")
          Output added - Checkpoint 0: "1 2 3 \n"
          21 main: return 0
        (info specification)
          asserted: checkpoint 0  line 21: return 0  (output "1 2 3 \n")
          21 main: return 0
        (repair)
          Repair synthesized: one change, checked against 1 asserted state
              12 -    while (p->next != NULL) {
              12 +    while (p != NULL) {
          the patch is live; go on from here, or save it with `rewrite FILE`
          21 main: return 0
    "#]]
    .assert_eq(&transcript(PRINTS, &[commands]));
}

#[test]
fn an_output_must_be_a_text_and_go_on_from_the_one_before() {
    let commands = ["spec output \"1 2", "spec output \"1 \\x\"", "spec output \"1 2 \\n\"", "spec output \"3\""];
    expect![[r#"
        (spec output "1 2)
          error: `"1 2` is no text; write for example: spec output "3 1 4\n"
          21 main: return 0
        (spec output "1 \x")
          error: `"1 \x"` is no text; write for example: spec output "3 1 4\n"
          21 main: return 0
        (spec output "1 2 \n")
          Output added - Checkpoint 0: "1 2 \n"
          21 main: return 0
        (spec output "3")
          error: this does not begin with the output that is asserted at checkpoint 0
          21 main: return 0
    "#]]
    .assert_eq(&transcript_after(PRINTS, "break 21; start; continue", &commands));
}
