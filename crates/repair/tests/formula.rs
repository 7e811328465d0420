//! The formula of traces against the reference: running the edited program
//! along them, on random programs with random edits.

#[path = "formula/drive.rs"]
mod drive;
#[path = "formula/generate.rs"]
mod generate;

use std::collections::BTreeSet;

use drive::Recorded;
use encode::{Check, Edit, Formula, FormulaError, FormulaOptions, Model, Place, Prepared, Space, Verdict, Visit};
use generate::Random;
use ir::StepId;
use repair::scheme::heap::{HeapScheme, SchemeOptions};
use repair::strategy::proof::{Guidance, prove};
use repair::strategy::solve::{Outcome, SolveOptions, solve};
use solver::{Backend, Limits, Solver};

const INSTRUCTIONS: u64 = 20_000;

/// Some places of a function and of what it calls.
fn space(model: &Model, recorded: &Recorded, random: &mut Random, places: usize, chains: bool) -> Space {
    let program = &model.program;
    let mut own: Vec<Place> = (0..program.steps.len() as u32)
        .map(StepId)
        .filter(|step| {
            let function = program.step(*step).function;
            function == recorded.function || ["second", "set"].contains(&&*program.function(function).name)
        })
        .map(Place::Step)
        .collect();
    let slots = model.code.slots.iter().enumerate().filter(|(_, slot)| slot.function == recorded.function);
    own.extend(slots.map(|(i, _)| Place::Slot(encode::SlotId(i as u32))));
    let some: BTreeSet<Place> = (0..places).map(|_| *random.pick(&own)).collect();
    HeapScheme::new(model, SchemeOptions { chains, ..SchemeOptions::default() }).space(&some)
}

/// Whether following these edits is possible at all: a replaced target takes a
/// value that was allocated on a copy.
fn can_be_followed(model: &Model, edit: &Edit) -> bool {
    let Edit::Assign { step, source: None, .. } = edit else { return true };
    let place = &model.code.steps[step.index()];
    let code = &model.code.functions[place.function as usize].code[place.start as usize..place.end as usize];
    !code.iter().any(|instruction| match instruction {
        encode::Instruction::Act(action) => matches!(action.kind, ir::ActionKind::Call { .. }),
        _ => false,
    })
}

/// Random edits of a space, at most one for each place.
fn random_edits(model: &Model, space: &Space, all: &[Vec<Edit>], random: &mut Random, most: usize) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for _ in 0..random.below(most + 1) {
        if space.places.is_empty() {
            break;
        }
        let of_place = random.pick(all);
        if of_place.is_empty() {
            continue;
        }
        let edit = *random.pick(of_place);
        if can_be_followed(model, &edit) && !edits.iter().any(|other| other.place() == edit.place()) {
            edits.push(edit);
        }
    }
    edits
}

fn edits_of(space: &Space) -> Vec<Vec<Edit>> {
    space.places.iter().map(|(place, kind)| kind.edits(*place)).collect()
}

/// A trace on which an edited run is expected, and the edits.
struct Case {
    prepared: Prepared,
    space: Space,
    all: Vec<Vec<Edit>>,
    hidden: Vec<Edit>,
}

/// Expects what an edited run shows at one or two moments.
fn case(model: &Model, recorded: &Recorded, random: &mut Random, places: usize, chains: bool) -> Option<Case> {
    let space = space(model, recorded, random, places, chains);
    let all = edits_of(&space);
    let plain = drive::prepared(model, recorded, Vec::new());
    let hidden = random_edits(model, &space, &all, random, 2);
    let exit = Visit { step: model.program.function(recorded.function).exit, count: 1 };
    let mut visits = BTreeSet::from([exit]);
    let arrival = recorded.trace.run.get(random.below(recorded.trace.run.len()))?;
    visits.insert(Visit { step: arrival.step, count: 1 + random.below(2) as u32 });
    let machines = drive::edited(model, &plain, &hidden, &visits);
    machines.get(&exit)?;
    let mut demands: Vec<(u64, Visit, Vec<Check>)> = machines
        .iter()
        .map(|(visit, machine)| {
            let mut checks = drive::checks(model, machine);
            let keep = 1 + random.below(4);
            checks.retain(|_| random.below(4) < keep);
            (machine.spent, *visit, checks)
        })
        .collect();
    demands.sort_by_key(|demand| demand.0);
    let demands = demands.into_iter().map(|(_, visit, checks)| (visit, checks)).collect();
    Some(Case { prepared: drive::prepared(model, recorded, demands), space, all, hidden })
}

/// Whether everything expected holds in the edited run.
fn meets(model: &Model, prepared: &Prepared, edits: &[Edit]) -> bool {
    prepared.follow(model, edits, INSTRUCTIONS) == Verdict::Meets
}

#[test]
fn formula_agrees_with_running() {
    let (mut compared, mut met, mut unmodelled) = (0, 0, 0);
    for seed in 0..4 {
        let mut random = Random::new(seed + 1);
        let text = generate::file(&mut random, 40);
        let model = drive::model(&text);
        for number in 0..40 {
            let recorded = drive::record(&model, number);
            let places = 1 + random.below(6);
            let Some(case) = case(&model, &recorded, &mut random, places, number % 2 == 0) else { continue };
            let traces = [case.prepared.clone()];
            let mut formula = match Formula::new(&model, &traces, &case.space, &FormulaOptions::default()) {
                Ok(formula) => formula,
                Err(FormulaError::Unmodelled { .. }) => {
                    unmodelled += 1;
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            let mut solver = Solver::new(Backend::Batsat).expect("it is built in");
            formula.assert_into(&mut solver, |fact| fact);
            for round in 0..40 {
                let edits = match round {
                    0 => case.hidden.clone(),
                    _ => random_edits(&model, &case.space, &case.all, &mut random, 2),
                };
                let expected = meets(&model, &case.prepared, &edits);
                let assumptions = formula.exactly(&edits).expect("these edits are in the space");
                let answer = solver.check(&formula.terms, &assumptions, &Limits::none());
                compared += 1;
                met += usize::from(expected);
                assert_eq!(
                    answer.is_sat(),
                    expected,
                    "seed {seed}, f{number}, {edits:?} {:?} at {:?}\n{:?}\n{}",
                    edits.iter().map(|edit| text_of(&model, edit)).collect::<Vec<_>>(),
                    case.prepared.trace.demands.iter().map(|demand| (demand.at, case.prepared.trace.forced.clone())).collect::<Vec<_>>(),
                    case.prepared.follow(&model, &edits, INSTRUCTIONS),
                    function_text(&text, number)
                );
            }
        }
    }
    println!("{compared} edited runs compared, {met} met what was expected, {unmodelled} functions not modelled");
    assert!(compared > 3000 && met > 200 && unmodelled < 10);
}

fn function_text(text: &str, number: usize) -> &str {
    let start = text.find(&format!("void f{number}(")).unwrap_or(0);
    let end = text[start..].find("\n}\n").map_or(text.len(), |end| start + end + 2);
    &text[start..end]
}

fn text_of(model: &Model, edit: &Edit) -> String {
    match edit.place() {
        Place::Step(step) => {
            let span = model.program.step(step).span;
            String::from_utf8_lossy(&model.program.source.bytes[span.start as usize..span.end as usize]).into_owned()
        }
        Place::Slot(slot) => format!("{:?}", model.code.slots[slot.0 as usize].place),
    }
}
