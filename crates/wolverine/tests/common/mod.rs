//! Runs the binary as a user would, in the project's folder.

use std::path::Path;
use std::process::{Command, Output};

use expect_test::Expect;

/// Runs wolverine in the project's folder.
pub fn wolverine(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wolverine"));
    command.current_dir(root).args(arguments).output().expect("wolverine starts")
}

/// What it says, with the exit code, without the ends of lines that are blank.
pub fn says(arguments: &[&str], expected: Expect) {
    let output = wolverine(arguments);
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    expected.assert_eq(&format!("{}\nexit {}\n", lines.join("\n"), output.status.code().unwrap_or(-1)));
}
