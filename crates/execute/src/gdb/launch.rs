//! Starts gdb and the program under it: script, settings, input and output.

use std::io::IsTerminal;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process;

use tempfile::TempDir;

use super::client::{Answer, Client};
use super::compile::write;
use super::mi::quote;
use crate::{ExecuteError, Input, Output, RunOptions};

/// The shell that can pass on any open file.
const BASH: &str = "/bin/bash";
const SCRIPT: &str = include_str!("wolverine.py");

/// What gdb is told before the program starts.
const SETTINGS: [&str; 25] = [
    "-gdb-set confirm off",
    "-gdb-set pagination off",
    "-gdb-set width 0",
    "-gdb-set debuginfod enabled off",
    // Changing which statements stop must not cost a turn of the program.
    "-gdb-set breakpoint always-inserted on",
    "-gdb-set breakpoint pending off",
    "-gdb-set displaced-stepping on",
    "-gdb-set print thread-events off",
    "-gdb-set print inferior-events off",
    "-gdb-set print frame-arguments none",
    "-gdb-set print entry-values no",
    "-gdb-set print symbol-loading off",
    // Symbols of libraries are read when they are needed.
    "-gdb-set auto-solib-add off",
    "-gdb-set auto-load python-scripts off",
    "-gdb-set auto-load libthread-db off",
    "-gdb-set startup-with-shell on",
    "-gdb-set disable-randomization on",
    "-gdb-set detach-on-fork on",
    "-gdb-set follow-fork-mode parent",
    // The program's memory is also written without gdb.
    "-gdb-set stack-cache off",
    "-gdb-set code-cache off",
    "-gdb-set unwindonsignal on",
    "-interpreter-exec console \"handle all stop print pass\"",
    "-interpreter-exec console \"handle SIGINT stop print pass\"",
    "-interpreter-exec console \"handle SIGCHLD SIGWINCH SIGURG SIGCONT SIGTSTP SIGTTIN SIGTTOU nostop noprint pass\"",
];

/// The files of one run; they are removed with it.
#[derive(Debug)]
pub struct Files {
    directory: TempDir,
    /// The file that the program reads, if there is one.
    pub input: Option<PathBuf>,
    output: Option<PathBuf>,
    errors: Option<PathBuf>,
    /// Wolverine's own input, output and errors, for gdb to hand on.
    handed_on: [Option<OwnedFd>; 3],
}

impl Files {
    /// A new directory for a run.
    pub fn new() -> Result<Files, ExecuteError> {
        let directory = tempfile::Builder::new().prefix("wolverine-").tempdir();
        let directory =
            directory.map_err(|error| ExecuteError::Io { what: "making a temporary directory".into(), error })?;
        Ok(Files { directory, input: None, output: None, errors: None, handed_on: [None, None, None] })
    }

    /// Opens Wolverine's own input and output once more, so that gdb and the
    /// program get them. Must be called before gdb starts.
    pub fn hand_on(&mut self, options: &RunOptions) {
        // Only bash can name files above 9; without it they are opened by their path.
        if !Path::new(BASH).exists() {
            return;
        }
        if options.input == Input::Inherit {
            self.handed_on[0] = rustix::io::dup(std::io::stdin()).ok();
        }
        if options.output == Output::Inherit {
            self.handed_on[1] = rustix::io::dup(std::io::stdout()).ok();
            self.handed_on[2] = rustix::io::dup(std::io::stderr()).ok();
        }
    }

    /// Where the files are.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Makes this all that the program can read.
    pub fn write_input(&self, bytes: &[u8]) -> Result<(), ExecuteError> {
        self.input.as_deref().map_or(Ok(()), |path| write(path, bytes))
    }

    /// What was written to standard output.
    pub fn output(&self) -> Result<Vec<u8>, ExecuteError> {
        read(self.output.as_deref())
    }

    /// What was written to standard error.
    pub fn errors(&self) -> Result<Vec<u8>, ExecuteError> {
        read(self.errors.as_deref())
    }

    /// Makes this all that was written to standard output and error. The
    /// program appends, so that it goes on there.
    pub fn rewrite(&self, output: &[u8], errors: &[u8]) -> Result<(), ExecuteError> {
        for (path, bytes) in [(&self.output, output), (&self.errors, errors)] {
            if let Some(path) = path {
                write(path, bytes)?;
            }
        }
        Ok(())
    }

    /// Writes the shell script that runs the program it is given with its
    /// arguments, input and output.
    fn write_wrapper(&mut self, options: &RunOptions) -> Result<PathBuf, ExecuteError> {
        let wrapper = self.directory().join("run.sh");
        let mut line = String::from("exec \"$1\"");
        for argument in &options.arguments {
            line.push_str(&format!(" {}", shell_quote(argument)));
        }
        let input = self.input_path(&options.input)?;
        if options.input != Input::Inherit {
            self.input = input.canonicalize().ok();
        }
        let [output, errors] = self.output_paths(options.output)?;
        for (i, (operator, path)) in [("<", input), ("1>>", output), ("2>>", errors)].into_iter().enumerate() {
            match &self.handed_on[i] {
                Some(file) => line.push_str(&format!(" {i}<&{}", file.as_raw_fd())),
                None => line.push_str(&format!(" {operator}{}", shell_quote(&path.to_string_lossy()))),
            }
        }
        let script = format!("#!/bin/sh\n{}{line}\n", environment());
        write(&wrapper, script.as_bytes())?;
        Ok(wrapper)
    }

    fn input_path(&self, input: &Input) -> Result<PathBuf, ExecuteError> {
        match input {
            Input::Bytes(bytes) => {
                let path = self.directory().join("input");
                write(&path, bytes)?;
                Ok(path)
            }
            Input::File(path) => {
                let what = || format!("reading {}", path.display());
                std::fs::File::open(path).map_err(|error| ExecuteError::Io { what: what(), error })?;
                Ok(path.clone())
            }
            Input::Inherit => Ok(format!("/proc/{}/fd/0", process::id()).into()),
        }
    }

    fn output_paths(&mut self, output: Output) -> Result<[PathBuf; 2], ExecuteError> {
        if output == Output::Inherit {
            return Ok([1, 2].map(|file| format!("/proc/{}/fd/{file}", process::id()).into()));
        }
        let paths = ["output", "errors"].map(|name| self.directory().join(name));
        for path in &paths {
            write(path, b"")?;
        }
        let [output, errors] = paths.clone();
        (self.output, self.errors) = (Some(output), Some(errors));
        Ok(paths)
    }
}

fn read(path: Option<&Path>) -> Result<Vec<u8>, ExecuteError> {
    let Some(path) = path else { return Ok(Vec::new()) };
    std::fs::read(path).map_err(|error| ExecuteError::Io { what: format!("reading {}", path.display()), error })
}

/// The program runs in Wolverine's own environment, not in that of gdb.
fn environment() -> String {
    let mut lines = String::from("unset LINES COLUMNS SHELL\n");
    for name in ["SHELL", "LINES", "COLUMNS", "PYTHONHOME", "PYTHONPATH"] {
        if let Ok(value) = std::env::var(name) {
            lines.push_str(&format!("{name}={}; export {name}\n", shell_quote(&value)));
        }
    }
    lines
}

/// One word for the shell.
fn shell_quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Starts gdb and gives it its settings, but does not wait for it.
pub fn start_gdb(options: &RunOptions) -> Result<Client, ExecuteError> {
    let foreground = options.input == Input::Inherit && std::io::stdin().is_terminal();
    let mut client = Client::start(foreground)?;
    client.settings(&SETTINGS)?;
    Ok(client)
}

/// Loads a program, so that it can be run.
pub fn load_program(
    client: &mut Client,
    program: &Path,
    files: &mut Files,
    options: &RunOptions,
) -> Result<(), ExecuteError> {
    let script = files.directory().join("wolverine.py");
    write(&script, SCRIPT.as_bytes())?;
    let wrapper = files.write_wrapper(options)?;
    let source = quote(&format!("source {}", script.display()));
    if let Answer::Refused(why) = client.ask(&format!("-interpreter-exec console {source}"))? {
        let sentence = format!(
            "this gdb cannot be used: version 12 or newer with Python is needed ({}); \
             install a newer gdb or use the interpreter",
            why.trim_end()
        );
        return Err(ExecuteError::MissingTool(sentence));
    }
    client.command(&format!("-file-exec-and-symbols {}", quote(&program.to_string_lossy())))?;
    let wrapper = shell_quote(&wrapper.to_string_lossy());
    let shell = if files.handed_on.iter().any(Option::is_some) { BASH } else { "/bin/sh" };
    client.command(&format!("-gdb-set exec-wrapper {shell} {wrapper}"))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(shell_quote("a b"), "'a b'");
        assert_eq!(shell_quote("it's\n"), "'it'\\''s\n'");
    }

    #[test]
    fn the_wrapper_names_input_and_output() {
        let mut files = Files::new().expect("a directory");
        let options = RunOptions { arguments: vec!["-n".into(), "a b".into()], ..RunOptions::default() };
        let wrapper = files.write_wrapper(&options).expect("a wrapper");
        let text = std::fs::read_to_string(wrapper).expect("its text");
        assert!(text.contains("exec \"$1\" '-n' 'a b' <'"), "{text}");
        assert_eq!(files.output().expect("output"), b"");
    }
}
