//! Which SMT solvers are installed.

use std::path::PathBuf;

/// Names and arguments, the fastest first.
const KNOWN: [(&str, &[&str]); 3] =
    [("bitwuzla", &[]), ("cvc5", &["--lang=smt2", "--incremental"]), ("z3", &["-in", "-smt2"])];

/// Why an SMT solver cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SmtlibError {
    /// None of the known solvers is on the `PATH`.
    #[error("no SMT solver is installed: none of bitwuzla, cvc5 and z3 is on the PATH")]
    NoneInstalled,
}

/// An SMT solver that is installed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    name: &'static str,
    path: PathBuf,
    arguments: &'static [&'static str],
}

impl Program {
    /// All known SMT solvers on the `PATH`, the fastest first.
    pub fn installed() -> Vec<Self> {
        let find = |&(name, arguments): &(&'static str, &'static [&'static str])| {
            find_on_path(name).map(|path| Self { name, path, arguments })
        };
        KNOWN.iter().filter_map(find).collect()
    }

    /// The fastest of the SMT solvers that are installed.
    pub fn first_installed() -> Result<Self, SmtlibError> {
        Self::installed().into_iter().next().ok_or(SmtlibError::NoneInstalled)
    }

    /// Its name: `z3`, `cvc5` or `bitwuzla`.
    pub fn name(&self) -> &str {
        self.name
    }

    pub(super) fn command(&self) -> std::process::Command {
        let mut command = std::process::Command::new(&self.path);
        command.args(self.arguments);
        command
    }
}

fn find_on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
