//! Repairs as text for people.

use encode::Model;
use memory::State;
use repair::{Checked, Repaired};
use session::{Found, Session, changed_lines, statement_text};

/// The repair that was chosen or all of them, and what there is to say about
/// it. `asked` is the command that asks for it in a script.
pub(super) fn found(session: &Session, found: &Found, asked: &str, all: bool) -> String {
    let repaired = &found.repaired;
    let chosen = &repaired.candidates[found.chosen];
    let mut text = String::new();
    if repaired.widened {
        text.push_str("no repair is possible in the suspicious places alone, so all places that ran were tried\n");
    }
    let changes = match chosen.candidate.edits.len() {
        1 => "one change".into(),
        count => format!("{count} changes"),
    };
    text.push_str(&format!("Repair synthesized: {changes}, checked against {}\n", states(chosen)));
    text.push_str(&format!("{}\n", changed_lines(chosen)));
    text.push_str(&warnings(session, found, asked));
    let model = Model::new(session.program().clone());
    if all {
        text.push_str(&candidates(&model, found));
    } else {
        text.push_str(&others(repaired));
    }
    text + &difference(&model, repaired, asked)
}

/// What stays open, and where the repaired program crashes.
pub(super) fn warnings(session: &Session, found: &Found, asked: &str) -> String {
    let (program, repaired) = (session.program(), &found.repaired);
    let mut text = String::new();
    for step in &repaired.open {
        let (line, guard) = (program.step(*step).line, statement_text(program, *step));
        text.push_str(&format!(
            "open: line {line}, {guard}, was forced in one direction only; it stays as it is until the other direction \
             was shown too (--guards repairs it now)\n"
        ));
    }
    if let Some(risk) = repaired.candidates[found.chosen].risks.first() {
        let variation = repaired.variations[risk.variation].describe(&Model::new(program.clone()));
        text.push_str(&format!("careful: {variation}, the repaired program crashes: {}\n", risk.message));
        if let Some(safe) = repaired.candidates.iter().position(|checked| checked.risks.is_empty()) {
            let number = safe + 1;
            text.push_str(&format!(
                "candidate {number} does not; `{asked}` and `pick {number}` at the end of the script take it:\n{}\n",
                changed_lines(&repaired.candidates[safe])
            ));
        }
    }
    text
}

fn others(repaired: &Repaired) -> String {
    match repaired.candidates.len() - 1 {
        0 => String::new(),
        1 => "1 other repair fits too; --all shows it\n".into(),
        count => format!("{count} other repairs fit too; --all shows them\n"),
    }
}

/// All repairs with their numbers.
fn candidates(model: &Model, found: &Found) -> String {
    let mut text = String::from("\nall repairs that fit, the closest first:\n");
    for (i, checked) in found.repaired.candidates.iter().enumerate() {
        let (tokens, taken) = (checked.candidate.tokens(), if i == found.chosen { ", taken" } else { "" });
        text.push_str(&format!("{}  {tokens} tokens, checked against {}{taken}\n", i + 1, states(checked)));
        text.push_str(&format!("{}\n", changed_lines(checked)));
        for risk in checked.risks.iter().take(1) {
            let variation = found.repaired.variations[risk.variation].describe(model);
            text.push_str(&format!("     {variation} it crashes: {}\n", risk.message));
        }
    }
    text
}

/// Where the two best repairs do different things.
fn difference(model: &Model, repaired: &Repaired, asked: &str) -> String {
    let Some(difference) = &repaired.difference else { return String::new() };
    let variation = repaired.variations[difference.variation].describe(model);
    let [first, second] = difference.candidates.map(|number| number + 1);
    let mut text = format!("candidates {first} and {second} differ: {variation}, the memory at the end is\n");
    for (number, state) in [first, second].into_iter().zip(&difference.states) {
        text.push_str(&format!("with candidate {number}:\n{}\n", draw(state)));
    }
    text + &format!("which is meant? `{asked}` and `pick {first}` or `pick {second}` at the end of the script say so\n")
}

fn draw(state: &State) -> String {
    let options = picture::Options { frames: picture::Frames::Only(Vec::new()), ..picture::Options::default() };
    picture::draw(state, &options, None).to_terminal(100).trim_end().to_string()
}

fn states(checked: &Checked) -> String {
    match checked.states {
        1 => "1 asserted state".into(),
        count => format!("{count} asserted states"),
    }
}
