//! What `repair` found, as plain data: each candidate with what it changes,
//! what was checked, and the memory that it leads to.

use std::sync::Arc;

use encode::Model;
use memory::State;
use patch::ChangedLine;
use picture::{Frames, Picture};
use repair::Repaired;
use repair::vary::{Ending, plain_ending};

use crate::mend::Found;
use crate::session::Session;

/// The repairs that fit what is asserted.
#[derive(Clone, Debug)]
pub struct Repairs {
    /// The closest to the user's program first.
    pub cards: Vec<RepairCard>,
    /// Whether it is known that none is smaller.
    pub proved: bool,
    /// Conditions that stay forced, in a sentence each.
    pub open: Vec<String>,
    /// Two of them that fit but differ: which is meant?
    pub asked: Option<Asked>,
}

/// A repair.
#[derive(Clone, Debug)]
pub struct RepairCard {
    /// Its number, for `pick`.
    pub number: usize,
    /// Whether it runs in the place of the original.
    pub is_live: bool,
    /// Whether it is the one that `rewrite` writes.
    pub is_chosen: bool,
    /// How many places of the program it changes.
    pub changes: usize,
    /// The changed lines.
    pub lines: Vec<ChangedLine>,
    /// What was checked, in a sentence.
    pub checked: String,
    /// An input on which it would crash, in a sentence.
    pub risk: Option<String>,
    /// What the program comes to with it, in a few words.
    pub caption: String,
    /// The memory then.
    pub result: Option<Picture>,
}

/// Two repairs that differ where nothing is asserted.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The input on which they differ, in words.
    pub input: String,
    /// Their numbers, with the memory at the end of the function.
    pub sides: [(usize, Picture); 2],
}

/// What the repairs of one search lead to.
pub(crate) struct Results {
    repaired: Arc<Repaired>,
    endings: Vec<Option<Ending>>,
    risks: Vec<Option<String>>,
    input: Option<String>,
}

impl Session {
    /// What the last `repair` found.
    pub fn repairs(&mut self) -> Option<Repairs> {
        let found = self.now.found.clone()?;
        self.find_results(&found);
        let results = self.results.as_ref()?;
        let repaired = &found.repaired;
        let is_live = self.now.moment.is_some_and(|moment| !self.timeline.changes_at(moment).is_empty());
        let card = |(index, checked): (usize, &repair::Checked)| {
            let (caption, result) = shown(results.endings[index].as_ref(), checked.last.as_deref());
            RepairCard {
                number: index + 1,
                is_live: is_live && index == found.chosen,
                is_chosen: index == found.chosen,
                changes: checked.candidate.edits.len(),
                lines: checked.candidate.patched.changes(),
                checked: what_was_checked(checked, repaired),
                risk: results.risks[index].clone(),
                caption,
                result,
            }
        };
        let cards = repaired.candidates.iter().enumerate().map(card).collect();
        let open = repaired.open.iter().map(|step| {
            format!("line {} was forced in one direction only and stays forced", self.program.step(*step).line)
        });
        let asked = repaired.difference.as_ref().map(|difference| {
            let side = |i: usize| (difference.candidates[i] + 1, draw(&difference.states[i]));
            Asked { input: results.input.clone().unwrap_or_default(), sides: [side(0), side(1)] }
        });
        Some(Repairs { cards, proved: repaired.proved, open: open.collect(), asked })
    }

    /// The lines that run otherwise than they are written, as the repair that is live changes them.
    pub fn live_lines(&self) -> Vec<ChangedLine> {
        let is_live = self.now.moment.is_some_and(|moment| !self.timeline.changes_at(moment).is_empty());
        match self.now.found.as_ref().filter(|_| is_live) {
            Some(found) => found.repaired.candidates[found.chosen].candidate.patched.changes(),
            None => Vec::new(),
        }
    }

    /// The repaired file and the diff that leads to it.
    pub fn repaired_text(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let found = self.now.found.as_ref()?;
        let patched = &found.repaired.candidates[found.chosen].candidate.patched;
        let name = self.program.source.path.file_name().map_or("file.c".into(), |name| name.to_string_lossy());
        Some((patched.text.clone(), patched.diff_bytes(&name)))
    }

    /// Runs every repair to the end of the function, once.
    fn find_results(&mut self, found: &Found) {
        if self.results.as_ref().is_some_and(|known| Arc::ptr_eq(&known.repaired, &found.repaired)) {
            return;
        }
        let (repaired, run_as) = (found.repaired.clone(), self.run_as(found.moment));
        let model = Model::new(self.program.clone());
        let step = self.timeline.get(found.moment).stop.step();
        let function = step.map(|step| self.program.function(self.program.step(step).function).name.clone());
        let ending = |checked: &repair::Checked| {
            // A condition that stays forced goes its own way in a run by itself.
            let function = function.as_ref().filter(|_| repaired.open.is_empty())?;
            plain_ending(&checked.program, &run_as, function)
        };
        let risk = |checked: &repair::Checked| {
            let risk = checked.risks.first()?;
            Some(format!("{}, it crashes: {}", repaired.variations[risk.variation].describe(&model), risk.message))
        };
        let input = repaired.difference.as_ref().map(|d| repaired.variations[d.variation].describe(&model));
        self.results = Some(Results {
            endings: repaired.candidates.iter().map(ending).collect(),
            risks: repaired.candidates.iter().map(risk).collect(),
            input,
            repaired,
        });
    }
}

/// What was checked, in a sentence.
fn what_was_checked(checked: &repair::Checked, repaired: &Repaired) -> String {
    let states = match checked.states {
        1 => "the asserted state".into(),
        count => format!("all {count} asserted states"),
    };
    let tried = repaired.variations.len();
    match (tried, checked.risks.len()) {
        (0, _) => format!("run again: meets {states}"),
        (_, 0) => format!("run again: meets {states}, and does not crash on {tried} other inputs"),
        (_, bad) => format!("run again: meets {states}, but crashes on {bad} of {tried} other inputs"),
    }
}

fn shown(ending: Option<&Ending>, last: Option<&State>) -> (String, Option<Picture>) {
    match ending {
        Some(Ending::Ends(state)) => ("at the end of the function".into(), Some(draw(state))),
        Some(Ending::Crashes(message)) => (format!("crashes: {message}"), None),
        None => ("at the last state that you asserted".into(), last.map(draw)),
    }
}

fn draw(state: &State) -> Picture {
    let options = picture::Options { frames: Frames::Only(Vec::new()), ..picture::Options::default() };
    picture::draw(state, &options, None)
}
