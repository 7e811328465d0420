//! `wolverine check`: a program holds for all inputs up to a bound, or a counterexample.

use std::io::Write;
use std::path::PathBuf;

use ::check::{Beyond, Counterexample, Failure as Wrong, PartKind, Proof, Task, Verdict, check};
use clap::ValueEnum;
use serde_json::{Value, json};

use super::bounded::BoundedArguments;
use super::{Answer, Failure, Outcome};

#[derive(clap::Args)]
pub(super) struct CheckArguments {
    /// The C file
    file: PathBuf,
    #[command(flatten)]
    bounded: BoundedArguments,
    /// The same as --entry
    #[arg(long, value_name = "FUNC", conflicts_with = "entry")]
    function: Option<String>,
    /// Seconds for solving (60 without it)
    #[arg(long, value_name = "S")]
    timeout: Option<f64>,
    /// Text for people; json is one object (docs/json.md)
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Compiles the program and runs the counterexample on the real binary
    #[arg(long)]
    replay: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(super) fn run(arguments: &CheckArguments) -> Outcome {
    let bounded = arguments.bounded.with_entry(arguments.function.as_ref());
    let task = bounded.load(&arguments.file, arguments.timeout)?;
    let verdict = check(&task);
    if matches!(verdict, Verdict::Nothing) {
        return Err(nothing());
    }
    let replayed = match &verdict {
        Verdict::Fails(found) if arguments.replay => Some(::check::replay(&task, &found.example)),
        _ => None,
    };
    match arguments.format {
        Format::Text => text(&task, &verdict, replayed.as_ref())?,
        Format::Json => writeln!(std::io::stdout(), "{:#}", to_json(&task, &verdict, replayed.as_ref()))?,
    }
    Ok(match verdict {
        Verdict::Holds(proof) if proof.is_whole() => Answer::Yes,
        Verdict::Fails(_) => Answer::No,
        _ => Answer::Limit,
    })
}

/// There is nothing to check against.
pub(super) fn nothing() -> Failure {
    Failure(
        "nothing to check against: no run comes to an assertion or to an access that could go wrong; write assert(…) \
         where something must hold, give a right program with --reference, or more arguments with --argc"
            .into(),
    )
}

type Replayed = Result<::check::Native, String>;

fn text(task: &Task, verdict: &Verdict, replayed: Option<&Replayed>) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match verdict {
        Verdict::Holds(proof) => writeln!(out, "{}", proved(task, proof)),
        Verdict::Fails(found) => {
            failure(&mut out, task, found)?;
            match replayed {
                Some(Ok(native)) => writeln!(out, "\nthe real binary: {}", native.sentence()),
                Some(Err(why)) => writeln!(out, "\nthe real binary could not be run: {why}"),
                None => Ok(()),
            }
        }
        Verdict::BoundTooSmall(beyond) => writeln!(out, "{}", too_small(task, beyond)),
        Verdict::OutOfTime(sentence) => writeln!(out, "not decided: {sentence}"),
        Verdict::Nothing => Ok(()),
    }
}

fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// What was proved, as a sentence.
pub(super) fn proved(task: &Task, proof: &Proof) -> String {
    let rounds = proof.unwind;
    let what = match (&task.reference, &task.contract) {
        (Some(_), _) => "equal to the reference".into(),
        (None, Some(_)) => {
            format!(
                "the contract is met and no access is wrong, for all arrays up to length {}",
                task.options.contract_length
            )
        }
        _ => "no assertion fails and no access is wrong".to_string(),
    };
    if proof.no_input {
        return no_input(task);
    }
    let verdict = if proof.is_whole() { "holds" } else { "not proved, but nothing else was found" };
    let mut sentence = format!("{verdict}: {what}, for all inputs up to {rounds} rounds of each loop");
    if let Some(arguments) = proof.arguments {
        sentence += &format!("\nwith {} on the command line (--argc changes that)", counted(arguments - 1, "argument"));
    }
    if let Some(longest) = proof.longest_word {
        sentence += &format!("\nwith words of up to {} in standard input", counted(longest, "character"));
    }
    if proof.left_out {
        sentence += "\nleft out: inputs with which the reference itself does something undefined";
    }
    if proof.reference_beyond {
        sentence += "\nleft out: inputs with which the reference goes on past the bound";
    }
    let sides = [(&proof.unmodelled, Some(&task.program)), (&proof.reference_unmodelled, task.reference.as_ref())];
    for (unmodelled, side) in sides {
        for one in unmodelled {
            let message = format!("nothing is proved of runs that come here: {}", one.what);
            let place = side.map(|side| side.source().caret(one.span, &message));
            sentence += &format!("\n{}", place.unwrap_or(message));
        }
    }
    if let Some(why) = &proof.unconfirmed {
        sentence += &format!("\nnot proved: the formula has counterexamples that could not be confirmed ({why})");
    }
    sentence
}

/// That the precondition contradicts itself.
fn no_input(task: &Task) -> String {
    let message = "nothing is proved: no input satisfies what is required, up to the bound";
    let first = task
        .contract
        .as_ref()
        .and_then(|resolved| resolved.contract.requires.iter().map(|clause| clause.span).reduce(c_syntax::Span::to));
    match first {
        Some(span) => task.program.source().caret(span, message),
        None => message.into(),
    }
}

pub(super) fn too_small(task: &Task, beyond: &Beyond) -> String {
    let message = format!(
        "{} goes on past the bound of {} rounds; try a larger --unwind",
        beyond.violation.about, task.options.bounds.unwind
    );
    let mut lines = vec![task.program.source().caret(beyond.violation.span, &message)];
    lines.push("nothing goes wrong up to there; it goes on with".into());
    lines.extend(beyond.example.lines(&task.program).into_iter().map(|line| format!("  {line}")));
    lines.join("\n")
}

fn failure(out: &mut impl Write, task: &Task, found: &Counterexample) -> std::io::Result<()> {
    let program = &task.program.program;
    match &found.failure {
        Wrong::Fault(fault) => writeln!(out, "{}", explained(task, fault))?,
        Wrong::Endless => writeln!(out, "{}: the program does not end", program.source.path.display())?,
        Wrong::Different { got, expected } => {
            writeln!(out, "{}: the program differs from its reference", program.source.path.display())?;
            differences(out, got, expected)?;
        }
    }
    writeln!(out, "\nwith these inputs:")?;
    for line in found.example.lines(&task.program) {
        writeln!(out, "  {line}")?;
    }
    let table = run_table(task, found);
    if !table.is_empty() {
        writeln!(out, "\nthe statements that matter, in the order of the run:")?;
        for row in table {
            let text = row.step.map_or(row.text.clone(), |step| session::statement_text(program, step));
            let line = if row.line == 0 { String::new() } else { row.line.to_string() };
            writeln!(out, "{:>6}  {:<50}  {}", line, one_line(&text), row.effect)?;
        }
    }
    Ok(())
}

/// A fault with its place: that of a clause of the contract, if it is one.
pub(super) fn explained(task: &Task, fault: &execute::Fault) -> String {
    let source = task.program.source();
    let span = fault.span.or(fault.step.map(|step| task.program.program.step(step).span));
    let part = span.and_then(|span| task.program.part_at(span));
    let Some(part) = part else { return super::report::fault(&task.program.program, fault) };
    let message = match (fault.kind, part.kind) {
        (execute::FaultKind::Assert, PartKind::Ensures) => "the function does not ensure this".into(),
        (execute::FaultKind::Assert, PartKind::Assigns) => "the function changes something else than this".into(),
        (execute::FaultKind::Assert, PartKind::Requires) => "a call does not meet what this function requires".into(),
        _ => format!("the contract itself goes wrong here: {}", fault.message),
    };
    source.caret(part.clause, &message)
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > 50 { line.chars().take(49).chain(['…']).collect() } else { line }
}

/// Where two outputs differ, line by line.
fn differences(out: &mut impl Write, got: &(Vec<u8>, i32), expected: &(Vec<u8>, i32)) -> std::io::Result<()> {
    let [ours, theirs] = [got, expected].map(|(output, _)| String::from_utf8_lossy(output).into_owned());
    let (ours, theirs): (Vec<&str>, Vec<&str>) = (ours.lines().collect(), theirs.lines().collect());
    for i in 0..ours.len().max(theirs.len()) {
        let [a, b] = [&ours, &theirs].map(|lines| lines.get(i).copied());
        if a != b {
            let [a, b] = [a, b].map(|line| line.map_or("nothing more".into(), |line| format!("`{line}`")));
            writeln!(out, "  {a}, but the reference {b}")?;
        }
    }
    if got.1 != expected.1 {
        writeln!(out, "  exit status {}, but the reference {}", got.1, expected.1)?;
    }
    Ok(())
}

/// The run, without statements that what goes wrong does not depend on.
fn run_table(task: &Task, found: &Counterexample) -> Vec<::check::Row> {
    let slice = localize::must_slice(task, std::slice::from_ref(&found.example)).unwrap_or_default();
    let is_failing = |step: ir::StepId| match &found.failure {
        Wrong::Fault(fault) => fault.step == Some(step),
        _ => false,
    };
    let matters = |step| slice.inputs == 0 || is_failing(step) || slice.places.iter().any(|place| place.step == step);
    ::check::explain(task, found, &matters)
}

fn to_json(task: &Task, verdict: &Verdict, replayed: Option<&Replayed>) -> Value {
    let source = task.program.source();
    let place = |span: c_syntax::Span| {
        let (line, column) = source.line_column(span.start);
        json!({ "line": line, "column": column })
    };
    let mut object = json!({
        "schema": 1,
        "file": source.path.display().to_string(),
        "unwind": task.options.bounds.unwind,
    });
    let more = match verdict {
        Verdict::Holds(proof) => json!({
            "verdict": if proof.is_whole() { "holds" } else { "not-proved" },
            "contract": task.contract.is_some(),
            "length": task.contract.as_ref().map(|_| task.options.contract_length),
            "no_input": proof.no_input,
            "argc": proof.arguments,
            "longest_word": proof.longest_word,
            "inputs_left_out": proof.left_out,
            "unmodelled": proof.unmodelled.iter().map(|one| json!({ "place": place(one.span), "what": one.what })).collect::<Vec<_>>(),
            "unconfirmed": proof.unconfirmed,
        }),
        Verdict::Fails(found) => json!({
            "verdict": "fails",
            "failure": wrong(task, &found.failure),
            "inputs": found.example.lines(&task.program),
            "nondet": found.example.nondet.iter().map(|value| *value as i64).collect::<Vec<_>>(),
            "arguments": found.example.arguments.iter().map(|value| *value as i64).collect::<Vec<_>>(),
            "stdin": String::from_utf8_lossy(&found.example.stdin()),
            "run": run_table(task, found).into_iter().map(|row| json!({
                "line": row.line, "text": row.text, "effect": row.effect,
            })).collect::<Vec<_>>(),
            "replayed": replayed.map(|replayed| match replayed {
                Ok(native) => json!({ "confirmed": native.wrong, "what": native.sentence() }),
                Err(why) => json!({ "error": why }),
            }),
        }),
        Verdict::BoundTooSmall(beyond) => json!({
            "verdict": "bound-too-small",
            "place": place(beyond.violation.span),
            "what": beyond.violation.about,
            "inputs": beyond.example.lines(&task.program),
        }),
        Verdict::OutOfTime(sentence) => json!({ "verdict": "out-of-time", "why": sentence }),
        Verdict::Nothing => json!({ "verdict": "nothing" }),
    };
    if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
    object
}

fn wrong(task: &Task, failure: &Wrong) -> Value {
    let source = task.program.source();
    match failure {
        Wrong::Fault(fault) => {
            let span = fault.span.or(fault.step.map(|step| task.program.program.step(step).span));
            let clause = span.and_then(|span| task.program.part_at(span)).map(|part| part.clause);
            let line = clause.or(span).map(|span| source.line(span.start));
            let clause = clause.map(|clause| source.text(clause));
            json!({ "kind": "fault", "message": fault.message, "line": line, "clause": clause })
        }
        Wrong::Endless => json!({ "kind": "endless" }),
        Wrong::Different { got, expected } => json!({
            "kind": "different",
            "got": { "output": String::from_utf8_lossy(&got.0), "status": got.1 },
            "expected": { "output": String::from_utf8_lossy(&expected.0), "status": expected.1 },
        }),
    }
}
