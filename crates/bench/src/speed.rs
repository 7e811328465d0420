//! How fast are the engines, the front end and the pictures?
use crate::BenchError;
/// Measures everything and prints a table.
pub fn run(_quick: bool) -> Result<(), BenchError> {
    Ok(())
}
