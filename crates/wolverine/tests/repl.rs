//! `wolverine debug` from scripts and pipes: transcripts of small sessions.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use expect_test::{Expect, expect};
use tempfile::TempDir;

struct Ran {
    status: i32,
    out: String,
    err: String,
}

/// Runs the binary in the folder of the repository with `input` piped into it.
fn wolverine(arguments: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wolverine"))
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary can be started");
    // A session that has ended reads nothing more.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Ran { status: output.status.code().expect("it was not killed"), out: text(output.stdout), err: text(output.stderr) }
}

/// A file in a folder of its own.
fn file(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("a file can be written");
    (folder, path)
}

/// The transcript of a script that runs to its end.
fn check(program: &str, script: &str, transcript: Expect) {
    let (_folder, path) = file("script", script);
    let ran = wolverine(&["debug", program, "--engine", "interpreter", "--script", &path.to_string_lossy()], "");
    transcript.assert_eq(&ran.out);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
}

/// The transcript of a script that fails in a line.
fn check_failure(program: &str, script: &str, line: usize, transcript: Expect) {
    let (_folder, path) = file("script", script);
    let ran = wolverine(&["debug", program, "--engine", "interpreter", "--script", &path.to_string_lossy()], "");
    transcript.assert_eq(&ran.out);
    let place = format!("{}:{line}: `", path.display());
    assert!(ran.status == 1 && ran.err.starts_with(&place), "{}: {}", ran.status, ran.err);
    assert!(ran.err.ends_with("could not be done, so the script ends here\n"), "{}", ran.err);
}

const REVERSE: &str = "examples/reverse.c";
const CRASH: &str = "examples/crash.c";

#[test]
fn a_walk_through_a_program() {
    check(
        REVERSE,
        "# a walk\nstart\n\nnext; next\nstep\nnext\nback\nfinish\n",
        expect![[r#"
        # a walk
        (Wolverine) start
        in main()
           45
           46  int main(void) {
        => 47      push(2);
                   ^^^^^^^
           48      push(4);

        globals  head = null
        (Wolverine) next; next
          48  push(4)
           47      push(2);
           48      push(4);
        => 49      push(8);
                   ^^^^^^^
           50      push(10);

        head*
        ▼
        ┌n2*───────┐   ┌n1*─────┐
        │data: 4   ├──▶│data: 2 ├──▶ null
        │prev: null│   │prev: n2│
        └──────────┘   └────────┘
        (Wolverine) step
        in push()
           15
           16  void push(int data) {
        => 17      struct node *fresh = (struct node *)malloc(sizeof(struct node));
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           18      fresh->data = data;

        push()  data = 8

        head
        ▼
        ┌n2────────┐   ┌n1──────┐
        │data: 4   ├──▶│data: 2 ├──▶ null
        │prev: null│   │prev: n2│
        └──────────┘   └────────┘
        (Wolverine) next
           16  void push(int data) {
           17      struct node *fresh = (struct node *)malloc(sizeof(struct node));
        => 18      fresh->data = data;
                   ^^^^^^^^^^^^^^^^^^
           19      fresh->prev = NULL;

        push()  data = 8

        head
        ▼
        ┌n2────────┐   ┌n1──────┐
        │data: 4   ├──▶│data: 2 ├──▶ null
        │prev: null│   │prev: n2│
        └──────────┘   └────────┘

        fresh*
        ▼
        ┌n3*────┐
        │data: ?│
        │next: ?│
        │prev: ?│
        └───────┘
        (Wolverine) back
           15
           16  void push(int data) {
        => 17      struct node *fresh = (struct node *)malloc(sizeof(struct node));
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           18      fresh->data = data;

        push()  data = 8

        head
        ▼
        ┌n2────────┐   ┌n1──────┐
        │data: 4   ├──▶│data: 2 ├──▶ null
        │prev: null│   │prev: n2│
        └──────────┘   └────────┘
        (Wolverine) finish
        in main()
           48      push(4);
           49      push(8);
        => 50      push(10);
                   ^^^^^^^^
           51      reverse();

        head*
        ▼
        ┌n3*───────┐   ┌n2───────┐   ┌n1──────┐
        │data: 8   ├──▶│data: 4  ├──▶│data: 2 ├──▶ null
        │prev: null│   │prev: n3*│   │prev: n2│
        └──────────┘   └─────────┘   └────────┘
    "#]],
    );
}

#[test]
fn breakpoints_and_forced_conditions() {
    check(
        REVERSE,
        "start\nbreak 29\ninfo breakpoints\ncontinue\nenter\ndelete 1\ncontinue\n",
        expect![[r#"
            (Wolverine) start
            in main()
               45
               46  int main(void) {
            => 47      push(2);
                       ^^^^^^^
               48      push(4);

            globals  head = null
            (Wolverine) break 29
            breakpoint 1 at line 29: while (temp1 != NULL)
            (Wolverine) info breakpoints
            breakpoint 1 at line 29: while (temp1 != NULL)
            (Wolverine) continue
            breakpoint 1
            in reverse()
               27      struct node *current, *temp1 = NULL, *temp2 = NULL;
               28      current = head;
            => 29      while (temp1 != NULL) { //~ FAULT: current != NULL
                              ^^^^^^^^^^^^^
               30          temp1 = current->prev;

            reverse()  temp1 = null   temp2 = null

            head*, current
            ▼
            ┌n4*───────┐   ┌n3*─────┐   ┌n2*─────┐   ┌n1*─────┐
            │data: 10  ├──▶│data: 8 ├──▶│data: 4 ├──▶│data: 2 ├──▶ null
            │prev: null│   │prev: n4│   │prev: n3│   │prev: n2│
            └──────────┘   └────────┘   └────────┘   └────────┘
            (Wolverine) enter
               28      current = head;
               29      while (temp1 != NULL) { //~ FAULT: current != NULL
            => 30          temp1 = current->prev;
                           ^^^^^^^^^^^^^^^^^^^^^
               31          temp2 = current->prev; //~ FAULT: current->next

            reverse()  temp1 = null   temp2 = null

            head, current
            ▼
            ┌n4────────┐   ┌n3──────┐   ┌n2──────┐   ┌n1──────┐
            │data: 10  ├──▶│data: 8 ├──▶│data: 4 ├──▶│data: 2 ├──▶ null
            │prev: null│   │prev: n4│   │prev: n3│   │prev: n2│
            └──────────┘   └────────┘   └────────┘   └────────┘
            (Wolverine) delete 1
            (Wolverine) continue
                  > 10 
            the program ended with status 0

            head
            ▼
            ┌n4────────┐
            │data: 10  ├─*▶ null
            │prev: null│
            └──────────┘

            unreachable:
            ┌n3──────┐   ┌n2──────┐   ┌n1──────┐
            │data: 8 ├──▶│data: 4 ├──▶│data: 2 ├──▶ null
            │prev: n4│   │prev: n3│   │prev: n2│
            └────────┘   └────────┘   └────────┘
        "#]],
    );
}

#[test]
fn the_state_is_corrected_and_asserted() {
    let script = "start; next 4; step; next 2; enter\nchange temp1 n3\nspec\nnext; next\nresume 0\nprint temp1->data\n";
    check(
        REVERSE,
        script,
        expect![[r#"
            (Wolverine) start; next 4; step; next 2; enter
              47  push(2)
              51  reverse()
              27  struct node *current, *temp1 = NULL, *temp2 = NULL;
              29  while (temp1 != NULL)
            in reverse()
               28      current = head;
               29      while (temp1 != NULL) { //~ FAULT: current != NULL
            => 30          temp1 = current->prev;
                           ^^^^^^^^^^^^^^^^^^^^^
               31          temp2 = current->prev; //~ FAULT: current->next

            reverse()  temp1 = null   temp2 = null

            head, current
            ▼
            ┌n4────────┐   ┌n3──────┐   ┌n2──────┐   ┌n1──────┐
            │data: 10  ├──▶│data: 8 ├──▶│data: 4 ├──▶│data: 2 ├──▶ null
            │prev: null│   │prev: n4│   │prev: n3│   │prev: n2│
            └──────────┘   └────────┘   └────────┘   └────────┘
            (Wolverine) change temp1 n3
            temp1: null -> n3

            reverse()  temp2 = null

            head, current  temp1*
            ▼              ▼
            ┌n4────────┐   ┌n3──────┐   ┌n2──────┐   ┌n1──────┐
            │data: 10  ├──▶│data: 8 ├──▶│data: 4 ├──▶│data: 2 ├──▶ null
            │prev: null│   │prev: n4│   │prev: n3│   │prev: n2│
            └──────────┘   └────────┘   └────────┘   └────────┘
            (Wolverine) spec
            Program states added - Checkpoint 0
            not asserted, as nothing reads it from here on: temp2
            (Wolverine) next; next
              31  temp2 = current->prev
               30          temp1 = current->prev;
               31          temp2 = current->prev; //~ FAULT: current->next
            => 32          current->prev = temp2;
                           ^^^^^^^^^^^^^^^^^^^^^
               33          current->next = temp1;

            reverse()  temp1 = null*   temp2 = null

            head, current
            ▼
            ┌n4────────┐   ┌n3──────┐   ┌n2──────┐   ┌n1──────┐
            │data: 10  ├──▶│data: 8 ├──▶│data: 4 ├──▶│data: 2 ├──▶ null
            │prev: null│   │prev: n4│   │prev: n3│   │prev: n2│
            └──────────┘   └────────┘   └────────┘   └────────┘
            (Wolverine) resume 0
            Program resumed at checkpoint 0
               28      current = head;
               29      while (temp1 != NULL) { //~ FAULT: current != NULL
            => 30          temp1 = current->prev;
                           ^^^^^^^^^^^^^^^^^^^^^
               31          temp2 = current->prev; //~ FAULT: current->next

            reverse()  temp2 = null

            head, current  temp1*
            ▼              ▼
            ┌n4────────┐   ┌n3──────┐   ┌n2──────┐   ┌n1──────┐
            │data: 10  ├──▶│data: 8 ├──▶│data: 4 ├──▶│data: 2 ├──▶ null
            │prev: null│   │prev: n4│   │prev: n3│   │prev: n2│
            └──────────┘   └────────┘   └────────┘   └────────┘
            (Wolverine) print temp1->data
            (int) 8
        "#]],
    );
}

#[test]
fn a_crash_can_be_gone_back_from() {
    check(
        CRASH,
        "start\ncontinue\nback\nback\nwhere\n",
        expect![[r#"
        (Wolverine) start
        in main()
           31
           32  int main(void) {
        => 33      push(1);
                   ^^^^^^^
           34      push(2);

        globals  head = null
        (Wolverine) continue
        in delete()
        examples/crash.c:21:12: `current` is null
         21 |     while (current->data != key) { //~ FAULT: null
            |            ^^^^^^^^^^^^^
        the program crashed here; `back` goes back

        delete()  key = 7   current = null

        head*       previous
        ▼           ▼
        ┌n3*────┐   ┌n1*────┐
        │data: 3├──▶│data: 1├──▶ null
        └───────┘   └───────┘
        (Wolverine) back
           19  void delete(int key) {
           20      struct node *current = head, *previous = NULL;
        => 21      while (current->data != key) { //~ FAULT: null
                          ^^^^^^^^^^^^^^^^^^^^
           22          previous = current;

        delete()  key = 7   current = null

        head        previous
        ▼           ▼
        ┌n3─────┐   ┌n1─────┐
        │data: 3├──▶│data: 1├──▶ null
        └───────┘   └───────┘
        (Wolverine) back
           21      while (current->data != key) { //~ FAULT: null
           22          previous = current;
        => 23          current = current->next;
                       ^^^^^^^^^^^^^^^^^^^^^^^
           24      }

        delete()  key = 7

        head        current*, previous
        ▼           ▼
        ┌n3─────┐   ┌n1─────┐
        │data: 3├──▶│data: 1├──▶ null
        └───────┘   └───────┘
        (Wolverine) where
        #0  delete  line 23: current = current->next
        #1  main  line 37: delete(7)
    "#]],
    );
}

#[test]
fn a_crash_in_the_middle_of_a_line_is_told_in_full() {
    check_failure(
        CRASH,
        "break 21 if key == 7 && current == 0\nstart; continue; next; next; next\n",
        2,
        expect![[r#"
            (Wolverine) break 21 if key == 7 && current == 0
            breakpoint 1 at line 21, if key == 7 && current == 0: while (current->data != key)
            (Wolverine) start; continue; next; next; next
              33  push(1)
            breakpoint 1
              21  while (current->data != key)
            examples/crash.c:21:12: `current` is null
             21 |     while (current->data != key) { //~ FAULT: null
                |            ^^^^^^^^^^^^^
            error: the program has crashed; `back` goes back, `start` runs it again
            not run: next
        "#]],
    );
}

#[test]
fn wrong_commands_end_a_script() {
    check_failure(
        REVERSE,
        "# first\n\nnext\nstart\n",
        3,
        expect![[r#"
        # first
        (Wolverine) next
        error: the program is not running; type `start`
    "#]],
    );
    check_failure(
        REVERSE,
        "start\nnxt; next; next\nnext\n",
        2,
        expect![[r#"
        (Wolverine) start
        in main()
           45
           46  int main(void) {
        => 47      push(2);
                   ^^^^^^^
           48      push(4);

        globals  head = null
        (Wolverine) nxt; next; next
        error: there is no command `nxt`; did you mean `next`?
        not run: next; next
    "#]],
    );
    check_failure(
        REVERSE,
        "start\nprint haed + 1\n",
        2,
        expect![[r#"
            (Wolverine) start
            in main()
               45
               46  int main(void) {
            => 47      push(2);
                       ^^^^^^^
               48      push(4);

            globals  head = null
            (Wolverine) print haed + 1
            error: there is no `haed` here, did you mean `head`? Globals are head
              haed + 1
              ^^^^
        "#]],
    );
}

const SUM: &str = "\
#include <stdio.h>
int main(int argc, char **argv)
{
\tint number, total = 0;
\twhile (scanf(\"%d\", &number) == 1) {
\t\ttotal += number;
\t\tfprintf(stderr, \"so far: %d\\n\", total);
\t}
\tprintf(\"%s\\033[1m\\n%d\", argc > 1 ? argv[1] : \"sum\", total);
\treturn 3;
}
";

#[test]
fn a_program_gets_its_input_by_command() {
    let (_folder, path) = file("sum.c", SUM);
    let script = "start\nnext\ninput 5 6\nnext 4\ncontinue\n";
    let script = file("script", script);
    let arguments = [
        "debug",
        &path.to_string_lossy(),
        "--engine",
        "interpreter",
        "--script",
        &script.1.to_string_lossy(),
        "--",
        "all",
    ];
    let ran = wolverine(&arguments, "");
    expect![[r#"
        (Wolverine) start
        note: this program reads its input; `input TEXT` gives it a line
        in main()
            2  int main(int argc, char **argv)
            3  {
        =>  4      int number, total = 0;
                   ^^^^^^^^^^^^^^^^^^^^^^
            5      while (scanf("%d", &number) == 1) {

        main()  argc = 2

        argv
        ▼
        ┌argv─────────────┐
        │program arguments│
        └─────────────────┘
        (Wolverine) next
        the next statement reads input, and none is left: `input TEXT` gives it a line
            3  {
            4      int number, total = 0;
        =>  5      while (scanf("%d", &number) == 1) {
                          ^^^^^^^^^^^^^^^^^^^^^^^^^
            6          total += number;

        main()  argc = 2   number = ?*   total = 0*

        argv
        ▼
        ┌argv─────────────┐
        │program arguments│
        └─────────────────┘
        (Wolverine) input 5 6
        main()  argc = 2   number = ?   total = 0

        argv
        ▼
        ┌argv─────────────┐
        │program arguments│
        └─────────────────┘
        (Wolverine) next 4
             2> so far: 5
            4      int number, total = 0;
            5      while (scanf("%d", &number) == 1) {
        =>  6          total += number;
                       ^^^^^^^^^^^^^^^
            7          fprintf(stderr, "so far: %d\n", total);

        main()  argc = 2   number = 6*   total = 5*

        argv
        ▼
        ┌argv─────────────┐
        │program arguments│
        └─────────────────┘
        (Wolverine) continue
             2> so far: 11
        the next statement reads input, and none is left: `input TEXT` gives it a line
            3  {
            4      int number, total = 0;
        =>  5      while (scanf("%d", &number) == 1) {
                          ^^^^^^^^^^^^^^^^^^^^^^^^^
            6          total += number;

        main()  argc = 2   number = 6   total = 11*

        argv
        ▼
        ┌argv─────────────┐
        │program arguments│
        └─────────────────┘
    "#]]
    .assert_eq(&ran.out);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
}

#[test]
fn a_program_reads_a_file() {
    let (folder, path) = file("sum.c", SUM);
    let numbers = folder.path().join("numbers");
    std::fs::write(&numbers, "1 2 3\n").expect("a file can be written");
    let arguments =
        ["debug", &path.to_string_lossy(), "--engine", "interpreter", "--input", &numbers.to_string_lossy()];
    let ran = wolverine(&arguments, "start\ncontinue");
    expect![[r#"
        (Wolverine) start
        in main()
            2  int main(int argc, char **argv)
            3  {
        =>  4      int number, total = 0;
                   ^^^^^^^^^^^^^^^^^^^^^^
            5      while (scanf("%d", &number) == 1) {

        main()  argc = 1

        argv
        ▼
        ┌argv─────────────┐
        │program arguments│
        └─────────────────┘
        (Wolverine) continue
              > sum\u{1b}[1m
              > 6
             2> so far: 1
             2> so far: 3
             2> so far: 6
        the program ended with status 3
    "#]]
    .assert_eq(&ran.out);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
}

#[test]
fn a_pipe_goes_on_after_errors_and_has_no_colours() {
    let input = "nonsense\n\n  # a comment\nstart\nquit\nnext\n";
    let ran = wolverine(&["debug", CRASH, "--engine", "interpreter"], input);
    expect![[r#"
        (Wolverine) nonsense
        error: there is no command `nonsense`; `help` lists what there is
          # a comment
        (Wolverine) start
        in main()
           31
           32  int main(void) {
        => 33      push(1);
                   ^^^^^^^
           34      push(2);

        globals  head = null
        (Wolverine) quit
    "#]]
    .assert_eq(&ran.out);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(!ran.out.contains('\x1b'));
}

#[test]
fn a_script_can_come_from_standard_input() {
    let ran = wolverine(&["debug", CRASH, "--engine", "interpreter", "--script", "-"], "start\nfly\nnext\n");
    assert_eq!(ran.status, 1);
    assert_eq!(ran.err, "standard input:2: `fly` could not be done, so the script ends here\n");
    assert!(
        ran.out.ends_with("(Wolverine) fly\nerror: there is no command `fly`; did you mean `flip`?\n"),
        "{}",
        ran.out
    );
}

#[test]
fn both_engines_tell_the_same() {
    let script = "start\nnext 4\nstep\nnext 2\nenter\nnext\nback\nfinish\ncontinue\nback\n";
    let [gdb, interpreter] =
        ["gdb", "interpreter"].map(|engine| wolverine(&["debug", REVERSE, "--engine", engine], script));
    assert_eq!((gdb.status, &gdb.err), (0, &String::new()));
    assert_eq!(gdb.out, interpreter.out);
}

#[test]
fn long_pictures_are_cut_unless_they_are_asked_for() {
    let (_folder, path) = file(
        "many.c",
        "#include <stdlib.h>\nint *all[40];\nint main(void)\n{\n    for (int i = 0; i < 40; i++)\n        \
         *(all[i] = malloc(4)) = i;\n    return 0;\n}\n",
    );
    let ran =
        wolverine(&["debug", &path.to_string_lossy(), "--engine", "interpreter"], "break 7\nstart\ncontinue\nshow\n");
    let (cut, shown) = ran.out.split_once("(Wolverine) show\n").expect("a prompt");
    let (_, cut) = cut.split_once("(Wolverine) continue\n").expect("a prompt");
    assert!(cut.trim_end().ends_with("more lines; `show` draws all of it"), "{cut}");
    assert!(shown.lines().count() > 60, "{shown}");
    let left = shown.trim_end().lines().count() - 60;
    assert!(cut.contains(&format!("… {left} more lines;")), "{left}: {cut}");
}

#[test]
fn what_cannot_be_read_is_told() {
    let fails = |arguments: &[&str], message: &str| {
        let ran = wolverine(arguments, "");
        assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (2, "", message));
    };
    let missing = "wolverine: cannot read nowhere: No such file or directory (os error 2)\n";
    fails(&["debug", REVERSE, "--script", "nowhere"], missing);
    fails(&["debug", REVERSE, "--input", "nowhere"], missing);
    let (_folder, path) = file("a.c", "int main(void) { return x; }\n");
    let ran = wolverine(&["debug", &path.to_string_lossy()], "start\n");
    assert!(ran.status == 2 && ran.err.contains("use of undeclared identifier 'x'\n 1 | int"), "{}", ran.err);
}

#[test]
fn without_gdb_the_interpreter_is_used_with_a_note() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let clang = std::env::split_paths(&std::env::var_os("PATH").expect("a path"))
        .map(|folder| folder.join("clang"))
        .find(|path| path.is_file())
        .expect("clang; run ./setup");
    std::os::unix::fs::symlink(clang, folder.path().join("clang")).expect("a link");
    let output = Command::new(env!("CARGO_BIN_EXE_wolverine"))
        .args(["debug", REVERSE])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .env("PATH", folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("the binary can be started");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        err,
        "note: gdb is not installed, so the interpreter runs the program; `apt install gdb gcc` gets both\n"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_session() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wolverine"))
        .args(["debug", REVERSE])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary can be started");
    drop(child.stdout.take());
    let _ = child.stdin.take().expect("piped").write_all(b"start\nnext\nnext\n");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn help_says_what_there_is() {
    let ran = wolverine(&["debug", "--help"], "");
    assert_eq!(ran.status, 0);
    for text in
        ["Usage: wolverine debug [OPTIONS] <FILE> [-- <ARGS>...]", "--script <FILE>", "--input <FILE>", "--engine"]
    {
        assert!(ran.out.contains(text), "no {text} in:\n{}", ran.out);
    }
}
