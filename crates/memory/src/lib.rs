//! States of a running C program.
//!
//! An executor exposes what it runs as [`RawMemory`]: bytes, frames and heap
//! blocks. [`read_state`] turns that, with a [`Layout`] that says which
//! variables of which types there are, into a [`State`]: variables and heap
//! nodes with readable values, where pointers are names of nodes instead of
//! addresses. Every executor goes through this one function, so the same
//! memory always looks the same, whoever ran the program.
//!
//! This crate knows nothing of C text, of gdb or of pictures.

mod diff;
mod json;
mod layout;
mod leaves;
mod raw;
mod read;
mod state;

pub use diff::{Change, agreement, changes};
pub use json::{state_to_json, value_to_json};
pub use layout::{FunctionLayout, Layout, StepLayout, VariableLayout, Visible};
pub use leaves::leaves;
pub use raw::{Block, Bytes, RawFrame, RawMemory, Target, VariableRef};
pub use read::{Limits, decode_x87, encode_x87, read_state};
pub use state::{Entity, Frame, Node, NodeId, Object, Place, Root, State, Value, Variable};
