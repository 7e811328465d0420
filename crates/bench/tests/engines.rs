//! Replay and SAT agree: what each finds meets everything, and costs the same.

use std::time::Duration;

use bench::mend::random_instances;
use encode::Verdict;
use repair::candidates::candidates;
use repair::scheme::heap::{HeapScheme, SchemeOptions};
use repair::strategy::replay::{End, Limits, Replay};
use repair::strategy::solve::{Outcome, SolveOptions, solve};

#[test]
fn replay_and_sat_find_repairs_of_the_same_cost() {
    let questions = random_instances(24, 5, 4, 7).expect("they can be made");
    assert!(questions.len() > 12);
    let mut costs = [0; 5];
    for question in &questions {
        let traces = std::slice::from_ref(&question.trace);
        let options = SchemeOptions { chains: false, ..SchemeOptions::default() };
        let space = HeapScheme::new(&question.model, options).space(&question.places);
        let limits = Limits { time: Duration::from_secs(60), prove: u64::MAX, ..Limits::default() };
        let End::Repaired { cost, solutions, .. } = Replay::new(&question.model, traces, &space, limits).search()
        else {
            panic!("{} has a repair", question.name)
        };
        for candidate in candidates(&question.model, &space, &solutions, 20) {
            let verdict = question.trace.follow(&question.model, &candidate.edits, 1_000_000);
            assert_eq!(verdict, Verdict::Meets, "{}", question.name);
        }
        let solved = solve(&question.model, traces, &space, &SolveOptions::default()).expect("it is modelled");
        let Outcome::Repaired { repairs, cost: other, .. } = solved.outcome else { panic!("{:?}", solved.outcome) };
        assert_eq!(cost, other, "{}: replay (left) and SAT (right)", question.name);
        for edits in repairs {
            assert_eq!(question.trace.follow(&question.model, &edits, 1_000_000), Verdict::Meets);
        }
        costs[cost as usize] += 1;
    }
    assert!(costs[2] > 2, "some need several edits: {costs:?}");
}
