//! What is offered in the place of a name that does not exist.

use memory::State;

/// Names in one sentence, at most.
const MOST: usize = 12;

/// ` (did you mean current?)`, or nothing.
pub(crate) fn close_to<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    let allowed = (name.chars().count() / 3).max(1);
    let closest = names.map(|other| (distance(name, other), other)).filter(|(d, _)| *d <= allowed).min();
    closest.map_or_else(String::new, |(_, other)| format!(" (did you mean `{other}`?)"))
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

    #[test]
    fn slips_of_the_finger_are_close() {
        assert_eq!(close_to("curent", ["current", "x"].into_iter()), " (did you mean `current`?)");
        assert_eq!(close_to("haed", ["head"].into_iter()), " (did you mean `head`?)");
        assert_eq!(close_to("zzz", ["head"].into_iter()), "");
    }
}
