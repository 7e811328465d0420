//! Template repair by counterexamples (K §III-E to G).
//!
//! For a diagnosis, its components become [templates](crate::scheme::template)
//! with unknown numbers. One player proposes numbers with which the program is
//! right for all inputs that are known, the other looks for an input with which
//! it is wrong; that input is known from then on. For `r = x` of the faulty
//! maximum the template "a variable" is proposed as `r`, refuted by x = 0 and
//! y = 1, proposed as `y`, and nothing refutes that.
//!
//! Simple templates are tried for all diagnoses before the next ones, so that
//! what is found first is what a person would look at first.

mod attempt;
mod candidate;

use std::sync::Arc;
use std::time::{Duration, Instant};

use check::{Example, Proof, Side, Task, Verdict, check, varied_counterexamples};
use localize::diagnosis::{Diagnoses, diagnose};
use patch::Patched;

use self::attempt::{Attempt, Candidate, Tried};
use crate::scheme::template::UserTemplate;
use crate::strategy::proved;

pub use candidate::Heuristics;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Which sets of expressions are looked for.
    pub diagnosis: localize::diagnosis::Wanted,
    /// With so many failing inputs.
    pub inputs: usize,
    /// Templates of the user, which are tried first.
    pub templates: Vec<UserTemplate>,
    /// So many repairs for each diagnosis, at most.
    pub repairs: usize,
    /// So many proposals for each template, at most.
    pub iterations: usize,
    /// How proposals and counterexamples are chosen.
    pub heuristics: Heuristics,
    /// Whether the first repair is enough.
    pub first: bool,
    /// Whether the search goes on with larger templates after a repair was found.
    pub all: bool,
    /// Whether large templates are left out altogether.
    pub only_easy: bool,
    /// Time for everything.
    pub timeout: Duration,
}

impl Default for Wanted {
    fn default() -> Self {
        let components = localize::diagnosis::Components { atoms: true, ..Default::default() };
        Wanted {
            diagnosis: localize::diagnosis::Wanted { components, ..Default::default() },
            inputs: 8,
            templates: vec![],
            repairs: 3,
            iterations: 40,
            heuristics: Heuristics::default(),
            first: false,
            all: false,
            only_easy: false,
            timeout: Duration::from_secs(60),
        }
    }
}

/// A repair.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The numbers of the components that change.
    pub components: Vec<usize>,
    /// What they become: "line 4: `x` to `y`".
    pub what: Vec<String>,
    /// The templates, by name.
    pub templates: Vec<String>,
    /// How simple the templates are; less is simpler.
    pub rank: usize,
    /// Whether it has a large number that is not in the program.
    pub is_strange: bool,
    /// The patched text.
    pub patched: Patched,
    /// What the independent check of the patched text proved.
    pub proof: Proof,
    /// When it was found.
    pub after: Duration,
}

/// How far the search came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Diagnoses.
    pub diagnoses: usize,
    /// Pairs of a diagnosis and a template that were tried.
    pub tried: usize,
    /// Proposals.
    pub proposed: usize,
    /// Inputs that refute some proposal.
    pub inputs: usize,
    /// Proposals that were right only because no run comes to an assertion any more.
    pub vacuous: usize,
    /// Proposals that the independent check of their text refused.
    pub refused: usize,
    /// Repairs so far.
    pub found: usize,
}

/// How the search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All templates were tried for all diagnoses.
    Covered,
    /// There are repairs, and what was not tried takes more time.
    Enough,
    /// The first repair was enough.
    First,
    /// Time is up.
    OutOfTime,
    /// The program is right already.
    AlreadyRight,
    /// There is nothing to check against.
    Nothing,
    /// Some runs go on past the bound, and that is all.
    BoundTooSmall,
    /// No set of expressions up to the size explains the failing inputs.
    NoDiagnosis,
    /// There is no formula, for this reason.
    NotAnalysed(String),
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Repairs {
    /// Simple ones first.
    pub found: Vec<Repair>,
    /// How the search ended.
    pub end: End,
    /// The diagnoses.
    pub diagnoses: Option<Diagnoses>,
    /// The failing inputs that these explain.
    pub examples: Vec<Example>,
    /// For diagnoses that no template repairs: their number and an input that refuted the last proposal.
    pub too_weak: Vec<(usize, Example)>,
    /// How far it came.
    pub counts: Counts,
    /// Time for the diagnoses.
    pub diagnosing: Duration,
    /// Time for everything.
    pub time: Duration,
}

/// Hears of every step, and of every repair at once.
pub type Progress<'a> = &'a mut dyn FnMut(&Counts, Option<&Repair>);

/// Repairs by templates, for each minimal diagnosis.
pub fn repairs(task: &Task, wanted: &Wanted, progress: Progress<'_>) -> Repairs {
    let start = Instant::now();
    let mut answer = Repairs {
        found: vec![],
        end: End::Covered,
        diagnoses: None,
        examples: vec![],
        too_weak: vec![],
        counts: Counts::default(),
        diagnosing: Duration::ZERO,
        time: Duration::ZERO,
    };
    answer.end = match failing(task, wanted) {
        Ok(examples) => {
            answer.examples = examples;
            rounds(task, wanted, start, &mut answer, progress)
        }
        Err(end) => end,
    };
    answer.found.sort_by_key(|repair| {
        let tokens = repair.patched.tokens_changed();
        (repair.components.len(), repair.is_strange, repair.rank, tokens, repair.after)
    });
    answer.time = start.elapsed();
    answer
}

/// Diagnoses are made again with more failing inputs as long as nothing simple repairs them.
///
/// With two faults, the first failing inputs may show only one of them. Proposals that repair that one are
/// refuted by inputs that show the other.
fn rounds(task: &Task, wanted: &Wanted, start: Instant, answer: &mut Repairs, progress: Progress<'_>) -> End {
    let mut known = answer.examples.clone();
    for round in 1.. {
        let asked = Instant::now();
        let left = wanted.timeout.saturating_sub(start.elapsed());
        let found = match diagnose(task, &answer.examples, &within(&wanted.diagnosis, left)) {
            Ok(found) => found,
            Err(error) => return End::NotAnalysed(error.to_string()),
        };
        answer.diagnosing += asked.elapsed();
        let is_last = round == MOST_ROUNDS;
        if let Some(end) = search(task, wanted, &found, start, &mut known, is_last, answer, progress) {
            return end;
        }
    }
    End::OutOfTime
}

/// So often diagnoses are made.
const MOST_ROUNDS: usize = 4;

/// Adds inputs that refuted proposals and with which the program itself goes wrong; whether there are any.
fn more_failing(task: &Task, wanted: &Wanted, known: &[Example], examples: &mut Vec<Example>) -> bool {
    let before = examples.len();
    for example in known.iter().rev().take(MOST_LOOKED_AT) {
        let fails = || matches!(check::confirm(task, &task.program, example), Ok(Some(_)));
        if examples.len() - before < wanted.inputs && !examples.contains(example) && fails() {
            examples.push(example.clone());
        }
    }
    examples.len() > before
}

/// So many of the inputs that refuted proposals are looked at, the last ones first.
const MOST_LOOKED_AT: usize = 40;

fn within(wanted: &localize::diagnosis::Wanted, timeout: Duration) -> localize::diagnosis::Wanted {
    localize::diagnosis::Wanted { timeout: wanted.timeout.min(timeout), ..wanted.clone() }
}

/// Inputs with which the program goes wrong.
fn failing(task: &Task, wanted: &Wanted) -> Result<Vec<Example>, End> {
    match check(task) {
        Verdict::Fails(found) => Ok(varied_counterexamples(task, &found, wanted.inputs)),
        Verdict::Holds(_) => Err(End::AlreadyRight),
        Verdict::Nothing => Err(End::Nothing),
        Verdict::BoundTooSmall(_) => Err(End::BoundTooSmall),
        Verdict::OutOfTime(why) => Err(End::NotAnalysed(why)),
    }
}

/// Repairs for these diagnoses; none if there is nothing simple and there are more failing inputs now.
fn search(
    task: &Task,
    wanted: &Wanted,
    found: &Diagnoses,
    start: Instant,
    known: &mut Vec<Example>,
    is_last: bool,
    answer: &mut Repairs,
    progress: Progress<'_>,
) -> Option<End> {
    answer.diagnoses = Some(found.clone());
    answer.counts.diagnoses = found.found.len();
    if found.found.is_empty() {
        return Some(if found.is_complete { End::NoDiagnosis } else { End::OutOfTime });
    }
    let side = with_pointer_types(&task.program);
    let diagnoses = 0..found.found.len();
    let mut attempts: Vec<Attempt> = diagnoses.map(|number| Attempt::new(task, &side, found, number, wanted)).collect();
    let mut refuted = vec![None; attempts.len()];
    let mut end = End::Covered;
    let efforts = if wanted.only_easy { &[ONLY_EASY][..] } else { &EFFORTS };
    for effort in efforts {
        let mut sweep = Sweep { task, wanted, start, effort, known, refuted: &mut refuted };
        end = match sweep.run(&mut attempts, answer, progress) {
            Some(end) => end,
            None if answer.found.is_empty() && !is_last && more_failing(task, wanted, known, &mut answer.examples) => {
                return None;
            }
            None if attempts.iter().all(|attempt| attempt.is_over(wanted.repairs)) => End::Covered,
            None if !answer.found.is_empty() && wanted.first => End::First,
            None if !answer.found.is_empty() && !wanted.all => End::Enough,
            None => continue,
        };
        break;
    }
    let weak = attempts.iter().enumerate().filter(|(_, attempt)| attempt.found == 0 && !attempt.is_strange);
    answer.too_weak = weak.filter_map(|(number, _)| Some((number, refuted[number].clone()?))).collect();
    Some(end)
}

/// How much is done for each template.
struct Effort {
    /// Whether templates with many parameters are tried.
    is_hard: bool,
    /// Time for each template of each diagnosis.
    time: Duration,
}

/// One after the other, until there is a repair.
const EFFORTS: [Effort; 4] = [
    Effort { is_hard: false, time: Duration::from_millis(500) },
    Effort { is_hard: true, time: Duration::from_millis(500) },
    Effort { is_hard: true, time: Duration::from_secs(5) },
    Effort { is_hard: true, time: Duration::from_secs(3600) },
];

/// Where there is nothing harder to come, there is more time for what is easy.
const ONLY_EASY: Effort = Effort { is_hard: false, time: Duration::from_secs(5) };

/// So many more templates are tried after a strange number, if the first repair is enough.
const MORE_RANKS: usize = 2;

/// All templates for all diagnoses, with one effort.
struct Sweep<'a> {
    task: &'a Task,
    wanted: &'a Wanted,
    start: Instant,
    effort: &'a Effort,
    known: &'a mut Vec<Example>,
    refuted: &'a mut [Option<Example>],
}

impl Sweep<'_> {
    /// Simple templates come first. Tells how the search ended, if it did.
    fn run(&mut self, attempts: &mut [Attempt], answer: &mut Repairs, progress: Progress<'_>) -> Option<End> {
        let ranks = attempts.iter().map(Attempt::ranks).max().unwrap_or(0);
        for rank in 0..ranks {
            for (number, attempt) in attempts.iter_mut().enumerate() {
                if attempt.is_done(rank) || (attempt.is_hard(rank) && !self.effort.is_hard) {
                    continue;
                }
                while attempt.found < self.wanted.repairs {
                    let left = self.wanted.timeout.saturating_sub(self.start.elapsed());
                    if left.is_zero() {
                        return Some(End::OutOfTime);
                    }
                    progress(&answer.counts, None);
                    match attempt.next(rank, self.known, (self.effort.time, left), &mut answer.counts) {
                        // One strange number is enough.
                        Tried::Right(candidate) if candidate.is_strange && attempt.is_strange => break,
                        Tried::Right(candidate) => {
                            attempt.is_strange |= candidate.is_strange;
                            attempt.found += usize::from(!candidate.is_strange);
                            self.accept(candidate, left, answer, progress);
                        }
                        Tried::Over(refuting) => {
                            self.refuted[number] = refuting.or(self.refuted[number].take());
                            break;
                        }
                        Tried::OutOfTime => break,
                        Tried::Failed(why) => return Some(End::NotAnalysed(why)),
                    }
                    if self.wanted.first && answer.found.iter().any(|repair| !repair.is_strange) {
                        return Some(End::First);
                    }
                }
            }
            // A strange number is the first repair only if the next templates have no better one.
            let first = answer.found.iter().map(|repair| repair.rank).min();
            if self.wanted.first && first.is_some_and(|first| rank >= first + MORE_RANKS) {
                return Some(End::First);
            }
        }
        None
    }

    /// A proposal is written, read again and checked by itself before anybody hears of it.
    fn accept(&self, candidate: Candidate, left: Duration, answer: &mut Repairs, progress: Progress<'_>) {
        let after = self.start.elapsed();
        let Candidate { components, what, templates, rank, is_strange, edits } = candidate;
        let program = &self.task.program;
        let source = c_syntax::Source::new(program.path.clone(), program.text().to_vec());
        let Ok(patched) = patch::apply(&source, &edits) else { return };
        if answer.found.iter().any(|known| known.patched.text == patched.text) {
            return;
        }
        let Some(proof) = proved(self.task, &patched.text, left) else {
            answer.counts.refused += 1;
            return;
        };
        let repair = Repair { components, what, templates, rank, is_strange, patched, proof, after };
        answer.counts.found += 1;
        progress(&answer.counts, Some(&repair));
        answer.found.push(repair);
    }
}

/// The program, with types of pointers to the elements of all its arrays.
fn with_pointer_types(side: &Side) -> Side {
    let mut unit = (*side.unit).clone();
    for variable in &unit.variables {
        if let Some(element) = unit.types.target(variable.ty) {
            unit.types.pointer_to(element);
        }
    }
    Side { unit: Arc::new(unit), ..side.clone() }
}
