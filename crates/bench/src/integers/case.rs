//! What `case.json` says: where a program begins, its inputs with their few
//! values, what is looked at, and what is wrong.
//!
//! ```json
//! {
//!   "about": "How often a number is in an array.",
//!   "entry": "count",
//!   "specification": "reference",
//!   "unwind": 4,
//!   "parameters": [
//!     {"name": "a", "type": "int", "dimensions": [3], "from": 0, "to": 2},
//!     {"name": "x", "type": "int", "from": -1, "to": 2}
//!   ],
//!   "assume": ["a[0] >= 0 && a[0] <= 2", "…"],
//!   "observe": ["result"],
//!   "level": 1, "size": 1,
//!   "fault": "The loop looks one element past the end.",
//!   "changes": [{"line": 5, "is": "while (i <= n) {", "should_be": "while (i < n) {"}]
//! }
//! ```

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::BenchError;

/// A faulty program with all of its inputs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its folder.
    #[serde(skip)]
    pub folder: PathBuf,
    /// What the right program computes.
    pub about: String,
    /// The function that is called; `main` is a whole program.
    pub entry: String,
    /// What tells right from wrong.
    pub specification: Specification,
    /// How often loops go round at most, and how deep calls of a function by itself are, in the right program.
    pub unwind: u32,
    /// The parameters of the entry function, in order.
    #[serde(default)]
    pub parameters: Vec<Unknown>,
    /// What a whole program reads: numbers with a space after each, but those of type `char` as characters.
    #[serde(default)]
    pub stdin: Vec<Unknown>,
    /// The arguments of a whole program.
    #[serde(default)]
    pub arguments: Vec<Unknown>,
    /// What `__VERIFIER_nondet_int` and its like give.
    #[serde(default)]
    pub nondet: Vec<Unknown>,
    /// What holds for the parameters, as C conditions: their ranges, and what else is asked of callers.
    #[serde(default)]
    pub assume: Vec<String>,
    /// What counts: `result` or members of it, parameters that the function changes, `output`, `status`.
    pub observe: Vec<String>,
    /// Which mutations repair it: 1, 2 or 3; none where no mutations do.
    pub level: Option<u8>,
    /// How many mutations were made.
    pub size: Option<u32>,
    /// What is wrong, in words.
    pub fault: String,
    /// The lines as they should be.
    pub changes: Vec<Change>,
}

/// What tells a right program from a wrong one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Specification {
    /// `reference.c` does the same.
    Reference,
    /// The assertions inside of the program hold.
    Assertions,
}

/// An input, or several of a kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unknown {
    /// Its name: of a parameter, or how the case calls it.
    pub name: String,
    /// Its C type, or that of the elements of an array.
    #[serde(rename = "type")]
    pub ty: String,
    /// The lengths of an array. What a pointer to one variable points to is an array of one element.
    #[serde(default)]
    pub dimensions: Vec<usize>,
    /// The members of a structure.
    #[serde(default)]
    pub members: Vec<Unknown>,
    /// The smallest value.
    pub from: Option<i128>,
    /// The largest value.
    pub to: Option<i128>,
    /// All values, instead of a range.
    pub values: Option<Vec<i128>>,
    /// Whether the last element of the array is the NUL of a string.
    #[serde(default)]
    pub text: bool,
}

/// A line of the faulty program as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The number of the line, from 1 on.
    pub line: usize,
    /// What it says, without the blanks around it.
    pub is: String,
    /// What it should say.
    pub should_be: String,
}

/// One number that comes from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Where it goes, as C writes it: `x`, `a[1]`, `p.x`.
    pub place: String,
    /// Its C type.
    pub ty: String,
    /// The values it takes.
    pub values: Vec<i128>,
}

/// A value for each number that comes from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Input {
    /// For the parameters, in the order of [`Unknown::scalars`].
    pub parameters: Vec<i128>,
    /// For standard input.
    pub stdin: Vec<i128>,
    /// For the arguments.
    pub arguments: Vec<i128>,
    /// For `__VERIFIER_nondet_int` and its like.
    pub nondet: Vec<i128>,
}

/// All cases in a folder, in order of their names.
pub fn find(folder: &Path) -> Result<Vec<Case>, BenchError> {
    if !folder.exists() {
        return Err(BenchError::NoFolder(folder.display().to_string()));
    }
    let entries = std::fs::read_dir(folder).map_err(|error| failed(folder, error))?;
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    folders.retain(|folder| folder.join("case.json").exists());
    folders.sort();
    folders.iter().map(|folder| Case::load(folder)).collect()
}

fn failed(path: &Path, error: std::io::Error) -> BenchError {
    BenchError::Io { path: path.display().to_string(), error }
}

impl Case {
    /// Reads the `case.json` of a folder.
    pub fn load(folder: &Path) -> Result<Case, BenchError> {
        let path = folder.join("case.json");
        let text = std::fs::read(&path).map_err(|error| failed(&path, error))?;
        let case: Case = serde_json::from_slice(&text).map_err(|error| failed(&path, error.into()))?;
        Ok(Case { folder: folder.to_path_buf(), ..case })
    }

    /// The name of its folder.
    pub fn name(&self) -> String {
        self.folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The faulty program.
    pub fn faulty(&self) -> Result<String, BenchError> {
        self.read("faulty.c")
    }

    /// The right program that others are compared with, if there is one.
    pub fn reference(&self) -> Result<Option<String>, BenchError> {
        match self.specification {
            Specification::Reference => self.read("reference.c").map(Some),
            Specification::Assertions => Ok(None),
        }
    }

    /// The faulty program with all changes made; none where that is no matter of single lines.
    pub fn repaired(&self) -> Result<Option<String>, BenchError> {
        if self.changes.is_empty() {
            return Ok(None);
        }
        let mut lines: Vec<String> = self.faulty()?.lines().map(String::from).collect();
        for change in &self.changes {
            let line = change.line.checked_sub(1).and_then(|line| lines.get_mut(line));
            let Some(line) = line.filter(|line| line.trim() == change.is) else {
                let sentence = format!("line {} is not `{}`", change.line, change.is);
                return Err(failed(&self.folder.join("case.json"), std::io::Error::other(sentence)));
            };
            *line = line.replace(&change.is, &change.should_be);
        }
        Ok(Some(lines.join("\n") + "\n"))
    }

    fn read(&self, name: &str) -> Result<String, BenchError> {
        let path = self.folder.join(name);
        std::fs::read_to_string(&path).map_err(|error| failed(&path, error))
    }

    /// All inputs: every value of every number with every other. Some may be
    /// outside of what is assumed.
    pub fn inputs(&self) -> Vec<Input> {
        let groups = [&self.parameters, &self.stdin, &self.arguments, &self.nondet].map(|group| scalars(group));
        let all: Vec<&Scalar> = groups.iter().flatten().collect();
        let mut rows: Vec<Vec<i128>> = vec![Vec::new()];
        for scalar in all {
            let longer = |row: &Vec<i128>, value| [row.as_slice(), &[value]].concat();
            rows = rows.iter().flat_map(|row| scalar.values.iter().map(move |value| longer(row, *value))).collect();
        }
        let lengths = groups.each_ref().map(Vec::len);
        rows.iter().map(|row| Input::cut(row, lengths)).collect()
    }
}

impl Input {
    fn cut(row: &[i128], [parameters, stdin, arguments, _]: [usize; 4]) -> Input {
        let (parameters, row) = row.split_at(parameters);
        let (stdin, row) = row.split_at(stdin);
        let (arguments, nondet) = row.split_at(arguments);
        let [parameters, stdin, arguments, nondet] = [parameters, stdin, arguments, nondet].map(<[i128]>::to_vec);
        Input { parameters, stdin, arguments, nondet }
    }
}

/// The numbers of several inputs, in order.
pub fn scalars(unknowns: &[Unknown]) -> Vec<Scalar> {
    unknowns.iter().flat_map(Unknown::scalars).collect()
}

impl Unknown {
    /// The numbers that it consists of, in the order of memory.
    pub fn scalars(&self) -> Vec<Scalar> {
        if !self.members.is_empty() {
            let inner = self.members.iter().flat_map(Unknown::scalars);
            return inner.map(|scalar| Scalar { place: format!("{}.{}", self.name, scalar.place), ..scalar }).collect();
        }
        let mut places = vec![self.name.clone()];
        for length in &self.dimensions {
            places = places.iter().flat_map(|place| (0..*length).map(move |i| format!("{place}[{i}]"))).collect();
        }
        let last = places.len() - 1;
        let values = |i: usize| if self.text && i == last { vec![0] } else { self.choices() };
        let scalar = |(i, place)| Scalar { place, ty: self.ty.clone(), values: values(i) };
        places.into_iter().enumerate().map(scalar).collect()
    }

    fn choices(&self) -> Vec<i128> {
        match (&self.values, self.from, self.to) {
            (Some(values), ..) => values.clone(),
            (None, Some(from), Some(to)) => (from..=to).collect(),
            _ => Vec::new(),
        }
    }

    /// As C declares it: `int a[3]`.
    pub fn declaration(&self) -> String {
        let lengths: String = self.dimensions.iter().map(|length| format!("[{length}]")).collect();
        format!("{} {}{lengths}", self.ty, self.name)
    }
}
