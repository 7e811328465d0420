//! A process that answers one script. A thread of its own talks with it, so
//! the caller can wait, do something else, or give up.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::program::Program;
use super::script::Script;
use crate::term::{Model, Term};

/// The answer of an SMT solver.
#[derive(Debug)]
pub(crate) enum Reply {
    Sat(Model),
    Unsat { switches: Vec<u32>, assumptions: Vec<usize> },
    Failed(String),
}

/// A check on its way. When it is dropped, the process ends.
pub(crate) struct Running {
    child: Option<Child>,
    reply: Receiver<Reply>,
    done: Arc<AtomicBool>,
}

impl Running {
    pub(super) fn start(program: &Program, script: Script) -> Self {
        let (sender, reply) = channel();
        let done = Arc::new(AtomicBool::new(false));
        let spawned = program.command().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let child = match spawned {
            Ok(mut child) => {
                let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
                let flag = done.clone();
                let (Some(stdin), Some(stdout)) = (stdin, stdout) else { unreachable!("both were piped above") };
                std::thread::spawn(move || {
                    let reply = talk(script, stdin, stdout).unwrap_or_else(|error| Reply::Failed(error.to_string()));
                    // Nobody may be waiting any more.
                    let _ = sender.send(reply);
                    flag.store(true, Ordering::Relaxed);
                });
                Some(child)
            }
            Err(error) => {
                let _ = sender.send(Reply::Failed(format!("{} does not start: {error}", program.name())));
                done.store(true, Ordering::Relaxed);
                None
            }
        };
        Self { child, reply, done }
    }

    /// A flag that is set as soon as there is a reply.
    pub(crate) fn done(&self) -> Arc<AtomicBool> {
        self.done.clone()
    }

    /// The reply, if it comes in time; it comes only once.
    pub(crate) fn wait(&mut self, time: Duration) -> Option<Reply> {
        match self.reply.recv_timeout(time) {
            Ok(reply) => Some(reply),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Reply::Failed("the SMT solver is gone".into())),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // It may have ended by itself; then there is nothing to kill.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn talk(script: Script, mut stdin: ChildStdin, stdout: ChildStdout) -> io::Result<Reply> {
    stdin.write_all(script.text.as_bytes())?;
    stdin.flush()?;
    let mut stdout = BufReader::new(stdout);
    let mut verdict = String::new();
    stdout.read_line(&mut verdict)?;
    let is_sat = match verdict.trim() {
        "sat" => true,
        "unsat" => false,
        "" => return Ok(Reply::Failed("the SMT solver ended without an answer".into())),
        other => return Ok(Reply::Failed(format!("the SMT solver says: {other}"))),
    };
    let question = if is_sat { &*script.get_model } else { "(get-unsat-core)\n" };
    stdin.write_all(question.as_bytes())?;
    stdin.write_all(b"(exit)\n")?;
    drop(stdin);
    let mut text = String::new();
    stdout.read_to_string(&mut text)?;
    if text.trim_start().starts_with("(error") {
        return Ok(Reply::Failed(format!("the SMT solver says: {}", text.trim())));
    }
    Ok(if is_sat { Reply::Sat(parse_model(&text, &script.variables)) } else { parse_core(&text) })
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|token| !token.is_empty())
}

/// `((v0 #b01) (v1 true) (v2 (_ bv3 8)))`, in which the variables come in the order of the question.
fn parse_model(text: &str, variables: &[Term]) -> Model {
    let mut tokens = tokens(text);
    let mut model = Model::new();
    for &variable in variables {
        let name = format!("v{}", variable.index());
        if tokens.by_ref().any(|token| token == name)
            && let Some(value) = parse_value(&mut tokens)
        {
            model.set(variable, value);
        }
    }
    model
}

fn parse_value<'a>(tokens: &mut impl Iterator<Item = &'a str>) -> Option<u64> {
    match tokens.next()? {
        "true" => Some(1),
        "false" => Some(0),
        "_" => tokens.next()?.strip_prefix("bv")?.parse().ok(),
        binary if binary.starts_with("#b") => u64::from_str_radix(&binary[2..], 2).ok(),
        hexadecimal if hexadecimal.starts_with("#x") => u64::from_str_radix(&hexadecimal[2..], 16).ok(),
        _ => None,
    }
}

/// `(on3 as0)`
fn parse_core(text: &str) -> Reply {
    let (mut switches, mut assumptions) = (vec![], vec![]);
    for token in tokens(text) {
        if let Some(number) = token.strip_prefix("on").and_then(|number| number.parse().ok()) {
            switches.push(number);
        } else if let Some(number) = token.strip_prefix("as").and_then(|number| number.parse().ok()) {
            assumptions.push(number);
        }
    }
    Reply::Unsat { switches, assumptions }
}
