//! Control flow: branches are run both ways and merged, loops are unrolled.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use c_syntax::Span;
use ir::{ActionKind, Callee, Code, FunctionId, FunctionRef, GlobalId, LabelId, Loop, Operand, StepId};
use solver::{Term, Terms};

use super::arithmetic::mask;
use super::input::Inputs;
use super::locals::Locals;
use super::output::Stream;
use super::path::Guide;
use super::state::{State, merge};
use super::value::{Content, Value};
use super::{Definition, Reading, Request, TooLarge, Unfolded, Unknown, Unmodelled, Violation, ViolationKind};

/// Actions between two looks at the clock.
const BREATH: u64 = 256;
/// Rounds whose number does not depend on the input are bounded by this.
const MOST_ROUNDS: u32 = 200_000;
/// So are calls of a function inside of itself.
const MOST_NESTED: u32 = 500;

pub(super) struct Engine<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) terms: &'a mut Terms,
    pub(super) inputs: &'a mut Inputs,
    pub(super) frames: Vec<Frame>,
    pub(super) next_object: usize,
    /// The objects of globals and string literals.
    pub(super) globals: Vec<Option<usize>>,
    pub(super) texts: Vec<Option<usize>>,
    /// The selectors of choices.
    pub(super) selectors: HashMap<GlobalId, Term>,
    pub(super) violations: Vec<Violation>,
    demands: usize,
    pub(super) unwound: Vec<Violation>,
    pub(super) unmodelled: Vec<Unmodelled>,
    pub(super) reached: Vec<(Span, Term)>,
    pub(super) output: Stream,
    pub(super) ends: Vec<(Term, Term)>,
    pub(super) failed: Vec<Term>,
    pub(super) definitions: Vec<Definition>,
    pub(super) readings: Vec<Reading>,
    pub(super) step: Option<StepId>,
    /// How often control left its structure: a return, a jump, an end, a failed assumption.
    pub(super) escapes: u64,
    actions: u64,
    /// For each global whose value is unknown: what it is, and how often it was read.
    pub(super) unknowns: BTreeMap<usize, (Unknown, u32)>,
    /// Takes one side of every branch.
    guide: Option<&'a mut Guide>,
}

/// A running function.
pub(super) struct Frame {
    pub(super) function: FunctionId,
    /// Which inputs call it.
    path: Term,
    /// Calls of the same function around this one, and those of them that depend on the input.
    depth: u32,
    nested: u32,
    /// The objects of the locals that are in memory.
    pub(super) objects: Vec<Option<usize>>,
    returns: Vec<State>,
    /// For each open loop or `switch`: the states at `break` and `continue`.
    open: Vec<Open>,
    gotos: BTreeMap<LabelId, Vec<State>>,
}

#[derive(Default)]
struct Open {
    breaks: Vec<State>,
    continues: Vec<State>,
    is_loop: bool,
}

impl Frame {
    fn new(function: FunctionId, locals: usize, path: Term) -> Frame {
        let objects = vec![None; locals];
        Frame { function, path, depth: 0, nested: 0, objects, returns: vec![], open: vec![], gotos: BTreeMap::new() }
    }
}

impl<'a> Engine<'a> {
    pub(super) fn new(request: &'a Request<'a>, terms: &'a mut Terms, inputs: &'a mut Inputs) -> Self {
        let program = request.program;
        let term = |number: usize| request.open.selectors.get(number).copied();
        let off = terms.constant(false);
        let selectors = program.selectors.iter().enumerate();
        let selectors = selectors.map(|(number, global)| (*global, term(number).unwrap_or(off))).collect();
        Engine {
            request,
            terms,
            inputs,
            frames: vec![],
            next_object: 0,
            globals: vec![None; program.globals.len()],
            texts: vec![None; program.texts.len()],
            selectors,
            violations: vec![],
            demands: 0,
            unwound: vec![],
            unmodelled: vec![],
            reached: vec![],
            output: Stream::default(),
            ends: vec![],
            failed: vec![],
            definitions: vec![],
            readings: vec![],
            step: None,
            escapes: 0,
            actions: 0,
            unknowns: request.open.unknowns.iter().map(|(global, unknown)| (global.index(), (*unknown, 0))).collect(),
            guide: None,
        }
    }

    /// Follows one path.
    pub(super) fn guided(mut self, guide: &'a mut Guide) -> Self {
        self.guide = Some(guide);
        self
    }

    pub(super) fn run(mut self) -> Result<Unfolded, TooLarge> {
        let zero = self.terms.bits(0, 16);
        let path = self.terms.constant(true);
        let mut state = State {
            path,
            locals: Locals::default(),
            objects: BTreeMap::new(),
            result: Content::Unset,
            read: [zero; 3],
        };
        self.create_globals(&mut state);
        let arguments = self.entry_arguments(&mut state);
        let entry = self.request.entry;
        if let Some(end) = self.inline(entry, arguments, state)? {
            let status = self.exit_status(&end);
            self.ends.push((end.path, status));
        }
        let failed = self.terms.any(&self.failed);
        Ok(Unfolded {
            violations: self.violations,
            demands: self.demands,
            unwound: self.unwound,
            unmodelled: self.unmodelled,
            reached: self.reached,
            output: self.output,
            ends: self.ends,
            assumed: self.terms.not(failed),
            definitions: self.definitions,
            readings: self.readings,
        })
    }

    /// What the entry function returned; where it fell off its end, 0.
    fn exit_status(&mut self, end: &State) -> Term {
        let zero = self.terms.bits(0, 32);
        let (value, set) = match &end.result {
            Content::Unset => return zero,
            Content::Set(value) => (value, self.terms.constant(true)),
            Content::Mixed(value, set) => (value, *set),
        };
        let Value::Int(status) = value else {
            let span = self.request.program.function(self.request.entry).span;
            self.not_modelled(end, span, "the exit status is not modelled".into());
            return zero;
        };
        let status = self.resize(*status, 32, true);
        self.terms.ite(set, status, zero)
    }

    /// Runs a function to its end; the result is in the state.
    pub(super) fn inline(
        &mut self,
        function: FunctionId,
        arguments: Vec<Content>,
        mut state: State,
    ) -> Result<Option<State>, TooLarge> {
        let program = self.request.program;
        let body = program.function(function);
        // Only calls that depend on the input count.
        let outer = self.frames.iter().rev().find(|frame| frame.function == function);
        let depth = outer.map_or(0, |frame| frame.depth + 1);
        let nested = outer.map_or(0, |frame| frame.nested + u32::from(frame.path != state.path));
        if nested > self.request.bounds.unwind || depth > MOST_NESTED {
            self.beyond(&state, body.span, format!("the recursion of {}", body.name));
            return Ok(None);
        }
        let step = self.step;
        let caller = std::mem::replace(&mut state.locals, Locals::unset(body.locals.len()));
        let mut frame = Frame::new(function, body.locals.len(), state.path);
        (frame.depth, frame.nested) = (depth, nested);
        self.frames.push(frame);
        // All variables are there from the start: a jump may pass over the declaration of one.
        (0..body.locals.len()).for_each(|index| self.begin_local(&mut state, index));
        for (index, content) in arguments.into_iter().enumerate().take(body.parameters) {
            self.put_local(&mut state, index, content);
        }
        let escapes = self.escapes;
        let path = state.path;
        let end = self.block(&body.body, Some(state))?;
        let mut frame = self.frames.pop().expect("it was pushed above");
        let left: Vec<State> = std::mem::take(&mut frame.gotos).into_values().flatten().collect();
        for state in left {
            self.not_modelled(&state, body.span, "a jump backwards by goto is not modelled".into());
        }
        // Returns are escapes of blocks, but not of the function.
        let only_returns = self.escapes == escapes + frame.returns.len() as u64;
        let ends: Vec<State> = frame.returns.into_iter().chain(end).collect();
        let joined = self.join(ends);
        if only_returns {
            self.escapes = escapes;
        }
        Ok(joined.map(|mut state| {
            if only_returns {
                state.path = path;
            }
            state.locals = caller;
            self.end_locals(&mut state, &frame.objects);
            self.step = step;
            state
        }))
    }

    pub(super) fn block(&mut self, code: &[Code], state: Option<State>) -> Result<Option<State>, TooLarge> {
        let mut current = state;
        for item in code {
            if let Some(state) = &current
                && self.terms.value(state.path) == Some(0)
            {
                current = None;
            }
            current = match (item, current) {
                (Code::Label(label), current) => self.label(*label, current),
                (Code::Step(step), current) => {
                    self.step = Some(*step);
                    current
                }
                // A dead state may come to life at a label inside.
                (Code::If { then, otherwise, .. }, None) if self.has_pending() => {
                    let (a, b) = (self.block(then, None)?, self.block(otherwise, None)?);
                    self.join(a.into_iter().chain(b).collect())
                }
                (_, None) => None,
                (item, Some(state)) => self.item(item, state)?,
            };
        }
        Ok(current)
    }

    fn item(&mut self, item: &Code, mut state: State) -> Result<Option<State>, TooLarge> {
        self.actions += 1;
        let bounds = self.request.bounds;
        if self.actions > bounds.actions || self.terms.len() > bounds.terms {
            return Err(TooLarge::Size { actions: self.actions, terms: self.terms.len() });
        }
        if self.actions.is_multiple_of(BREATH) && self.request.until.is_some_and(|end| Instant::now() > end) {
            return Err(TooLarge::Time);
        }
        match item {
            Code::Act(action) => return self.act(action, state),
            Code::Declare(local) => self.begin_local(&mut state, local.index()),
            Code::DeclareArray { local, size } => self.begin_array(&mut state, local.index(), size),
            Code::If { test, step, then, otherwise } => return self.branch(test, *step, then, otherwise, state),
            Code::Loop(looped) => return self.looped(looped, state),
            Code::Switch { value, arms, default, body } => return self.switch(value, arms, *default, body, state),
            Code::Goto(label) => {
                self.escapes += 1;
                self.frame().gotos.entry(*label).or_default().push(state);
                return Ok(None);
            }
            Code::Break => {
                self.escapes += 1;
                if let Some(open) = self.frame().open.last_mut() {
                    open.breaks.push(state);
                }
                return Ok(None);
            }
            Code::Continue => {
                self.escapes += 1;
                if let Some(open) = self.frame().open.iter_mut().rev().find(|open| open.is_loop) {
                    open.continues.push(state);
                }
                return Ok(None);
            }
            Code::Return(value) => {
                self.escapes += 1;
                state.result = match value {
                    Some(value) => {
                        let function = self.frame().function;
                        let kind = self.kind(self.request.program.function(function).result);
                        let found = self.operand(&mut state, value);
                        let found = self.fit(found, kind);
                        Content::Set(self.define(found, value.span))
                    }
                    None => Content::Unset,
                };
                self.frame().returns.push(state);
                return Ok(None);
            }
            Code::Step(_) | Code::Label(_) => {}
        }
        Ok(Some(state))
    }

    fn branch(
        &mut self,
        test: &Operand,
        step: Option<StepId>,
        then: &[Code],
        otherwise: &[Code],
        mut state: State,
    ) -> Result<Option<State>, TooLarge> {
        let mut condition = self.truth(&mut state, test);
        if step.is_some() {
            condition = self.define_condition(condition, test.span);
        }
        if [then, otherwise].into_iter().any(is_assertion) {
            self.demands += 1;
            self.reached.push((test.span, state.path));
        }
        let negated = self.terms.not(condition);
        match self.terms.value(condition) {
            Some(1) => return self.block(then, Some(state)),
            Some(_) => return self.block(otherwise, Some(state)),
            None => {}
        }
        if let Some(decided) = self.decide(condition, &mut state) {
            return match decided {
                Some(side) => self.block(if side { then } else { otherwise }, Some(state)),
                None => Ok(None),
            };
        }
        let (path, escapes) = (state.path, self.escapes);
        let mut other = state.clone();
        state.path = self.terms.and(path, condition);
        other.path = self.terms.and(path, negated);
        let a = self.block(then, Some(state))?;
        let b = self.block(otherwise, Some(other))?;
        Ok(match (a, b) {
            (Some(a), Some(b)) => {
                let mut merged = merge(self.terms, condition, a, b);
                if self.escapes == escapes {
                    merged.path = path;
                }
                Some(merged)
            }
            (a, b) => a.or(b),
        })
    }

    /// On a path: the side that is taken, or none if the path ends here.
    fn decide(&mut self, condition: Term, state: &mut State) -> Option<Option<bool>> {
        let guide = self.guide.as_mut()?;
        let side = guide.decide(self.terms, condition);
        // Those on the other side are gone.
        self.escapes += 1;
        if let Some(side) = side {
            let literal = if side { condition } else { self.terms.not(condition) };
            state.path = self.terms.and(state.path, literal);
        }
        Some(side)
    }

    fn looped(&mut self, looped: &Loop, state: State) -> Result<Option<State>, TooLarge> {
        let (path, escapes) = (state.path, self.escapes);
        self.frame().open.push(Open { is_loop: true, ..Open::default() });
        let mut exits: Vec<(Term, State)> = vec![];
        let (mut open_rounds, mut rounds) = (0, 0);
        let mut left_by_break = 0;
        let mut last_path = state.path;
        let mut current = Some(state);
        if looped.body_first {
            current = self.round(looped, current, &mut exits, &mut left_by_break)?;
        }
        while let Some(state) = current.take() {
            let Some(mut stay) = self.block(&looped.condition, Some(state))? else { break };
            let mut condition = match &looped.test {
                Some(test) => self.truth(&mut stay, test),
                None => self.terms.constant(true),
            };
            if let (Some(_), Some(test)) = (looped.step, &looped.test) {
                condition = self.define_condition(condition, test.span);
            }
            let negated = self.terms.not(condition);
            let mut known = self.terms.value(condition);
            if known.is_none()
                && let Some(decided) = self.decide(condition, &mut stay)
            {
                let Some(side) = decided else { break };
                known = Some(u64::from(side));
            }
            if known == Some(0) {
                let always = self.terms.constant(true);
                exits.push((always, stay));
                break;
            }
            if known.is_none() {
                let mut leave = stay.clone();
                leave.path = self.terms.and(stay.path, negated);
                exits.push((negated, leave));
                stay.path = self.terms.and(stay.path, condition);
            }
            // Only rounds that depend on the input count.
            open_rounds += u32::from(known.is_none() || stay.path != last_path);
            last_path = stay.path;
            rounds += 1;
            if open_rounds > self.request.bounds.unwind || rounds > MOST_ROUNDS {
                let step = looped.step;
                self.step = step.or(self.step);
                self.beyond(&stay, looped.span, "the loop".into());
                break;
            }
            current = self.round(looped, Some(stay), &mut exits, &mut left_by_break)?;
        }
        self.frame().open.pop();
        let only_structure = self.escapes == escapes + left_by_break;
        let mut joined: Option<State> = None;
        for (condition, state) in exits.into_iter().rev() {
            joined = Some(match joined {
                Some(rest) => merge(self.terms, condition, state, rest),
                None => state,
            });
        }
        if only_structure {
            self.escapes = escapes;
            if let Some(state) = &mut joined {
                state.path = path;
            }
        }
        Ok(joined)
    }

    /// Body and last clause of a loop.
    fn round(
        &mut self,
        looped: &Loop,
        state: Option<State>,
        exits: &mut Vec<(Term, State)>,
        jumps: &mut u64,
    ) -> Result<Option<State>, TooLarge> {
        let end = self.block(&looped.body, state)?;
        let open = self.frame().open.last_mut().expect("the loop is open");
        let (breaks, continues) = (std::mem::take(&mut open.breaks), std::mem::take(&mut open.continues));
        *jumps += (breaks.len() + continues.len()) as u64;
        for state in breaks {
            exits.push((state.path, state));
        }
        let next = self.join(continues.into_iter().chain(end).collect());
        self.block(&looped.update, next)
    }

    fn switch(
        &mut self,
        value: &Operand,
        arms: &[(i128, i128, LabelId)],
        default: Option<LabelId>,
        body: &[Code],
        mut state: State,
    ) -> Result<Option<State>, TooLarge> {
        let (path, escapes) = (state.path, self.escapes);
        let found = self.operand(&mut state, value);
        let found = self.define(found, value.span);
        let Value::Int(term) = found else {
            self.not_modelled(&state, value.span, "the value of this switch is not modelled".into());
            return Ok(None);
        };
        let signed = self.request.program.types.is_signed(value.ty);
        let mut rest = state;
        for (low, high, label) in arms {
            let hit = self.within(term, signed, *low, *high);
            let miss = self.terms.not(hit);
            if self.terms.value(hit).is_none()
                && let Some(decided) = self.decide(hit, &mut rest)
            {
                let nobody = gone(self.terms, &rest);
                let taken = std::mem::replace(&mut rest, nobody);
                match decided {
                    Some(true) => self.frame().gotos.entry(*label).or_default().push(taken),
                    Some(false) => rest = taken,
                    None => {}
                }
                continue;
            }
            let mut taken = rest.clone();
            taken.path = self.terms.and(rest.path, hit);
            rest.path = self.terms.and(rest.path, miss);
            if self.terms.value(taken.path) != Some(0) {
                self.frame().gotos.entry(*label).or_default().push(taken);
            }
        }
        let skipped = match default {
            Some(label) => {
                self.frame().gotos.entry(label).or_default().push(rest);
                None
            }
            None => Some(rest),
        };
        self.frame().open.push(Open::default());
        let end = self.block(body, None)?;
        let open = self.frame().open.pop().expect("it was pushed above");
        let only_structure = self.escapes == escapes + open.breaks.len() as u64;
        let ends = open.breaks.into_iter().chain(end).chain(skipped).collect();
        let mut joined = self.join(ends);
        if only_structure {
            self.escapes = escapes;
            if let Some(state) = &mut joined {
                state.path = path;
            }
        }
        Ok(joined)
    }

    fn within(&mut self, term: Term, signed: bool, low: i128, high: i128) -> Term {
        let width = self.terms.width(term);
        let first = self.terms.bits(cut(low, width), width);
        if low == high {
            return self.terms.eq(term, first);
        }
        let last = self.terms.bits(cut(high, width), width);
        let (a, b) = match signed {
            true => (self.terms.sle(first, term), self.terms.sle(term, last)),
            false => (self.terms.ule(first, term), self.terms.ule(term, last)),
        };
        self.terms.and(a, b)
    }

    fn label(&mut self, label: LabelId, current: Option<State>) -> Option<State> {
        let waiting = self.frame().gotos.remove(&label).unwrap_or_default();
        self.join(waiting.into_iter().chain(current).collect())
    }

    fn has_pending(&mut self) -> bool {
        !self.frame().gotos.is_empty()
    }

    /// The state where all of them meet.
    pub(super) fn join(&mut self, states: Vec<State>) -> Option<State> {
        let mut joined: Option<State> = None;
        for state in states.into_iter().rev() {
            joined = Some(match joined {
                Some(rest) => merge(self.terms, state.path, state, rest),
                None => state,
            });
        }
        joined
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is running")
    }

    /// Notes that a run goes wrong where `when` holds, on the way of `state`.
    pub(super) fn violate(&mut self, state: &State, when: Term, kind: ViolationKind, span: Span, about: String) {
        self.demands += 1;
        let when = self.terms.and(state.path, when);
        if self.terms.value(when) != Some(0) {
            let step = self.step;
            self.violations.push(Violation { when, kind, span, step, about });
        }
    }

    /// Notes that runs come to what is not modelled.
    pub(super) fn not_modelled(&mut self, state: &State, span: Span, what: String) {
        if self.terms.value(state.path) != Some(0) {
            self.unmodelled.push(Unmodelled { when: state.path, span, what });
        }
    }

    pub(super) fn beyond(&mut self, state: &State, span: Span, about: String) {
        let (when, step) = (state.path, self.step);
        if self.terms.value(when) != Some(0) {
            self.unwound.push(Violation { when, kind: ViolationKind::Unwinding, span, step, about });
        }
    }
}

/// A state that nothing comes to.
fn gone(terms: &mut Terms, state: &State) -> State {
    State { path: terms.constant(false), ..state.clone() }
}

/// Whether code does nothing but say that an assertion failed.
fn is_assertion(code: &[Code]) -> bool {
    code.iter().any(|item| match item {
        Code::Act(action) => matches!(&action.kind, ActionKind::Call {
            callee: Callee::Direct(FunctionRef::Library(name)), ..
        } if &**name == "__assert_fail"),
        _ => false,
    })
}

/// The low bits of a number.
pub(super) fn cut(value: i128, width: u32) -> u64 {
    value as u64 & mask(width)
}
