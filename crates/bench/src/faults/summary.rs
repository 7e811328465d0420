//! What came of all versions, in a few lines.

use std::collections::BTreeMap;
use std::fmt;

use super::options::Options;
use super::row::Row;
use super::store::is_of;

/// The rows of an experiment, added up.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// By set and class.
    pub lines: BTreeMap<(String, String), Line>,
    /// Everything.
    pub total: Line,
    /// Why versions are not repaired or not correct, with how many.
    pub reasons: BTreeMap<String, usize>,
    /// Versions whose repair takes longer than it should, or that have none, by program.
    pub late: BTreeMap<String, Vec<String>>,
    /// How many users asked for a repair so often.
    pub rounds: BTreeMap<u32, usize>,
    sessions: Vec<f64>,
}

/// What came of some versions.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// How many.
    pub versions: usize,
    /// With a repair.
    pub repaired: usize,
    /// Whose repair is right on all inputs that may be looked at.
    pub plausible: usize,
    /// Whose repair is right on the others too.
    pub correct: usize,
    /// The same after the user has answered questions.
    pub answered: usize,
    /// Where any candidate is correct.
    pub among: usize,
    /// Repaired to the original text.
    pub equal: usize,
    /// Where every fault is among the suspicious places.
    pub suspected: usize,
    /// Whose time to the repair is under 250 ms.
    pub soon: usize,
    times: Vec<f64>,
    all: Vec<f64>,
}

/// A repair that takes fewer milliseconds feels immediate.
const SOON: f64 = 250.0;

impl Line {
    fn add(&mut self, row: &Row) {
        let count = |yes: bool| usize::from(yes);
        self.versions += 1;
        self.repaired += count(row.outcome == "repaired");
        self.plausible += count(row.plausible);
        self.correct += count(row.correct);
        self.answered += count(row.correct_after_answer);
        self.among += count(row.correct_candidate.is_some());
        self.equal += count(row.equal);
        self.suspected += count(row.suspicious.ranks.iter().all(Option::is_some));
        self.soon += count(row.milliseconds.repair < SOON);
        self.times.push(row.milliseconds.repair);
        self.all.push(row.milliseconds.all);
    }
}

/// The value that this share of all is not above.
fn percentile(values: &[f64], share: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let at = (share * values.len() as f64).ceil() as usize;
    values.get(at.saturating_sub(1)).copied().unwrap_or(0.0)
}

impl Summary {
    /// Adds up the rows of this experiment; the folder may have those of other programs too.
    pub fn new(rows: &[Row], programs: &[String], options: &Options) -> Summary {
        let mut summary = Summary::default();
        let classes: Vec<String> = options.classes.iter().map(ToString::to_string).collect();
        // If a version was done twice, the last counts.
        let mut last: BTreeMap<(&str, &str, usize), &Row> = BTreeMap::new();
        for row in rows
            .iter()
            .filter(|row| is_of(row, options) && classes.contains(&row.class) && programs.contains(&row.program))
        {
            last.insert((&row.program, &row.class, row.version), row);
        }
        for row in last.into_values().filter(|row| row.version < options.versions) {
            summary.lines.entry((row.set.clone(), row.class.clone())).or_default().add(row);
            summary.total.add(row);
            summary.sessions.push(row.milliseconds.session);
            *summary.rounds.entry(row.rounds).or_default() += 1;
            if row.milliseconds.repair >= SOON {
                let name = row.program.split('_').next().unwrap_or(&row.program);
                summary.late.entry(name.into()).or_default().push(format!("{}/{}", row.class, row.version));
            }
            if !row.correct {
                let reason = row.reason.as_deref().unwrap_or("unknown");
                let short = reason.split(": [").next().unwrap_or(reason);
                *summary.reasons.entry(format!("{}: {short}", row.outcome)).or_default() += 1;
            }
        }
        summary
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:6} {:8} {:9} {:7} {:8} {:6} {:6} {:9} {:7} {:8.2} {:8.1} {:8.1} {:8.1} {:8.1}",
            self.versions,
            self.repaired,
            self.plausible,
            self.correct,
            self.answered,
            self.among,
            self.equal,
            self.suspected,
            self.soon,
            percentile(&self.times, 0.5),
            percentile(&self.times, 0.99),
            percentile(&self.times, 1.0),
            percentile(&self.all, 0.5),
            percentile(&self.all, 0.99),
        )
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:14} number repaired plausible correct answered  among  equal suspected <250 ms  ms: 50%      99%    worst  all 50%      99%",
            ""
        )?;
        for ((set, class), line) in &self.lines {
            writeln!(f, "{:14} {line}", format!("{set} class {class}"))?;
        }
        writeln!(f, "{:14} {}", "all", self.total)?;
        let soon = self.sessions.iter().filter(|time| **time < SOON).count();
        let median = percentile(&self.sessions, 0.5);
        let rounds: Vec<String> = self.rounds.iter().map(|(rounds, users)| format!("{users} asked {rounds}")).collect();
        writeln!(
            f,
            "all requests of a user together: median {median:.2} ms, {soon} <250 ms; times: {}",
            rounds.join(", ")
        )?;
        let mut late: Vec<_> = self.late.iter().collect();
        late.sort_by_key(|(_, versions)| std::cmp::Reverse(versions.len()));
        for (program, versions) in late {
            writeln!(f, "{:6} not <250 ms: {program} {}", versions.len(), versions.join(" "))?;
        }
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (reason, count) in reasons.into_iter().take(20) {
            writeln!(f, "{count:6} {reason}")?;
        }
        Ok(())
    }
}
