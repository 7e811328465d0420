//! One program on one input: what the formula says, and what the interpreter does.

use std::path::PathBuf;
use std::sync::Arc;

use c_syntax::Source;
use check::{Example, Ran, Side};
use encode::program::{Bounds, Inputs, Printed, Request, Unfolded, ViolationKind, unfold};
use execute::FaultKind;
use solver::{Model, Term, Terms};

use crate::generate::Random;

/// Values that a run may take from outside; more than any run takes.
const MOST_VALUES: usize = 64;

/// Reads texts together.
pub fn read(texts: &[String]) -> Vec<Side> {
    let sources: Vec<Arc<Source>> =
        texts.iter().map(|text| Arc::new(Source::new("random.c", text.as_bytes().to_vec()))).collect();
    let side = |(unit, text): (Result<c_syntax::Unit, c_syntax::ParseError>, &String)| {
        let unit = unit.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        side_of(unit, text.len())
    };
    c_syntax::with_deep_stack(|| c_syntax::parse_texts(&sources).into_iter().zip(texts).map(side).collect())
}

/// Reads texts that may be no C.
pub fn read_some(texts: &[String]) -> Vec<Option<Side>> {
    let sources: Vec<Arc<Source>> =
        texts.iter().map(|text| Arc::new(Source::new("random.c", text.as_bytes().to_vec()))).collect();
    let units = c_syntax::with_deep_stack(|| c_syntax::parse_texts(&sources));
    units.into_iter().zip(texts).map(|(unit, text)| Some(side_of(unit.ok()?, text.len()))).collect()
}

fn side_of(unit: c_syntax::Unit, own: usize) -> Side {
    let program = Arc::new(ir::lower(unit.clone()));
    let entry = program.function_named("main").expect("there is a `main`");
    Side { path: PathBuf::from("random.c"), unit: Arc::new(unit), program, entry, own, given: vec![] }
}

/// A program with its formula.
pub struct Subject {
    pub side: Side,
    pub terms: Terms,
    pub inputs: Inputs,
    pub unfolded: Unfolded,
}

/// How a comparison ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Both say the same: it ended.
    Ended,
    /// Both say the same: it went wrong.
    Wrong(ViolationKind),
    /// Both say that an assumption does not hold.
    Ignored,
    /// Past the bound.
    Unwound,
    /// Not modelled.
    Unmodelled(String),
    /// They disagree.
    Disagree(String),
}

impl Subject {
    /// Unfolds a program, if it is not too large for many of its kind.
    pub fn new(side: Side, unwind: u32, define: bool) -> Option<Subject> {
        let (mut terms, mut inputs) = (Terms::new(), Inputs::default());
        let bounds = Bounds { unwind, actions: 20_000, terms: 60_000 };
        let request =
            Request { program: &side.program, entry: side.entry, bounds, arguments: 1, define, selectors: &[] };
        let unfolded = unfold(&request, &mut terms, &mut inputs).ok()?;
        Some(Subject { side, terms, inputs, unfolded })
    }

    /// The same inputs for the formula and for the interpreter.
    pub fn inputs(&self, random: &mut Random) -> (Model, Example) {
        let mut model = Model::new();
        let mut nondet = vec![0; MOST_VALUES];
        for input in &self.inputs.all {
            let variables = self.terms.variables(&[input.term]);
            let mask = if input.width == 64 { u64::MAX } else { (1 << input.width) - 1 };
            model.set(variables[0], random.input() as u64 & mask);
            let value = self.terms.evaluate(input.term, &model);
            nondet[input.number as usize] = if input.signed { i128::from(value as i64) } else { i128::from(value) };
        }
        for definition in &self.unfolded.definitions {
            let value = self.terms.evaluate(definition.value, &model);
            model.set(definition.variable, value);
        }
        (model, Example { nondet, ..Example::default() })
    }

    /// Compares one run.
    pub fn compare(&self, model: &Model, example: &Example) -> Compared {
        let ran = check::run(&self.side, example);
        let holds = |when: &Term| model.holds(&self.terms, *when);
        let unfolded = &self.unfolded;
        // A run that goes wrong goes on with arbitrary values, so what goes wrong first counts.
        let violations: Vec<Term> = unfolded.violations.iter().map(|violation| violation.when).collect();
        let values = self.terms.evaluate_all(&violations, model);
        let first = unfolded.violations.iter().zip(values).find(|(_, value)| *value == 1).map(|found| found.0);
        if let Some(one) = unfolded.unmodelled.iter().find(|one| holds(&one.when)) {
            return Compared::Unmodelled(one.what.clone());
        }
        if unfolded.unwound.iter().any(|one| holds(&one.when)) {
            return Compared::Unwound;
        }
        let program = &self.side.program;
        let source = &program.source;
        match (ran, first) {
            (Ran::Wrong(fault), Some(first)) => {
                let place = |span: Option<c_syntax::Span>| {
                    span.map_or("nowhere".into(), |span| format!("line {} `{}`", source.line(span.start), source.text(span)))
                };
                let same_place = fault.span.is_some_and(|span| span.start < first.span.end && first.span.start < span.end);
                if kind_of(fault.kind) != Some(first.kind) || fault.step != first.step || !same_place {
                    return Compared::Disagree(format!(
                        "the interpreter: {:?} at {} ({}), step {:?}; the formula: {:?} at {}, step {:?}",
                        fault.kind,
                        place(fault.span),
                        fault.message,
                        fault.step,
                        first.kind,
                        place(Some(first.span)),
                        first.step,
                    ));
                }
                Compared::Wrong(first.kind)
            }
            (Ran::Wrong(fault), None) => {
                let line = fault.span.map_or(0, |span| source.line(span.start));
                Compared::Disagree(format!("only the interpreter: {:?} in line {line}: {}", fault.kind, fault.message))
            }
            (other, Some(first)) => Compared::Disagree(format!(
                "only the formula: {:?} in line {} `{}`; the interpreter: {other:?}",
                first.kind,
                source.line(first.span.start),
                source.text(first.span),
            )),
            (Ran::Ignored, None) if !holds(&unfolded.assumed) => Compared::Ignored,
            (Ran::Ended { status, output }, None) if holds(&unfolded.assumed) => self.ended(model, status, &output),
            (other, None) => {
                Compared::Disagree(format!("assumed: {}; the interpreter: {other:?}", holds(&unfolded.assumed)))
            }
        }
    }

    fn ended(&self, model: &Model, status: i32, output: &[u8]) -> Compared {
        let printed = self.output(model);
        if printed != output {
            let (ours, theirs) = (String::from_utf8_lossy(&printed), String::from_utf8_lossy(output));
            return Compared::Disagree(format!("the formula prints {ours:?}, the interpreter {theirs:?}"));
        }
        let ends: Vec<u64> = (self.unfolded.ends.iter())
            .filter(|(when, _)| model.holds(&self.terms, *when))
            .map(|(_, status)| self.terms.evaluate(*status, model) & 0xff)
            .collect();
        if ends != [status as u64 & 0xff] {
            return Compared::Disagree(format!("the formula ends with {ends:?}, the interpreter with {status}"));
        }
        Compared::Ended
    }

    fn output(&self, model: &Model) -> Vec<u8> {
        let mut printed = vec![];
        for (when, item) in &self.unfolded.output.items {
            if !model.holds(&self.terms, *when) {
                continue;
            }
            match item {
                Printed::Byte(byte) => printed.push(self.terms.evaluate(*byte, model) as u8),
                Printed::Number(number, how) => {
                    let value = self.terms.evaluate(*number, model);
                    let text = match how.as_str() {
                        "d" => (value as i64).to_string(),
                        "5d" => format!("{:5}", value as i64),
                        "u" => value.to_string(),
                        "x" => format!("{value:x}"),
                        other => panic!("%{other} is not generated"),
                    };
                    printed.extend(text.as_bytes());
                }
            }
        }
        printed
    }
}

fn kind_of(kind: FaultKind) -> Option<ViolationKind> {
    Some(match kind {
        FaultKind::Null => ViolationKind::Null,
        FaultKind::Dangling => ViolationKind::Dangling,
        FaultKind::OutOfBounds => ViolationKind::OutOfBounds,
        FaultKind::Uninitialised => ViolationKind::Uninitialised,
        FaultKind::DoubleFree | FaultKind::InvalidFree => ViolationKind::Free,
        FaultKind::DivisionByZero => ViolationKind::Division,
        FaultKind::Assert => ViolationKind::Assertion,
        FaultKind::Abort => ViolationKind::Abort,
        FaultKind::Shift => ViolationKind::Shift,
        _ => return None,
    })
}
