//! Makes a program smaller that still does what is asked for.

use std::time::{Duration, Instant};

use c_syntax::Unit;
use ir::Program;

/// Making a program smaller takes no longer than this.
const PATIENCE: Duration = Duration::from_secs(20);

/// Leaves out statements and blocks while `still` holds of the rest.
pub fn shrink(text: &str, still: impl Fn(&Unit, &Program) -> bool) -> String {
    let (mut best, start) = (text.to_string(), Instant::now());
    while start.elapsed() < PATIENCE {
        match smaller(&best, &still) {
            Some(smaller) => best = smaller,
            None => break,
        }
    }
    best
}

/// The text without the programs that do not begin at `main`.
pub fn alone(text: &str, main: &str) -> String {
    let mut keep = true;
    let mut kept = String::new();
    for line in text.lines() {
        if line.starts_with("int main") {
            keep = line.starts_with(&format!("int {main}("));
        }
        if keep {
            kept += &format!("{line}\n");
        }
    }
    kept
}

fn smaller(text: &str, still: &impl Fn(&Unit, &Program) -> bool) -> Option<String> {
    for some in candidates(text).chunks(16) {
        let read = crate::compare::read(some);
        let found = read.iter().zip(some).find(|(read, _)| read.as_ref().is_some_and(|(unit, code)| still(unit, code)));
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
        let Some(end) = end.filter(|_| depth == 0) else { continue };
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
