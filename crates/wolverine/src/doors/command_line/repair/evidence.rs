//! `wolverine repair --method evidence` and `--method auto`: corrections of a
//! function with a contract, run against tests and proved.

use std::io::{IsTerminal, Write};

use check::{Proof, Task};
use patch::Patched;
use repair::strategy::{auto, evidence};
use serde_json::json;

use super::super::bounded::seconds;
use super::super::check::proved;
use super::super::evidence::{covered, load};
use super::super::{Answer, Failure, Outcome};
use super::mutation::{spinner, write_best};
use super::{Format, RepairArguments, path_in_diff};

/// What there is to tell.
struct Told<'a> {
    what: &'a str,
    patched: &'a Patched,
    proof: Option<&'a Proof>,
    method: &'static str,
    evidence: Option<&'a str>,
    tests: usize,
}

pub(super) fn run(arguments: &RepairArguments, is_auto: bool) -> Outcome {
    let (file, timeout) = (&arguments.target.file, arguments.target.timeout);
    let (task, proving) = load(&arguments.bounded, file, &arguments.mutation.function, timeout)?;
    let tests = arguments.tests.load(&task)?;
    let (dices, timeout) = (arguments.tests.dices, seconds(timeout));
    let wanted = evidence::Wanted { tests, proving, dices, most: 10_000, timeout };
    let bar = std::io::stderr().is_terminal().then(spinner);
    let message = |text: String| bar.iter().for_each(|bar| bar.set_message(text.clone()));
    let (found, by_auto) = match is_auto {
        true => {
            let answer =
                auto::repairs(&task, &wanted, &mut |method, count| message(format!("{}: {count}", method.name())));
            (answer.evidence, answer.found)
        }
        false => (evidence::repairs(&task, &wanted, &mut |tried| message(format!("{tried} corrections tried"))), None),
    };
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if let evidence::End::Other(sentence) = &found.end {
        return Err(Failure(sentence.clone()));
    }
    let told = match (&by_auto, &found.found) {
        (Some(repair), _) if repair.method != auto::Method::Evidence => Some(Told {
            what: &repair.what,
            patched: &repair.patched,
            proof: Some(&repair.proof),
            method: repair.method.name(),
            evidence: None,
            tests: 0,
        }),
        (_, Some(repair)) => Some(Told {
            what: &repair.what,
            patched: &repair.patched,
            proof: repair.proof.as_ref(),
            method: "evidence",
            evidence: Some(&repair.evidence),
            tests: repair.tests,
        }),
        _ => None,
    };
    answer(arguments, &task, &found, told.as_ref())
}

fn answer(arguments: &RepairArguments, task: &Task, found: &evidence::Repairs, told: Option<&Told<'_>>) -> Outcome {
    let path = path_in_diff(&arguments.target.file);
    let mut out = std::io::stdout().lock();
    match arguments.format {
        Format::Json => writeln!(out, "{:#}", to_json(task, found, told, &path))?,
        Format::Text => writeln!(out, "{}", text(task, found, told))?,
        Format::Diff => {
            if let Some(told) = told {
                out.write_all(&told.patched.diff_bytes(&path))?;
            }
            eprintln!("{}", text(task, found, told));
        }
    }
    write_best(arguments, told.map(|told| told.patched), &mut out)?;
    Ok(match (&found.end, told) {
        (evidence::End::AlreadyRight, _) => Answer::Yes,
        (_, Some(told)) if told.proof.is_some() => Answer::Yes,
        (_, Some(_)) | (evidence::End::OutOfTime, _) => Answer::Limit,
        _ => Answer::No,
    })
}

/// What was found, as sentences.
fn text(task: &Task, found: &evidence::Repairs, told: Option<&Told<'_>>) -> String {
    let (failing, tests) = found.failing;
    let mut lines = vec![format!("{failing} of {tests} tests fail; {}", covered(&found.coverage))];
    if let Some(statements) = found.dice {
        lines.push(format!("the largest dice has {statements} statements; only these were changed"));
    }
    match told {
        Some(told) => {
            lines.push(format!("repair: {}", told.what));
            lines.push(told.patched.changed_lines());
            lines.extend(told.evidence.map(|evidence| format!("the evidence: {evidence}")));
            if told.tests > 0 {
                lines.push(format!("it passes all {} tests ({} of them found by the check)", told.tests, found.learnt));
            }
            lines.push(match told.proof {
                Some(proof) => proved(task, proof),
                None => "that it meets the contract for all inputs is not proved; try a larger --timeout or a smaller --length".into(),
            });
        }
        None => lines.push(nothing(found)),
    }
    lines.join("\n")
}

fn nothing(found: &evidence::Repairs) -> String {
    match found.end {
        evidence::End::AlreadyRight => {
            "nothing to repair: the function meets its contract for all inputs up to the bound".into()
        }
        evidence::End::NoInput => "no input satisfies what is required: the precondition contradicts itself".into(),
        evidence::End::OutOfTime => format!("time is up: none of {} corrections passes all tests", found.tried),
        _ => format!(
            "no repair: none of the {} corrections that the evidence suggests passes all tests; --method auto goes on with mutations and templates",
            found.tried
        ),
    }
}

fn to_json(task: &Task, found: &evidence::Repairs, told: Option<&Told<'_>>, path: &str) -> serde_json::Value {
    let end = match found.end {
        evidence::End::Repaired => "repaired",
        evidence::End::PassesTests => "passes-tests",
        evidence::End::Exhausted => "exhausted",
        evidence::End::OutOfTime => "out-of-time",
        evidence::End::AlreadyRight => "already-right",
        evidence::End::NoInput => "no-input",
        evidence::End::NoContract => "no-contract",
        evidence::End::Other(_) => "other",
    };
    let repair = told.map(|told| {
        json!({
            "method": told.method, "changes": [told.what], "diff": told.patched.diff(path),
            "evidence": told.evidence, "tests": told.tests,
            "proved": told.proof.is_some_and(Proof::is_whole), "proof": told.proof.map(|proof| proved(task, proof)),
        })
    });
    json!({
        "schema": 1, "method": "evidence", "file": path, "end": end,
        "tests": found.failing.1, "failing": found.failing.0, "learnt": found.learnt, "tried": found.tried,
        "statements": [found.coverage.statements.0, found.coverage.statements.1],
        "branches": [found.coverage.branches.0, found.coverage.branches.1],
        "dice": found.dice, "time_ms": found.time.as_secs_f64() * 1000.0, "repairs": repair.into_iter().collect::<Vec<_>>(),
    })
}
