//! clang's compiler without its driver, which takes several files in one process.
//!
//! Two thirds of the time of reading a small program is the start of the
//! process; so what is read together costs little more than one text.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use crate::clang;

/// How the compiler is called.
pub(crate) struct Cc1 {
    program: String,
    arguments: Vec<String>,
}

static KNOWN: Mutex<Option<HashMap<String, Option<Arc<Cc1>>>>> = Mutex::new(None);

impl Cc1 {
    /// Asks the driver once how it would call the compiler.
    pub fn find() -> Option<Arc<Cc1>> {
        let clang = clang::find_clang().ok()?;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert_default().entry(clang).or_insert_with_key(|clang| ask(clang).map(Arc::new)).clone()
    }

    /// The compiler with everything but an action and its files; headers are
    /// looked for in `folder` too.
    pub fn command(&self, folder: &Path) -> Command {
        let mut command = clang::limited(&self.program);
        command.args(&self.arguments).arg("-I").arg(folder);
        command
    }
}

fn ask(clang: &str) -> Option<Cc1> {
    let mut command = clang::limited(clang);
    command.arg("-###").args(clang::FLAGS).args(clang::OLD_C).args(["-x", "c", "-"]);
    let (_, answer, status) = clang::run_command(command, None).ok()?;
    let mut calls = answer.lines().filter(|line| line.trim_start().starts_with('"')).map(words);
    let mut call = calls.next().filter(|_| status.success() && calls.next().is_none())?;
    let input = call.split_off(call.len().checked_sub(3)?);
    let is_expected = input == ["-x", "c", "-"] && call.get(1).is_some_and(|word| word == "-cc1");
    is_expected.then(|| Cc1 { program: call.remove(0), arguments: call })
}

/// The words of a line like ` "clang" "-cc1" "-D" "X=\"a b\""`.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut rest) = (Vec::new(), line.chars());
    while rest.any(|c| c == '"') {
        let mut word = String::new();
        while let Some(c) = rest.next().filter(|&c| c != '"') {
            word.push(if c == '\\' { rest.next().unwrap_or(c) } else { c });
        }
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_apart() {
        assert_eq!(
            words(r#" "/usr/bin/clang" "-cc1" "a b" "X=\"\\y\"" "#),
            ["/usr/bin/clang", "-cc1", "a b", r#"X="\y""#]
        );
    }

    #[test]
    fn the_driver_tells() {
        let cc1 = Cc1::find().expect("clang is there");
        assert!(cc1.arguments.iter().any(|word| word == "-std=gnu11"));
        assert_eq!(cc1.arguments[0], "-cc1");
    }
}
