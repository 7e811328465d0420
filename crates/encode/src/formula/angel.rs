//! Statements that do whatever helps: the paper's `x := nondet`.
//!
//! A free `p = q;` leaves null or the address of any node in `p`, a free
//! condition goes either way; the solver says which.

use c_types::TypeId;
use ir::{ActionKind, StepId};

use super::arithmetic;
use super::number::Number;
use super::run::Run;
use super::state::State;
use super::value::{Atom, Value};
use crate::cell::{Address, Cell, Scalar, Stuck};
use crate::code::Instruction;
use crate::layout::Cells;

impl Run<'_> {
    /// A statement that may do anything: what it writes, or how it decides, is any value.
    pub(super) fn angelic(&mut self, mut state: State, step: StepId, out: &mut Vec<State>) {
        let place = &self.model.code.steps[step.index()];
        let code = &self.model.code.functions[place.function as usize].code;
        if place.is_condition {
            let truth = self.terms.fresh("angel", solver::Sort::Bool);
            let ways = self.ways(step);
            return self.decide(state, Some(step), truth, None, ways, out);
        }
        let function = &self.model.program.functions[place.function as usize];
        let end = place.end;
        let last = &code[end as usize - 1];
        match last {
            Instruction::Return(Some(operand)) => {
                state.frame_mut().result = self.anything(&state, operand.ty);
                out.push(state.at(code.len() as u32 - 2));
            }
            Instruction::Act(action) => match &action.kind {
                ActionKind::Assign { to, .. } | ActionKind::Call { to: Some(to), .. } => {
                    let value = self.anything(&state, function.locals[to.index()].ty);
                    state.set(state.local(*to), value);
                    out.push(state.at(end));
                }
                ActionKind::Store { to, .. } => {
                    let Some(scratch) = self.inside(state.clone(), end - 1) else { return };
                    let spots = self.spots(&scratch, to);
                    let none = self.none(&spots);
                    if self.forbid(&state, none, Stuck::Fault).is_none() {
                        return;
                    }
                    let value = self.anything(&state, to.ty);
                    let yes = self.terms.constant(true);
                    self.write(&mut state, yes, &spots, &value);
                    out.push(state.at(end));
                }
                _ => out.push(state),
            },
            _ => out.push(state),
        }
    }

    /// Any value of a type: any integer, null or the address of anything that fits.
    fn anything(&mut self, state: &State, ty: TypeId) -> Value {
        let types = &self.model.program.types;
        match Scalar::of(types, ty) {
            Some(Scalar::Pointer) => {
                let cells = types.target(ty).and_then(|target| Cells::of(types, target, 1));
                let fits = |object: &crate::machine::Object| match &cells {
                    Some(cells) => object.cells.leaves.starts_with(&cells.leaves),
                    None => true,
                };
                let mut places = vec![Cell::Int(0)];
                for object in (0..self.objects.len() as u32).filter(|&object| fits(&self.objects[object as usize])) {
                    let live = state.live(&mut self.terms, object);
                    if self.terms.value(live) != Some(0) {
                        places.push(Cell::Pointer(Address { object, offset: 0 }));
                    }
                }
                let items: Vec<_> = places.into_iter().map(|cell| Some(Value::cell(cell))).collect();
                let mut rules = Vec::new();
                self.angels += 1;
                let name = format!("angel{}", self.angels);
                let angel = Number::new(&mut self.terms, &name, items.len(), self.options.one_hot, &mut rules);
                self.constraints.extend(rules.into_iter().map(|rule| (None, rule)));
                angel.value(&mut self.terms, &items)
            }
            Some(scalar @ (Scalar::Int { .. } | Scalar::Bool)) => {
                let bits = self.terms.fresh("angel", solver::Sort::Bits(64));
                let wrapped = arithmetic::wrap(&mut self.terms, scalar, bits);
                Value::One(Atom::Bits(wrapped))
            }
            _ => Value::cell(Cell::Unknown),
        }
    }
}
