//! The executor of a session: brought to any moment of the timeline.
//!
//! Going to a moment means restoring the nearest image on the way to it and
//! replaying the events from there. Images are taken while running forward,
//! seldom enough that they cost little next to running. When gdb or the
//! program dies, a new one is started and everything is replayed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use execute::gdb::GdbExecutor;
use execute::interpreter::Interpreter;
use execute::{CheckpointId, ExecuteError, Executor, Goal, Input, Interrupter, LiveChange, Patched, RunOptions};
use execute::{StepCounts, Stop};
use ir::{Program, StepId};
use memory::State;

use crate::timeline::{Event, MomentId, Run, Timeline};

/// What runs the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineKind {
    /// The real binary under gdb.
    Gdb,
    /// The embedded interpreter.
    Interpreter,
}

/// How a session runs its program.
#[derive(Clone, Debug)]
pub struct Options {
    /// What runs it.
    pub engine: EngineKind,
    /// Its arguments, until `start` gives others.
    pub arguments: Vec<String>,
    /// What it reads; without a file, what `input` gives it.
    pub input: Option<PathBuf>,
    /// Seconds that one command may run it, then it is interrupted.
    pub max_seconds: Option<f64>,
}

impl Options {
    /// The usual options.
    pub fn new(engine: EngineKind) -> Options {
        Options { engine, arguments: Vec::new(), input: None, max_seconds: None }
    }
}

/// Stops a command that runs for too long, from another thread.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
    running: Arc<Mutex<Option<Interrupter>>>,
}

impl Interrupt {
    /// Stops what is running.
    pub fn interrupt(&self) {
        self.asked.store(true, Ordering::SeqCst);
        if let Ok(running) = self.running.lock() {
            running.iter().for_each(Interrupter::interrupt);
        }
    }

    /// Forgets that something was to be stopped.
    pub fn reset(&self) {
        self.asked.store(false, Ordering::SeqCst);
    }

    /// Whether the running command should stop.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// What says so, for those who look at it while they work.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.asked.clone()
    }

    fn watch(&self, interrupter: Option<Interrupter>) {
        if let Ok(mut running) = self.running.lock() {
            *running = interrupter;
        }
    }
}

/// The executor, and which moment it is at.
pub struct Engine {
    program: Arc<Program>,
    options: Options,
    interrupt: Interrupt,
    running: Option<Running>,
}

struct Running {
    executor: Patched,
    arguments: Arc<[String]>,
    /// The moment its memory is at; `None` while it is on its way.
    at: Option<MomentId>,
    images: BTreeMap<MomentId, CheckpointId>,
    /// Moments that cannot be reached without their image.
    kept: BTreeSet<MomentId>,
    /// What an image costs.
    cost: Duration,
    /// Time spent running since the last image on the way here.
    since: Duration,
}

impl Engine {
    /// An engine with no program running yet.
    pub fn new(program: Arc<Program>, options: Options) -> Engine {
        Engine { program, options, interrupt: Interrupt::default(), running: None }
    }

    /// Stops a running command.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// How the program is run.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// gdb and the program, if they run.
    pub fn processes(&self) -> Vec<u32> {
        self.running.as_ref().map_or(Vec::new(), |running| running.executor.processes())
    }

    /// The statements where the program never stops.
    pub fn steps_without_code(&self) -> BTreeSet<StepId> {
        self.running.as_ref().map_or(BTreeSet::new(), |running| running.executor.steps_without_code())
    }

    /// Forgets the executor, so that the next one starts afresh.
    pub fn drop_executor(&mut self) {
        self.interrupt.watch(None);
        self.running = None;
    }

    /// Starts the program; where it stands then.
    pub fn start(&mut self, arguments: &Arc<[String]>) -> Result<Stop, ExecuteError> {
        self.drop_executor();
        let options = self.run_options(arguments);
        let executor = start_executor(&self.program, self.options.engine, &options)?;
        self.interrupt.watch(Some(executor.interrupter()));
        let stop = executor.position().clone();
        self.running = Some(Running {
            executor,
            arguments: arguments.clone(),
            at: None,
            images: BTreeMap::new(),
            kept: BTreeSet::new(),
            cost: Duration::from_millis(1),
            since: Duration::ZERO,
        });
        Ok(stop)
    }

    /// How the program is started with these arguments.
    pub fn run_options(&self, arguments: &[String]) -> RunOptions {
        RunOptions {
            arguments: arguments.to_vec(),
            input: self.options.input.clone().map_or_else(|| Input::Bytes(Vec::new()), Input::File),
            max_seconds: self.options.max_seconds.unwrap_or(1e9),
            ..RunOptions::default()
        }
    }

    /// Makes these changes live, and no others.
    pub fn set_changes(&mut self, changes: Arc<[LiveChange]>) -> Result<(), ExecuteError> {
        self.running()?.executor.set_changes(changes)
    }

    fn running(&mut self) -> Result<&mut Running, ExecuteError> {
        self.running.as_mut().ok_or_else(|| ExecuteError::NotHere("the program is not running; type `start`".into()))
    }

    /// Says which moment the executor has come to.
    pub fn arrive(&mut self, moment: MomentId) {
        if let Some(running) = &mut self.running {
            running.at = Some(moment);
        }
    }

    /// Goes to a moment; the answer is the last moment on the way that could
    /// be reached, which is another one if the program did not run as before.
    pub fn go_to(&mut self, timeline: &Timeline, target: MomentId) -> Result<MomentId, ExecuteError> {
        if self.running.as_ref().is_some_and(|running| running.at == Some(target)) {
            return Ok(target);
        }
        let path = timeline.path(target);
        let first = self.begin(timeline, &path)?;
        for &id in &path[first + 1..] {
            let moment = timeline.get(id);
            let before = moment.parent.unwrap_or(id);
            // A run that the user stopped would go on for as long as then, or for ever.
            if !moment.event.is_repeatable() {
                return Ok(before);
            }
            self.remember_if_due()?;
            let stop = self.perform(&moment.event, &moment.input)?;
            if !is_same(&stop, &moment.stop) {
                // It is somewhere else now, and must not be taken to be there.
                self.running()?.at = None;
                return Ok(before);
            }
            self.arrive(id);
        }
        self.arrive(target);
        Ok(target)
    }

    /// Brings the executor to some moment of `path`, as late as possible
    /// without running; its index.
    fn begin(&mut self, timeline: &Timeline, path: &[MomentId]) -> Result<usize, ExecuteError> {
        let Event::Start { arguments, .. } = &timeline.get(path[0]).event else { return Ok(0) };
        let fits = self.running.as_ref().is_some_and(|running| running.arguments == *arguments);
        if fits {
            let running = self.running()?;
            let image = path.iter().rposition(|id| running.images.contains_key(id));
            let here = path.iter().rposition(|&id| running.at == Some(id));
            if let Some(here) = here.filter(|_| here >= image) {
                self.set_changes(timeline.changes_at(path[here]))?;
                return Ok(here);
            }
            if let Some(index) = image {
                running.at = None;
                running.executor.restore(running.images[&path[index]])?;
                running.since = Duration::ZERO;
                self.set_changes(timeline.changes_at(path[index]))?;
                self.set_input(&timeline.get(path[index]).input)?;
                self.arrive(path[index]);
                return Ok(index);
            }
        }
        self.start(arguments)?;
        self.arrive(path[0]);
        Ok(0)
    }

    /// Does what an event says.
    fn perform(&mut self, event: &Event, input: &[u8]) -> Result<Stop, ExecuteError> {
        match event {
            Event::Start { arguments, .. } => self.start(arguments),
            Event::Run(run) => self.run(run),
            Event::Reach(counts) => Ok(self.count(&Goal::Times((**counts).clone()), &BTreeSet::new())?.0),
            Event::Decide(taken) => self.decide(*taken),
            Event::Write { entity, value } => self.with(|executor| {
                executor.write(entity, value)?;
                Ok(executor.position().clone())
            }),
            Event::Patch(changes) => {
                self.set_changes(changes.clone())?;
                self.with(|executor| Ok(executor.position().clone()))
            }
            Event::Input => {
                self.set_input(input)?;
                self.with(|executor| Ok(executor.position().clone()))
            }
        }
    }

    /// Runs the program as a run says, from stop to stop.
    pub fn run(&mut self, run: &Run) -> Result<Stop, ExecuteError> {
        let mut stop = self.resume(run, false)?;
        for _ in 0..run.repeats {
            if self.interrupt.is_asked() {
                return Ok(Stop::Interrupted);
            }
            stop = self.resume(run, true)?;
        }
        Ok(stop)
    }

    /// Runs the program once: as `run` says, or on from a stop that nobody wanted.
    pub fn resume(&mut self, run: &Run, again: bool) -> Result<Stop, ExecuteError> {
        let until = if again { run.again() } else { run.until };
        self.with(|executor| executor.resume(&until, &run.breakpoints))
    }

    /// Runs to a goal and counts the visits to some statements on the way.
    pub fn count(&mut self, goal: &Goal, counted: &BTreeSet<StepId>) -> Result<(Stop, StepCounts), ExecuteError> {
        self.with(|executor| executor.resume_counting(goal, counted))
    }

    /// Forces a condition.
    pub fn decide(&mut self, taken: bool) -> Result<Stop, ExecuteError> {
        self.with(|executor| executor.decide(taken))
    }

    /// Does something to the executor that takes it away from its moment.
    pub fn with<T>(
        &mut self,
        act: impl FnOnce(&mut dyn Executor) -> Result<T, ExecuteError>,
    ) -> Result<T, ExecuteError> {
        let running = self.running()?;
        running.at = None;
        let begun = Instant::now();
        let answer = act(&mut running.executor);
        running.since += begun.elapsed();
        answer
    }

    /// Looks at the program without running it.
    pub fn look<T>(
        &mut self,
        look: impl FnOnce(&mut dyn Executor) -> Result<T, ExecuteError>,
    ) -> Result<T, ExecuteError> {
        look(&mut self.running()?.executor)
    }

    /// The memory as it is.
    pub fn state(&mut self) -> Result<State, ExecuteError> {
        self.look(|executor| executor.state())
    }

    /// The statement at which each active call stands, outermost first.
    pub fn calls(&mut self) -> Result<Vec<Option<StepId>>, ExecuteError> {
        self.look(|executor| executor.calls())
    }

    /// Makes this everything that the program may read.
    pub fn set_input(&mut self, input: &[u8]) -> Result<(), ExecuteError> {
        match self.options.input {
            Some(_) => Ok(()),
            None => self.look(|executor| executor.set_input(input)),
        }
    }

    /// How many bytes of its input the program has not read yet, where that can be known.
    pub fn input_left(&mut self) -> Result<Option<usize>, ExecuteError> {
        self.look(|executor| executor.input_left())
    }

    /// Takes an image of this moment if running has cost enough since the last.
    pub fn remember_if_due(&mut self) -> Result<(), ExecuteError> {
        /// Images take at most about this part of the time.
        const PART: u32 = 5;
        let running = self.running()?;
        match running.images.is_empty() || running.since > running.cost * PART {
            true => self.remember(),
            false => Ok(()),
        }
    }

    /// Takes an image of this moment.
    pub fn remember(&mut self) -> Result<(), ExecuteError> {
        let running = self.running()?;
        let Some(at) = running.at else { return Ok(()) };
        if running.images.contains_key(&at) {
            return Ok(());
        }
        let begun = Instant::now();
        let image = running.executor.checkpoint()?;
        running.cost = begun.elapsed();
        running.since = Duration::ZERO;
        running.images.insert(at, image);
        running.thin_out();
        Ok(())
    }

    /// Takes an image of where the program stands, which is no moment yet.
    pub fn take_image(&mut self) -> Result<CheckpointId, ExecuteError> {
        self.look(|executor| executor.checkpoint())
    }

    /// Says which moment an image is of.
    pub fn name_image(&mut self, moment: MomentId, image: CheckpointId) {
        if let Some(running) = &mut self.running {
            running.images.insert(moment, image);
            running.thin_out();
        }
    }

    /// Takes an image of a moment that cannot be reached by replaying.
    pub fn keep(&mut self) -> Result<(), ExecuteError> {
        self.remember()?;
        let running = self.running()?;
        running.kept.extend(running.at);
        Ok(())
    }
}

impl Running {
    /// Keeps the number of images in bounds; fewer of them if they are large.
    fn thin_out(&mut self) {
        let most = (1000 / self.cost.as_millis().max(1)).clamp(8, 128) as usize;
        if self.images.len() <= most {
            return;
        }
        // The first is needed for every replay, the last was taken just now.
        let middle: Vec<MomentId> = self.images.keys().copied().skip(1).take(most - 1).step_by(2).collect();
        for id in middle.into_iter().filter(|id| !self.kept.contains(id)) {
            if let Some(image) = self.images.remove(&id) {
                self.executor.forget(image);
            }
        }
    }
}

/// Starts a program in which changes can be made live.
pub fn start_executor(
    program: &Arc<Program>,
    engine: EngineKind,
    options: &RunOptions,
) -> Result<Patched, ExecuteError> {
    let inner: Box<dyn Executor> = match engine {
        EngineKind::Gdb => Box::new(GdbExecutor::start(program.clone(), options)?),
        EngineKind::Interpreter => Box::new(Interpreter::start(program.clone(), options)?),
    };
    Ok(Patched::new(inner, program.clone()))
}

/// Whether a program that was run again stands where it stood before.
pub fn is_same(now: &Stop, before: &Stop) -> bool {
    match (now, before) {
        (Stop::Fault(now), Stop::Fault(before)) => now.kind == before.kind && now.step == before.step,
        _ => now == before,
    }
}
