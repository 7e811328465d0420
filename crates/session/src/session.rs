//! The session: a command in, an outcome out.

use std::collections::BTreeSet;
use std::sync::Arc;

use execute::{ExecuteError, Executor, Stop, layout_of};
use ir::{Facts, Program, StepId};
use memory::{Layout, NodeId, Object, State, Value, Visible, changes};
use picture::{Frames, Picture, Positions};
use spec::Tracking;

use crate::breakpoint::Breakpoint;
use crate::checkpoint::Checkpoint;
use crate::command::{self, Command, Info};
use crate::engine::{Engine, EngineKind, Interrupt, Options};
use crate::mend::Found;
use crate::names;
use crate::outcome::{Effect, Outcome, Position, Verdict};
use crate::repairs::Results;
use crate::suspects::Suspects;
use crate::timeline::{Event, Moment, MomentId, Timeline};

/// A debug session.
pub struct Session {
    pub(crate) program: Arc<Program>,
    pub(crate) layout: Layout,
    pub(crate) facts: Facts,
    /// The statements that read the program's input.
    pub(crate) readers: BTreeSet<StepId>,
    pub(crate) engine: Engine,
    pub(crate) timeline: Timeline,
    pub(crate) now: Now,
    /// The commands that changed something, with what `now` was before.
    pub(crate) earlier: Vec<(String, Now)>,
    /// The commands that changed something, as they were typed.
    pub(crate) log: Vec<String>,
    /// The memory at the present moment, once it was looked at.
    pub(crate) view: Option<View>,
    pub(crate) messages: Vec<String>,
    places: Option<Positions>,
    drawn: Option<Arc<State>>,
    /// Whether long lists are drawn folded, and the nodes whose lists are not.
    unfolded: Option<BTreeSet<Object>>,
    /// How much of the program's output and errors was told.
    told: (usize, usize),
    /// How the request for a repair ended that is being answered.
    pub(crate) verdict: Option<Verdict>,
    /// What `localize` found last.
    pub(crate) suspects: Option<Suspects>,
    /// What each repair leads to, once somebody asked.
    pub(crate) results: Option<Results>,
    /// Shown while `repair` works.
    pub(crate) progress: Option<Box<dyn FnMut(repair::Progress) + Send>>,
}

/// Everything that `undo` takes back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Now {
    /// Where the program is.
    pub moment: Option<MomentId>,
    pub tracking: Arc<Tracking>,
    pub breakpoints: Arc<Vec<Breakpoint>>,
    /// How many breakpoints were ever set.
    pub breakpoint_count: u32,
    /// Lines that are trusted.
    pub concrete: Arc<BTreeSet<u32>>,
    pub checkpoints: Arc<Vec<Arc<Checkpoint>>>,
    /// What the last `repair` found.
    pub found: Option<Arc<Found>>,
    /// Runs on other inputs, with what the user said about them.
    pub answers: Arc<Vec<(Arc<encode::Trace>, repair::check::RunAs)>>,
}

impl PartialEq for Now {
    /// What was not replaced is the same; what it holds is never looked at.
    fn eq(&self, other: &Now) -> bool {
        self.moment == other.moment
            && Arc::ptr_eq(&self.tracking, &other.tracking)
            && Arc::ptr_eq(&self.breakpoints, &other.breakpoints)
            && Arc::ptr_eq(&self.concrete, &other.concrete)
            && Arc::ptr_eq(&self.checkpoints, &other.checkpoints)
            && Arc::ptr_eq(&self.answers, &other.answers)
            && self.found.as_ref().map(Arc::as_ptr) == other.found.as_ref().map(Arc::as_ptr)
    }
}

/// The memory at a moment.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub moment: MomentId,
    pub state: Arc<State>,
    /// The statement of each active call, outermost first.
    pub calls: Arc<[Option<StepId>]>,
}

/// Why a command was not done.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The user asked for something that cannot be.
    Sentence(String),
    /// gdb or the program is gone.
    Died(String),
}

impl From<String> for Trouble {
    fn from(sentence: String) -> Trouble {
        Trouble::Sentence(sentence)
    }
}

impl From<&str> for Trouble {
    fn from(sentence: &str) -> Trouble {
        Trouble::Sentence(sentence.into())
    }
}

impl From<ExecuteError> for Trouble {
    fn from(error: ExecuteError) -> Trouble {
        match error {
            ExecuteError::Died(sentence) => Trouble::Died(sentence),
            other => Trouble::Sentence(other.to_string()),
        }
    }
}

pub(crate) type Done<T = ()> = Result<T, Trouble>;

impl Session {
    /// A session with a program that is not started yet.
    pub fn new(program: Arc<Program>, options: Options) -> Session {
        Session {
            layout: layout_of(&program),
            facts: ir::facts(&program),
            readers: if options.input.is_none() { ir::reads_input(&program) } else { BTreeSet::new() },
            engine: Engine::new(program.clone(), options),
            program,
            timeline: Timeline::default(),
            now: Now::default(),
            earlier: Vec::new(),
            log: Vec::new(),
            view: None,
            messages: Vec::new(),
            places: None,
            drawn: None,
            unfolded: None,
            told: (0, 0),
            verdict: None,
            suspects: None,
            results: None,
            progress: None,
        }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// What runs the program.
    pub fn engine(&self) -> EngineKind {
        self.engine.options().engine
    }

    /// Stops a running command from another thread.
    pub fn interrupt(&self) -> Interrupt {
        self.engine.interrupt().clone()
    }

    /// The processes that run for this session: gdb and the program.
    pub fn processes(&self) -> Vec<u32> {
        self.engine.processes()
    }

    /// The statements where the running program never stops, as the compiler
    /// made no instructions for them.
    pub fn steps_without_code(&self) -> BTreeSet<StepId> {
        self.engine.steps_without_code()
    }

    /// Does what one command says. This never fails as a whole: what went
    /// wrong is part of the outcome, and the session goes on.
    pub fn run(&mut self, text: &str) -> Outcome {
        self.engine.interrupt().reset();
        match command::parse(text) {
            Ok(Command::Quit) => Outcome { quit: true, ..self.outcome(None, None) },
            Ok(command) => self.execute(&command, text),
            Err(sentence) => self.outcome(None, Some(sentence)),
        }
    }

    fn execute(&mut self, command: &Command, text: &str) -> Outcome {
        let before = self.now.clone();
        let seen = self.view.as_ref().map(|view| view.state.clone());
        let error = match self.dispatch(command) {
            Ok(()) => None,
            Err(Trouble::Sentence(sentence)) => Some(sentence),
            Err(Trouble::Died(sentence)) => Some(self.recover(&sentence)),
        };
        let (effect, changed) = (self.effect(&before), self.now != before);
        if changed && *command != Command::Undo {
            self.earlier.push((text.trim().to_string(), before));
        }
        if error.is_none() && (changed || is_logged(command)) {
            self.log.push(text.trim().to_string());
        }
        let asked = if *command == Command::Show(None) { Effect::Picture } else { Effect::Nothing };
        Outcome { effect: effect.max(asked), changed, ..self.outcome(seen, error) }
    }

    fn effect(&self, before: &Now) -> Effect {
        let arrival = |moment: Option<MomentId>| {
            let moment = moment?;
            self.timeline.last_move(moment).map_or(Some(moment), |(_, moved)| Some(moved))
        };
        match () {
            () if self.now.moment == before.moment && Arc::ptr_eq(&self.now.tracking, &before.tracking) => {
                Effect::Nothing
            }
            () if arrival(self.now.moment) == arrival(before.moment) => Effect::Picture,
            () => Effect::Position,
        }
    }

    fn dispatch(&mut self, command: &Command) -> Done {
        match command {
            Command::Start(arguments) => self.start(arguments),
            Command::Next(count) => self.next(*count),
            Command::Step(count) => self.step(*count),
            Command::Finish => self.finish(),
            Command::Continue => self.go_on(),
            Command::Back(count) => self.back(*count),
            Command::Break { place, condition } => self.set_breakpoint(place.as_ref(), condition.as_deref()),
            Command::Delete(number) => self.delete_breakpoint(*number),
            Command::Force(force) => self.force(*force),
            Command::Change(text) => self.change(text),
            Command::Input(text) => self.give_input(text),
            Command::Undo => self.undo(),
            Command::Track(rules) => self.track(rules),
            Command::Concrete(ranges) => self.trust(ranges),
            Command::ConcreteClear => {
                self.now.concrete = Arc::default();
                Ok(())
            }
            Command::Spec(None) => self.assert_state(),
            Command::Spec(Some(fact)) => self.assert_fact(fact),
            Command::Localize => self.localize(),
            Command::Repair(wish) => self.repair(*wish),
            Command::Candidates => self.list_candidates(),
            Command::Pick(number) => self.pick(*number),
            Command::Rewrite(file) => self.rewrite(file.as_deref()),
            Command::Resume(number) => self.resume(*number),
            Command::Goto(number) => self.go_to_number(*number),
            Command::Show(file) => self.show(file.as_deref()),
            Command::Print(text) => self.print(text),
            Command::List(place) => self.list(place.as_ref()),
            Command::Info(Info::Breakpoints) => self.list_breakpoints(),
            Command::Info(Info::Locals) => self.list_locals(),
            Command::Info(Info::Calls) => self.list_calls(),
            Command::Info(Info::Checkpoints) => self.draw_checkpoints(),
            Command::Info(Info::Moments) => self.list_moments(),
            Command::Info(Info::Specification) => self.list_specification(),
            Command::Info(Info::Tracking) => self.list_tracking(),
            Command::Info(Info::Concrete) => self.list_trusted(),
            Command::Save(file) => self.save(file),
            Command::Help(about) => {
                self.say(names::help(about.as_deref())?);
                Ok(())
            }
            Command::Quit => Ok(()),
        }
    }

    /// Tells the user something.
    pub(crate) fn say(&mut self, message: impl Into<String>) {
        self.messages.push(message.into());
    }

    /// An entity as the user would name it here: variables of this call by
    /// their name alone, those of a recursion by the number of the call.
    pub(crate) fn name_here(&self, entity: &memory::Entity) -> String {
        let memory::Root::Local { frame, function, name } = &entity.root else { return entity.to_string() };
        let frames = self.view.as_ref().map_or(&[][..], |view| &view.state.frames);
        let is_repeated = || frames.iter().filter(|other| other.function == *function).count() > 1;
        match frames.len().saturating_sub(frame + 1) {
            0 => format!("{name}{}", entity.path),
            number if is_repeated() => format!("#{number}:{name}{}", entity.path),
            _ => entity.to_string(),
        }
    }

    fn outcome(&mut self, before: Option<Arc<State>>, error: Option<String>) -> Outcome {
        let view = self.view().ok();
        let (output, errors) = self.news();
        let position = view.as_ref().map(|view| {
            let position = Position::new(&self.program, &self.timeline.get(view.moment).stop, &view.calls);
            Position { live: position.step.and_then(|step| self.live_text(view.moment, step)), ..position }
        });
        let state = view.map(|view| view.state);
        let changed = match (&before, &state) {
            (Some(before), Some(after)) if !Arc::ptr_eq(before, after) => changes(before, after),
            _ => Vec::new(),
        };
        let (messages, verdict) = (std::mem::take(&mut self.messages), self.verdict.take());
        Outcome { messages, verdict, error, position, state, changes: changed, output, errors, ..Outcome::default() }
    }

    /// What the program wrote since the last command. After going back it
    /// writes the same again, and that is told again.
    fn news(&mut self) -> (Vec<u8>, Vec<u8>) {
        let look = |executor: &mut dyn Executor| Ok((executor.output()?, executor.errors()?));
        let Ok((output, errors)) = self.engine.look(look) else { return Default::default() };
        let new = |all: &[u8], told: usize| all.get(told..).unwrap_or_default().to_vec();
        let news = (new(&output, self.told.0), new(&errors, self.told.1));
        self.told = (output.len(), errors.len());
        news
    }

    /// The present moment, with the program brought there.
    pub(crate) fn here(&mut self) -> Done<MomentId> {
        let Some(moment) = self.now.moment else { return Err("the program is not running; type `start`".into()) };
        self.go_to(moment)?;
        Ok(moment)
    }

    /// What is asserted or changed where the program crashed would be lost.
    pub(crate) fn not_crashed(&mut self) -> Done {
        let moment = self.here()?;
        match self.timeline.get(moment).stop {
            Stop::Fault(_) => {
                Err("the program cannot go on from a crash; `back` goes to the statement before, do it there".into())
            }
            Stop::Exited(_) => Err("the program has ended; `back` goes to its last statement, do it there".into()),
            _ => Ok(()),
        }
    }

    /// Brings the program to a moment, which becomes the present one.
    pub(crate) fn go_to(&mut self, moment: MomentId) -> Done {
        let reached = self.engine.go_to(&self.timeline, moment)?;
        if reached != moment {
            if self.engine.interrupt().is_asked() {
                return Err("interrupted on the way; the program is where it was".into());
            }
            self.engine.go_to(&self.timeline, reached)?;
            self.now.moment = Some(reached);
            return Err("the program did not run the same way again (it may depend on the time, on random numbers or \
                        on where it was interrupted); this is as far as it could be brought"
                .into());
        }
        self.now.moment = Some(moment);
        Ok(())
    }

    /// After gdb or the program died: starts again and replays to where it was.
    fn recover(&mut self, sentence: &str) -> String {
        self.engine.drop_executor();
        self.view = None;
        let Some(moment) = self.now.moment else { return sentence.to_string() };
        let back = match self.go_to(moment) {
            Ok(()) => "the program was started again and brought back to where it was; nothing is lost".into(),
            Err(Trouble::Sentence(more) | Trouble::Died(more)) => more,
        };
        format!("{}: {back}", sentence.trim_end_matches("; start it again"))
    }

    /// The memory and the calls at the present moment.
    pub(crate) fn view(&mut self) -> Done<View> {
        let moment = self.here()?;
        if let Some(view) = self.view.as_ref().filter(|view| view.moment == moment) {
            return Ok(view.clone());
        }
        let (state, calls) = self.read_state(Some(moment))?;
        Ok(self.keep_view(moment, state, calls))
    }

    /// The memory and the calls as the executor has them now; `moment` is the
    /// last one before.
    pub(crate) fn read_state(&mut self, moment: Option<MomentId>) -> Done<(State, Vec<Option<StepId>>)> {
        let (mut state, calls) = (self.engine.state()?, self.engine.calls()?);
        self.hide_garbage(moment, &mut state, &calls);
        Ok((state, calls))
    }

    fn keep_view(&mut self, moment: MomentId, state: State, calls: Vec<Option<StepId>>) -> View {
        let view = View { moment, state: Arc::new(state), calls: calls.into() };
        self.view = Some(view.clone());
        view
    }

    /// Under gdb a variable that was never assigned holds what happened to be
    /// there; it is shown as what it is.
    fn hide_garbage(&self, moment: Option<MomentId>, state: &mut State, calls: &[Option<StepId>]) {
        let changed = moment.map(|moment| self.timeline.changed_by_user(moment, None)).unwrap_or_default();
        for (frame, (call, step)) in state.frames.iter_mut().zip(calls).enumerate() {
            let Some(step) = *step else { continue };
            let function = &self.program.functions[self.layout.steps[step.index()].function];
            for visible in &self.layout.steps[step.index()].visible {
                let Visible::Local(local) = *visible else { continue };
                let name = &function.locals[local].name;
                let is_changed = || changed.iter().any(|entity| is_local(entity, frame, name));
                if self.facts.is_unassigned(step, ir::LocalId(local as u32)) && !is_changed() {
                    call.variables.iter_mut().filter(|v| v.name == *name).for_each(|v| forget(&mut v.value));
                }
            }
        }
    }

    /// Makes a moment of where the program has come to; it becomes the present one.
    pub(crate) fn commit(&mut self, event: Event, stop: Stop, input: Option<Arc<[u8]>>) -> Done<MomentId> {
        let parent = match event {
            Event::Start { .. } => None,
            _ => self.now.moment,
        };
        let depth = self.engine.calls()?.len();
        let before = || parent.map(|parent| self.timeline.get(parent).input.clone()).unwrap_or_default();
        let input = input.unwrap_or_else(before);
        let id = self.timeline.add(Moment { parent, event, stop, depth, input });
        self.engine.arrive(id);
        self.now.moment = Some(id);
        let (state, calls) = self.read_state(Some(id))?;
        self.keep_view(id, state, calls);
        Ok(id)
    }

    /// The picture of the present moment: what changed since the last picture
    /// is highlighted, what is not tracked is dotted.
    pub fn picture(&mut self, color: bool) -> Option<Picture> {
        let picture = self.draw(color)?;
        self.places = Some(picture.positions().clone());
        self.drawn = self.view.as_ref().map(|view| view.state.clone());
        Some(picture)
    }

    /// Long lists are drawn folded in the middle from now on, or not at all.
    pub fn fold_lists(&mut self, fold: bool) {
        self.unfolded = fold.then(BTreeSet::new);
    }

    /// Shows the folded list that a node is part of as a whole.
    pub fn unfold_list(&mut self, node: NodeId) {
        if let Some(unfolded) = &mut self.unfolded {
            unfolded.insert(Object::Node(node));
        }
    }

    /// Whether long lists are shown whole, all or some.
    pub fn is_unfolded(&self) -> bool {
        self.unfolded.as_ref().is_none_or(|unfolded| !unfolded.is_empty())
    }

    /// The same picture, for a file: the next one does not depend on it.
    pub(crate) fn still_picture(&mut self) -> Option<Picture> {
        self.draw(false)
    }

    fn draw(&mut self, color: bool) -> Option<Picture> {
        let view = self.view().ok()?;
        let untracked = self.untracked();
        let changed = self.drawn.as_ref().map_or(Vec::new(), |drawn| changes(drawn, &view.state));
        let frames = Frames::Only(shown_calls(&view.state));
        let unfolded = self.unfolded.clone();
        let options =
            picture::Options { untracked, color, frames, unfolded, ..picture::Options::highlighting(&changed) };
        Some(picture::draw(&view.state, &options, self.places.as_ref()))
    }

    fn undo(&mut self) -> Done {
        let Some((text, before)) = self.earlier.last().cloned() else { return Err("there is nothing to undo".into()) };
        if let Some(moment) = before.moment {
            self.go_to(moment)?;
        }
        self.earlier.pop();
        self.now = before;
        self.say(format!("took back `{text}`"));
        Ok(())
    }
}

/// The calls whose variables are drawn: the innermost one and, in a
/// recursion, the ones before it of the same function.
fn shown_calls(state: &State) -> Vec<usize> {
    const MOST: usize = 4;
    let calls = state.frames.iter().enumerate().rev();
    let same = calls.take_while(|(_, frame)| Some(&frame.function) == state.frames.last().map(|last| &last.function));
    same.map(|(number, _)| number).take(MOST).collect()
}

/// Makes a value one that was never written.
fn forget(value: &mut Value) {
    match value {
        Value::Record(members) => members.iter_mut().for_each(|(_, member)| forget(member)),
        Value::Array(elements, _) => elements.iter_mut().for_each(forget),
        Value::Chars(bytes) => bytes.fill(None),
        other => *other = Value::Uninitialised,
    }
}

/// Commands that are saved though nothing of the session changes.
fn is_logged(command: &Command) -> bool {
    matches!(command, Command::Show(Some(_)) | Command::Undo)
}

fn is_local(entity: &memory::Entity, frame: usize, name: &str) -> bool {
    matches!(&entity.root, memory::Root::Local { frame: f, name: n, .. } if *f == frame && **n == *name)
}
