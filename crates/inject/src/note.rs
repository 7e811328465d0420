//! What was done to a program, for machines to read.
//!
//! ```json
//! { "kind": "variable", "function": "insert", "line": 31, "column": 23,
//!   "original": [620, 627], "faulty": [620, 625], "before": "current", "after": "fresh",
//!   "statement": "current = current->next;" }
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

/// What kind of mistake a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// A variable stands in the place of an expression.
    Variable,
    /// A member of a struct stands in the place of an expression.
    Field,
    /// Another comparison.
    Operator,
    /// Another integer, or `NULL` where a variable was, or the other way round.
    Constant,
    /// A statement is missing.
    Deletion,
}

/// One fault of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What kind of mistake it is.
    pub kind: FaultKind,
    /// The function that has it.
    pub function: String,
    /// The line in the original, from 1.
    pub line: u32,
    /// The column in the original, from 1, counted in bytes.
    pub column: u32,
    /// The bytes of the place in the original text.
    pub original: (u32, u32),
    /// The bytes of the same place in the faulty text: of the replacement, or for a deletion an empty range or the
    /// `;` that was left.
    pub faulty: (u32, u32),
    /// What stood there.
    pub before: String,
    /// What stands there now; nothing or `;` for a deletion.
    pub after: String,
    /// The whole original statement or condition.
    pub statement: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.kind {
            FaultKind::Deletion => write!(f, "line {}: `{}` deleted", self.line, line(&self.before)),
            _ => write!(
                f,
                "line {}: `{}` → `{}` in `{}`",
                self.line,
                line(&self.before),
                self.after,
                line(&self.statement)
            ),
        }
    }
}

/// How a fault shows itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// The arguments of the run.
    pub input: Vec<String>,
    /// What is different, as a sentence.
    pub sentence: String,
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// Everything that is known of a version, as it is written beside its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The version of this form: 1.
    pub schema: u32,
    /// The right program.
    pub original: String,
    /// The number of the version, from 1.
    pub number: usize,
    /// The seed of the draw.
    pub seed: u64,
    /// Changed expressions and deleted statements.
    pub class: (usize, usize),
    /// Whether operators and constants could be changed.
    pub operators: bool,
    /// The faults, in the order of the text.
    pub faults: Vec<Fault>,
    /// How they show.
    pub observed: Observed,
}

impl Note {
    /// The note of the version with this number.
    pub fn new(
        program: &ir::Program,
        options: &crate::Options,
        number: usize,
        faults: &[Fault],
        observed: &Observed,
    ) -> Note {
        Note {
            schema: 1,
            original: program.source.path.display().to_string(),
            number,
            seed: options.seed,
            class: (options.change, options.delete),
            operators: options.operators,
            faults: faults.to_vec(),
            observed: observed.clone(),
        }
    }
}
