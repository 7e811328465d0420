//! What each edit makes of the user's text, as golden text. Line ends of CRLF files are shown as `␍`.

use crate::helper::*;
use expect_test::{Expect, expect};

fn check(text: &str, edits: &[Named], expected: Expect) {
    let patched = apply(text, edits).expect("the edits fit");
    expected.assert_eq(&String::from_utf8_lossy(&patched.text).replace('\r', "␍"));
}

#[test]
fn a_deleted_statement_takes_its_line_and_comment() {
    let text = "void f(void) {
    a();
    b(1,
      2); // why

    c(); /* two
    lines */
    d();
}
";
    let edits = [delete("b(1,\n      2)"), delete("c()")];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            a();

            d();
        }
    "#]],
    );
}

#[test]
fn deleted_statements_on_one_line() {
    let text = "void f(void) {
    a(); b(); c();
    d();e();
    { g(); }
    h(); i(); // last
    j(); k();
}
";
    let edits = [delete("b()"), delete("d()"), delete("g()"), delete("i()"), delete("j()"), delete("k();")];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            a(); c();
            e();
            { }
            h(); // last
        }
    "#]],
    );
}

#[test]
fn a_deleted_body_becomes_a_semicolon() {
    let text = "void f(void) {
    if (x)
        a(); // why
    else b();
    while (y) c();
    do d(); while (z);
    for (;;) // why
        if (w) e(); else g();
}
";
    let edits = [delete("a()"), delete("b()"), delete("c()"), delete("d()"), delete("if (w) e(); else g();")];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            if (x)
                ;
            else ;
            while (y) ;
            do ; while (z);
            for (;;) // why
                ;
        }
    "#]],
    );
}

#[test]
fn a_label_keeps_a_statement() {
    let text = "void f(void) {
    switch (x) {
    case 1: a(); break;
    default:
        b();
        break;
    }
out:
    c();
}
";
    let edits = [delete("a()"), delete("b()"), delete("c()")];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            switch (x) {
            case 1: break;
            default:
                break;
            }
        out:
            ;
        }
    "#]],
    );
}

#[test]
fn a_label_before_nothing_keeps_one_semicolon() {
    let text = "void f(void) {
    switch (x) {
    default:
        b();
        break;
    }
}
";
    let edits = [delete("b()"), delete("break")];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            switch (x) {
            default:
                ;
            }
        }
    "#]],
    );
}

#[test]
fn new_statements_stand_on_their_own_lines() {
    let text = "void f(void) {

    a(); // first
    b(); /* second
    goes on */
}
";
    let edits = [before("a()", &["x = 1;"]), after("a()", &["if (y)", "    y = 2;"]), after("b()", &["z();"])];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {

            x = 1;
            a(); // first
            if (y)
                y = 2;
            b(); /* second
            goes on */
            z();
        }
    "#]],
    );
}

#[test]
fn new_statements_share_a_line() {
    let text = "void f(void) {
    push(1); push(2); // both
    push(3); push(4);
    { push(5); }
}
";
    let edits = [
        before("push(2)", &["x = 1;"]),
        after("push(3)", &["x = 2;"]),
        before("push(4)", &["x = 3;"]),
        after("push(4)", &["x = 4;"]),
        after("push(5)", &["x = 5;"]),
    ];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            push(1); x = 1; push(2); // both
            push(3); x = 2; x = 3; push(4);
            x = 4;
            { push(5); x = 5; }
        }
    "#]],
    );
}

#[test]
fn long_statements_break_a_line() {
    let text = "void f(void) {
    push(1); push(2); push(3);
    if (x) { push(4); }
    case 1: push(5); break;
}
";
    let edits = [
        before("push(2)", &["if (a)", "    b();"]),
        after("push(2)", &["if (c)", "    d();"]),
        before("push(3)", &["while (e) g();"]),
        after("push(4)", &["if (h)", "    i();"]),
        before("push(5)", &["if (j)", "    k();"]),
    ];
    check(
        text,
        &edits,
        expect![[r#"
            void f(void) {
                push(1);
                if (a)
                    b();
                push(2);
                if (c)
                    d();
                while (e) g();
                push(3);
                if (x) {
                    push(4);
                    if (h)
                        i();
                }
                case 1:
                    if (j)
                        k();
                    push(5); break;
            }
        "#]],
    );
}

#[test]
fn bodies_get_braces() {
    let text = "void f(void) {
    if (x) // why
        a(); // what
    else
        b();
    while (y)
        c();
    do
        d();
    while (z);
}
";
    let edits = [
        before("a()", &["x = 1;"]),
        after("b()", &["x = 2;"]),
        before("c()", &["x = 3;"]),
        after("c()", &["x = 4;"]),
        after("d()", &["x = 5;"]),
    ];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            if (x) { // why
                x = 1;
                a(); // what
            }
            else {
                b();
                x = 2;
            }
            while (y) {
                x = 3;
                c();
                x = 4;
            }
            do {
                d();
                x = 5;
            }
            while (z);
        }
    "#]],
    );
}

#[test]
fn bodies_on_the_line_of_their_head_get_braces() {
    let text = "void f(void) {
    if (x) a(); else b(); // why
    while (y) c();
    for (;;) /* { */ d(); e();
    do g(); while (z);
}
";
    let edits = [
        before("a()", &["x = 1;"]),
        after("b()", &["x = 2;"]),
        after("c()", &["if (v)", "    break;"]),
        after("d()", &["if (w)", "    break;"]),
        before("g()", &["if (u)", "    break;"]),
    ];
    check(
        text,
        &edits,
        expect![[r#"
            void f(void) {
                if (x) { x = 1; a(); } else { b(); x = 2; } // why
                while (y) {
                    c();
                    if (v)
                        break;
                }
                for (;;) /* { */ {
                    d();
                    if (w)
                        break;
                }
                e();
                do {
                    if (u)
                        break;
                    g();
                } while (z);
            }
        "#]],
    );
}

#[test]
fn nested_bodies_get_braces() {
    let text = "void f(void) {
    while (x)
        if (y)
            a();
        else if (z)
            b(); // why
    c();
}
";
    let edits = [
        before("if (y)\n            a();\n        else if (z)\n            b()", &["x = 1;"]),
        after("a()", &["x = 2;"]),
        after("b()", &["x = 3;"]),
        after("while (x)\n        if (y)\n            a();\n        else if (z)\n            b()", &["x = 4;"]),
    ];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            while (x) {
                x = 1;
                if (y) {
                    a();
                    x = 2;
                }
                else if (z) {
                    b(); // why
                    x = 3;
                }
            }
            x = 4;
            c();
        }
    "#]],
    );
}

#[test]
fn an_else_if_gets_braces() {
    let text = "void f(void) {
    if (x) {
        a();
    } else if (y) {
        b();
    } else
        c();
}
";
    let edits = [before("if (y) {\n        b();\n    } else\n        c();", &["x = 1;"])];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            if (x) {
                a();
            } else {
                x = 1;
                if (y) {
                    b();
                } else
                    c();
            }
        }
    "#]],
    );
}

#[test]
fn braces_stand_where_the_file_has_them() {
    let text = "void f(void)
{
  if (w)
  {
    z();
  }
  if (x) // why
    a();
  if (y)
    b();
  else c();
}
";
    let edits = [before("a()", &["x = 1;"]), guard("b()", "y"), after("c()", &["if (z)", "  z();"])];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void)
        {
          if (w)
          {
            z();
          }
          if (x) // why
          {
            x = 1;
            a();
          }
          if (y)
          {
            if (y)
              b();
          }
          else
          {
            c();
            if (z)
              z();
          }
        }
    "#]],
    );
}

#[test]
fn macros_before_a_body() {
    let text = "#define each(p) for (p = head; p; p = p->next)
void f(void) {
    each(p)
        a(p);
    CHECK(x); a(q);
    DONE(b(2))
}
";
    let edits = [after("a(p)", &["n++;"]), delete("CHECK(x)"), before("DONE(b(2))", &["n--;"])];
    check(
        text,
        &edits,
        expect![[r#"
        #define each(p) for (p = head; p; p = p->next)
        void f(void) {
            each(p) {
                a(p);
                n++;
            }
            a(q);
            n--;
            DONE(b(2))
        }
    "#]],
    );
}

#[test]
fn tabs_are_kept() {
    let text = "void f(void) {
	if (x)
		a();
	b();
}
void g(void) {}
";
    let edits = [before("a()", &["x = 1;"]), guard("b()", "p"), at_end("void g(void) {}", &["c();"])];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
        	if (x) {
        		x = 1;
        		a();
        	}
        	if (p)
        		b();
        }
        void g(void) {
        	c();
        }
    "#]],
    );
}

#[test]
fn line_ends_are_kept() {
    let text = "void f(void) {\r\n  a(); // why\r\n  b();\r\n  if (x)\r\n    c();\r\n  d();\r\n}\r\n";
    let edits = [after("a()", &["if (y)", "  y();"]), delete("b()"), guard("c()", "z"), at_end("d();\r\n}", &["e();"])];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {␍
          a(); // why␍
          if (y)␍
            y();␍
          if (x)␍
            if (z)␍
              c();␍
          d();␍
          e();␍
        }␍
    "#]],
    );
}

#[test]
fn block_ends() {
    let text = "void f(void) {
  a();

  // last
}
void g(void) { }
void h(void)
{
}
void i(void) { a(); }
void j(void) { b(); }
void k(void) { /* none */ }
";
    let edits = [
        at_end("// last\n}", &["x = 1;", "y = 1;"]),
        at_end("void g(void) { }", &["x = 2;"]),
        at_end("void h(void)\n{\n}", &["x = 3;"]),
        at_end("{ a(); }", &["x = 4;"]),
        at_end("{ b(); }", &["if (y)", "  x = 5;"]),
        at_end("{ /* none */ }", &["x = 6;"]),
    ];
    check(
        text,
        &edits,
        expect![[r#"
            void f(void) {
              a();

              // last
              x = 1;
              y = 1;
            }
            void g(void) {
              x = 2;
            }
            void h(void)
            {
              x = 3;
            }
            void i(void) { a(); x = 4; }
            void j(void) {
              b();
              if (y)
                x = 5;
            }
            void k(void) {
              /* none */
              x = 6;
            }
        "#]],
    );
}

#[test]
fn a_guarded_statement_goes_deeper() {
    let text = "void f(void) {\n    a(1, // one\n\n      2); // two\n    while (x) {\n        \"str\\\ning\";\n#if A\n        b();\n#endif\n    }\n    {\n        c();\n    }\n}\n";
    let edits = [
        guard("a(1, // one\n\n      2)", "p != NULL"),
        guard("while (x) {\n        \"str\\\ning\";\n#if A\n        b();\n#endif\n    }", "q"),
        guard("{\n        c();\n    }", "r"),
    ];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            if (p != NULL)
                a(1, // one

                  2); // two
            if (q)
                while (x) {
                    "str\
        ing";
        #if A
                    b();
        #endif
                }
            if (r) {
                c();
            }
        }
    "#]],
    );
}

#[test]
fn guards_on_shared_lines() {
    let text = "void f(void) {
    a(); b(); c();
    if (x) d(); e();
    { g(); }
    L: h();
}
";
    let edits = [guard("b()", "p"), guard("d()", "q"), guard("g()", "r"), guard("h()", "s")];
    check(
        text,
        &edits,
        expect![[r#"
            void f(void) {
                a();
                if (p)
                    b();
                c();
                if (x)
                    if (q)
                        d();
                e();
                {
                    if (r)
                        g();
                }
                L:
                    if (s)
                        h();
            }
        "#]],
    );
}

#[test]
fn guards_keep_the_meaning_of_else() {
    let text = "void f(void) {
    if (x)
        a(); // why
    else
        b();
    if (y) c(); else d();
    if (z)
        e();
    else if (w)
        g();
    if (v)
        while (u)
            h();
    else
        i();
}
";
    let edits = [
        guard("a()", "p"),
        guard("b()", "q"),
        guard("c()", "r"),
        guard("if (z)\n        e();\n    else if (w)\n        g();", "s"),
        guard("g()", "t"),
        guard("h()", "u"),
    ];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            if (x) {
                if (p)
                    a(); // why
            }
            else
                if (q)
                    b();
            if (y) {
                if (r)
                    c();
            } else d();
            if (s) {
                if (z)
                    e();
                else if (w)
                    if (t)
                        g();
            }
            if (v)
                while (u) {
                    if (u)
                        h();
                }
            else
                i();
        }
    "#]],
    );
}

#[test]
fn edits_of_one_statement_go_together() {
    let text = "void f(void) {
    if (x)
        a(b, c);
    d();
    if (y) e();
}
";
    let edits = [
        replace("b, c", "c"),
        before("a(b, c)", &["x = 1;"]),
        guard("a(b, c)", "p"),
        before("a(b, c)", &["x = 2;"]),
        guard("a(b, c)", "q"),
        after("a(b, c)", &["x = 3;"]),
        after("a(b, c)", &["x = 4;"]),
        delete("d()"),
        before("d()", &["g();"]),
        after("d()", &["h();"]),
        delete("e()"),
        before("e()", &["i();"]),
    ];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            if (x) {
                x = 1;
                x = 2;
                if (p)
                    if (q)
                        a(c);
                x = 3;
                x = 4;
            }
            g();
            h();
            if (y) i();
        }
    "#]],
    );
}

#[test]
fn edits_inside_of_a_guarded_statement() {
    let text = "void f(void) {
    while (x) {
        a();
        b(c);
        if (y)
            d();
    }
}
";
    let edits = [
        guard("while (x) {\n        a();\n        b(c);\n        if (y)\n            d();\n    }", "p"),
        delete("a()"),
        before("b(c)", &["if (q)", "    r();"]),
        after("d()", &["e();"]),
        at_end("d();\n    }", &["g();"]),
    ];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
            if (p)
                while (x) {
                    if (q)
                        r();
                    b(c);
                    if (y) {
                        d();
                        e();
                    }
                    g();
                }
        }
    "#]],
    );
}

#[test]
fn a_declaration_after_a_label() {
    let text = "void f(void) {
out:
    a();
    if (x) b();
}
";
    let edits = [before("a()", &["int y = 1;"]), delete("b()"), before("b()", &["int z = 1;"])];
    check(
        text,
        &edits,
        expect![[r#"
        void f(void) {
        out:
            ;
            int y = 1;
            a();
            if (x) { int z = 1; }
        }
    "#]],
    );
}

#[test]
fn replacements() {
    let text = "int x = y->next; /* y */
int f(void) { return x; }";
    let edits = [replace("y->next", "y->prev->next"), replace("y */", "z */"), replace("x; }", "1; }")];
    check(
        text,
        &edits,
        expect![[r#"
        int x = y->prev->next; /* z */
        int f(void) { return 1; }"#]],
    );
}

#[test]
fn declarations_at_file_level() {
    let text = "int a;
int b; // why
int f(void) {
    return a;
}
";
    let edits = [delete("int a;"), after("int b;", &["int c;"])];
    check(
        text,
        &edits,
        expect![[r#"
        int b; // why
        int c;
        int f(void) {
            return a;
        }
    "#]],
    );
}
