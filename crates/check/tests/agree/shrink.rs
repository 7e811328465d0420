//! Makes a program smaller that still does what is asked for.

use check::Side;

/// Leaves out statements and blocks while `still` holds of the rest.
pub fn shrink(text: &str, still: impl Fn(Side) -> bool) -> String {
    let mut best = text.to_string();
    while let Some(smaller) = smaller(&best, &still) {
        best = smaller;
    }
    best
}

fn smaller(text: &str, still: &impl Fn(Side) -> bool) -> Option<String> {
    for some in candidates(text).chunks(16) {
        let sides = crate::compare::read_some(some);
        let found = sides.into_iter().zip(some).find(|(side, _)| side.clone().is_some_and(still));
        if let Some((_, text)) = found {
            return Some(text.clone());
        }
    }
    None
}

/// The text without some lines whose braces match, the largest pieces first, and with single blocks opened.
fn candidates(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let balance = |line: &str| line.matches('{').count() as i32 - line.matches('}').count() as i32;
    let mut pieces: Vec<Vec<usize>> = vec![];
    for start in 0..lines.len() {
        let mut depth = 0;
        let end = (start..lines.len()).find(|at| {
            depth += balance(lines[*at]);
            depth <= 0
        });
        let Some(end) = end.filter(|_| depth == 0 && !lines[start].contains("main(")) else { continue };
        pieces.push((start..=end).collect());
        if end > start && lines[start].starts_with(' ') {
            pieces.push(vec![start, end]);
        }
    }
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.len()));
    let without = |piece: Vec<usize>| {
        let kept = lines.iter().enumerate().filter(|(i, _)| !piece.contains(i));
        kept.map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    pieces.into_iter().map(without).collect()
}
