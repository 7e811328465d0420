//! Which edits a repair may consist of: one file or folder per scheme.

pub mod heap;
pub mod mutation;
pub mod template;
pub mod wide;
