//! What is expected, as conditions on states.
//!
//! `n4.prev == n3` holds where the cell of `prev` in the object that is called
//! n4 then holds the address of the object that is called n3 then.

use ir::BinaryOp;
use solver::Term;
use spec::Relation;

use super::AssertedFact;
use super::arithmetic;
use super::run::Run;
use super::state::State;
use super::value::{Atom, Value};
use crate::cell::{Address, Cell, Stuck};
use crate::check::{Check, Expected, Home, Spot};

impl Run<'_> {
    /// Demands what is expected next.
    pub(super) fn ask(&mut self, state: &State) {
        let prepared = self.prepared;
        // That a node is gone is left to replay and to the check.
        let asked = prepared.checks[state.demand].iter().filter(|check| check.relation != Relation::Gone);
        for check in asked {
            let holds = self.holds(state, check);
            let path = state.path(&mut self.terms);
            let fact = AssertedFact { trace: self.number, demand: state.demand, fact: check.fact };
            let demanded = self.terms.implies(path, holds);
            self.constraints.push((Some(fact), demanded));
        }
    }

    /// The address of a variable or node.
    fn home(&mut self, state: &State, home: Home) -> Value {
        match home {
            Home::Global(global) => match self.prepared.start.globals.get(global as usize) {
                None | Some(&u32::MAX) => Value::UNSET,
                Some(&object) => Value::cell(Cell::Pointer(Address { object, offset: 0 })),
            },
            Home::Node(id) => state.node(id.0),
            Home::Local { frame, local } => match state.frames.get(frame as usize) {
                Some(frame) => state.cell(frame.base + local.0),
                None => Value::UNSET,
            },
        }
    }

    /// The cells that a scalar may be in now.
    pub(super) fn spot(&mut self, state: &State, spot: &Spot) -> Vec<(Term, u32)> {
        if let Home::Local { frame, local } = spot.home {
            let Some(frame) = state.frames.get(frame as usize) else { return Vec::new() };
            let locals = &self.model.program.functions[frame.function as usize].locals;
            match locals.get(local.index()) {
                None => return Vec::new(),
                Some(declared) if !declared.in_memory => {
                    return vec![(self.terms.constant(true), frame.base + local.0)];
                }
                Some(_) => {}
            }
        }
        let home = self.home(state, spot.home);
        let mut found = Vec::new();
        for (guard, address) in self.pointed(&home, Stuck::Fault).list {
            let object = &self.objects[address.object as usize];
            if let Some(index) = object.cells.find(spot.offset as i32, spot.size) {
                let at = object.base + index;
                let live = state.live(&mut self.terms, address.object);
                found.push((self.terms.and(guard, live), at));
            }
        }
        found
    }

    fn expected(&mut self, state: &State, expected: &Expected) -> Value {
        match expected {
            Expected::Cell(cell) => Value::cell(*cell),
            Expected::Address(home, offset) => {
                let home = self.home(state, *home);
                let mut addresses = self.pointed(&home, Stuck::Fault);
                addresses.list.iter_mut().for_each(|place| place.1.offset = *offset);
                let (fault, odd) = (addresses.fault, addresses.odd);
                addresses.list.retain(|place| self.terms.value(place.0) != Some(0));
                match addresses.list[..] {
                    // One address alone would count as sure.
                    [(guard, address)] if self.terms.value(guard).is_none() => {
                        let known = (guard, Atom::Cell(Cell::Pointer(address)));
                        let neither = self.terms.or(fault, odd);
                        Value::Many([known, (neither, Atom::Cell(Cell::Unset))].into())
                    }
                    [] => Value::Many([].into()),
                    _ => self.pointers(&addresses).value,
                }
            }
        }
    }

    /// Where a fact holds.
    fn holds(&mut self, state: &State, check: &Check) -> Term {
        let expected = self.expected(state, &check.expected).parts(&mut self.terms);
        let mut ways = Vec::new();
        for (guard, at) in self.spot(state, &check.spot) {
            for (inner, atom) in state.cell(at).parts(&mut self.terms) {
                for &(outer, with) in &expected {
                    if with != Atom::Cell(Cell::Unset) {
                        let fits = self.compares(check.relation, atom, with);
                        ways.push(self.terms.all(&[guard, inner, outer, fits]));
                    }
                }
            }
        }
        self.terms.any(&ways)
    }

    fn compares(&mut self, relation: Relation, a: Atom, b: Atom) -> Term {
        let op = match relation {
            Relation::Equal => BinaryOp::Equal,
            Relation::NotEqual => BinaryOp::NotEqual,
            Relation::Less => BinaryOp::Less,
            Relation::LessEqual => BinaryOp::LessEqual,
            Relation::Greater => BinaryOp::Greater,
            Relation::GreaterEqual => BinaryOp::GreaterEqual,
            Relation::Gone => return self.terms.constant(false),
        };
        let known = match (a, b) {
            (Atom::Cell(Cell::Unset | Cell::Unknown), _) => false,
            (Atom::Cell(Cell::Float(a)), Atom::Cell(Cell::Float(b))) => {
                let order = a.partial_cmp(&b);
                match relation {
                    Relation::Equal => a == b,
                    Relation::NotEqual => a != b,
                    Relation::Less => order.is_some_and(|order| order.is_lt()),
                    Relation::LessEqual => order.is_some_and(|order| order.is_le()),
                    Relation::Greater => order.is_some_and(|order| order.is_gt()),
                    Relation::GreaterEqual => order.is_some_and(|order| order.is_ge()),
                    Relation::Gone => false,
                }
            }
            _ => match (self.number_of(a), self.number_of(b)) {
                (Some(a), Some(b)) => return arithmetic::compare(&mut self.terms, op, true, a, b),
                _ => match relation {
                    Relation::Equal => a == b,
                    Relation::NotEqual => a != b,
                    _ => false,
                },
            },
        };
        self.terms.constant(known)
    }

    fn number_of(&mut self, atom: Atom) -> Option<Term> {
        match atom {
            Atom::Bits(bits) => Some(bits),
            Atom::Cell(Cell::Int(value)) => Some(self.terms.bits(value as u64, 64)),
            Atom::Cell(_) => None,
        }
    }
}
