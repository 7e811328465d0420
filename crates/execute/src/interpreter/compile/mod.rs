//! From the IR to instructions: control flow in `flow.rs`, operands and
//! addresses in `place.rs`, everything that is done in `act.rs`.

mod act;
mod flow;
mod place;

use std::collections::HashMap;

use c_types::{Type, TypeId, Types};
use ir::{Function, FunctionRef, LabelId, Program, StaticTarget, TextId};

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
        detour: None,
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
    /// Where jumps go to at most, of those that go forward.
    joined: u32,
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
}

impl<'a> Writer<'a> {
    pub(super) fn new(function: &'a Function, index: u32) -> Self {
        Writer {
            function,
            index,
            ops: Vec::new(),
            joined: 0,
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

    pub(super) fn emit(&mut self, op: Op) {
        self.ops.push(op);
        self.origins.push(self.origin);
    }

    pub(super) fn scratch(&mut self) -> Slot {
        self.registers += 1;
        self.registers - 1
    }

    pub(super) fn jump(&mut self) -> usize {
        self.emit(Op::Jump(0));
        self.ops.len() - 1
    }

    pub(super) fn patch(&mut self, at: usize, target: u32) {
        self.joined = self.joined.max(target);
        match &mut self.ops[at] {
            Op::Jump(to) | Op::JumpIf { to, .. } | Op::JumpUnless { to, .. } | Op::JumpUnlessCompare { to, .. } => {
                *to = target
            }
            other => unreachable!("only jumps are patched, not {other:?}"),
        }
    }

    /// Lets the `continue`s of the innermost loop go to `end`; whether there were any.
    pub(super) fn end_of_body(&mut self, end: u32) -> bool {
        let continues = self.continues.pop().unwrap_or_default();
        let any = !continues.is_empty();
        for at in continues {
            self.patch(at, end);
        }
        any
    }
}
