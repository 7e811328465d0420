//! `localize`, `repair`, `candidates`, `pick`, `rewrite`: from what is asserted to a live patch.

use std::path::Path;
use std::sync::Arc;

use encode::{Model, Place, Prepared};
use execute::LiveChange;
use localize::{Ranking, Reach, Reason, Suspicious};
use repair::{Answer, Checked, Options, Preset, Problem, Progress, Repaired};

use crate::outcome::{Verdict, VerdictKind, statement_text};
use crate::session::{Done, Session, Trouble};
use crate::timeline::{Event, MomentId};

/// What the last `repair` found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The repairs.
    pub repaired: Arc<Repaired>,
    /// The number of the one that is live, from 0.
    pub chosen: usize,
    /// The moment at which it was asked for.
    pub moment: MomentId,
}

/// How to repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Guards that were forced one way only are repaired too.
    pub guards: bool,
    /// All places are tried at once, not the suspicious ones first.
    pub wide: bool,
    /// What is asserted on other ways must hold too.
    pub all: bool,
    /// What is asserted in earlier runs does not count.
    pub here: bool,
    /// How the search goes.
    pub preset: Preset,
}

impl Session {
    /// What the last `repair` found.
    pub fn found(&self) -> Option<&Found> {
        self.now.found.as_deref()
    }

    /// Shown while `repair` works.
    pub fn set_progress(&mut self, show: Box<dyn FnMut(Progress) + Send>) {
        self.progress = Some(show);
    }

    fn problem(&mut self, model: &Model, wish: Wish) -> Done<Problem> {
        let runs = self.runs(model, wish)?;
        if runs.iter().all(|(trace, _)| trace.demands.is_empty()) {
            return Err(
                "nothing is asserted on the way to here; correct the state with `change`, then assert it with \
                        `spec`"
                    .into(),
            );
        }
        Ok(Problem { program: self.program.clone(), runs, trusted: self.trusted_steps() })
    }

    /// The suspicious places on the way to here, with the model that they are places of.
    pub fn suspicious(&mut self) -> Result<(Model, Ranking), String> {
        self.rank().map_err(|trouble| match trouble {
            Trouble::Sentence(sentence) | Trouble::Died(sentence) => sentence,
        })
    }

    /// The recorded runs that a repair here would have to meet, ready to be run over cells.
    pub fn recorded(&mut self) -> Result<(Model, Vec<Prepared>), String> {
        self.prepare().map_err(|trouble| match trouble {
            Trouble::Sentence(sentence) | Trouble::Died(sentence) => sentence,
        })
    }

    fn prepare(&mut self) -> Done<(Model, Vec<Prepared>)> {
        let model = Model::new(self.program.clone());
        let problem = self.problem(&model, Wish::default())?;
        let open = repair::engine::open_guards(&model, &problem.runs);
        let mut prepared = Vec::new();
        for (trace, _) in &problem.runs {
            let trace = Arc::new(encode::Trace { open: open.clone(), ..(**trace).clone() });
            let ready = Prepared::new(&model, trace, &|step| problem.trusted.contains(&step));
            prepared.push(ready.map_err(|error| error.to_string())?);
        }
        Ok((model, prepared))
    }

    fn rank(&mut self) -> Done<(Model, Ranking)> {
        let (model, prepared) = self.prepare()?;
        repair::engine::check_modelled(&model, &prepared)?;
        let mut ranking = localize::gradient(&model, &prepared);
        let trusted = self.trusted_steps();
        ranking.places.retain(|found| !matches!(found.place, Place::Step(step) if trusted.contains(&step)));
        Ok((model, ranking))
    }

    /// Shows the suspicious places.
    pub(crate) fn localize(&mut self) -> Done {
        let (model, ranking) = self.rank()?;
        self.keep_suspects(&model, &ranking);
        if ranking.places.is_empty() {
            self.say("everything that is asserted holds; no statement is suspicious");
            return Ok(());
        }
        let alone: Vec<&Suspicious> = ranking.within(Reach::Trace).collect();
        let is_step = |found: &&&Suspicious| matches!(found.place, Place::Step(_));
        let (steps, of) = (alone.iter().filter(is_step).count(), ranking.considered);
        self.say(match alone.is_empty() {
            true => "no single change can meet all that is asserted; changes at several of these places may:".into(),
            false => {
                format!("{steps} of {of} statements are suspicious: a change at one of these places could meet all:")
            }
        });
        let listed = if alone.is_empty() { ranking.told() } else { alone };
        for (rank, found) in listed.iter().enumerate() {
            let mark = if rank == 0 { "*" } else { " " };
            self.say(format!("{mark} {}", describe_place(&model, found.place)));
            for reason in found.reasons.iter().filter(|reason| !matches!(reason, Reason::Reaches)).take(2) {
                self.say(format!("      {reason}"));
            }
        }
        let rest = ranking.places.len() - listed.len();
        if rest > 0 {
            self.say(format!("together with others, {rest} more places could be part of a repair"));
        }
        Ok(())
    }

    /// Looks for a repair and makes it live.
    pub(crate) fn repair(&mut self, wish: Wish) -> Done {
        self.not_crashed()?;
        let moment = self.here()?;
        let model = Model::new(self.program.clone());
        let problem = self.problem(&model, wish)?;
        let options = Options {
            localize: !wish.wide,
            guards: wish.guards,
            preset: wish.preset,
            begin: self.now.found.as_ref().and_then(|found| found.repaired.search),
            stop: self.engine.interrupt().flag(),
            ..Options::default()
        };
        let mut progress = self.progress.take();
        let answer = repair::repair(&problem, &options, &mut |now| {
            if let Some(show) = &mut progress {
                show(now);
            }
        });
        self.progress = progress;
        if self.engine.interrupt().is_asked() && !matches!(answer, Answer::Repaired(_)) {
            return Err("interrupted; no repair was found so far".into());
        }
        self.verdict = Some(verdict(&answer));
        match answer {
            Answer::Repaired(repaired) => {
                self.now.found = Some(Arc::new(Found { repaired: Arc::new(*repaired), chosen: 0, moment }));
                let trouble = self.take_live(&model, 0)?;
                self.tell_of_repair(&model);
                self.tell_if_live(trouble);
                Ok(())
            }
            Answer::Meets(open) => {
                self.say("the program meets everything that is asserted; there is nothing to repair");
                self.tell_of_open_guards(&open);
                Ok(())
            }
            other if wish.preset != Preset::Default => {
                let sentence = self.no_repair(&other);
                Err(format!("this way to search found none, the default may: {sentence}").into())
            }
            other => Err(self.no_repair(&other).into()),
        }
    }

    /// Makes a candidate live in the running program; why that cannot be, if so.
    /// What was live before is not any more in any case.
    fn take_live(&mut self, model: &Model, number: usize) -> Done<Option<String>> {
        let Some(found) = self.now.found.clone() else { return Ok(None) };
        let moment = self.here()?;
        let candidate = &found.repaired.candidates[number].candidate;
        let made = match repair::live::live_changes(model, candidate) {
            Ok(changes) => self.make_live(changes),
            Err(sentence) => Err(sentence.into()),
        };
        match made {
            Ok(()) => Ok(None),
            Err(Trouble::Sentence(sentence)) => {
                if !self.timeline.changes_at(moment).is_empty() {
                    self.make_live(Arc::default())?;
                }
                Ok(Some(sentence))
            }
            Err(died) => Err(died),
        }
    }

    /// Says whether a repair is live.
    fn tell_if_live(&mut self, trouble: Option<String>) {
        self.say(match trouble {
            None => "the patch is live; go on from here, or save it with `rewrite FILE`".into(),
            Some(why) => format!("the patch is not live in the running program: {why}; `rewrite FILE` saves it"),
        });
    }

    /// From here on the program runs with these changes.
    pub(crate) fn make_live(&mut self, changes: Arc<[LiveChange]>) -> Done {
        let moment = self.here()?;
        self.engine.remember()?;
        let stop = self.timeline.get(moment).stop.clone();
        self.engine.set_changes(changes.clone())?;
        self.commit(Event::Patch(changes), stop, None)?;
        Ok(())
    }

    /// After going to a moment before the repair.
    pub(crate) fn tell_of_lost_repair(&mut self, before: Option<MomentId>) {
        let live = |moment: Option<MomentId>| moment.is_some_and(|id| !self.timeline.changes_at(id).is_empty());
        if live(before) && !live(self.now.moment) {
            let number = self.now.found.as_ref().map_or(1, |found| found.chosen + 1);
            self.say(format!("the repair is not live here, before it was made; `pick {number}` makes it live"));
        }
    }

    /// What runs in the place of a statement at a moment, if a repair changes it.
    pub(crate) fn live_text(&self, moment: MomentId, step: ir::StepId) -> Option<String> {
        let changes = self.timeline.changes_at(moment);
        let text = |change: &LiveChange| match change {
            LiveChange::Replace { step: at, text } if *at == step => match text.is_empty() {
                true => Some("left out".to_string()),
                false => Some(text.clone()),
            },
            LiveChange::Guard { step: at, condition } if *at == step => Some(format!("only if ({condition})")),
            _ => None,
        };
        changes.iter().find_map(text)
    }

    fn tell_of_repair(&mut self, model: &Model) {
        let Some(found) = self.now.found.clone() else { return };
        let repaired = &found.repaired;
        let best = &repaired.candidates[0];
        if repaired.widened {
            self.say("no repair is possible in the suspicious places alone, so all places that ran were tried");
        }
        let count = best.candidate.edits.len();
        let changes = if count == 1 { "one change".into() } else { format!("{count} changes") };
        self.say(format!("Repair synthesized: {changes}, checked against {}", states(best)));
        self.say(changed_lines(best));
        if !repaired.proved {
            self.say("whether a smaller repair exists was not searched to the end");
        }
        self.tell_of_open_guards(&repaired.open);
        self.tell_of_risks(model, &found);
        let others = repaired.candidates.len() - 1;
        if others > 0 {
            let (noun, verb) = if others == 1 { ("repair", "fits") } else { ("repairs", "fit") };
            self.say(format!("{others} other {noun} {verb} too; `candidates` shows all, `pick N` takes another"));
        }
        self.tell_of_difference(model);
    }

    fn tell_of_open_guards(&mut self, open: &[ir::StepId]) {
        for step in open {
            let text = statement_text(&self.program, *step);
            let line = self.program.step(*step).line;
            self.say(format!(
                "open: line {line}, {text}, was forced in one direction only; it stays forced until the other \
                 direction was shown too (`repair guards` repairs it now)"
            ));
        }
    }

    fn tell_of_risks(&mut self, model: &Model, found: &Found) {
        let repaired = &found.repaired;
        let Some(risk) = repaired.candidates[found.chosen].risks.first() else { return };
        let variation = repaired.variations[risk.variation].describe(model);
        self.say(format!("careful: {variation}, the repaired program crashes: {}", risk.message));
        let safe = repaired.candidates.iter().position(|checked| checked.risks.is_empty());
        if let Some(safe) = safe {
            self.say(format!("candidate {} does not; `pick {}` takes it:", safe + 1, safe + 1));
            self.say(changed_lines(&repaired.candidates[safe]));
        }
    }

    /// Why there is no repair, and what to do.
    fn no_repair(&self, answer: &Answer) -> String {
        match answer {
            Answer::SpecContradicts(facts) => format!(
                "none of the changes that are tried can meet all that is asserted; look at:\n  {}\n`undo` takes the last \
                 assertion back, `untrack` leaves values out of the next",
                facts.join("\n  ")
            ),
            Answer::SpaceExhausted { cost, refused: None } => format!(
                "no repair of up to {cost} changed statements meets all that is asserted. Is every corrected value \
                 what you mean (`info specification`)? Asserting less at once (`untrack`), or a state in the middle, \
                 makes smaller steps"
            ),
            Answer::SpaceExhausted { refused: Some(reason), .. } => {
                format!("what looked like a repair did not stand the check: {reason}")
            }
            Answer::OutOfTime(cost) => format!(
                "time is up; there is no repair of fewer than {cost} changed statements. `concrete LINES` leaves lines \
                 out that you trust, `spec` in the middle of the run makes smaller steps"
            ),
            Answer::NotModelled(reason) => format!("this run cannot be repaired: {reason}"),
            Answer::Repaired(_) | Answer::Meets(_) => String::new(),
        }
    }

    /// Shows all repairs.
    pub(crate) fn list_candidates(&mut self) -> Done {
        let Some(found) = self.now.found.clone() else {
            return Err("there are no candidates yet; `repair` looks for some".into());
        };
        let model = Model::new(self.program.clone());
        let is_live = self.now.moment.is_some_and(|moment| !self.timeline.changes_at(moment).is_empty());
        for (i, checked) in found.repaired.candidates.iter().enumerate() {
            let live = if i == found.chosen && is_live { ", live" } else { "" };
            let tokens = checked.candidate.tokens();
            self.say(format!("{}  {tokens} tokens, checked against {}{live}", i + 1, states(checked)));
            self.say(changed_lines(checked));
            if let Some(risk) = checked.risks.first() {
                let variation = found.repaired.variations[risk.variation].describe(&model);
                self.say(format!("     {variation} it crashes: {}", risk.message));
            }
        }
        Ok(())
    }

    /// Takes another repair.
    pub(crate) fn pick(&mut self, number: u32) -> Done {
        let Some(found) = self.now.found.clone() else {
            return Err("there is nothing to pick from yet; `repair` looks for candidates".into());
        };
        let count = found.repaired.candidates.len();
        let index = (number as usize).checked_sub(1).filter(|&index| index < count);
        let Some(index) = index else {
            return Err(match count {
                1 => "there is only candidate 1".into(),
                _ => format!("there is no candidate {number}; there are 1 to {count}").into(),
            });
        };
        let model = Model::new(self.program.clone());
        self.now.found = Some(Arc::new(Found { chosen: index, ..(*found).clone() }));
        let trouble = self.take_live(&model, index)?;
        self.take_answer(&model, index);
        self.say(format!("candidate {number}:"));
        self.say(changed_lines(&found.repaired.candidates[index]));
        self.tell_if_live(trouble);
        Ok(())
    }

    /// Writes the repaired program to a file.
    pub(crate) fn rewrite(&mut self, file: Option<&Path>) -> Done {
        let Some(found) = self.now.found.clone() else {
            return Err("there is no repair yet; `repair` looks for one".into());
        };
        let patched = &found.repaired.candidates[found.chosen].candidate.patched;
        let source = &self.program.source.path;
        let file = file.map_or_else(|| source.with_extension("fixed.c"), Path::to_path_buf);
        std::fs::write(&file, &patched.text)
            .map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        let name = source.file_name().map_or("file.c".into(), |name| name.to_string_lossy().into_owned());
        self.say(patched.diff(&name).trim_end().to_string());
        self.say(format!("written to {}", file.display()));
        Ok(())
    }
}

fn verdict(answer: &Answer) -> Verdict {
    let (kind, open) = match answer {
        Answer::Repaired(repaired) => (VerdictKind::Repaired, repaired.open.clone()),
        Answer::Meets(open) => (VerdictKind::Meets, open.clone()),
        Answer::SpecContradicts(_) => (VerdictKind::Contradicts, Vec::new()),
        Answer::SpaceExhausted { .. } => (VerdictKind::Exhausted, Vec::new()),
        Answer::OutOfTime(_) => (VerdictKind::OutOfTime, Vec::new()),
        Answer::NotModelled(_) => (VerdictKind::NotModelled, Vec::new()),
    };
    Verdict { kind, open }
}

fn states(checked: &Checked) -> String {
    match checked.states {
        1 => "1 asserted state".into(),
        count => format!("{count} asserted states"),
    }
}

/// The changed lines of a repair with their numbers.
pub fn changed_lines(checked: &Checked) -> String {
    checked.candidate.patched.changed_lines()
}

/// A place as a line of a list.
pub fn describe_place(model: &Model, place: Place) -> String {
    match place {
        Place::Step(step) => {
            format!("line {:>3}: {}", model.program.step(step).line, statement_text(&model.program, step))
        }
        Place::Slot(slot) => {
            let slot = &model.code.slots[slot.0 as usize];
            let source = &model.program.source;
            let line = source.line(slot.place.offset());
            let side = if matches!(slot.place, encode::SlotPlace::Instead(_)) { "in" } else { "before" };
            format!("line {line:>3}: a statement may be missing {side} {}", source.line_text(line).trim())
        }
    }
}
