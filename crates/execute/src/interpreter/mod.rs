//! The embedded interpreter.
//!
//! The IR is compiled to instructions for a register machine ([`compile`]),
//! which runs them ([`machine`]) over a memory of objects ([`memory`]) with a
//! C library of its own ([`library`]). It needs nothing installed, is
//! deterministic, and notices every access that C does not allow.

mod arithmetic;
mod assigned;
mod call;
mod callback;
mod code;
mod compile;
mod detour;
pub mod library;
mod link;
mod machine;
pub mod memory;
mod patch;
mod uses;
mod view;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ::memory::{Entity, Layout, Limits, RawMemory, State, Value, read_state};
use ir::{GlobalId, Program, StepId, StepKind};

use self::compile::{Linker, compile};
use self::link::{Linking, Links};
use self::machine::{Halt, Machine, Rule};
use self::memory::{Address, Kind, Memory, Trouble};
use self::patch::{Patches, Role, TRUTH};
use self::view::{Storage, View, register_value};
use crate::entity::{SpotObject, encode, find_object, find_spot, put_bits};
use crate::{
    CheckpointId, ExecuteError, Executor, Fault, FaultKind, Input, Interrupter, RunOptions, Stop, Until, layout_of,
};

pub use self::memory::is_address;

/// A program that is being interpreted.
pub struct Interpreter {
    program: Arc<Program>,
    layout: Arc<Layout>,
    machine: Machine,
    patches: Patches,
    /// The breakpoints of the last run, and as the machine takes them.
    marked: (BTreeSet<StepId>, Arc<[bool]>),
    globals: Vec<Address>,
    position: Stop,
    input: Input,
    checkpoints: Vec<Option<(Machine, Stop)>>,
}

/// A heap block that was never freed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// Its number in order of allocation.
    pub number: u32,
    /// Its size in bytes.
    pub size: u64,
    /// The statement that allocated it.
    pub step: Option<StepId>,
}

impl Interpreter {
    /// Starts a program and stops before the first statement of `main`.
    pub fn start(program: Arc<Program>, options: &RunOptions) -> Result<Interpreter, ExecuteError> {
        let main = program.function_named("main").ok_or(ExecuteError::NoMain)?;
        let mut memory = Memory::new(options.max_memory);
        let mut links = Links::default();
        let mut linking = Linking { links: &mut links, memory: &mut memory };
        linking.create_globals(&program);
        let image = compile(&program, &mut linking);
        let globals = (0..program.globals.len()).map(|i| linking.global(&program, GlobalId(i as u32))).collect();
        let mut library = library::State::new(&options.input, options.output)
            .map_err(|error| ExecuteError::Io { what: "cannot read the program's input".into(), error })?;
        let [stdin, stdout, stderr] = links.streams;
        library.set_streams(stdin, stdout, stderr);
        library.program = program_name(&program);
        library.set_nondet(&options.nondet);
        let arguments = main_arguments(&program, &mut memory, &options.arguments);
        let mut machine = Machine {
            images: vec![Arc::new(image)],
            memory,
            registers: Vec::new(),
            frames: Vec::new(),
            library,
            patches: Vec::new(),
            links: Arc::new(links),
            varargs: Vec::new(),
            at_exit: Vec::new(),
            steps: 0,
            rounds: 0,
            max_steps: options.max_steps,
            max_depth: options.max_depth,
            strict_shifts: options.strict_shifts,
            interrupt: Arc::new(AtomicBool::new(false)),
            stop_depth: usize::MAX,
        };
        let entered = machine.enter(main.0, &arguments, None, None);
        let layout = Arc::new(layout_of(&program));
        let mut interpreter = Interpreter {
            program,
            layout,
            machine,
            patches: Patches::default(),
            marked: (BTreeSet::new(), Arc::new([])),
            globals,
            position: Stop::Interrupted,
            input: options.input.clone(),
            checkpoints: Vec::new(),
        };
        interpreter.position = match entered {
            Ok(()) => interpreter.run(&Rule::next()),
            Err(halt) => interpreter.stop(halt),
        };
        Ok(interpreter)
    }

    /// Statements run so far.
    pub fn steps(&self) -> u64 {
        self.machine.steps
    }

    /// How many values of [`RunOptions::nondet`] were taken so far.
    pub fn nondet_taken(&self) -> usize {
        self.machine.library.nondet_taken()
    }

    /// Heap blocks that are not freed now.
    pub fn leaks(&self) -> Vec<Leak> {
        let view = self.view();
        let leak = |block: ::memory::Block| {
            let step = block.step.map(|step| StepId(step as u32));
            Leak { number: block.number, size: block.size, step }
        };
        view.live_blocks().into_iter().map(leak).collect()
    }

    /// The state, with at most this much of large objects.
    pub fn state_within(&self, limits: Limits) -> State {
        read_state(&self.layout, &self.view(), limits)
    }

    fn view(&self) -> View<'_> {
        View::new(&self.program, &self.machine, &self.globals)
    }

    fn run(&mut self, rule: &Rule) -> Stop {
        let halt = self.machine.run(rule);
        self.stop(halt)
    }

    fn stop(&self, halt: Halt) -> Stop {
        match halt {
            Halt::Step(step) => Stop::Step(StepId(step)),
            Halt::Exited(status) => Stop::Exited(status),
            Halt::Interrupted => Stop::Interrupted,
            Halt::Trouble(trouble) => Stop::Fault(self.fault(trouble)),
        }
    }

    /// Says what went wrong in terms of the user's text, or of the patch.
    fn fault(&self, trouble: Trouble) -> Fault {
        let origin = self.machine.last_origin().unwrap_or_default();
        let step = self.machine.frames.iter().rev().find_map(|frame| frame.step).map(StepId);
        let (source, span) = match self.machine.running_patch() {
            None => (&self.program.source, origin.span),
            Some(patch) => (&patch.program.source, step.map(|step| self.program.step(step).span).unwrap_or_default()),
        };
        let subject = source.text(origin.subject).split_whitespace().collect::<Vec<_>>().join(" ");
        let message = match subject.is_empty() {
            true => trouble.message,
            false if self.machine.is_calling() && is_about_pointer(trouble.kind) => {
                format!("{} {}", given_pointer(&subject), trouble.message)
            }
            false => format!("`{}` {}", shorten(&subject), trouble.message),
        };
        Fault { kind: trouble.kind, message, span: Some(span).filter(|span| !span.is_empty()), step }
    }

    /// Puts the machine at a text that is run at the statement it stands before.
    fn enter_patch(&mut self, text: &str, role: Role) -> Result<Result<(), Halt>, ExecuteError> {
        let step = self.current_step()?;
        let patch = self.patches.get(&self.program, step, role, text)?;
        let known = self.machine.patches.iter().position(|known| Arc::ptr_eq(known, &patch));
        let number = known.unwrap_or(self.machine.patches.len()) + 1;
        if known.is_none() {
            let links = Arc::make_mut(&mut self.machine.links);
            let mut image = compile(&patch.program, &mut Linking { links, memory: &mut self.machine.memory });
            image.detour = Some(patch.detour);
            self.machine.images.push(Arc::new(image));
            self.machine.patches.push(patch);
        }
        self.machine.interrupt.store(false, Ordering::Relaxed);
        Ok(self.machine.enter_detour(number))
    }

    /// Runs a text before the statement the program stands before.
    fn run_patch(&mut self, text: &str, role: Role, rule: &Rule) -> Result<Stop, ExecuteError> {
        self.position = match self.enter_patch(text, role)? {
            Ok(()) => self.run(rule),
            Err(halt) => self.stop(halt),
        };
        Ok(self.position.clone())
    }

    fn rule(&mut self, until: &Until, breakpoints: &BTreeSet<StepId>) -> Rule {
        let active = self.machine.frames.len();
        let depth = match until {
            Until::Into => usize::MAX,
            Until::Over => active,
            Until::Out => active.saturating_sub(1),
            Until::End => 0,
        };
        Rule { depth, breakpoints: self.marks(breakpoints) }
    }

    /// For every statement whether it is one of these; nothing if there are none.
    fn marks(&mut self, steps: &BTreeSet<StepId>) -> Arc<[bool]> {
        if self.marked.0 != *steps {
            let marks = (0..self.program.steps.len() as u32).map(|step| steps.contains(&StepId(step)));
            self.marked = (steps.clone(), if steps.is_empty() { Arc::new([]) } else { marks.collect() });
        }
        self.marked.1.clone()
    }

    fn current_step(&self) -> Result<StepId, ExecuteError> {
        self.position.step().ok_or(ExecuteError::Over)
    }

    /// The address of a spot's object, if it is in memory.
    fn object_address(&self, object: SpotObject) -> Option<Storage> {
        match object {
            SpotObject::Block(number) => self.machine.memory.block(number).map(Storage::Memory),
            SpotObject::Variable(variable) => self.view().storage(variable),
        }
    }
}

impl Interpreter {
    /// Passes over an expression statement, which needs no other text to be
    /// read; whether the place after it is known.
    fn skip(&mut self) -> Result<bool, ExecuteError> {
        let step = self.current_step()?;
        if self.program.step(step).kind != StepKind::Expression {
            return Ok(false);
        }
        match ir::successor(&self.program, step, None, &|_| true) {
            Some(next) => self.go_to(next).map(|_| true),
            None => Ok(false),
        }
    }

    /// Goes to a statement of the innermost call without running anything.
    pub fn go_to(&mut self, step: StepId) -> Result<Stop, ExecuteError> {
        let start = self.machine.images[0].step_starts[step.index()];
        let (Some((_, pc)), Some(frame)) = (start, self.machine.frames.last_mut()) else {
            return Err(ExecuteError::NotHere("this statement is not in the code".into()));
        };
        // The mark of the statement stands right before its code.
        frame.pc = pc - 1;
        self.position = self.run(&Rule::next());
        Ok(self.position.clone())
    }
}

impl Executor for Interpreter {
    fn position(&self) -> &Stop {
        &self.position
    }

    fn resume(&mut self, until: &Until, breakpoints: &BTreeSet<StepId>) -> Result<Stop, ExecuteError> {
        if matches!(self.position, Stop::Exited(_) | Stop::Fault(_)) {
            return Err(ExecuteError::Over);
        }
        self.machine.interrupt.store(false, Ordering::Relaxed);
        let rule = self.rule(until, breakpoints);
        self.position = self.run(&rule);
        Ok(self.position.clone())
    }

    fn state(&mut self) -> Result<State, ExecuteError> {
        Ok(self.state_within(Limits::default()))
    }

    fn calls(&mut self) -> Result<Vec<Option<StepId>>, ExecuteError> {
        let frames = self.view().frames();
        Ok(frames.iter().map(|frame| frame.step.map(|step| StepId(step as u32))).collect())
    }

    fn write(&mut self, entity: &Entity, value: &Value) -> Result<(), ExecuteError> {
        let state = self.state()?;
        let view = self.view();
        let spot = find_spot(&self.layout, &view, &state, entity)?;
        let address = |place: &::memory::Place| {
            let (object, offset) = find_object(&self.layout, &view, &state, place)?;
            match self.object_address(object) {
                Some(Storage::Memory(start)) => Ok(start.wrapping_add(offset as u64)),
                _ => Err(ExecuteError::WrongValue(format!("{place} has no address: the program never takes it"))),
            }
        };
        let bytes = encode(&self.layout.types, spot.ty, spot.bits, value, &address)?;
        let whole = |message: Trouble| ExecuteError::WrongValue(message.message);
        match self.object_address(spot.object) {
            Some(Storage::Memory(start)) => {
                let at = start + spot.offset;
                let bytes = match spot.bits {
                    None => bytes,
                    Some(bits) => {
                        let size = self.layout.types.size_of(spot.ty) as usize;
                        let mut old = self.machine.memory.raw(at, size).map_err(whole)?.0.to_vec();
                        put_bits(&mut old, bits, &bytes);
                        old
                    }
                };
                self.machine.memory.write(at, &bytes).map_err(whole)
            }
            Some(Storage::Register(register, kind)) => {
                self.machine.registers[register] = register_value(kind, &bytes);
                Ok(())
            }
            None => Err(ExecuteError::NoSuchEntity(format!("{entity} does not exist now"))),
        }
    }

    fn decide(&mut self, taken: bool) -> Result<Stop, ExecuteError> {
        let step = self.current_step()?;
        let frame = self.machine.frames.last_mut().ok_or(ExecuteError::Over)?;
        let not_here = |sentence: &str| ExecuteError::NotHere(sentence.into());
        let (yes, no) = match (self.program.step(step).kind, self.machine.images[0].decisions[step.index()]) {
            (_, Some(ways)) => ways,
            (StepKind::Switch, _) => {
                return Err(not_here("a `switch` has more than two ways to go; change its value instead"));
            }
            _ => return Err(not_here("this statement is no condition, so there is nothing to decide")),
        };
        frame.pc = if taken { yes } else { no };
        self.position = self.run(&Rule::next());
        Ok(self.position.clone())
    }

    fn resume_instead(
        &mut self,
        text: &str,
        until: &Until,
        breakpoints: &BTreeSet<StepId>,
    ) -> Result<Stop, ExecuteError> {
        if text.trim().is_empty() && matches!(until, Until::Into | Until::Over) && self.skip()? {
            return Ok(self.position.clone());
        }
        let rule = self.rule(until, breakpoints);
        self.run_patch(text, Role::Instead, &rule)
    }

    fn resume_here(&mut self, text: &str, breakpoints: &BTreeSet<StepId>) -> Result<Stop, ExecuteError> {
        let rule = Rule { depth: 0, breakpoints: self.marks(breakpoints) };
        self.run_patch(text, Role::Here, &rule)
    }

    fn truth(&mut self, condition: &str) -> Result<bool, ExecuteError> {
        let before = self.position.clone();
        let nowhere = Rule { depth: 0, breakpoints: Arc::new([]) };
        if self.run_patch(condition, Role::Truth, &nowhere)? != before {
            return Err(ExecuteError::Over);
        }
        let value = self.machine.links.global_named(TRUTH).and_then(|at| self.machine.memory.load(at, 4).ok());
        Ok(value.is_some_and(|value| value != 0))
    }

    fn depth(&mut self) -> Result<usize, ExecuteError> {
        Ok(self.machine.frames.iter().filter(|frame| view::is_shown(&self.program, frame)).count())
    }

    fn checkpoint(&mut self) -> Result<CheckpointId, ExecuteError> {
        self.checkpoints.push(Some((self.machine.clone(), self.position.clone())));
        Ok(CheckpointId(self.checkpoints.len() as u32 - 1))
    }

    fn restore(&mut self, checkpoint: CheckpointId) -> Result<(), ExecuteError> {
        let kept = self.checkpoints.get(checkpoint.0 as usize).and_then(Option::as_ref);
        let (machine, position) = kept.ok_or_else(|| checkpoint.missing())?;
        (self.machine, self.position) = (machine.clone(), position.clone());
        Ok(())
    }

    fn forget(&mut self, checkpoint: CheckpointId) {
        if let Some(kept) = self.checkpoints.get_mut(checkpoint.0 as usize) {
            *kept = None;
        }
    }

    fn set_input(&mut self, bytes: &[u8]) -> Result<(), ExecuteError> {
        self.input.check_is_bytes()?;
        self.machine.library.set_input(bytes);
        Ok(())
    }

    fn input_left(&mut self) -> Result<Option<usize>, ExecuteError> {
        Ok(self.machine.library.input_left())
    }

    fn output(&mut self) -> Result<Vec<u8>, ExecuteError> {
        Ok(self.machine.library.output().to_vec())
    }

    fn errors(&mut self) -> Result<Vec<u8>, ExecuteError> {
        Ok(self.machine.library.errors().to_vec())
    }

    fn interrupter(&self) -> Interrupter {
        Interrupter::of_flag(self.machine.interrupt.clone())
    }

    fn processes(&self) -> Vec<u32> {
        Vec::new()
    }
}

/// What the program is called: its file without the ending.
fn program_name(program: &Program) -> String {
    program.source.path.file_stem().map_or("program".into(), |stem| stem.to_string_lossy().into_owned())
}

/// `argc` and `argv`.
fn main_arguments(program: &Program, memory: &mut Memory, arguments: &[String]) -> Vec<u64> {
    let name = program_name(program);
    let mut pointers = Vec::new();
    for text in std::iter::once(&name).chain(arguments) {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        pointers.push(memory.create_with(&bytes, Kind::Argument).unwrap_or(0));
    }
    let count = pointers.len() as u64;
    pointers.push(0);
    let bytes: Vec<u8> = pointers.iter().flat_map(|pointer| pointer.to_le_bytes()).collect();
    let array = memory.create_with(&bytes, Kind::Arguments).unwrap_or(0);
    vec![count, array]
}

fn is_about_pointer(kind: FaultKind) -> bool {
    use FaultKind::*;
    matches!(kind, Null | Dangling | OutOfBounds | DoubleFree | InvalidFree)
}

/// What is to blame in a call of the library: its only argument, or one of several.
fn given_pointer(call: &str) -> String {
    match call.split_once('(').map(|(name, rest)| (name, rest.trim_end_matches(')'))) {
        Some((_, only)) if !only.contains([',', '(']) && !only.is_empty() => format!("`{}`", shorten(only.trim())),
        Some((name, _)) => format!("a pointer given to `{}`", shorten(name.trim())),
        None => format!("`{}`", shorten(call)),
    }
}

/// Long expressions are cut in the middle of a message.
fn shorten(text: &str) -> String {
    match text.chars().count() > 60 {
        true => format!("{}…", text.chars().take(57).collect::<String>()),
        false => text.to_string(),
    }
}
