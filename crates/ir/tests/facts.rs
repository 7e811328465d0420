//! What is known of the variables before each step, exactly, for small functions.
//!
//! Each line is a step with the variables in scope that are live, and after
//! the bar those that were never assigned. After a change that is meant:
//! `UPDATE_EXPECT=1 cargo test -p ir --test facts`, and read the difference.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use c_syntax::Source;
use expect_test::{Expect, expect};
use ir::{LocalId, Program, StepId};
use memory::Visible;

fn load(text: &str) -> Program {
    ir::load_text(Arc::new(Source::new("test.c", text.into()))).expect("the text is C")
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&listing(&load(text)));
}

fn listing(program: &Program) -> String {
    let facts = ir::facts(program);
    let mut out = String::new();
    for (i, step) in program.steps.iter().enumerate() {
        let names = |is: &dyn Fn(LocalId) -> bool| {
            let locals = step.visible.iter().filter_map(|visible| match visible {
                Visible::Local(local) => Some(LocalId(*local as u32)),
                Visible::Static(_) => None,
            });
            let name = |local: LocalId| &*program.function(step.function).locals[local.index()].name;
            locals.filter(|local| is(*local)).map(name).collect::<Vec<_>>().join(" ")
        };
        let id = StepId(i as u32);
        let (live, unassigned) =
            (names(&|local| facts.is_live(id, local)), names(&|local| facts.is_unassigned(id, local)));
        let line = format!("{:<24} {live} | {unassigned}", program.source.text(step.span));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

#[test]
fn straight_line() {
    check(
        "int f(int a, int b) { int x, y; x = a; y = x + b; x = y; return x; }",
        expect![[r#"
            x = a                    a b | x y
            y = x + b                b x | y
            x = y                    y |
            return x                 x |
            }                         |
        "#]],
    );
}

#[test]
fn reading_and_writing_at_once() {
    check(
        "int f(int a, int n) { int i = 0, s; s = i++; a += n; i = i + (i = 3); return s + a; }",
        expect![[r#"
            int i = 0, s;            a n |
            s = i++                  a n i | s
            a += n                   a n s |
            i = i + (i = 3)          a s |
            return s + a             a s |
            }                         |
        "#]],
    );
}

#[test]
fn branches() {
    check(
        "int f(int a) { int x, y, z; if (a > 0) { x = 1; y = 2; } else x = 3; if (a) return y; z = x; return z; }",
        expect![[r#"
            a > 0                    a y | x y z
            x = 1                    a | x y z
            y = 2                    a x | y z
            x = 3                    a y | x y z
            a                        a x y | z
            return y                 y | z
            z = x                    x | z
            return z                 z |
            }                         |
        "#]],
    );
}

#[test]
fn while_loop() {
    check(
        "int f(int n) { int s = 0, old; while (n > 0) { old = s; s = old + n; n = n - 1; } return s; }",
        expect![[r#"
            int s = 0, old;          n |
            n > 0                    n s |
            old = s                  n s |
            s = old + n              n old |
            n = n - 1                n s |
            return s                 s |
            }                         |
        "#]],
    );
}

#[test]
fn do_loop() {
    check(
        "int f(int n) { int last, s; do { last = n; n = last / 2; s = last; } while (n); return s; }",
        expect![[r#"
            last = n                 n |
            n = last / 2             last |
            s = last                 n last |
            n                        n s |
            return s                 s |
            }                         |
        "#]],
    );
}

#[test]
fn for_loop() {
    check(
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
        expect![[r#"
            int s = 0;               n |
            int i = 0;               n s |
            i < n                    n s i |
            i++                      n s i |
            s += i                   n s i |
            return s                 s |
            }                         |
        "#]],
    );
}

#[test]
fn nested_loops_with_break_and_continue() {
    check(
        "int f(int n) {
            int i, j, found = 0, best;
            for (i = 0; i < n; i++) {
                for (j = i; ; j++) {
                    if (j == 7) break;
                    if (j == 3) continue;
                    found = j;
                }
                if (found) { best = i; break; }
            }
            return found;
        }",
        expect![[r#"
            int i, j, found = 0, best; n |
            i = 0                    n found | i j best
            i < n                    n i found | best
            i++                      n i found | best
            j = i                    n i found | best
            j++                      n i j found | best
            j == 7                   n i j found | best
            j == 3                   n i j found | best
            found = j                n i j | best
            found                    n i found | best
            best = i                 i found | best
            return found             found |
            }                         |
        "#]],
    );
}

#[test]
fn continue_goes_to_the_update() {
    check(
        "int f(int n, int k) { int m; for (; n > 0; k = n) { n -= k; if (n == 5) continue; m = 1; } return n; }",
        expect![[r#"
            n > 0                    n k |
            k = n                    n |
            n -= k                   n k |
            n == 5                   n |
            m = 1                    n |
            return n                 n |
            }                         |
        "#]],
    );
}

#[test]
fn endless_loop() {
    check(
        "int f(int n) { int never, k; while (1) { k = n; n = k + 1; if (n > 9) break; } return k; }",
        expect![[r#"
        k = n                    n | never
        n = k + 1                k | never
        n > 9                    n k | never
        return k                 k | never
        }                         | never
    "#]],
    );
}

#[test]
fn goto_backward() {
    check(
        "int f(int n) { int s = 0, t; again: t = n; s += t; n--; if (n) goto again; return s; }",
        expect![[r#"
            int s = 0, t;            n |
            t = n                    n s |
            s += t                   n s t |
            n--                      n s |
            n                        n s |
            return s                 s |
            }                         |
        "#]],
    );
}

#[test]
fn goto_into_a_loop() {
    check(
        "int f(int n) { int x, y; if (n) goto inside; x = 1; while (n < 5) { y = x; inside: n = n + y; } return n; }",
        expect![[r#"
            n                        n x y | x y
            x = 1                    n | x y
            n < 5                    n x |
            y = x                    n x |
            n = n + y                n x y |
            return n                 n |
            }                         |
        "#]],
    );
}

#[test]
fn switch_with_fallthrough_and_no_default() {
    check(
        "int f(int n, int a, int b, int c) {
            int r;
            switch (n) {
            case 1: a = 5;
            case 2: r = a; break;
            case 3: r = b; b = 0; break;
            }
            return r + c;
        }",
        expect![[r#"
            n                        n a b c r | r
            a = 5                    c | r
            r = a                    a c | r
            r = b                    b c | r
            b = 0                    c r |
            return r + c             c r |
            }                         |
        "#]],
    );
}

#[test]
fn switch_that_always_assigns() {
    check(
        "int f(int n, int a) { int r = a; switch (n) { case 1: r = 2; break; default: r = 3; } return r; }",
        expect![[r#"
            int r = a;               n a |
            n                        n |
            r = 2                     |
            r = 3                     |
            return r                 r |
            }                         |
        "#]],
    );
}

#[test]
fn a_declaration_before_the_cases() {
    check(
        "int f(int n) { switch (n) { int k; case 0: k = 1; return k; case 1: n = 2; } return n; }",
        expect![[r#"
            n                        n |
            k = 1                     | k
            return k                 k |
            n = 2                     | k
            return n                 n |
            }                         |
        "#]],
    );
}

#[test]
fn branches_of_expressions() {
    check(
        "int f(int a, int b, int c, int d) { int x; x = a && (b = c); x = a ? b : d; d = x || (c = 1); return c + d; }",
        expect![[r#"
            x = a && (b = c)         a b c d | x
            x = a ? b : d            a b c d |
            d = x || (c = 1)         c x |
            return c + d             c d |
            }                         |
        "#]],
    );
}

#[test]
fn constant_conditions() {
    check(
        "int f(int a, int b) { int x; if (0) x = a; do { x = b; } while (0); if (1) b = x; return b; }",
        expect![[r#"
            x = a                    a b | x
            x = b                    b | x
            b = x                    x |
            return b                 b |
            }                         |
        "#]],
    );
}

#[test]
fn early_return() {
    check(
        "int f(int a, int b) { int r; if (a) return b; r = a; return r; b = 0; }",
        expect![[r#"
            a                        a b | r
            return b                 b | r
            r = a                    a | r
            return r                 r |
            b = 0                     | r
            }                         |
        "#]],
    );
}

#[test]
fn recursion() {
    check(
        "int f(int n, int k) { int a; if (n < 2) return 1; a = f(n - 1, k); n = k; return a + n; }",
        expect![[r#"
            n < 2                    n k | a
            return 1                  | a
            a = f(n - 1, k)          n k | a
            n = k                    k a |
            return a + n             n a |
            }                         |
        "#]],
    );
}

#[test]
fn old_style_parameters() {
    check(
        "int f(a, b) int a; char b; { int x; x = a; a = b; return x; }",
        expect![[r#"
            x = a                    a b | x
            a = b                    b x |
            return x                 x |
            }                         |
        "#]],
    );
}

#[test]
fn variable_length_arrays() {
    check(
        "int f(int n, int m) { int k = m; int a[n][k]; n = 0; k = 0; a[1][m] = 2; return a[0][1] + sizeof a; }",
        expect![[r#"
            int k = m;               n m |
            int a[n][k];             n m k |
            n = 0                    m a | a
            k = 0                    m a | a
            a[1][m] = 2              m a | a
            return a[0][1] + sizeof a a |
            }                        a |
        "#]],
    );
}

#[test]
fn what_lives_in_memory() {
    check(
        "struct pair { int a, b; }; void g(int *);
         int f(void) { int x, y, list[2]; struct pair p; y = 1; g(&x); y = 2; p.a = y; return 0; }",
        expect![[r#"
            y = 1                    x list p | x y list p
            g(&x)                    x list p | x list p
            y = 2                    x list p | list p
            p.a = y                  x y list p | list p
            return 0                 x list p | list
            }                        x list p | list
        "#]],
    );
}

#[test]
fn pointers_and_calls() {
    check(
        "struct node { struct node *next; int data[4]; };
         void f(struct node *p, struct node *q, int i, int (*g)(int)) { q->next = p; p = p->next->next; q->data[i] = g(i); g(q - p); }",
        expect![[r#"
            q->next = p              p q i g |
            p = p->next->next        p q i g |
            q->data[i] = g(i)        p q i g |
            g(q - p)                 p q g |
            }                         |
        "#]],
    );
}

#[test]
fn inner_scopes() {
    check(
        "int f(int x) { int y = x; { int x; x = 2; y = x; { int y; y = x; } } return x + y; }",
        expect![[r#"
            int y = x;               x |
            x = 2                     | x
            y = x                    x |
            y = x                    x | y
            return x + y             x y |
            }                         |
        "#]],
    );
}

#[test]
fn declared_in_a_loop() {
    check(
        "int f(int n) { int all; while (n) { int one; n--; one = n; all = one; n = all; } return n; }",
        expect![[r#"
            n                        n |
            n--                      n | one
            one = n                  n | one
            all = one                one |
            n = all                  all |
            return n                 n |
            }                         |
        "#]],
    );
}

#[test]
fn code_that_is_not_modelled() {
    check(
        "int f(int n) { int x, y; x = n; __asm__(\"nop\" : \"=r\"(y)); return 0; }",
        expect![[r#"
            x = n                    n x y |
            __asm__("nop" : "=r"(y)) n x y |
            return 0                 n x y |
            }                        n x y |
        "#]],
    );
}

#[test]
fn set_jump() {
    check(
        "#include <setjmp.h>\njmp_buf place; void g(void); int f(void) { int x; if (setjmp(place)) return x; x = 1; g(); return 0; }",
        expect![[r#"
            setjmp(place)            x |
            return x                 x |
            x = 1                    x |
            g()                      x |
            return 0                 x |
            }                        x |
        "#]],
    );
}

#[test]
fn more_variables_than_a_word_holds() {
    let names: Vec<String> = (0..150).map(|i| format!("v{i}")).collect();
    let first: String = names.iter().map(|name| format!("{name} = 1; ")).collect();
    let text = format!("int f(void) {{ int {}; {first} return {}; }}", names.join(", "), names.join(" + "));
    let (program, step) = (load(&text), |i| StepId(i as u32));
    let facts = ir::facts(&program);
    for (i, j) in (0..150).flat_map(|i| (0..150).map(move |j| (i, j))) {
        let local = LocalId(j as u32);
        assert_eq!(facts.is_live(step(i), local), j < i, "v{j} before v{i} = 1");
        assert_eq!(facts.is_unassigned(step(i), local), j >= i, "v{j} before v{i} = 1");
    }
    let temporary = LocalId(150);
    assert!(!facts.is_live(step(0), temporary) && !facts.is_unassigned(step(0), temporary));
}

/// W, Figure 1.
#[test]
fn the_reversal_of_the_paper() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/reverse.c");
    let program = ir::load(&path).expect("the example is C");
    let all = listing(&program);
    let from = all.find("struct node *current").expect("reverse begins so");
    let to = all[from..].find('}').expect("it ends") + from;
    expect![[r#"
        struct node *current, *temp1 = NULL, *temp2 = NULL;  |
        current = head           temp1 | current
        temp1 != NULL            current temp1 |
        temp1 = current->prev    current |
        temp2 = current->prev    current temp1 |
        current->prev = temp2    current temp1 temp2 |
        current->next = temp1    current temp1 |
        current = current->prev  current temp1 |
    "#]]
    .assert_eq(&all[from..to]);
}

// ----- input -----

#[test]
fn steps_that_read_input() {
    let program = load(
        "#include <stdio.h>
         #include <unistd.h>
         int getline_of_mine(void) { return 1; }
         int main(void) {
             int n, c; char text[9]; int (*reader)(void) = getchar;
             printf(\"?\");
             scanf(\"%d\", &n);
             while ((c = getchar()) != EOF) ungetc(c, stdin);
             for (; n > 0 && fgets(text, 9, stdin); n--) reader();
             if (read(0, text, 1)) getline_of_mine();
             return fread(text, 1, 1, stdin);
         }",
    );
    let steps: Vec<String> =
        ir::reads_input(&program).iter().map(|step| program.source.text(program.step(*step).span)).collect();
    expect![[r#"
        scanf("%d", &n)
        (c = getchar()) != EOF
        n > 0 && fgets(text, 9, stdin)
        read(0, text, 1)
        return fread(text, 1, 1, stdin)"#]]
    .assert_eq(&steps.join("\n"));
}

#[test]
fn an_own_function_reads_no_input() {
    let program = load("int getline(void) { return 1; } int main(void) { return getline(); }");
    assert!(ir::reads_input(&program).is_empty());
}

// ----- entries -----

fn entries(text: &str) -> String {
    let program = load(text);
    let function = program.function_named("f").expect("there is an f");
    let steps = ir::entry_steps(&program, function);
    steps.iter().map(|step| program.source.text(program.step(*step).span)).collect::<Vec<_>>().join(" ")
}

#[test]
fn functions_begin_at_their_first_step() {
    let first = [
        ("void f(int n) { int a, b; n = 1; }", "n = 1"),
        ("void f(int n) { int a = 1; n = 2; }", "int a = 1;"),
        ("void f(int n) { while (n) n--; }", "n"),
        ("void f(int n) { do n--; while (n > 3); }", "n--"),
        ("void f(int n) { do { } while (n > 3); }", "n > 3"),
        ("void f(int n) { for (; ; n++) { if (n == 2) break; } }", "n == 2"),
        ("void f(int n) { for (; ; n++) { } }", "n++"),
        ("void f(int n) { for (int i = 0; i < n; i++) { } }", "int i = 0;"),
        ("void f(int n) { again: n++; goto again; }", "n++"),
        ("void f(int n) { goto end; n++; end: n--; }", "n--"),
        ("void f(int n) { switch (n) { case 1: n++; } }", "n"),
        ("void f(int n) { switch (3) { case 1: n++; break; case 2: n--; } }", "n++ n-- }"),
        ("void f(int n) { if (n > 1) n = 0; }", "n > 1"),
        ("void f(int n) { if (0) n = 0; else n = 1; }", "n = 1"),
        ("void f(int n) { while (0) n = 0; }", "}"),
        ("void f(int n) { { { } } }", "}"),
        ("int f(int n) { return n; }", "return n"),
        ("void f(void) { for (;;) ; }", ""),
    ];
    for (text, expected) in first {
        assert_eq!(entries(text), expected, "{text}");
    }
}

#[test]
fn pointers_have_an_address_where_that_of_another_one_is_taken() {
    let text = "struct node { struct node *next; };\nvoid g(struct node **at, int *n);\n\
                void f(struct node *p, int m) { struct node *q = p; int n = m; g(&q, &n); }\n\
                void h(struct node *p) { struct node *q = p; g(&p->next, 0); }\n\
                void k(struct node **p) { struct node *q = *p; g(p, 0); }\n";
    let program = load(text);
    let in_memory = |name: &str| {
        let function = program.function(program.function_named(name).expect("it is there"));
        let named = function.locals[..function.named].iter();
        named.filter(|local| local.in_memory).map(|local| local.name.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!([in_memory("f"), in_memory("h"), in_memory("k")], ["p q n", "", ""]);
}
