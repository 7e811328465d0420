//! All minimal repairs once by solving and once by brute force: every mutant's
//! text is run on every input, and both lists must be the same.
//!
//! For `if (x > 0) x = -x;` with x from -8 to 8, [`repairs`] says that `>` to
//! `<` and `>` to `<=` are all repairs at level 2; brute force writes each of
//! the mutants, runs it on the 17 inputs, and must say the same.
//!
//! The formula calls a mutant wrong that goes on past the bound of unrolling,
//! even if it ends some rounds later and is right. Such a mutant is not counted
//! as right by brute force either, if the check says of its text that the
//! bound is too small, and that it is right with a larger one; these are
//! counted in [`Comparison::beyond`]. A program that reads standard input is
//! asked about all inputs, whereas only a few can be tried: there a mutant may
//! be wrong on an input that was not tried ([`Comparison::elsewhere`]), which
//! the check tells, and the interpreter confirms. In the same way a program
//! with assertions must still come to each of them (`reach.rs`).

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use c_syntax::SelectorId;
use check::{Task, Verdict};
use repair::scheme::mutation::{Level, Mutated};
use repair::strategy::minimal::{End, Wanted, Way, mutants, repairs};

use super::case::{Case, Input, Specification, find};
use super::driver::Driver;
use super::judge::Judge;
use super::reach::reached;
use crate::BenchError;
use crate::parallel::{bar, in_parallel};

/// Loops of mutants go round more often than those of the right program.
const MORE_ROUNDS: u32 = 3;
/// By so many times the bound is raised to see what a mutant does that goes on past it.
const RAISED: u32 = 6;
/// Texts that are read at once.
const BATCH: usize = 200;
/// Time for a search; none should come near it.
pub(super) const LONGEST: Duration = Duration::from_secs(300);

/// What is compared.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder with the cases.
    pub folder: PathBuf,
    /// Only cases whose names contain this.
    pub filter: Option<String>,
    /// Which mutations.
    pub level: Level,
    /// The most mutations at once: one or two.
    pub max_size: usize,
    /// Pairs of mutations of each case that are tried at most; the same every time.
    pub sample: usize,
    /// How the sets are gone through.
    pub way: Way,
    /// Cases at the same time.
    pub jobs: usize,
}

impl Options {
    /// All cases in the default way.
    pub fn new(folder: impl Into<PathBuf>, level: Level, max_size: usize, sample: usize) -> Options {
        Options { folder: folder.into(), filter: None, level, max_size, sample, way: Way::Tree, jobs: 2 }
    }
}

/// A case whose repairs were found twice.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The case.
    pub case: String,
    /// Mutations.
    pub mutations: usize,
    /// Inputs on which each mutant is run.
    pub inputs: usize,
    /// Mutants that were run.
    pub tried: usize,
    /// Mutants that there are.
    pub space: u128,
    /// Minimal repairs by solving.
    pub found: usize,
    /// Mutants that are right, but only after more rounds than the bound has.
    pub beyond: usize,
    /// Mutants that are wrong only on inputs that were not tried.
    pub elsewhere: usize,
    /// What one side says and the other does not.
    pub differences: Vec<String>,
    /// Time for solving.
    pub solving: Duration,
    /// Time for trying.
    pub trying: Duration,
}

/// All cases.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// One for each case.
    pub cases: Vec<Comparison>,
}

/// Compares all cases.
pub fn run(options: &Options) -> Result<Summary, BenchError> {
    let mut cases = find(&options.folder)?;
    if let Some(filter) = &options.filter {
        cases.retain(|case| case.name().contains(filter));
        if cases.is_empty() {
            return Err(crate::programs::filtered(std::slice::from_ref(&options.folder), filter));
        }
    }
    let bar = bar(cases.len(), "programs");
    let rows = in_parallel(options.jobs, &cases, |case| {
        let row = c_syntax::with_deep_stack(|| compare(case, options));
        bar.inc(1);
        row
    });
    bar.finish_and_clear();
    Ok(Summary { cases: rows.into_iter().collect::<Result<_, _>>()? })
}

fn compare(case: &Case, options: &Options) -> Result<Comparison, BenchError> {
    let task = task(case)?;
    let wanted = Wanted {
        level: options.level,
        max_size: options.max_size,
        way: options.way,
        check: false,
        timeout: LONGEST,
        ..Wanted::default()
    };
    let start = Instant::now();
    let found = repairs(&task, &wanted, &mut |_, _| {});
    let mut row = Comparison {
        case: case.name(),
        mutations: found.counts.mutations,
        space: found.counts.space,
        found: found.found.len(),
        solving: start.elapsed(),
        ..Comparison::default()
    };
    if found.end != End::Covered {
        row.differences.push(format!("the search ended with {:?}", found.end));
        return Ok(row);
    }
    let numbers = |on: &[SelectorId]| on.iter().map(|selector| selector.0 as usize).collect::<Vec<_>>();
    let found: BTreeSet<Vec<usize>> = found.found.iter().map(|repair| numbers(&repair.on)).collect();
    let start = Instant::now();
    let judge = Judge::of(case, inputs(case))?;
    row.inputs = judge.inputs().len();
    let text = case.faulty()?;
    let reached = reached(case, &judge, &text)?;
    let mutated = mutants(&task, &wanted);
    Brute { case, task: &task, mutated: &mutated, judge, reached, found, row: &mut row }.run(options)?;
    row.trying = start.elapsed();
    Ok(row)
}

/// The case as the check takes it, with exactly the inputs of the case where that can be said.
pub(super) fn task(case: &Case) -> Result<Task, BenchError> {
    let mut options = check::Options {
        entry: (case.entry != "main").then(|| case.entry.clone()),
        assume: case.assume.clone(),
        observe: observed(case),
        length: length(case),
        input_ranges: ranges(case),
        timeout: LONGEST,
        ..check::Options::default()
    };
    options.bounds.unwind = case.unwind + MORE_ROUNDS;
    let reference = case.folder.join("reference.c");
    let reference = (case.specification == Specification::Reference).then_some(reference.as_path());
    let loaded = check::load(&case.folder.join("faulty.c"), reference, &options);
    loaded.map_err(|error| BenchError::Repair(format!("{}: {error}", case.name())))
}

/// What the driver of the check prints; whole programs are compared by all that can be seen.
fn observed(case: &Case) -> Vec<String> {
    if case.entry == "main" {
        return vec![];
    }
    let mut names: Vec<String> =
        case.observe.iter().map(|what| what.split('.').next().unwrap_or(what).to_string()).collect();
    names.dedup();
    names
}

/// The length of arrays, without the NUL of a text.
fn length(case: &Case) -> u64 {
    let array = case.parameters.iter().find(|unknown| !unknown.dimensions.is_empty());
    array.map_or(1, |unknown| (unknown.dimensions[0] - usize::from(unknown.text)) as u64)
}

fn ranges(case: &Case) -> Vec<(i64, i64)> {
    let numbers = super::case::scalars(if case.stdin.is_empty() { &case.arguments } else { &case.stdin });
    let ends = |values: &[i128]| Some((i64::try_from(*values.first()?).ok()?, i64::try_from(*values.last()?).ok()?));
    numbers.iter().filter(|number| number.ty != "char").filter_map(|number| ends(&number.values)).collect()
}

/// All inputs of a case. Standard input may end at any place.
fn inputs(case: &Case) -> Vec<Input> {
    let mut all = case.inputs();
    let longest = all.first().map_or(0, |input| input.stdin.len());
    for length in (0..longest).rev() {
        let whole = all.clone();
        let shorter = |input: &Input| Input { stdin: input.stdin[..length].to_vec(), ..input.clone() };
        let mut shorter: Vec<Input> = whole.iter().filter(|input| input.stdin.len() > length).map(shorter).collect();
        shorter.dedup();
        all.extend(shorter);
    }
    all
}

struct Brute<'a> {
    case: &'a Case,
    task: &'a Task,
    mutated: &'a Mutated,
    judge: Judge,
    /// The assertions that the faulty program comes to.
    reached: Vec<bool>,
    /// The minimal repairs by solving.
    found: BTreeSet<Vec<usize>>,
    row: &'a mut Comparison,
}

/// What running a mutant says.
enum Tried {
    Right,
    Wrong(String),
    /// Its text is not C.
    NotC(String),
}

impl Brute<'_> {
    fn run(mut self, options: &Options) -> Result<(), BenchError> {
        let count = self.mutated.mutations.len();
        let singles: Vec<Vec<usize>> = (0..count).map(|number| vec![number]).collect();
        let right = self.compare_all(singles)?;
        if options.max_size < 2 {
            return Ok(());
        }
        let pairs = self.pairs(&right, options.sample);
        self.compare_all(pairs)?;
        let contains = |set: &&Vec<usize>| set.len() > 1 && right.iter().any(|single| set.contains(&single[0]));
        let larger: Vec<String> = self.found.iter().filter(contains).map(|set| self.words(set)).collect();
        self.row.differences.extend(larger.into_iter().map(|words| format!("not minimal: {words}")));
        Ok(())
    }

    /// Pairs that may be minimal repairs: all that were found, and others up to the sample.
    fn pairs(&self, right: &[Vec<usize>], sample: usize) -> Vec<Vec<usize>> {
        let mutations = &self.mutated.mutations;
        let alone: Vec<usize> = (0..mutations.len()).filter(|number| !right.contains(&vec![*number])).collect();
        let mut pairs: Vec<Vec<usize>> = vec![];
        for (index, &first) in alone.iter().enumerate() {
            let others = alone[index + 1..].iter().filter(|other| mutations[**other].site != mutations[first].site);
            pairs.extend(others.map(|&other| vec![first, other]));
        }
        if pairs.len() > sample {
            fastrand::Rng::with_seed(1).shuffle(&mut pairs);
            let rest = pairs.split_off(sample);
            pairs.extend(rest.into_iter().filter(|pair| self.found.contains(pair)));
        }
        pairs
    }

    /// Tries all sets and compares each with what was found; those that are right.
    fn compare_all(&mut self, sets: Vec<Vec<usize>>) -> Result<Vec<Vec<usize>>, BenchError> {
        let mut right = vec![];
        for batch in sets.chunks(BATCH) {
            let written: Vec<(&Vec<usize>, String)> =
                batch.iter().filter_map(|set| Some((set, self.text(set)?))).collect();
            let texts: Vec<&str> = written.iter().map(|(_, text)| text.as_str()).collect();
            let drivers = Driver::several(self.case, &texts);
            for ((set, text), driver) in written.iter().zip(drivers) {
                self.row.tried += 1;
                if self.compare_one(set, text, driver)? {
                    right.push((*set).clone());
                }
            }
        }
        Ok(right)
    }

    fn text(&self, set: &[usize]) -> Option<String> {
        let on: Vec<SelectorId> = set.iter().map(|number| self.mutated.mutations[*number].selector).collect();
        let source = c_syntax::Source::new(self.task.program.path.clone(), self.task.program.text().to_vec());
        let patched = patch::apply(&source, &self.mutated.edits(&on)?).ok()?;
        String::from_utf8(patched.text).ok()
    }

    /// Whether a set is right.
    fn compare_one(
        &mut self,
        set: &[usize],
        text: &str,
        driver: Result<Driver, BenchError>,
    ) -> Result<bool, BenchError> {
        let difference = match (self.tried(text, driver)?, self.found.contains(set)) {
            (Tried::Right, true) => return Ok(true),
            (Tried::Wrong(_), false) => return Ok(false),
            (Tried::Wrong(why), true) => format!("found by solving, but wrong: {}: {why}", self.words(set)),
            (Tried::NotC(why), _) => format!("the text is not C: {}: {why}", self.words(set)),
            (Tried::Right, false) => match self.explained(text) {
                None => return Ok(false),
                Some(verdict) => {
                    let words = self.words(set);
                    self.row.differences.push(format!("right, but not found by solving: {words}: {verdict}"));
                    return Ok(true);
                }
            },
        };
        self.row.differences.push(difference);
        Ok(false)
    }

    fn tried(&self, text: &str, driver: Result<Driver, BenchError>) -> Result<Tried, BenchError> {
        let driver = match driver {
            Ok(driver) => driver,
            Err(error) => return Ok(Tried::NotC(error.to_string())),
        };
        if let Some((input, seen)) = self.judge.first_wrong(&driver)? {
            let (input, right) = (&self.judge.inputs()[input], self.judge.right(input));
            return Ok(Tried::Wrong(format!("on {input:?} it does {seen:?}, not {right:?}")));
        }
        if self.reached.contains(&true) {
            let now = reached(self.case, &self.judge, text)?;
            if self.reached.iter().zip(&now).any(|(before, now)| *before && !now) {
                return Ok(Tried::Wrong("it no longer comes to an assertion".into()));
            }
        }
        Ok(Tried::Right)
    }

    /// Counts what is right on all inputs that were tried for a known reason, or tells what the check says.
    fn explained(&mut self, text: &str) -> Option<String> {
        let Ok(side) = self.task.program.with_text(text.as_bytes()) else { return Some("it is not C".into()) };
        let verdict = check::check_side(self.task, &side);
        match &verdict {
            Verdict::BoundTooSmall(_) => {
                let mut raised = self.task.clone();
                raised.options.bounds.unwind *= RAISED;
                match check::check_side(&raised, &side) {
                    Verdict::Holds(_) => {
                        self.row.beyond += 1;
                        return None;
                    }
                    other => return Some(format!("past the bound, and with more rounds {other:?}")),
                }
            }
            Verdict::Fails(_) if !self.case.stdin.is_empty() => {
                self.row.elsewhere += 1;
                return None;
            }
            _ => {}
        }
        Some(format!("{verdict:?}"))
    }

    fn words(&self, set: &[usize]) -> String {
        let source = self.task.program.source();
        let one = |number: &usize| {
            let mutation = &self.mutated.mutations[*number];
            format!("line {}: {}", source.line(mutation.span.start), mutation.what)
        };
        set.iter().map(one).collect::<Vec<_>>().join(" and ")
    }
}

impl Summary {
    /// Everything that one side says and the other does not.
    pub fn differences(&self) -> usize {
        self.cases.iter().map(|case| case.differences.len()).sum()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.cases.iter().map(|case| case.case.len()).max().unwrap_or(0);
        writeln!(
            f,
            "{:width$} mutations  inputs    tried  of mutants  repairs  beyond  elsewhere  solving   trying  differences",
            ""
        )?;
        for case in &self.cases {
            writeln!(
                f,
                "{:width$} {:9} {:7} {:8} {:11} {:8} {:7} {:10} {:>5.2} s {:>6.2} s {:12}",
                case.case,
                case.mutations,
                case.inputs,
                case.tried,
                case.space,
                case.found,
                case.beyond,
                case.elsewhere,
                case.solving.as_secs_f64(),
                case.trying.as_secs_f64(),
                case.differences.len(),
            )?;
        }
        for case in &self.cases {
            case.differences.iter().try_for_each(|difference| writeln!(f, "{}: {difference}", case.case))?;
        }
        let (tried, found): (usize, usize) =
            self.cases.iter().fold((0, 0), |(tried, found), case| (tried + case.tried, found + case.found));
        let (count, differences) = (self.cases.len(), self.differences());
        writeln!(f, "{count} programs, {tried} mutants tried, {found} minimal repairs, {differences} differences")
    }
}
