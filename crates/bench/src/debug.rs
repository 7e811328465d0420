//! How long does a user of the debugger wait?
//!
//! From a typed command to the drawn picture, for each command, on a list of
//! 100 nodes; and from nothing to the first picture.

use std::sync::Arc;
use std::time::{Duration, Instant};

use session::{EngineKind, Options, Session};

use crate::BenchError;

const GROW: &str = include_str!("../speed/grow.c");
const NODES: &str = "100";
/// Columns of the terminal that is drawn for.
const WIDTH: usize = 100;

/// Measures and prints a line per command.
pub fn run(engine: EngineKind, rounds: u32) -> Result<(), BenchError> {
    let failed = |error| BenchError::Io { path: "a temporary folder".into(), error };
    let folder = tempfile::tempdir().map_err(failed)?;
    let path = folder.path().join("grow.c");
    std::fs::write(&path, GROW).map_err(failed)?;
    let begin = Instant::now();
    let program = Arc::new(ir::load(&path)?);
    let loaded = begin.elapsed();
    let options = Options { arguments: vec![NODES.into()], ..Options::new(engine) };
    let mut session = Session::new(program, options);
    timed(&mut session, "start");
    let started = begin.elapsed();
    println!("from the file to the first picture: {} (reading the program {})", show(started), show(loaded));
    for command in ["break walk", "continue"] {
        session.run(command);
    }
    println!("{:<24} {:>10} {:>10}   {rounds} times, {NODES} nodes", "command", "median", "99 of 100");
    let mut all = Vec::new();
    let groups: [(&str, &[&str]); 5] = [
        ("next", &["next"]),
        ("step", &["step"]),
        ("enter, change, undo", &["enter", "change n50->data 7", "undo"]),
        ("spec, back, resume", &["spec", "next", "back 2", "resume 0"]),
        ("print, where, track", &["print head->next->next->data", "where", "track"]),
    ];
    for (name, commands) in groups {
        let mut times: Vec<Duration> = (0..rounds).flat_map(|_| commands).map(|c| timed(&mut session, c)).collect();
        all.extend_from_slice(&times);
        report(name, &mut times);
    }
    report("all", &mut all);
    Ok(())
}

/// The time from a command to its picture.
fn timed(session: &mut Session, command: &str) -> Duration {
    let begin = Instant::now();
    let outcome = session.run(command);
    let drawn = session.picture(true).map(|picture| picture.to_terminal(WIDTH));
    let time = begin.elapsed();
    debug_assert!(outcome.error.is_none() && drawn.is_some(), "{command}: {:?}", outcome.error);
    time
}

fn report(name: &str, times: &mut [Duration]) {
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!("{name:<24} {:>10} {:>10}", show(at(0.5)), show(at(0.99)));
}

fn show(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
