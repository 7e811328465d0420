//! From the IR to instructions.

use std::collections::HashMap;

use c_syntax::Span;
use c_types::{Type, TypeId, Types};
use ir::{
    Access, AccessRoot, Action, ActionKind, BinaryOp, Callee, Code, Function, FunctionRef, LabelId, LocalId, Loop,
    Operand, OperandKind, Program, Projection, Rvalue, StaticTarget, StepId, TextId, UnaryOp,
};

use super::assigned::Assigned;
use super::code::*;
use super::memory::Address;

/// Gives addresses to what a program mentions.
pub trait Linker {
    /// The address of a global.
    fn global(&mut self, program: &Program, global: ir::GlobalId) -> Address;
    /// The address of a string literal.
    fn text(&mut self, program: &Program, text: TextId) -> Address;
    /// The address of a function.
    fn function(&mut self, function: &FunctionRef) -> Address;
    /// The number of a library function.
    fn library(&mut self, name: &str) -> u32;
    /// The address of something static.
    fn target(&mut self, program: &Program, target: &StaticTarget) -> Address {
        match target {
            StaticTarget::Global(id) => self.global(program, *id),
            StaticTarget::Text(id) => self.text(program, *id),
            StaticTarget::Function(function) => self.function(function),
        }
    }
}

/// Compiles a whole program.
pub fn compile(program: &Program, linker: &mut dyn Linker) -> Image {
    let image = Image {
        functions: Vec::new(),
        constants: Vec::new(),
        calls: Vec::new(),
        tables: Vec::new(),
        messages: Vec::new(),
        step_starts: vec![None; program.steps.len()],
        decisions: vec![None; program.steps.len()],
    };
    let mut compiler = Compiler { program, types: &program.types, linker, image, known: HashMap::new() };
    for index in 0..program.functions.len() {
        let body = compiler.function(index);
        compiler.image.functions.push(body);
    }
    compiler.image
}

/// How values of a type are stored; `None` for structs, arrays and `void`.
pub fn scalar_of(types: &Types, ty: TypeId) -> Option<Scalar> {
    Some(match *types.get(ty) {
        Type::Bool => Scalar::Bool,
        Type::Char { signed: true } => Scalar::I8,
        Type::Char { signed: false } => Scalar::U8,
        Type::Int { bytes: 2, signed: true } => Scalar::I16,
        Type::Int { bytes: 2, signed: false } => Scalar::U16,
        Type::Int { bytes: 4, signed: true } => Scalar::I32,
        Type::Int { bytes: 4, signed: false } => Scalar::U32,
        Type::Int { signed: true, .. } => Scalar::I64,
        Type::Int { signed: false, .. } | Type::Pointer(_) | Type::Function(_) => Scalar::U64,
        Type::Float { bytes: 4 } => Scalar::F32,
        Type::Float { bytes: 8 } => Scalar::F64,
        Type::Float { .. } => Scalar::F80,
        Type::Void | Type::Array(..) | Type::Record(_) => return None,
    })
}

struct Compiler<'a> {
    program: &'a Program,
    types: &'a Types,
    linker: &'a mut dyn Linker,
    image: Image,
    /// Numbers of constants.
    known: HashMap<u64, u32>,
}

/// The function that is being compiled.
struct Writer<'a> {
    function: &'a Function,
    index: u32,
    ops: Vec<Op>,
    origins: Vec<Origin>,
    /// The place of the instructions being written.
    origin: Origin,
    registers: u32,
    /// How often each local is read.
    uses: Vec<u32>,
    assigned: Assigned,
    labels: HashMap<LabelId, u32>,
    /// Jumps to labels, to be filled in.
    gotos: Vec<(usize, LabelId)>,
    /// Jumps out of each open loop or switch.
    breaks: Vec<Vec<usize>>,
    /// Jumps to the end of each open loop's body.
    continues: Vec<Vec<usize>>,
    /// Jumps to the end of the function.
    returns: Vec<usize>,
}

impl Compiler<'_> {
    fn function(&mut self, index: usize) -> Body {
        let function = &self.program.functions[index];
        let mut writer = Writer::new(function, index as u32);
        self.code(&mut writer, &function.body);
        let end = writer.ops.len() as u32;
        for at in std::mem::take(&mut writer.returns) {
            writer.patch(at, end);
        }
        self.mark_step(&mut writer, function.exit);
        writer.emit(Op::Return);
        for (at, label) in std::mem::take(&mut writer.gotos) {
            let to = writer.labels.get(&label).copied().unwrap_or(end);
            writer.patch(at, to);
        }
        let size = |local: &ir::Local| self.types.size_of(local.ty) as u32;
        let locals = function.locals.iter().enumerate().filter(|(_, local)| local.in_memory);
        Body {
            in_memory: locals.map(|(i, local)| (i as u32, size(local))).collect(),
            registers: writer.registers,
            parameters: function.parameters as u32,
            parameter_kinds: function.locals[..function.parameters]
                .iter()
                .map(|local| scalar_of(self.types, local.ty))
                .collect(),
            variadic: function.variadic,
            ops: writer.ops,
            origins: writer.origins,
        }
    }

    // ----- control flow -----

    fn code(&mut self, writer: &mut Writer<'_>, code: &[Code]) {
        for item in code {
            self.item(writer, item);
        }
    }

    fn item(&mut self, writer: &mut Writer<'_>, item: &Code) {
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

    fn mark_step(&mut self, writer: &mut Writer<'_>, id: StepId) {
        let step = self.program.step(id);
        if step.region.is_empty() {
            return;
        }
        writer.origin = Origin { span: step.span, subject: step.span };
        writer.emit(Op::Step(id.0));
        self.image.step_starts[id.index()] = Some((writer.index, writer.ops.len() as u32));
    }

    fn declare(&mut self, writer: &mut Writer<'_>, local: LocalId) {
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
    fn test(&mut self, writer: &mut Writer<'_>, test: &Operand) -> usize {
        if let OperandKind::Local(local) = test.kind
            && writer.uses[local.index()] == 1
            && let Some(Op::Binary { op, kind, d, a, b }) = writer.ops.last().copied()
            && d == local.0
            && is_comparison(op)
        {
            let last = writer.ops.len() - 1;
            writer.ops[last] = Op::JumpUnlessCompare { op, kind, a, b, to: 0 };
            return last;
        }
        let s = self.src(writer, test);
        writer.emit(Op::JumpUnless { s, to: 0 });
        writer.ops.len() - 1
    }

    fn branch(
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

    fn loop_code(&mut self, writer: &mut Writer<'_>, looped: &Loop) {
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
    fn while_loop(&mut self, writer: &mut Writer<'_>, looped: &Loop) -> u32 {
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
    fn do_loop(&mut self, writer: &mut Writer<'_>, looped: &Loop) -> u32 {
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

    fn switch(
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

    // ----- operands -----

    fn constant(&mut self, value: u64) -> Src {
        let next = self.image.constants.len() as u32;
        let number = *self.known.entry(value).or_insert(next);
        if number == next {
            self.image.constants.push(value);
        }
        Src(number | Src::CONSTANT)
    }

    fn src(&mut self, writer: &mut Writer<'_>, operand: &Operand) -> Src {
        match &operand.kind {
            OperandKind::Local(local) => {
                self.check_written(writer, *local, operand.span);
                Src(local.0)
            }
            OperandKind::Int(n) if self.types.is_float(operand.ty) => self.constant((*n as f64).to_bits()),
            OperandKind::Int(n) => self.constant(*n as u64),
            OperandKind::Float(x) => {
                let single = self.types.size_of(operand.ty) == 4;
                self.constant(if single { f64::from(*x as f32) } else { *x }.to_bits())
            }
            OperandKind::Text(id) => {
                let address = self.linker.text(self.program, *id);
                self.constant(address)
            }
            OperandKind::Function(function) => {
                let address = self.linker.function(function);
                self.constant(address)
            }
        }
    }

    /// Reads of a variable that may have no value yet are checked.
    fn check_written(&mut self, writer: &mut Writer<'_>, local: LocalId, span: Span) {
        let index = local.index();
        let named = index < writer.function.named && index >= writer.function.parameters;
        if named && !writer.function.locals[index].in_memory && !writer.assigned.contains(index) {
            let outer = std::mem::replace(&mut writer.origin, Origin { span, subject: span });
            writer.emit(Op::CheckWritten { s: local.0 });
            writer.origin = outer;
            writer.assigned.insert(index);
        }
    }

    // ----- places -----

    /// The address of an access as a base and a constant offset.
    fn address(&mut self, writer: &mut Writer<'_>, access: &Access) -> (Src, i64) {
        let mut base = match &access.root {
            AccessRoot::Local(local) => Src(local.0),
            AccessRoot::Global(id) => {
                let address = self.linker.global(self.program, *id);
                self.constant(address)
            }
            AccessRoot::Text(id) => {
                let address = self.linker.text(self.program, *id);
                self.constant(address)
            }
            AccessRoot::Deref(pointer) => self.src(writer, pointer),
        };
        let mut offset = 0;
        for projection in &access.path {
            match projection {
                Projection::Field { offset: field, .. } => offset += *field as i64,
                Projection::Index { index, scale, length } => {
                    (base, offset) = self.element(writer, base, offset, index, scale, *length);
                }
            }
        }
        (base, offset)
    }

    fn element(
        &mut self,
        writer: &mut Writer<'_>,
        base: Src,
        offset: i64,
        index: &Operand,
        scale: &Operand,
        length: Option<u64>,
    ) -> (Src, i64) {
        if let (OperandKind::Int(i), OperandKind::Int(scale)) = (&index.kind, &scale.kind)
            && length.is_none_or(|length| length <= 1 || (0..i128::from(length)).contains(i))
        {
            return (base, offset + (i * scale) as i64);
        }
        let outer = writer.origin;
        writer.origin.subject = index.span;
        let i = self.src(writer, index);
        // `char text[1]` at the end of a struct is an old way to write `char text[]`.
        if let Some(length) = length.filter(|&length| length > 1) {
            writer.emit(Op::CheckIndex { i, length: length as u32 });
        }
        writer.origin = outer;
        let scale = self.src(writer, scale);
        let d = writer.scratch();
        writer.emit(Op::Element { d, p: base, i, scale });
        (Src(d), offset)
    }

    /// The address in one register.
    fn whole_address(&mut self, writer: &mut Writer<'_>, access: &Access) -> Src {
        match self.address(writer, access) {
            (base, 0) => base,
            (base, offset) => {
                let d = writer.scratch();
                writer.emit(Op::Advance { d, p: base, offset });
                Src(d)
            }
        }
    }

    // ----- actions -----

    fn action(&mut self, writer: &mut Writer<'_>, action: &Action) {
        writer.origin = Origin { span: action.span, subject: action.span };
        match &action.kind {
            ActionKind::Assign { to, value, .. } => {
                self.assign(writer, *to, value);
                writer.assigned.insert(to.index());
            }
            ActionKind::Store { to, value } => self.store(writer, to, value),
            ActionKind::Clear { to } => {
                let p = self.whole_address(writer, to);
                writer.emit(Op::Clear { p, size: self.types.size_of(to.ty) as u32 });
            }
            ActionKind::Call { to, callee, arguments, step, ty } => {
                self.call(writer, *to, callee, arguments, *step, *ty);
                if let Some(to) = to {
                    writer.assigned.insert(to.index());
                }
            }
            ActionKind::Concrete { what, .. } => {
                self.image.messages.push(what.clone());
                writer.emit(Op::Refuse(self.image.messages.len() as u32 - 1));
            }
        }
    }

    fn assign(&mut self, writer: &mut Writer<'_>, to: LocalId, value: &Rvalue) {
        let d = to.0;
        let local = &writer.function.locals[to.index()];
        if local.in_memory {
            return self.assign_memory(writer, to, value);
        }
        match value {
            Rvalue::Use(operand) => {
                let s = self.src(writer, operand);
                writer.emit(Op::Move { d, s });
            }
            Rvalue::Unary(op, operand, ty) => {
                let s = self.src(writer, operand);
                let kind = self.kind(*ty);
                match op {
                    UnaryOp::Negate => writer.emit(Op::Negate { kind, d, s }),
                    UnaryOp::Complement => writer.emit(Op::Complement { kind, d, s }),
                    UnaryOp::Not => {
                        let b = self.constant(0);
                        writer.emit(Op::Binary { op: BinaryOp::Equal, kind, d, a: s, b });
                    }
                }
            }
            Rvalue::Binary(op, left, right, ty) => {
                let (a, b) = (self.src(writer, left), self.src(writer, right));
                let kind = self.kind(*ty);
                writer.origin.subject = right.span;
                writer.emit(match (op, kind) {
                    (BinaryOp::Add, Scalar::I32) => Op::AddInt { d, a, b },
                    _ => Op::Binary { op: *op, kind, d, a, b },
                });
            }
            Rvalue::Convert { value, from, to } => {
                let s = self.src(writer, value);
                let (from, to) = (self.kind(*from), self.kind(*to));
                writer.emit(Op::Convert { from, to, d, s });
            }
            Rvalue::Offset { pointer, index, scale, backward } => {
                let (p, i) = (self.src(writer, pointer), self.src(writer, index));
                let scale = self.src(writer, scale);
                writer.emit(match backward {
                    true => Op::ElementBack { d, p, i, scale },
                    false => Op::Element { d, p, i, scale },
                });
            }
            Rvalue::Distance { left, right, scale } => {
                let (a, b) = (self.src(writer, left), self.src(writer, right));
                let scale = self.src(writer, scale);
                writer.emit(Op::Distance { d, a, b, scale });
            }
            Rvalue::Load(access) => self.load(writer, d, access),
            Rvalue::AddressOf(access) => {
                let (p, offset) = self.address(writer, access);
                writer.emit(Op::Advance { d, p, offset });
            }
        }
    }

    fn kind(&self, ty: TypeId) -> Scalar {
        scalar_of(self.types, ty).unwrap_or(Scalar::U64)
    }

    /// A struct, or a scalar whose address is taken.
    fn assign_memory(&mut self, writer: &mut Writer<'_>, to: LocalId, value: &Rvalue) {
        let ty = writer.function.locals[to.index()].ty;
        let to = Access { root: AccessRoot::Local(to), path: Vec::new(), ty, bits: None, span: writer.origin.span };
        match value {
            Rvalue::Use(operand) => self.store(writer, &to, operand),
            Rvalue::Load(access) if self.types.is_aggregate(ty) => {
                let from = self.whole_address(writer, access);
                let to = self.whole_address(writer, &to);
                writer.origin.subject = pointer_span(access);
                writer.emit(Op::Copy { to, from, size: self.types.size_of(ty) as u32 });
            }
            _ => writer.emit(Op::Refuse(self.refusal("this assignment to a variable in memory"))),
        }
    }

    fn refusal(&mut self, what: &str) -> u32 {
        self.image.messages.push(what.to_string());
        self.image.messages.len() as u32 - 1
    }

    fn load(&mut self, writer: &mut Writer<'_>, d: Slot, access: &Access) {
        let kind = self.kind(access.ty);
        match access.bits {
            Some((start, width)) => {
                let p = self.whole_address(writer, access);
                writer.origin.subject = pointer_span(access);
                writer.emit(Op::LoadBits { kind, d, p, start, width });
            }
            None => {
                let (p, offset) = self.near_address(writer, access);
                writer.origin.subject = pointer_span(access);
                writer.emit(Op::Load { kind, d, p, offset });
            }
        }
    }

    fn near_address(&mut self, writer: &mut Writer<'_>, access: &Access) -> (Src, i32) {
        match self.address(writer, access) {
            (base, offset) if i32::try_from(offset).is_ok() => (base, offset as i32),
            (base, offset) => {
                let d = writer.scratch();
                writer.emit(Op::Advance { d, p: base, offset });
                (Src(d), 0)
            }
        }
    }

    fn store(&mut self, writer: &mut Writer<'_>, to: &Access, value: &Operand) {
        if self.types.is_aggregate(to.ty) {
            let address = self.whole_address(writer, to);
            let from = self.src(writer, value);
            writer.origin.subject = pointer_span(to);
            return writer.emit(Op::Copy { to: address, from, size: self.types.size_of(to.ty) as u32 });
        }
        match to.bits {
            Some((start, width)) => {
                let p = self.whole_address(writer, to);
                let s = self.src(writer, value);
                writer.origin.subject = pointer_span(to);
                writer.emit(Op::StoreBits { p, s, start, width });
            }
            None => {
                let (p, offset) = self.near_address(writer, to);
                let s = self.src(writer, value);
                writer.origin.subject = pointer_span(to);
                writer.emit(Op::Store { kind: self.kind(to.ty), p, offset, s });
            }
        }
    }

    fn call(
        &mut self,
        writer: &mut Writer<'_>,
        to: Option<LocalId>,
        callee: &Callee,
        arguments: &[Operand],
        step: StepId,
        ty: TypeId,
    ) {
        let target = match callee {
            Callee::Direct(FunctionRef::Own(id)) => Target::Own(id.0),
            Callee::Direct(FunctionRef::Library(name)) => Target::Library(self.linker.library(name)),
            Callee::Pointer(pointer) => {
                writer.origin.subject = pointer.span;
                Target::Pointer(self.src(writer, pointer))
            }
        };
        let size = |ty| self.types.is_aggregate(ty).then(|| self.types.size_of(ty) as u32);
        let sizes: Vec<_> = arguments.iter().map(|argument| size(argument.ty)).collect();
        let arguments =
            arguments.iter().zip(sizes).map(|(argument, size)| (self.src(writer, argument), size)).collect();
        let result = match self.types.get(ty) {
            Type::Function(signature) => signature.result,
            _ => ty,
        };
        let struct_result = self.types.is_aggregate(result).then(|| self.types.size_of(result) as u32);
        let step = (step.0 != u32::MAX).then_some(step.0);
        let kind = scalar_of(self.types, result);
        let in_memory = to.is_some_and(|to| writer.function.locals[to.index()].in_memory);
        // A scalar whose address is taken gets the result by a store of its own.
        let through = (in_memory && struct_result.is_none()).then(|| writer.scratch());
        let slot = through.or(to.map(|to| to.0));
        self.image.calls.push(Call { target, arguments, to: slot, struct_result, step, kind });
        writer.emit(Op::Call(self.image.calls.len() as u32 - 1));
        if let (Some(from), Some(to)) = (through, to) {
            let kind = self.kind(writer.function.locals[to.index()].ty);
            writer.emit(Op::Store { kind, p: Src(to.0), offset: 0, s: Src(from) });
        }
    }
}

impl<'a> Writer<'a> {
    fn new(function: &'a Function, index: u32) -> Self {
        Writer {
            function,
            index,
            ops: Vec::new(),
            origins: Vec::new(),
            origin: Origin::default(),
            registers: function.locals.len() as u32,
            uses: super::uses::count(function),
            assigned: Assigned::new(function.locals.len()),
            labels: HashMap::new(),
            gotos: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            returns: Vec::new(),
        }
    }

    fn emit(&mut self, op: Op) {
        self.ops.push(op);
        self.origins.push(self.origin);
    }

    fn scratch(&mut self) -> Slot {
        self.registers += 1;
        self.registers - 1
    }

    fn jump(&mut self) -> usize {
        self.emit(Op::Jump(0));
        self.ops.len() - 1
    }

    fn patch(&mut self, at: usize, target: u32) {
        match &mut self.ops[at] {
            Op::Jump(to) | Op::JumpIf { to, .. } | Op::JumpUnless { to, .. } | Op::JumpUnlessCompare { to, .. } => {
                *to = target
            }
            other => unreachable!("only jumps are patched, not {other:?}"),
        }
    }

    /// Lets the `continue`s of the innermost loop go to `end`; whether there were any.
    fn end_of_body(&mut self, end: u32) -> bool {
        let continues = self.continues.pop().unwrap_or_default();
        let any = !continues.is_empty();
        for at in continues {
            self.patch(at, end);
        }
        any
    }
}

/// The pointer that an access goes through, or the whole access.
fn pointer_span(access: &Access) -> Span {
    match &access.root {
        AccessRoot::Deref(pointer) => pointer.span,
        _ => access.span,
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}
