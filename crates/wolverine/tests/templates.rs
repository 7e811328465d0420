//! `localize --method diagnosis` and `repair --method template`, as a user sees them.

mod common;

use common::says;
use expect_test::expect;

/// The maximum of Könighofer and Bloem, section II.
const MAX: [&str; 3] = ["crates/wolverine/tests/templates/max.c", "--entry", "max"];

fn with<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[command][..], &MAX, more].concat()
}

#[test]
fn sets_of_expressions_explain_failing_inputs() {
    says(&with("localize", &["--method", "diagnosis", "--components", "assignments"]), expect![[r#""#]]);
    says(&with("localize", &["--method", "diagnosis", "--analysis", "symbolic", "--paths", "1"]), expect![[r#""#]]);
}

#[test]
fn the_simplest_expression_comes_first() {
    says(&with("repair", &["--method", "template", "--max-size", "1"]), expect![[r#""#]]);
    says(&with("repair", &["--method", "template", "--first", "--format", "diff"]), expect![[r#""#]]);
}

#[test]
fn templates_of_the_user_come_first() {
    let templates = "crates/wolverine/tests/templates/own.txt";
    let more = ["--method", "template", "--first", "--templates", templates];
    says(
        &[&["repair", "crates/wolverine/tests/templates/pages.c", "--entry", "pages"], &more[..]].concat(),
        expect![[r#""#]],
    );
}

#[test]
fn what_cannot_be_repaired_is_said() {
    let weak = "crates/wolverine/tests/templates/square.c";
    let more = ["--entry", "square", "--method", "template", "--unwind", "3"];
    says(&[&["repair", weak], &more[..]].concat(), expect![[r#""#]]);
    let two = ["crates/wolverine/tests/templates/two.c", "--entry", "both", "--max-size", "1"];
    says(&[&["repair"], &two[..], &["--method", "template"]].concat(), expect![[r#""#]]);
    says(&[&["localize"], &two[..], &["--method", "diagnosis"]].concat(), expect![[r#""#]]);
}

#[test]
fn bad_input_is_a_sentence() {
    says(&with("repair", &["--method", "template", "--templates", "no/such.txt"]), expect![[r#""#]]);
    let broken = "crates/wolverine/tests/templates/broken.txt";
    says(&with("repair", &["--method", "template", "--templates", broken]), expect![[r#""#]]);
    says(&with("localize", &["--method", "diagnosis", "--function", "maximum"]), expect![[r#""#]]);
    says(&with("localize", &["--method", "diagnosis", "--max-size", "0"]), expect![[r#""#]]);
    let right = "programs/integers/01-absolute_value/reference.c";
    let nothing = ["--entry", "absolute", "--method"];
    says(&[&["localize", right], &nothing[..], &["diagnosis"]].concat(), expect![[r#""#]]);
    says(&[&["repair", right], &nothing[..], &["template"]].concat(), expect![[r#""#]]);
}
