//! What is offered in the place of a name that does not exist.

use memory::State;

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
        let closest = names.map(|other| (distance(name, other), other)).filter(|(d, _)| *d <= allowed).min();
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

/// `nodes are n1–n4, n7`
pub(crate) fn nodes(state: &State) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for id in state.nodes.iter().map(|node| node.id.0) {
        match runs.last_mut() {
            Some(run) if run.1 + 1 == id => run.1 = id,
            _ => runs.push((id, id)),
        }
    }
    let run = |&(first, last): &(u32, u32)| match last - first {
        0 => format!("n{first}"),
        1 => format!("n{first}, n{last}"),
        _ => format!("n{first}–n{last}"),
    };
    match runs.is_empty() {
        true => "there are no nodes".into(),
        false => format!("nodes are {}", runs.iter().map(run).collect::<Vec<_>>().join(", ")),
    }
}

/// Letters to insert, remove, replace or swap with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
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
