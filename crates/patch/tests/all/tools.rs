//! What git and gcc say about the patched files.

use std::path::Path;
use std::process::{Command, Output};

use crate::helper::*;
use c_syntax::{Source, Span};
use expect_test::expect;
use patch::{Edit, Patched};
use tempfile::TempDir;

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).current_dir(folder).output().expect("the program is installed")
}

/// Whether git takes the diff and makes the patched text of it.
fn check_with_git(name: &str, text: &[u8], patched: &Patched) {
    let folder = TempDir::new().expect("there is room for temporary files");
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().expect("the file is in the folder")).expect("the folder is writable");
    std::fs::write(&path, text).expect("the folder is writable");
    std::fs::write(folder.path().join("the.diff"), patched.diff_bytes(name)).expect("the folder is writable");
    for arguments in [
        ["init", "--quiet", "."].as_slice(),
        &["-c", "core.autocrlf=false", "apply", "--check", "--whitespace=nowarn", "the.diff"],
        &["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "the.diff"],
    ] {
        let output = run(folder.path(), "git", arguments);
        let diff = patched.diff(name);
        assert!(output.status.success(), "{}\n{diff}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(std::fs::read(&path).expect("the file is there"), patched.text);
}

const LONG: &str = "#include <stdio.h>

int a(void) {
    int x = 1;
    x++;
    return x;
}

/* apart */

int b(int y) {
    if (y)
        puts(\"y\");
    else
        puts(\"not y\");
    y++; y--; // both
    return y;
}";

fn edits() -> [Named; 5] {
    [
        delete("x++"),
        before("puts(\"y\")", &["y = 2;"]),
        guard("puts(\"not y\")", "y != 3"),
        after("y++", &["y += 2;"]),
        replace("y;\n}", "y + 1;\n}"),
    ]
}

#[test]
fn git_takes_the_diffs() {
    for text in [LONG.to_string(), format!("{LONG}\n"), LONG.replace('\n', "\r\n"), format!("{LONG}\n\n\x0c// ä\r\n")]
    {
        let patched = apply(&text, &edits()[..4]).expect("the edits fit");
        check_with_git("a.c", text.as_bytes(), &patched);
    }
    for text in [LONG.to_string(), format!("{LONG}\n")] {
        let patched = apply(&text, &edits()).expect("the edits fit");
        for name in ["a.c", "folder/sub folder/a b.c", "ä.c", "a\"b\\c.c"] {
            check_with_git(name, text.as_bytes(), &patched);
        }
    }
}

#[test]
fn git_takes_diffs_of_files_in_old_encodings() {
    let text = b"void f(void) {\n    a(\"\xe4\");\r    b();\n}".to_vec();
    let source = Source::new("a.c", text.clone());
    let start = text.iter().position(|&byte| byte == b'"').expect("there is a string");
    let edit = Edit::Replace { span: Span::new(start, start + 3), text: "\"o\"".into() };
    let patched = patch::apply(&source, &[edit]).expect("the edit fits");
    check_with_git("a.c", &text, &patched);
}

#[test]
fn the_diff_is_unified() {
    let patched = apply(LONG, &edits()).expect("the edits fit");
    // A blank line of context is shown as a dot.
    let shown = patched.diff("src/a.c").replace("\n \n", "\n ·\n");
    expect![[r#"
        --- a/src/a.c
        +++ b/src/a.c
        @@ -2,17 +2,19 @@
         ·
         int a(void) {
             int x = 1;
        -    x++;
             return x;
         }
         ·
         /* apart */
         ·
         int b(int y) {
        -    if (y)
        +    if (y) {
        +        y = 2;
                 puts("y");
        +    }
             else
        -        puts("not y");
        -    y++; y--; // both
        -    return y;
        +        if (y != 3)
        +            puts("not y");
        +    y++; y += 2; y--; // both
        +    return y + 1;
         }
        \ No newline at end of file
    "#]]
    .assert_eq(&shown);
}

fn warnings(text: &[u8]) -> usize {
    let folder = TempDir::new().expect("there is room for temporary files");
    std::fs::write(folder.path().join("a.c"), text).expect("the folder is writable");
    let output = run(folder.path(), "gcc", &["-std=c11", "-Wall", "-fsyntax-only", "a.c"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(text));
    said.matches("warning:").count()
}

const PROGRAM: &str = "#include <stdlib.h>
#define each(p, l) for (p = l; p; p = p->next)
typedef struct node { struct node *next; int value; } node;
static int sum(node *l) {
    int s = 0;
    node *p;
    each(p, l)
        s += p->value;
    return s;
}
static void push(node **l, int value) {
    node *n = malloc(sizeof *n); n->value = value; n->next = *l; *l = n;
}
static int pop(node **l) {
    int v = -1;
    if (*l == NULL)
        return v; // nothing
    else
        v = (*l)->value;
    if (v > 3) v--; else if (v > 2)
        v++;
    else v = 0;
    while (v > 9) v -= 10;
    do v++; while (v < 3);
    switch (v) {
    case 1: v = 2; break;
    default:
        v = 3;
    }
    goto out;
out:
    free(NULL);
    return v;
}
int main(void) { node *l = NULL; push(&l, 1); push(&l, 2); return sum(l) + pop(&l); }
";

#[test]
fn patched_programs_compile_without_new_warnings() {
    const LONG_IF: &[&str] = &["if (v > 5)", "    v = 5;"];
    const PUSH: &[&str] = &["if (l != NULL)", "    push(&l, 3);"];
    let chain = "if (v > 3) v--; else if (v > 2)\n        v++;\n    else v = 0;";
    let cases: Vec<Vec<Named>> = vec![
        vec![delete("s += p->value"), delete("v--"), delete("v = 0"), delete("v -= 10"), delete("v++; ")],
        vec![after("s += p->value", &["if (s > 9)", "    break;"]), before("s += p->value", &["s++;"])],
        vec![guard("s += p->value", "p->value"), guard("v--", "v"), guard("v++;", "v"), guard("v = 0", "v")],
        vec![guard(chain, "v != 4"), guard("return v", "v"), guard("v = (*l)->value", "*l")],
        vec![before(chain, LONG_IF), after(chain, LONG_IF), after("v--", LONG_IF), before("v = 0", LONG_IF)],
        vec![before("v = 2", LONG_IF), after("v = 2", LONG_IF), guard("break", "v"), after("v = 3", LONG_IF)],
        vec![delete("v = 2"), delete("v = 3"), delete("free(NULL)")],
        vec![delete("break"), before("free(NULL)", &["int w = v;", "v = w;"])],
        vec![before("push(&l, 2)", PUSH), after("push(&l, 1)", PUSH), guard("push(&l, 2)", "l")],
        vec![before("push(&l, 2)", &["l->value = 3;"]), delete("push(&l, 1)"), at_end("pop(&l); }", &["exit(1);"])],
        vec![guard("n->value = value", "n"), after("n->value = value", LONG_IF_N), before("*l = n;", LONG_IF_N)],
        vec![before("v -= 10", LONG_IF), after("v++; ", &["if (v > 7)", "    break;"])],
    ];
    let before = warnings(PROGRAM.as_bytes());
    for (i, edits) in cases.iter().enumerate() {
        let patched = apply(PROGRAM, edits).unwrap_or_else(|error| panic!("case {i}: {error}"));
        assert!(warnings(&patched.text) <= before, "case {i}:\n{}", String::from_utf8_lossy(&patched.text));
        check_with_git("a.c", PROGRAM.as_bytes(), &patched);
    }
}

const LONG_IF_N: &[&str] = &["if (n->value > 5)", "    n->value = 5;"];
