//! Theorem 5.7 on many programs: the program text is the faulty program and an
//! edit is its fix. What the edited program does is what is asserted; then the
//! place of the edit must be suspicious whenever the text as it is does not meet
//! that and the edited program does.

mod support;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use encode::check::Expected;
use encode::machine::ObjectKind;
use encode::{
    COMPARISONS, Cell, Check, Comparison, Demand, Edit, Home, Instruction, Machine, Member, Model, NewCondition,
    NewStatement, Pause, Place, Prepared, Scalar, Spot, Stuck, Term, Trace, TypedTerm, Variable, Verdict, Visit,
};
use execute::Executor;
use ir::{ActionKind, GlobalId, LocalId, StepId, StepKind};
use localize::{Ranking, Reach, Suspicious, gradient};
use memory::{State, Value, Visible};
use spec::Relation;
use support::{Session, model, model_of, prepare, project};

/// Small numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

/// A run of the function under test, and how the memory looks at each of its statements.
struct Run {
    trace: Trace,
    templates: BTreeMap<StepId, (State, Vec<StepId>)>,
}

fn record(model: &Model, function: &str, arguments: &[&str]) -> Option<Run> {
    let mut session = Session::new(model, function, arguments);
    let depth = session.executor.depth().ok()?;
    let mut templates = BTreeMap::new();
    for _ in 0..300 {
        let Some(step) = session.executor.position().step() else { break };
        if session.executor.depth().ok()? < depth {
            break;
        }
        if let Entry::Vacant(entry) = templates.entry(step) {
            let calls = session.executor.calls().ok()?.into_iter().flatten().collect();
            entry.insert((session.executor.state().ok()?, calls));
        }
        session.recorder.step(&mut session.executor).ok()?;
    }
    Some(Run { trace: session.finish(), templates })
}

fn terms(model: &Model, scope: StepId) -> Vec<TypedTerm> {
    let program = &model.program;
    let function = program.function(program.step(scope).function);
    let locals = program.step(scope).visible.iter().filter_map(|visible| match *visible {
        Visible::Local(local) => Some((Variable::Local(LocalId(local as u32)), function.locals[local].ty)),
        Visible::Static(_) => None,
    });
    let globals = program.globals.iter().enumerate().filter(|(_, global)| global.owner.is_none() && !global.external);
    let globals = globals.map(|(i, global)| (Variable::Global(GlobalId(i as u32)), global.ty));
    let types = &program.types;
    let members = |ty| -> Vec<Member> {
        let record = types.target(ty).filter(|_| types.is_pointer(ty)).and_then(|target| types.as_record(target));
        let fields = record.map_or(&[][..], |record| &record.fields[..]).iter().enumerate();
        let member = |(index, field): (usize, &c_types::Field)| {
            let size = Scalar::of(types, field.ty)?.size();
            Some(Member { offset: field.offset as u32, ty: field.ty, size, index: index as u32 })
        };
        fields.filter_map(member).collect()
    };
    let mut terms = Vec::new();
    for (variable, ty) in locals.chain(globals) {
        let mut add = |term, ty| terms.extend(Scalar::of(types, ty).map(|scalar| TypedTerm { term, ty, scalar }));
        add(Term::Variable(variable), ty);
        add(Term::Number(0), ty);
        for member in members(ty) {
            add(Term::Field(variable, member), member.ty);
            members(member.ty).into_iter().for_each(|second| add(Term::Chain(variable, member, second), second.ty));
        }
        if let Some(target) = types.target(ty).filter(|_| types.is_pointer(ty)) {
            add(Term::Deref(variable), target);
        }
    }
    terms
}

/// The type that a plain assignment assigns.
fn assigned(model: &Model, step: StepId) -> Option<c_types::TypeId> {
    let place = &model.code.steps[step.index()];
    let function = &model.program.functions[place.function as usize];
    let inside = &model.code.functions[place.function as usize].code[place.start as usize + 1..place.end as usize];
    let plain = inside.iter().all(|instruction| match instruction {
        Instruction::Act(action) => !matches!(action.kind, ActionKind::Call { .. } | ActionKind::Clear { .. }),
        Instruction::Declare(local) => !function.locals[local.index()].in_memory,
        _ => true,
    });
    let Some(Instruction::Act(action)) = inside.last().filter(|_| plain && !place.is_condition) else { return None };
    match &action.kind {
        ActionKind::Assign { to, .. } => Some(function.locals[to.index()].ty),
        ActionKind::Store { to, .. } => Scalar::of(&model.program.types, to.ty).map(|_| to.ty),
        _ => None,
    }
}

/// A random edit at a random place of the function.
fn edit(model: &Model, steps: &[StepId], random: &mut Random) -> Option<Edit> {
    let step = *random.pick(steps)?;
    let comparison = |random: &mut Random, all: &[TypedTerm]| {
        let left = *random.pick(all)?;
        let fits: Vec<TypedTerm> = all.iter().filter(|term| term.ty == left.ty).copied().collect();
        let ops = if model.program.types.is_pointer(left.ty) { &COMPARISONS[..2] } else { &COMPARISONS[..] };
        Some(Comparison { left, op: *random.pick(ops)?, right: *random.pick(&fits)? })
    };
    if random.below(4) == 0 {
        let function = model.program.step(step).function;
        let slots = model.code.slots.iter().enumerate().filter(|(_, slot)| slot.function == function);
        let slots: Vec<usize> = slots.map(|(i, _)| i).collect();
        let slot = *random.pick(&slots)?;
        let all = terms(model, model.code.slots[slot].scope);
        let guard = if random.below(3) == 0 { comparison(random, &all) } else { None };
        let targets: Vec<TypedTerm> = all.iter().filter(|term| term.is_place()).copied().collect();
        let target = *random.pick(&targets)?;
        let sources: Vec<TypedTerm> = all.iter().filter(|term| term.ty == target.ty).copied().collect();
        let pointee = model.program.types.target(target.ty).filter(|_| model.program.types.is_pointer(target.ty));
        let statement = match random.below(6) {
            0 if pointee.is_some_and(|ty| model.program.types.size_of(ty) > 0) => NewStatement::Allocate(target),
            _ => NewStatement::Assign(target, *random.pick(&sources)?),
        };
        return Some(Edit::Insert { slot: encode::SlotId(slot as u32), guard, statement });
    }
    let all = terms(model, step);
    if model.code.steps[step.index()].is_condition {
        let comparison = comparison(random, &all)?;
        let place = &model.code.steps[step.index()];
        let inside = &model.code.functions[place.function as usize].code[place.start as usize..place.end as usize];
        let atoms: Vec<ir::ActionId> = inside
            .iter()
            .filter_map(|instruction| match instruction {
                Instruction::Act(action) => match &action.kind {
                    ActionKind::Assign { value: ir::Rvalue::Binary(..), .. } => Some(action.id),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        let new = match (random.below(3), random.pick(&atoms).copied()) {
            (0, Some(atom)) => NewCondition::Atom(atom, comparison),
            (1, Some(atom)) => NewCondition::Without(atom, random.below(2) == 0),
            _ => NewCondition::Whole(comparison),
        };
        return Some(Edit::Condition { step, new });
    }
    let Some(ty) = assigned(model, step) else {
        return match (model.program.step(step).kind, random.below(3)) {
            (StepKind::Switch, _) => None,
            (StepKind::Return, 2) => {
                let result = model.program.function(model.program.step(step).function).result;
                let fits: Vec<TypedTerm> = all.iter().filter(|term| term.ty == result).copied().collect();
                Some(Edit::Return { step, with: *random.pick(&fits)? })
            }
            (_, 0) => Some(Edit::Delete { step }),
            (_, 1) => Some(Edit::Guard { step, condition: comparison(random, &all)? }),
            _ => operand(model, step, &all, random),
        };
    };
    let fits: Vec<TypedTerm> = all.iter().filter(|term| term.ty == ty).copied().collect();
    let places: Vec<TypedTerm> = all.iter().filter(|term| term.is_place()).copied().collect();
    Some(match random.below(7) {
        0 => Edit::Delete { step },
        1 => Edit::Guard { step, condition: comparison(random, &all)? },
        2 | 3 => Edit::Assign { step, target: None, source: Some(*random.pick(&fits)?) },
        4 => {
            let places: Vec<TypedTerm> = fits.iter().filter(|term| term.is_place()).copied().collect();
            Edit::Assign { step, target: Some(*random.pick(&places)?), source: None }
        }
        5 => {
            let target = *random.pick(&places)?;
            let sources: Vec<TypedTerm> = all.iter().filter(|term| term.ty == target.ty).copied().collect();
            Edit::Assign { step, target: Some(target), source: Some(*random.pick(&sources)?) }
        }
        _ => return operand(model, step, &all, random),
    })
}

fn operand(model: &Model, step: StepId, all: &[TypedTerm], random: &mut Random) -> Option<Edit> {
    let place = &model.code.steps[step.index()];
    let inside = &model.code.functions[place.function as usize].code[place.start as usize + 1..place.end as usize];
    let mut found = Vec::new();
    for instruction in inside {
        let Instruction::Act(action) = instruction else { continue };
        let mut action = action.clone();
        let id = action.id;
        let types = encode::operands(&mut action).into_iter().map(|operand| operand.ty).enumerate();
        found.extend(types.map(|(number, ty)| (id, number as u8, ty)));
    }
    let &(action, operand, ty) = random.pick(&found)?;
    let fits: Vec<TypedTerm> = all.iter().filter(|term| term.ty == ty).copied().collect();
    Some(Edit::Operand { step, action, operand, with: *random.pick(&fits)? })
}

/// What an edited program does.
struct Edited {
    /// The machine whenever it comes to a loop, and at the end.
    moments: Vec<(Visit, Machine)>,
    /// How the edited condition goes.
    decisions: BTreeMap<Visit, bool>,
}

/// Runs the edited program; `stops` are its loops.
fn run_edited(
    model: &Model,
    prepared: &Prepared,
    edit: &Edit,
    stops: &BTreeSet<StepId>,
    depth: usize,
) -> Option<Edited> {
    let mut decisions = BTreeMap::new();
    let mut machine = prepared.start.clone();
    machine.set_edits(model, std::slice::from_ref(edit));
    let mut found = Vec::new();
    while machine.spent < 4000 {
        match machine.advance(model) {
            Pause::Step(step) => {
                let visit = Visit { step, count: machine.visits[step.index()] };
                let exit = model.program.step(step).kind == StepKind::Exit && machine.frames.len() == depth;
                if (stops.contains(&step) && machine.frames.len() == depth) || exit {
                    found.push((visit, machine.clone()));
                }
                if exit {
                    return Some(Edited { moments: found, decisions });
                }
                let done = prepared.pass_unseen(model, &mut machine, visit).ok()?;
                if done || edit.place() != Place::Step(step) {
                    continue;
                }
                match edit {
                    Edit::Condition { new, .. } => {
                        let taken = machine.new_condition(model, step, new).ok()?;
                        decisions.insert(visit, taken);
                        machine.decide(model, step, taken);
                    }
                    _ => machine.apply(model, edit).ok()?,
                }
            }
            Pause::Slot(slot) if edit.place() == Place::Slot(slot) => match machine.insert(model, edit) {
                Ok(()) => {}
                Err(Stuck::Fault | Stuck::Unmodelled) => return None,
            },
            Pause::Slot(_) => {}
            _ => return None,
        }
    }
    None
}

/// Some or all cells of a machine, as facts.
fn facts(model: &Model, machine: &Machine, share: usize, random: &mut Random) -> Vec<Check> {
    let home = |machine: &Machine, object: u32| match machine.objects[object as usize].kind {
        ObjectKind::Node(id) => Some(Home::Node(id)),
        ObjectKind::Global(global) => Some(Home::Global(global.0)),
        ObjectKind::Local { frame, local } => Some(Home::Local { frame, local }),
        ObjectKind::Text => None,
    };
    let mut spots = Vec::new();
    for (object, entry) in machine.objects.iter().enumerate().filter(|(_, entry)| entry.live) {
        let Some(home) = home(machine, object as u32) else { continue };
        let leaves = entry.cells.leaves.iter().enumerate();
        spots.extend(
            leaves.map(|(i, leaf)| {
                (Spot { home, offset: leaf.offset, size: leaf.scalar.size() }, entry.base as usize + i)
            }),
        );
    }
    let frame = machine.frame();
    let function = &model.program.functions[frame.function as usize];
    for (i, local) in function.locals.iter().enumerate().take(function.named).filter(|(_, local)| !local.in_memory) {
        let home = Home::Local { frame: machine.frames.len() as u32 - 1, local: LocalId(i as u32) };
        let size = Scalar::of(&model.program.types, local.ty).map_or(0, Scalar::size);
        spots.push((Spot { home, offset: 0, size }, frame.base as usize + i));
    }
    let mut checks = Vec::new();
    for (fact, (spot, at)) in spots.into_iter().enumerate() {
        let expected = match machine.cells[at] {
            Cell::Unset | Cell::Unknown => continue,
            Cell::Pointer(address) => match home(machine, address.object) {
                Some(home) => Expected::Address(home, address.offset),
                None => continue,
            },
            cell => Expected::Cell(cell),
        };
        if random.below(100) < share && machine.cell_of_spot(model, &spot) == Some(at as u32) {
            checks.push(Check { spot, relation: Relation::Equal, expected, fact });
        }
    }
    checks
}

/// A state with the values of a machine, where the state has the right shape.
fn state_of(model: &Model, machine: &Machine, template: &State, calls: &[StepId]) -> State {
    let mut values = Vec::new();
    for (entity, old) in memory::leaves(template) {
        let spot = encode::spot(model, template, calls, &entity);
        let Some(at) = spot.and_then(|spot| machine.cell_of_spot(model, &spot)) else {
            values.push(old.clone());
            continue;
        };
        values.push(match machine.cells[at as usize] {
            Cell::Unset => Value::Uninitialised,
            Cell::Unknown | Cell::Function(_) => old.clone(),
            Cell::Int(0) if !matches!(old, Value::Int(_)) => Value::Null,
            Cell::Int(value) => Value::Int(i128::from(value)),
            Cell::Float(value) => Value::Float(value),
            Cell::Pointer(address) => {
                let object = match machine.objects[address.object as usize].kind {
                    ObjectKind::Node(id) => memory::Object::Node(id),
                    ObjectKind::Global(id) => memory::Object::Global(model.program.globals[id.index()].name.clone()),
                    _ => {
                        values.push(old.clone());
                        continue;
                    }
                };
                let place = memory::Place { object, offset: address.offset.into(), path: String::new(), inside: true };
                Value::Pointer(place)
            }
        });
    }
    let mut values = values.into_iter();
    let mut state = template.clone();
    state.globals.iter_mut().for_each(|variable| fill(&mut variable.value, &mut values));
    let variables = state.frames.iter_mut().flat_map(|frame| &mut frame.variables);
    variables.for_each(|variable| fill(&mut variable.value, &mut values));
    state.nodes.iter_mut().filter(|node| node.live).for_each(|node| fill(&mut node.value, &mut values));
    state
}

fn fill(value: &mut Value, values: &mut impl Iterator<Item = Value>) {
    match value {
        Value::Record(members) => members.iter_mut().for_each(|(_, value)| fill(value, values)),
        Value::Array(elements, _) => elements.iter_mut().for_each(|value| fill(value, values)),
        _ => *value = values.next().expect("as many values as leaves"),
    }
}

#[derive(Default)]
struct Count {
    cases: usize,
    steps: f64,
    any: f64,
    slots: f64,
    slow: Duration,
    time: Duration,
    first: usize,
    rank: usize,
}

/// How much is asserted: at the end only or each round too, the share of the
/// cells, and whether the edited condition is forced.
type Kind = (bool, usize, bool);

const KINDS: [Kind; 6] = [
    (false, 100, false),
    (false, 60, false),
    (false, 25, false),
    (true, 100, false),
    (true, 60, false),
    (true, 60, true),
];

fn try_program(name: &str, model: &Model, function: &str, arguments: &[&str], counts: &mut BTreeMap<Kind, Count>) {
    let run = record(model, function, arguments).expect("it runs");
    let own = model.program.function_named(function).expect("the function exists");
    let arrived: BTreeSet<StepId> = run.trace.run.iter().map(|arrival| arrival.step).collect();
    let kind = |step: &StepId| model.program.step(*step).kind;
    let is_own = |step: &&StepId| model.program.step(**step).function == own && kind(step) != StepKind::Exit;
    let steps: Vec<StepId> = arrived.iter().filter(is_own).copied().collect();
    let loops: BTreeSet<StepId> = steps.iter().filter(|step| kind(step) == StepKind::Loop).copied().collect();
    let depth = run.trace.calls.len();
    let plain = prepare(model, run.trace.clone());
    let mut random = Random(0x9e3779b97f4a7c15 ^ name.len() as u64);
    for _ in 0..400 {
        let Some(edit) = edit(model, &steps, &mut random) else { continue };
        let Some(edited) = run_edited(model, &plain, &edit, &loops, depth) else { continue };
        for kind in KINDS {
            let Some(prepared) = assert_what_it_does(model, &run, &plain, &edited, kind, &mut random) else { continue };
            let follow = |edits: &[Edit]| prepared.follow(model, edits, 10_000);
            if follow(&[]) == Verdict::Meets || follow(std::slice::from_ref(&edit)) != Verdict::Meets {
                continue;
            }
            let start = Instant::now();
            let ranking = gradient(model, std::slice::from_ref(&prepared));
            let took = start.elapsed();
            let at = ranking.within(Reach::Trace).position(|suspicious| suspicious.place == edit.place());
            let shown = || support::show(model, &ranking);
            let rank = at.unwrap_or_else(|| panic!("{name} {kind:?}: {edit:?} is missed in\n{}", shown()));
            counts.entry(kind).or_default().add(&ranking, rank, took);
        }
    }
}

/// A trace that asserts what the edited program does.
fn assert_what_it_does(
    model: &Model,
    run: &Run,
    plain: &Prepared,
    edited: &Edited,
    (all, share, forced): Kind,
    random: &mut Random,
) -> Option<Prepared> {
    let found = &edited.moments;
    if all && found.len() < 2 || forced && edited.decisions.is_empty() {
        return None;
    }
    let mut trace = run.trace.clone();
    let mut checks = Vec::new();
    // Of the recorded run only how often it came to the moments matters here.
    trace.run.truncate(1);
    let depth = trace.run[0].depth;
    let mut seen = BTreeMap::from([(trace.run[0].step, 1)]);
    for (at, machine) in if all { &found[..] } else { &found[found.len() - 1..] } {
        let (template, calls) = run.templates.get(&at.step)?;
        let state = state_of(model, machine, template, calls);
        let before = seen.entry(at.step).or_insert(0);
        trace.run.extend((*before..at.count).map(|_| encode::Arrival { step: at.step, depth }));
        *before = at.count.max(*before);
        let index = trace.run.len() - 1;
        trace.demands.push(Demand { at: *at, index, facts: Vec::new(), state, calls: calls.clone() });
        checks.push(facts(model, machine, share, random));
    }
    if forced {
        trace.forced = edited.decisions.clone();
    }
    Some(plain.along(trace, checks))
}

impl Count {
    fn add(&mut self, ranking: &Ranking, rank: usize, took: Duration) {
        let is_step = |suspicious: &&Suspicious| matches!(suspicious.place, Place::Step(_));
        let share = |count: usize| count as f64 / ranking.considered as f64;
        self.cases += 1;
        self.steps += share(ranking.within(Reach::Trace).filter(is_step).count());
        self.any += share(ranking.places.iter().filter(is_step).count());
        self.slots += ranking.within(Reach::Trace).filter(|suspicious| !is_step(suspicious)).count() as f64;
        self.time += took;
        self.slow = self.slow.max(took);
        self.first += usize::from(rank == 0);
        self.rank += rank + 1;
    }
}

#[test]
fn the_fixed_place_is_always_suspicious() {
    let programs: &[(&str, &str, &[&[&str]])] = &[
        ("b01_reverse_singly", "reverse", &[&[]]),
        ("b02_reverse_doubly", "reverse", &[&[], &["7"]]),
        ("b03_delete_singly", "delete_key", &[&[]]),
        ("b05_sorted_insert_singly", "sorted_insert", &[&[]]),
        ("b07_swap_nodes_singly", "swap_nodes", &[&[]]),
        ("b13_avl_right_rotation", "right_rotate", &[&[]]),
        ("b17_rb_left_rotate", "left_rotate", &[&[]]),
        ("b08_splay_left_rotation", "rotate_left", &[&[]]),
        ("b12_split_circular", "split", &[&[]]),
    ];
    let mut counts = BTreeMap::new();
    for (name, function, runs) in programs {
        let model = model(&project(&format!("programs/small/{name}.c")));
        runs.iter().for_each(|arguments| try_program(name, &model, function, arguments, &mut counts));
    }
    // Programs that crash, and that run forever.
    let reverse = std::fs::read_to_string(project("programs/small/b02_reverse_doubly.c")).expect("it is there");
    for (name, from, to) in [
        ("crashes", "while (current != NULL)", "while (1)"),
        ("crashes-at-once", "struct node *current = head", "struct node *current = NULL; current = current->next"),
        ("endless", "current = after;", "current = current;"),
        ("stops", "current = after;", "current = before;"),
    ] {
        assert!(reverse.contains(from));
        let model = model_of(name, &reverse.replace(from, to));
        try_program(name, &model, "reverse", &[], &mut counts);
    }
    for ((all, share, forced), count) in &counts {
        let when = if *all { "each round and at the end" } else { "at the end" };
        let forced = if *forced { ", conditions forced" } else { "" };
        report(&format!("{share}% of the cells asserted {when}{forced}"), count);
    }
    assert!(counts.values().map(|count| count.cases).sum::<usize>() > 3000);
}

fn report(name: &str, count: &Count) {
    let cases = count.cases.max(1) as f64;
    println!(
        "{name}: {} cases, {:.1}% of the statements alone enough, {:.1}% in part, {:.1} slots, first in {:.0}%, mean rank {:.1}, {:?} each, at most {:?}",
        count.cases,
        100.0 * count.steps / cases,
        100.0 * count.any / cases,
        count.slots / cases,
        100.0 * count.first as f64 / cases,
        count.rank as f64 / cases,
        count.time / count.cases.max(1) as u32,
        count.slow
    );
}
