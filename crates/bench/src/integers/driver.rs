//! Runs any text of a case's program on one input and says what can be seen.
//!
//! A function is called by a `main` that is put behind the program's text:
//!
//! ```c
//! int main(void) {
//!     int a[3];
//!     a[0] = __VERIFIER_nondet_longlong();
//!     …
//!     __VERIFIER_assume(a[0] >= 0 && a[0] <= 2);
//!     __auto_type wolverine_result = count(a);
//!     printf("\001result=%lld\n", (long long)(wolverine_result));
//!     return 0;
//! }
//! ```
//!
//! The values of an input are those that the interpreter gives for
//! `__VERIFIER_nondet_longlong`. So the text is read once, which takes clang
//! some 50 ms, and each input is a new start of the interpreter, which takes
//! microseconds; a crash ends the run of one input only. What the function
//! itself prints comes before the first `\001`.

use std::fmt::Write;
use std::sync::Arc;

use c_syntax::Source;
use execute::interpreter::Interpreter;
use execute::{Executor, FaultKind, RunOptions, Stop, Until};
use ir::Program;

use super::case::{Case, Input, Scalar, scalars};
use crate::BenchError;

/// Statements that a run may take; right programs take less than a tenth of it.
const LONGEST: u64 = 20_000;
/// Calls that may be inside of each other.
const DEEPEST: usize = 500;
/// Comes before each value that the driver prints.
const MARK: u8 = 1;

/// A text of a case's program, ready to run on any input.
pub struct Driver {
    program: Arc<Program>,
    /// The kinds of the numbers of standard input: whether each is a character.
    stdin: Vec<bool>,
    observes_output: bool,
    observes_status: bool,
}

/// What can be seen of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    /// The program has ended.
    Ended {
        /// What the case observes, by name: `result`, `a[0]`.
        values: Vec<(String, i128)>,
        /// What was printed, if that is observed.
        output: Vec<u8>,
        /// The exit status, if that is observed.
        status: i32,
    },
    /// An assertion failed, or the program crashed.
    Wrong {
        /// What kind of mistake it is.
        kind: FaultKind,
        /// The mistake as a sentence.
        message: String,
    },
    /// It took too long to be right.
    Endless,
    /// The input is outside of what is assumed: the run does not count.
    Outside,
}

impl Driver {
    /// Reads a text of the case's program.
    pub fn new(case: &Case, text: &str) -> Result<Driver, BenchError> {
        let program = ir::load_text(Arc::new(source(case, text)))?;
        Ok(Driver::of(case, program))
    }

    /// Reads several texts of the case's program at once, which is faster.
    pub fn several<T: AsRef<str>>(case: &Case, texts: &[T]) -> Vec<Result<Driver, BenchError>> {
        let sources: Vec<Arc<Source>> = texts.iter().map(|text| Arc::new(source(case, text.as_ref()))).collect();
        let programs = ir::load_texts(&sources).into_iter();
        programs.map(|program| Ok(Driver::of(case, program?))).collect()
    }

    fn of(case: &Case, program: Program) -> Driver {
        let observes = |what: &str| case.observe.iter().any(|observed| observed == what);
        Driver {
            program: Arc::new(program),
            stdin: scalars(&case.stdin).iter().map(|scalar| scalar.ty == "char").collect(),
            observes_output: observes("output"),
            observes_status: observes("status"),
        }
    }

    /// Runs it on one input.
    pub fn run(&self, input: &Input) -> Result<Observed, BenchError> {
        let options = RunOptions {
            arguments: input.arguments.iter().map(i128::to_string).collect(),
            input: execute::Input::Bytes(self.stdin(input)),
            nondet: [input.parameters.as_slice(), &input.nondet].concat(),
            max_steps: LONGEST,
            max_depth: DEEPEST,
            ..RunOptions::default()
        };
        let mut interpreter = Interpreter::start(self.program.clone(), &options)?;
        if interpreter.position().step().is_some() {
            interpreter.resume(&Until::End, &Default::default())?;
        }
        match interpreter.position().clone() {
            Stop::Exited(status) => Ok(self.ended(status, &interpreter.output()?)),
            Stop::Fault(fault) if fault.kind == FaultKind::Assumption => Ok(Observed::Outside),
            Stop::Fault(fault) => Ok(Observed::Wrong { kind: fault.kind, message: fault.message }),
            Stop::Step(_) | Stop::Interrupted => Ok(Observed::Endless),
        }
    }

    fn stdin(&self, input: &Input) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (value, is_character) in input.stdin.iter().zip(&self.stdin) {
            match is_character {
                true => bytes.push(*value as u8),
                false => bytes.extend(format!("{value} ").bytes()),
            }
        }
        bytes
    }

    fn ended(&self, status: i32, written: &[u8]) -> Observed {
        let mut parts = written.split(|byte| *byte == MARK);
        let output = parts.next().filter(|_| self.observes_output).unwrap_or_default().to_vec();
        let status = if self.observes_status { status } else { 0 };
        Observed::Ended { values: parts.filter_map(value).collect(), output, status }
    }
}

impl Observed {
    /// Whether it is what a right program does: the same where there is one, otherwise no mistake.
    pub fn is_as(&self, right: Option<&Observed>) -> bool {
        match (self, right) {
            (_, Some(Observed::Outside)) => true,
            (_, Some(right)) => self == right,
            (_, None) => matches!(self, Observed::Ended { .. } | Observed::Outside),
        }
    }
}

/// A line `name=5`, as the driver prints it.
fn value(line: &[u8]) -> Option<(String, i128)> {
    let line = std::str::from_utf8(line).ok()?;
    let (name, value) = line.trim_end().rsplit_once('=')?;
    Some((name.to_string(), value.parse().ok()?))
}

fn source(case: &Case, text: &str) -> Source {
    Source::new(case.folder.join("driver.c"), driver_text(case, text).into_bytes())
}

/// The program's text with the `main` that calls it; a whole program stays as it is.
pub fn driver_text(case: &Case, text: &str) -> String {
    if case.entry == "main" {
        return text.to_string();
    }
    let mut driver = format!(
        "{text}\nextern int printf(const char *, ...);\nextern void __VERIFIER_assume(int);\n\
         extern long long __VERIFIER_nondet_longlong(void);\n\nint main(void)\n{{\n"
    );
    for unknown in &case.parameters {
        line(&mut driver, &format!("{};", unknown.declaration()));
        for Scalar { place, .. } in unknown.scalars() {
            line(&mut driver, &format!("{place} = __VERIFIER_nondet_longlong();"));
        }
    }
    for condition in &case.assume {
        line(&mut driver, &format!("__VERIFIER_assume({condition});"));
    }
    line(&mut driver, &call(case));
    for name in case.observe.iter().flat_map(|what| observed(case, what)) {
        let read = if is_result(&name) { format!("wolverine_{name}") } else { name.clone() };
        line(&mut driver, &format!("printf(\"\\{MARK:03o}{name}=%lld\\n\", (long long)({read}));"));
    }
    line(&mut driver, "return 0;");
    driver + "}\n"
}

fn line(driver: &mut String, text: &str) {
    writeln!(driver, "    {text}").expect("a string takes everything");
}

fn call(case: &Case) -> String {
    let names: Vec<&str> = case.parameters.iter().map(|unknown| unknown.name.as_str()).collect();
    let has_result = case.observe.iter().any(|what| is_result(what));
    let keep = if has_result { "__auto_type wolverine_result = " } else { "" };
    format!("{keep}{}({});", case.entry, names.join(", "))
}

fn is_result(what: &str) -> bool {
    what == "result" || what.starts_with("result.")
}

/// The values that belong to what is observed: all elements of an array, nothing for the output.
fn observed(case: &Case, what: &str) -> Vec<String> {
    match case.parameters.iter().find(|unknown| unknown.name == what) {
        Some(unknown) => unknown.scalars().into_iter().map(|scalar| scalar.place).collect(),
        None if matches!(what, "output" | "status") => Vec::new(),
        None => vec![what.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::super::case::Specification;
    use super::*;

    fn case() -> Case {
        let text = r#"{
            "about": "", "entry": "put", "specification": "reference", "unwind": 1, "level": 1, "size": 1, "fault": "",
            "parameters": [
                {"name": "a", "type": "short", "dimensions": [2], "from": 0, "to": 1},
                {"name": "i", "type": "int", "values": [-1, 1, 3]}
            ],
            "assume": ["i < 3"], "observe": ["result", "a", "output"], "changes": []
        }"#;
        serde_json::from_str(text).expect("a case")
    }

    const TEXT: &str = r#"
int printf(const char *, ...);
int put(short a[], int i) { a[i] += 3; printf("<%d>", i); return a[0] == a[1]; }
"#;

    #[test]
    fn all_inputs_are_made() {
        let inputs = case().inputs();
        assert_eq!(inputs.len(), 12);
        assert_eq!(inputs[0].parameters, [0, 0, -1]);
        assert_eq!(inputs[11].parameters, [1, 1, 3]);
        assert_eq!(case().specification, Specification::Reference);
    }

    #[test]
    fn everything_that_is_observed_is_told() {
        let driver = Driver::new(&case(), TEXT).expect("C");
        let input = |values: [i128; 3]| Input { parameters: values.to_vec(), ..Input::default() };
        let values = [("result", 0), ("a[0]", 1), ("a[1]", 3)].map(|(name, value)| (name.to_string(), value));
        let ended = Observed::Ended { values: values.to_vec(), output: b"<1>".to_vec(), status: 0 };
        assert_eq!(driver.run(&input([1, 0, 1])).expect("it runs"), ended);
        assert_eq!(driver.run(&input([1, 0, 3])).expect("it runs"), Observed::Outside);
        let wrong = driver.run(&input([1, 0, -1])).expect("it runs");
        assert!(matches!(wrong, Observed::Wrong { kind: FaultKind::OutOfBounds, .. }), "{wrong:?}");
        assert!(!wrong.is_as(None) && !wrong.is_as(Some(&ended)) && wrong.is_as(Some(&Observed::Outside)));
    }

    #[test]
    fn endless_programs_are_stopped() {
        for body in ["for (;;) { }", "return put(a, i);"] {
            let text = format!("int put(short a[], int i) {{ {body} }}");
            let driver = Driver::new(&case(), &text).expect("C");
            let input = Input { parameters: vec![0, 0, 1], ..Input::default() };
            let seen = driver.run(&input).expect("it runs");
            assert!(!seen.is_as(None), "{seen:?}");
        }
    }
}
