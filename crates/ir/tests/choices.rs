//! Choices become branches on selectors, and evaluate only what is chosen.

use std::sync::Arc;

use c_syntax::{Alternative, BinaryOp, Change, Expr, ExprKind, SelectorId, Source, Stmt, StmtKind, Unit};
use expect_test::{Expect, expect};

/// The IR of `int f(int a, int b) { return <value>; }` with these changes of the returned value.
fn check(value: &str, changes: &[Change], expected: Expect) {
    let mut unit = unit(value);
    let StmtKind::Return(Some(returned)) = &mut unit.functions[0].body[0].kind else { panic!("it returns") };
    let alternatives = changes
        .iter()
        .enumerate()
        .map(|(i, change)| Alternative { selector: SelectorId(i as u32), change: change.clone() })
        .collect();
    let of = Box::new(returned.clone());
    let (ty, span) = (of.ty, of.span);
    *returned = Expr::new(ExprKind::Choice { of, alternatives }, ty, span);
    unit.selectors = changes.len() as u32;
    show(unit, expected);
}

fn unit(value: &str) -> Unit {
    let text = format!("int f(int a, int b) {{ return {value}; }}\n");
    c_syntax::parse_text(Arc::new(Source::new("a.c", text.into_bytes()))).expect("it is C")
}

fn show(unit: Unit, expected: Expect) {
    let program = ir::lower(unit);
    let names: Vec<&str> = program.selectors.iter().map(|id| &*program.globals[id.index()].name).collect();
    let mut text = String::new();
    ir::print_function(&program, &program.functions[0], &mut text);
    expected.assert_eq(&format!("{text}{}\n", names.join(" ")));
}

#[test]
fn an_operator() {
    check(
        "a / (b + 1)",
        &[Change::Operator(BinaryOp::Remainder)],
        expect![[r#"
           1  function int f(int a, int b)
           1  ⟨true⟩      t1 := b + 1
           1  ⟨true⟩      t3 := choice#0
           1  ⟨t3⟩        t2 := a % t1
           1  ⟨not t3⟩    t2 := a / t1
           1  ⟨true⟩      return t2
           1  end
        choice#0
    "#]],
    );
}

#[test]
fn a_connective() {
    check(
        "a && b",
        &[Change::Connective, Change::Left, Change::Right],
        expect![[r#"
           1  function int f(int a, int b)
           1  ⟨true⟩      t3 := choice#2
           1  ⟨t3⟩        t2 := 1
           1  ⟨not t3⟩    t4 := a != 0
           1  ⟨not t3⟩    t1 := t4
           1  ⟨not t3⟩    t5 := choice#0
           1  ⟨not t3 and t5⟩  t2 := t1 == 0
           1  ⟨not t3 and not t5⟩  t6 := choice#1
           1  ⟨not t3 and not t5 and t6⟩  t2 := 0
           1  ⟨not t3 and not t5 and not t6⟩  t2 := t1
           1  ⟨t2⟩        t7 := b != 0
           1  ⟨t2⟩        t1 := t7
           1  ⟨true⟩      return t1
           1  end
        choice#0 choice#1 choice#2
    "#]],
    );
}

#[test]
fn a_condition() {
    let StmtKind::Return(Some(other)) = unit("b < 3").functions[0].body[0].kind.clone() else { panic!("it returns") };
    check(
        "!a",
        &[Change::Affirmed, Change::Conjunct(other)],
        expect![[r#"
           1  function int f(int a, int b)
           1  ⟨true⟩      t2 := a != 0
           1  ⟨true⟩      t1 := t2
           1  ⟨true⟩      t3 := choice#0
           1  ⟨not t3⟩    t4 := choice#1
           1  ⟨not t3 and t4⟩  t1 := t1 == 0
           1  ⟨not t3 and t4 and t1⟩  t5 := b < 3
           1  ⟨not t3 and t4 and t1⟩  t1 := t5
           1  ⟨not t3 and not t4⟩  t1 := t1 == 0
           1  ⟨true⟩      return t1
           1  end
        choice#0 choice#1
    "#]],
    );
}

#[test]
fn constants_are_not_folded() {
    check(
        "7",
        &[Change::Constant(8), Change::Constant(0)],
        expect![[r#"
           1  function int f(int a, int b)
           1  ⟨true⟩      t2 := choice#0
           1  ⟨t2⟩        t1 := 8
           1  ⟨not t2⟩    t3 := choice#1
           1  ⟨not t2 and t3⟩  t1 := 0
           1  ⟨not t2 and not t3⟩  t1 := 7
           1  ⟨true⟩      return t1
           1  end
        choice#0 choice#1
    "#]],
    );
}

#[test]
fn a_statement_that_is_left_out() {
    let mut unit = unit("a++");
    let StmtKind::Return(Some(value)) = unit.functions[0].body[0].kind.clone() else { panic!("it returns") };
    let span = value.span;
    let statement = Box::new(Stmt { kind: StmtKind::Expr(value), span });
    unit.functions[0].body[0] = Stmt { kind: StmtKind::Optional { selector: SelectorId(0), statement }, span };
    unit.selectors = 1;
    show(
        unit,
        expect![[r#"
           1  function int f(int a, int b)
           1  ⟨true⟩      t1 := choice#0
           1  ⟨not t1⟩    a := a + 1
           1  end
        choice#0
    "#]],
    );
}
