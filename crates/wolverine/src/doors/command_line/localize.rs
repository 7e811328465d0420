//! `wolverine localize`: where the fault can be, after a debug session.

use std::io::Write;

use c_syntax::Span;
use clap::ValueEnum;
use encode::{Model, Place, SlotPlace};
use localize::{Ranking, Reach, Suspicious};
use serde_json::{Value, json};
use session::{Command, statement_text};

use super::bounded::BoundedArguments;
use super::diagnosis::{self, DiagnosisArguments};
use super::evidence::{self, TestArguments};
use super::must;
use super::script::{self, Line, Runner, ScriptArguments, Trouble};
use super::{Answer, Outcome};

#[derive(clap::Args)]
pub(super) struct LocalizeArguments {
    #[command(flatten)]
    target: ScriptArguments,
    /// How: gradient needs --script; must and diagnosis need assertions, a contract or a --reference; evidence a contract
    #[arg(long, value_enum)]
    method: Option<Method>,
    #[command(flatten)]
    bounded: BoundedArguments,
    #[command(flatten)]
    diagnosis: DiagnosisArguments,
    #[command(flatten)]
    tests: TestArguments,
    /// Inputs that go wrong to look at (must: 3, diagnosis: 2)
    #[arg(long, value_name = "N")]
    counterexamples: Option<usize>,
    /// Expressions at once, at most (diagnosis)
    #[arg(long, value_name = "K", default_value_t = 2)]
    max_size: usize,
    /// Only in these functions (diagnosis)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    function: Vec<String>,
    /// Text shows every place in the source; json is one object (docs/json.md)
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// What a run did against what a session asserted along it
    Gradient,
    /// Statements of which every repair must change one
    Must,
    /// Sets of expressions that can be replaced so that failing inputs go well
    Diagnosis,
    /// Where a failing run contradicts the contract of its function
    Evidence,
}

pub(super) fn run(arguments: &LocalizeArguments) -> Outcome {
    let bounded = arguments.bounded.for_contract(&arguments.target.file, &arguments.function);
    let is_bounded = arguments.target.script.is_none() && bounded.is_given();
    let method = arguments.method.unwrap_or(if is_bounded { Method::Must } else { Method::Gradient });
    match method {
        Method::Gradient => script::conclude(work(arguments)),
        Method::Evidence => {
            let (task, _) =
                evidence::load(&bounded, &arguments.target.file, &arguments.function, arguments.target.timeout)?;
            let tests = arguments.tests.load(&task)?;
            evidence::run(&task, &tests, arguments.format == Format::Json)
        }
        Method::Must => {
            let task = bounded.load(&arguments.target.file, arguments.target.timeout)?;
            must::run(&task, arguments.counterexamples.unwrap_or(3), arguments.format == Format::Json)
        }
        Method::Diagnosis => {
            let timeout = arguments.target.timeout;
            let task = bounded.load(&arguments.target.file, timeout)?;
            let wanted = arguments.diagnosis.wanted(arguments.max_size, &arguments.function, timeout);
            diagnosis::run(&task, &wanted, arguments.counterexamples, arguments.format == Format::Json)
        }
    }
}

fn work(arguments: &LocalizeArguments) -> Result<Answer, Trouble> {
    let (mut runner, lines) = Runner::new(&arguments.target)?;
    // What each command was that `undo` would take back: run, or left out.
    let mut undoable = Vec::new();
    for line in &lines {
        match &line.command {
            command if is_left_out(command) => {
                leave_out(&runner, line);
                undoable.extend(matches!(command, Command::Repair(_) | Command::Pick(_)).then_some(false));
            }
            Command::Undo => {
                if undoable.pop() != Some(false) {
                    runner.run(line)?;
                }
            }
            _ => undoable.extend(runner.run(line)?.changed.then_some(true)),
        }
    }
    let (model, ranking) = runner.suspicious()?;
    runner.rest();
    match arguments.format {
        Format::Text => text(&model, &ranking)?,
        Format::Json => writeln!(std::io::stdout(), "{:#}", to_json(&model, &ranking))?,
    }
    Ok(Answer::Yes)
}

/// Commands that only say, repair or write something.
fn is_left_out(command: &Command) -> bool {
    use Command::{Candidates, Localize, Pick, Repair, Rewrite, Save, Show};
    matches!(command, Localize | Repair(_) | Candidates | Pick(_) | Rewrite(_) | Save(_) | Show(Some(_)))
}

fn leave_out(runner: &Runner, line: &Line) {
    if matches!(line.command, Command::Rewrite(_) | Command::Save(_) | Command::Show(_)) {
        runner.note(line, "is left out, as it writes a file");
    }
}

/// Where a place is in the source, and what is there.
fn locate(model: &Model, place: Place) -> (Span, &'static str) {
    match place {
        Place::Step(step) => {
            let is_condition = model.code.steps[step.index()].is_condition;
            (model.program.step(step).span, if is_condition { "condition" } else { "statement" })
        }
        Place::Slot(slot) => match model.code.slots[slot.0 as usize].place {
            SlotPlace::Before(span) => (span, "insertion"),
            SlotPlace::AtEnd(brace) => (Span { start: brace, end: brace + 1 }, "insertion"),
            SlotPlace::Instead(span) => (span, "insertion"),
        },
    }
}

fn text(model: &Model, ranking: &Ranking) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if ranking.places.is_empty() {
        return writeln!(out, "everything that is asserted holds; no statement is suspicious");
    }
    let told = ranking.told();
    let steps = told.iter().filter(|found| matches!(found.place, Place::Step(_))).count();
    let all = ranking.considered;
    writeln!(out, "{steps} of {all} statements are suspicious; the most suspicious first:")?;
    for found in &told {
        let (span, kind) = locate(model, found.place);
        let missing = if kind == "insertion" { "a statement may be missing before this: " } else { "" };
        let mut reasons = found.reasons.iter();
        let first = reasons.next().map_or_else(String::new, |reason| format!("{missing}{reason}"));
        writeln!(out, "\n{}", model.program.source.caret(span, &first))?;
        reasons.try_for_each(|reason| writeln!(out, "  also: {reason}"))?;
    }
    match ranking.places.len() - told.len() {
        0 => Ok(()),
        rest => writeln!(out, "\ntogether with others, {rest} more places could be part of a repair"),
    }
}

fn to_json(model: &Model, ranking: &Ranking) -> Value {
    let one = |(i, found): (usize, &Suspicious)| {
        let (span, kind) = locate(model, found.place);
        let (source, program) = (&model.program.source, &model.program);
        let (line, column) = source.line_column(span.start);
        let (text, function) = match found.place {
            Place::Step(step) => (statement_text(program, step), program.step(step).function),
            Place::Slot(slot) => (String::new(), model.code.slots[slot.0 as usize].function),
        };
        let reach = match found.reach {
            Reach::Trace => "everything",
            Reach::Segment => "one-state",
            Reach::Part => "some-facts",
            Reach::Together => "with-others",
        };
        json!({
            "rank": i + 1, "kind": kind, "line": line, "column": column, "text": text,
            "function": &*program.function(function).name, "score": found.score, "reach": reach,
            "reasons": found.reasons.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    };
    json!({
        "schema": 1,
        "file": model.program.source.path.display().to_string(),
        "considered": ranking.considered,
        "places": ranking.places.iter().enumerate().map(one).collect::<Vec<_>>(),
    })
}
