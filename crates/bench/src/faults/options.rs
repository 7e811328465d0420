//! What to measure.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use repair::Preset;

use crate::user::Detail;

/// A class of faults: so many changed expressions and deleted statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class {
    /// Changed expressions.
    pub change: usize,
    /// Deleted statements.
    pub delete: usize,
}

impl Class {
    /// The four classes of the paper.
    pub const PAPER: [Class; 4] = [
        Class { change: 1, delete: 0 },
        Class { change: 1, delete: 1 },
        Class { change: 2, delete: 0 },
        Class { change: 2, delete: 1 },
    ];
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Class::PAPER.iter().position(|class| class == self) {
            Some(number) => write!(f, "{}", number + 1),
            None => write!(f, "{}.{}", self.change, self.delete),
        }
    }
}

impl FromStr for Class {
    type Err = String;

    fn from_str(text: &str) -> Result<Class, String> {
        let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number <= 9);
        let found = match text.split_once('.') {
            Some((change, delete)) => {
                number(change).zip(number(delete)).map(|(change, delete)| Class { change, delete })
            }
            None => number(text).and_then(|number| Class::PAPER.get(number.checked_sub(1)?).copied()),
        };
        let found = found.filter(|class| class.change + class.delete > 0);
        found.ok_or_else(|| format!("{text} is no class: 1 to 4, or X.Y for X changes and Y deletions such as 3.0"))
    }
}

/// What must come out: so many versions repaired, and so many repairs correct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Versions with a repair.
    pub repaired: usize,
    /// Versions with a correct one.
    pub correct: usize,
}

impl FromStr for Expected {
    type Err = String;

    fn from_str(text: &str) -> Result<Expected, String> {
        let numbers = text.split_once(',').and_then(|(one, other)| Some((one.parse().ok()?, other.parse().ok()?)));
        let (repaired, correct) = numbers.ok_or_else(|| format!("{text} is not two numbers such as 120,116"))?;
        Ok(Expected { repaired, correct })
    }
}

/// How the search is confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To the suspicious places first.
    Localized,
    /// To the section that has the fault: the body of a loop, or what is outside of loops.
    Section,
    /// Not at all.
    Unconfined,
}

impl Mode {
    /// As a word.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Localized => "localized",
            Mode::Section => "section",
            Mode::Unconfined => "unconfined",
        }
    }
}

/// What searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// What users get.
    Default,
    /// Algorithm 3 of the paper.
    Algorithm3,
    /// Its random variant.
    AlgVar,
}

impl Search {
    /// As a word.
    pub fn name(self) -> &'static str {
        match self {
            Search::Default => "default",
            Search::Algorithm3 => "algorithm3",
            Search::AlgVar => "algvar",
        }
    }

    pub(super) fn preset(self, seed: u64) -> Preset {
        match self {
            Search::Default => Preset::Default,
            Search::Algorithm3 => Preset::Algorithm3,
            Search::AlgVar => Preset::AlgVar(seed),
        }
    }
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folders or files.
    pub paths: Vec<PathBuf>,
    /// Only paths that contain this.
    pub filter: Option<String>,
    /// Which faults.
    pub classes: Vec<Class>,
    /// Versions of each program and class.
    pub versions: usize,
    /// How the search is confined.
    pub mode: Mode,
    /// What searches.
    pub search: Search,
    /// How much the user asserts.
    pub detail: Detail,
    /// Versions at the same time.
    pub jobs: usize,
    /// Decides what is random.
    pub seed: u64,
    /// How long one search may take.
    pub limit: Duration,
    /// Where the versions and the results go.
    pub output: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_read_as_they_are_written() {
        for text in ["1", "2", "3", "4", "3.0", "6.2"] {
            assert_eq!(text.parse::<Class>().expect("a class").to_string(), text);
        }
        assert_eq!("1.0".parse(), Ok(Class::PAPER[0]));
        for text in ["0", "5", "0.0", "1.", "x", "-1.0"] {
            assert!(text.parse::<Class>().is_err(), "{text}");
        }
    }

    #[test]
    fn expectations_are_two_numbers() {
        assert_eq!("120,116".parse(), Ok(Expected { repaired: 120, correct: 116 }));
        for text in ["5", "", "5,", "a,b"] {
            assert!(text.parse::<Expected>().is_err(), "{text}");
        }
    }
}
