//! `time.h`, and the few functions of the system around it.

use std::sync::OnceLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use super::super::memory::Trouble;
use super::{Context, Function, Outcome, address, argument, int, take};
use crate::FaultKind;

type Answer = Result<Outcome, Trouble>;

/// The functions of this file. Waiting takes no time.
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("time", time),
    ("clock", |_, _| Ok(Outcome::Value(STARTED.get_or_init(Instant::now).elapsed().as_micros() as u64))),
    ("difftime", |_, args| {
        let [end, begin] = take(args)?;
        Ok(Outcome::Value(((end as i64).wrapping_sub(begin as i64) as f64).to_bits()))
    }),
    ("gettimeofday", |context, args| moment(context, argument(args, 0)?, 1000)),
    ("clock_gettime", |context, args| moment(context, argument(args, 1)?, 1)),
    ("sleep", |_, _| int(0)),
    ("usleep", |_, _| int(0)),
    ("nanosleep", |_, _| int(0)),
    ("signal", |_, _| address(0)),
    ("raise", |_, args| {
        let message = format!("sends the program the signal {}", argument(args, 0)? as i32);
        Err(Trouble::new(FaultKind::Signal, message))
    }),
    ("setlocale", setlocale),
    ("isatty", |_, _| int(0)),
    ("getpid", |_, _| int(std::process::id().into())),
];

static STARTED: OnceLock<Instant> = OnceLock::new();

fn since_epoch() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn time(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [place] = take(args)?;
    let seconds = since_epoch().as_secs();
    if place != 0 {
        context.memory.store(place, 8, seconds)?;
    }
    Ok(Outcome::Value(seconds))
}

/// Seconds, and the rest in units of so many nanoseconds.
fn moment(context: &mut Context<'_>, place: u64, unit: u32) -> Answer {
    let now = since_epoch();
    context.memory.store(place, 8, now.as_secs())?;
    context.memory.store(place.wrapping_add(8), 8, (now.subsec_nanos() / unit).into())?;
    int(0)
}

/// There is only the "C" locale.
fn setlocale(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [_, name] = take(args)?;
    let known = name == 0 || matches!(context.memory.text(name)?, b"" | b"C" | b"POSIX");
    address(if known { context.lasting("locale", b"C\0") } else { 0 })
}
