//! Tables of calls as tests, and whether they agree with the contract.

use std::path::{Path, PathBuf};

use spec::tests::{Call, TableError, Value, parse_json, parse_text, read_folder};

use crate::confirm::{Example, Ran, run};
use crate::task::Task;

use super::{Expected, Test};

/// Why tests cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// The folder or a file cannot be read.
    #[error("the tests in {} cannot be read: {error}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A table is not as it should be.
    #[error("{}, {error}", path.display())]
    Table {
        /// Which.
        path: PathBuf,
        /// What.
        error: TableError,
    },
    /// An input without what must be printed.
    #[error("{} has no file beside it that says what the program must print: write it into {}", path.display(), path.with_extension("out").display())]
    Alone {
        /// The input.
        path: PathBuf,
    },
    /// There is no test of this function.
    #[error("{} has no test of `{function}`: write calls such as {function}(…) = … into a file NAME.calls, or put inputs of the whole program into NAME.in and what it must print into NAME.out", path.display())]
    None {
        /// Where was looked.
        path: PathBuf,
        /// The function.
        function: String,
    },
}

/// The tests of a function in a folder, or in one table.
pub fn folder_tests(task: &Task, path: &Path) -> Result<Vec<Test>, TestError> {
    let unreadable = |path: &Path, error| TestError::Unreadable { path: path.into(), error };
    let files = read_folder(path).map_err(|error| unreadable(path, error))?;
    if let Some(path) = files.alone.into_iter().next() {
        return Err(TestError::Alone { path });
    }
    let function = task.options.entry.clone().unwrap_or_default();
    let mut tests = vec![];
    for file in &files.tables {
        let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, error))?;
        let is_json = file.extension().is_some_and(|extension| extension == "json");
        let calls = if is_json { parse_json(&text) } else { parse_text(&text) };
        let table_error = |error| TestError::Table { path: file.clone(), error };
        for call in calls.map_err(table_error)?.iter().filter(|call| call.function == function) {
            tests.push(test(task, file, call).map_err(|message| table_error(TableError { line: call.line, message }))?);
        }
    }
    tests.extend(files.programs.into_iter().map(|program| Test {
        name: program.name,
        example: Example { bytes: program.input, ..Example::default() },
        expected: Expected::Output(program.output),
    }));
    match tests.is_empty() {
        true => Err(TestError::None { path: path.into(), function }),
        false => Ok(tests),
    }
}

/// A call as inputs of the driver.
fn test(task: &Task, file: &Path, call: &Call) -> Result<Test, String> {
    let names = parameters(task);
    if names.len() != call.arguments.len() {
        return Err(format!("`{}` takes {} arguments, not {}", call.function, names.len(), call.arguments.len()));
    }
    let mut nondet = vec![0; task.program.given.len()];
    for (name, argument) in names.iter().zip(&call.arguments) {
        let places = || task.program.given.iter().enumerate();
        match argument {
            Value::Number(number) => match places().find(|(_, given)| given.name == *name) {
                Some((at, _)) => nondet[at] = *number,
                None => return Err(format!("`{name}` is no number")),
            },
            Value::List(list) => {
                if let Some((at, _)) = places().find(|(_, given)| given.name == format!("{name} is there")) {
                    nondet[at] = 1;
                }
                for (index, number) in list.iter().enumerate() {
                    let cell = format!("{name}[{index}]");
                    match places().find(|(_, given)| given.name == cell) {
                        Some((at, _)) => nondet[at] = *number,
                        None => return Err(format!("`{name}` has no element {index} here; raise --length")),
                    }
                }
            }
            Value::Null => {}
        }
    }
    let mut expected: Vec<String> = call.result.iter().map(|result| format!("result = {result}")).collect();
    for (name, list) in &call.after {
        expected.extend(list.iter().enumerate().map(|(index, value)| format!("{name}[{index}] = {value}")));
    }
    let stem = file.file_name().unwrap_or_default().to_string_lossy();
    let example = Example { nondet, ..Example::default() };
    Ok(Test { name: format!("{stem}, line {}", call.line), example, expected: Expected::Lines(expected) })
}

fn parameters(task: &Task) -> Vec<String> {
    let unit = &task.program.unit;
    let entry = task.options.entry.as_deref().unwrap_or_default();
    let function = unit.functions.iter().find(|function| &*function.name == entry);
    let ids = function.map_or(&[][..], |function| &function.parameters);
    ids.iter().map(|id| unit.variables[id.0 as usize].name.to_string()).collect()
}

/// Tests whose expected results break the contract: the driver runs with the
/// expected values in the place of the call.
pub(super) fn at_odds(task: &Task, tests: &[Test]) -> Vec<usize> {
    if task.contract.is_none() {
        return vec![];
    }
    let numbers: Vec<usize> = (0..tests.len()).filter(|number| !tests[*number].expected.lines().is_empty()).collect();
    let own = &task.program.source().bytes[..task.program.own];
    let driver = String::from_utf8_lossy(&task.program.source().bytes[task.program.own..]).into_owned();
    let texts: Vec<Vec<u8>> =
        numbers.iter().map(|number| [own, instead(task, &driver, &tests[*number]).as_bytes()].concat()).collect();
    let sides = task.program.with_whole_texts(&texts);
    let mut found = vec![];
    for (number, side) in numbers.into_iter().zip(sides) {
        let Ok(side) = side else { continue };
        if let Ran::Wrong(fault) = run(&side, &tests[number].example)
            && fault.kind == execute::FaultKind::Assert
        {
            found.push(number);
        }
    }
    found
}

/// The driver with expected values instead of the call.
fn instead(task: &Task, driver: &str, test: &Test) -> String {
    let entry = task.options.entry.as_deref().unwrap_or_default();
    let lines = driver.lines().map(|line| {
        let call = line.find(&format!("{entry}("));
        let is_call = line.starts_with("    ")
            && line.ends_with(");")
            && (line.trim_start().starts_with(&format!("{entry}("))
                || line.contains(&format!("wolverine_result = {entry}(")));
        let Some(at) = call.filter(|_| is_call) else { return line.to_string() };
        let result = test.expected.lines().iter().find_map(|line| line.strip_prefix("result = "));
        let mut text = if line.contains("wolverine_result = ") {
            format!("{}{};", &line[..at], result.unwrap_or("0"))
        } else {
            String::new()
        };
        for cell in test.expected.lines().iter().filter(|line| !line.starts_with("result")) {
            if let Some((place, value)) = cell.split_once(" = ") {
                text += &format!(" {} = {value};", place.replacen('[', "_cells[", 1));
            }
        }
        text
    });
    lines.collect::<Vec<_>>().join("\n")
}
