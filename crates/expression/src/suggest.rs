//! What is offered in the place of a name that does not exist.

/// Names in one sentence, at most.
const MOST: usize = 12;

/// A sentence about something that does not exist, and what there is instead:
/// ``there is no `curent` here, did you mean `current`? reverse has current, temp1; globals are head``.
pub(crate) struct Sentence {
    text: String,
    /// Whether it ends with a question, so that what follows is a sentence of its own.
    asks: bool,
}

impl Sentence {
    pub fn new(text: impl Into<String>) -> Self {
        Sentence { text: text.into(), asks: false }
    }

    /// Asks whether the closest of these names was meant.
    pub fn close_to<'n>(mut self, name: &str, names: impl Iterator<Item = &'n str>) -> Self {
        let allowed = (name.chars().count() / 3).max(1);
        let closest =
            names.map(|other| (strsim::osa_distance(name, other), other)).filter(|(d, _)| *d <= allowed).min();
        if let Some((_, other)) = closest {
            self.text += &format!(", did you mean `{other}`?");
            self.asks = true;
        }
        self
    }

    /// `reverse has current, temp1`
    pub fn has(self, owner: &str, names: &[&str]) -> Self {
        self.offer(owner.to_string() + " has", names)
    }

    /// `globals are head, tail`
    pub fn list(self, what: &str, names: &[&str]) -> Self {
        let (first, rest) = what.split_at(what.len().min(1));
        let what = if self.asks { first.to_uppercase() + rest } else { what.to_string() };
        self.offer(what, names)
    }

    fn offer(mut self, what: String, names: &[&str]) -> Self {
        if !names.is_empty() {
            let between = if self.asks { " " } else { "; " };
            self.text += &format!("{between}{what} {}", list(names));
            self.asks = false;
        }
        self
    }

    pub fn end(self) -> String {
        self.text
    }
}

/// `a, b, c`, cut after a dozen.
pub(crate) fn list(names: &[&str]) -> String {
    match names.len() > MOST {
        true => format!("{} and {} more", names[..MOST].join(", "), names.len() - MOST),
        false => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(name: &str, names: &[&str]) -> String {
        Sentence::new("no").close_to(name, names.iter().copied()).end()
    }

    #[test]
    fn slips_of_the_finger_are_close() {
        assert_eq!(asked("curent", &["current", "x"]), "no, did you mean `current`?");
        assert_eq!(asked("haed", &["head"]), "no, did you mean `head`?");
        assert_eq!(asked("zzz", &["head"]), "no");
    }

    #[test]
    fn sentences_follow_questions() {
        let sentence = |name: &str| Sentence::new("no").close_to(name, ["head"].into_iter());
        let all = |sentence: Sentence| sentence.has("main", &["x", "y"]).list("globals are", &["head"]).end();
        assert_eq!(all(sentence("haed")), "no, did you mean `head`? main has x, y; globals are head");
        assert_eq!(all(sentence("z")), "no; main has x, y; globals are head");
        let some = |sentence: Sentence| sentence.has("main", &[]).list("globals are", &["head"]).end();
        assert_eq!(some(sentence("haed")), "no, did you mean `head`? Globals are head");
    }
}
