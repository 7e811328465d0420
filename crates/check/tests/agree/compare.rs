//! One program on one input: what the formula says, and what the interpreter does.

use std::path::PathBuf;
use std::sync::Arc;

use c_syntax::Source;
use check::{Example, Ran, Side};
use encode::program::{Bounds, Inputs, Open, Printed, Request, Unfolded, ViolationKind, unfold};
use execute::FaultKind;
use solver::{Model, Term, Terms, Values};

use crate::generate::Random;

/// Values that a run may take from outside; more than any run takes.
const MOST_VALUES: usize = 64;

/// Reads texts together; `None` for one that is no C.
pub fn read(texts: &[String]) -> Vec<Option<(c_syntax::Unit, ir::Program)>> {
    let sources: Vec<Arc<Source>> =
        texts.iter().map(|text| Arc::new(Source::new("random.c", text.as_bytes().to_vec()))).collect();
    let lower = |unit: Result<c_syntax::Unit, _>| unit.ok().map(|unit| (unit.clone(), ir::lower(unit)));
    c_syntax::with_deep_stack(|| c_syntax::parse_texts(&sources).into_iter().map(lower).collect())
}

/// The program of a text that begins at the function `name`.
pub fn side(unit: &c_syntax::Unit, program: &ir::Program, name: &str) -> Option<Side> {
    let mut program = program.clone();
    let entry = program.function_named(name)?;
    program.functions[entry.index()].name = "main".into();
    let own = program.source.bytes.len();
    let (unit, program) = (Arc::new(unit.clone()), Arc::new(program));
    Some(Side {
        path: PathBuf::from("random.c"),
        unit,
        program,
        entry,
        own,
        given: vec![],
        parts: vec![],
        instead: vec![],
    })
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
        let request = Request {
            program: &side.program,
            entry: side.entry,
            bounds,
            arguments: 1,
            until: None,
            define,
            open: Open::default(),
        };
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
        (model, Example { nondet, ..Example::default() })
    }

    /// Compares one run.
    pub fn compare(&self, model: &Model, example: &Example) -> Compared {
        let ran = check::run(&self.side, example);
        let values = self.values(model);
        let holds = |when: &Term| values.of(*when) == 1;
        let unfolded = &self.unfolded;
        // A run that goes wrong goes on with arbitrary values, so what goes wrong first counts.
        let first = unfolded.violations.iter().find(|violation| holds(&violation.when));
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
                    span.map_or("nowhere".into(), |span| {
                        format!("line {} `{}`", source.line(span.start), source.text(span))
                    })
                };
                let same_place =
                    fault.span.is_some_and(|span| span.start < first.span.end && first.span.start < span.end);
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
            (Ran::Ended { status, output }, None) if holds(&unfolded.assumed) => self.ended(&values, status, &output),
            (other, None) => {
                Compared::Disagree(format!("assumed: {}; the interpreter: {other:?}", holds(&unfolded.assumed)))
            }
        }
    }

    /// The values of everything that is looked at.
    fn values(&self, model: &Model) -> Values {
        let unfolded = &self.unfolded;
        let mut roots = vec![unfolded.assumed];
        roots.extend(unfolded.violations.iter().chain(&unfolded.unwound).map(|violation| violation.when));
        roots.extend(unfolded.unmodelled.iter().map(|one| one.when));
        roots.extend(unfolded.ends.iter().flat_map(|(when, status)| [*when, *status]));
        for (when, item) in &unfolded.output.items {
            let (Printed::Byte(term) | Printed::Number(term, _)) = item;
            roots.extend([*when, *term]);
        }
        let meanings = unfolded.definitions.iter().map(|one| (one.variable, one.value)).collect();
        self.terms.values(&roots, model, &meanings)
    }

    fn ended(&self, values: &Values, status: i32, output: &[u8]) -> Compared {
        let printed = self.output(values);
        if printed != output {
            let (ours, theirs) = (String::from_utf8_lossy(&printed), String::from_utf8_lossy(output));
            return Compared::Disagree(format!("the formula prints {ours:?}, the interpreter {theirs:?}"));
        }
        let ends: Vec<u64> = (self.unfolded.ends.iter())
            .filter(|(when, _)| values.of(*when) == 1)
            .map(|(_, status)| values.of(*status) & 0xff)
            .collect();
        if ends != [status as u64 & 0xff] {
            return Compared::Disagree(format!("the formula ends with {ends:?}, the interpreter with {status}"));
        }
        Compared::Ended
    }

    fn output(&self, values: &Values) -> Vec<u8> {
        let mut printed = vec![];
        for (when, item) in &self.unfolded.output.items {
            if values.of(*when) == 0 {
                continue;
            }
            match item {
                Printed::Byte(byte) => printed.push(values.of(*byte) as u8),
                Printed::Number(number, how) => {
                    let value = values.of(*number);
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
