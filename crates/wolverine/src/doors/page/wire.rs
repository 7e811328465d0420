//! What goes over the wire: requests of the page to data, data of the session to JSON.
//!
//! This file is the whole of the protocol. A page sends one [`Request`] a
//! message. It gets messages with a `type`: `all` and `update` with the
//! sections below, `expectation`, `words`, `refused`, `replaced` and `over`.

use patch::ChangedLine;
use picture::{Drawing, DrawnBox, DrawnCell, DrawnLine, DrawnTable, DrawnValue, Label, Picture, Point, Rect};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use session::{
    ActiveCall, COMMANDS, CheckpointInfo, EngineKind, Expectation, Outcome, PastMoment, RepairCard, Repairs, Session,
    SetBreakpoint, Status, Streams, Suspect,
};

use crate::doors::command_line::report;

/// What a page asks for.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Request {
    /// To run a line of commands.
    Run { line: String },
    /// To stop what is running.
    Stop {},
    /// Which words could stand at a place of a line.
    Complete { line: String, at: usize },
    /// What `spec` would assert.
    Expect {},
    /// To show a folded list as a whole, or all; or to fold all again.
    Fold { lists: Fold },
}

/// Which lists are folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Fold {
    /// All that are long.
    All,
    /// None.
    Nothing,
    /// All but the one of this node, and those that were shown before.
    AllBut(u32),
}

/// Reads what a page asks for.
pub(super) fn parse(text: &str) -> Result<Request, String> {
    serde_json::from_str(text).map_err(|error| format!("this message makes no sense: {error}"))
}

pub(super) fn refused(sentence: &str) -> String {
    json!({ "type": "refused", "sentence": sentence }).to_string()
}

pub(super) fn words(start: usize, words: &[String]) -> String {
    json!({ "type": "words", "start": start, "words": words }).to_string()
}

pub(super) fn expectation(expectation: &Expectation) -> String {
    json!({
        "type": "expectation",
        "facts": expectation.facts,
        "corrected": expectation.corrected,
        "leftOut": expectation.left_out,
        "forced": expectation.forced,
    })
    .to_string()
}

/// The file, and how it is run.
pub(super) fn program(session: &Session, tour: bool) -> String {
    let program = session.program();
    let steps: Vec<u32> = program.steps.iter().map(|step| step.line).filter(|line| *line > 0).collect();
    let engine = match session.engine() {
        EngineKind::Gdb => "gdb",
        EngineKind::Interpreter => "the interpreter",
    };
    json!({
        "file": program.source.path.file_name().map(|name| name.to_string_lossy()),
        "text": String::from_utf8_lossy(&program.source.bytes),
        "lines": steps,
        "engine": engine,
        "tour": tour,
    })
    .to_string()
}

/// The commands, for help.
pub(super) fn commands() -> String {
    let command = |info: &session::CommandInfo| json!({ "name": info.name, "arguments": info.arguments, "summary": info.summary });
    Json::from(COMMANDS.iter().map(command).collect::<Vec<_>>()).to_string()
}

/// What a session is doing.
pub(super) fn busy(command: &str, progress: &str) -> String {
    json!({ "command": command, "progress": progress }).to_string()
}

/// A command and what it came to, for the console.
pub(super) fn entry(command: &str, outcome: &Outcome) -> String {
    json!({ "command": command, "messages": outcome.messages, "error": outcome.error }).to_string()
}

/// A line of the console that no command said.
pub(super) fn note(text: &str) -> String {
    json!({ "command": null, "messages": [text], "error": null }).to_string()
}

/// Where the program stands.
pub(super) fn position(session: &Session, outcome: &Outcome) -> String {
    let Some(position) = &outcome.position else { return "null".into() };
    let program = session.program();
    let (status, told) = match &position.status {
        Status::Stopped => ("stopped", String::new()),
        Status::Interrupted => ("interrupted", "in the middle of a statement".into()),
        Status::Crashed(fault) => ("crashed", report::fault(program, fault)),
        Status::Ended(status) => ("ended", format!("the program ended with status {status}")),
    };
    let mark = position.step.map(|step| program.step(step)).filter(|step| step.line > 0).map(|step| {
        let (_, column) = program.source.line_column(step.span.start);
        let line = program.source.line_text(step.line);
        let from = column as usize - 1;
        let text = program.source.text(step.span);
        let length = text.lines().next().map_or(0, |first| first.trim_end().chars().count());
        let before = line.get(..from).map_or(from, |before| before.chars().count());
        json!({ "from": before, "to": before + length.max(1) })
    });
    let is_condition =
        position.step.is_some_and(|step| matches!(program.step(step).kind, ir::StepKind::If | ir::StepKind::Loop));
    json!({
        "status": status,
        "told": told,
        "line": position.line,
        "mark": mark,
        "text": position.text,
        "live": position.live,
        "function": position.function.as_deref(),
        "depth": position.depth,
        "isCondition": is_condition,
    })
    .to_string()
}

pub(super) fn calls(calls: &[ActiveCall]) -> String {
    list(calls, |call| json!({ "function": call.function, "line": call.line }))
}

pub(super) fn breakpoints(breakpoints: &[SetBreakpoint]) -> String {
    list(breakpoints, |point| json!({ "number": point.number, "lines": point.lines, "condition": point.condition }))
}

pub(super) fn moments(moments: &[PastMoment]) -> String {
    list(moments, |moment| {
        json!({
            "number": moment.number,
            "line": moment.line,
            "text": moment.text,
            "how": moment.how,
            "isCrash": moment.is_crash,
            "isPatch": moment.is_patch,
            "checkpoints": moment.checkpoints,
            "isHere": moment.is_here,
        })
    })
}

pub(super) fn checkpoints(checkpoints: &[CheckpointInfo]) -> String {
    list(checkpoints, |point| {
        json!({
            "number": point.number,
            "parent": point.parent,
            "line": point.line,
            "text": point.text,
            "facts": point.facts,
            "onTheWay": point.on_the_way,
            "isHere": point.is_here,
        })
    })
}

pub(super) fn suspects(suspects: &[Suspect]) -> String {
    list(suspects, |suspect| {
        json!({
            "line": suspect.line,
            "rank": suspect.rank,
            "alone": suspect.alone,
            "missing": suspect.missing,
            "reasons": suspect.reasons,
        })
    })
}

pub(super) fn changed_lines(lines: &[ChangedLine]) -> String {
    Json::from(lines.iter().map(changed_line).collect::<Vec<_>>()).to_string()
}

fn changed_line(line: &ChangedLine) -> Json {
    json!({ "added": line.added, "number": line.number, "before": line.before, "text": line.text })
}

pub(super) fn streams(streams: &Streams) -> String {
    /// More of its output is not shown.
    const LONGEST: usize = 50_000;
    let end = |bytes: &[u8]| String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(LONGEST)..]).into_owned();
    json!({
        "output": end(&streams.output),
        "isCut": streams.output.len() > LONGEST,
        "errors": end(&streams.errors),
        "input": String::from_utf8_lossy(&streams.input),
        "left": streams.left,
        "reads": streams.reads,
    })
    .to_string()
}

pub(super) fn undo(text: Option<&str>) -> String {
    Json::from(text).to_string()
}

pub(super) fn repairs(repairs: Option<&Repairs>) -> String {
    let Some(repairs) = repairs else { return "null".into() };
    let asked = repairs.asked.as_ref().map(|asked| {
        let side =
            |(number, picture): &(usize, Picture)| json!({ "number": number, "picture": drawing(&picture.drawing()) });
        json!({ "input": asked.input, "sides": asked.sides.iter().map(side).collect::<Vec<_>>() })
    });
    json!({
        "cards": repairs.cards.iter().map(card).collect::<Vec<_>>(),
        "proved": repairs.proved,
        "open": repairs.open,
        "asked": asked,
    })
    .to_string()
}

fn card(card: &RepairCard) -> Json {
    json!({
        "number": card.number,
        "isLive": card.is_live,
        "isChosen": card.is_chosen,
        "changes": card.changes,
        "lines": card.lines.iter().map(changed_line).collect::<Vec<_>>(),
        "checked": card.checked,
        "risk": card.risk,
        "caption": card.caption,
        "picture": card.result.as_ref().map(|picture| drawing(&picture.drawing())),
    })
}

pub(super) fn picture(shown: Option<&Drawing>) -> String {
    shown.map_or("null".into(), |shown| drawing(shown).to_string())
}

/// Whether lists are folded, and whether some would be that are not.
pub(super) fn folding(shown: Option<&Drawing>, is_unfolded: bool) -> String {
    let is_folded = shown.is_some_and(|shown| shown.boxes.iter().any(|drawn| drawn.folded > 0));
    json!({ "folded": is_folded, "unfolded": is_unfolded }).to_string()
}

fn list<T>(items: &[T], to_json: impl Fn(&T) -> Json) -> String {
    Json::from(items.iter().map(to_json).collect::<Vec<_>>()).to_string()
}

fn drawing(drawing: &Drawing) -> Json {
    json!({
        "view": rect(&drawing.view),
        "boxes": drawing.boxes.iter().map(drawn_box).collect::<Vec<_>>(),
        "arrows": drawing.arrows.iter().map(|arrow| json!({
            "key": arrow.key,
            "entity": arrow.entity,
            "to": arrow.to,
            "line": line(&arrow.line),
            "marks": marks(&[
                (arrow.back, "back"),
                (arrow.dangling, "dangling"),
                (arrow.untracked, "untracked"),
                (arrow.changed, "changed"),
                (arrow.unreachable, "unreachable"),
            ]),
        })).collect::<Vec<_>>(),
        "flags": drawing.flags.iter().map(|flag| json!({
            "entity": flag.entity,
            "to": flag.to,
            "rect": rect(&flag.rect),
            "line": line(&flag.line),
            "marks": marks(&[
                (flag.dangling, "dangling"),
                (flag.untracked, "untracked"),
                (flag.changed, "changed"),
            ]),
        })).collect::<Vec<_>>(),
        "tables": drawing.tables.iter().map(drawn_table).collect::<Vec<_>>(),
        "areas": drawing.areas.iter().map(rect).collect::<Vec<_>>(),
    })
}

fn drawn_box(drawn: &DrawnBox) -> Json {
    json!({
        "name": drawn.name,
        "title": drawn.title,
        "type": drawn.type_name,
        "at": point(drawn.at),
        "body": rect(&drawn.body),
        "tab": rect(&drawn.tab),
        "cells": drawn.cells.iter().map(drawn_cell).collect::<Vec<_>>(),
        "notes": drawn.notes.iter().map(label).collect::<Vec<_>>(),
        "marks": marks(&[
            (drawn.gone, "gone"),
            (drawn.unreachable, "unreachable"),
            (drawn.changed, "changed"),
            (drawn.folded > 0, "fold"),
        ]),
        "target": drawn.target,
        "folded": drawn.folded,
    })
}

fn drawn_cell(cell: &DrawnCell) -> Json {
    json!({
        "entity": cell.entity,
        "rect": rect(&cell.rect),
        "name": cell.name.as_ref().map(label),
        "kind": kind(&cell.value),
        "text": text(&cell.value),
        "valueAt": point(cell.value_at),
        "dot": point(cell.dot),
        "marks": marks(&[(cell.changed, "changed"), (cell.untracked, "untracked")]),
        "target": cell.target,
    })
}

fn drawn_table(table: &DrawnTable) -> Json {
    let row = |row: &picture::DrawnRow| {
        json!({
            "entity": row.entity,
            "name": row.name,
            "kind": kind(&row.value),
            "text": text(&row.value),
            "marks": marks(&[(row.changed, "changed"), (row.untracked, "untracked")]),
        })
    };
    json!({
        "title": table.title,
        "rect": rect(&table.rect),
        "line": table.line,
        "valueX": table.value_x,
        "rows": table.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn kind(value: &DrawnValue) -> &'static str {
    match value {
        DrawnValue::Text(_) => "text",
        DrawnValue::Null => "null",
        DrawnValue::Pointer => "pointer",
        DrawnValue::Gap => "gap",
    }
}

fn text(value: &DrawnValue) -> Option<&str> {
    match value {
        DrawnValue::Text(text) => Some(text),
        _ => None,
    }
}

fn label(label: &Label) -> Json {
    json!({ "at": point(label.at), "anchor": label.anchor, "text": label.text })
}

fn line(line: &DrawnLine) -> Json {
    let points: Vec<f64> = line.points.iter().flat_map(|at| [short(at.x), short(at.y)]).collect();
    json!({ "points": points, "curved": line.curved })
}

fn point(at: Point) -> Json {
    json!([short(at.x), short(at.y)])
}

fn rect(rect: &Rect) -> Json {
    json!([short(rect.x), short(rect.y), short(rect.w), short(rect.h)])
}

/// A tenth of a pixel is enough.
fn short(value: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (value * 10.0).round() / 10.0 + 0.0
}

/// The names of what is the case, for the style sheet.
fn marks(all: &[(bool, &str)]) -> String {
    all.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_strictly() {
        assert_eq!(parse(r#"{"do":"run","line":"next"}"#), Ok(Request::Run { line: "next".into() }));
        assert_eq!(parse(r#"{"do":"stop"}"#), Ok(Request::Stop {}));
        for bad in [
            r#"{"do":"stop","more":1}"#,
            "",
            "[",
            "null",
            r#"{"do":"fly"}"#,
            r#"{"do":"run"}"#,
            r#"{"do":"run","line":"a","more":1}"#,
        ] {
            let sentence = parse(bad).expect_err(bad);
            assert!(sentence.starts_with("this message makes no sense"), "{sentence}");
        }
    }
}
