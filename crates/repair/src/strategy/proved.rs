//! The independent check of a patched text.

use std::time::Duration;

use check::{Proof, Task, Verdict};

/// Time that the check of a repair may take even if the rest is used up.
const LEAST_CHECK: Duration = Duration::from_secs(1);

/// What holds of a text for all inputs; none if something does not. It takes what is left of the time.
pub fn proved(task: &Task, text: &[u8], left: Duration) -> Option<Proof> {
    let side = task.program.with_text(text).ok()?;
    let mut task = task.clone();
    task.options.timeout = left.max(LEAST_CHECK);
    match check::check_side(&task, &side) {
        Verdict::Holds(proof) => Some(proof),
        _ => None,
    }
}
