//! What a session answers to `repair`, told apart.

use session::Outcome;

/// How a request for a repair ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// There are repairs.
    Repaired,
    /// There is nothing to repair.
    Meets,
    /// What is asserted cannot hold together.
    Contradicts,
    /// There is no repair as small as was looked for.
    Exhausted,
    /// Time was up.
    OutOfTime,
    /// The run cannot be modelled.
    NotModelled,
}

impl Verdict {
    /// Its name in JSON.
    pub(super) fn name(self) -> &'static str {
        match self {
            Verdict::Repaired => "repaired",
            Verdict::Meets => "meets",
            Verdict::Contradicts => "contradicts",
            Verdict::Exhausted => "exhausted",
            Verdict::OutOfTime => "out-of-time",
            Verdict::NotModelled => "not-modelled",
        }
    }

    /// Whether the program meets what is asserted now.
    pub(super) fn is_good(self) -> bool {
        matches!(self, Verdict::Repaired | Verdict::Meets)
    }
}

/// The answer to a request for a repair.
pub(super) struct Reply {
    pub(super) verdict: Verdict,
    /// What the session says, if it did not find a repair.
    pub(super) sentence: String,
    /// For a program that needs no repair: conditions that stay forced, with their lines.
    pub(super) open: Vec<(u32, String)>,
}

/// How the sentences of a session begin. It tells people, not programs, why
/// there is no repair.
const SENTENCES: [(&str, Verdict); 6] = [
    ("no change of the program can meet", Verdict::Contradicts),
    ("no repair of up to", Verdict::Exhausted),
    ("what looked like a repair", Verdict::Exhausted),
    ("time is up", Verdict::OutOfTime),
    ("this run cannot be repaired", Verdict::NotModelled),
    ("the program meets everything", Verdict::Meets),
];

impl Reply {
    /// Reads an answer; an error that is none, such as that nothing is asserted, comes back.
    pub(super) fn of(outcome: &Outcome, is_found: bool, is_time_up: bool) -> Result<Reply, String> {
        if is_found {
            return Ok(Reply { verdict: Verdict::Repaired, sentence: String::new(), open: Vec::new() });
        }
        let sentence = outcome.error.clone().unwrap_or_else(|| outcome.messages.join("\n"));
        let known = SENTENCES.iter().find(|(beginning, _)| sentence.starts_with(beginning));
        match known {
            Some((_, verdict)) => {
                let open = outcome.messages.iter().filter_map(|message| open_guard(message)).collect();
                Ok(Reply { verdict: *verdict, sentence, open })
            }
            None if is_time_up => {
                let sentence = "time is up; no repair was found so far".into();
                Ok(Reply { verdict: Verdict::OutOfTime, sentence, open: Vec::new() })
            }
            None => Err(sentence),
        }
    }
}

/// `open: line 29, while (temp1 != NULL), was forced …`
fn open_guard(message: &str) -> Option<(u32, String)> {
    let (line, rest) = message.strip_prefix("open: line ")?.split_once(", ")?;
    let text = rest.rsplit_once(", was forced")?.0;
    Some((line.parse().ok()?, text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_guards_are_read() {
        let message = "open: line 29, while (f(a, b)), was forced in one direction only; it stays forced";
        assert_eq!(open_guard(message), Some((29, "while (f(a, b))".into())));
        assert_eq!(open_guard("careful"), None);
    }

    #[test]
    fn other_errors_are_no_answers() {
        let outcome = Outcome { error: Some("nothing is asserted".into()), ..Outcome::default() };
        assert_eq!(Reply::of(&outcome, false, false).err(), Some("nothing is asserted".into()));
        assert!(Reply::of(&outcome, false, true).is_ok_and(|reply| reply.verdict == Verdict::OutOfTime));
    }
}
