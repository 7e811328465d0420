//! The automatic user: debugs a faulty program with only the behaviour of the right one at hand.
//!
//! It runs the faulty program on an input until a call of a function under
//! study leaves something else behind than it should ([`watch`]). It goes to
//! the start of that call and asserts what is right there, each time control
//! comes to a loop of the function, and at its end ([`right`]); it sends the
//! loops round as often as they should go. What it sees in between is what the
//! faulty program does from each asserted state on ([`session`]).
//!
//! Neither the text of the right program nor the place of the fault is part of
//! what comes out.

pub mod map;
pub mod right;
pub mod session;
pub mod watch;

pub use map::Twin;
pub use right::RightRun;
pub use session::assert_along;
pub use watch::{CallAt, Ended, Watched, watch};

/// How much the user asserts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The start, every arrival at a loop, and the end; loops are forced.
    #[default]
    Loops,
    /// The same, and the start of every call that is made.
    Calls,
    /// Only the end.
    Sparse,
}

impl Detail {
    /// As a word.
    pub fn name(self) -> &'static str {
        match self {
            Detail::Loops => "loops",
            Detail::Calls => "calls",
            Detail::Sparse => "sparse",
        }
    }
}
