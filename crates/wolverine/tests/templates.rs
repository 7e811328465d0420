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
    says(
        &with("localize", &["--method", "diagnosis", "--components", "assignments"]),
        expect![[r#"
            inputs that go wrong:
              1. x = 0, y = 1
              2. x = -1875770272, y = -354927978
            one set of expressions (of 2) can be replaced so that these inputs go well

            set 1:
            crates/wolverine/tests/templates/max.c:7:13: assigned value
             7 |         r = x;
               |             ^
              input 1 goes well with 1
              input 2 goes well with 0
            exit 0
        "#]],
    );
    says(
        &with("localize", &["--method", "diagnosis", "--analysis", "symbolic", "--paths", "1"]),
        expect![[r#"
            inputs that go wrong:
              1. x = 0, y = 1
              2. x = -1875770272, y = -354927978
            no set of at most 2 of the 4 expressions can be replaced so that these inputs go well; try more at once with --max-size, other kinds with --components, or --atoms
            only some runs were looked at: 1 path was followed, 7 branches were not taken; --paths and --depth allow more, --analysis merged takes all
            exit 1
        "#]],
    );
}

#[test]
fn the_simplest_expression_comes_first() {
    says(
        &with("repair", &["--method", "template", "--max-size", "1"]),
        expect![[r#"
        repair 1: line 7: `x` to `y`
             7 -        r = x;
             7 +        r = y;
          holds: no assertion fails and no access is wrong, for all inputs up to 10 rounds of each loop

        repair 2: line 7: `x` to `2147483647`
             7 -        r = x;
             7 +        r = 2147483647;
          holds: no assertion fails and no access is wrong, for all inputs up to 10 rounds of each loop

        2 repairs (1 set of expressions explains the failing inputs); larger templates were not tried to the end, --all does that; the simplest: line 7: `x` to `y`
        exit 0
    "#]],
    );
    says(
        &with("repair", &["--method", "template", "--first", "--format", "diff"]),
        expect![[r#"
            --- a/crates/wolverine/tests/templates/max.c
            +++ b/crates/wolverine/tests/templates/max.c
            @@ -4,7 +4,7 @@
             {
                 int r = x;
                 if (y > x)
            -        r = x;
            +        r = y;
                 assert(r >= x && r >= y);
                 return r;
             }
            the first repair was asked for; the simplest: line 7: `x` to `y`
            exit 0
        "#]],
    );
}

#[test]
fn templates_of_the_user_come_first() {
    let templates = "crates/wolverine/tests/templates/own.txt";
    let more = ["--method", "template", "--first", "--templates", templates];
    says(
        &[&["repair", "crates/wolverine/tests/templates/pages.c", "--entry", "pages"], &more[..]].concat(),
        expect![[r#"
            repair 1: line 6: `bytes / 64` to `(bytes + 63) / 64`
                 6 -    unsigned n = bytes / 64;
                 6 +    unsigned n = (bytes + 63) / 64;
              holds: no assertion fails and no access is wrong, for all inputs up to 10 rounds of each loop

            the first repair was asked for; the simplest: line 6: `bytes / 64` to `(bytes + 63) / 64`
            exit 0
        "#]],
    );
}

#[test]
fn what_cannot_be_repaired_is_said() {
    let weak = ["repair", "crates/wolverine/tests/templates/odd.c", "--entry", "odd", "--components", "conditions"];
    says(
        &[&weak[..], &["--method", "template"]].concat(),
        expect![[r#"
        no repair: 1 set of expressions explains the failing inputs, but no template fits all inputs
          line 7, `x > 3`: the last proposal goes wrong with x = 53 ('5')
        write a template of your own for --templates, or try --method mutation
        exit 1
    "#]],
    );
    let two = ["crates/wolverine/tests/templates/two.c", "--entry", "both", "--max-size", "1"];
    says(
        &[&["repair"], &two[..], &["--method", "template"]].concat(),
        expect![[r#"
        no set of at most 1 expressions explains the failing inputs; try --max-size 2, or other kinds with --components
        exit 1
    "#]],
    );
    says(
        &[&["localize"], &two[..], &["--method", "diagnosis"]].concat(),
        expect![[r#"
        inputs that go wrong:
          1. a = -2, b = -2, which = -2
          2. a = -1875770272, b = -354927978, which = 1212826103
        no set of at most 1 of the 6 expressions can be replaced so that these inputs go well; try more at once with --max-size, other kinds with --components, or --atoms
        exit 1
    "#]],
    );
}

#[test]
fn bad_input_is_a_sentence() {
    says(
        &with("repair", &["--method", "template", "--templates", "no/such.txt"]),
        expect![[r#"
        wolverine: the templates in no/such.txt cannot be read: No such file or directory (os error 2)
        exit 2
    "#]],
    );
    let broken = "crates/wolverine/tests/templates/broken.txt";
    says(
        &with("repair", &["--method", "template", "--templates", broken]),
        expect![[r#"
        wolverine: crates/wolverine/tests/templates/broken.txt, line 2: after $ comes k (a number), v (a variable) or e (the expression), as in $k1
          twice: $v * $two
                      ^
        exit 2
    "#]],
    );
    says(
        &with("localize", &["--method", "diagnosis", "--function", "maximum"]),
        expect![[r#"
        wolverine: --function maximum: there is no such function in crates/wolverine/tests/templates/max.c
        exit 2
    "#]],
    );
    says(
        &with("localize", &["--method", "diagnosis", "--max-size", "0"]),
        expect![[r#"
            inputs that go wrong:
              1. x = 0, y = 1
              2. x = -1875770272, y = -354927978
            no set of at most 0 of the 4 expressions can be replaced so that these inputs go well; try more at once with --max-size, other kinds with --components, or --atoms
            exit 1
        "#]],
    );
    let right = "programs/integers/01-absolute_value/reference.c";
    let nothing = ["--entry", "absolute", "--method"];
    says(
        &[&["localize", right], &nothing[..], &["diagnosis"]].concat(),
        expect![[r#"
        wolverine: nothing to check against: no run comes to an assertion or to an access that could go wrong; write assert(…) where something must hold, give a right program with --reference, or more arguments with --argc
        exit 2
    "#]],
    );
    says(
        &[&["repair", right], &nothing[..], &["template"]].concat(),
        expect![[r#"
        wolverine: nothing to check against: no run comes to an assertion or to an access that could go wrong; write assert(…) where something must hold, give a right program with --reference, or more arguments with --argc
        exit 2
    "#]],
    );
}
