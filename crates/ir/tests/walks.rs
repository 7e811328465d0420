//! The facts of all programs, checked against thousands of walks through them.
//!
//! A walk decides at random at every branch and writes down which variables
//! are read and written. It knows nothing of the graph that the facts come
//! from: it follows the structured code, seeks labels by going through the
//! code again, and finds operands in the text that `Debug` makes of an action.
//!
//! What a walk sees must be among the facts. And as the facts are of all ways
//! whatever the values, nearly all of them must have been seen by some walk.

mod programs;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::Arc;

use c_syntax::Source;
use ir::*;

/// The length of a walk, in parts of code.
const LENGTH: usize = 1000;

#[test]
fn all_programs_agree_with_their_walks() {
    let paths: Vec<_> = programs::folders().iter().flat_map(|folder| programs::c_files(folder)).collect();
    let mut seen = Seen::default();
    for (path, program) in paths.iter().zip(programs::load(&paths)) {
        let program = program.unwrap_or_else(|| panic!("{} is not read", path.display()));
        check(&program, 400, &mut seen);
    }
    println!("{} files: {seen:?}", paths.len());
    seen.assert_nearly_all();
}

#[test]
fn generated_programs_agree_with_their_walks() {
    let mut seen = Seen::default();
    for seed in 1..=4 {
        let text = Generator::new(seed).program(30);
        let program = load_text(Arc::new(Source::new("test.c", text.clone().into())));
        check(&program.unwrap_or_else(|error| panic!("{error}\n{text}")), 1500, &mut seen);
    }
    println!("{seen:?}");
    seen.assert_nearly_all();
}

/// How much of the facts was seen: of all, and by some walk.
#[derive(Debug, Default)]
struct Seen {
    walks: usize,
    steps: (usize, usize),
    live: (usize, usize),
    assigned: (usize, usize),
}

impl Seen {
    fn assert_nearly_all(&self) {
        for (all, seen) in [self.steps, self.live, self.assigned] {
            assert!(all > 1000 && seen * 1000 >= all * 990, "{self:?}");
        }
    }
}

/// A function has been walked enough when `quiet` walks have shown nothing new.
fn check(program: &Program, quiet: usize, seen: &mut Seen) {
    let facts = facts(program);
    let mut steps = HashSet::new();
    for function in &program.functions {
        let mut found = Found {
            program,
            function,
            facts: &facts,
            steps: HashSet::new(),
            live: HashSet::new(),
            assigned: HashSet::new(),
        };
        let effects = effects(function);
        let (mut seed, mut last_news) = (0, 0);
        while seed < last_news + quiet {
            seed += 1;
            if found.add(&Walk::run(function, &effects, seed as u64)) {
                last_news = seed;
            }
        }
        seen.walks += seed;
        found.count(seen);
        steps.extend(found.steps);
    }
    seen.steps.0 += program.steps.len();
    seen.steps.1 += steps.len();
}

/// What the walks through a function have seen.
struct Found<'a> {
    program: &'a Program,
    function: &'a Function,
    facts: &'a Facts,
    steps: HashSet<StepId>,
    live: HashSet<(StepId, usize)>,
    assigned: HashSet<(StepId, usize)>,
}

impl Found<'_> {
    /// Checks a walk; whether it showed anything new.
    fn add(&mut self, trace: &[Event]) -> bool {
        let before = self.steps.len() + self.live.len() + self.assigned.len();
        let mut live = vec![false; self.function.locals.len()];
        for event in trace.iter().rev() {
            match *event {
                Event::Read(local) => live[local] = true,
                Event::Write(local) | Event::Declare(local) => live[local] = false,
                Event::Step(step) => self.see_live(step, &live),
            }
        }
        let mut assigned: Vec<bool> = (0..live.len()).map(|local| local < self.function.parameters).collect();
        for event in trace {
            match *event {
                Event::Read(_) => {}
                Event::Write(local) => assigned[local] = true,
                Event::Declare(local) => assigned[local] = false,
                Event::Step(step) => self.see_assigned(step, &assigned),
            }
        }
        self.steps.len() + self.live.len() + self.assigned.len() > before
    }

    fn see_live(&mut self, step: StepId, live: &[bool]) {
        self.steps.insert(step);
        for local in (0..self.function.named).filter(|local| live[*local]) {
            let is_new = self.live.insert((step, local));
            assert!(!is_new || self.facts.is_live(step, id(local)), "{} is live", self.place(step, local));
        }
    }

    fn see_assigned(&mut self, step: StepId, assigned: &[bool]) {
        for local in (0..self.function.named).filter(|local| assigned[*local]) {
            let is_new = self.assigned.insert((step, local));
            assert!(!is_new || !self.facts.is_unassigned(step, id(local)), "{} is assigned", self.place(step, local));
        }
    }

    fn place(&self, step: StepId, local: usize) -> String {
        let (path, line) = (self.program.source.path.display(), self.program.step(step).line);
        format!("{path}:{line}: {}", self.function.locals[local].name)
    }

    /// Counts the facts that are not there for want of knowledge.
    fn count(&self, seen: &mut Seen) {
        if format!("{:?}", self.function.body).contains("Concrete") {
            return;
        }
        let locals = (0..self.function.named).filter(|local| !self.function.locals[*local].in_memory);
        for (step, local) in locals.flat_map(|local| self.steps.iter().map(move |step| (*step, local))) {
            seen.live.0 += usize::from(self.facts.is_live(step, id(local)));
            seen.live.1 += usize::from(self.live.contains(&(step, local)));
            seen.assigned.0 += usize::from(!self.facts.is_unassigned(step, id(local)));
            seen.assigned.1 += usize::from(self.assigned.contains(&(step, local)));
        }
    }
}

fn id(local: usize) -> LocalId {
    LocalId(local as u32)
}

// ----- walks -----

#[derive(Clone, Copy)]
enum Event {
    Step(StepId),
    Read(usize),
    Write(usize),
    Declare(usize),
}

/// What each action reads, and then writes.
type Effects = HashMap<ActionId, Vec<Event>>;

fn effects(function: &Function) -> Effects {
    let mut effects = Effects::new();
    for_each(&function.body, &mut |item| {
        if let Code::Act(action) = item {
            effects.insert(action.id, mentions(&action.kind));
        }
    });
    effects
}

/// The locals in the `Debug` text: `Local(LocalId(3))` is read, `to: LocalId(3)` and `to: Some(LocalId(3))` written.
fn mentions(action: &ActionKind) -> Vec<Event> {
    let text = format!("{action:?}");
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for (at, found) in text.match_indices("LocalId(") {
        let number = text[at + found.len()..].split(')').next().and_then(|number| number.parse().ok());
        let local = number.expect("the number of a local");
        match text[..at].ends_with("Local(") {
            true => reads.push(Event::Read(local)),
            false => writes.push(Event::Write(local)),
        }
    }
    reads.extend(writes);
    reads
}

fn for_each<'a>(code: &'a [Code], visit: &mut dyn FnMut(&'a Code)) {
    for item in code {
        visit(item);
        match item {
            Code::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|part| for_each(part, visit)),
            Code::Switch { body, .. } => for_each(body, visit),
            Code::Loop(inner) => {
                [&inner.condition, &inner.body, &inner.update].into_iter().for_each(|part| for_each(part, visit));
            }
            _ => {}
        }
    }
}

fn holds(code: &[Code], label: LabelId) -> bool {
    let mut found = false;
    for_each(code, &mut |item| found |= matches!(item, Code::Label(here) if *here == label));
    found
}

/// How control leaves code.
enum Flow {
    On,
    Break,
    Continue,
    Goto(LabelId),
    Return,
    /// The walk was long enough.
    Tired,
}

struct Walk<'a> {
    effects: &'a Effects,
    random: Random,
    /// A test is true in so many of 100 cases.
    bias: usize,
    trace: Vec<Event>,
    rest: usize,
    /// The label that is sought; nothing happens until it is found.
    goal: Option<LabelId>,
}

impl Walk<'_> {
    fn run(function: &Function, effects: &Effects, seed: u64) -> Vec<Event> {
        let mut random = Random::new(seed);
        let bias = [15, 50, 85][random.below(3)];
        let mut walk = Walk { effects, random, bias, trace: Vec::new(), rest: LENGTH, goal: None };
        loop {
            match walk.list(&function.body) {
                Flow::Goto(label) => walk.goal = Some(label),
                Flow::Tired => break,
                _ => {
                    walk.trace.push(Event::Step(function.exit));
                    break;
                }
            }
        }
        walk.trace
    }

    fn list(&mut self, code: &[Code]) -> Flow {
        for item in code {
            if self.goal.is_some_and(|goal| !holds(std::slice::from_ref(item), goal)) {
                continue;
            }
            match self.item(item) {
                Flow::On => {}
                flow => return flow,
            }
        }
        Flow::On
    }

    fn item(&mut self, item: &Code) -> Flow {
        if self.rest == 0 {
            return Flow::Tired;
        }
        self.rest -= 1;
        match item {
            Code::Step(step) => self.trace.push(Event::Step(*step)),
            Code::Act(action) => self.trace.extend(&self.effects[&action.id]),
            Code::Declare(local) => self.trace.push(Event::Declare(local.index())),
            Code::DeclareArray { size, .. } => self.read(size),
            Code::If { test, step, then, otherwise } => return self.branch(test, *step, then, otherwise),
            Code::Loop(inner) => return self.looped(inner),
            Code::Switch { value, arms, default, body } => return self.switch(value, arms, *default, body),
            Code::Label(_) => self.goal = None,
            Code::Goto(label) => return Flow::Goto(*label),
            Code::Break => return Flow::Break,
            Code::Continue => return Flow::Continue,
            Code::Return(value) => {
                value.iter().for_each(|value| self.read(value));
                return Flow::Return;
            }
        }
        Flow::On
    }

    fn read(&mut self, operand: &Operand) {
        if let OperandKind::Local(local) = operand.kind {
            self.trace.push(Event::Read(local.index()));
        }
    }

    fn decide(&mut self, test: &Operand, step: Option<StepId>) -> bool {
        self.read(test);
        match test.kind {
            OperandKind::Int(value) if step.is_none() => value != 0,
            _ => self.random.below(100) < self.bias,
        }
    }

    fn branch(&mut self, test: &Operand, step: Option<StepId>, then: &[Code], otherwise: &[Code]) -> Flow {
        let taken = match self.goal {
            Some(goal) => holds(then, goal),
            None => self.decide(test, step),
        };
        self.list(if taken { then } else { otherwise })
    }

    fn looped(&mut self, inner: &Loop) -> Flow {
        let parts = [&inner.condition, &inner.body, &inner.update];
        let mut part = match self.goal {
            Some(goal) => parts.iter().position(|part| holds(part, goal)).expect("the label is inside"),
            None => usize::from(inner.body_first),
        };
        while self.rest > 0 {
            self.rest -= 1;
            match self.list(parts[part]) {
                Flow::On => part = (part + 1) % 3,
                Flow::Continue => part = 2,
                Flow::Break => return Flow::On,
                flow => return flow,
            }
            let is_tested = part == 1 && inner.test.is_some();
            if is_tested && !inner.test.as_ref().is_some_and(|test| self.decide(test, inner.step)) {
                return Flow::On;
            }
        }
        Flow::Tired
    }

    fn switch(
        &mut self,
        value: &Operand,
        arms: &[(i128, i128, LabelId)],
        default: Option<LabelId>,
        body: &[Code],
    ) -> Flow {
        if self.goal.is_none() {
            self.read(value);
            let chosen = self.random.below(arms.len() + 1);
            self.goal = arms.get(chosen).map(|arm| arm.2).or(default);
            if self.goal.is_none() {
                return Flow::On;
            }
        }
        match self.list(body) {
            Flow::Break => Flow::On,
            flow => flow,
        }
    }
}

/// Numbers that look random (xorshift).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

// ----- generated programs -----

/// Writes functions over integers with every kind of jump.
struct Generator {
    random: Random,
    text: String,
    /// Labels that are not placed yet.
    labels: Vec<usize>,
    loops: usize,
    switches: usize,
}

impl Generator {
    fn new(seed: u64) -> Self {
        Generator { random: Random::new(seed), text: String::new(), labels: Vec::new(), loops: 0, switches: 0 }
    }

    fn program(mut self, functions: usize) -> String {
        for i in 0..functions {
            self.labels = vec![0, 1, 2];
            let _ = write!(self.text, "int f{i}(int a, int b) {{ int c, d = a, e; ");
            self.block(3);
            while let Some(label) = self.labels.pop() {
                let _ = write!(self.text, "l{label}: ; ");
            }
            let value = self.value();
            let _ = writeln!(self.text, "return {value}; }}");
        }
        self.text
    }

    fn name(&mut self) -> &'static str {
        ["a", "b", "c", "d", "e"][self.random.below(5)]
    }

    fn value(&mut self) -> String {
        let (x, y, z) = (self.name(), self.name(), self.name());
        match self.random.below(6) {
            0 => format!("{x} == 3"),
            1 => format!("{x} + {y}"),
            2 => format!("{x} && ({y} = {z})"),
            3 => format!("{x} ? {y} : {z}++"),
            4 => format!("({x} = {y}) || {z}"),
            _ => x.to_string(),
        }
    }

    fn block(&mut self, depth: usize) {
        self.text.push_str("{ ");
        if self.random.below(3) == 0 {
            let name = self.name();
            let _ = write!(self.text, "int {name}; ");
        }
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth);
        }
        self.text.push_str("} ");
    }

    fn statement(&mut self, depth: usize) {
        if self.random.below(12) == 0
            && let Some(label) = self.labels.pop()
        {
            let _ = write!(self.text, "l{label}: ; ");
        }
        let (name, value, other) = (self.name(), self.value(), self.value());
        match self.random.below(if depth == 0 { 7 } else { 12 }) {
            0..=3 => self.text.push_str(&format!("{name} = {value}; ")),
            4 if self.loops > 0 => self.guarded("continue"),
            5 if self.loops + self.switches > 0 => self.guarded("break"),
            4 | 5 => self.guarded(&format!("return {value}")),
            6 => {
                let label = self.random.below(3);
                self.guarded(&format!("goto l{label}"));
            }
            7 => self.if_statement(depth - 1, &value),
            8 => self.looped(&format!("while ({value})"), depth - 1, ""),
            9 => self.looped("do", depth - 1, &format!("while ({value}); ")),
            10 => self.looped(&format!("for ({name} = 0; {value}; {name} = {other})"), depth - 1, ""),
            _ => self.switch(depth - 1, name),
        }
    }

    fn guarded(&mut self, jump: &str) {
        let name = self.name();
        let _ = write!(self.text, "if ({name}) {jump}; ");
    }

    fn if_statement(&mut self, depth: usize, test: &str) {
        let _ = write!(self.text, "if ({test}) ");
        self.block(depth);
        if self.random.below(2) == 0 {
            self.text.push_str("else ");
            self.block(depth);
        }
    }

    fn looped(&mut self, head: &str, depth: usize, tail: &str) {
        let _ = write!(self.text, "{head} ");
        self.loops += 1;
        self.block(depth);
        self.loops -= 1;
        self.text.push_str(tail);
    }

    fn switch(&mut self, depth: usize, name: &str) {
        let _ = write!(self.text, "switch ({name}) {{ ");
        self.switches += 1;
        let cases = 1 + self.random.below(3);
        for i in 0..cases {
            let label = if i == 2 { "default".to_string() } else { format!("case {i}") };
            let _ = write!(self.text, "{label}: ");
            self.block(depth);
            if self.random.below(2) == 0 {
                self.text.push_str("break; ");
            }
        }
        self.switches -= 1;
        self.text.push_str("} ");
    }
}
