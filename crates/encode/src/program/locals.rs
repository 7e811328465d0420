//! The locals of a running function, in pieces that states share.
//!
//! A program with choices has thousands of temporaries, and each choice is a
//! branch: both arms share all pieces in which neither of them writes.

use std::rc::Rc;

use solver::{Term, Terms};

use super::value::{Content, choose_content};

/// Locals in a piece.
const PIECE: usize = 16;

/// What the locals hold, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Locals {
    pieces: Vec<Rc<[Content; PIECE]>>,
}

impl Locals {
    /// So many locals that were never written.
    pub(super) fn unset(count: usize) -> Locals {
        let piece = Rc::new(std::array::from_fn(|_| Content::Unset));
        Locals { pieces: vec![piece; count.div_ceil(PIECE)] }
    }

    pub(super) fn get(&self, local: usize) -> &Content {
        &self.pieces[local / PIECE][local % PIECE]
    }

    pub(super) fn set(&mut self, local: usize, content: Content) {
        Rc::make_mut(&mut self.pieces[local / PIECE])[local % PIECE] = content;
    }

    /// Those of `self` where `condition` holds, otherwise those of `other`.
    pub(super) fn merge(mut self, terms: &mut Terms, condition: Term, other: &Locals) -> Locals {
        for (piece, other) in self.pieces.iter_mut().zip(&other.pieces) {
            if !Rc::ptr_eq(piece, other) {
                *piece = Rc::new(std::array::from_fn(|i| choose_content(terms, condition, &piece[i], &other[i])));
            }
        }
        self
    }
}
