//! Programs that stand still: the only use of an executor in these tests.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use c_syntax::Source;
use execute::interpreter::Interpreter;
use execute::{Executor, RunOptions, Stop, Until};
use expression::{Scope, parse};
use ir::{Program, StepId};
use memory::{Entity, State, Value};

/// A program at a statement.
pub struct Moment {
    pub program: Arc<Program>,
    pub state: State,
}

/// Runs a program up to the line with `/* stop */`.
pub fn stopped(text: &str) -> Moment {
    running(text).0
}

/// The same, with the executor, to write to the program's memory.
pub fn running(text: &str) -> (Moment, Interpreter) {
    let source = Arc::new(Source::new(Path::new("test.c"), text.as_bytes().to_vec()));
    let program = Arc::new(ir::load_text(source).expect("the program is C"));
    let line = text.lines().position(|line| line.contains("/* stop */")).expect("a place to stop") as u32 + 1;
    let options = RunOptions { arguments: vec!["one".into()], ..RunOptions::default() };
    let mut interpreter = Interpreter::start(program.clone(), &options).expect("it starts");
    let wanted = steps_of_line(&program, line);
    let mut stop = interpreter.position().clone();
    if !stop.step().is_some_and(|step| wanted.contains(&step)) {
        stop = interpreter.resume(&Until::End, &wanted).expect("it runs");
    }
    assert!(matches!(stop, Stop::Step(_)), "{stop:?}");
    let state = interpreter.state().expect("it stands still");
    (Moment { program, state }, interpreter)
}

/// The statements of a line.
pub fn steps_of_line(program: &Program, line: u32) -> BTreeSet<StepId> {
    let steps = program.steps.iter().enumerate().filter(|(_, step)| step.line == line);
    steps.map(|(i, _)| StepId(i as u32)).collect()
}

impl Moment {
    /// The innermost call.
    pub fn scope(&self) -> Scope<'_> {
        Scope { program: &self.program, state: &self.state, frame: self.state.frames.len() - 1 }
    }

    /// An expression's value and type, or what is said of it.
    pub fn print(&self, text: &str) -> String {
        let typed = parse(text).and_then(|expression| expression.evaluate(&self.scope()));
        typed.map_or_else(|error| error.message, |typed| format!("{}: {}", typed.value, typed.type_name))
    }

    /// Writes what an expression names, as `change` does.
    pub fn write(&mut self, interpreter: &mut Interpreter, entity: &Entity, value: &Value) -> Result<(), String> {
        interpreter.write(entity, value).map_err(|error| error.to_string())?;
        self.state = interpreter.state().expect("it stands still");
        Ok(())
    }
}

/// `examples/reverse.c` before the condition of the loop in `reverse`.
pub fn reversal() -> String {
    let text = include_str!("../../../../examples/reverse.c");
    text.replace("while (temp1 != NULL) {", "/* stop */ while (temp1 != NULL) {")
}

/// A program with one of everything, in a call of `work` from `main`.
pub static ZOO: LazyLock<Moment> = LazyLock::new(|| stopped(include_str!("zoo.c")));
