//! Where boxes were in earlier pictures.

use std::collections::BTreeMap;

use memory::Object;

use crate::fold::Folds;
use crate::geometry::Rect;
use crate::roles::Roles;

/// The places of earlier pictures. Each picture gives its own; handed to the
/// next, they keep every box where it was. Places of boxes that are not shown
/// at the moment are kept too, for when the user steps back.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    pub(crate) pins: BTreeMap<Object, Pin>,
    pub(crate) roles: Roles,
    /// What folded lists showed.
    pub(crate) folds: Folds,
    /// What the pictures so far covered, so that the frame of the next does not jump.
    pub(crate) content: Option<Rect>,
}

/// The place of one box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pin {
    pub rect: Rect,
    /// Whether the box was linked with others; only then its place is final.
    pub settled: bool,
}

impl Positions {
    /// Where the box of `object` is.
    pub fn get(&self, object: &Object) -> Option<Rect> {
        self.pins.get(object).map(|pin| pin.rect)
    }

    /// Whether the place of `object` is final: it no longer moves.
    pub fn is_settled(&self, object: &Object) -> bool {
        self.pins.get(object).is_some_and(|pin| pin.settled)
    }

    /// Puts `object` somewhere else, as when the user drags it.
    pub fn set(&mut self, object: Object, x: f64, y: f64) {
        if let Some(pin) = self.pins.get_mut(&object) {
            *pin = Pin { rect: Rect { x, y, ..pin.rect }, settled: true };
        }
    }

    /// All objects that have a place.
    pub fn iter(&self) -> impl Iterator<Item = (&Object, Rect)> {
        self.pins.iter().map(|(object, pin)| (object, pin.rect))
    }

    pub(crate) fn pin(&self, object: &Object) -> Option<Pin> {
        self.pins.get(object).copied()
    }
}
