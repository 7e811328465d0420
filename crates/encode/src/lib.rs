//! Recorded runs as a model that can be replayed in microseconds, and as a
//! formula that can be solved.
//!
//! A [`Trace`] is what was recorded of a run and what is expected along it. The
//! [`Machine`] runs the program's [flat code](FlatCode) over cells from the
//! trace's start, a [`Check`] asks whether a fact holds in it.
//!
//! This crate knows nothing of how repairs are searched for, of sessions or of
//! terminals.

mod blocks;
pub mod cell;
pub mod check;
pub mod code;
pub mod decisions;
pub mod edit;
pub mod follow;
pub mod formula;
mod influence;
pub mod layout;
pub mod library;
pub mod load;
mod lost;
pub mod machine;
pub mod operand;
pub mod print;
pub mod program;
pub mod reach;
pub mod record;
pub mod result;
pub mod space;
pub mod store;
pub mod trace;
pub mod wide;

pub use cell::{Address, Cell, Scalar, Stuck};
pub use check::{Check, Expected, Home, Spot, checks, compare, spot};
pub use code::{FlatCode, Instruction, Slot, SlotId, SlotPlace};
pub use decisions::decisions;
pub use edit::{Comparison, Edit, Member, NewCondition, NewStatement, Place, Term, TypedTerm, Variable};
pub use follow::{Assignment, COMPARISONS, Prepared, Verdict, allocates};
pub use formula::{AssertedFact, Change, ChangeKind, Formula, FormulaError, FormulaOptions};
pub use influence::{Influence, Spells};
pub use library::is_modelled;
pub use load::LoadError;
pub use machine::{Machine, Model, Pause, SPARE, Swap};
pub use operand::operands;
pub use print::Printed;
pub use reach::{Reaches, may_write};
pub use record::{Recorder, Walker};
pub use result::{last_action, result_of_call};
pub use space::{PlaceKind, PlaceSpace, Possible, Scope, Space, Spot as EditSpot};
pub use store::{Event, FirstUse, Log, Moment, Store, Watch};
pub use trace::{Arrival, Demand, Effect, Trace, Visit};
pub use wide::{Join, Wide, join, joins};
