//! The debug session as plain data: a command in, an outcome out.
//!
//! ```no_run
//! use std::sync::Arc;
//! use session::{EngineKind, Options, Session};
//!
//! let program = Arc::new(ir::load("examples/reverse.c".as_ref()).expect("a C program"));
//! let mut session = Session::new(program, Options::new(EngineKind::Interpreter));
//! session.run("start");
//! let outcome = session.run("next 4");
//! assert_eq!(outcome.position.expect("it runs").text, "reverse();");
//! ```
//!
//! [`Session::run`] takes one command as text. Everything that happened is kept
//! as a tree of moments ([`timeline`]), each of which the program can be
//! brought to again ([`engine`]); what the user asserted hangs on the moments
//! ([`Checkpoint`]).
//!
//! This crate knows nothing of terminals, of sockets, or of how repairs are found.

mod assert;
mod back;
mod breakpoint;
mod caret;
mod checkpoint;
mod command;
mod complete;
mod correct;
mod engine;
mod force;
mod look;
mod mend;
mod moments;
mod moves;
mod names;
mod outcome;
mod overview;
mod question;
mod record;
mod repairs;
mod session;
mod suspects;
mod timeline;

pub use checkpoint::Checkpoint;
pub use command::{Command, Force, Info, Location, parse, split_line};
pub use engine::{EngineKind, Interrupt, Options};
pub use mend::{Found, Wish, changed_lines, describe_place};
pub use moments::PastMoment;
pub use names::{COMMANDS, CommandInfo};
pub use outcome::{Effect, Outcome, Position, Status, Verdict, VerdictKind, statement_text};
pub use overview::{ActiveCall, CheckpointInfo, Expectation, SetBreakpoint, Streams};
pub use repairs::{Asked, RepairCard, Repairs};
pub use session::Session;
pub use suspects::Suspect;
pub use timeline::{Event, Moment, MomentId, Run};
