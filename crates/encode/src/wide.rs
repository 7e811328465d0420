//! Edits of the wider search, on the machine: conditions that get another
//! comparison or connective, statements that leave a loop or function,
//! statements that move, and assignments with two cases.
//!
//! `while (p->next->val < val)` with `p->next != NULL` before it is
//! `while (p->next != NULL && p->next->val < val)`: the rest is computed only
//! where the new comparison holds.

use ir::{ActionId, ActionKind, BinaryOp, OperandKind, Rvalue, StepId};

use crate::cell::{self, Stuck};
use crate::code::{Instruction, SlotId};
use crate::edit::{Edit, NewCondition, NewStatement};
use crate::machine::{Machine, Model, Next};

/// What else can be done at a place in a wider search.
#[derive(Clone, Debug, Default)]
pub struct Wide {
    /// The `&&` and `||` of a condition.
    pub joins: Vec<ActionId>,
    /// Where a statement can be moved to.
    pub moves: Vec<SlotId>,
    /// Whether an assignment can have two cases.
    pub cases: bool,
    /// Statements that leave a loop or the function from a slot.
    pub exits: Vec<NewStatement>,
}

/// An `&&` or `||` in the code of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Join {
    /// Where its left side begins.
    pub left: u32,
    /// The branch after its left side.
    pub branch: u32,
    /// Where its right side begins.
    pub right: u32,
    /// The action that joins both.
    pub action: u32,
    /// Whether it is `&&`.
    pub and: bool,
}

/// The `&&` or `||` that an action of a condition makes.
pub fn join(model: &Model, step: StepId, action: ActionId) -> Option<Join> {
    joins(model, step).into_iter().find(|(id, _)| *id == action).map(|(_, join)| join)
}

/// All `&&` and `||` of a condition.
pub fn joins(model: &Model, step: StepId) -> Vec<(ActionId, Join)> {
    let place = &model.code.steps[step.index()];
    let code = &model.code.functions[place.function as usize].code;
    let found = (place.start..place.end).filter_map(|at| {
        let Instruction::Act(action) = &code[at as usize] else { return None };
        let ActionKind::Assign { to, value: Rvalue::Binary(op, ..), .. } = &action.kind else { return None };
        let and = match op {
            BinaryOp::BoolAnd => true,
            BinaryOp::BoolOr => false,
            _ => return None,
        };
        let (branch, otherwise) = (place.start..at).rev().find_map(|at| match &code[at as usize] {
            Instruction::Branch { test, step: None, otherwise } if test.kind == OperandKind::Local(*to) => {
                Some((at, *otherwise))
            }
            _ => None,
        })?;
        let right = if and { branch + 1 } else { otherwise };
        Some((action.id, Join { left: place.start + 1, branch, right, action: at, and }))
    });
    let mut found: Vec<(ActionId, Join)> = found.collect();
    // What is the right side of another begins there.
    let all: Vec<Join> = found.iter().map(|(_, join)| *join).collect();
    for (_, join) in &mut found {
        let around = all.iter().filter(|other| other.right <= join.branch && join.action < other.action);
        join.left = around.map(|other| other.right).max().unwrap_or(join.left);
    }
    found
}

impl Machine {
    /// Whether a condition of the wider search holds.
    pub(crate) fn wide_condition(&mut self, model: &Model, step: StepId, new: &NewCondition) -> Result<bool, Stuck> {
        match new {
            NewCondition::Before(and, comparison) => match self.comparison(model, comparison)? {
                truth if truth == *and => self.condition(model, step),
                truth => Ok(truth),
            },
            NewCondition::After(and, comparison) => match self.condition(model, step)? {
                truth if truth == *and => self.comparison(model, comparison),
                truth => Ok(truth),
            },
            NewCondition::Connective(action) | NewCondition::Swapped(action) => {
                let join = join(model, step, *action).ok_or(Stuck::Unmodelled)?;
                self.aside(model, step, |machine| match new {
                    NewCondition::Swapped(_) => machine.swapped(model, step, &join),
                    _ => machine.other_connective(model, step, &join),
                })
            }
            _ => self.new_condition(model, step, new),
        }
    }

    /// The condition with `||` for `&&`, or the other way round: its branch goes
    /// the other way, and its sides are joined otherwise.
    fn other_connective(&mut self, model: &Model, step: StepId, join: &Join) -> Result<bool, Stuck> {
        let place = &model.code.steps[step.index()];
        let code = &model.code.functions[place.function as usize].code;
        self.run_to(model, join.branch)?;
        // What is around may not even come to it.
        if self.frame().pc != join.branch {
            return self.rest_of_condition(model, step);
        }
        let Instruction::Branch { test, .. } = &code[join.branch as usize] else { return Err(Stuck::Unmodelled) };
        let first = self.truth_of(test)?;
        let result = match first == join.and {
            true => first,
            false => {
                self.set_pc(join.right);
                self.run_to(model, join.action)?;
                self.second_side(code, join)?
            }
        };
        self.set_join(code, join, result);
        self.rest_of_condition(model, step)
    }

    /// The condition with the sides of an `&&` or `||` exchanged.
    fn swapped(&mut self, model: &Model, step: StepId, join: &Join) -> Result<bool, Stuck> {
        let place = &model.code.steps[step.index()];
        let code = &model.code.functions[place.function as usize].code;
        self.run_to(model, join.left)?;
        if self.frame().pc != join.left {
            return self.rest_of_condition(model, step);
        }
        self.set_pc(join.right);
        self.run_to(model, join.action)?;
        let mut result = self.second_side(code, join)?;
        if result == join.and {
            self.set_pc(join.left);
            self.run_to(model, join.branch)?;
            let Instruction::Branch { test, .. } = &code[join.branch as usize] else { return Err(Stuck::Unmodelled) };
            result = self.truth_of(test)?;
        }
        self.set_join(code, join, result);
        self.rest_of_condition(model, step)
    }

    /// Whether what the right side of a join computed is true.
    fn second_side(&self, code: &[Instruction], join: &Join) -> Result<bool, Stuck> {
        match &code[join.action as usize] {
            Instruction::Act(action) => match &action.kind {
                ActionKind::Assign { value: Rvalue::Binary(_, _, right, _), .. } => self.truth_of(right),
                _ => Err(Stuck::Unmodelled),
            },
            _ => Err(Stuck::Unmodelled),
        }
    }

    fn set_join(&mut self, code: &[Instruction], join: &Join, truth: bool) {
        if let Instruction::Act(action) = &code[join.action as usize]
            && let ActionKind::Assign { to, .. } = &action.kind
        {
            let at = self.local(*to) as usize;
            self.cells[at] = cell::Cell::Int(i64::from(truth));
        }
        self.set_pc(join.action + 1);
    }

    fn truth_of(&self, operand: &ir::Operand) -> Result<bool, Stuck> {
        match self.value(operand) {
            cell::Cell::Unset => Err(Stuck::Fault),
            value => cell::truth_of(value).ok_or(Stuck::Unmodelled),
        }
    }

    fn rest_of_condition(&mut self, model: &Model, step: StepId) -> Result<bool, Stuck> {
        let place = &model.code.steps[step.index()];
        self.run_to(model, place.end)?;
        match &model.code.functions[place.function as usize].code[place.end as usize] {
            Instruction::Branch { test, .. } => self.truth_of(test),
            _ => Err(Stuck::Unmodelled),
        }
    }

    /// Runs to an instruction, or behind it where a branch leads around it.
    fn run_to(&mut self, model: &Model, to: u32) -> Result<(), Stuck> {
        while self.frame().pc < to {
            let pc = self.frame().pc;
            self.spent += 1;
            let code = &model.code.functions[self.frame().function as usize].code;
            match self.run(model, &code[pc as usize])? {
                Next::On => self.set_pc(pc + 1),
                Next::Go(to) => self.set_pc(to),
                Next::Called => return Err(Stuck::Unmodelled),
            }
        }
        Ok(())
    }

    /// Runs a statement that stands elsewhere, and goes on here.
    pub fn run_moved(&mut self, model: &Model, step: StepId) -> Result<(), Stuck> {
        let (here, place) = (self.frame().pc, &model.code.steps[step.index()]);
        self.set_pc(place.start + 1);
        self.run_to(model, place.end)?;
        self.set_pc(here);
        Ok(())
    }

    /// Runs a new statement that leaves a loop or the function, at the slot it paused at.
    pub fn exit(&mut self, model: &Model, statement: &NewStatement) -> Result<(), Stuck> {
        let at = self.frame().pc.saturating_sub(1) as usize;
        let code = &model.code.functions[self.frame().function as usize].code;
        let Instruction::Slot(slot) = code[at] else { return Err(Stuck::Unmodelled) };
        let slot = &model.code.slots[slot.0 as usize];
        match statement {
            NewStatement::Return(None) => self.return_with(model, cell::Cell::Unset),
            NewStatement::Return(Some(term)) => {
                let result = self.term_value(model, term)?;
                self.return_with(model, result);
            }
            NewStatement::Break => self.set_pc(slot.breaks_to.ok_or(Stuck::Unmodelled)?),
            NewStatement::Continue => self.set_pc(slot.continues_to.ok_or(Stuck::Unmodelled)?),
            _ => return Err(Stuck::Unmodelled),
        }
        Ok(())
    }

    /// Runs an assignment with two cases.
    pub(crate) fn choose(&mut self, model: &Model, edit: &Edit) -> Result<(), Stuck> {
        let Edit::Choose { step, condition, yes, no } = edit else { return Ok(()) };
        let (target, source) = if self.comparison(model, condition)? { yes } else { no };
        match (target, source) {
            (None, None) => Ok(()),
            (target, source) => self.apply(model, &Edit::Assign { step: *step, target: *target, source: *source }),
        }
    }
}
