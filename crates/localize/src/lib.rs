//! Where the fault can be: ranked places with reasons.
//!
//! [`gradient()`] compares what a run did with what was asserted along it (the
//! Wolverine paper, section 5) and answers with the statements, conditions and
//! insertion slots where a change could make the asserted facts hold.
//!
//! [`spectrum`] has the localizers that it is compared with: they rank statements
//! by which of many tests run them.
//!
//! [`must_slice`](must_slice()) says which statements every repair must change one of (Rothenberg
//! and Grumberg), for programs with assertions or a reference.
//!
//! [`evidence`] finds where a failing run contradicts the contract of its function (He and Gupta).
//!
//! This crate knows nothing of how repairs are searched for.

pub mod diagnosis;
pub mod evidence;
pub mod gradient;
pub mod must_slice;
pub mod spectrum;

pub use gradient::explain::{Backward, Explanation, Row, explain};
pub use gradient::reason::Reason;
pub use gradient::{Gradient, Ranking, Reach, Suspicious, gradient};
pub use must_slice::{MustPlace, MustSlice, must_slice};
pub use spectrum::{Method, Scored, Spectrum, Test};
