//! The commands that produce the rows, for the sentences about what is left out.

/// The main experiment.
pub const FAULTS: &str = "wolverine bench faults -o DIR";
/// Versions with one to six changes.
pub const MORE_FAULTS: &str = "wolverine bench faults --classes 3.0,4.0,5.0,6.0 -o DIR";
/// The searches of the paper.
pub const SEARCHES: &str = "wolverine bench faults --search algvar -o DIR";
/// Repairs without the localizer.
pub const MODES: &str = "wolverine bench faults --mode unconfined -o DIR";
/// Repairs of a part of the program.
pub const SECTIONS: &str = "wolverine bench faults --mode section -o DIR";
/// The comparison of localizers.
pub const RANKS: &str = "wolverine bench ranks -o DIR";
/// The submissions of students.
pub const STUDENTS: &str = "wolverine bench students -o DIR";
