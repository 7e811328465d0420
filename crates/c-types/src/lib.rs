//! C types and their layout in memory (x86-64, System V ABI).
//!
//! A [`Types`] table interns every type of one program, so that a type is a
//! small [`TypeId`] that can be compared and copied. Records (structs and
//! unions) are laid out here once; everybody else asks for offsets.
//!
//! This crate knows nothing of C text, of statements or of running programs.

mod layout;
mod table;

pub use layout::{Field, FieldSpec, Record};
pub use table::{Signature, Type, TypeId, Types};

/// Identifies a struct or union in a [`Types`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);
