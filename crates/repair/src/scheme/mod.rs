//! Which edits a repair may consist of: one file per scheme.

pub mod heap;
pub mod wide;
