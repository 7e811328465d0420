//! Model-based diagnosis (K §III-C and D): all minimal sets of expressions that
//! can be replaced so that the program is right for some failing inputs.
//!
//! Every component gets a switch; where it is on, the component has any value,
//! another one each time it is evaluated. For a failing input, the components
//! that cannot all stay as they are are a conflict: an unsatisfiable core of
//! the switches that are off. Minimal hitting sets of the conflicts are the
//! minimal diagnoses.
//!
//! ```c
//! int r = x;          // c1
//! if (y > x)          // c3
//!     r = x;          // c2
//! assert(r >= x && r >= y);
//! ```
//!
//! With x = 0 and y = 1 the conflicts are {c2, c3} and {c1, c2}, the diagnoses
//! {c2} and {c1, c3}.

mod analysis;
mod component;
mod confirm;
mod instrument;
mod tree;

use std::time::{Duration, Instant};

use c_syntax::{Expr, ExprKind};
use c_types::Type;
use check::{Example, Task};
use encode::program::{Reading, TooLarge, Unknown};
use solver::{Answer, Limits, Minimize, Model, Solver, Term, Terms};

pub use analysis::{Analysis, Coverage, Question, question};
pub use component::{Component, Role, Shape, Wanted as Components, components, type_name};
pub use confirm::goes_well;
pub use instrument::{Instrument, Piece, converted, instrument, not_zero, unknowns, value_of};
pub use tree::{Conflict, HittingSets, Set, hitting_sets};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// What may be wrong.
    pub components: Components,
    /// How the program is analysed.
    pub analysis: Analysis,
    /// So many components at once, at most.
    pub max_size: usize,
    /// So many diagnoses, at most.
    pub most: usize,
    /// How conflicts are made small.
    pub minimize: Minimize,
    /// Time for everything.
    pub timeout: Duration,
}

impl Default for Wanted {
    fn default() -> Self {
        Wanted {
            components: Components::default(),
            analysis: Analysis::Merged,
            max_size: 2,
            most: 1000,
            minimize: Minimize::Deletion,
            timeout: Duration::from_secs(60),
        }
    }
}

/// A set of expressions that can be replaced so that all the failing inputs go well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// The numbers of its components.
    pub components: Vec<usize>,
    /// For each failing input: for each component, the values that make it go well, in the order of the run.
    pub values: Vec<Vec<Vec<i128>>>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Diagnoses {
    /// All expressions that may be wrong.
    pub components: Vec<Component>,
    /// The minimal diagnoses, smallest first.
    pub found: Vec<Diagnosis>,
    /// The conflicts that they hit.
    pub conflicts: Vec<Set>,
    /// Whether these are all up to the size.
    pub is_complete: bool,
    /// Sets with whose values the interpreter did not confirm that the inputs go well.
    pub refused: usize,
    /// What was looked at.
    pub coverage: Coverage,
    /// Questions to the solver.
    pub asked: usize,
    /// Time for the analysis.
    pub analysis: Duration,
    /// Time for everything.
    pub time: Duration,
}

/// Why there are no diagnoses.
#[derive(Debug, thiserror::Error)]
pub enum DiagnosisError {
    /// The program is too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// No expression of the wanted kinds.
    #[error("there is no expression that could be wrong: choose more with --components, or other functions")]
    NoComponents,
}

/// All minimal diagnoses for these failing inputs.
pub fn diagnose(task: &Task, examples: &[Example], wanted: &Wanted) -> Result<Diagnoses, DiagnosisError> {
    let start = Instant::now();
    let components = components(&task.program, &wanted.components);
    if components.is_empty() {
        return Err(DiagnosisError::NoComponents);
    }
    let side = with_switches(task, &components);
    let mut terms = Terms::new();
    let switches: Vec<Term> = (0..components.len()).map(|n| terms.bool_variable(&on(n))).collect();
    let named = switches
        .iter()
        .enumerate()
        .flat_map(|(number, switch)| [(on(number), Unknown::Fixed(*switch)), (any(number), Unknown::Any)]);
    let unknowns = unknowns(&side, named);
    let mut task = task.clone();
    task.options.timeout = wanted.timeout;
    let Question { mut terms, inputs, wrong, coverage, readings, .. } =
        question(&task, &side, terms, &unknowns, wanted.analysis, examples.first())?;
    let analysis = start.elapsed();
    let mut cases = vec![];
    for example in examples {
        let input = example.model(&terms, &inputs);
        let wrong = terms.specialize(wrong, &input);
        let right = terms.not(wrong);
        let mut solver = Solver::embedded();
        solver.assert(&terms, right);
        cases.push(Case { input, solver });
    }
    let readings = by_component(&side, &readings, components.len());
    let limits = Limits::none().and_until(start + wanted.timeout);
    let mut search = Search { terms, switches, readings, cases, limits, minimize: wanted.minimize, asked: 0 };
    let sets = hitting_sets(wanted.max_size, wanted.most, &mut |set| search.conflict(set));
    let mut found: Vec<Diagnosis> = sets.found.iter().map(|set| search.diagnosis(set, &components)).collect();
    found.retain(|diagnosis| is_confirmed(&task, &components, diagnosis, examples));
    let refused = sets.found.len() - found.len();
    let HittingSets { conflicts, is_complete, .. } = sets;
    let (asked, time) = (search.asked, start.elapsed());
    Ok(Diagnoses { components, found, conflicts, is_complete, refused, coverage, asked, analysis, time })
}

/// Whether the interpreter confirms that all inputs go well with the values of a diagnosis.
fn is_confirmed(task: &Task, components: &[Component], diagnosis: &Diagnosis, examples: &[Example]) -> bool {
    let of_set: Vec<&Component> = diagnosis.components.iter().map(|number| &components[*number]).collect();
    let confirmed = |(example, values): (&Example, &Vec<Vec<i128>>)| goes_well(task, &of_set, values, example);
    examples.iter().zip(&diagnosis.values).all(confirmed)
}

/// For each component, where its value was read that may be any.
fn by_component(side: &check::Side, readings: &[Reading], count: usize) -> Vec<Vec<Reading>> {
    let of_one = |number: usize| {
        let global = instrument::global(side, &any(number));
        readings.iter().filter(|reading| Some(reading.global) == global).copied().collect()
    };
    (0..count).map(of_one).collect()
}

fn on(number: usize) -> String {
    format!("wolverine_on_{number}")
}

fn any(number: usize) -> String {
    format!("wolverine_any_{number}")
}

/// The program with a switch for every component.
fn with_switches(task: &Task, components: &[Component]) -> check::Side {
    let mut instrument = Instrument::new(&task.program);
    for (number, component) in components.iter().enumerate() {
        let (span, is_truth, types) = (component.span, component.role.is_truth(), &mut instrument.unit.types);
        let (truth, int) = (types.intern(Type::Bool), types.int(4, true));
        let ty = if is_truth { int } else { component.expr.ty };
        let on = instrument.unknown(&on(number), truth);
        let any = instrument.unknown(&any(number), if is_truth { truth } else { ty });
        let on = Box::new(value_of(&instrument.unit, on, span));
        let any = Box::new(converted(value_of(&instrument.unit, any, span), ty));
        instrument.replace(span, move |stays| {
            let stays = Box::new(if is_truth { not_zero(stays, int) } else { stays });
            Expr::new(ExprKind::Conditional(on.clone(), any.clone(), stays), ty, span)
        });
    }
    instrument.finish()
}

/// A failing input.
struct Case {
    input: Model,
    /// It goes well.
    solver: Solver<()>,
}

struct Search {
    terms: Terms,
    switches: Vec<Term>,
    /// For each component.
    readings: Vec<Vec<Reading>>,
    cases: Vec<Case>,
    limits: Limits,
    minimize: Minimize,
    asked: usize,
}

impl Search {
    /// A minimal conflict that a set does not hit.
    fn conflict(&mut self, set: &Set) -> Conflict {
        let off = self.off(set);
        let assumed: Vec<Term> = off.iter().map(|(_, off)| *off).collect();
        for Case { solver, .. } in &mut self.cases {
            self.asked += 1;
            match solver.check(&self.terms, &assumed, &self.limits) {
                Answer::Sat(_) => {}
                Answer::Unknown(_) => return Conflict::Unknown,
                Answer::Unsat(core) => {
                    let core = solver.minimize(&self.terms, &core, self.minimize, &self.limits);
                    let members = off.iter().filter(|(_, off)| core.assumptions.contains(off));
                    return Conflict::Of(members.map(|(number, _)| *number).collect());
                }
            }
        }
        Conflict::None
    }

    /// The components that are not in a set, with what says that they stay.
    fn off(&mut self, set: &Set) -> Vec<(usize, Term)> {
        let others = (0..self.switches.len()).filter(|number| !set.contains(number));
        others.map(|number| (number, self.terms.not(self.switches[number]))).collect()
    }

    /// A diagnosis with values that make the failing inputs go well.
    fn diagnosis(&mut self, set: &Set, components: &[Component]) -> Diagnosis {
        let off: Vec<Term> = self.off(set).into_iter().map(|(_, off)| off).collect();
        let on: Vec<Term> = set.iter().map(|number| self.switches[*number]).collect();
        let all = [off.as_slice(), &on].concat();
        // Small values are easier to read. An expression with side effects may have to be evaluated: then it
        // stays for this input.
        let mut wishes: Vec<Vec<Term>> = SMALL
            .iter()
            .map(|bound| {
                let small = set.iter().flat_map(|number| small(&mut self.terms, &self.readings[*number], *bound));
                all.iter().copied().chain(small.collect::<Vec<_>>()).collect()
            })
            .collect();
        wishes.extend([all, off]);
        let mut values = vec![];
        for Case { input, solver } in &mut self.cases {
            let model = wishes.iter().find_map(|assumed| match solver.check(&self.terms, assumed, &self.limits) {
                Answer::Sat(model) => Some(model.with(input)),
                _ => None,
            });
            let model = model.unwrap_or_default();
            let read =
                set.iter().map(|number| read(&self.terms, &model, &self.readings[*number], &components[*number]));
            values.push(read.collect());
        }
        Diagnosis { components: set.iter().copied().collect(), values }
    }
}

/// Values up to these are tried first.
const SMALL: [u64; 3] = [1, 20, 1000];

/// That the values of a component are small.
fn small(terms: &mut Terms, readings: &[Reading], bound: u64) -> Vec<Term> {
    let mut found = vec![];
    for reading in readings {
        let solver::Sort::Bits(width) = terms.sort(reading.value) else { continue };
        let mask = u64::MAX >> (64 - width);
        let high = if bound > mask >> 1 { mask >> 1 } else { bound };
        let (low, high) = (terms.bits(high.wrapping_neg() & mask, width), terms.bits(high, width));
        found.extend([terms.sle(low, reading.value), terms.sle(reading.value, high)]);
    }
    found
}

/// The values that a run reads of a component, in its order.
fn read(terms: &Terms, model: &Model, readings: &[Reading], component: &Component) -> Vec<i128> {
    let (sort, signed) = component.sort();
    let number = |value: u64| match sort {
        solver::Sort::Bits(width) if signed => i128::from((value << (64 - width)) as i64 >> (64 - width)),
        _ => i128::from(value),
    };
    let when: Vec<Term> = readings.iter().map(|reading| reading.when).collect();
    let taken = terms.evaluate_all(&when, model);
    let taken = readings.iter().zip(taken).filter(|(_, taken)| *taken == 1);
    taken.map(|(reading, _)| number(model.get(reading.value).unwrap_or(0))).collect()
}
