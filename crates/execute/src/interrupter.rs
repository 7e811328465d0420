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
    /// Somebody looks at the flag between runs of the other.
    Both(Arc<AtomicBool>, Box<Target>),
}

impl Target {
    fn interrupt(&self) {
        match self {
            Target::Flag(flag) => flag.store(true, Ordering::Relaxed),
            Target::Process(running) => running.interrupt(),
            Target::Both(flag, other) => {
                flag.store(true, Ordering::Relaxed);
                other.interrupt();
            }
        }
    }
}

impl Interrupter {
    pub(crate) fn of_flag(flag: Arc<AtomicBool>) -> Interrupter {
        Interrupter(Target::Flag(flag))
    }

    pub(crate) fn of_process(running: Running) -> Interrupter {
        Interrupter(Target::Process(running))
    }

    /// The same, and raises a flag.
    pub(crate) fn with_flag(self, flag: Arc<AtomicBool>) -> Interrupter {
        Interrupter(Target::Both(flag, Box::new(self.0)))
    }

    /// Interrupts the program if it runs.
    pub fn interrupt(&self) {
        self.0.interrupt();
    }
}
