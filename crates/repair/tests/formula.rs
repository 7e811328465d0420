//! The formula of traces against the reference, which is running the edited
//! program along them: on random programs with random edits.

mod common;
#[path = "formula/drive.rs"]
mod drive;
#[path = "formula/generate.rs"]
mod generate;
#[path = "formula/sample.rs"]
mod sample;

use std::collections::BTreeSet;
use std::sync::Arc;

use drive::Recorded;
use encode::{Check, Edit, Formula, FormulaOptions, Model, Place, Prepared, Space, Verdict, Visit};
use generate::Random;
use ir::StepId;
use repair::scheme::heap::{HeapScheme, SchemeOptions};
use repair::strategy::proof::{Guidance, prove};
use repair::strategy::replay::{self, Effort, Order, Replay};
use repair::strategy::solve::{Outcome, SolveOptions, solve};
use solver::{Backend, Limits, Solver};
use spec::Relation;

const INSTRUCTIONS: u64 = 20_000;
const FUNCTIONS: usize = 40;

/// Some places of a function and of what it calls.
fn space(model: &Model, recorded: &Recorded, random: &mut Random, places: usize, chains: bool) -> Space {
    let program = &model.program;
    let mut own: Vec<Place> = (0..program.steps.len() as u32)
        .map(StepId)
        .filter(|step| {
            let function = program.step(*step).function;
            function == recorded.function
                || ["second", "set", "last", "behind"].contains(&&*program.function(function).name)
        })
        .map(Place::Step)
        .collect();
    let slots = model.code.slots.iter().enumerate().filter(|(_, slot)| slot.function == recorded.function);
    own.extend(slots.map(|(i, _)| Place::Slot(encode::SlotId(i as u32))));
    let some: BTreeSet<Place> = (0..places).map(|_| *random.pick(&own)).collect();
    let mut space = HeapScheme::new(model, SchemeOptions { chains, ..SchemeOptions::default() }).space(&some);
    // The formula has no choice of operands inside of an assignment's source.
    for known in space.places.values_mut() {
        if let encode::PlaceKind::Assignment { operands, .. } = &mut known.kind {
            operands.clear();
        }
    }
    space
}

/// A trace on which what an edited run shows is expected, and the edits.
struct Case {
    prepared: Prepared,
    space: Space,
    hidden: Vec<Edit>,
}

/// Expects what an edited run shows at one or two moments.
fn case(model: &Model, recorded: &Recorded, random: &mut Random, space: Space, allocate: bool) -> Case {
    let plain = drive::prepared(model, recorded, Vec::new());
    let hidden = sample::edits(model, &space, random, 2, allocate);
    let run = drive::edited(model, &plain, &hidden);
    let moments = BTreeSet::from([run.len() - 1, random.below(run.len())]);
    let demand = |moment: usize, random: &mut Random| -> (Visit, Vec<Check>) {
        let (visit, machine) = &run[moment];
        let mut checks = drive::checks(model, machine);
        let keep = 1 + random.below(4);
        checks.retain(|_| random.below(4) < keep);
        (*visit, checks)
    };
    let demands = moments.into_iter().map(|moment| demand(moment, random)).collect();
    Case { prepared: drive::prepared(model, recorded, demands), space, hidden }
}

/// The same, but the program as it is does not meet it, if that can be found.
fn hard_case(model: &Model, recorded: &Recorded, random: &mut Random, space: &Space) -> Case {
    let mut last = case(model, recorded, random, space.clone(), false);
    for _ in 0..5 {
        if !meets(model, &last.prepared, &[]) {
            break;
        }
        last = case(model, recorded, random, space.clone(), false);
    }
    last
}

/// Whether everything expected holds in the edited run.
fn meets(model: &Model, prepared: &Prepared, edits: &[Edit]) -> bool {
    prepared.follow(model, edits, INSTRUCTIONS) == Verdict::Meets
}

/// Edits are left out by what one run without them shows; all of these are of no use.
#[test]
fn what_is_left_out_is_of_no_use() {
    const STEADY: Effort = Effort::Steady(1);
    const STRETCH: Effort = Effort::Stretch(Order::Given);
    let (mut found, mut joint, mut runs) = (0, 0, [0, 0]);
    for seed in 0..7 {
        let mut random = Random::new(seed + 300);
        let text = generate::file(&mut random, FUNCTIONS);
        let model = drive::model(&text);
        for number in 0..FUNCTIONS {
            let recorded = drive::record(&model, number);
            let places = 2 + random.below(8);
            let space = space(&model, &recorded, &mut random, places, number % 2 == 0);
            let mut traces = vec![hard_case(&model, &recorded, &mut random, &space).prepared];
            // With a second one, what is found for it depends on what was changed for the first.
            traces.extend((number % 3 == 0).then(|| hard_case(&model, &recorded, &mut random, &space).prepared));
            let mut look = |hopeless: bool, cost: u32, effort: Effort| {
                let limits = replay::Limits { more: 1 << 40, solutions: 100_000, ..replay::Limits::default() };
                let mut replay = Replay::new(&model, &traces, &space, limits.clone());
                if hopeless {
                    replay.run_hopeless();
                }
                let level = replay.level(cost, effort, (limits.time, 3_000_000));
                runs[usize::from(hopeless)] += replay.runs;
                let one = |solution: &replay::Solution| format!("{:?}", solution.parts);
                level.complete.then(|| level.solutions.iter().map(one).collect::<BTreeSet<String>>())
            };
            for (cost, effort) in [1, 2].into_iter().flat_map(|cost| [STEADY, STRETCH].map(|effort| (cost, effort))) {
                if let (Some(all), Some(some)) = (look(true, cost, effort), look(false, cost, effort)) {
                    found += all.len();
                    assert_eq!(all, some, "seed {seed}, f{number}, cost {cost}\n{}", function_text(&text, number));
                }
            }
            // Of pairs with the same effect only some are shown, and none of which one is found without the other.
            let mut look_for_two = |hopeless: bool| {
                let pairs = look(hopeless, 2, Effort::Joint(2))?;
                Some(pairs.into_iter().chain(look(hopeless, 2, STRETCH)?).next())
            };
            if let (Some(all), Some(some)) = (look_for_two(true), look_for_two(false)) {
                joint += usize::from(all.is_some());
                let shown = format!("seed {seed}, f{number}: {all:?}\n{}", function_text(&text, number));
                assert_eq!(all.is_some(), some.is_some(), "{shown}");
            }
        }
    }
    assert!(found > 1_000 && joint > 10 && runs[1] > runs[0], "{found} solutions, {joint} joint, {runs:?} runs");
}

/// Edits that can not go on where control comes to them again are followed by others: nothing is lost by that,
/// and what is found besides are repairs too.
#[test]
fn what_is_stuck_may_be_mended() {
    let (mut found, mut more) = (0, 0);
    for seed in 0..5 {
        let mut random = Random::new(seed + 900);
        let text = generate::file(&mut random, FUNCTIONS);
        let model = drive::model(&text);
        for number in 0..FUNCTIONS {
            let recorded = drive::record(&model, number);
            let places = 2 + random.below(8);
            let space = space(&model, &recorded, &mut random, places, number % 2 == 0);
            let traces = [hard_case(&model, &recorded, &mut random, &space).prepared];
            let look = |keep: bool| {
                let limits = replay::Limits { more: 1 << 40, solutions: 100_000, ..replay::Limits::default() };
                let mut replay = Replay::new(&model, &traces, &space, limits.clone());
                replay.keep_stuck(keep);
                let level = replay.level(2, Effort::Stretch(Order::Given), (limits.time, 3_000_000));
                level.complete.then_some(level.solutions)
            };
            let (Some(without), Some(with)) = (look(false), look(true)) else { continue };
            let shown = |solution: &replay::Solution| format!("{:?}", solution.parts);
            let all: BTreeSet<String> = with.iter().map(shown).collect();
            for solution in &without {
                assert!(all.contains(&shown(solution)), "seed {seed}, f{number}\n{}", function_text(&text, number));
            }
            for candidate in repair::candidates::candidates(&model, &space, &with, 20) {
                assert!(meets(&model, &traces[0], &candidate.edits), "seed {seed}, f{number}: {:?}", candidate.edits);
            }
            found += without.len();
            more += usize::from(all.len() > without.iter().map(shown).collect::<BTreeSet<_>>().len());
        }
    }
    assert!(found > 100 && more > 0, "{found} without, in {more} functions more");
}

#[test]
fn formula_agrees_with_running() {
    let (mut compared, mut met) = (0, 0);
    for seed in 0..5 {
        let mut random = Random::new(seed + 1);
        let text = generate::file(&mut random, FUNCTIONS);
        let model = drive::model(&text);
        for number in 0..FUNCTIONS {
            let recorded = drive::record(&model, number);
            let places = 1 + random.below(6);
            let space = space(&model, &recorded, &mut random, places, number % 2 == 0);
            let allocate = number % 3 == 0;
            let case = case(&model, &recorded, &mut random, space, allocate);
            let traces = [case.prepared.clone()];
            let options = FormulaOptions { allocations: allocate, ..FormulaOptions::default() };
            let formula = Formula::new(&model, &traces, &case.space, &options).expect("it is modelled");
            let mut solver = Solver::new(Backend::Batsat).expect("it is built in");
            formula.assert_into(&mut solver, |fact| fact, None);
            for round in 0..40 {
                let edits = match round {
                    0 => case.hidden.clone(),
                    1 => Vec::new(),
                    _ => sample::edits(&model, &case.space, &mut random, 3, allocate),
                };
                let expected = meets(&model, &case.prepared, &edits);
                let assumptions = formula.exactly(&edits).unwrap_or_else(|| {
                    panic!("these edits are not in the space: {edits:?}\n{}", function_text(&text, number))
                });
                let answer = solver.check(&formula.terms, &assumptions, &Limits::none());
                compared += 1;
                met += usize::from(expected);
                assert_eq!(
                    answer.is_sat(),
                    expected,
                    "seed {seed}, f{number}, {edits:?}\n{:?}\n{}",
                    case.prepared.follow(&model, &edits, INSTRUCTIONS),
                    function_text(&text, number)
                );
            }
        }
    }
    println!("{compared} edited runs compared, {met} met what was expected");
    assert!(compared > 6000 && met > 1000);
}

fn function_text(text: &str, number: usize) -> &str {
    let start = text.find(&format!("void f{number}(")).unwrap_or(0);
    let end = text[start..].find("\n}\n").map_or(text.len(), |end| start + end + 2);
    &text[start..end]
}

/// A space without what cannot be followed.
fn followed(model: &Model, mut space: Space) -> Space {
    space.places.retain(|place, _| match place {
        Place::Step(step) => {
            model.program.step(*step).kind != ir::StepKind::Declaration && !sample::calls(model, *step)
        }
        Place::Slot(_) => true,
    });
    space
}

#[test]
fn cheapest_repairs_are_those_of_enumeration() {
    let mut by_cost = [0; 3];
    for seed in 0..4 {
        let mut random = Random::new(seed + 100);
        let text = generate::file(&mut random, FUNCTIONS);
        let model = drive::model(&text);
        for number in 0..FUNCTIONS {
            let recorded = drive::record(&model, number);
            let space = followed(&model, space(&model, &recorded, &mut random, 3, false));
            let case = hard_case(&model, &recorded, &mut random, &space);
            let cheap = case.space.places.iter().flat_map(|(place, space)| sample::cheap(*place, space));
            let cheap: Vec<Edit> = cheap.filter(|edit| sample::can_be_followed(&model, edit)).collect();
            let expected: Vec<Vec<Edit>> = match meets(&model, &case.prepared, &[]) {
                true => vec![Vec::new()],
                false => {
                    cheap.iter().map(|edit| vec![*edit]).filter(|edits| meets(&model, &case.prepared, edits)).collect()
                }
            };
            let options = SolveOptions { backend: Backend::Batsat, most_repairs: 100, ..SolveOptions::default() };
            let solved =
                solve(&model, std::slice::from_ref(&case.prepared), &case.space, &options).expect("it is modelled");
            let Outcome::Repaired { repairs, cost, all } = solved.outcome else {
                let text = function_text(&text, number);
                panic!("{seed} {number}: {:?} are a repair: {:?}\n{text}", case.hidden, solved.outcome);
            };
            by_cost[(cost as usize).min(2)] += 1;
            let met = |edits: &Vec<Edit>| meets(&model, &case.prepared, edits);
            assert!(repairs.iter().all(met), "{seed} {number} {repairs:?}");
            match expected.first().map(Vec::len) {
                Some(cheapest) => {
                    assert_eq!(cost as usize, cheapest, "{seed} {number}");
                    assert!(repairs.iter().all(|repair| expected.contains(repair)));
                    let missing: Vec<_> = expected.iter().filter(|repair| !repairs.contains(repair)).collect();
                    assert!(
                        !all || missing.is_empty(),
                        "{seed} {number} {missing:?}\n{}",
                        function_text(&text, number)
                    );
                }
                None => {
                    assert!(cost >= 2, "{seed} {number} {repairs:?}");
                    if cost > 2 {
                        assert!(!pair_exists(&model, &case), "{seed} {number}");
                    }
                }
            }
        }
    }
    println!("cases by cost of their cheapest repairs: {by_cost:?}");
    assert!(by_cost[0] > 10 && by_cost[1] > 10 && by_cost[2] > 0);
}

/// Whether two edits that cost one each do it, where there are not too many.
fn pair_exists(model: &Model, case: &Case) -> bool {
    let places: Vec<Vec<Edit>> = case.space.places.iter().map(|(place, space)| sample::cheap(*place, space)).collect();
    for (i, first) in places.iter().enumerate() {
        for second in places[..i].iter().filter(|second| first.len() * second.len() < 50_000) {
            for a in first {
                if second.iter().any(|b| meets(model, &case.prepared, &[*a, *b])) {
                    return true;
                }
            }
        }
    }
    false
}

#[test]
fn contradictory_facts_are_named() {
    let mut random = Random::new(7);
    let model = drive::model(&generate::file(&mut random, 8));
    for number in 0..8 {
        let recorded = drive::record(&model, number);
        let space = space(&model, &recorded, &mut random, 4, false);
        let mut case = case(&model, &recorded, &mut random, space, false);
        let last = case.prepared.checks.last_mut().expect("something is expected");
        let Some(mut opposite) = last.first().cloned() else { continue };
        opposite.relation = Relation::NotEqual;
        opposite.fact = 1000;
        last.push(opposite);
        let options = SolveOptions { most_cost: 2, ..SolveOptions::default() };
        let solved =
            solve(&model, std::slice::from_ref(&case.prepared), &case.space, &options).expect("it is modelled");
        let Outcome::Contradiction(facts) = solved.outcome else { panic!("{:?}", solved.outcome) };
        // Everything else holds together, as a run has shown it.
        assert!(facts.iter().any(|fact| fact.fact == 1000), "{number} {facts:?}");
    }
}

#[test]
fn free_statements_do_what_an_edit_could() {
    let mut tried = 0;
    let mut random = Random::new(11);
    let models: Vec<_> = (0..4).map(|_| drive::model(&generate::file(&mut random, FUNCTIONS))).collect();
    for (model, number) in models.iter().flat_map(|model| (0..FUNCTIONS).map(move |number| (model, number))) {
        let recorded = drive::record(model, number);
        let space = followed(model, space(model, &recorded, &mut random, 6, true));
        let case = case(model, &recorded, &mut random, space, false);
        let steps = case.hidden.iter().map(|edit| match edit {
            Edit::Assign { step, target: None, .. } | Edit::Condition { step, .. } => Some(*step),
            _ => None,
        });
        let Some(free) = steps.collect::<Option<BTreeSet<StepId>>>() else { continue };
        tried += usize::from(!free.is_empty());
        let options = FormulaOptions { free, ..FormulaOptions::default() };
        let formula = Formula::new(model, std::slice::from_ref(&case.prepared), &Space::default(), &options)
            .expect("it is modelled");
        let mut solver = Solver::embedded();
        formula.assert_into(&mut solver, |fact| fact, None);
        assert!(solver.check(&formula.terms, &[], &Limits::none()).is_sat(), "{number} {:?}", case.hidden);
    }
    assert!(tried > 3, "{tried}");
}

#[test]
fn an_smt_solver_gives_the_same_verdicts() {
    if solver::Program::first_installed().is_err() {
        println!("no SMT solver is installed: nothing is compared");
        return;
    }
    let mut random = Random::new(5);
    let model = drive::model(&generate::file(&mut random, 10));
    for number in 0..10 {
        let recorded = drive::record(&model, number);
        let space = space(&model, &recorded, &mut random, 2, false);
        let case = case(&model, &recorded, &mut random, space, false);
        let verdicts = [Backend::Batsat, Backend::Smtlib].map(|backend| {
            let limits = Limits::within(std::time::Duration::from_secs(30));
            let options = SolveOptions { backend, most_cost: 2, limits, ..SolveOptions::default() };
            let solved =
                solve(&model, std::slice::from_ref(&case.prepared), &case.space, &options).expect("it is modelled");
            match solved.outcome {
                Outcome::Repaired { repairs, cost, .. } => {
                    assert!(
                        repairs.iter().all(|edits| edits.iter().any(|edit| !sample::can_be_followed(&model, edit))
                            || meets(&model, &case.prepared, edits))
                    );
                    Some(cost)
                }
                _ => None,
            }
        });
        assert_eq!(verdicts[0], verdicts[1], "{number}");
    }
}

/// The first repair of W §2.1, in every way.
#[test]
fn figure_1_by_every_strategy() {
    let model = common::model("examples/reverse.c");
    let mut trace = common::figure_1(&model).finish();
    trace.open = trace.forced.keys().map(|visit| visit.step).collect();
    let prepared = [Prepared::new(&model, Arc::new(trace), &|_| false).expect("it can be loaded")];
    let space = HeapScheme::new(&model, SchemeOptions::default()).space(&common::places(&model, "reverse"));
    for backend in [Backend::Batsat, Backend::Cadical] {
        let options = SolveOptions { backend: backend.clone(), ..SolveOptions::default() };
        let solved = solve(&model, &prepared, &space, &options).expect("it is modelled");
        report(&model, &prepared, &format!("solve, {backend:?}"), &solved);
        let Outcome::Repaired { cost: 1, .. } = solved.outcome else { panic!("{:?}", solved.outcome) };
        for guidance in [Guidance::Bounds, Guidance::Random(1)] {
            let solved = prove(&model, &prepared, &space, &options, guidance, 40).expect("it is modelled");
            report(&model, &prepared, &format!("{guidance:?}, {backend:?}"), &solved);
        }
    }
}

fn report(model: &Model, traces: &[Prepared], name: &str, solved: &repair::strategy::solve::Solved) {
    println!(
        "{name}: encoding {:?}, solving {:?}, {} calls, {} widenings",
        solved.encoding, solved.solving, solved.calls, solved.widenings
    );
    if let Outcome::Repaired { repairs, cost, .. } = &solved.outcome {
        println!("  cost {cost}: {:?}", repairs[0]);
        assert!(traces.iter().all(|prepared| meets(model, prepared, &repairs[0])));
    }
}
