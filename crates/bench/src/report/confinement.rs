//! Section 6, the paper's Figure 20 and Table 7: what the localizer is worth.
//!
//! For each program and class, only versions count that were run in every mode that the program and class have
//! rows of. The speed-up is the mean time in a mode divided by the mean time with the localizer; a version that
//! ran out of time counts with the time it used.

use std::collections::{BTreeMap, BTreeSet};

use super::chart::{Dot, Dots, HALF};
use super::command;
use super::format::{NOTHING, count, number as shown, optional};
use super::page::{Section, Table, number, paper, text};
use super::paper as figures;
use super::rows::{Class, Rows, short};
use super::statistics::Sorted;

const MODES: [&str; 3] = ["localized", "section", "unconfined"];
const SETS: [(&str, bool); 2] = [("large", true), ("small", false)];

/// Makes the section.
pub fn section(rows: &Rows) -> Section {
    let mut section = Section::new("figure-20", "What the localizer is worth (Figure 20, Table 7)");
    let modes =
        [("section", "Section-wise repair", command::SECTIONS), ("unconfined", "Unconfined repair", command::MODES)];
    for (mode, name, command) in modes {
        if rows.run(mode, "default").next().is_none() {
            section.leave_out(name, command);
        }
    }
    if section.missing.len() == modes.len() {
        return section;
    }
    section.say(
        "Section-wise repair may change one part of the function, such as a loop body; unconfined repair may change \
         all of it. Only versions that were run in every mode shown count.",
    );
    for (name, large) in SETS {
        show(&mut section, rows, name, large);
    }
    section.table(&speedups(rows));
    section
}

/// One program and class.
struct Compared<'a> {
    program: &'a str,
    versions: usize,
    /// By mode.
    times: [Sorted; 3],
}

impl Compared<'_> {
    /// How much faster the localizer makes it.
    fn speedup(&self, mode: usize) -> Option<f64> {
        let localized = self.times[0].mean().filter(|&time| time > 0.0)?;
        Some(self.times[mode].mean()? / localized)
    }

    fn dot(&self, mode: usize) -> Option<Dot> {
        let times = &self.times[mode];
        Some(Dot { value: times.mean()?, reach: (times.mean()?, times.mean()?) })
    }
}

/// By version, its time in each mode.
type Times = BTreeMap<(u64, u64), [Option<f64>; 3]>;

/// The programs of one set and class.
fn compare(rows: &Rows, large: bool, class: Class) -> Vec<Compared<'_>> {
    let mut programs: BTreeMap<&str, Times> = BTreeMap::new();
    for (mode, name) in MODES.iter().enumerate() {
        for row in rows.run(name, "default").filter(|row| row.is_large() == large && row.class == class) {
            let versions = programs.entry(row.program.as_str()).or_default();
            versions.entry((row.seed, row.version)).or_default()[mode] = row.time();
        }
    }
    programs.into_iter().map(|(program, times)| shared(program, &times)).collect()
}

/// Leaves the versions that have a time in all modes that occur.
fn shared<'a>(program: &'a str, times: &Times) -> Compared<'a> {
    let occurs = [0, 1, 2].map(|mode| times.values().any(|times| times[mode].is_some()));
    let whole = |times: &&[Option<f64>; 3]| (0..3).all(|mode| times[mode].is_some() || !occurs[mode]);
    let versions: Vec<&[Option<f64>; 3]> = times.values().filter(whole).collect();
    let times = [0, 1, 2].map(|mode| versions.iter().filter_map(|times| times[mode]).collect());
    Compared { program, versions: versions.len(), times }
}

fn show(section: &mut Section, rows: &Rows, name: &str, large: bool) {
    let classes = Class::PAPER.map(|class| (class, compare(rows, large, class)));
    let programs: BTreeSet<&str> = classes.iter().flat_map(|(_, all)| all.iter().map(|one| one.program)).collect();
    if programs.is_empty() {
        return;
    }
    section.part(&format!("The {name} set"));
    let plots: Vec<Dots> = classes.iter().map(|(class, all)| plot(&programs, *class, all)).collect();
    let extents = plots.iter().map(Dots::extent);
    let range = extents.fold((f64::MAX, 0f64), |range, extent| (range.0.min(extent.0), range.1.max(extent.1)));
    let plots: Vec<String> = plots.into_iter().map(|plot| Dots { range: Some(range), ..plot }.draw()).collect();
    section.plots(&plots, &format!("Mean time to the repair by program and mode, {name} set. Logarithmic axes."));
    section.fold(&format!("The figures of the {name} set"), &table(name, &programs, &classes));
}

fn plot(programs: &BTreeSet<&str>, class: Class, compared: &[Compared]) -> Dots {
    let by_name: BTreeMap<&str, &Compared> = compared.iter().map(|one| (one.program, one)).collect();
    let dots =
        |mode: usize| programs.iter().map(|program| by_name.get(program).and_then(|one| one.dot(mode))).collect();
    Dots {
        title: format!("Class {class} ⟨{},{}⟩", class.changes, class.deletions),
        width: HALF,
        label: "mean time".to_string(),
        names: programs.iter().map(|program| short(program)).collect(),
        series: MODES.iter().enumerate().map(|(mode, name)| (name.to_string(), dots(mode))).collect(),
        joined: true,
        ..Dots::default()
    }
}

fn table(name: &str, programs: &BTreeSet<&str>, classes: &[(Class, Vec<Compared>); 4]) -> Table {
    let mut head = vec!["program"];
    head.extend(["n", "localized", "section", "unconfined"].repeat(4));
    let groups = [("", 1), ("class 1", 4), ("class 2", 4), ("class 3", 4), ("class 4", 4)];
    let mut table =
        Table::new(&format!("Mean milliseconds by mode over n versions, {name} set"), &head).groups(&groups);
    for program in programs {
        let cells = classes.iter().flat_map(|(_, all)| cells(all.iter().find(|one| one.program == *program)));
        table.row([text(short(program))].into_iter().chain(cells.map(number)).collect());
    }
    table
}

fn cells(compared: Option<&Compared>) -> [String; 4] {
    let Some(compared) = compared else { return [NOTHING; 4].map(str::to_string) };
    let [localized, section, unconfined] = [0, 1, 2].map(|mode| optional(compared.times[mode].mean()));
    [count(compared.versions), localized, section, unconfined]
}

/// Table 7, with the paper's.
fn speedups(rows: &Rows) -> Table {
    let head = ["", "class 1", "class 2", "class 3", "class 4"];
    let mut table = Table::new("Average speed-up by the localizer, the largest in brackets (Table 7)", &head);
    for (index, (name, large)) in [("small", false), ("large", true)].into_iter().enumerate() {
        for (mode, of) in [(1, "section-wise"), (2, "unconfined")] {
            let ours = Class::PAPER.map(|class| number(speedup(rows, large, class, mode)));
            table.row([text(format!("{name} set, {of}"))].into_iter().chain(ours).collect());
            let said = [0, 1, 2, 3].map(|class| paper(said(index, class, mode)));
            table.row([text(format!("{name} set, {of}, paper"))].into_iter().chain(said).collect());
        }
    }
    table
}

fn speedup(rows: &Rows, large: bool, class: Class, mode: usize) -> String {
    let speedups: Sorted = compare(rows, large, class).iter().filter_map(|one| one.speedup(mode)).collect();
    match (speedups.mean(), speedups.most()) {
        (Some(mean), Some(most)) => format!("{} ({})", shown(mean), shown(most)),
        _ => NOTHING.to_string(),
    }
}

fn said(set: usize, class: usize, mode: usize) -> String {
    let (mean, most) = figures::UNCONFINED[set][class];
    if mode == 1 {
        shown_whole(figures::SECTION[set][class])
    } else {
        format!("{} ({})", shown_whole(mean), shown_whole(most))
    }
}

fn shown_whole(value: f64) -> String {
    count(value as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::rows::Fault;

    fn row(version: u64, mode: &str, time: f64) -> Fault {
        let mut row = Fault { program: "l01_x".into(), class: Class::new(1, 0), version, ..Fault::default() };
        (row.mode, row.search, row.milliseconds.repair) = (mode.into(), "default".into(), Some(time));
        row
    }

    #[test]
    fn only_versions_of_all_modes_count() {
        let faults = vec![
            row(1, "localized", 2.0),
            row(2, "localized", 4.0),
            row(3, "localized", 900.0),
            row(1, "unconfined", 20.0),
            row(2, "unconfined", 10.0),
        ];
        let rows = Rows { faults, ..Rows::default() };
        let compared = compare(&rows, true, Class::new(1, 0));
        assert_eq!((compared.len(), compared[0].versions), (1, 2));
        assert_eq!((compared[0].speedup(1), compared[0].speedup(2)), (None, Some(5.0)));
    }
}
