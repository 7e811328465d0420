//! Talks to gdb over its machine interface.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::mi::{Record, Values, parse_record};
use crate::ExecuteError;

/// A running gdb.
#[derive(Debug)]
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    records: Receiver<Record>,
    token: u64,
    /// What gdb said last, for when it dies.
    said: String,
    /// The last command.
    last: String,
    running: Running,
}

/// The program under gdb as other threads see it.
#[derive(Clone, Debug, Default)]
pub struct Running {
    /// The process that gdb runs, or 0.
    pid: Arc<AtomicI32>,
    running: Arc<AtomicBool>,
    /// Whether somebody interrupted it since it began to run.
    asked: Arc<AtomicBool>,
}

impl Running {
    /// Interrupts the program if it runs. [`crate::Executor::resume`] then
    /// answers [`crate::Stop::Interrupted`].
    pub fn interrupt(&self) {
        // A stopped program would keep the signal for later.
        if self.running.load(Ordering::SeqCst) {
            self.asked.store(true, Ordering::SeqCst);
            send_signal(self.pid(), Signal::INT);
        }
    }

    /// Whether it was interrupted since it began to run. If it was not, an
    /// interruption came too late for the run before.
    pub fn was_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// The program's process, 0 if there is none.
    pub fn pid(&self) -> i32 {
        self.pid.load(Ordering::SeqCst)
    }
}

/// How gdb answers a command.
#[derive(Debug)]
pub enum Answer {
    /// It did it.
    Done(Values),
    /// It did not, and says why.
    Refused(String),
}

/// Long enough for gdb on a busy machine; a gdb that is silent for longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);
/// Asks for what the last command that ran the program came to.
const RESULT: &str = "-wolverine-result";
/// How long an interrupted program may take to stop.
const GRACE: Duration = Duration::from_secs(20);

impl Client {
    /// Starts gdb. `foreground` keeps it in the terminal's foreground, so that
    /// the program can read from there.
    pub fn start(foreground: bool) -> Result<Client, ExecuteError> {
        let mut command = Command::new("gdb");
        command.args(["-nx", "-q", "--interpreter=mi3"]);
        // gdb's own Python must not load the user's modules; the program gets them back.
        command.env_remove("PYTHONHOME").env_remove("PYTHONPATH").env("SHELL", "/bin/sh");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if !foreground {
            command.process_group(0);
        }
        let mut child = command.spawn().map_err(|_| {
            let sentence = "gdb is not installed or cannot be started; install it (Debian: apt install gdb) \
                            or use the interpreter";
            ExecuteError::MissingTool(sentence.into())
        })?;
        let (sender, records) = channel();
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let running = Running::default();
        let pid = running.pid.clone();
        if let Some(output) = output {
            std::thread::spawn(move || read_records(output, &sender, &pid));
        }
        Ok(Client { child, input, records, token: 0, said: String::new(), last: String::new(), running })
    }

    /// gdb's process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Stops the program from another thread.
    pub fn running(&self) -> &Running {
        &self.running
    }

    /// Sends one command and waits for its answer.
    pub fn ask(&mut self, command: &str) -> Result<Answer, ExecuteError> {
        let token = self.send(command)?;
        let deadline = Instant::now() + PATIENCE;
        match self.wait_for(token, deadline)? {
            Some(answer) => Ok(answer),
            None => Err(self.hangs()),
        }
    }

    /// Sends a command that gdb must not refuse.
    pub fn command(&mut self, command: &str) -> Result<Values, ExecuteError> {
        match self.ask(command)? {
            Answer::Done(values) => Ok(values),
            Answer::Refused(why) => {
                let why = why.trim_end();
                Err(ExecuteError::Died(format!("gdb has lost the program ({why}); start it again")))
            }
        }
    }

    /// Sends several commands at once and does not wait for them; refusals do not matter.
    pub fn settings(&mut self, commands: &[&str]) -> Result<(), ExecuteError> {
        commands.iter().try_for_each(|command| self.send(command).map(drop))
    }

    /// Sends a command that runs the program, for `limit` at most; then the
    /// program is interrupted. The answer is what happened.
    pub fn run(&mut self, command: &str, limit: Duration) -> Result<Values, ExecuteError> {
        self.send(command)?;
        let token = self.send(RESULT)?;
        self.running.asked.store(false, Ordering::SeqCst);
        self.running.running.store(true, Ordering::SeqCst);
        let answer = self.wait_for_stop(token, limit);
        self.running.running.store(false, Ordering::SeqCst);
        outcome(answer?)
    }

    /// The same for a command that runs the program for a moment only, and
    /// that nobody may interrupt.
    pub fn run_shortly(&mut self, command: &str) -> Result<Values, ExecuteError> {
        self.send(command)?;
        let token = self.send(RESULT)?;
        match self.wait_for(token, Instant::now() + PATIENCE)? {
            Some(answer) => outcome(answer),
            None => Err(self.hangs()),
        }
    }

    /// Whether gdb still runs.
    pub fn is_alive(&mut self) -> bool {
        self.input.is_some() && matches!(self.child.try_wait(), Ok(None))
    }

    fn wait_for_stop(&mut self, token: u64, limit: Duration) -> Result<Answer, ExecuteError> {
        let start = Instant::now();
        if let Some(answer) = self.wait_for(token, start + limit)? {
            return Ok(answer);
        }
        self.running.interrupt();
        let deadline = Instant::now() + GRACE;
        self.wait_for(token, deadline)?.ok_or_else(|| self.hangs())
    }

    fn send(&mut self, command: &str) -> Result<u64, ExecuteError> {
        self.token += 1;
        // The result is only the answer to the command before.
        if command != RESULT {
            self.last = command.to_string();
        }
        let line = format!("{}{command}\n", self.token);
        let written = self.input.as_mut().map(|input| input.write_all(line.as_bytes()).and_then(|()| input.flush()));
        match written {
            Some(Ok(())) => Ok(self.token),
            _ => Err(self.died()),
        }
    }

    /// The answer to the command with this token; `None` after the deadline.
    fn wait_for(&mut self, token: u64, deadline: Instant) -> Result<Option<Answer>, ExecuteError> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.records.recv_timeout(left) {
                Ok(Record::Result { token: Some(found), class, values }) if found == token => {
                    return Ok(Some(answer(&class, values)));
                }
                Ok(Record::Stream(text)) => self.said = text,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(self.died()),
            }
        }
    }

    fn died(&mut self) -> ExecuteError {
        self.end();
        let said = self.said.trim();
        let said = if said.is_empty() { String::new() } else { format!("; it said last: {said}") };
        ExecuteError::Died(format!("gdb has ended unexpectedly{said}; start the program again"))
    }

    fn hangs(&mut self) -> ExecuteError {
        self.end();
        let command = self.last.split(' ').next().unwrap_or_default();
        let sentence = format!("gdb does not answer to {command} any more and was ended; start the program again");
        ExecuteError::Died(sentence)
    }

    /// Ends the program and gdb.
    pub fn end(&mut self) {
        self.input = None;
        send_signal(self.running.pid.swap(0, Ordering::SeqCst), Signal::KILL);
        // Both fail only if gdb is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.end();
    }
}

/// What came of a command that ran the program.
fn outcome(answer: Answer) -> Result<Values, ExecuteError> {
    match answer {
        Answer::Done(values) => Ok(values),
        Answer::Refused(why) => Err(ExecuteError::Died(format!("gdb is confused: {why}"))),
    }
}

fn answer(class: &str, values: Values) -> Answer {
    match class {
        "error" => {
            let why = values.get("msg").and_then(|value| value.text()).unwrap_or("no reason given");
            Answer::Refused(why.to_string())
        }
        _ => Answer::Done(values),
    }
}

/// Hands on what gdb writes until it ends, and keeps the program's process number.
fn read_records(output: ChildStdout, sender: &Sender<Record>, pid: &AtomicI32) {
    let mut output = BufReader::with_capacity(1 << 16, output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        let record = parse_record(text.trim_end_matches(['\n', '\r']));
        if let Record::Async { class, values } = &record {
            note_process(class, values, pid);
            continue;
        }
        if sender.send(record).is_err() {
            return;
        }
    }
}

fn note_process(class: &str, values: &Values, pid: &AtomicI32) {
    match class {
        "thread-group-started" => {
            let number = values.get("pid").and_then(|value| value.text()).and_then(|text| text.parse().ok());
            pid.store(number.unwrap_or(0), Ordering::SeqCst);
        }
        "thread-group-exited" => pid.store(0, Ordering::SeqCst),
        _ => {}
    }
}

/// Sends a signal, unless there is no process or it is gone.
fn send_signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid).filter(|_| pid > 1) {
        // The process may have ended in the meantime.
        let _ = kill_process(pid, signal);
    }
}
