//! Section 5, the paper's Figure 19 and Table 6: how far down the ranking the faulty statement stands.
//!
//! The effort of a version is the rank of its faulty statement divided by the number of statements: rank 4 of
//! 40 is 10 %. A line counts the versions whose effort is at most x; a statement that is in no ranking is
//! never found.

use std::collections::{BTreeMap, BTreeSet};

use super::chart::Lines;
use super::command;
use super::format::{count, percent, tenths, whole_percent};
use super::page::{Cell, Section, Table, number, paper, text, verdict};
use super::paper as figures;
use super::rows::{Rank, Rows, long};
use super::statistics::{Sorted, mean};

/// Makes the section.
pub fn section(rows: &Rows) -> Section {
    let mut section = Section::new("figure-19", "Ranks of the faulty statement (Figure 19, Table 6)");
    if rows.ranks.is_empty() {
        section.leave_out("The comparison of localizers", command::RANKS);
        return section;
    }
    section.say(
        "Effort is the rank of the faulty statement as a share of the program: what has to be read before the fault \
         is met. Wolverine sees one failing run; the others see all tests.",
    );
    let efforts = efforts(&rows.ranks);
    section.plot(&plot(&efforts, rows.ranks.len()).draw(), &caption(rows.ranks.len()));
    section.table(&table(&efforts, rows.ranks.len()));
    section.tables(&[tests(&rows.ranks), paper_tests()]);
    section.say("The paper does not say which ten of the large programs its rows are.");
    section
}

/// By method, the efforts of the versions; ours first.
type Efforts = Vec<(String, Sorted)>;

fn efforts(ranks: &[Rank]) -> Efforts {
    let names: BTreeSet<&String> = ranks.iter().flat_map(|row| row.ranks.keys()).collect();
    let (ours, others): (Vec<&String>, Vec<&String>) = names.into_iter().partition(|name| *name == "gradient");
    let effort = |row: &Rank, name: &String| {
        let rank = row.ranks.get(name).copied().flatten()?;
        (row.statements > 0.0).then(|| rank / row.statements)
    };
    let collect = |name: &String| (name.clone(), ranks.iter().filter_map(|row| effort(row, name)).collect());
    ours.into_iter().chain(others).map(collect).collect()
}

fn caption(versions: usize) -> String {
    let scaled = if versions == figures::RANKED { "" } else { ", scaled to the number of versions here" };
    format!("Versions (of {versions}) within an effort, by method. Outlined marks are the paper's, out of 200{scaled}.")
}

fn plot(efforts: &Efforts, versions: usize) -> Lines {
    let scale = versions as f64 / figures::RANKED as f64;
    let place = |method: &str| efforts.iter().position(|(name, _)| name == method);
    let mark = |&(method, effort, found): &(&str, f64, usize)| {
        Some((place(method)?, (effort, found as f64 * scale), format!("paper: {} {found}", shown(method))))
    };
    Lines {
        title: "Versions whose faulty statement is found within an effort".to_string(),
        labels: ("effort, share of the program".to_string(), "versions".to_string()),
        series: efforts.iter().map(|(name, efforts)| (shown(name), stairs(efforts))).collect(),
        paper: figures::RANKS.iter().filter_map(mark).collect(),
        across: (0.0, 1.0),
        most: Some(versions as f64),
        shares: true,
    }
}

/// The corners of the line that counts efforts up to x.
fn stairs(efforts: &Sorted) -> Vec<(f64, f64)> {
    let mut corners = vec![(0.0, 0.0)];
    for (below, &effort) in efforts.values().iter().enumerate() {
        corners.extend([(effort, below as f64), (effort, below as f64 + 1.0)]);
    }
    corners.dedup();
    corners.push((1.0, efforts.count() as f64));
    corners
}

/// The name of a method.
fn shown(method: &str) -> String {
    match method {
        "gradient" => "Wolverine",
        "tarantula" => "Tarantula",
        "ochiai" => "Ochiai",
        "dstar" => "D*",
        "liblit" => "Liblit",
        "sober" => "SOBER",
        other => other,
    }
    .to_string()
}

const LEVELS: [f64; 7] = [0.02, 0.05, 0.10, 0.20, 0.25, 0.50, 1.0];

fn table(efforts: &Efforts, versions: usize) -> Table {
    let names = LEVELS.map(|level| format!("≤ {}", whole_percent(level)));
    let head: Vec<&str> =
        ["method"].into_iter().chain(names.iter().map(String::as_str)).chain(["median effort"]).collect();
    let mut table = Table::new(&format!("Versions (of {versions}) by effort"), &head);
    for (name, efforts) in efforts {
        let cells = LEVELS.iter().map(|&level| number(count(efforts.within(level + 1e-9))));
        let median = number(percent(efforts.median()));
        table.row([text(shown(name))].into_iter().chain(cells).chain([median]).collect());
    }
    for method in ["gradient", "tarantula"] {
        let cells = LEVELS.iter().map(|&level| paper(said(method, level)));
        let name = format!("{}, paper (of {})", shown(method), figures::RANKED);
        table.row([text(name)].into_iter().chain(cells).chain([paper("")]).collect());
    }
    table.row(aims(efforts, versions));
    table
}

/// What the paper says of a method within an effort.
fn said(method: &str, level: f64) -> String {
    let point = figures::RANKS.iter().find(|(name, effort, _)| *name == method && *effort == level);
    point.map_or_else(String::new, |(_, _, found)| found.to_string())
}

/// Whether our localizer is as good as we want it to be.
fn aims(efforts: &Efforts, versions: usize) -> Vec<Cell> {
    let ours = efforts.iter().find(|(name, _)| name == "gradient").map(|(_, efforts)| efforts);
    let cell = |level: f64| {
        let aim = figures::RANKS_AIMED.iter().find(|(effort, _)| *effort == level)?;
        Some(verdict(Some(ours?.within(level + 1e-9) as f64 >= aim.1 * versions as f64)))
    };
    let cells = LEVELS.iter().map(|&level| cell(level).unwrap_or_else(|| verdict(None)));
    [text("aim: 95 % within 10 %, all within 20 %")].into_iter().chain(cells).chain([verdict(None)]).collect()
}

/// Table 6 of this run.
fn tests(ranks: &[Rank]) -> Table {
    let mut programs: BTreeMap<&str, Vec<&Rank>> = BTreeMap::new();
    for row in ranks {
        programs.entry(&row.program).or_default().push(row);
    }
    let head = ["program", "versions", "tests", "failing", "statements %", "branches %"];
    let mut table = Table::new("Tests of this run (Table 6)", &head);
    for (program, rows) in &programs {
        let average = |field: fn(&Rank) -> Option<f64>| mean(rows.iter().filter_map(|row| field(row)));
        let covered = |share: Option<f64>| number(tenths(share.map(|share| share * 100.0)));
        table.row(vec![
            text(long(program)),
            number(count(rows.len())),
            number(tenths(average(|row| row.tests))),
            number(tenths(average(|row| row.failing))),
            covered(average(|row| row.statement_coverage)),
            covered(average(|row| row.branch_coverage)),
        ]);
    }
    table
}

/// Table 6 of the paper.
fn paper_tests() -> Table {
    let mut table = Table::new("Tests of the paper (Table 6)", &["program", "tests", "lines %", "branches %"]);
    for (program, tests, lines, branches) in figures::TESTS {
        let figures = [tests, lines, branches].map(|value| paper(super::format::plain(value)));
        table.row([text(program)].into_iter().chain(figures).collect());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stairs_count_up_and_reach_the_end() {
        let efforts: Sorted = [0.5, 0.1, 0.1].into_iter().collect();
        let corners = stairs(&efforts);
        assert_eq!((corners[0], corners[corners.len() - 1]), ((0.0, 0.0), (1.0, 3.0)));
        assert!(corners.contains(&(0.1, 2.0)) && corners.contains(&(0.5, 3.0)));
    }
}
