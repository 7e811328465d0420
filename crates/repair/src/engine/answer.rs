//! What is asked of a repair, and what comes of it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use encode::{Place, Trace};
use ir::{Program, StepId};
use memory::State;

use super::stretches::Search;
use crate::candidates::Candidate;
use crate::check::{Failure, PatchedProgram, RunAs};
use crate::scheme::heap::SchemeOptions;
use crate::strategy::replay::Limits;
use crate::vary::Variation;

/// What is to be repaired.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The program.
    pub program: Arc<Program>,
    /// Its recorded runs, each with how the program was started.
    pub runs: Vec<(Arc<Trace>, RunAs)>,
    /// Statements that the user trusts.
    pub trusted: BTreeSet<StepId>,
}

/// How the search goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// Replay, then SAT with one bound for the total cost.
    #[default]
    Default,
    /// The paper's Algorithm 3: bounds for guards, statements and insertions.
    Algorithm3,
    /// The paper's variant that relaxes constraints at random; the seed.
    AlgVar(u64),
}

/// When edits are tried that are more than another statement or condition:
/// early exits, further comparisons, moved statements (see [`crate::scheme::wide`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wider {
    /// Not at all.
    Never,
    /// Where up to three single statements do not suffice.
    #[default]
    Late,
    /// At each cost after single statements, as for programs of beginners.
    Early,
}

/// How to look for repairs.
#[derive(Clone, Debug)]
pub struct Options {
    /// How the search goes.
    pub preset: Preset,
    /// Bounds of the search.
    pub limits: Limits,
    /// Whether only suspicious places are tried first.
    pub localize: bool,
    /// Whether guards are repaired that were forced in one direction only.
    pub guards: bool,
    /// How many candidates to show.
    pub candidates: usize,
    /// Whether to try further small inputs.
    pub vary: bool,
    /// Only places among these are changed.
    pub within: Option<BTreeSet<Place>>,
    /// How large the space of edits is.
    pub scheme: SchemeOptions,
    /// When other kinds of edits are tried.
    pub wider: Wider,
    /// The search that found a repair when less was asserted, which is made first.
    pub begin: Option<Search>,
    /// Set from elsewhere to stop.
    pub stop: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            preset: Preset::Default,
            limits: Limits::default(),
            localize: true,
            guards: false,
            candidates: 6,
            vary: true,
            within: None,
            scheme: SchemeOptions::default(),
            wider: Wider::default(),
            begin: None,
            stop: Arc::default(),
        }
    }
}

/// What a search is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Looking for suspicious places.
    Localizing,
    /// Trying edits of this many places.
    Searching(usize),
    /// Running patched programs: this one of so many.
    Checking(usize, usize),
    /// Trying the repair on further small inputs.
    Varying,
}

/// How a request ended.
#[derive(Clone, Debug)]
pub enum Answer {
    /// There are repairs.
    Repaired(Box<Repaired>),
    /// Everything asserted holds already; these guards are open.
    Meets(Vec<StepId>),
    /// Nothing that was asserted differs from what the program must do in any case: these facts cannot hold together.
    SpecContradicts(Vec<String>),
    /// No repair up to this cost, in all places that ran.
    SpaceExhausted {
        /// The largest cost that was tried.
        cost: u32,
        /// Why the repairs that were found are none, if there were any.
        refused: Option<Failure>,
    },
    /// Time was up while repairs of this cost were tried.
    OutOfTime(u32),
    /// The run cannot be modelled; why.
    NotModelled(String),
}

/// Repairs, checked.
#[derive(Clone, Debug)]
pub struct Repaired {
    /// The closest first.
    pub candidates: Vec<Checked>,
    /// Their cost.
    pub cost: u32,
    /// Whether the suspicious places did not suffice.
    pub widened: bool,
    /// How often the search had to be widened: by more places, or by a higher cost.
    pub widenings: u32,
    /// What found them.
    pub engine: Engine,
    /// Which of its searches, if another one is to begin with it.
    pub search: Option<Search>,
    /// Whether it is known that nothing is cheaper.
    pub proved: bool,
    /// The places that were tried, and all that ran.
    pub places: (usize, usize),
    /// Guards that stay forced.
    pub open: Vec<StepId>,
    /// Repairs that the check refused.
    pub refused: usize,
    /// Where the time went.
    pub times: Times,
    /// Variations of the run that were tried.
    pub variations: Vec<Variation>,
    /// A variation on which the first two candidates that do not crash differ.
    pub difference: Option<Difference>,
}

/// What finds repairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Version-space replay.
    Replay,
    /// SAT with one bound for the total cost.
    Sat,
    /// Algorithm 3 of the paper.
    Algorithm3,
    /// Its random variant.
    AlgVar,
}

impl Engine {
    /// As a word.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Replay => "replay",
            Engine::Sat => "sat",
            Engine::Algorithm3 => "algorithm3",
            Engine::AlgVar => "algvar",
        }
    }
}

/// Two repairs that fit what is asserted, but do different things elsewhere.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Their numbers, from 0.
    pub candidates: [usize; 2],
    /// The number of the variation.
    pub variation: usize,
    /// The memory at the end of the function, for each.
    pub states: [State; 2],
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Finding suspicious places.
    pub localize: Duration,
    /// Searching for the first repair.
    pub search: Duration,
    /// Making sure that nothing is cheaper.
    pub prove: Duration,
    /// Running patched texts.
    pub check: Duration,
    /// Trying further inputs.
    pub vary: Duration,
    /// Runs that the search tried, which do not depend on the machine.
    pub runs: u64,
}

/// A repair that was run.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The repair.
    pub candidate: Candidate,
    /// The patched program.
    pub program: Arc<PatchedProgram>,
    /// Asserted states that it meets.
    pub states: usize,
    /// The memory at the last of them.
    pub last: Option<Arc<State>>,
    /// Variations on which it crashes.
    pub risks: Vec<Risk>,
    /// Whether it was made to be safe on variations, at a higher cost.
    pub safer: bool,
}

/// A variation on which a repaired program crashes.
#[derive(Clone, Debug)]
pub struct Risk {
    /// The number of the variation.
    pub variation: usize,
    /// What happens, with its line.
    pub message: String,
}
