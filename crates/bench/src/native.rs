//! The program as gcc makes it, without anybody watching.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::BenchError;

/// A compiled program, removed when dropped.
pub struct Native {
    folder: TempDir,
}

/// How a native run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// What it wrote to standard output.
    pub output: Vec<u8>,
    /// Its exit status; `None` if a signal ended it or it took too long.
    pub status: Option<i32>,
    /// Whether it was stopped because it took too long.
    pub late: bool,
    /// How long it took.
    pub seconds: f64,
}

/// Output beyond this is not read: a program in an endless loop prints forever.
const MOST_OUTPUT: u64 = 16 << 20;

impl Native {
    /// Compiles with `gcc -O0`, or clang where gcc is missing; `None` if it does not compile.
    pub fn compile(path: &Path) -> Result<Option<Native>, BenchError> {
        let failed = |error| BenchError::Io { path: path.display().to_string(), error };
        let folder = tempfile::tempdir().map_err(failed)?;
        let compile = |compiler: &str| {
            let mut command = Command::new(compiler);
            command
                .args(["-std=gnu11", "-w", "-g", "-O0", "-o"])
                .arg(folder.path().join(name(path)))
                .arg(path)
                .arg("-lm");
            command.stdout(Stdio::null()).stderr(Stdio::null()).status()
        };
        let status = compile("gcc").or_else(|_| compile("clang")).map_err(failed)?;
        Ok(status.success().then_some(Native { folder }))
    }

    fn binary(&self) -> Option<PathBuf> {
        std::fs::read_dir(self.folder.path()).ok()?.next()?.ok().map(|entry| entry.path())
    }

    /// Runs it. Its output is not buffered, so that a crash loses none of it.
    pub fn run(&self, arguments: &[String], stdin: &[u8], limit: Duration) -> Result<Finished, BenchError> {
        let failed = |error| BenchError::Io { path: "the compiled program".into(), error };
        let binary = self.binary().ok_or_else(|| failed(std::io::ErrorKind::NotFound.into()))?;
        let start = Instant::now();
        let mut command = Command::new("stdbuf");
        command.arg("-o0").arg(&binary).args(arguments).current_dir(self.folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        let (mut input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        std::thread::scope(|scope| {
            // A program that does not read all of its input closes the pipe; that is its right.
            scope.spawn(move || input.write_all(stdin));
            let reader = scope.spawn(move || {
                let mut bytes = Vec::new();
                let _ = output.take(MOST_OUTPUT).read_to_end(&mut bytes);
                bytes
            });
            let (mut late, mut pause) = (false, Duration::from_micros(200));
            let status = loop {
                if let Some(status) = child.try_wait().map_err(failed)? {
                    break status;
                }
                if start.elapsed() > limit {
                    late = true;
                    let _ = child.kill();
                }
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(5));
            };
            let seconds = start.elapsed().as_secs_f64();
            let output = reader.join().unwrap_or_default();
            Ok(Finished { output, status: status.code().filter(|_| !late), late, seconds })
        })
    }
}

/// Programs print their own name: it must be the same for every executor.
fn name(path: &Path) -> String {
    path.file_stem().map_or("program".into(), |stem| stem.to_string_lossy().into_owned())
}
