//! The text of drivers, for each kind of parameter.

use std::sync::Arc;

use c_syntax::Source;
use check::{Options, load_sources};
use expect_test::{Expect, expect};

/// The driver of `f`, without the prototypes that all have; it has been compiled.
fn check(text: &str, options: &Options, expected: Expect) {
    let options = Options { entry: Some("f".into()), length: 2, ..options.clone() };
    let source = Arc::new(Source::new("program.c", text.as_bytes().to_vec()));
    let task = load_sources(&[source], &options).unwrap_or_else(|error| panic!("{error}"));
    let side = &task.program;
    let driver = String::from_utf8_lossy(&side.source().bytes[side.own..]).into_owned();
    let own = driver.lines().filter(|line| !line.is_empty() && !line.starts_with("extern"));
    expected.assert_eq(&own.map(|line| format!("{line}\n")).collect::<String>());
}

fn plain(text: &str, expected: Expect) {
    check(text, &Options::default(), expected);
}

#[test]
fn integers() {
    plain(
        "int f(int x, unsigned char c, _Bool b, long y) { return x + c + b + y; }",
        expect![[r#"
        int wolverine_driver(void) {
            int x;
            x = __VERIFIER_nondet_int();
            unsigned char c;
            c = __VERIFIER_nondet_uchar();
            _Bool b;
            b = __VERIFIER_nondet_bool();
            long y;
            y = __VERIFIER_nondet_long();
            int wolverine_result = f(x, c, b, y);
            printf("result = %lld\n", (long long)wolverine_result);
            return 0;
        }
    "#]],
    );
}

#[test]
fn arrays_and_strings() {
    plain(
        "int g; int f(int a[3], char *s) { g = a[0]; return s[0]; }",
        expect![[r#"
        int wolverine_driver(void) {
            int a_cells[2];
            a_cells[0] = __VERIFIER_nondet_int();
            a_cells[1] = __VERIFIER_nondet_int();
            int *a = a_cells;
            char s_cells[3];
            s_cells[0] = __VERIFIER_nondet_char();
            s_cells[1] = __VERIFIER_nondet_char();
            s_cells[2] = 0;
            char *s = s_cells;
            int wolverine_result = f(a, s);
            printf("a[0] = %lld\n", (long long)a_cells[0]);
            printf("a[1] = %lld\n", (long long)a_cells[1]);
            printf("s[0] = %lld\n", (long long)s_cells[0]);
            printf("s[1] = %lld\n", (long long)s_cells[1]);
            printf("s[2] = %lld\n", (long long)s_cells[2]);
            printf("result = %lld\n", (long long)wolverine_result);
            printf("g = %lld\n", (long long)g);
            return 0;
        }
    "#]],
    );
}

#[test]
fn a_struct_by_value() {
    plain(
        "struct pair { int x; short y[2]; }; struct pair f(struct pair p) { p.x++; return p; }",
        expect![[r#"
        int wolverine_driver(void) {
            struct pair p;
            p.x = __VERIFIER_nondet_int();
            p.y[0] = __VERIFIER_nondet_short();
            p.y[1] = __VERIFIER_nondet_short();
            struct pair wolverine_result = f(p);
            printf("result.x = %lld\n", (long long)wolverine_result.x);
            printf("result.y[0] = %lld\n", (long long)wolverine_result.y[0]);
            printf("result.y[1] = %lld\n", (long long)wolverine_result.y[1]);
            return 0;
        }
    "#]],
    );
}

/// A record without a tag has only its typedef's name.
#[test]
fn a_typedef_without_a_tag() {
    plain(
        "typedef struct { int x; } pair; int f(pair p, pair *q) { return p.x + q->x; }",
        expect![[r#"
        int wolverine_driver(void) {
            pair p;
            p.x = __VERIFIER_nondet_int();
            pair q_cells[2];
            q_cells[0].x = __VERIFIER_nondet_int();
            q_cells[1].x = __VERIFIER_nondet_int();
            pair *q = q_cells;
            int wolverine_result = f(p, q);
            printf("q[0].x = %lld\n", (long long)q_cells[0].x);
            printf("q[1].x = %lld\n", (long long)q_cells[1].x);
            printf("result = %lld\n", (long long)wolverine_result);
            return 0;
        }
    "#]],
    );
}

#[test]
fn a_list() {
    plain(
        "typedef struct node { int value; struct node *next; } node; node *f(node *head) { return head; }",
        expect![[r#"
        static void wolverine_show_2(struct node *p) { if (!p) { printf(" ."); return; } printf(" %lld", (long long)p->value); wolverine_show_2(p->next); }
        int wolverine_driver(void) {
            struct node *head = 0;
            _Bool head_node0_there = __VERIFIER_nondet_bool();
            struct node *head_node0 = 0;
            int head_node0_value = __VERIFIER_nondet_int();
            if (head_node0_there) { head_node0 = malloc(sizeof *head_node0); head_node0->value = head_node0_value; head_node0->next = 0; head = head_node0; }
            _Bool head__next_node2_there = __VERIFIER_nondet_bool();
            struct node *head__next_node2 = 0;
            int head__next_node2_value = __VERIFIER_nondet_int();
            if (head_node0 && head__next_node2_there) { head__next_node2 = malloc(sizeof *head__next_node2); head__next_node2->value = head__next_node2_value; head__next_node2->next = 0; head_node0->next = head__next_node2; }
            struct node *wolverine_result = f(head);
            printf("head ="); wolverine_show_2(head); printf("\n");
            printf("result ="); wolverine_show_2(wolverine_result); printf("\n");
            return 0;
        }
    "#]],
    );
}

#[test]
fn a_tree() {
    plain(
        "struct tree { int key; struct tree *left, *right, *parent; }; int f(struct tree *t) { return t != 0; }",
        expect![[r#"
        static void wolverine_show_2(struct tree *p) { if (!p) { printf(" ."); return; } printf(" %lld", (long long)p->key); wolverine_show_2(p->left); wolverine_show_2(p->right); }
        int wolverine_driver(void) {
            struct tree *t = 0;
            _Bool t_node0_there = __VERIFIER_nondet_bool();
            struct tree *t_node0 = 0;
            int t_node0_key = __VERIFIER_nondet_int();
            if (t_node0_there) { t_node0 = malloc(sizeof *t_node0); t_node0->key = t_node0_key; t_node0->parent = 0; t_node0->left = 0; t_node0->right = 0; t = t_node0; }
            _Bool t__left_node2_there = __VERIFIER_nondet_bool();
            struct tree *t__left_node2 = 0;
            int t__left_node2_key = __VERIFIER_nondet_int();
            if (t_node0 && t__left_node2_there) { t__left_node2 = malloc(sizeof *t__left_node2); t__left_node2->key = t__left_node2_key; t__left_node2->parent = t_node0; t__left_node2->left = 0; t__left_node2->right = 0; t_node0->left = t__left_node2; }
            _Bool t__right_node4_there = __VERIFIER_nondet_bool();
            struct tree *t__right_node4 = 0;
            int t__right_node4_key = __VERIFIER_nondet_int();
            if (t_node0 && t__right_node4_there) { t__right_node4 = malloc(sizeof *t__right_node4); t__right_node4->key = t__right_node4_key; t__right_node4->parent = t_node0; t__right_node4->left = 0; t__right_node4->right = 0; t_node0->right = t__right_node4; }
            int wolverine_result = f(t);
            printf("t ="); wolverine_show_2(t); printf("\n");
            printf("result = %lld\n", (long long)wolverine_result);
            return 0;
        }
    "#]],
    );
}

#[test]
fn a_pointer_to_a_pointer() {
    plain(
        "struct node { int value; struct node *next; }; void f(struct node **head) { *head = 0; }",
        expect![[r#"
        static void wolverine_show_2(struct node *p) { if (!p) { printf(" ."); return; } printf(" %lld", (long long)p->value); wolverine_show_2(p->next); }
        int wolverine_driver(void) {
            struct node *head_target = 0;
            _Bool head_target_node0_there = __VERIFIER_nondet_bool();
            struct node *head_target_node0 = 0;
            int head_target_node0_value = __VERIFIER_nondet_int();
            if (head_target_node0_there) { head_target_node0 = malloc(sizeof *head_target_node0); head_target_node0->value = head_target_node0_value; head_target_node0->next = 0; head_target = head_target_node0; }
            _Bool head_target__next_node2_there = __VERIFIER_nondet_bool();
            struct node *head_target__next_node2 = 0;
            int head_target__next_node2_value = __VERIFIER_nondet_int();
            if (head_target_node0 && head_target__next_node2_there) { head_target__next_node2 = malloc(sizeof *head_target__next_node2); head_target__next_node2->value = head_target__next_node2_value; head_target__next_node2->next = 0; head_target_node0->next = head_target__next_node2; }
            struct node **head = &head_target;
            f(head);
            printf("head_target ="); wolverine_show_2(head_target); printf("\n");
            return 0;
        }
    "#]],
    );
    plain(
        "void f(int **p) { **p = 1; }",
        expect![[r#"
        int wolverine_driver(void) {
            int p_target_cells[2];
            p_target_cells[0] = __VERIFIER_nondet_int();
            p_target_cells[1] = __VERIFIER_nondet_int();
            int *p_target = p_target_cells;
            int **p = &p_target;
            f(p);
            printf("p_target[0] = %lld\n", (long long)p_target_cells[0]);
            printf("p_target[1] = %lld\n", (long long)p_target_cells[1]);
            return 0;
        }
    "#]],
    );
}

#[test]
fn what_is_observed_and_what_is_unknown() {
    let text = "int g, h; int f(int x, int *a) { g += x; return a[0]; }";
    check(
        text,
        &Options { observe: vec!["g".into(), "a".into()], ..Options::default() },
        expect![[r#"
        int wolverine_driver(void) {
            int x;
            x = __VERIFIER_nondet_int();
            int a_cells[2];
            a_cells[0] = __VERIFIER_nondet_int();
            a_cells[1] = __VERIFIER_nondet_int();
            int *a = a_cells;
            int wolverine_result = f(x, a);
            printf("a[0] = %lld\n", (long long)a_cells[0]);
            printf("a[1] = %lld\n", (long long)a_cells[1]);
            printf("g = %lld\n", (long long)g);
            return 0;
        }
    "#]],
    );
    check(
        text,
        &Options { symbolic_globals: true, assume: vec!["x < g".into()], ..Options::default() },
        expect![[r#"
        int wolverine_driver(void) {
            g = __VERIFIER_nondet_int();
            h = __VERIFIER_nondet_int();
            int x;
            x = __VERIFIER_nondet_int();
            int a_cells[2];
            a_cells[0] = __VERIFIER_nondet_int();
            a_cells[1] = __VERIFIER_nondet_int();
            int *a = a_cells;
            __VERIFIER_assume(x < g);
            int wolverine_result = f(x, a);
            printf("a[0] = %lld\n", (long long)a_cells[0]);
            printf("a[1] = %lld\n", (long long)a_cells[1]);
            printf("result = %lld\n", (long long)wolverine_result);
            printf("g = %lld\n", (long long)g);
            printf("h = %lld\n", (long long)h);
            return 0;
        }
    "#]],
    );
}

#[test]
fn no_input_can_be_made_up() {
    let source = Arc::new(Source::new("program.c", b"int f(double d) { return d > 1; }".to_vec()));
    let options = Options { entry: Some("f".into()), ..Options::default() };
    let error = load_sources(&[source], &options).expect_err("it is a floating number").to_string();
    assert!(error.starts_with("`d` has the type `double`, for which no inputs can be made up"), "{error}");
}
