//! `wolverine localize --method must`: statements of which every repair must change one.

use std::io::Write;

use check::{Task, Verdict, check, more_counterexamples};
use localize::{MustSlice, must_slice};
use serde_json::json;

use super::{Answer, Failure, Outcome};

pub(super) fn run(task: &Task, counterexamples: usize, is_json: bool) -> Outcome {
    let found = match check(task) {
        Verdict::Fails(found) => found,
        Verdict::Nothing => return Err(super::check::nothing()),
        Verdict::Holds(proof) => {
            println!("no statement is suspicious: the program {}", super::check::proved(task, &proof));
            return Ok(Answer::No);
        }
        Verdict::BoundTooSmall(beyond) => {
            println!("{}", super::check::too_small(task, &beyond));
            return Ok(Answer::Limit);
        }
        Verdict::OutOfTime(sentence) => {
            println!("not decided: {sentence}");
            return Ok(Answer::Limit);
        }
    };
    let examples = more_counterexamples(task, &found, counterexamples.max(1));
    let slice = must_slice(task, &examples).map_err(|error| Failure(error.to_string()))?;
    let inputs: Vec<String> = examples.iter().map(|example| example.lines(&task.program).join(", ")).collect();
    if is_json {
        writeln!(std::io::stdout(), "{:#}", to_json(task, &slice, &inputs))?;
    } else {
        text(task, &slice, &inputs)?;
    }
    Ok(Answer::Yes)
}

fn text(task: &Task, slice: &MustSlice, inputs: &[String]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let source = task.program.source();
    writeln!(out, "inputs that go wrong:")?;
    inputs.iter().try_for_each(|input| writeln!(out, "  {input}"))?;
    let (all, considered) = (slice.in_all().count(), slice.considered);
    match slice.inputs {
        1 => writeln!(out, "every repair changes at least one of these {all} of {considered} statements:")?,
        count => writeln!(
            out,
            "a repair of one statement is one of these {all} of {considered} (each matters for all {count} inputs):"
        )?,
    }
    let mut is_rest = false;
    for place in &slice.places {
        if place.inputs < slice.inputs && !is_rest {
            is_rest = true;
            writeln!(
                out,
                "\nthese matter for some of the inputs; a repair of several statements may change them too:"
            )?;
        }
        let mut reasons = place.reasons.iter();
        let first = reasons.next().map_or("", String::as_str);
        writeln!(out, "\n{}", source.caret(place.span, first))?;
        reasons.try_for_each(|reason| writeln!(out, "  also: {reason}"))?;
    }
    Ok(())
}

fn to_json(task: &Task, slice: &MustSlice, inputs: &[String]) -> serde_json::Value {
    let source = task.program.source();
    let places: Vec<_> = slice
        .places
        .iter()
        .enumerate()
        .map(|(i, place)| {
            let (line, column) = source.line_column(place.span.start);
            json!({
                "rank": i + 1, "line": line, "column": column, "text": source.text(place.span),
                "inputs": place.inputs, "reasons": place.reasons,
            })
        })
        .collect();
    json!({
        "schema": 1, "method": "must", "file": source.path.display().to_string(),
        "considered": slice.considered, "inputs": inputs, "places": places,
    })
}
