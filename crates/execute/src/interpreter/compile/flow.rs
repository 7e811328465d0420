//! Branches, loops, `switch` and jumps.

use ir::{BinaryOp, Code, LabelId, LocalId, Loop, Operand, OperandKind, StepId};

use super::super::code::*;
use super::{Compiler, Writer};

impl Compiler<'_> {
    pub(super) fn code(&mut self, writer: &mut Writer<'_>, code: &[Code]) {
        for item in code {
            self.item(writer, item);
        }
    }

    pub(super) fn item(&mut self, writer: &mut Writer<'_>, item: &Code) {
        match item {
            Code::Step(id) => self.mark_step(writer, *id),
            Code::Act(action) => self.action(writer, action),
            Code::Declare(local) => self.declare(writer, *local),
            Code::DeclareArray { local, size } => {
                let size = self.src(writer, size);
                writer.emit(Op::NewArray { s: local.0, size });
            }
            Code::If { test, step, then, otherwise } => self.branch(writer, test, *step, then, otherwise),
            Code::Loop(looped) => self.loop_code(writer, looped),
            Code::Switch { value, arms, default, body } => self.switch(writer, value, arms, *default, body),
            Code::Label(label) => {
                writer.assigned.forget_all();
                writer.joined = writer.ops.len() as u32;
                writer.labels.insert(*label, writer.ops.len() as u32);
            }
            Code::Goto(label) => {
                let at = writer.jump();
                writer.gotos.push((at, *label));
                writer.assigned.unreachable();
            }
            Code::Break => {
                let at = writer.jump();
                if let Some(breaks) = writer.breaks.last_mut() {
                    breaks.push(at);
                }
                writer.assigned.leave();
            }
            Code::Continue => {
                let at = writer.jump();
                if let Some(continues) = writer.continues.last_mut() {
                    continues.push(at);
                }
                writer.assigned.unreachable();
            }
            Code::Return(value) => {
                if let Some(value) = value {
                    let s = self.src(writer, value);
                    writer.emit(Op::SetResult { s });
                }
                let at = writer.jump();
                writer.returns.push(at);
                writer.assigned.unreachable();
            }
        }
    }

    pub(super) fn mark_step(&mut self, writer: &mut Writer<'_>, id: StepId) {
        let step = self.program.step(id);
        if step.region.is_empty() {
            return;
        }
        writer.origin = Origin { span: step.span, subject: step.span };
        writer.emit(Op::Step(id.0));
        self.image.step_starts[id.index()] = Some((writer.index, writer.ops.len() as u32));
    }

    pub(super) fn declare(&mut self, writer: &mut Writer<'_>, local: LocalId) {
        match writer.function.locals[local.index()].in_memory {
            true => writer.emit(Op::Forget { s: local.0 }),
            false => {
                let s = self.constant(UNWRITTEN);
                writer.emit(Op::Move { d: local.0, s });
                writer.assigned.remove(local.index());
            }
        }
    }

    /// Writes a jump that is taken if `test` is false, and returns where it is.
    pub(super) fn test(&mut self, writer: &mut Writer<'_>, test: &Operand) -> usize {
        if let OperandKind::Local(local) = test.kind
            && writer.uses[local.index()] == 1
            && let Some(Op::Binary { op, kind, d, a, b }) = writer.ops.last().copied()
            && d == local.0
            && is_comparison(op)
            // Nobody comes here but from this comparison.
            && (writer.joined as usize) < writer.ops.len()
        {
            let last = writer.ops.len() - 1;
            writer.ops[last] = Op::JumpUnlessCompare { op, kind, a, b, to: 0 };
            return last;
        }
        let s = self.src(writer, test);
        writer.emit(Op::JumpUnless { s, to: 0 });
        writer.ops.len() - 1
    }

    pub(super) fn branch(
        &mut self,
        writer: &mut Writer<'_>,
        test: &Operand,
        step: Option<StepId>,
        then: &[Code],
        otherwise: &[Code],
    ) {
        let unless = self.test(writer, test);
        let yes = writer.ops.len() as u32;
        let before = writer.assigned.clone();
        self.code(writer, then);
        let after_then = std::mem::replace(&mut writer.assigned, before);
        let mut no = writer.ops.len() as u32;
        if !otherwise.is_empty() {
            let over = writer.jump();
            no = writer.ops.len() as u32;
            self.code(writer, otherwise);
            writer.patch(over, writer.ops.len() as u32);
        }
        writer.assigned.meet(&after_then);
        writer.patch(unless, no);
        if let Some(step) = step {
            self.image.decisions[step.index()] = Some((yes, no));
        }
    }

    pub(super) fn loop_code(&mut self, writer: &mut Writer<'_>, looped: &Loop) {
        writer.breaks.push(Vec::new());
        writer.continues.push(Vec::new());
        writer.assigned.enter_loop();
        let exit = match looped.body_first {
            true => self.do_loop(writer, looped),
            false => self.while_loop(writer, looped),
        };
        writer.assigned.exit_loop();
        for at in writer.breaks.pop().unwrap_or_default() {
            writer.patch(at, exit);
        }
    }

    /// `test: condition; unless → exit; body; update; jump test; exit:`
    pub(super) fn while_loop(&mut self, writer: &mut Writer<'_>, looped: &Loop) -> u32 {
        let head = writer.ops.len() as u32;
        self.code(writer, &looped.condition);
        let unless = looped.test.as_ref().map(|test| self.test(writer, test));
        let body = writer.ops.len() as u32;
        let at_exit = writer.assigned.clone();
        self.code(writer, &looped.body);
        let end = writer.ops.len() as u32;
        writer.end_of_body(end);
        // A `continue` may have skipped assignments.
        writer.assigned = at_exit.clone();
        self.code(writer, &looped.update);
        writer.emit(Op::Jump(head));
        let exit = writer.ops.len() as u32;
        match unless {
            Some(at) => {
                writer.patch(at, exit);
                writer.assigned = at_exit;
            }
            None => writer.assigned.unreachable(),
        }
        if let Some(step) = looped.step {
            self.image.decisions[step.index()] = Some((body, exit));
        }
        exit
    }

    /// `body: body; condition; if → body; exit:`
    pub(super) fn do_loop(&mut self, writer: &mut Writer<'_>, looped: &Loop) -> u32 {
        let head = writer.ops.len() as u32;
        let before = writer.assigned.clone();
        self.code(writer, &looped.body);
        let end = writer.ops.len() as u32;
        let skipped = writer.end_of_body(end);
        if skipped {
            writer.assigned.meet(&before);
        }
        self.code(writer, &looped.condition);
        match &looped.test {
            Some(test) => {
                let s = self.src(writer, test);
                writer.emit(Op::JumpIf { s, to: head });
            }
            None => {
                writer.emit(Op::Jump(head));
                writer.assigned.unreachable();
            }
        }
        let exit = writer.ops.len() as u32;
        if let Some(step) = looped.step {
            self.image.decisions[step.index()] = Some((head, exit));
        }
        exit
    }

    pub(super) fn switch(
        &mut self,
        writer: &mut Writer<'_>,
        value: &Operand,
        arms: &[(i128, i128, LabelId)],
        default: Option<LabelId>,
        body: &[Code],
    ) {
        let s = self.src(writer, value);
        let table = self.image.tables.len() as u32;
        let signed = self.types.is_signed(value.ty);
        self.image.tables.push(Table { arms: Vec::new(), default: 0, signed });
        writer.emit(Op::Switch { s, table });
        writer.breaks.push(Vec::new());
        // `continue` inside belongs to the loop around, so only `break` gets a list.
        writer.assigned.enter_loop();
        self.code(writer, body);
        writer.assigned.exit_loop();
        let exit = writer.ops.len() as u32;
        for at in writer.breaks.pop().unwrap_or_default() {
            writer.patch(at, exit);
        }
        // Some value may match nothing and skip all of it.
        writer.assigned.forget_all();
        let to = |label: &LabelId| writer.labels.get(label).copied().unwrap_or(exit);
        let arms = arms.iter().map(|(low, high, label)| (*low, *high, to(label))).collect();
        let default = default.as_ref().map_or(exit, to);
        self.image.tables[table as usize] = Table { arms, default, signed };
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}
