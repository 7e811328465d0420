//! Random commands that make sense often enough.

use fastrand::Rng;
use ir::Program;
use memory::{Entity, Root, State, Value, leaves};

/// Makes commands for a program.
pub struct Generator {
    random: Rng,
    lines: Vec<u32>,
    functions: Vec<String>,
    members: Vec<String>,
}

impl Generator {
    /// A generator that is determined by its source of randomness.
    pub fn new(random: Rng, program: &Program) -> Generator {
        let own = program.functions.iter().filter(|function| program.step(function.exit).line > 0);
        let records = program.types.records().flat_map(|(_, record)| &record.fields);
        Generator {
            random,
            lines: program.steps.iter().map(|step| step.line).filter(|&line| line > 0).collect(),
            functions: own.map(|function| function.name.to_string()).collect(),
            members: records.map(|field| field.name.to_string()).filter(|name| !name.is_empty()).collect(),
        }
    }

    /// The next command, for a program in this state.
    pub fn command(&mut self, state: Option<&State>, is_started: bool) -> String {
        let Some(state) = state.filter(|_| is_started) else {
            return if self.random.u8(..10) == 0 { "next".into() } else { "start".into() };
        };
        match self.random.u32(..100) {
            0..22 => "next".into(),
            22..38 => "step".into(),
            38..42 => format!("next {}", self.random.u32(1..8)),
            42..44 => format!("step {}", self.random.u32(1..8)),
            44..47 => "finish".into(),
            47..50 => "continue".into(),
            50..57 => format!("back {}", self.random.u32(1..4)),
            57..61 => self.breakpoint(state),
            61 => format!("delete {}", self.random.u32(1..4)),
            62..69 => self.pick(&["enter", "leave", "flip"]),
            69..77 => self.change(state),
            77..79 => self.tracking(state),
            79..82 => "spec".into(),
            82..84 => format!("spec {}", self.condition(state)),
            84..86 => format!("resume {}", self.random.u32(..4)),
            86..90 => "undo".into(),
            90..94 => format!("print {}", self.expression(state)),
            94..97 => self.pick(&["where", "locals", "checkpoints", "list", "track", "info breakpoints", "concrete"]),
            97 => format!("input {}", self.pick(&["5", "3 4 5", "abc", "-1", ""])),
            98 => self.pick(&["start", "concrete 1-99", "nonsense", "break 99999", "change", "resume 77"]),
            _ => "undo".into(),
        }
    }

    fn pick(&mut self, words: &[&str]) -> String {
        self.random.choice(words).map_or(String::new(), |word| word.to_string())
    }

    fn breakpoint(&mut self, state: &State) -> String {
        let place = match self.random.bool() {
            true => self.random.choice(&self.lines).map_or(1, |line| *line).to_string(),
            false => self.random.choice(&self.functions).cloned().unwrap_or_default(),
        };
        match self.random.u8(..3) {
            0 => format!("break {place} if {}", self.condition(state)),
            _ => format!("break {place}"),
        }
    }

    fn change(&mut self, state: &State) -> String {
        // When a calling statement reads its variables is up to the compiler.
        let innermost = state.frames.len().wrapping_sub(1);
        let is_here = |entity: &Entity| !matches!(entity.root, Root::Local { frame, .. } if frame != innermost);
        let leaves: Vec<_> = leaves(state).into_iter().filter(|(entity, _)| is_here(entity)).collect();
        let Some((entity, value)) = self.random.choice(&leaves) else { return "next".into() };
        let value = match value {
            Value::Int(_) | Value::Float(_) | Value::Chars(_) => self.number(state),
            _ => self.pointer(state),
        };
        let arrow = self.pick(&[" ", " ", " = ", " -> "]);
        format!("change {}{arrow}{value}", self.name(entity, state))
    }

    fn number(&mut self, state: &State) -> String {
        match self.random.u8(..4) {
            0 => self.pick(&["0", "-1", "2147483647", "-2147483648", "255", "'a'", "4294967296"]),
            1 => format!("{} + 1", self.any(state)),
            _ => self.random.i32(-3..9).to_string(),
        }
    }

    fn pointer(&mut self, state: &State) -> String {
        match self.random.u8(..5) {
            0 => "null".into(),
            1 => self.any(state),
            _ => match self.random.choice(&state.nodes) {
                Some(node) => node.id.to_string(),
                None => "n1".into(),
            },
        }
    }

    fn condition(&mut self, state: &State) -> String {
        let relation = self.pick(&["==", "!=", "<", ">=", ">", "<="]);
        let left = self.any(state);
        let right = if self.random.bool() { self.pointer(state) } else { self.number(state) };
        format!("{left} {relation} {right}")
    }

    fn expression(&mut self, state: &State) -> String {
        let (a, b) = (self.any(state), self.any(state));
        match self.random.u8(..8) {
            0 => format!("{a} + {b} * 2"),
            1 => format!("{a} == {b}"),
            2 => format!("!{a} || {b}"),
            3 => format!("*{a}"),
            4 => {
                let member = self.random.choice(&self.members).cloned().unwrap_or("x".into());
                format!("{a}->{member}")
            }
            5 => format!("{a}[1]"),
            _ => a,
        }
    }

    fn tracking(&mut self, state: &State) -> String {
        let what = match self.random.u8(..4) {
            0 => self.random.choice(&self.members).cloned().unwrap_or("all".into()),
            1 => "all".into(),
            _ => self.any(state),
        };
        format!("{} {what}", self.pick(&["track", "untrack"]))
    }

    /// Some variable, member or element.
    fn any(&mut self, state: &State) -> String {
        let leaves = leaves(state);
        match self.random.choice(&leaves) {
            Some((entity, _)) => self.name(entity, state),
            None => "x".into(),
        }
    }

    /// An entity as a user may type it.
    fn name(&mut self, entity: &Entity, state: &State) -> String {
        let innermost = state.frames.len().wrapping_sub(1);
        let root = match &entity.root {
            Root::Global(name) => name.to_string(),
            Root::Local { frame, name, .. } if *frame == innermost => name.to_string(),
            Root::Local { frame, name, .. } if self.random.bool() => format!("#{}:{name}", innermost - frame),
            Root::Local { function, name, .. } => format!("{function}:{name}"),
            Root::Node(id) => id.to_string(),
            Root::Frame { function, .. } => function.to_string(),
        };
        match (&entity.root, entity.path.strip_prefix('.')) {
            (Root::Node(_), Some(member)) => format!("{root}{}{member}", self.pick(&[".", "->", " -> "])),
            _ => format!("{root}{}", entity.path),
        }
    }
}
