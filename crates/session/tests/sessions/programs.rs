//! Recursion, input, crashes, several starts, on both engines.

use crate::common::transcript;
use expect_test::expect;

const TREE: &str = "\
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
struct tree *insert(struct tree *root, int key) {
    if (root == NULL) {
        root = calloc(1, sizeof *root);
        root->key = key;
        return root;
    }
    if (key < root->key)
        root->left = insert(root->left, key);
    else
        root->right = insert(root->right, key);
    return root;
}
int main(void) {
    struct tree *all = NULL;
    all = insert(all, 5);
    all = insert(all, 3);
    all = insert(all, 4);
    return 0;
}
";

#[test]
fn calls_of_a_recursion_are_shown_and_named() {
    let told = transcript(
        TREE,
        &[
            "start",
            "break 6 if key == 4",
            "continue",
            "where",
            "print #1:root->key",
            "print #2:root->key; print insert:key; print main:all",
            "change #1:key 7",
            "print #1:key",
            "spec",
            "finish; finish",
            "where",
            "back",
            "finish",
        ],
    );
    expect![[r#"
        (start)
          16 main: struct tree *all = NULL;
        (break 6 if key == 4)
          breakpoint 1 at line 6, if key == 4: root->key = key
          16 main: struct tree *all = NULL;
        (continue)
          breakpoint 1
          · main:all: new, n1
          · insert(): new, …
          · insert(): new, …
          · insert(): new, …
          · n1: new, {key: 5, left: n2, right: null}
          · n2: new, {key: 3, left: null, right: null}
          · n3: new, {key: 0, left: null, right: null}
          6 insert: root->key = key
        (where)
          #0  insert  line 6: root->key = key
          #1  insert  line 12: root->right = insert(root->right, key)
          #2  insert  line 10: root->left = insert(root->left, key)
          #3  main  line 19: all = insert(all, 4)
          6 insert: root->key = key
        (print #1:root->key)
          (int) 3
          6 insert: root->key = key
        (print #2:root->key)
          (int) 5
          6 insert: root->key = key
        (print insert:key)
          (int) 4
          6 insert: root->key = key
        (print main:all)
          (struct tree *) n1
          6 insert: root->key = key
        (change #1:key 7)
          #1:key: 4 -> 7
          · insert:key: 4 -> 7
          6 insert: root->key = key
        (print #1:key)
          (int) 7
          6 insert: root->key = key
        (spec)
          Program states added - Checkpoint 0
          6 insert: root->key = key
        (finish)
          · insert(): gone, was …
          · n2.right: null -> n3
          · n3.key: 0 -> 4
          13 insert: return root
        (finish)
          · insert(): gone, was …
          13 insert: return root
        (where)
          #0  insert  line 13: return root
          #1  main  line 19: all = insert(all, 4)
          13 insert: return root
        (back)
          · insert(): new, …
          13 insert: return root
        (finish)
          · insert(): gone, was …
          13 insert: return root
    "#]]
    .assert_eq(&told);
}

const ADDER: &str = "\
#include <stdio.h>
int main(void) {
    int number = 0, total = 0;
    while (scanf(\"%d\", &number) == 1)
        total += number;
    printf(\"total %d\\n\", total);
    return 0;
}
";

#[test]
fn input_is_asked_for_and_goes_back_with_the_program() {
    let told = transcript(
        ADDER,
        &[
            "start",
            "next 5",
            "input 5 6",
            "next; next",
            "continue",
            "back",
            "input 7",
            "continue",
            "undo; undo",
            "input 100",
            "continue",
            "next",
            "next",
            "back 2",
            "print total",
        ],
    );
    expect![[r#"
        (start)
          note: this program reads its input; `input TEXT` gives it a line
          3 main: int number = 0, total = 0;
        (next 5)
          the next statement reads input, and none is left: `input TEXT` gives it a line
          stopped after 1 of 5
          · main:number: new, 0
          · main:total: new, 0
          4 main: while (scanf("%d", &number) == 1)
        (input 5 6)
          4 main: while (scanf("%d", &number) == 1)
        (next)
          · main:number: 0 -> 5
          5 main: total += number
        (next)
          · main:total: 0 -> 5
          4 main: while (scanf("%d", &number) == 1)
        (continue)
          the next statement reads input, and none is left: `input TEXT` gives it a line
          · main:number: 5 -> 6
          · main:total: 5 -> 11
          4 main: while (scanf("%d", &number) == 1)
        (back)
          · main:total: 11 -> 5
          5 main: total += number
        (input 7)
          5 main: total += number
        (continue)
          the next statement reads input, and none is left: `input TEXT` gives it a line
          · main:number: 6 -> 7
          · main:total: 5 -> 18
          4 main: while (scanf("%d", &number) == 1)
        (undo)
          took back `continue`
          · main:number: 7 -> 6
          · main:total: 18 -> 5
          5 main: total += number
        (undo)
          took back `input 7`
          5 main: total += number
        (input 100)
          5 main: total += number
        (continue)
          the next statement reads input, and none is left: `input TEXT` gives it a line
          · main:number: 6 -> 100
          · main:total: 5 -> 111
          4 main: while (scanf("%d", &number) == 1)
        (next)
          6 main: printf("total %d\n", total)
        (next)
          > total 111
          7 main: return 0
        (back 2)
          4 main: while (scanf("%d", &number) == 1)
        (print total)
          (int) 111
          4 main: while (scanf("%d", &number) == 1)
    "#]]
    .assert_eq(&told);
}

const CRASH: &str = "\
#include <stdlib.h>
struct node { int data; struct node *next; };
int last(struct node *list) {
    while (list->next->next != NULL)
        list = list->next;
    return list->next->data;
}
int main(void) {
    struct node *list = calloc(1, sizeof *list);
    int found = 0;
    found = last(list);
    return found;
}
";

#[test]
fn a_crash_is_shown_and_stepped_back_from() {
    let told = transcript(
        CRASH,
        &[
            "start",
            "continue",
            "where",
            "print list",
            "print list->next",
            "next",
            "spec",
            "back",
            "change list->next list",
            "leave",
            "next",
            "finish",
            "back 9",
            "next 3",
            "back",
            "back",
        ],
    );
    expect![[r#"
        (start)
          9 main: struct node *list = calloc(1, sizeof *list);
        (continue)
          · main:list: new, n1
          · main:found: new, 0
          · last(): new, …
          · n1: new, {data: 0, next: null}
          crashed: Null at while (list->next->next != NULL)
        (where)
          #0  last  line 4: while (list->next->next != NULL)
          #1  main  line 11: found = last(list)
          crashed: Null at while (list->next->next != NULL)
        (print list)
          (struct node *) n1
          crashed: Null at while (list->next->next != NULL)
        (print list->next)
          (struct node *) null
          crashed: Null at while (list->next->next != NULL)
        (next)
          error: the program has crashed; `back` goes back, `start` runs it again
          crashed: Null at while (list->next->next != NULL)
        (spec)
          error: the program cannot go on from a crash; `back` goes to the statement before, do it there
          crashed: Null at while (list->next->next != NULL)
        (back)
          4 last: while (list->next->next != NULL)
        (change list->next list)
          n1.next: null -> n1
          · n1.next: null -> n1
          4 last: while (list->next->next != NULL)
        (leave)
          6 last: return list->next->data
        (next)
          7 last: }
        (finish)
          · last(): gone, was …
          12 main: return found
        (back 9)
          this is the beginning; it was 6 back, not 9
          · main:list: gone, was n1
          · main:found: gone, was 0
          · n1: gone, was {data: 0, next: n1}
          9 main: struct node *list = calloc(1, sizeof *list);
        (next 3)
          · main:list: new, n1
          · main:found: new, 0
          · last(): new, …
          · n1: new, {data: 0, next: null}
          crashed: Null at while (list->next->next != NULL)
        (back)
          4 last: while (list->next->next != NULL)
        (back)
          · last(): gone, was …
          11 main: found = last(list)
    "#]]
    .assert_eq(&told);
}

#[test]
fn a_program_is_started_again_with_other_arguments() {
    let text =
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n    int n = argc;\n    n += 1;\n    return n;\n}\n";
    let told = transcript(
        text,
        &[
            "start a b",
            "next",
            "print n",
            "spec",
            "start",
            "next",
            "print n",
            "start 'a b'",
            "next 2",
            "print n",
            "resume 0",
            "print n",
            "continue",
            "checkpoints",
            "undo",
            "undo",
            "where",
        ],
    );
    expect![[r#"
        (start a b)
          3 main: int n = argc;
        (next)
          · main:n: new, 3
          4 main: n += 1
        (print n)
          (int) 3
          4 main: n += 1
        (spec)
          Program states added - Checkpoint 0
          not asserted, as nothing reads it from here on: argc, argv
          4 main: n += 1
        (start)
          · main:n: gone, was 3
          3 main: int n = argc;
        (next)
          · main:n: new, 3
          4 main: n += 1
        (print n)
          (int) 3
          4 main: n += 1
        (start 'a b')
          · main:argc: 3 -> 2
          · main:n: gone, was 3
          3 main: int n = argc;
        (next 2)
          · main:n: new, 3
          5 main: return n
        (print n)
          (int) 3
          5 main: return n
        (resume 0)
          Program resumed at checkpoint 0
          · main:argc: 2 -> 3
          4 main: n += 1
        (print n)
          (int) 3
          4 main: n += 1
        (continue)
          · main(): gone, was …
          ended with 4
        (checkpoints)
          0  line 4: n += 1  (main:n == 3)  ◀ the program went on from here, to the end of the program
          ended with 4
        (undo)
          took back `continue`
          · main(): new, …
          4 main: n += 1
        (undo)
          took back `resume 0`
          · main:argc: 3 -> 2
          5 main: return n
        (where)
          #0  main  line 5: return n
          5 main: return n
    "#]]
    .assert_eq(&told);
}

#[test]
fn looking_around() {
    let told = transcript(
        TREE,
        &[
            "list",
            "where",
            "print 1 + 2",
            "start",
            "list insert",
            "list 999",
            "locals",
            "info breakpoints",
            "break nothing",
            "break 4; break insert; break 18 if all->key > 4",
            "info breakpoints",
            "delete 2; delete 9",
            "continue",
            "locals",
            "continue; continue",
            "print all->left",
            "print all->",
            "print all = 3",
            "help back",
            "help nothing",
            "info",
            "break 17 if nothing",
        ],
    );
    expect![[r#"
        (list)
             1  #include <stdlib.h>
             2  struct tree { int key; struct tree *left, *right; };
             3  struct tree *insert(struct tree *root, int key) {
             4      if (root == NULL) {
             5          root = calloc(1, sizeof *root);
             6          root->key = key;
        (where)
          error: the program is not running; type `start`
        (print 1 + 2)
          error: the program is not running; type `start`
        (start)
          16 main: struct tree *all = NULL;
        (list insert)
             1  #include <stdlib.h>
             2  struct tree { int key; struct tree *left, *right; };
             3  struct tree *insert(struct tree *root, int key) {
             4      if (root == NULL) {
             5          root = calloc(1, sizeof *root);
             6          root->key = key;
             7          return root;
             8      }
             9      if (key < root->key)
          16 main: struct tree *all = NULL;
        (list 999)
          error: the file has only 21 lines
          16 main: struct tree *all = NULL;
        (locals)
          main() has no variables here
          16 main: struct tree *all = NULL;
        (info breakpoints)
          there are no breakpoints
          16 main: struct tree *all = NULL;
        (break nothing)
          error: this program has no function `nothing`; it has insert, main
          16 main: struct tree *all = NULL;
        (break 4)
          breakpoint 1 at line 4: if (root == NULL)
          16 main: struct tree *all = NULL;
        (break insert)
          breakpoint 2 at line 4: if (root == NULL)
          16 main: struct tree *all = NULL;
        (break 18 if all->key > 4)
          breakpoint 3 at line 18, if all->key > 4: all = insert(all, 3)
          16 main: struct tree *all = NULL;
        (info breakpoints)
          breakpoint 1 at line 4: if (root == NULL)
          breakpoint 2 at line 4: if (root == NULL)
          breakpoint 3 at line 18, if all->key > 4: all = insert(all, 3)
          16 main: struct tree *all = NULL;
        (delete 2)
          16 main: struct tree *all = NULL;
        (delete 9)
          error: there is no breakpoint 9
          16 main: struct tree *all = NULL;
        (continue)
          breakpoint 1
          · main:all: new, null
          · insert(): new, …
          4 insert: if (root == NULL)
        (locals)
          struct tree * root = null
          int key = 5
          4 insert: if (root == NULL)
        (continue)
          breakpoint 3
          · main:all: null -> n1
          · insert(): gone, was …
          · n1: new, {key: 5, left: null, right: null}
          18 main: all = insert(all, 3)
        (continue)
          breakpoint 1
          · insert(): new, …
          4 insert: if (root == NULL)
        (print all->left)
          error: there is no `all` here; insert has root, key
            all->left
            ^^^
          4 insert: if (root == NULL)
        (print all->)
          error: the text ends too early: the name of a member is missing
            all->
                 ^
          4 insert: if (root == NULL)
        (print all = 3)
          error: an expression does not change anything; use `change all 3`, or `==` to compare
            all = 3
                ^
          4 insert: if (root == NULL)
        (help back)
          back [N]
            go back to the statement before
            Memory, output and input are as they were there. Works after a crash and after the end
            too. What was asserted ahead is kept as a checkpoint; `resume` returns there.
          4 insert: if (root == NULL)
        (help nothing)
          error: there is no command `nothing`; `help` lists what there is
          4 insert: if (root == NULL)
        (info)
          error: info about what? There are: breakpoints, locals, stack, checkpoints, specification, tracking
          4 insert: if (root == NULL)
        (break 17 if nothing)
          error: there is no `nothing` here; main has all
            nothing
            ^^^^^^^
          4 insert: if (root == NULL)
    "#]]
    .assert_eq(&told);
}
