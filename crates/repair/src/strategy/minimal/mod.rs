//! All minimal sets of mutations that make a program right, for all inputs up
//! to a bound (R §6, FL-AllRepair).
//!
//! The program formula has a selector for each mutation, so one formula is all
//! mutated programs. A set that no input makes go wrong is a repair, and no set
//! that contains it is looked at again. A set that an input makes go wrong
//! fails because of some of its selectors (R §5, `Validator`): every larger set
//! that repairs it turns on one of those. For `while (i <= n) s += a[i];` with
//! the faulty `<=` and `n = 3`, the set {`+` to `-`} fails, and so does every
//! other set that leaves `<=` as it is.
//!
//! [`repairs`] is sound and complete: what it returns is exactly the minimal
//! sets up to the given size, if it says that the space was covered.

mod candidates;
mod enumerate;
mod space;
mod tree;
mod validate;

use std::time::{Duration, Instant};

use c_syntax::SelectorId;
use check::{Proof, Task};
use encode::program::Open;
use patch::Patched;
use solver::{Limits, Term, Terms};

use crate::scheme::mutation::{Level, Mutated, mutate};
use crate::strategy::proved;
use validate::Validator;

/// How the sets are gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Each set is made of a smaller one that fails, by one of the mutations that matter there (`tree.rs`).
    Tree,
    /// A SAT solver proposes sets (`enumerate.rs`, as published).
    Enumerate(Blocking),
}

/// What is learnt from a set of mutations that does not repair the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocking {
    /// Only that it is none (AllRepair).
    Itself,
    /// No set is one that is the same at the places that matter for this input (FL-AllRepair).
    Must,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Which mutations.
    pub level: Level,
    /// So many at once, at most.
    pub max_size: usize,
    /// Whether the first repair is enough.
    pub first: bool,
    /// How the sets are gone through.
    pub way: Way,
    /// Only these functions are changed; all if none is named.
    pub functions: Vec<String>,
    /// Whether found repairs are written and checked once more from their text.
    pub check: bool,
    /// Time for everything.
    pub timeout: Duration,
}

impl Default for Wanted {
    fn default() -> Self {
        Wanted {
            level: Level::Two,
            max_size: 2,
            first: false,
            way: Way::Tree,
            functions: vec![],
            check: true,
            timeout: Duration::from_secs(60),
        }
    }
}

/// A minimal repair.
#[derive(Clone, Debug)]
pub struct Repair {
    /// Its mutations.
    pub on: Vec<SelectorId>,
    /// What they do: "line 4: `<` to `<=`".
    pub what: Vec<String>,
    /// The patched text.
    pub patched: Patched,
    /// What the independent check of the patched text proved; none if it was not asked for.
    pub proof: Option<Proof>,
    /// When it was found, without the time of checks.
    pub after: Duration,
}

/// How far the search came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Mutations.
    pub mutations: usize,
    /// Sets of mutations up to the size.
    pub space: u128,
    /// Sets that were run with inputs that are known to go wrong.
    pub tested: usize,
    /// Sets that the solver was asked about.
    pub validated: usize,
    /// Inputs that go wrong with some set.
    pub inputs: usize,
    /// Sets that were right only because they no longer come to an assertion.
    pub vacuous: usize,
    /// Repairs that the independent check of their text refused: there should be none.
    pub refused: usize,
    /// The size that is being looked at.
    pub size: usize,
    /// Repairs so far.
    pub found: usize,
}

/// How the search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All sets up to the size are covered.
    Covered,
    /// The first repair was enough.
    First,
    /// Time is up.
    OutOfTime,
    /// The program is right already.
    AlreadyRight,
    /// The program comes to something that is not modelled, and elsewhere nothing is wrong.
    NotModelled,
    /// The program cannot be unrolled this far.
    TooLarge(String),
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Repairs {
    /// In order of closeness to the program.
    pub found: Vec<Repair>,
    /// How the search ended.
    pub end: End,
    /// How far it came.
    pub counts: Counts,
    /// Time for the formula, and for everything.
    pub times: Times,
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Making mutations and formula.
    pub formula: Duration,
    /// Until the first repair was proved.
    pub first: Option<Duration>,
    /// Until the space was covered, without the checks.
    pub search: Duration,
    /// Writing and checking the texts.
    pub check: Duration,
}

/// Hears of every step, and of every repair at once.
pub type Progress<'a> = &'a mut dyn FnMut(&Counts, Option<&Repair>);

/// All minimal repairs.
pub fn repairs(task: &Task, wanted: &Wanted, progress: Progress<'_>) -> Repairs {
    let start = Instant::now();
    let limits = Limits::none().and_until(start + wanted.timeout);
    let mutated = mutants(task, wanted);
    let program = ir::lower(mutated.unit.clone());
    let mut terms = Terms::new();
    let selectors: Vec<Term> =
        (0..mutated.mutations.len()).map(|number| terms.bool_variable(&format!("mutation {number}"))).collect();
    let formula = match check::formula(task, &program, terms, Open { selectors: &selectors, unknowns: &[] }, false) {
        Ok(formula) => formula,
        Err(error) => return nothing(End::TooLarge(error.to_string()), start),
    };
    let mut search = Search {
        task,
        wanted,
        mutated: &mutated,
        validator: Validator::new(formula, selectors, &limits),
        limits,
        start,
        found: vec![],
        counts: Counts {
            mutations: mutated.mutations.len(),
            space: space::count(&mutated, wanted.max_size),
            ..Counts::default()
        },
        times: Times { formula: start.elapsed(), ..Times::default() },
    };
    let end = match wanted.way {
        Way::Tree => tree::run(&mut search, progress),
        Way::Enumerate(blocking) => enumerate::run(&mut search, blocking, progress),
    };
    search.finish(end)
}

/// The mutations that are asked for; [`Repair::on`] are selectors of these.
pub fn mutants(task: &Task, wanted: &Wanted) -> Mutated {
    mutate(&task.program.unit, wanted.level, Some(&own_functions(task, &wanted.functions)))
}

/// The functions that may be changed: the user's own, without the driver.
fn own_functions<'a>(task: &'a Task, wanted: &[String]) -> Vec<&'a str> {
    let own = task.program.unit.functions.iter().filter(|function| (function.span.start as usize) < task.program.own);
    let names = own.filter(|function| function.own).map(|function| &*function.name);
    names.filter(|name| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name)).collect()
}

fn nothing(end: End, start: Instant) -> Repairs {
    let times = Times { formula: start.elapsed(), ..Times::default() };
    Repairs { found: vec![], end, counts: Counts::default(), times }
}

struct Search<'a> {
    task: &'a Task,
    wanted: &'a Wanted,
    mutated: &'a Mutated,
    validator: Validator,
    limits: Limits,
    start: Instant,
    found: Vec<Repair>,
    counts: Counts,
    times: Times,
}

impl Search<'_> {
    /// The program as it is does not fail.
    fn already_right(&self) -> End {
        if self.validator.leaves_model { End::NotModelled } else { End::AlreadyRight }
    }

    /// A repair is written, read again and checked by itself before anybody hears of it.
    fn accept(&mut self, on: &[usize], progress: Progress<'_>) {
        let after = self.start.elapsed() - self.times.check;
        let Some(mut repair) = self.write(on, after) else { return };
        self.times.first.get_or_insert(after);
        if self.wanted.check {
            let start = Instant::now();
            let left = self.wanted.timeout.saturating_sub(self.start.elapsed());
            let proof = proved(self.task, &repair.patched.text, left);
            self.times.check += start.elapsed();
            match proof {
                Some(proof) => repair.proof = Some(proof),
                None => {
                    self.counts.refused += 1;
                    return;
                }
            }
        }
        self.counts.found += 1;
        progress(&self.counts, Some(&repair));
        self.found.push(repair);
    }

    fn write(&self, on: &[usize], after: Duration) -> Option<Repair> {
        let ids: Vec<SelectorId> = on.iter().map(|number| self.mutated.mutations[*number].selector).collect();
        let edits = self.mutated.edits(&ids)?;
        let source = c_syntax::Source::new(self.task.program.path.clone(), self.task.program.text().to_vec());
        let patched = patch::apply(&source, &edits).ok()?;
        let what = on.iter().map(|number| {
            let mutation = &self.mutated.mutations[*number];
            format!("line {}: {}", source.line(mutation.span.start), mutation.what)
        });
        Some(Repair { on: ids, what: what.collect(), patched, proof: None, after })
    }

    fn finish(mut self, end: End) -> Repairs {
        self.times.search = self.start.elapsed() - self.times.check;
        let closeness = |repair: &Repair| (repair.on.len(), repair.patched.tokens_changed(), repair.on.clone());
        self.found.sort_by_key(closeness);
        Repairs { found: self.found, end, counts: self.counts, times: self.times }
    }
}
