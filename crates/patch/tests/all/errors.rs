//! What people read when edits can not be made.

use crate::helper::*;
use c_syntax::{Source, Span};
use expect_test::{Expect, expect};
use patch::Edit;

const TEXT: &str = "void f(void) {
    int x = g(y);
    for (i = 0; i < 3; i++)
        h(i, x);
out: k();
}
";

fn check(edits: &[Named], expected: Expect) {
    let error = apply(TEXT, edits).expect_err("the edits do not fit");
    expected.assert_eq(&error.to_string());
}

#[test]
fn edits_of_the_same_text() {
    check(
        &[replace("i, x", "x"), replace("x);", "i);")],
        expect!["two edits change the same text: `i, x` on line 4, and `x);` on line 4"],
    );
    check(
        &[replace("i, x", "x"), delete("h(i, x)")],
        expect!["two edits change the same text: `h(i, x);` on line 4, and `i, x` on line 4"],
    );
    check(
        &[before("h(i, x)", &["k();"]), delete("for (i = 0; i < 3; i++)\n        h(i, x);")],
        expect![
            "two edits change the same text: `for (i = 0; i < 3; i++) h(i, x);` on line 3, and `h(i, x);` on line 4"
        ],
    );
    check(
        &[guard("h(i, x)", "x"), delete("h(i, x)")],
        expect!["two edits change the same text: `h(i, x);` on line 4, and `h(i, x);` on line 4"],
    );
    check(
        &[delete("h(i, x)"), delete("h(i, x);")],
        expect!["two edits change the same text: `h(i, x);` on line 4, and `h(i, x);` on line 4"],
    );
}

#[test]
fn places_that_are_no_statements() {
    check(
        &[before("i = 0", &["k();"])],
        expect!["line 3: `i = 0` is not a statement of a block, so none can be added, deleted or guarded here"],
    );
    check(
        &[delete("g(y)")],
        expect!["line 2: `g(y)` is not a statement of a block, so none can be added, deleted or guarded here"],
    );
    check(&[at_end("h(", &["k();"])], expect!["line 4: a block was expected to end here, but this is `(`"]);
}

#[test]
fn guards_that_change_more() {
    check(
        &[guard("int x = g(y);", "y")],
        expect!["line 2: `int x = g(y);` declares a name that the statements after it could not see under a condition"],
    );
    check(
        &[guard("out: k()", "y")],
        expect!["line 5: `out: k()` begins with a label, and a jump to it would go past the condition"],
    );
}

#[test]
fn places_outside_of_the_file() {
    let source = Source::new("a.c", b"int x;".to_vec());
    for edit in [
        Edit::Replace { span: Span::new(3, 99), text: "y".into() },
        Edit::Delete { span: Span { start: 5, end: 2 } },
        Edit::InsertAtEnd { brace: u32::MAX, lines: vec![] },
    ] {
        assert!(matches!(patch::apply(&source, &[edit]), Err(patch::PatchError::Outside { .. })));
    }
}
