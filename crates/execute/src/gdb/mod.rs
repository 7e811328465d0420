//! The real binary under real gdb.
//!
//! The user's file is compiled unchanged, with a small shim that takes the
//! place of `malloc` ([`compile`]). The debug information tells the address of
//! each source statement and variable ([`image`]). gdb, driven over its
//! machine interface ([`client`], `wolverine.py`), runs the program from
//! statement to statement ([`control`]); while it stands still its memory is
//! read directly ([`snapshot`]).

mod checkpoint;
mod client;
mod compile;
mod control;
mod elf;
mod ends;
mod entry;
mod evaluate;
mod frames;
mod heap;
mod image;
mod input;
mod launch;
mod libraries;
mod lines;
mod mi;
mod own_calls;
mod process;
mod snapshot;
mod variables;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ir::{FunctionId, Program, StepId};
use memory::{Entity, Layout, Limits, State, Value, read_state};

pub(crate) use client::Running;
pub use compile::Compiler;

use checkpoint::Checkpoint;
use client::Client;
use evaluate::Pending;
use frames::{Frame, Registers, Stack};
use heap::Heap;
use image::Image;
use launch::{Files, load_program, start_gdb};
use libraries::Libraries;
use process::Process;
use snapshot::Snapshot;

use crate::executor::count_by_stopping;
use crate::{
    CheckpointId, ExecuteError, Executor, Goal, Input, Interrupter, RunOptions, StepCounts, Stop, Until, layout_of,
};

/// A program under gdb.
#[derive(Debug)]
pub struct GdbExecutor {
    // gdb is ended before its files are removed.
    client: Client,
    files: Files,
    program: Arc<Program>,
    layout: Layout,
    image: Image,
    libraries: Libraries,
    main: FunctionId,
    process: Process,
    /// Where the shim's table is.
    heap_address: u64,
    heap: Heap,
    /// Just past the program's stack.
    stack_end: u64,
    limit: Duration,
    position: Stop,
    registers: Registers,
    /// The active calls, once they were asked for since the program ran.
    frames: Option<Vec<Frame>>,
    /// The state, once it was asked for since the program ran.
    state: Option<State>,
    /// Where calls may stop first.
    entries: BTreeSet<u64>,
    /// The addresses where gdb stops now.
    enabled: BTreeSet<u64>,
    /// The functions that gdb knows how to call.
    callable: BTreeSet<String>,
    /// Expressions that wait for calls, the innermost last.
    pending: Vec<Pending>,
    checkpoints: Vec<Option<Checkpoint>>,
    /// Read-only pages that the user changed, as they were before.
    constants: BTreeMap<u64, Arc<[u8]>>,
    input: Input,
    /// How often the input was changed.
    input_changes: u32,
}

impl GdbExecutor {
    /// Compiles and starts a program; it stops before the first statement of `main`.
    pub fn start(program: Arc<Program>, options: &RunOptions) -> Result<GdbExecutor, ExecuteError> {
        GdbExecutor::start_with(program, options, &Compiler::find()?)
    }

    /// The same with a chosen compiler.
    pub fn start_with(
        program: Arc<Program>,
        options: &RunOptions,
        compiler: &Compiler,
    ) -> Result<GdbExecutor, ExecuteError> {
        let main = program.function_named("main").ok_or(ExecuteError::NoMain)?;
        let mut files = Files::new()?;
        files.hand_on(options);
        // gdb gets ready while the compiler works.
        let mut client = start_gdb(options)?;
        let binary = compiler.build(&program.source, files.directory())?;
        let image = Image::read(&program, &binary)?;
        let shim = image.elf.object("wolverine_heap").map(|found| found.0);
        let heap_address = shim.ok_or_else(|| ExecuteError::Compile("the allocation shim was not linked".into()))?;
        load_program(&mut client, &binary, &mut files, options)?;
        let limit = Duration::from_secs_f64(options.max_seconds.clamp(0.0, 1e9));
        let first = control::run_to_main(&mut client, &program, &image, main)?;
        let process = Process::open(client.running().pid())?;
        let stack = process.mappings().into_iter().find(|mapping| mapping.name == "[stack]");
        let mut executor = GdbExecutor {
            client,
            files,
            layout: layout_of(&program),
            entries: control::entry_addresses(&program, &image),
            program,
            image,
            libraries: Libraries::default(),
            main,
            process,
            heap_address,
            heap: Heap::default(),
            stack_end: stack.map_or(0, |stack| stack.range.end),
            limit,
            position: Stop::Interrupted,
            registers: Registers::default(),
            frames: None,
            state: None,
            enabled: first.enabled,
            callable: BTreeSet::new(),
            pending: Vec::new(),
            checkpoints: Vec::new(),
            constants: BTreeMap::new(),
            input: options.input.clone(),
            input_changes: 0,
        };
        executor.arrive(&first.values)?;
        Ok(executor)
    }

    /// Where its files are while it exists.
    pub fn directory(&self) -> &Path {
        self.files.directory()
    }

    /// The active calls, outermost first.
    fn frames(&mut self) -> Result<Vec<Frame>, ExecuteError> {
        if let Some(frames) = &self.frames {
            return Ok(frames.clone());
        }
        let stack = self.read_stack();
        let walked = frames::walk(&self.image.steps, &self.image.elf, &stack, self.registers, self.main);
        let frames = walked.map_or_else(|| self.ask_for_frames(), Ok)?;
        self.frames = Some(frames.clone());
        Ok(frames)
    }

    fn ask_for_frames(&mut self) -> Result<Vec<Frame>, ExecuteError> {
        let answer = self.client.command("-wolverine-frames")?;
        let listed = answer.get("frames").map(|frames| frames.list()).unwrap_or_default();
        let listed: Vec<&str> = listed.iter().filter_map(|frame| frame.text()).collect();
        Ok(frames::from_unwinder(&self.image.steps, &listed))
    }

    /// The stack from a little below its end, where functions that call
    /// nothing keep their variables.
    fn read_stack(&self) -> Stack {
        const BELOW: u64 = 256;
        let from = |start: u64| {
            let length = self.stack_end.saturating_sub(start).min(1 << 30);
            Stack { start, bytes: self.process.read(start, length as usize) }
        };
        let stack = from(self.registers.sp.saturating_sub(BELOW));
        if !stack.bytes.is_empty() {
            return stack;
        }
        // A stack that has overflowed ends above the stack pointer.
        let mapping = self.process.mappings().into_iter().find(|mapping| mapping.range.end == self.stack_end);
        mapping.map_or(stack, |mapping| from(mapping.range.start))
    }

    fn check_alive(&mut self) -> Result<(), ExecuteError> {
        let sentence = match (self.client.is_alive(), self.process.has_memory(self.heap_address)) {
            (true, true) => return Ok(()),
            (true, false) => "the program was killed; start it again",
            (false, _) => "gdb has ended unexpectedly; start the program again",
        };
        Err(ExecuteError::Died(sentence.into()))
    }

    /// Does something with the program. Where that fails because gdb or the
    /// program is gone, no other reason matters.
    fn alive<T>(&mut self, act: impl FnOnce(&mut Self) -> Result<T, ExecuteError>) -> Result<T, ExecuteError> {
        self.check_alive()?;
        let result = act(self);
        if result.is_err() {
            self.check_alive()?;
        }
        result
    }

    fn read_state(&mut self) -> Result<State, ExecuteError> {
        if let Some(state) = &self.state {
            return Ok(state.clone());
        }
        let state = self.with_snapshot(|layout, snapshot| read_state(layout, snapshot, Limits::default()))?;
        self.state = Some(state.clone());
        Ok(state)
    }

    /// Everything in memory now, for a function that looks at it.
    fn with_snapshot<T>(&mut self, look: impl FnOnce(&Layout, &Snapshot<'_>) -> T) -> Result<T, ExecuteError> {
        let frames = self.frames()?;
        self.heap.refresh(&self.process, self.heap_address, &self.image.steps);
        let (layout, image, process, stack) = (&self.layout, &self.image, &self.process, self.read_stack());
        let snapshot = Snapshot::take(layout, image, process, &self.libraries, &self.heap, &frames, stack);
        Ok(look(layout, &snapshot))
    }
}

impl Executor for GdbExecutor {
    fn position(&self) -> &Stop {
        &self.position
    }

    fn resume(&mut self, until: &Until, breakpoints: &BTreeSet<StepId>) -> Result<Stop, ExecuteError> {
        // What has ended by itself is not dead.
        if let Stop::Exited(_) = self.position {
            return Err(ExecuteError::Over);
        }
        self.alive(|gdb| gdb.resume_until(until, breakpoints))
    }

    fn resume_counting(&mut self, goal: &Goal, counted: &BTreeSet<StepId>) -> Result<(Stop, StepCounts), ExecuteError> {
        if let Stop::Exited(_) = self.position {
            return Err(ExecuteError::Over);
        }
        if !self.pending.is_empty() {
            return count_by_stopping(self, goal, counted);
        }
        self.alive(|gdb| gdb.resume_and_count(goal, counted))
    }

    fn state(&mut self) -> Result<State, ExecuteError> {
        self.alive(GdbExecutor::read_state)
    }

    fn calls(&mut self) -> Result<Vec<Option<StepId>>, ExecuteError> {
        self.check_alive()?;
        Ok(self.frames()?.iter().map(|frame| frame.step).collect())
    }

    fn write(&mut self, entity: &Entity, value: &Value) -> Result<(), ExecuteError> {
        self.alive(|gdb| gdb.write_entity(entity, value))
    }

    fn decide(&mut self, taken: bool) -> Result<Stop, ExecuteError> {
        self.alive(|gdb| gdb.decide_condition(taken))
    }

    fn resume_instead(
        &mut self,
        text: &str,
        until: &Until,
        breakpoints: &BTreeSet<StepId>,
    ) -> Result<Stop, ExecuteError> {
        self.alive(|gdb| gdb.resume_text_instead(text, until, breakpoints))
    }

    fn resume_here(&mut self, text: &str, breakpoints: &BTreeSet<StepId>) -> Result<Stop, ExecuteError> {
        self.alive(|gdb| gdb.resume_text_here(text, breakpoints))
    }

    fn truth(&mut self, condition: &str) -> Result<bool, ExecuteError> {
        self.alive(|gdb| gdb.truth_of_text(condition))
    }

    fn checkpoint(&mut self) -> Result<CheckpointId, ExecuteError> {
        self.alive(GdbExecutor::take_checkpoint)
    }

    fn restore(&mut self, checkpoint: CheckpointId) -> Result<(), ExecuteError> {
        self.alive(|gdb| gdb.go_back_to(checkpoint))
    }

    fn forget(&mut self, checkpoint: CheckpointId) {
        if let Some(kept) = self.checkpoints.get_mut(checkpoint.0 as usize) {
            *kept = None;
        }
    }

    fn set_input(&mut self, bytes: &[u8]) -> Result<(), ExecuteError> {
        self.input.check_is_bytes()?;
        self.alive(|gdb| gdb.change_input(bytes))
    }

    fn input_left(&mut self) -> Result<Option<usize>, ExecuteError> {
        self.alive(|gdb| Ok(gdb.count_input_left()))
    }

    fn output(&mut self) -> Result<Vec<u8>, ExecuteError> {
        self.files.output()
    }

    fn errors(&mut self) -> Result<Vec<u8>, ExecuteError> {
        self.files.errors()
    }

    fn interrupter(&self) -> Interrupter {
        Interrupter::of_process(self.client.running().clone())
    }

    fn steps_without_code(&self) -> BTreeSet<StepId> {
        self.image.steps_without_code(&self.program)
    }

    fn processes(&self) -> Vec<u32> {
        let program = u32::try_from(self.client.running().pid()).ok().filter(|&pid| pid > 0);
        std::iter::once(self.client.pid()).chain(program).collect()
    }
}
