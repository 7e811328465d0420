//! Why a place is suspicious, in plain sentences.

use std::fmt;

/// Why a place is suspicious.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is the last to write something that then differs from what is asserted.
    Writes {
        /// What it writes.
        entity: String,
        /// The value in the run.
        has: String,
        /// The asserted value.
        wants: String,
    },
    /// Forward and backward execution begin or cease to differ here: the gradient is not zero.
    Gradient,
    /// What it writes is assigned before and after it.
    Sandwiched {
        /// What it writes.
        entity: String,
    },
    /// A condition that was forced against what it says.
    Forced,
    /// A condition: another decision could lead to the asserted state.
    Decides,
    /// Something asserted is written by nothing in the run.
    Missing {
        /// What is asserted.
        entity: String,
        /// The asserted value.
        wants: String,
    },
    /// The run crashes, ends or goes on forever after it, and a change could prevent that.
    Lost,
    /// Nothing of the above, but a change here could reach what differs.
    Reaches,
    /// No single change is enough, and one here could do its part.
    Together,
    /// The model cannot follow the run, so nothing can be excluded.
    Unfollowed,
}

impl Reason {
    /// Whether it tells what the run does at a place, and not what a change there could do.
    pub(super) fn is_of_run(&self) -> bool {
        matches!(self, Reason::Writes { .. } | Reason::Missing { .. } | Reason::Gradient | Reason::Sandwiched { .. })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Writes { entity, has, wants } => {
                write!(f, "after this the run has {entity} = {has} where {wants} is asserted")
            }
            Reason::Gradient => f.write_str("here the run begins to differ from what the asserted state leads back to"),
            Reason::Sandwiched { entity } => {
                write!(f, "{entity} is assigned before and after, so nothing is known about it (sandwiched)")
            }
            Reason::Forced => f.write_str("a condition that was forced against what it says"),
            Reason::Decides => f.write_str("another decision here could lead to the asserted state"),
            Reason::Missing { entity, wants } => {
                write!(f, "{entity} = {wants} is asserted but nothing writes it: a statement may be missing here")
            }
            Reason::Lost => f.write_str("after this the run does not get to where something is asserted"),
            Reason::Reaches => f.write_str("a change here could reach what differs"),
            Reason::Together => f.write_str("no single change is enough here; one of several could be this"),
            Reason::Unfollowed => f.write_str("the run cannot be followed, so nothing can be excluded"),
        }
    }
}
