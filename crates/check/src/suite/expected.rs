//! What a test expects, as people wrote it and as terms of a contract.

use c_syntax::{BinaryOp, Span};
use spec::contract::{Binary, Term, TermKind};

/// What must come of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Of a call: these lines of what can be seen afterwards, such as `result = 3` and `a[0] = 1`.
    Lines(Vec<String>),
    /// Of the whole program: what it prints. Blanks at the ends of lines do not count.
    Output(Vec<u8>),
}

impl Expected {
    /// Nothing but what the contract says.
    pub fn nothing() -> Expected {
        Expected::Lines(vec![])
    }

    /// The lines that are expected of a call.
    pub fn lines(&self) -> &[String] {
        match self {
            Expected::Lines(lines) => lines,
            Expected::Output(_) => &[],
        }
    }

    /// The first line that is not as expected, and what is there instead.
    pub fn first_difference(&self, output: &[u8]) -> Option<(String, String)> {
        let output = String::from_utf8_lossy(output).into_owned();
        match self {
            Expected::Lines(lines) => {
                let line = lines.iter().find(|line| !output.lines().any(|found| found == *line))?;
                let found = output.lines().find(|found| name_of(found) == name_of(line)).unwrap_or("nothing");
                Some((line.clone(), found.into()))
            }
            Expected::Output(expected) => {
                let expected = String::from_utf8_lossy(expected).into_owned();
                let (mut wanted, mut found) = (trimmed(&expected), trimmed(&output));
                loop {
                    match (wanted.next(), found.next()) {
                        (None, None) => return None,
                        (wanted, found) if wanted == found => {}
                        (wanted, found) => return Some((shown(wanted), shown(found))),
                    }
                }
            }
        }
    }

    /// The lines as predicates over the state after the call: `\result == 3`, `a[0] == 1`.
    pub fn terms(&self) -> Vec<Term> {
        self.lines().iter().filter_map(|line| term(line)).collect()
    }
}

fn name_of(line: &str) -> &str {
    line.split(" = ").next().unwrap_or_default()
}

fn trimmed(text: &str) -> impl Iterator<Item = &str> {
    text.trim_end().lines().map(str::trim_end)
}

fn shown(line: Option<&str>) -> String {
    line.unwrap_or("the end of the output").into()
}

fn term(line: &str) -> Option<Term> {
    let of = |kind| Term { kind, span: Span::default() };
    let (place, value) = line.split_once(" = ")?;
    let place = match place.split_once('[') {
        None if place == "result" => TermKind::Result,
        None => TermKind::Name(place.into()),
        Some((array, index)) => {
            let index = TermKind::Int(index.strip_suffix(']')?.parse().ok()?);
            TermKind::Index(Box::new(of(TermKind::Name(array.into()))), Box::new(of(index)))
        }
    };
    let value = TermKind::Int(value.parse().ok()?);
    Some(of(TermKind::Binary(Binary::C(BinaryOp::Equal), Box::new(of(place)), Box::new(of(value)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_found_where_they_are() {
        let call = Expected::Lines(vec!["result = 3".into()]);
        assert_eq!(call.first_difference(b"result = 3\na[0] = 1\n"), None);
        assert_eq!(call.first_difference(b"result = 4\n"), Some(("result = 3".into(), "result = 4".into())));
        let whole = Expected::Output(b"1 2\n3\n".into());
        assert_eq!(whole.first_difference(b"1 2 \n3"), None);
        assert_eq!(whole.first_difference(b"1 2\n"), Some(("3".into(), "the end of the output".into())));
    }
}
