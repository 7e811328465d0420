//! Evidence along weakest preconditions: the example of the paper step by step,
//! and the expanded contract against what the driver says.

use std::sync::Arc;

use c_syntax::Source;
use check::suite::{Expected, Outcome, Test, generate, run_test};
use check::{Example, Options, Task, load_sources};
use expect_test::{Expect, expect};
use localize::evidence::{End, EvidenceKind, Predicate, case, find, states, states_of, suspects, with_truth};

/// The program `Max` of He and Gupta's figure 1, with its fault.
const MAX: &str = r"
/*@ requires n > 0 && \valid_read(a + (0 .. n-1));
  @ ensures \forall integer i; 0 <= i < n ==> \result >= a[i];
  @ ensures \exists integer i; 0 <= i < n && \result == a[i];
  @*/
int Max(int a[], int n) {
    int i, s;
    i = 1;
    s = a[0];
    while (i < n) {
        if (s >= a[i])
            s = a[i];
        i = i + 1;
    }
    return s;
}
";

fn load(text: &str, entry: &str) -> Task {
    let source = Arc::new(Source::new("max.c", text.as_bytes().to_vec()));
    let options = Options { entry: Some(entry.into()), contract_length: 3, ..Options::default() };
    load_sources(&[source], &options).unwrap_or_else(|error| panic!("{error}"))
}

/// The inputs of the driver, by the names of its inputs.
fn inputs(task: &Task, values: &[(&str, i128)]) -> Test {
    let value = |name: &str| values.iter().find(|(known, _)| *known == name).map_or(0, |(_, value)| *value);
    let nondet = task.program.given.iter().map(|given| value(&given.name)).collect();
    let example = Example { nondet, ..Example::default() };
    Test { name: "by hand".into(), example, expected: Expected::nothing() }
}

fn paper() -> (Task, Test) {
    let task = load(MAX, "Max");
    let test = inputs(&task, &[("a[0]", -2), ("a[1]", 5), ("a[2]", 3), ("n", 3)]);
    (task, test)
}

fn check(found: &[String], expected: Expect) {
    expected.assert_eq(&(found.join("\n") + "\n"));
}

fn all(predicates: &[Predicate]) -> String {
    predicates.iter().map(with_truth).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_trace_of_max_is_that_of_the_paper() {
    let (task, test) = paper();
    let case = case(&task, &task.program, &test).expect("the run fails");
    let shown: Vec<String> =
        (1..).zip(&case.trace.instances).map(|(i, one)| format!("<{i},{}> {}", one.line, one.kind)).collect();
    check(
        &shown,
        expect![[r#"
            <1,8> i=1
            <2,9> s=a[0]
            <3,10> (i-n<0)
            <4,11> (s-a[i=1]<0)
            <5,13> i=i+1
            <6,10> (i-n<0)
            <7,11> (s-a[i=2]<0)
            <8,13> i=i+1
            <9,10> (i-n>=0)
            <10,15> \result=s
        "#]],
    );
    assert_eq!(case.trace.end, End::Returned);
}

#[test]
fn the_postcondition_of_max_is_in_normal_form() {
    let (task, test) = paper();
    let case = case(&task, &task.program, &test).expect("the run fails");
    let shown: Vec<String> = case.conjunctions.iter().map(|conjunction| all(conjunction)).collect();
    check(
        &shown,
        expect![[r#"
            (\result-a[0]>=0)^T (\result-a[1]>=0)^F (\result-a[2]>=0)^F (\result-a[0]=0)^T
            (\result-a[0]>=0)^T (\result-a[1]>=0)^F (\result-a[2]>=0)^F (\result-a[1]=0)^F
            (\result-a[0]>=0)^T (\result-a[1]>=0)^F (\result-a[2]>=0)^F (\result-a[2]=0)^F
        "#]],
    );
}

#[test]
fn the_states_of_max_are_those_of_the_paper() {
    let (task, test) = paper();
    let case = case(&task, &task.program, &test).expect("the run fails");
    let states = states_of(&case, &case.conjunctions[0]);
    let wanted =
        |point: usize| states.hypothesized[point].iter().map(|wanted| wanted.predicate.clone()).collect::<Vec<_>>();
    check(
        &[all(&wanted(0)), all(&wanted(2)), all(&wanted(9))],
        expect![[r#"
            (0>=0)^T (a[0]-a[1]>=0)^F (a[0]-a[2]>=0)^F (0=0)^T
            (s-a[0]>=0)^T (s-a[1]>=0)^F (s-a[2]>=0)^F (s-a[0]=0)^T
            (s-a[0]>=0)^T (s-a[1]>=0)^F (s-a[2]>=0)^F (s-a[0]=0)^T
        "#]],
    );
    let actual = |point: usize| {
        let shown: Vec<String> = states.actual[point].iter().map(|actual| actual.predicate.to_string()).collect();
        shown.join(" ")
    };
    // Q of the points 1, 4, 7 and 9: what is known from before, then what the conditions say that follow.
    check(
        &[actual(0), actual(3), actual(6), actual(8)],
        expect![[r#"
            (n>0) (-n>=-3) (a[0]-a[2]<0) (-n<-2) (a[0]-a[1]<0) (-n<-1)
            (n>0) (i=1) (s-a[0]=0) (i-n<0) (i-n>=-2) (s-a[i+1=2]<0) (i-n<-1) (s-a[i=1]<0)
            (n>0) (s-a[0]=0) (i-n<0) (i-n>=-1) (s-a[i=2]<0)
            (n>0) (s-a[0]=0) (i-n>=0)
        "#]],
    );
    assert_eq!(states::slice(&case.trace, &case.conjunctions[0][1], 0), vec![1, 9]);
}

#[test]
fn the_evidence_of_max_is_at_point_7() {
    let (task, test) = paper();
    let case = case(&task, &task.program, &test).expect("the run fails");
    let states = states_of(&case, &case.conjunctions[0]);
    let evidence = find::evidence(&states);
    let shown: Vec<String> = evidence
        .iter()
        .map(|one| match &one.kind {
            EvidenceKind::Contradicted { actual, .. } => {
                format!("point {}: {actual} against {}", one.point + 1, one.wanted)
            }
            other => format!("point {}: {other:?}", one.point + 1),
        })
        .collect();
    check(
        &shown,
        expect![[r#"
            point 7: (s-a[i=2]<0) against (s-a[2]>=0)
            point 4: (s-a[i=1]<0) against (s-a[1]>=0)
        "#]],
    );
    let first = &suspects(&case)[0];
    assert_eq!(task.program.source().text(first.span), "s >= a[i]");
}

#[test]
fn a_crash_and_an_endless_loop_have_evidence_too() {
    let back = MAX.replace("i = i + 1", "i = i - 1");
    let task = load(&back, "Max");
    let found = case(&task, &task.program, &inputs(&task, &[("n", 2)])).expect("the run fails");
    assert!(matches!(found.trace.end, End::Crashed(_)));
    assert_eq!(all(&found.conjunctions[0]), "(i>=0)^F");
    let endless = MAX.replace("i = i + 1", "i = i");
    let task = load(&endless, "Max");
    let found = case(&task, &task.program, &inputs(&task, &[("n", 2)])).expect("the run fails");
    assert_eq!(found.trace.end, End::Endless);
    assert_eq!(all(&found.conjunctions[0]), "(i-n>=0)^F");
}

/// The contract expanded for a run says what the contract as C in the driver says.
#[test]
fn the_expanded_contract_agrees_with_the_driver() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/contracts");
    let mut compared = 0;
    for (file, entry, right, wrong) in [
        ("max.c", "max", "s < a[i]", "s > a[i]"),
        ("sum.c", "sum", "i < n", "i < n - 1"),
        ("binary_search.c", "binary_search", "a[e] <= x", "a[e] < x"),
        ("array_copy.c", "array_copy", "s2[i];", "i;"),
        ("quicksort.c", "quicksort", "temp = a[left]", "temp = a[last]"),
    ] {
        let text = std::fs::read_to_string(folder.join(file)).expect("the program is there");
        for text in [text.clone(), text.replacen(right, wrong, 1)] {
            let task = load(&text, entry);
            for test in generate(&task, 12, 7) {
                let fails = match run_test(&task.program, &test) {
                    Outcome::Passes => false,
                    Outcome::Fails(check::suite::Failing::Fault(fault)) if fault.kind == execute::FaultKind::Assert => {
                        true
                    }
                    _ => continue,
                };
                compared += 1;
                let found = case(&task, &task.program, &test).is_some();
                assert_eq!(found, fails, "{file} with {:?}", test.example.lines(&task.program));
            }
        }
    }
    assert!(compared > 80, "{compared}");
}

/// What only `assigns` forbids, and what only a test's expected values say, is wanted at the end of the run, too.
#[test]
fn frames_and_expected_values_are_wanted() {
    let clear = r"/*@ requires 2 <= n && \valid(a + (0 .. n-1));
      @ assigns a[0 .. n - 2];
      @ ensures a[0] == 0;
      @*/
    void clear(int a[], int n) {
        a[0] = 0;
        a[n - 1] = 0;
    }";
    let task = load(clear, "clear");
    let test = inputs(&task, &[("a[0]", 4), ("a[1]", 5), ("n", 2)]);
    let found = case(&task, &task.program, &test).expect("the run fails");
    check(
        &found.conjunctions.iter().map(|one| all(one)).collect::<Vec<_>>(),
        expect![[r#"
        (a[0]=0)^T (a[n-1=1]-\old(a[1])=0)^F
    "#]],
    );

    let half = r"/*@ requires 0 <= x <= 100;
      @ ensures 0 <= \result <= x;
      @*/
    int half(int x) { return x; }";
    let task = load(half, "half");
    let mut test = inputs(&task, &[("x", 7)]);
    assert!(case(&task, &task.program, &test).is_none(), "the contract holds");
    test.expected = Expected::Lines(vec!["result = 3".into()]);
    let found = case(&task, &task.program, &test).expect("the run fails");
    check(
        &found.conjunctions.iter().map(|one| all(one)).collect::<Vec<_>>(),
        expect![[r#"
        (-\result<=0)^T (\result-x<=0)^T (\result=3)^F
    "#]],
    );
}
