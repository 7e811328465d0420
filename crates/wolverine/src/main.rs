//! Wolverine.
fn main() {}
