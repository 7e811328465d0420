//! Diagnoses and template repairs of the cases: the smallest sets of
//! expressions that explain two failing inputs, and the first repair by a
//! template with few parameters, which is run on all inputs of the case as well.
//!
//! ```text
//! 02-max_of_three: 3 sets of 5 expressions
//!   line 7: `c < m`
//!   …
//!   repair: line 7: `c < m` to `c > m`
//! ```

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use check::{Example, Task, Verdict, varied_counterexamples};
use localize::diagnosis::{self, Diagnoses, diagnose};
use repair::strategy::refine::{Repair, Wanted, repairs};

use super::brute::{LONGEST, task};
use super::case::{Case, find};
use super::driver::Driver;
use super::judge::Judge;
use crate::BenchError;
use crate::parallel::{bar, in_parallel};

/// Failing inputs that a set has to explain.
const INPUTS: usize = 2;

/// What is done.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder with the cases.
    pub folder: PathBuf,
    /// Only cases whose names contain this.
    pub filter: Option<String>,
    /// So many expressions at once, at most.
    pub max_size: usize,
    /// Time for the repairs of a case.
    pub timeout: Duration,
    /// Cases at the same time.
    pub jobs: usize,
}

/// What came of a case.
#[derive(Clone, Debug, Default)]
pub struct Explained {
    /// The case.
    pub case: String,
    /// Faults that were put in, in different statements.
    pub faults: usize,
    /// Expressions that may be wrong.
    pub components: usize,
    /// The smallest sets, each as the texts of its expressions with their lines.
    pub sets: Vec<Vec<String>>,
    /// Whether these are all sets up to the size.
    pub is_complete: bool,
    /// Sets that the interpreter did not confirm.
    pub refused: usize,
    /// The first repair, in words.
    pub repair: Option<String>,
    /// Whether the repaired program is right on all inputs of the case.
    pub is_right: bool,
    /// Time for the failing inputs and the sets, and for the repair.
    pub time: (Duration, Duration),
}

/// All cases.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// One for each case.
    pub cases: Vec<Explained>,
}

/// Diagnoses and repairs all cases whose names are wanted.
pub fn run(options: &Options, is_wanted: &dyn Fn(&str) -> bool) -> Result<Summary, BenchError> {
    let mut cases = find(&options.folder)?;
    cases.retain(|case| is_wanted(&case.name()));
    if let Some(filter) = &options.filter {
        cases.retain(|case| case.name().contains(filter));
        if cases.is_empty() {
            return Err(crate::programs::filtered(std::slice::from_ref(&options.folder), filter));
        }
    }
    let bar = bar(cases.len(), "programs");
    let rows = in_parallel(options.jobs, &cases, |case| {
        let row = c_syntax::with_deep_stack(|| explain(case, options));
        bar.inc(1);
        row
    });
    bar.finish_and_clear();
    Ok(Summary { cases: rows.into_iter().collect::<Result<_, _>>()? })
}

/// The case as the check takes it, and inputs with which it goes wrong.
pub fn failing(case: &Case) -> Result<(Task, Vec<Example>), BenchError> {
    let task = task(case)?;
    match check::check(&task) {
        Verdict::Fails(found) => {
            let examples = varied_counterexamples(&task, &found, INPUTS);
            Ok((task, examples))
        }
        other => Err(BenchError::Repair(format!("{}: the check says {other:?}", case.name()))),
    }
}

/// What is asked for of the diagnosis.
pub fn wanted(max_size: usize) -> diagnosis::Wanted {
    diagnosis::Wanted { max_size, timeout: LONGEST, ..diagnosis::Wanted::default() }
}

fn explain(case: &Case, options: &Options) -> Result<Explained, BenchError> {
    let start = Instant::now();
    let (task, examples) = failing(case)?;
    let found = diagnose(&task, &examples, &wanted(options.max_size));
    let found = found.map_err(|error| BenchError::Repair(format!("{}: {error}", case.name())))?;
    let mut row = Explained {
        case: case.name(),
        faults: case.changes.len(),
        components: found.components.len(),
        sets: found.found.iter().map(|set| in_words(&task, &found, &set.components)).collect(),
        is_complete: found.is_complete,
        refused: found.refused,
        ..Explained::default()
    };
    let diagnosed = start.elapsed();
    let mut asked = Wanted { timeout: options.timeout, first: true, only_easy: true, ..Wanted::default() };
    asked.diagnosis.max_size = options.max_size;
    let repaired = repairs(&task, &asked, &mut |_, _| {});
    if let Some(best) = repaired.found.first() {
        row.repair = Some(best.what.join("; "));
        row.is_right = is_right(case, best)?;
    }
    row.time = (diagnosed, start.elapsed() - diagnosed);
    Ok(row)
}

/// The expressions of a set, with their lines.
fn in_words(task: &Task, found: &Diagnoses, set: &[usize]) -> Vec<String> {
    let source = task.program.source();
    let one = |number: &usize| {
        let span = found.components[*number].span;
        format!("line {}: `{}`", source.line(span.start), source.text(span))
    };
    set.iter().map(one).collect()
}

/// Whether a repaired program is right on all inputs of a case.
fn is_right(case: &Case, repair: &Repair) -> Result<bool, BenchError> {
    let text = String::from_utf8_lossy(&repair.patched.text);
    Ok(Judge::new(case)?.first_wrong(&Driver::new(case, &text)?)?.is_none())
}

impl Summary {
    /// The times of all cases, the longest first.
    pub fn times(&self) -> String {
        let mut cases: Vec<&Explained> = self.cases.iter().collect();
        cases.sort_by_key(|case| std::cmp::Reverse(case.time.0 + case.time.1));
        let line = |case: &&Explained| {
            let (sets, repair) = (case.time.0.as_secs_f64(), case.time.1.as_secs_f64());
            format!("{:28} sets {sets:6.2} s, repair {repair:6.2} s\n", case.case)
        };
        cases.iter().map(line).collect()
    }

    /// Cases with so many faults that have a repair that is right on all inputs.
    pub fn repaired(&self, faults: usize) -> (usize, usize) {
        let of_these = self.cases.iter().filter(|case| case.faults == faults);
        let is_repaired = |case: &Explained| usize::from(case.is_right);
        of_these.fold((0, 0), |(right, all), case| (right + is_repaired(case), all + 1))
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for case in &self.cases {
            let more = if case.is_complete { "" } else { ", perhaps more" };
            let (sets, expressions) = (case.sets.len(), case.components);
            let sets = if sets == 1 { "1 set".into() } else { format!("{sets} sets") };
            writeln!(f, "{}: {sets} of {expressions} expressions{more}", case.case)?;
            case.sets.iter().try_for_each(|set| writeln!(f, "  {}", set.join("; ")))?;
            match &case.repair {
                Some(repair) if case.is_right => writeln!(f, "  repair: {repair}")?,
                Some(repair) => writeln!(f, "  repair that is wrong on some inputs: {repair}")?,
                None => writeln!(f, "  no repair")?,
            }
        }
        let refused: usize = self.cases.iter().map(|case| case.refused).sum();
        writeln!(f, "{} programs, {refused} sets that the interpreter did not confirm", self.cases.len())?;
        for (faults, what) in [(1, "with one fault"), (2, "with two faults in different statements")] {
            let (right, all) = self.repaired(faults);
            if all > 0 {
                writeln!(f, "{right} of {all} {what} repaired, right on all inputs")?;
            }
        }
        Ok(())
    }
}
