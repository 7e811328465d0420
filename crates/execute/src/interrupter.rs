//! Stops a running program from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::gdb::Running;

/// Stops the program of one executor. A program that stands still is not
/// affected; a running one makes [`crate::Executor::resume`] answer
/// [`crate::Stop::Interrupted`].
#[derive(Clone, Debug)]
pub struct Interrupter(Target);

#[derive(Clone, Debug)]
enum Target {
    /// The interpreter looks at this now and then.
    Flag(Arc<AtomicBool>),
    /// A process gets a signal.
    Process(Running),
}

impl Interrupter {
    pub(crate) fn of_flag(flag: Arc<AtomicBool>) -> Interrupter {
        Interrupter(Target::Flag(flag))
    }

    pub(crate) fn of_process(running: Running) -> Interrupter {
        Interrupter(Target::Process(running))
    }

    /// Interrupts the program if it runs.
    pub fn interrupt(&self) {
        match &self.0 {
            Target::Flag(flag) => flag.store(true, Ordering::Relaxed),
            Target::Process(running) => running.interrupt(),
        }
    }
}
