//! The rows of the results, read leniently.
//!
//! A run that was killed leaves half a line at the end of its file, and a run that was repeated leaves two
//! rows for one version: broken lines are skipped and counted, and of two rows for one key the last counts.
//! A field that is absent or null has its default; a field of another type makes the line a broken one.

use std::collections::BTreeMap;
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

use serde::de::{DeserializeOwned, Deserializer, Error};
use serde::{Deserialize, Serialize};

use crate::BenchError;

/// Everything that the folder has.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// `faults.jsonl`: repairs of versions with faults.
    pub faults: Vec<Fault>,
    /// `ranks.jsonl`: places of the faulty statement in the rankings of localizers.
    pub ranks: Vec<Rank>,
    /// `students.jsonl`: submissions of students.
    pub students: Vec<Student>,
    /// The lines that could not be read, by file.
    pub broken: BTreeMap<String, usize>,
}

impl Rows {
    /// Reads the files of a folder; any of them may be absent.
    pub fn read(folder: &Path) -> Result<Rows, BenchError> {
        let mut broken = BTreeMap::new();
        Ok(Rows {
            faults: read(folder, "faults.jsonl", &mut broken)?,
            ranks: read(folder, "ranks.jsonl", &mut broken)?,
            students: read(folder, "students.jsonl", &mut broken)?,
            broken,
        })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.faults.len() + self.ranks.len() + self.students.len()
    }

    /// Repairs in one mode by one search, with states asserted at loops too.
    pub fn run<'a>(&'a self, mode: &'a str, search: &'a str) -> impl Iterator<Item = &'a Fault> + Clone {
        self.faults.iter().filter(move |row| row.mode == mode && row.search == search && !row.is_sparse())
    }

    /// The repairs of the main experiment: localized, by the default search, classes 1 to 4.
    pub fn main(&self) -> Vec<&Fault> {
        self.run("localized", "default").filter(|row| row.class.number().is_some()).collect()
    }

    /// Like the main experiment, but with nothing asserted except the state at the end.
    pub fn sparse(&self) -> Vec<&Fault> {
        let same = |row: &&Fault| row.mode == "localized" && row.search == "default" && row.class.number().is_some();
        self.faults.iter().filter(same).filter(|row| row.is_sparse()).collect()
    }
}

/// A row of some file.
pub trait Row: DeserializeOwned {
    /// Rows with one key are about one thing.
    type Key: Ord;
    /// The key of this row; none if it is about nothing.
    fn key(&self) -> Option<Self::Key>;
}

/// The rows of one file.
fn read<R: Row>(folder: &Path, name: &str, broken: &mut BTreeMap<String, usize>) -> Result<Vec<R>, BenchError> {
    let path = folder.join(name);
    let bytes = match std::fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        bytes => bytes.map_err(|error| BenchError::Io { path: path.display().to_string(), error })?,
    };
    let (rows, skipped) = parse(&bytes);
    if skipped > 0 {
        broken.insert(name.to_string(), skipped);
    }
    Ok(rows)
}

/// The last row of each key, in the order of the keys, and how many lines were broken.
fn parse<R: Row>(bytes: &[u8]) -> (Vec<R>, usize) {
    let (mut rows, mut broken) = (BTreeMap::new(), 0);
    for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        let row = serde_json::from_slice::<R>(line).ok().and_then(|row| Some((row.key()?, row)));
        match row {
            Some((key, row)) => drop(rows.insert(key, row)),
            None => broken += 1,
        }
    }
    (rows.into_values().collect(), broken)
}

/// A field that may be null.
fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// How many expressions were changed and how many statements deleted: ⟨x, y⟩.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Class {
    /// Changed expressions.
    pub changes: u32,
    /// Deleted statements.
    pub deletions: u32,
}

impl Class {
    /// The classes 1 to 4 of the paper.
    pub const PAPER: [Class; 4] = [Class::new(1, 0), Class::new(1, 1), Class::new(2, 0), Class::new(2, 1)];

    /// ⟨changes, deletions⟩.
    pub const fn new(changes: u32, deletions: u32) -> Class {
        Class { changes, deletions }
    }

    /// The number that the paper gives to this class.
    pub fn number(self) -> Option<usize> {
        Class::PAPER.iter().position(|&class| class == self).map(|index| index + 1)
    }

    /// Reads `3` or `2.0`, which are the same class.
    fn parse(text: &str) -> Option<Class> {
        match text.split_once('.') {
            Some((changes, deletions)) => Some(Class::new(changes.parse().ok()?, deletions.parse().ok()?)),
            None => Class::PAPER.get(text.parse::<usize>().ok()?.checked_sub(1)?).copied(),
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number() {
            Some(number) => write!(f, "{number}"),
            None => write!(f, "⟨{},{}⟩", self.changes, self.deletions),
        }
    }
}

impl<'de> Deserialize<'de> for Class {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Class, D::Error> {
        let text = String::deserialize(from)?;
        Class::parse(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is no class of faults")))
    }
}

/// One version of a program with faults, and what came of its repair.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Fault {
    /// The program, such as `b01_reverse_singly`.
    #[serde(deserialize_with = "nullable")]
    pub program: String,
    /// `small` or `large`; the program's first letter tells it too.
    #[serde(deserialize_with = "nullable")]
    pub set: String,
    /// How many faults of which kind.
    pub class: Class,
    /// The number of the version.
    #[serde(deserialize_with = "nullable")]
    pub version: u64,
    /// `localized`, `section` or `unconfined`.
    #[serde(deserialize_with = "nullable")]
    pub mode: String,
    /// `default`, `algorithm3` or `algvar`.
    #[serde(deserialize_with = "nullable")]
    pub search: String,
    /// What was asserted: `sparse` if only the state at the end.
    #[serde(deserialize_with = "nullable")]
    pub detail: String,
    /// Decided what was random.
    #[serde(deserialize_with = "nullable")]
    pub seed: u64,
    /// What was changed.
    #[serde(deserialize_with = "nullable")]
    pub faults: Vec<String>,
    /// `repaired`, or how the search ended.
    #[serde(deserialize_with = "nullable")]
    pub outcome: String,
    /// A candidate meets everything asserted.
    pub plausible: Option<bool>,
    /// The candidate behaves like the original on other inputs.
    pub correct: Option<bool>,
    /// The candidate is the text of the original.
    pub equal: Option<bool>,
    /// The first candidate that is correct.
    pub correct_candidate: Option<f64>,
    /// The user was asked which of the candidates is meant.
    pub asked: Option<bool>,
    /// The candidate is correct once the questions are answered.
    pub correct_after_answer: Option<bool>,
    /// Why it was not repaired.
    pub reason: Option<String>,
    /// Where the time went.
    #[serde(deserialize_with = "nullable")]
    pub milliseconds: Milliseconds,
    /// What the localizer said.
    pub suspicious: Option<Suspicious>,
    /// How often the space of the search was widened.
    pub widenings: Option<f64>,
    /// The largest use of memory.
    pub memory_mb: Option<f64>,
}

impl Fault {
    /// Whether a repair was found.
    pub fn repaired(&self) -> bool {
        self.outcome == "repaired"
    }

    /// Whether the repair is correct.
    pub fn is_correct(&self) -> bool {
        self.correct == Some(true)
    }

    /// Whether the repair is correct after the user has answered.
    pub fn is_correct_after_answer(&self) -> bool {
        self.correct_after_answer.or(self.correct) == Some(true)
    }

    /// Which of the two sets the program is of.
    pub fn is_large(&self) -> bool {
        if self.set.is_empty() { self.program.starts_with('l') } else { self.set == "large" }
    }

    /// Whether nothing was asserted except the state at the end.
    fn is_sparse(&self) -> bool {
        self.detail == "sparse"
    }

    /// The time to the repair, or the time that was used in vain; none if nothing was searched.
    pub fn time(&self) -> Option<f64> {
        self.milliseconds.repair.or(self.milliseconds.all).filter(|&time| time > 0.0)
    }

    /// What the localizer said, if it was asked.
    pub fn set_of_suspects(&self) -> Option<&Suspicious> {
        self.suspicious.as_ref().filter(|set| set.of.is_some_and(|of| of > 0.0) || !set.ranks.is_empty())
    }
}

impl Row for Fault {
    type Key = (bool, String, Class, (u64, u64), (String, String, bool));

    fn key(&self) -> Option<Self::Key> {
        let known = !self.program.is_empty() && self.class != Class::default();
        let run = (self.mode.clone(), self.search.clone(), self.is_sparse());
        known.then(|| (self.is_large(), self.program.clone(), self.class, (self.seed, self.version), run))
    }
}

/// Where the time of one repair went.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Milliseconds {
    /// Recording the run.
    pub trace: Option<f64>,
    /// Finding suspicious places.
    pub localize: Option<f64>,
    /// Searching for candidates.
    pub search: Option<f64>,
    /// Proving that nothing is cheaper.
    pub prove: Option<f64>,
    /// Checking the candidates independently.
    pub check: Option<f64>,
    /// Trying other inputs.
    pub vary: Option<f64>,
    /// `localize`, `search` and `prove`.
    pub repair: Option<f64>,
    /// All that the user waits for.
    pub all: Option<f64>,
}

/// The set of suspicious places.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Suspicious {
    /// Statements in the set.
    pub statements: Option<f64>,
    /// Slots for new statements in the set.
    pub slots: Option<f64>,
    /// Statements of the program.
    pub of: Option<f64>,
    /// The place of each fault in the set; null if it is not there.
    #[serde(deserialize_with = "nullable")]
    pub ranks: Vec<Option<f64>>,
}

/// The ranks that localizers give to the faulty statement of one version.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Rank {
    /// The program.
    #[serde(deserialize_with = "nullable")]
    pub program: String,
    /// The number of the version.
    #[serde(deserialize_with = "nullable")]
    pub version: u64,
    /// Statements of the program.
    #[serde(deserialize_with = "nullable")]
    pub statements: f64,
    /// Tests that were generated.
    pub tests: Option<f64>,
    /// Tests that fail.
    pub failing: Option<f64>,
    /// Share of the statements that the tests reach.
    pub statement_coverage: Option<f64>,
    /// Share of the branches that the tests take.
    pub branch_coverage: Option<f64>,
    /// By method; null if the faulty statement is not in the ranking.
    #[serde(deserialize_with = "nullable")]
    pub ranks: BTreeMap<String, Option<f64>>,
}

impl Row for Rank {
    type Key = (String, u64);

    fn key(&self) -> Option<Self::Key> {
        (!self.program.is_empty()).then(|| (self.program.clone(), self.version))
    }
}

/// One submission of a student.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Student {
    /// The problem.
    #[serde(deserialize_with = "nullable")]
    pub problem: String,
    /// The submission.
    #[serde(deserialize_with = "nullable")]
    pub file: String,
    /// `fixed`, `limitation`, `out of scope` or `vacuous`.
    #[serde(deserialize_with = "nullable")]
    pub outcome: String,
    /// Why it was not fixed.
    pub reason: Option<String>,
    /// What kind of mistake it is.
    pub kind: Option<String>,
    /// The time to the repair.
    pub milliseconds: Option<f64>,
}

impl Row for Student {
    type Key = (String, String);

    fn key(&self) -> Option<Self::Key> {
        let known = !self.problem.is_empty() && !self.file.is_empty();
        known.then(|| (self.problem.clone(), self.file.clone()))
    }
}

/// `B1` of `b01_reverse_singly`; other names are left as they are.
pub fn short(program: &str) -> String {
    let head = program.split('_').next().unwrap_or(program);
    let number = head.strip_prefix(['b', 'l']).and_then(|digits| digits.parse::<u32>().ok());
    match (head.chars().next(), number) {
        (Some(letter), Some(number)) => format!("{}{number}", letter.to_ascii_uppercase()),
        _ => program.to_string(),
    }
}

/// `B1 reverse singly` of `b01_reverse_singly`.
pub fn long(program: &str) -> String {
    match program.split_once('_') {
        Some((_, rest)) if short(program) != program => format!("{} {}", short(program), rest.replace('_', " ")),
        _ => program.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = r#"{"program":"l01_x","class":"3","version":7,"mode":"localized","search":"default""#;

    fn faults(text: &str) -> (Vec<Fault>, usize) {
        parse(text.as_bytes())
    }

    #[test]
    fn broken_lines_are_skipped_and_counted() {
        let (rows, broken) = faults(&format!("{ROW}}}\n\n{ROW},\"outc\n{{}}\n{{\"program\":\"a\",\"class\":\"9\"}}\n"));
        assert_eq!((rows.len(), broken), (1, 3));
    }

    #[test]
    fn the_last_row_of_a_key_counts() {
        let (rows, _) = faults(&format!("{ROW},\"outcome\":\"error\"}}\n{ROW},\"outcome\":\"repaired\"}}"));
        assert_eq!(rows.len(), 1);
        assert!(rows[0].repaired());
    }

    #[test]
    fn sparse_rows_are_another_experiment() {
        let (faults, _) = faults(&format!("{ROW}}}\n{ROW},\"detail\":\"sparse\"}}\n{ROW},\"detail\":\"loops\"}}"));
        let rows = Rows { faults, ..Rows::default() };
        assert_eq!((rows.main().len(), rows.sparse().len()), (1, 1));
    }

    #[test]
    fn fields_may_be_absent_null_or_unknown() {
        let rest = r#","set":null,"milliseconds":null,"suspicious":{"ranks":[1,null]},"correct":null,"more":[1]}"#;
        let (rows, broken) = faults(&format!("{ROW}{rest}"));
        assert_eq!((broken, rows[0].is_large(), rows[0].time()), (0, true, None));
        assert_eq!(rows[0].suspicious.as_ref().map(|set| set.ranks.clone()), Some(vec![Some(1.0), None]));
    }

    #[test]
    fn bytes_that_are_no_text_are_a_broken_line() {
        assert_eq!(parse::<Student>(b"{\"problem\":\"\xff\"}\n{\"problem\":\"p\",\"file\":\"f\"}").1, 1);
    }

    #[test]
    fn classes_have_two_names() {
        assert_eq!(Class::parse("3"), Class::parse("2.0"));
        assert_eq!(Class::parse("5.0").map(|class| class.to_string()).as_deref(), Some("⟨5,0⟩"));
        assert_eq!((Class::parse("0"), Class::parse("5"), Class::parse("x.1")), (None, None, None));
    }

    #[test]
    fn programs_have_short_names() {
        assert_eq!((short("b01_reverse_singly"), short("other_x")), ("B1".to_string(), "other_x".to_string()));
        assert_eq!(long("l16_quicksort_list"), "L16 quicksort list");
    }
}
