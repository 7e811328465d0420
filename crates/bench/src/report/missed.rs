//! Section 9: the versions that were not repaired, or not correctly, by reason.
//!
//! Reasons that differ only in numbers, such as lines, are one reason.

use std::collections::{BTreeMap, BTreeSet};

use super::command;
use super::format::count;
use super::page::{Section, Table, number, text};
use super::rows::{Fault, Rows, short};

/// How many versions are shown at most.
const SHOWN: usize = 200;

/// Makes the section.
pub fn section(rows: &Rows) -> Section {
    let mut section = Section::new("missed", "What is missed");
    let main = rows.main();
    if main.is_empty() {
        section.leave_out("The list of what is missed", command::FAULTS);
        return section;
    }
    let groups = groups(&main);
    if groups.is_empty() {
        section.say("Nothing: every version is repaired, and correctly.");
        return section;
    }
    section.say(&sentence(&groups, main.len()));
    section.table(&overview(&groups));
    section.fold("The versions", &versions(&groups));
    section
}

/// Versions by reason, the most frequent reason first.
type Groups<'a> = Vec<(String, Vec<&'a Fault>)>;

fn groups<'a>(main: &[&'a Fault]) -> Groups<'a> {
    let mut groups: BTreeMap<String, Vec<&Fault>> = BTreeMap::new();
    for row in main.iter().filter(|row| !(row.repaired() && row.is_correct())) {
        groups.entry(without_numbers(&reason(row))).or_default().push(row);
    }
    let mut groups: Groups = groups.into_iter().collect();
    groups.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
    groups
}

/// Why a version is missed, as its row says it or as follows from it.
fn reason(row: &Fault) -> String {
    match &row.reason {
        Some(reason) => reason.clone(),
        None if !row.repaired() => row.outcome.clone(),
        None if row.correct.is_none() => "repaired; whether correctly was not measured".to_string(),
        None if row.is_correct_after_answer() => "repaired; correct only after the question is answered".to_string(),
        None => "repaired, but not correct on other inputs".to_string(),
    }
}

/// Puts one sign for every number.
fn without_numbers(reason: &str) -> String {
    let mut out = String::new();
    for letter in reason.chars() {
        match letter {
            letter if !letter.is_ascii_digit() => out.push(letter),
            _ if out.ends_with('#') => {}
            _ => out.push('#'),
        }
    }
    out
}

fn sentence(groups: &Groups, versions: usize) -> String {
    let missed: usize = groups.iter().map(|(_, rows)| rows.len()).sum();
    format!("{} of {} versions are not repaired, or not correctly.", count(missed), count(versions))
}

fn overview(groups: &Groups) -> Table {
    let head = ["reason", "versions", "not repaired", "not correct", "classes", "programs"];
    let mut table = Table::new("Reasons", &head);
    for (reason, rows) in groups {
        let open = rows.iter().filter(|row| !row.repaired()).count();
        let classes: BTreeSet<String> = rows.iter().map(|row| row.class.to_string()).collect();
        let counts = [rows.len(), open, rows.len() - open].map(|number_of| number(count(number_of)));
        let classes = classes.into_iter().collect::<Vec<_>>().join(", ");
        table.row([text(reason)].into_iter().chain(counts).chain([text(classes), text(programs(rows))]).collect());
    }
    table
}

/// The programs with the most versions, and how many others there are.
fn programs(rows: &[&Fault]) -> String {
    let mut programs: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        *programs.entry(&row.program).or_default() += 1;
    }
    let mut programs: Vec<(&str, usize)> = programs.into_iter().collect();
    programs.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let named = programs.iter().take(6).map(|(program, count)| format!("{} ({count})", short(program)));
    let others = programs.len().saturating_sub(6);
    let others = (others > 0).then(|| format!("{others} more"));
    named.chain(others).collect::<Vec<_>>().join(", ")
}

fn versions(groups: &Groups) -> Table {
    let all: usize = groups.iter().map(|(_, rows)| rows.len()).sum();
    let caption = format!("{} of {} versions, by reason", count(all.min(SHOWN)), count(all));
    let head = ["version", "class", "outcome", "correct", "faults", "reason"];
    let mut table = Table::new(&caption, &head);
    for row in groups.iter().flat_map(|(_, rows)| rows).take(SHOWN) {
        table.row(vec![
            text(format!("{} {}", row.program, row.version)),
            text(row.class.to_string()),
            text(&row.outcome),
            text(row.correct.map_or("not measured", |correct| if correct { "yes" } else { "no" })),
            text(row.faults.join("; ")),
            text(reason(row)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_that_differ_in_numbers_are_one() {
        let row = |line: u32| Fault { reason: Some(format!("no edit at line {line}")), ..Fault::default() };
        let (one, other, good) = (row(3), row(14), Fault { outcome: "error".into(), ..Fault::default() });
        let groups = groups(&[&good, &one, &other]);
        assert_eq!((groups.len(), groups[0].0.as_str(), groups[0].1.len()), (2, "no edit at line #", 2));
    }
}
