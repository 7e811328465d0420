//! The session's side of the page: does what is asked, one thing after the
//! other, and publishes what there is to show then.

use std::sync::Arc;

use memory::NodeId;
use session::{Effect, Outcome, Session, split_line};

use crate::doors::command_line::waiting;

use super::hub::{Files, Hub, Turn};
use super::wire::{self, Fold};

/// What a page asks of the session.
#[derive(Debug)]
pub(super) enum Ask {
    /// To run a line of commands.
    Run { turn: Turn, line: String },
    /// Which words could stand at a place of a line.
    Complete { turn: Turn, line: String, at: usize },
    /// What `spec` would assert.
    Expect { turn: Turn },
    /// To show a folded list as a whole, or all; or to fold all again.
    Fold { turn: Turn, fold: Fold },
    /// To end.
    End,
}

/// A session and what was published of it.
pub(super) struct Host {
    session: Session,
    hub: Arc<Hub>,
    is_over: bool,
}

/// Moments that the time line shows on either side of the present one.
const LONGEST_TIMELINE: usize = 400;

impl Host {
    /// A host that has published what there is to show at first.
    pub(super) fn new(mut session: Session, hub: Arc<Hub>, tour: bool) -> Host {
        let progress = hub.clone();
        session.set_progress(Box::new(move |now| {
            progress.publish(vec![("busy", wire::busy("repair", &waiting::describe(now)))], Vec::new());
        }));
        session.fold_lists(true);
        let fixed = vec![("program", wire::program(&session, tour)), ("commands", wire::commands())];
        hub.publish(fixed, Vec::new());
        let mut host = Host { session, hub, is_over: false };
        host.show(Effect::Position, None, Vec::new());
        host
    }

    /// The name of the file that is debugged.
    pub(super) fn file(&self) -> String {
        self.session.program().source.path.display().to_string()
    }

    /// Whether somebody has quit.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn answer(&mut self, ask: Ask) {
        match ask {
            Ask::Run { turn, line } => {
                if self.hub.take_up(turn) {
                    self.run(&line);
                }
            }
            Ask::Complete { turn, line, at } => {
                if self.hub.take_up(turn) {
                    let (start, words) = self.session.complete(&line, at);
                    self.hub.tell(wire::words(start, &words));
                }
            }
            Ask::Expect { turn } => {
                if self.hub.take_up(turn) {
                    let expectation = self.session.expectation();
                    self.hub.tell(wire::expectation(&expectation));
                }
            }
            Ask::Fold { turn, fold } => {
                if self.hub.take_up(turn) {
                    self.fold(fold);
                }
            }
            Ask::End => self.is_over = true,
        }
    }

    fn fold(&mut self, fold: Fold) {
        match fold {
            Fold::All => self.session.fold_lists(true),
            Fold::Nothing => self.session.fold_lists(false),
            Fold::AllBut(node) => self.session.unfold_list(NodeId(node)),
        }
        self.show(Effect::Picture, None, Vec::new());
    }

    /// Runs a line of commands up to the first that fails.
    fn run(&mut self, line: &str) {
        let commands = split_line(line);
        if commands.is_empty() {
            return;
        }
        self.hub.publish(vec![("busy", wire::busy(line.trim(), ""))], Vec::new());
        let (mut log, mut effect, mut last) = (Vec::new(), Effect::Nothing, None);
        for (number, command) in commands.iter().enumerate() {
            let outcome = self.session.run(command);
            let is_over = outcome.error.is_some() || self.session.interrupt().is_asked();
            log.push(wire::entry(command, &outcome));
            effect = effect.max(outcome.effect);
            self.is_over |= outcome.quit;
            last = Some(outcome);
            let rest = &commands[number + 1..];
            if is_over && !rest.is_empty() {
                log.push(wire::note(&format!("not run: {}", rest.join("; "))));
            }
            if is_over {
                break;
            }
        }
        self.show(effect, last.as_ref(), log);
    }

    /// Publishes all that can be seen.
    fn show(&mut self, effect: Effect, outcome: Option<&Outcome>, log: Vec<String>) {
        let mut sections = Vec::new();
        if let Some(outcome) = outcome {
            sections.push(("position", wire::position(&self.session, outcome)));
        }
        // A command that shows nothing new keeps the highlights of the one before.
        if effect >= Effect::Picture {
            let drawing = self.session.picture(false).map(|picture| picture.drawing());
            sections.push(("folding", wire::folding(drawing.as_ref(), self.session.is_unfolded())));
            sections.push(("picture", wire::picture(drawing.as_ref())));
        }
        sections.extend([
            ("calls", wire::calls(&self.session.active_calls())),
            ("breakpoints", wire::breakpoints(&self.session.breakpoints())),
            ("moments", wire::moments(&self.session.moments(LONGEST_TIMELINE))),
            ("checkpoints", wire::checkpoints(&self.session.checkpoints())),
            ("suspects", wire::suspects(self.session.suspects())),
            ("live", wire::changed_lines(&self.session.live_lines())),
            ("repairs", wire::repairs(self.session.repairs().as_ref())),
            ("streams", wire::streams(&self.session.streams())),
            ("undo", wire::undo(self.session.can_undo())),
            ("busy", "null".into()),
        ]);
        let stem = self.session.program().source.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        self.hub.set_files(Files {
            stem: stem.unwrap_or_else(|| "program".into()),
            repaired: self.session.repaired_text(),
            script: self.session.script(),
        });
        self.hub.publish(sections, log);
    }
}
