//! Annotations as people write them: what is read, what is left out, and what is refused where.

use c_syntax::Source;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use spec::contract::{Annotations, read, resolve};

fn source(text: &str) -> Source {
    Source::new("f.c", text.as_bytes().to_vec())
}

/// The error of a function's contract, with its caret.
fn refused(text: &str, expected: Expect) {
    let source = std::sync::Arc::new(source(text));
    let unit = c_syntax::parse_text(source.clone()).expect("it is C");
    let annotations = read(&source);
    let error = resolve(&annotations, &unit, &unit.functions[0]).expect_err("the contract is wrong");
    expected.assert_eq(&source.caret(error.span, &error.message));
}

fn accepted(text: &str) -> Annotations {
    let source = std::sync::Arc::new(source(text));
    let unit = c_syntax::parse_text(source.clone()).expect("it is C");
    let annotations = read(&source);
    for function in &unit.functions {
        if let Err(error) = resolve(&annotations, &unit, function) {
            panic!("{}", source.caret(error.span, &error.message));
        }
    }
    annotations
}

#[test]
fn contracts_of_teaching_material_are_read() {
    let found = accepted(
        r#"
typedef int value_type;
/*@ predicate Sorted{L}(int *a, integer n) = \forall integer i, j; 0 <= i < j < n ==> \at(a[i], Here) <= a[j]; */
/*@ axiomatic Counting {
  @   logic integer Count{L}(int *a, integer n, int v) reads a[0 .. n-1];
  @   axiom empty: \forall int *a, integer n, int v; n <= 0 ==> Count(a, n, v) == 0;
  @   axiom hit: \forall int *a, integer n, int v; n > 0 ==>
  @     Count(a, n, v) == Count(a, n-1, v) + (a[n-1] == v ? 1 : 0);
  @ }
  @*/
/*@
  requires \valid(a + (0 .. n-1));
  requires n >= 0;
  assigns a[0 .. n-1] \from a[0 .. n-1];
  behavior empty:
    assumes n == 0;
    ensures \result == 0;
  behavior some:
    assumes n > 0;
    ensures names: Sorted(a, n) && Count{Here}(a, n, 1) == Count{Old}(a, n, 1);
    ensures \old(n) > 0 ==> (\result <==> \result != 0);
  complete behaviors; disjoint behaviors empty, some;
*/
int sort(int *a, int n) {
    /*@ loop invariant 0 <= n; loop assigns a[0..n]; loop variant n; */
    while (n > 0) n--;
    //@ assert n == 0;
    return n;
}
"#,
    );
    assert_eq!((found.contracts.len(), found.definitions.len(), found.notices.len()), (1, 2, 2));
    let contract = found.of("sort").expect("there is one");
    assert_eq!((contract.requires.len(), contract.ensures.len()), (2, 3));
    assert_eq!(contract.assigns.as_ref().map(Vec::len), Some(1));
}

#[test]
fn definitions_may_speak_of_two_states_and_share_a_name() {
    let found = accepted(
        "/*@ predicate Same{K,L}(int *a, integer m, integer n) = \\forall integer i; m <= i < n ==> \\at(a[i],K) == \\at(a[i],L);
          predicate Same{K,L}(int *a, integer n) = Same{K,L}(a, 0, n); */
        /*@ requires \\valid(a + (0 .. n-1)); ensures Same{Old,Here}(a, n); */ void f(int *a, int n) { }",
    );
    assert_eq!(found.definitions.len(), 2);
    assert!(found.definitions.iter().all(|definition| definition.two_states));
}

#[test]
fn lines_and_declarations_have_contracts_too() {
    let found =
        accepted("//@ requires n > 0;\n//@ ensures \\result == n;\nint f(int n);\nint f(int n) { return n; }\n");
    let contract = found.of("f").expect("there is one");
    assert_eq!((contract.requires.len(), contract.ensures.len()), (1, 1));
}

#[test]
fn mistakes_are_said_with_their_place() {
    refused(
        "/*@ requires n > ; */ int f(int n) { return n; }",
        expect![[r#"
            f.c:1:18: a term is expected here, not `;`
             1 | /*@ requires n > ; */ int f(int n) { return n; }
               |                  ^"#]],
    );
    refused(
        "/*@ ensures \\result == m; */ int f(int n) { return n; }",
        expect![[r#"
            f.c:1:24: there is no variable `m` here; there is `n`
             1 | /*@ ensures \result == m; */ int f(int n) { return n; }
               |                        ^"#]],
    );
    refused(
        "/*@ requires \\result > 0; */ int f(int n) { return n; }",
        expect![[r#"
            f.c:1:14: there is no \result and no \old before the call
             1 | /*@ requires \result > 0; */ int f(int n) { return n; }
               |              ^^^^^^^"#]],
    );
    refused(
        "/*@ ensures \\forall integer k; k > 0 ==> n < k; */ int f(int n) { return n; }",
        expect![[r#"
            f.c:1:29: the numbers that `k` stands for have no bounds: write \forall integer k; low <= k < high ==> …
             1 | /*@ ensures \forall integer k; k > 0 ==> n < k; */ int f(int n) { return n; }
               |                             ^"#]],
    );
    refused(
        "/*@ ensures n[0] == 1; */ int f(int n) { return n; }",
        expect![[r#"
            f.c:1:13: this is no array and no pointer
             1 | /*@ ensures n[0] == 1; */ int f(int n) { return n; }
               |             ^"#]],
    );
    refused(
        "/*@ ensures prime(n); */ int f(int n) { return n; }",
        expect![[r#"
            f.c:1:13: there is no logic function or predicate `prime` with 1 arguments in this file that could be computed
             1 | /*@ ensures prime(n); */ int f(int n) { return n; }
               |             ^^^^^^^^"#]],
    );
    refused(
        "/*@ predicate p(integer n) = n > 0; predicate p(integer m) = m < 0; */ /*@ ensures p(n); */ int f(int n) { return n; }",
        expect![[r#"
            f.c:1:84: several definitions of `p` fit these arguments, so give them other names
             1 | /*@ predicate p(integer n) = n > 0; predicate p(integer m) = m < 0; */ /*@ ensures p(n); */ int f(int n) { return n; }
               |                                                                                    ^^^^"#]],
    );
    refused(
        "/*@ requires n > 0 */ int f(int n) { return n; }",
        expect![[r#"
            f.c:1:19: an operator, or `;` at the end of the clause is expected here, not the end of the annotation
             1 | /*@ requires n > 0 */ int f(int n) { return n; }
               |                   ^"#]],
    );
}

#[test]
fn what_is_wrong_with_one_function_does_not_concern_another() {
    let found = accepted("/*@ ensures \\true; */ int f(int n) { return n; }\n");
    assert!(found.broken.is_empty());
    let found = read(&source(
        "/*@ ensures ( ; */ int g(int n) { return n; }\n/*@ ensures \\true; */ int f(int n) { return n; }\n",
    ));
    assert_eq!(found.broken.len(), 1);
    assert!(found.of("f").is_some());
}

proptest! {
    /// Nothing that stands in a comment makes the reader panic.
    #[test]
    fn any_annotation_is_read_or_refused(text in "[a-z0-9 ()\\[\\]{}<>=!&|?:;,.*+\\-/@\\\\'\"\n]{0,120}") {
        let text = format!("/*@ requires {text} */ int f(int *a, int n) {{ return n; }}");
        let _ = read(&source(&text));
    }

    /// Whatever tokens come in whatever order.
    #[test]
    fn any_tokens_are_read_or_refused(words in prop::collection::vec(prop::sample::select(vec![
        "\\forall", "\\exists", "integer", "i", ";", "==>", "(", ")", "[", "]", "..", "\\old", "\\result", "<", "<=",
        "&&", "\\valid", "a", "+", "1", "\\sum", ",", "\\lambda", "?", ":", "behavior", "assumes", "ensures", "{", "}",
        "logic", "predicate", "=", "axiomatic", "axiom", "\\let", "!", "-", "*", "&", "->", "assigns", "\\from",
    ]), 0..40)) {
        let text = format!("/*@ {} */ int f(int *a, int n) {{ return n; }}", words.join(" "));
        let _ = read(&source(&text));
    }
}
