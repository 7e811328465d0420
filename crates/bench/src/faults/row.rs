//! One version, one row: what came of it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use encode::{Model, Place, Prepared};
use inject::FaultKind;
use ir::Program;
use localize::gradient;
use repair::Answer;
use serde::{Deserialize, Serialize};

use super::attempt::{Attempt, Debugging, debug};
use super::judge::Judge;
use super::options::{Class, Mode, Options};
use super::place::{places, sections};
use super::versions::Faulty;
use crate::BenchError;
use crate::study::{Study, statements};
use crate::user::Twin;

/// What came of a version.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The version of this format.
    pub schema: u32,
    /// The program.
    pub program: String,
    /// `small` or `large`.
    pub set: String,
    /// The class of its faults.
    pub class: String,
    /// The number of the version.
    pub version: usize,
    /// How the search was confined.
    pub mode: String,
    /// What searched.
    pub search: String,
    /// What was asserted: `loops` or `sparse`.
    pub detail: String,
    /// What decided what is random.
    pub seed: u64,
    /// The time limit of a search, in seconds.
    pub limit: f64,
    /// What is wrong, in words.
    pub faults: Vec<String>,
    /// How it ended, in a word or two.
    pub outcome: String,
    /// Whether there is a repair that does everything asserted, and all inputs that were looked at are right.
    pub plausible: bool,
    /// Whether it does what the right program does on the other inputs.
    pub correct: bool,
    /// Whether it is the right program, token by token.
    pub equal: bool,
    /// The first candidate that is correct.
    pub correct_candidate: Option<usize>,
    /// Whether the user was asked which pictures are right.
    pub asked: bool,
    /// How often.
    pub questions: usize,
    /// Whether what the user picked then is correct, or else the first candidate.
    pub correct_after_answer: bool,
    /// How many candidates were shown.
    pub candidates: usize,
    /// Why it is not repaired or not correct.
    pub reason: Option<String>,
    /// Where the time went.
    pub milliseconds: Milliseconds,
    /// What the localizer says.
    pub suspicious: Suspects,
    /// How often the search was widened.
    pub widenings: u32,
    /// What the repair costs.
    pub cost: u32,
    /// What found it.
    pub engine: String,
    /// The most memory of the process meanwhile.
    pub memory_mb: f64,
    /// How often the user asked for a repair.
    #[serde(default)]
    pub rounds: u32,
    /// Runs that the last search tried.
    #[serde(default)]
    pub runs: u64,
    /// Calls that were debugged.
    pub traces: usize,
    /// States that were asserted.
    pub demands: usize,
    /// The repair.
    pub diff: String,
}

/// Where the time went, in milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Milliseconds {
    /// Running the program and writing down what is asserted.
    pub trace: f64,
    /// Finding suspicious places.
    pub localize: f64,
    /// Searching.
    pub search: f64,
    /// Making sure that nothing is cheaper.
    pub prove: f64,
    /// Compiling and running the candidates.
    pub check: f64,
    /// Trying further inputs.
    pub vary: f64,
    /// Localizing, searching and proving: the time to the repair.
    pub repair: f64,
    /// All that the user waits for.
    pub all: f64,
    /// The time to the repair, with all earlier requests of the same user.
    #[serde(default)]
    pub session: f64,
}

/// What the localizer says.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Suspects {
    /// Suspicious statements.
    pub statements: usize,
    /// Suspicious slots.
    pub slots: usize,
    /// Statements of the program.
    pub of: usize,
    /// For each fault its rank from 1, or nothing if it is not suspicious.
    pub ranks: Vec<Option<usize>>,
    /// For each fault whether the runs came to it; a crash may hide it.
    #[serde(default)]
    pub reached: Vec<bool>,
}

/// Debugs a version and looks at what comes of it.
pub(super) fn measure(
    study: &Study,
    judge: &Judge<'_>,
    class: Class,
    number: usize,
    version: &Faulty,
    faulty: Arc<Program>,
    options: &Options,
) -> Result<Row, BenchError> {
    let set = if study.case.path.components().any(|part| part.as_os_str() == "large") { "large" } else { "small" };
    let mut row = Row {
        schema: 1,
        program: study.name(),
        set: set.into(),
        class: class.to_string(),
        version: number,
        mode: options.mode.name().into(),
        search: options.search.name().into(),
        detail: options.detail.name().into(),
        seed: options.seed,
        limit: options.limit.as_secs_f64(),
        faults: version.faults.iter().map(describe).collect(),
        ..Row::default()
    };
    let Some(twin) = Twin::new(&study.model, Model::new(faulty), &version.faults) else {
        row.outcome = "error".into();
        row.reason = Some("the statements do not correspond to those of the right program".into());
        return Ok(row);
    };
    let faults: Vec<BTreeSet<Place>> = version.faults.iter().map(|fault| places(&twin.model, fault)).collect();
    let debugging =
        Debugging { judge, twin: &twin, detail: options.detail, options: search_options(options, &twin, &faults) };
    let memory = Memory::begin();
    let attempt = debug(&debugging)?;
    row.memory_mb = memory.peak();
    row.tell_search(&attempt);
    row.suspicious = suspects(&twin, &attempt, &faults);
    row.tell_repair(judge, &attempt)?;
    Ok(row)
}

fn describe(fault: &inject::Fault) -> String {
    match fault.kind {
        FaultKind::Deletion => format!("line {}: `{}` deleted", fault.line, fault.before),
        _ => format!("line {}: `{}` became `{}` in `{}`", fault.line, fault.before, fault.after, fault.statement),
    }
}

fn search_options(options: &Options, twin: &Twin, faults: &[BTreeSet<Place>]) -> repair::Options {
    let mut search = repair::Options {
        preset: options.search.preset(options.seed),
        localize: options.mode == Mode::Localized,
        guards: true,
        ..repair::Options::default()
    };
    search.limits.time = options.limit;
    // With more faults than usual, a repair costs more.
    search.limits.cost = search.limits.cost.max(faults.len() as u32 + 1);
    if options.mode == Mode::Section {
        search.within = Some(sections(&twin.model, faults));
    }
    search
}

impl Row {
    fn tell_search(&mut self, attempt: &Attempt) {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let times = attempt.times;
        let repair = match attempt.repaired() {
            Some(_) => times.localize + times.search + times.prove,
            None => attempt.all,
        };
        self.milliseconds = Milliseconds {
            trace: milliseconds(attempt.tracing),
            localize: milliseconds(times.localize),
            search: milliseconds(times.search),
            prove: milliseconds(times.prove),
            check: milliseconds(times.check),
            vary: milliseconds(times.vary),
            repair: milliseconds(repair),
            all: milliseconds(attempt.all),
            session: milliseconds(attempt.session),
        };
        (self.rounds, self.runs) = (attempt.rounds, times.runs);
        self.traces = attempt.runs.len();
        self.demands = attempt.runs.iter().map(|(trace, _)| trace.demands.len()).sum();
        let (outcome, reason) = match &attempt.answer {
            None => ("not asserted", Some("no call leaves anything wrong behind that can be asserted".to_string())),
            Some(Answer::Repaired(_)) => ("repaired", None),
            Some(Answer::Meets(_)) => ("meets", Some("everything asserted holds already".into())),
            Some(Answer::SpecContradicts(facts)) => ("contradiction", Some(facts.join("; "))),
            Some(Answer::SpaceExhausted { cost, refused: Some(failure) }) => {
                ("exhausted", Some(format!("repairs of cost {cost} do not pass the check: {failure}")))
            }
            Some(Answer::SpaceExhausted { cost, .. }) => ("exhausted", Some(format!("no repair up to cost {cost}"))),
            Some(Answer::OutOfTime(cost)) => ("out of time", Some(format!("out of time at cost {cost}"))),
            Some(Answer::NotModelled(why)) => ("not modelled", Some(why.clone())),
        };
        (self.outcome, self.reason) = (outcome.into(), reason);
    }

    /// Whether the repair is right where nothing was asserted.
    fn tell_repair(&mut self, judge: &Judge<'_>, attempt: &Attempt) -> Result<(), BenchError> {
        let Some(repaired) = attempt.repaired() else { return Ok(()) };
        let (seen, all) = (judge.seen, judge.inputs.len());
        let right = |number: usize| -> Result<bool, BenchError> {
            Ok(judge.first_wrong(&repaired.candidates[number].program.model, 0..all)?.is_none())
        };
        (self.cost, self.widenings, self.engine) = (repaired.cost, repaired.widenings, repaired.engine.name().into());
        self.candidates = repaired.candidates.len();
        let first = &repaired.candidates[0].program.model;
        let wrong_seen = judge.first_wrong(first, 0..seen)?;
        let wrong = match wrong_seen {
            Some(input) => Some(input),
            None => judge.first_wrong(first, seen..all)?,
        };
        self.plausible = wrong_seen.is_none();
        self.correct = wrong.is_none();
        for number in 0..repaired.candidates.len() {
            if self.correct_candidate.is_none() && right(number)? {
                self.correct_candidate = Some(number);
            }
        }
        (self.asked, self.questions) = (attempt.questions > 0, attempt.questions);
        self.correct_after_answer = right(attempt.answered.unwrap_or(0))?;
        let text = |model: &Model| String::from_utf8_lossy(&model.program.source.bytes).into_owned();
        self.equal = patch::tokens(&text(first)) == patch::tokens(&text(&judge.study.model));
        self.diff = repaired.candidates[0].candidate.patched.diff(&self.program);
        if let Some(input) = wrong {
            let (seen, arguments) = (wrong_seen.is_some(), judge.inputs[input].join(" "));
            let which = if seen { "an input that was debugged" } else { "an input that nobody looked at" };
            self.reason = Some(format!("wrong on {which}: [{arguments}]"));
        }
        Ok(())
    }
}

/// What the localizer says of everything that was asserted.
fn suspects(twin: &Twin, attempt: &Attempt, faults: &[BTreeSet<Place>]) -> Suspects {
    let prepare =
        |(trace, _): &(std::sync::Arc<encode::Trace>, _)| Prepared::new(&twin.model, trace.clone(), &|_| false);
    let prepared: Vec<Prepared> = attempt.runs.iter().filter_map(|run| prepare(run).ok()).collect();
    let ranking = gradient(&twin.model, &prepared);
    let steps = ranking.places.iter().filter(|found| matches!(found.place, Place::Step(_))).count();
    let rank = |places: &BTreeSet<Place>| {
        ranking.places.iter().position(|found| places.contains(&found.place)).map(|at| at + 1)
    };
    Suspects {
        statements: steps,
        slots: ranking.places.len() - steps,
        of: statements(&twin.model).count(),
        ranks: faults.iter().map(rank).collect(),
        reached: faults.iter().map(|places| !places.is_disjoint(&ranking.visited)).collect(),
    }
}

/// The memory of this process.
struct Memory;

impl Memory {
    /// Forgets the peak so far.
    fn begin() -> Memory {
        // Where that is not possible the peak is that of the whole run.
        drop(std::fs::write("/proc/self/clear_refs", "5"));
        Memory
    }

    /// The peak since then, in megabytes.
    fn peak(&self) -> f64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
        kilobytes.map_or(0.0, |kilobytes| kilobytes / 1024.0)
    }
}
