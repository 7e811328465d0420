//! Section 4, the paper's Figure 18b: how the time grows with the number of changed expressions.
//!
//! Classes ⟨1,0⟩ to ⟨6,0⟩ of the programs that have any class with three changes or more; the mean is over the
//! versions that were repaired.

use std::collections::{BTreeMap, BTreeSet};

use super::chart::Lines;
use super::command;
use super::format::{NOTHING, optional};
use super::page::{Section, Table, number, text};
use super::rows::{Fault, Rows, long, short};
use super::statistics::Sorted;

/// By program, the versions with each number of changes.
type Growth<'a> = BTreeMap<&'a str, BTreeMap<u32, Vec<&'a Fault>>>;

/// Makes the section.
pub fn section(rows: &Rows) -> Section {
    let mut section = Section::new("figure-18b", "Time against the number of faults (Figure 18b)");
    let growth = growth(rows);
    if growth.is_empty() {
        section.leave_out("The growth with the number of faults", command::MORE_FAULTS);
        return section;
    }
    section.say(
        "Paper, on five small programs: the time grows about linearly with the number of faults, and more for the \
         rotation in a red-black tree (B17) than for insertion into a sorted list (B5).",
    );
    section.plot(&plot(&growth).draw(), "Mean time of the versions repaired. Logarithmic axis.");
    section.fold("The figures of the growth", &table(&growth));
    section
}

fn growth(rows: &Rows) -> Growth<'_> {
    let changed = || rows.run("localized", "default").filter(|row| row.class.deletions == 0);
    let many: BTreeSet<&str> = changed().filter(|row| row.class.changes > 2).map(|row| row.program.as_str()).collect();
    let mut growth = Growth::new();
    for row in changed().filter(|row| many.contains(row.program.as_str())) {
        growth.entry(&row.program).or_default().entry(row.class.changes).or_default().push(row);
    }
    growth
}

fn times(rows: &[&Fault]) -> Sorted {
    rows.iter().filter(|row| row.repaired()).filter_map(|row| row.time()).collect()
}

fn plot(growth: &Growth) -> Lines {
    let line = |versions: &BTreeMap<u32, Vec<&Fault>>| {
        versions.iter().filter_map(|(&changes, rows)| Some((f64::from(changes), times(rows).mean()?))).collect()
    };
    let most = growth.values().flat_map(|versions| versions.keys()).max().copied().unwrap_or(6).max(6);
    Lines {
        title: "Time to the repair against the number of faults".to_string(),
        labels: ("changed expressions".to_string(), "mean time".to_string()),
        series: growth.iter().map(|(program, versions)| (short(program), line(versions))).collect(),
        paper: Vec::new(),
        across: (1.0, f64::from(most)),
        most: None,
        shares: false,
    }
}

fn table(growth: &Growth) -> Table {
    let counts: BTreeSet<u32> = growth.values().flat_map(|versions| versions.keys().copied()).collect();
    let names: Vec<String> = counts.iter().map(|count| format!("{count}")).collect();
    let head: Vec<&str> = ["program"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let groups = [("", 1), ("mean ms (repaired/versions) with this number of faults", counts.len())];
    let mut table = Table::new("Time against the number of faults", &head).groups(&groups);
    for (program, versions) in growth {
        let cells = counts.iter().map(|count| number(cell(versions.get(count).map_or(&[][..], |rows| rows))));
        table.row([text(long(program))].into_iter().chain(cells).collect());
    }
    table
}

fn cell(rows: &[&Fault]) -> String {
    let times = times(rows);
    if rows.is_empty() {
        NOTHING.to_string()
    } else {
        format!("{} ({}/{})", optional(times.mean()), times.count(), rows.len())
    }
}
