//! Draws faults: first a place, each with the same chance, then what stands
//! there instead, so that a place with many replacements does not dominate.
//!
//! For ⟨1, 1⟩ a draw is one deletion and one change in another statement.

use fastrand::Rng;

use crate::options::Options;
use crate::place::{Place, Places};

/// One fault: a place, and which of its choices stands there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pick<'a> {
    pub place: &'a Place,
    pub choice: usize,
}

/// A class of faults to draw from. A clone draws the same.
#[derive(Clone)]
pub(crate) struct Draw<'a> {
    places: &'a Places,
    change: usize,
    delete: usize,
    random: Rng,
}

impl<'a> Draw<'a> {
    pub fn new(places: &'a Places, options: &Options) -> Draw<'a> {
        Draw { places, change: options.change, delete: options.delete, random: Rng::with_seed(options.seed) }
    }

    /// The faults of one version in the order of the text; nothing if those drawn do not go together.
    pub fn draw(&mut self) -> Option<Vec<Pick<'a>>> {
        let mut picks: Vec<Pick<'a>> = Vec::new();
        let (deletions, changes) = (&self.places.deletions, &self.places.changes);
        for from in std::iter::repeat_n(deletions, self.delete).chain(std::iter::repeat_n(changes, self.change)) {
            let place = &from[self.random.usize(..from.len())];
            let pick = Pick { place, choice: self.random.usize(..place.choices.len()) };
            if picks.iter().any(|other| !go_together(other.place, place)) {
                return None;
            }
            picks.push(pick);
        }
        picks.sort_by_key(|pick| (pick.place.span.start, pick.place.span.end));
        Some(picks)
    }

    /// Every version in random order, if they have one fault each.
    pub fn all_single(&mut self) -> Option<Vec<Vec<Pick<'a>>>> {
        let from = match (self.change, self.delete) {
            (1, 0) => &self.places.changes,
            (0, 1) => &self.places.deletions,
            _ => return None,
        };
        let picks = |place: &'a Place| (0..place.choices.len()).map(move |choice| vec![Pick { place, choice }]);
        let mut all: Vec<_> = from.iter().flat_map(picks).collect();
        self.random.shuffle(&mut all);
        Some(all)
    }
}

/// Whether both can be made: they lie apart, and nothing is changed in what is deleted.
fn go_together(one: &Place, other: &Place) -> bool {
    let apart = one.span.end <= other.span.start || other.span.end <= one.span.start;
    apart && !((one.is_deletion() || other.is_deletion()) && one.statement == other.statement)
}
