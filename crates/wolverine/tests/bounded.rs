//! `check`, `localize --method must` and `repair --method mutation`, as a user sees them.

mod common;

use common::says;
use expect_test::expect;

const SEARCH: [&str; 9] = [
    "programs/integers/08-binary_search/faulty.c",
    "--entry",
    "contains",
    "--reference",
    "programs/integers/08-binary_search/reference.c",
    "--assume",
    "n == 2 && x == 2 && a[0] == 0 && a[1] == 2 && a[2] == 2",
    "--unwind",
    "4",
];

fn with<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[command][..], &SEARCH, more].concat()
}

#[test]
fn a_counterexample_is_a_readable_run() {
    says(
        &with("check", &[]),
        expect![[r#"
        programs/integers/08-binary_search/faulty.c: the program differs from its reference
          `result = 0`, but the reference `result = 1`

        with these inputs:
          a[0] = 0
          a[1] = 2
          a[2] = 2
          n = 2
          x = 2

        the statements that matter, in the order of the run:
             4  int lo = 0, hi = n - 1;                             lo = 0, hi = 1
             5  while (lo < hi)                                     yes
             6  int mid = (lo + hi) / 2;                            mid = 0
             7  if (a[mid] == x)                                    no
             9  if (a[mid] < x)                                     yes
            10  lo = mid + 1                                        lo = 1
             5  while (lo < hi)                                     no
            14  return 0
        exit 1
    "#]],
    );
}

#[test]
fn must_localization() {
    says(
        &with("localize", &["--counterexamples", "1"]),
        expect![[r#"
        inputs that go wrong:
          a[0] = 0, a[1] = 2, a[2] = 2, n = 2, x = 2
        every repair changes at least one of these 7 of 9 statements:

        programs/integers/08-binary_search/faulty.c:14:5: `0` computes 0, and what goes wrong depends on that
         14 |     return 0;
            |     ^^^^^^^^

        programs/integers/08-binary_search/faulty.c:5:12: `lo < hi` is false, and what goes wrong depends on that
         5 |     while (lo < hi) {
           |            ^^^^^^^

        programs/integers/08-binary_search/faulty.c:10:13: `lo = mid + 1` computes 1, and what goes wrong depends on that
         10 |             lo = mid + 1;
            |             ^^^^^^^^^^^^

        programs/integers/08-binary_search/faulty.c:9:13: `a[mid] < x` is true, and what goes wrong depends on that
         9 |         if (a[mid] < x)
           |             ^^^^^^^^^^

        programs/integers/08-binary_search/faulty.c:7:13: `a[mid] == x` is false, and what goes wrong depends on that
         7 |         if (a[mid] == x)
           |             ^^^^^^^^^^^

        programs/integers/08-binary_search/faulty.c:6:9: `(lo + hi) / 2` computes 0, and what goes wrong depends on that
         6 |         int mid = (lo + hi) / 2;
           |         ^^^^^^^^^^^^^^^^^^^^^^^^

        programs/integers/08-binary_search/faulty.c:4:5: `0` computes 0, and what goes wrong depends on that
         4 |     int lo = 0, hi = n - 1;
           |     ^^^^^^^^^^^^^^^^^^^^^^^
          also: `n - 1` computes 1, and what goes wrong depends on that
        exit 0
    "#]],
    );
}

#[test]
fn all_smallest_repairs() {
    let case = "programs/integers/01-absolute_value";
    let (faulty, reference) = (format!("{case}/faulty.c"), format!("{case}/reference.c"));
    says(
        &["repair", &faulty, "--entry", "absolute", "--reference", &reference],
        expect![[r#"
        repair 1: line 4: `>` to `<`
             4 -    if (x > 0)
             4 +    if (x < 0)
          holds: equal to the reference, for all inputs up to 10 rounds of each loop

        repair 2: line 4: `>` to `<=`
             4 -    if (x > 0)
             4 +    if (x <= 0)
          holds: equal to the reference, for all inputs up to 10 rounds of each loop

        2 are all smallest repairs (level 2: 5 mutations, 11 programs with up to 2 of them); the closest: line 4: `>` to `<`
        exit 0
    "#]],
    );
    says(
        &["repair", &faulty, "--entry", "absolute", "--reference", &reference, "--level", "1"],
        expect![[r#"
        no repair: all of level 1: 1 mutation, 1 program with up to 2 of them were looked at
        exit 1
    "#]],
    );
    says(
        &["repair", &faulty, "--entry", "absolute", "--reference", &reference, "--format", "diff"],
        expect![[r#"
        --- a/programs/integers/01-absolute_value/faulty.c
        +++ b/programs/integers/01-absolute_value/faulty.c
        @@ -1,7 +1,7 @@
         /* The absolute value of a number. */
         int absolute(int x)
         {
        -    if (x > 0)
        +    if (x < 0)
                 return -x;
             return x;
         }
        2 are all smallest repairs (level 2: 5 mutations, 11 programs with up to 2 of them); the closest: line 4: `>` to `<`
        exit 0
    "#]],
    );
    says(
        &["check", &reference, "--entry", "absolute", "--reference", &reference],
        expect![[r#"
        holds: equal to the reference, for all inputs up to 10 rounds of each loop
        exit 0
    "#]],
    );
}

#[test]
fn bad_input_gets_a_sentence() {
    let (faulty, other) = ("programs/integers/01-absolute_value/faulty.c", "programs/integers/13-power/faulty.c");
    says(
        &["check", faulty, "--entry", "absolute", "--assume", "y > 0"],
        expect![[r#"
        wolverine: `--assume y > 0` is not a condition over the parameters of absolute: use of undeclared identifier 'y'
        exit 2
    "#]],
    );
    says(
        &["check", faulty, "--entry", "nothing"],
        expect![[r#"
        wolverine: programs/integers/01-absolute_value/faulty.c has no function `nothing`; it has `absolute`
        exit 2
    "#]],
    );
    says(
        &["check", faulty, "--entry", "absolute", "--reference", other],
        expect![[r#"
        wolverine: programs/integers/13-power/faulty.c has no function `absolute`; it has `power`
        exit 2
    "#]],
    );
    says(
        &["check", "missing.c"],
        expect![[r#"
        wolverine: cannot read missing.c: No such file or directory (os error 2)
        exit 2
    "#]],
    );
    says(
        &["repair", faulty, "--entry", "absolute"],
        expect![[r#"
        wolverine: nothing to check against: no run comes to an assertion or to an access that could go wrong; write assert(…) where something must hold, give a right program with --reference, or more arguments with --argc
        exit 2
    "#]],
    );
    says(
        &["check", faulty, "--assume", "x > 0"],
        expect![[r#"
        wolverine: --assume speaks of the parameters of one function: name it with --entry. In a whole program, write __VERIFIER_assume(…) where the inputs were read
        exit 2
    "#]],
    );
    says(
        &["repair", "examples/reverse.c", "--method", "proof"],
        expect![[r#"
            wolverine: what is right? Give the commands of a debug session with --script, a right program with --reference, or for a program with assertions --method mutation (repair) or --method must (localize)
            exit 2
        "#]],
    );
}
