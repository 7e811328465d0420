//! What `localize` found, kept as plain data for those who show it in the source.

use std::sync::Arc;

use encode::{Model, Place};
use localize::{Ranking, Reach, Reason};

use crate::checkpoint::Checkpoint;
use crate::mend::Found;
use crate::session::Session;

/// A suspicious place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// Its line.
    pub line: u32,
    /// From 0, the most suspicious first.
    pub rank: usize,
    /// Whether a change there alone could meet all that is asserted.
    pub alone: bool,
    /// Whether a statement may be missing before this line, and not the line itself be wrong.
    pub missing: bool,
    /// Why.
    pub reasons: Vec<String>,
}

/// The suspicious places, and what was asserted and repaired when they were found.
pub(crate) struct Suspects {
    places: Vec<Suspect>,
    checkpoints: Arc<Vec<Arc<Checkpoint>>>,
    found: Option<Arc<Found>>,
}

impl Session {
    pub(crate) fn keep_suspects(&mut self, model: &Model, ranking: &Ranking) {
        let places = ranking.places.iter().enumerate().map(|(rank, found)| {
            let (line, missing) = match found.place {
                Place::Step(step) => (model.program.step(step).line, false),
                Place::Slot(slot) => {
                    let place = &model.code.slots[slot.0 as usize].place;
                    (model.program.source.line(place.offset()), true)
                }
            };
            let reasons = found.reasons.iter().map(Reason::to_string).collect();
            Suspect { line, rank, missing, alone: found.reach == Reach::Trace, reasons }
        });
        self.suspects = Some(Suspects {
            places: places.collect(),
            checkpoints: self.now.checkpoints.clone(),
            found: self.now.found.clone(),
        });
    }

    /// What the last `localize` found, as long as nothing else was asserted or repaired since.
    pub fn suspects(&self) -> &[Suspect] {
        let is_current = |suspects: &&Suspects| {
            Arc::ptr_eq(&suspects.checkpoints, &self.now.checkpoints)
                && suspects.found.as_ref().map(Arc::as_ptr) == self.now.found.as_ref().map(Arc::as_ptr)
        };
        self.suspects.as_ref().filter(is_current).map_or(&[], |suspects| &suspects.places)
    }
}
