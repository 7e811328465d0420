//! What a picture shows, and what it points out.

use std::collections::BTreeSet;

use memory::{Change, Entity, Object};

/// What to show and what to point out.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Drawn highlighted: what changed since the last picture.
    pub changed: BTreeSet<Entity>,
    /// Drawn dotted: what the specification does not speak of.
    pub untracked: BTreeSet<Entity>,
    /// Whose variables are shown, next to the globals.
    pub frames: Frames,
    /// Whether terminal drawings use colour.
    pub color: bool,
    /// Long lists are folded in the middle, but for those that have one of these nodes.
    pub unfolded: Option<BTreeSet<Object>>,
}

impl Options {
    /// Options that highlight `changes`.
    pub fn highlighting(changes: &[Change]) -> Options {
        Options { changed: changes.iter().map(|change| change.entity.clone()).collect(), ..Options::default() }
    }
}

/// The calls whose variables are shown. Variables of other calls appear only
/// when something points to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Frames {
    /// The innermost call.
    #[default]
    Innermost,
    /// All calls.
    All,
    /// These calls, outermost 0.
    Only(Vec<usize>),
}

impl Frames {
    pub(crate) fn shows(&self, frame: usize, depth: usize) -> bool {
        match self {
            Frames::Innermost => frame + 1 == depth,
            Frames::All => true,
            Frames::Only(frames) => frames.contains(&frame),
        }
    }
}
