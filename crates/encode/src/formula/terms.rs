//! The terms of edits on states: what `x`, `x->f` or `x->f->g` may be, which of
//! several is picked, and whether the comparison of two picks holds.
//!
//! Where a term has no value, because `x` is null there, it cannot be picked.

use std::collections::HashMap;
use std::rc::Rc;

use c_types::TypeId;
use ir::BinaryOp;
use solver::Term;

use super::arithmetic::{self, Eval};
use super::choice::{ComparePick, Pick};
use super::places::{Several, Spots};
use super::run::Run;
use super::state::State;
use super::value::Value;
use crate::cell::{Address, Scalar, Stuck};
use crate::edit::{self, Member, TypedTerm, Variable};

/// What terms are at one moment.
#[derive(Default)]
pub(super) struct Lookup {
    spots: HashMap<edit::Term, Rc<Spots>>,
    values: HashMap<edit::Term, Rc<Eval>>,
}

/// So many bytes behind some addresses.
fn behind(mut addresses: Several<Address>, offset: u32) -> Several<Address> {
    addresses.list.iter_mut().for_each(|place| place.1.offset += offset as i32);
    addresses
}

impl Run<'_> {
    fn variable(&mut self, state: &State, variable: Variable) -> Spots {
        match variable {
            Variable::Local(local) => {
                let function = &self.model.program.functions[state.frame().function as usize];
                let at = state.local(local);
                if !function.locals[local.index()].in_memory {
                    return self.only(at);
                }
                let pointer = state.cell(at);
                let addresses = self.pointed(&pointer, Stuck::Fault);
                let list =
                    addresses.list.iter().map(|&(guard, address)| (guard, self.objects[address.object as usize].base));
                Spots { list: list.collect(), fault: addresses.fault, odd: addresses.odd }
            }
            Variable::Global(global) => match self.prepared.start.globals[global.index()] {
                u32::MAX => self.nowhere(Stuck::Unmodelled),
                object => {
                    let object = &self.objects[object as usize];
                    let (known, base) = (!object.cells.leaves.is_empty(), object.base);
                    if known { self.only(base) } else { self.nowhere(Stuck::Unmodelled) }
                }
            },
        }
    }

    /// Where a variable is.
    fn address_of(&mut self, state: &State, variable: Variable) -> Several<Address> {
        match variable {
            Variable::Global(global) => match self.prepared.start.globals[global.index()] {
                u32::MAX => self.nowhere(Stuck::Unmodelled),
                object => self.only(Address { object, offset: 0 }),
            },
            Variable::Local(local) => {
                let value = state.cell(state.local(local));
                self.pointed(&value, Stuck::Fault)
            }
        }
    }

    /// Where the pointer in some cells leads to, and so many bytes behind that.
    fn addresses_in(&mut self, state: &State, pointer: &Spots, offset: u32) -> Several<Address> {
        let value = self.raw(state, pointer);
        let mut addresses = behind(self.pointed(&value, Stuck::Fault), offset);
        addresses.fault = self.terms.or(addresses.fault, pointer.fault);
        addresses.odd = self.terms.or(addresses.odd, pointer.odd);
        addresses
    }

    fn member(&mut self, state: &State, pointer: &Spots, member: &Member) -> Spots {
        let addresses = self.addresses_in(state, pointer, member.offset);
        self.cells_at(state, &addresses, member.size)
    }

    /// The cells that a term stands for.
    pub(super) fn term_spots(&mut self, state: &State, term: edit::Term, size: u8, lookup: &mut Lookup) -> Rc<Spots> {
        if let Some(known) = lookup.spots.get(&term) {
            return known.clone();
        }
        let spots = match term {
            edit::Term::Variable(variable) => self.variable(state, variable),
            edit::Term::Field(variable, member) => {
                let pointer = self.term_spots(state, edit::Term::Variable(variable), 8, lookup);
                self.member(state, &pointer, &member)
            }
            edit::Term::Chain(variable, first, second) => {
                let pointer = self.term_spots(state, edit::Term::Field(variable, first), first.size, lookup);
                self.member(state, &pointer, &second)
            }
            edit::Term::Deref(variable) => {
                let pointer = self.term_spots(state, edit::Term::Variable(variable), 8, lookup);
                let addresses = self.addresses_in(state, &pointer, 0);
                self.cells_at(state, &addresses, size)
            }
            edit::Term::DerefField(variable, member) => {
                let pointer = self.term_spots(state, edit::Term::Deref(variable), 8, lookup);
                self.member(state, &pointer, &member)
            }
            edit::Term::Member(variable, member) => {
                let addresses = self.address_of(state, variable);
                let addresses = behind(addresses, member.offset);
                self.cells_at(state, &addresses, member.size)
            }
            // Elements are left to replay.
            edit::Term::AddressOf(_)
            | edit::Term::Number(_)
            | edit::Term::Plus(..)
            | edit::Term::Negative(_)
            | edit::Term::FieldPlus(..)
            | edit::Term::WideChain(..)
            | edit::Term::Element(..)
            | edit::Term::AddressOfField(..)
            | edit::Term::AddressOfDerefField(..) => self.nowhere(Stuck::Unmodelled),
        };
        let spots = Rc::new(spots);
        lookup.spots.insert(term, spots.clone());
        spots
    }

    /// The value of a term.
    pub(super) fn term_value(&mut self, state: &State, term: &TypedTerm, lookup: &mut Lookup) -> Rc<Eval> {
        if let Some(known) = lookup.values.get(&term.term) {
            return known.clone();
        }
        let eval = match term.term {
            edit::Term::Number(value) => Eval::new(&mut self.terms, Value::int(value)),
            edit::Term::AddressOf(variable) => {
                let addresses = self.address_of(state, variable);
                self.pointers(&addresses)
            }
            edit::Term::AddressOfField(variable, member) => {
                let pointer = self.term_spots(state, edit::Term::Variable(variable), 8, lookup);
                let addresses = self.addresses_in(state, &pointer, member.offset);
                self.pointers(&addresses)
            }
            edit::Term::AddressOfDerefField(variable, member) => {
                let pointer = self.term_spots(state, edit::Term::Deref(variable), 8, lookup);
                let addresses = self.addresses_in(state, &pointer, member.offset);
                self.pointers(&addresses)
            }
            edit::Term::Plus(_, change) | edit::Term::FieldPlus(_, _, change) => {
                let old = match term.term {
                    edit::Term::FieldPlus(variable, member, _) => edit::Term::Field(variable, member),
                    edit::Term::Plus(variable, _) => edit::Term::Variable(variable),
                    other => other,
                };
                let spots = self.term_spots(state, old, term.scalar.size(), lookup);
                let old = self.read(state, &spots);
                let change = Value::int(change.into());
                let sum = arithmetic::binary(&mut self.terms, BinaryOp::Add, term.scalar, &old.value, &change);
                let fault = self.terms.or(old.fault, sum.fault);
                let odd = self.terms.or(old.odd, sum.odd);
                Eval { value: sum.value, fault, odd }
            }
            _ => {
                let spots = self.term_spots(state, term.term, term.scalar.size(), lookup);
                self.read(state, &spots)
            }
        };
        let eval = Rc::new(eval);
        lookup.values.insert(term.term, eval.clone());
        eval
    }

    /// The value of the term that is picked, where `used`; what is written has no value here.
    pub(super) fn picked(&mut self, state: &State, used: Term, pick: &Pick, lookup: &mut Lookup) -> Value {
        let items = self.pick_values(state, used, pick, lookup);
        pick.number.value(&mut self.terms, &items)
    }

    pub(super) fn pick_values(
        &mut self,
        state: &State,
        used: Term,
        pick: &Pick,
        lookup: &mut Lookup,
    ) -> Vec<Option<Value>> {
        let mut items = Vec::with_capacity(pick.items.len());
        for (i, item) in pick.items.iter().enumerate() {
            let Some(term) = item else {
                items.push(None);
                continue;
            };
            let eval = self.term_value(state, term, lookup);
            let none = eval.none(&mut self.terms);
            self.forbid_pick(state, used, pick, i, none);
            items.push(Some(eval.value.clone()));
        }
        items
    }

    pub(super) fn forbid_pick(&mut self, state: &State, used: Term, pick: &Pick, item: usize, condition: Term) {
        if self.terms.value(condition) != Some(0) {
            let all = self.terms.all(&[used, pick.number.is(item), condition]);
            self.forbid(state, all, Stuck::Fault);
        }
    }

    /// Whether the comparison that is picked holds, where `used`.
    pub(super) fn compared(&mut self, state: &State, used: Term, compare: &ComparePick, lookup: &mut Lookup) -> Term {
        if self.terms.value(used) == Some(0) {
            return used;
        }
        let [left, right] = [&compare.left, &compare.right].map(|pick| self.pick_values(state, used, pick, lookup));
        let mut scalars: Vec<(TypeId, Scalar)> =
            compare.left.items.iter().flatten().map(|term| (term.ty, term.scalar)).collect();
        scalars.sort_by_key(|known| known.0);
        scalars.dedup_by_key(|known| known.0);
        let mut holds = Vec::new();
        for (ty, scalar) in scalars {
            let of_type = |pick: &Pick, i: usize| pick.items[i].is_some_and(|term| term.ty == ty);
            let mut side = |pick: &Pick, values: &[Option<Value>]| {
                let items: Vec<_> =
                    values.iter().enumerate().map(|(i, value)| value.clone().filter(|_| of_type(pick, i))).collect();
                pick.number.value(&mut self.terms, &items)
            };
            let (a, b) = (side(&compare.left, &left), side(&compare.right, &right));
            let chosen: Vec<Term> = (0..compare.left.items.len())
                .filter(|&i| of_type(&compare.left, i))
                .map(|i| compare.left.number.is(i))
                .collect();
            let chosen = self.terms.any(&chosen);
            let equal = arithmetic::binary(&mut self.terms, BinaryOp::Equal, scalar, &a, &b);
            let is_ordered = scalar != Scalar::Pointer;
            let less = is_ordered.then(|| arithmetic::binary(&mut self.terms, BinaryOp::Less, scalar, &a, &b));
            let (equal_holds, _, odd) = arithmetic::truth(&mut self.terms, &equal.value);
            let odd = self.terms.all(&[used, chosen, odd]);
            self.forbid(state, odd, Stuck::Fault);
            let less_holds = match &less {
                Some(less) => {
                    let (holds, _, odd) = arithmetic::truth(&mut self.terms, &less.value);
                    let odd = self.terms.all(&[used, chosen, odd]);
                    self.forbid(state, odd, Stuck::Fault);
                    holds
                }
                None => self.terms.constant(false),
            };
            for (i, op) in compare.ops.iter().enumerate() {
                let truth = match op {
                    BinaryOp::Equal => equal_holds,
                    BinaryOp::NotEqual => self.terms.not(equal_holds),
                    _ if !is_ordered => continue,
                    BinaryOp::Less => less_holds,
                    BinaryOp::LessEqual => self.terms.or(less_holds, equal_holds),
                    BinaryOp::GreaterEqual => self.terms.not(less_holds),
                    _ => {
                        let most = self.terms.or(less_holds, equal_holds);
                        self.terms.not(most)
                    }
                };
                holds.push(self.terms.all(&[chosen, compare.op.is(i), truth]));
            }
        }
        self.terms.any(&holds)
    }
}
