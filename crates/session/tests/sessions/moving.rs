//! Running forward and back, on both engines.

use crate::common::transcript;
use expect_test::expect;

const LIST: &str = "\
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
void push(int data) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}
int sum(struct node *list) {
    int total = 0;
    while (list != NULL) {
        total += list->data;
        list = list->next;
    }
    return total;
}
int main(void) {
    push(2); push(4);
    push(8);
    printf(\"%d\\n\", sum(head));
    return 0;
}
";

#[test]
fn next_step_and_finish() {
    let told = transcript(LIST, &["next", "start", "next 3", "step", "next; next", "finish", "next", "next", "next"]);
    expect![[r#"
        (next)
          error: the program is not running; type `start`
        (start)
          20 main: push(2)
        (next 3)
          · head: null -> n3
          · n1: new, {data: 2, next: null}
          · n2: new, {data: 4, next: n1}
          · n3: new, {data: 8, next: n2}
          22 main: printf("%d\n", sum(head))
        (step)
          · sum(): new, …
          12 sum: int total = 0;
        (next)
          · sum:total: new, 0
          13 sum: while (list != NULL)
        (next)
          14 sum: total += list->data
        (finish)
          > 14
          · sum(): gone, was …
          23 main: return 0
        (next)
          24 main: }
        (next)
          · main(): gone, was …
          ended with 0
        (next)
          error: the program has ended; `start` runs it again, `back` goes back
          ended with 0
    "#]]
    .assert_eq(&told);
}

#[test]
fn back_goes_to_the_statement_before() {
    let told = transcript(
        LIST,
        &[
            "start",
            "back",
            "next; next",
            "back",
            "back 5",
            "break 14",
            "continue",
            "back",
            "back",
            "next",
            "back 3",
            "next 40",
            "back",
        ],
    );
    expect![[r#"
        (start)
          20 main: push(2)
        (back)
          error: this is the beginning of the program, there is nothing before it
          20 main: push(2)
        (next)
          · head: null -> n1
          · n1: new, {data: 2, next: null}
          20 main: push(4)
        (next)
          · head: n1 -> n2
          · n2: new, {data: 4, next: n1}
          21 main: push(8)
        (back)
          · head: n2 -> n1
          · n2: gone, was {data: 4, next: n1}
          20 main: push(4)
        (back 5)
          this is the beginning; it was 1 back, not 5
          · head: n1 -> null
          · n1: gone, was {data: 2, next: null}
          20 main: push(2)
        (break 14)
          breakpoint 1 at line 14: total += list->data
          20 main: push(2)
        (continue)
          breakpoint 1
          · head: null -> n3
          · sum(): new, …
          · n1: new, {data: 2, next: null}
          · n2: new, {data: 4, next: n1}
          · n3: new, {data: 8, next: n2}
          14 sum: total += list->data
        (back)
          13 sum: while (list != NULL)
        (back)
          · sum:total: gone, was 0
          12 sum: int total = 0;
        (next)
          · sum:total: new, 0
          13 sum: while (list != NULL)
        (back 3)
          · head: n3 -> n2
          · sum(): gone, was …
          · n3: gone, was {data: 8, next: n2}
          21 main: push(8)
        (next 40)
          breakpoint 1
          stopped after 2 of 40
          · head: n2 -> n3
          · sum(): new, …
          · n3: new, {data: 8, next: n2}
          14 sum: total += list->data
        (back)
          13 sum: while (list != NULL)
    "#]]
    .assert_eq(&told);
}

const LOOP: &str = "\
int main(void) {
    int i, sum = 0, *p = 0;
    for (i = 0; i < 1000; i++) {
        if (i % 3 == 0)
            continue;
        sum += i;
    }
    *p = sum;
    return 0;
}
";

/// The stretch is long enough for a moment to be kept shortly before its end.
#[test]
fn back_finds_its_way_after_a_long_loop() {
    let told = transcript(
        LOOP,
        &[
            "start", "continue", "back", "back", "back", "back", "back 3", "next 3", "continue", "back 8", "spec",
            "next", "back",
        ],
    );
    expect![[r#"
        (start)
          2 main: int i, sum = 0, *p = 0;
        (continue)
          · main:i: new, 1000
          · main:sum: new, 332667
          · main:p: new, null
          crashed: Null at *p = sum
        (back)
          8 main: *p = sum
        (back)
          3 main: i < 1000
        (back)
          · main:i: 1000 -> 999
          3 main: i++
        (back)
          4 main: if (i % 3 == 0)
        (back 3)
          · main:i: 999 -> 998
          · main:sum: 332667 -> 331669
          6 main: sum += i
        (next 3)
          · main:i: 998 -> 999
          · main:sum: 331669 -> 332667
          4 main: if (i % 3 == 0)
        (continue)
          · main:i: 999 -> 1000
          crashed: Null at *p = sum
        (back 8)
          · main:i: 1000 -> 998
          · main:sum: 332667 -> 331669
          4 main: if (i % 3 == 0)
        (spec)
          Program states added - Checkpoint 0
          4 main: if (i % 3 == 0)
        (next)
          6 main: sum += i
        (back)
          4 main: if (i % 3 == 0)
    "#]]
    .assert_eq(&told);
}
