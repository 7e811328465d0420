//! What a session answers to `repair`.

use session::{Outcome, VerdictKind};

/// The name of a verdict in JSON.
pub(super) fn name(verdict: VerdictKind) -> &'static str {
    match verdict {
        VerdictKind::Repaired => "repaired",
        VerdictKind::Meets => "meets",
        VerdictKind::Contradicts => "contradicts",
        VerdictKind::Exhausted => "exhausted",
        VerdictKind::OutOfTime => "out-of-time",
        VerdictKind::NotModelled => "not-modelled",
    }
}

/// Whether the program meets what is asserted now.
pub(super) fn is_good(verdict: VerdictKind) -> bool {
    matches!(verdict, VerdictKind::Repaired | VerdictKind::Meets)
}

/// The answer to a request for a repair.
pub(super) struct Reply {
    pub(super) verdict: VerdictKind,
    /// What the session says, if it did not find a repair.
    pub(super) sentence: String,
    /// For a program that needs no repair: conditions that stay forced.
    pub(super) open: Vec<ir::StepId>,
}

impl Reply {
    /// The repair that was found before still holds.
    pub(super) fn found() -> Reply {
        Reply { verdict: VerdictKind::Repaired, sentence: String::new(), open: Vec::new() }
    }

    /// Reads an answer; an error that is none, such as that nothing is asserted, comes back.
    pub(super) fn of(outcome: &Outcome, is_time_up: bool) -> Result<Reply, String> {
        let sentence = outcome.error.clone().unwrap_or_else(|| outcome.messages.join("\n"));
        match &outcome.verdict {
            Some(verdict) if verdict.kind == VerdictKind::Repaired && outcome.error.is_none() => Ok(Reply::found()),
            Some(verdict) if !is_time_up || is_good(verdict.kind) => {
                Ok(Reply { verdict: verdict.kind, sentence, open: verdict.open.clone() })
            }
            _ if is_time_up => {
                let sentence = "time is up; no repair was found so far".into();
                Ok(Reply { verdict: VerdictKind::OutOfTime, sentence, open: Vec::new() })
            }
            _ => Err(sentence),
        }
    }
}
