//! The rows of the table: what is wrong where, and what the paper's tool answered.

use std::path::Path;

use crate::BenchError;

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// `Sum/1`
    pub name: String,
    /// The right program.
    pub file: String,
    /// The function that has the contract.
    pub function: String,
    /// The number in the comment at the end of the line.
    pub line: String,
    /// What is right there.
    pub right: String,
    /// What is wrong.
    pub wrong: String,
    /// What the paper's tool answered; `-` and why if it found nothing.
    pub paper: String,
}

impl Row {
    /// The text of the faulty program.
    pub fn faulty(&self, path: &Path) -> Result<String, BenchError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| BenchError::Io { path: path.display().to_string(), error })?;
        let mark = format!("/* {} */", self.line);
        let change = |line: &str| match line.contains(&mark) {
            true => line.replacen(&self.right, &self.wrong, 1),
            false => line.to_string(),
        };
        let faulty = text.lines().map(change).collect::<Vec<_>>().join("\n") + "\n";
        match faulty == text {
            true => Err(broken(&self.name, "its line does not have what is right")),
            false => Ok(faulty),
        }
    }
}

fn broken(name: &str, why: &str) -> BenchError {
    BenchError::Io { path: format!("table1.txt, {name}"), error: std::io::Error::other(why.to_string()) }
}

/// The rows of a folder's `table1.txt`.
pub fn read_rows(folder: &Path) -> Result<Vec<Row>, BenchError> {
    let path = folder.join("table1.txt");
    let text =
        std::fs::read_to_string(&path).map_err(|error| BenchError::Io { path: path.display().to_string(), error })?;
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|line| row(line).ok_or_else(|| broken(line, "this is no row"))).collect()
}

fn row(line: &str) -> Option<Row> {
    let mut parts = line.split(" | ").map(str::trim);
    let (name, file, fault, paper) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let (place, change) = fault.split_once(": ")?;
    let (right, wrong) = change.split_once(" -> ")?;
    let function = file.trim_end_matches(".c").trim_end_matches("_upto");
    Some(Row {
        name: name.into(),
        file: file.into(),
        function: function.into(),
        line: place.into(),
        right: right.into(),
        wrong: wrong.into(),
        paper: paper.into(),
    })
}
