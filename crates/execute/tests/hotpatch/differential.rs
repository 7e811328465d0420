//! A program with live changes does what the changed text does: the same
//! states before the same statements, the same output, the same end.

use execute::{Executor, LiveChange, Stop, Until};

use super::{Session, sessions};

/// A program, its changes, and the text with the changes made by hand.
struct Case {
    text: &'static str,
    changes: fn(&Session) -> Vec<LiveChange>,
    /// What is replaced in the text.
    edits: &'static [(&'static str, &'static str)],
    /// Statements of either text that have no counterpart in the other.
    alone: &'static [&'static str],
}

/// The states before all statements but `alone`, and the end.
fn trace(mut session: Session, alone: &[&str]) -> Vec<String> {
    let mut trace = Vec::new();
    for _ in 0..2000 {
        let place = session.place();
        let is_step = session.executor.position().step().is_some();
        if is_step && !alone.contains(&place.as_str()) {
            let depth = session.executor.calls().expect("calls").len();
            trace.push(format!("{depth}: {}", session.show()));
        }
        match session.executor.position() {
            Stop::Step(_) => {}
            Stop::Fault(fault) => {
                trace.push(format!("{:?}", fault.kind));
                break;
            }
            _ => {
                trace.push(place);
                break;
            }
        }
        session.go(Until::Into, "");
    }
    trace.push(session.output());
    trace
}

fn check(case: &Case) {
    let by_hand = case.edits.iter().fold(case.text.to_string(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        text.replace(old, new)
    });
    for (mut live, changed) in sessions(case.text).into_iter().zip(sessions(&by_hand)) {
        let engine = live.engine;
        let changes = (case.changes)(&live);
        live.set(changes);
        assert_eq!(trace(live, case.alone), trace(changed, case.alone), "{engine}: live (left) and\n{by_hand}");
    }
}

const LIST: &str = r#"
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
int length;
void push(int data) {
    struct node *n = calloc(1, sizeof(struct node));
    n->data = data;
    n->next = head;
    head = n;
    length++;
}
void drop(int data) {
    struct node *before = NULL, *n = head;
    while (n && n->data != data) {
        before = n;
        n = n->next;
    }
    if (!n)
        return;
    if (before)
        before->next = n->next;
    else
        head = n->next;
    length--;
}
int main(void) {
    for (int i = 0; i < 4; i++)
        push(i * i);
    drop(4);
    drop(9);
    drop(5);
    for (struct node *n = head; n; n = n->next)
        printf("%d\n", n->data);
    return length;
}
"#;

#[test]
fn lists() {
    check(&Case {
        text: LIST,
        changes: |s| vec![s.replace("n->data = data", "n->data = data + 1")],
        edits: &[("n->data = data;", "n->data = data + 1;")],
        alone: &[],
    });
    check(&Case {
        text: LIST,
        changes: |s| vec![s.replace("head = n", ""), s.insert("length++", "head = n, printf(\"%d pushed\\n\", data)")],
        edits: &[("    head = n;\n", "    head = n, printf(\"%d pushed\\n\", data);\n")],
        alone: &["head = n", "head = n, printf(\"%d pushed\\n\", data)"],
    });
    check(&Case {
        text: LIST,
        changes: |s| vec![s.insert_from(&["before->next = n->next", "head = n->next"], "length--", "free(n)")],
        edits: &[("    length--;", "    free(n);\n    length--;")],
        alone: &["free(n)"],
    });
    check(&Case {
        text: LIST,
        changes: |s| vec![s.insert_from(&["n = n->next"], "n && n->data != data", "length += 10")],
        edits: &[("        n = n->next;\n    }", "        n = n->next;\n        length += 10;\n    }")],
        alone: &["length += 10"],
    });
    check(&Case {
        text: LIST,
        changes: |s| vec![s.guard("length--", "data > 4"), s.replace("!n", "n == NULL || n->data == 9")],
        edits: &[("    length--;", "    if (data > 4) length--;"), ("if (!n)", "if (n == NULL || n->data == 9)")],
        alone: &["length--", "data > 4"],
    });
    check(&Case {
        text: LIST,
        changes: |s| vec![s.insert_if("before == NULL", "} drop", "length = length * 2")],
        edits: &[
            ("    length--;\n", "    length--;\n    out: if (before == NULL) length = length * 2;\n"),
            ("        return;\n", "        goto out;\n"),
        ],
        alone: &["before == NULL", "length = length * 2", "return", "return;"],
    });
    check(&Case {
        text: LIST,
        changes: |s| vec![s.replace("int i = 0;", "i = 2"), s.replace("n && n->data != data", "n->data != data")],
        edits: &[("int i = 0;", "int i = 2;"), ("n && n->data", "n->data")],
        alone: &[],
    });
}

const TREE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
struct tree *insert(struct tree *t, int key) {
    if (!t) {
        struct tree *fresh = calloc(1, sizeof *fresh);
        fresh->key = key;
        return fresh;
    }
    if (key < t->key)
        t->left = insert(t->right, key);
    else
        t->right = insert(t->right, key);
    return t;
}
int sum(struct tree *t) {
    if (t == NULL)
        return 0;
    return t->key + sum(t->left);
}
int depth(struct tree *t) {
    int l = 0, r = 0;
    if (t) {
        l = depth(t->left);
        r = depth(t->right);
    }
    return t ? 1 + (l > r ? l : r) : 0;
}
int main(void) {
    struct tree *root = NULL;
    int keys[] = { 5, 2, 8, 1, 3 };
    for (int i = 0; i < 5; i++)
        root = insert(root, keys[i]);
    printf("%d\n", sum(root));
    return depth(root);
}
"#;

#[test]
fn trees() {
    check(&Case {
        text: TREE,
        changes: |s| {
            vec![
                s.replace("t->left = insert(t->right, key)", "t->left = insert(t->left, key)"),
                s.replace("return t->key + sum(t->left)", "return t->key + sum(t->left) + sum(t->right)"),
            ]
        },
        edits: &[
            ("t->left = insert(t->right", "t->left = insert(t->left"),
            ("+ sum(t->left);", "+ sum(t->left) + sum(t->right);"),
        ],
        alone: &[],
    });
    check(&Case {
        text: TREE,
        changes: |s| {
            vec![
                s.replace("t->left = insert(t->right, key)", "t->left = insert(t->left, key)"),
                s.insert("return t ? 1 + (l > r ? l : r) : 0", "l = l + sum(t)"),
            ]
        },
        edits: &[
            ("t->left = insert(t->right", "t->left = insert(t->left"),
            ("    return t ? 1", "    l = l + sum(t);\n    return t ? 1"),
        ],
        alone: &["l = l + sum(t)", "t == NULL", "return 0", "return t->key + sum(t->left)", "}"],
    });
    check(&Case {
        text: TREE,
        changes: |s| {
            vec![
                s.replace("t", "t && depth(t->left) == 0"),
                s.replace("key < t->key", "(key < t->key) == (sum(t) < 100)"),
            ]
        },
        edits: &[
            ("    if (t) {", "    if (t && depth(t->left) == 0) {"),
            ("key < t->key", "(key < t->key) == (sum(t) < 100)"),
        ],
        alone: &[],
    });
}

const NUMBERS: &str = r#"
#include <stdio.h>
double mean(const int *a, int n) {
    double s = 0;
    int i = 0;
    while (i < n) {
        s += a[i];
        i++;
    }
    return s;
}
unsigned char low(int x) {
    switch (x % 3) {
    case 0:
        x = 1;
        break;
    default:
        x += 300;
    }
    return x;
}
int main(void) {
    int a[4] = { 3, 1, 4, 1 }, x = 0, t = 0;
    scanf("%d", &x);
    printf("%.2f %d\n", mean(a, 4), low(x));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (a[j] > a[j + 1]) {
                t = a[j];
                a[j] = a[j + 1];
            }
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    return a[0] + t;
}
"#;

#[test]
fn numbers() {
    check(&Case {
        text: NUMBERS,
        changes: |s| vec![s.replace("return s", "return s / n"), s.replace("s += a[i]", "s += 2 * a[i]")],
        edits: &[("return s;", "return s / n;"), ("s += a[i]", "s += 2 * a[i]")],
        alone: &[],
    });
    check(&Case {
        text: NUMBERS,
        changes: |s| vec![s.insert_from(&["a[j] = a[j + 1]"], "j++", "a[j + 1] = t")],
        edits: &[("a[j] = a[j + 1];\n", "a[j] = a[j + 1];\n                a[j + 1] = t;\n")],
        alone: &["a[j + 1] = t"],
    });
    check(&Case {
        text: NUMBERS,
        changes: |s| {
            vec![s.guard("x += 300", "x > 100"), s.insert("} low", "x = 0"), s.replace("scanf(\"%d\", &x)", "x = 14")]
        },
        edits: &[
            ("        x += 300;", "        if (x > 100) x += 300;"),
            ("    scanf(\"%d\", &x);", "    x = 14; (void)&x;"),
        ],
        alone: &["x += 300", "x > 100", "(void)&x", "}"],
    });
    check(&Case {
        text: NUMBERS,
        changes: |s| {
            vec![s.guard("scanf(\"%d\", &x)", "t != 0"), s.replace("a[j] > a[j + 1]", "a[j] < a[j + 1] && i != j")]
        },
        edits: &[
            ("    scanf(\"%d\", &x);", "    if (t != 0) scanf(\"%d\", &x);"),
            ("a[j] > a[j + 1]", "a[j] < a[j + 1] && i != j"),
        ],
        alone: &["scanf(\"%d\", &x)", "t != 0"],
    });
}

/// Temporaries that live in memory must survive what takes their registers.
#[test]
fn structs() {
    let text = "
struct pair { int a, b; };
struct pair make(int a) {
    struct pair p = { a, a + 1 };
    return p;
}
int main(void) {
    int x = 1, s = 0;
    struct pair q = { 0, 0 };
    for (int i = 0; i < 3; i++) {
        x = x + 1;
        s += make(x).a + make(s).b;
        q = make(s);
    }
    return s + x + q.b;
}
";
    check(&Case {
        text,
        changes: |s| {
            vec![s.replace("x = x + 1", "x = (x + 1) * (x + 2) - x * s"), s.insert("q = make(s)", "q.b = q.a + s * x")]
        },
        edits: &[
            ("        x = x + 1;", "        x = (x + 1) * (x + 2) - x * s;"),
            ("        q = make(s);", "        q.b = q.a + s * x;\n        q = make(s);"),
        ],
        alone: &["q.b = q.a + s * x"],
    });
}
