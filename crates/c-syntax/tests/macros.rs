//! Places next to macros: what may be edited is what is written.

use std::sync::Arc;

use c_syntax::*;

fn unit(text: &str) -> Unit {
    parse_text(Arc::new(Source::new("a.c", text.as_bytes().to_vec()))).expect("a correct program")
}

/// The text of the expression that `main` returns, whether it is only a macro use, and its parts.
fn returned(before: &str, value: &str) -> (String, bool, Vec<(String, bool)>) {
    let unit = unit(&format!("{before}\nint main(int x, char **p) {{ return {value}; }}\n"));
    let main = unit.functions.last().expect("main");
    let Some(StmtKind::Return(Some(value))) = main.body.last().map(|s| &s.kind) else { panic!("no return") };
    let shown = |e: &Expr| (unit.source.text(e.span), unit.macro_uses.contains(&e.span));
    let parts = match &value.kind {
        ExprKind::Binary(_, a, b) | ExprKind::And(a, b) => vec![shown(a), shown(b)],
        _ => vec![],
    };
    let (text, in_macro) = shown(value);
    (text, in_macro, parts)
}

fn written(text: &str) -> (String, bool) {
    (text.into(), false)
}

fn used(text: &str) -> (String, bool) {
    (text.into(), true)
}

#[test]
fn an_expression_around_a_macro_use_is_written() {
    let (text, in_macro, parts) = returned("#include <stddef.h>", "p != NULL");
    assert_eq!((text.as_str(), in_macro), ("p != NULL", false));
    assert_eq!(parts, [written("p"), used("NULL")]);
    let (text, in_macro, parts) = returned("#define LAST 9 // the last", "x + LAST");
    assert_eq!((text.as_str(), in_macro), ("x + LAST", false));
    assert_eq!(parts, [written("x"), used("LAST")]);
}

#[test]
fn half_of_a_macro_is_not_written() {
    // `x + (2 * 3)`: the product is not what the text says, and the sum has the same place.
    let (text, in_macro, parts) = returned("#define SUM x + 2", "SUM * 3");
    assert_eq!((text.as_str(), in_macro), ("SUM * 3", true));
    assert_eq!(parts, [used("SUM"), used("SUM * 3")]);
}

#[test]
fn arguments_are_written() {
    let (text, in_macro, parts) = returned("#define LESS(a, b) ((a) < (b))", "LESS(x + 1, 7)");
    assert_eq!((text.as_str(), in_macro), ("LESS(x + 1, 7)", true));
    assert_eq!(parts, [written("x + 1"), written("7")]);
}

#[test]
fn what_a_macro_makes_of_two_arguments_is_not_written() {
    let (text, in_macro, parts) = returned("#define LESS(a, b) a < b", "LESS(x + f(1, 2), 7)");
    assert_eq!((text.as_str(), in_macro), ("LESS(x + f(1, 2), 7)", true));
    assert_eq!(parts, [written("x + f(1, 2)"), written("7")]);
}

#[test]
fn members_in_macros_have_the_place_of_the_use() {
    let before = "struct s { int next; } v;\n#define NEXT(p) ((p).next)\n#define LINK next";
    for (value, name, in_macro) in [("v.next", "next", false), ("NEXT(v)", "NEXT(v)", true), ("v.LINK", "LINK", true)] {
        let unit = unit(&format!("{before}\nint main(void) {{ return {value}; }}\n"));
        let StmtKind::Return(Some(Expr { kind: ExprKind::Load(place), .. })) = &unit.functions[0].body[0].kind else {
            panic!("no load");
        };
        let ExprKind::Member { name: span, .. } = place.kind else { panic!("no member") };
        assert_eq!((unit.source.text(span).as_str(), unit.macro_uses.contains(&span)), (name, in_macro), "{value}");
    }
}

#[test]
fn lengths_of_arrays_have_their_own_place() {
    let unit = unit("#define M n\nvoid f(int n, int a[n][ n+1 ]) { int b[n * 2], c[M]; }\n");
    let lengths = |name: &str| -> Vec<(String, bool)> {
        let variable = unit.variables.iter().find(|v| &*v.name == name).expect("a variable");
        let shown = |e: &Expr| (unit.source.text(e.span), unit.macro_uses.contains(&e.span));
        variable.lengths.iter().map(shown).collect()
    };
    // A parameter is a pointer to the rows: the first length says nothing.
    assert_eq!(lengths("a"), [written("n+1")]);
    assert_eq!(lengths("b"), [written("n * 2")]);
    assert_eq!(lengths("c"), [used("int b[n * 2], c[M]")]);
}
