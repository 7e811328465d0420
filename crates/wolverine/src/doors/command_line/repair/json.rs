//! Repairs as JSON, as docs/json.md describes it.

use std::time::Duration;

use c_syntax::Source;
use encode::Model;
use patch::Edit;
use repair::{Checked, Repaired};
use serde_json::{Value, json};
use session::{Found, Session, statement_text};

use super::reply::{Reply, name};

/// The answer as one object.
pub(super) fn answer(session: &Session, found: Option<&Found>, reply: &Reply, path: &str) -> Value {
    let program = session.program();
    let open = |step: &ir::StepId| json!({ "line": program.step(*step).line, "text": statement_text(program, *step) });
    let mut answer = json!({
        "schema": 1,
        "file": program.source.path.display().to_string(),
        "outcome": name(reply.verdict),
        "candidates": [],
        "open": reply.open.iter().map(open).collect::<Vec<_>>(),
    });
    let Some(Found { repaired, chosen, .. }) = found else {
        answer["message"] = reply.sentence.as_str().into();
        return answer;
    };
    let model = Model::new(program.clone());
    let candidates = repaired.candidates.iter().map(|checked| candidate(&model, repaired, checked, path));
    answer["candidates"] = candidates.collect();
    answer["chosen"] = (*chosen).into();
    answer["open"] = repaired.open.iter().map(open).collect();
    answer["widened"] = repaired.widened.into();
    answer["proved"] = repaired.proved.into();
    answer["places"] = json!({ "tried": repaired.places.0, "all": repaired.places.1 });
    let times = &repaired.times;
    answer["times_ms"] = json!({
        "localize": milliseconds(times.localize),
        "search": milliseconds(times.search),
        "prove": milliseconds(times.prove),
        "check": milliseconds(times.check),
        "vary": milliseconds(times.vary),
    });
    answer
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn candidate(model: &Model, repaired: &Repaired, checked: &Checked, path: &str) -> Value {
    let candidate = &checked.candidate;
    let risk = |risk: &repair::Risk| {
        json!({
            "variation": repaired.variations[risk.variation].describe(model),
            "message": risk.message,
        })
    };
    json!({
        "diff": candidate.patched.diff(path),
        "tokens": candidate.tokens(),
        "states": checked.states,
        "safer": checked.safer,
        "risks": checked.risks.iter().map(risk).collect::<Vec<_>>(),
        "edits": candidate.text_edits.iter().map(|found| edit(&model.program.source, found)).collect::<Vec<_>>(),
    })
}

/// What is changed at one place of the text.
fn edit(source: &Source, edit: &Edit) -> Value {
    let (at, kind, old, new) = match edit {
        Edit::Replace { span, text } => (span.start, "replace", source.text(*span).to_string(), text.clone()),
        Edit::Delete { span } => (span.start, "delete", source.text(*span).to_string(), String::new()),
        Edit::InsertBefore { span, lines } => (span.start, "insert", String::new(), lines.join("\n")),
        Edit::InsertAfter { span, lines } => (span.end, "insert", String::new(), lines.join("\n")),
        Edit::InsertAtEnd { brace, lines } => (*brace, "insert", String::new(), lines.join("\n")),
        Edit::Guard { span, condition } => {
            let old = source.text(*span).to_string();
            let new = format!("if ({condition}) {old}");
            (span.start, "guard", old, new)
        }
    };
    json!({ "line": source.line(at), "kind": kind, "old": old, "new": new })
}
