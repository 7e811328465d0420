//! Section 1: how many versions are repaired and how fast, next to what we aim at.
//!
//! Counts and times are over all versions of classes 1 to 4, also those that were not repaired.

use super::command;
use super::format::{NOTHING, count, optional, percent};
use super::page::{Cell, Section, Table, number, paper, text, verdict};
use super::paper as figures;
use super::rows::{Fault, Milliseconds, Rows};
use super::statistics::{Sorted, share};

/// Makes the section.
pub fn section(rows: &Rows) -> Section {
    let mut section = Section::new("summary", "Summary");
    let all = rows.main();
    if all.is_empty() {
        section.leave_out("The summary", command::FAULTS);
        return section;
    }
    section.say(
        "All versions of classes 1 to 4, repaired with the localizer by the default search. Repair is the time of \
         localizing, searching and proving; everything is what the user waits for, with recording the run, checking \
         the candidates on a freshly compiled program, and trying other inputs.",
    );
    section.table(&table(&all));
    let sparse = rows.sparse();
    if !sparse.is_empty() {
        section.fold("The same with nothing asserted except the state at the end", &table(&sparse));
    }
    section
}

/// The versions of both sets, of the small one, and of the large one.
struct Sets<'a>([Vec<&'a Fault>; 3]);

impl<'a> Sets<'a> {
    fn new(all: &[&'a Fault]) -> Sets<'a> {
        let (large, small) = all.iter().partition(|row| row.is_large());
        Sets([all.to_vec(), small, large])
    }

    /// The cells of one measure.
    fn cells(&self, measure: impl Fn(&[&'a Fault]) -> String) -> Vec<Cell> {
        let cell = |set: &Vec<&'a Fault>| number(if set.is_empty() { NOTHING.to_string() } else { measure(set) });
        self.0.iter().map(cell).collect()
    }
}

fn table(all: &[&Fault]) -> Table {
    let sets = Sets::new(all);
    let mut table = Table::new("Repairs of versions with faults", &["", "all", "small", "large", "paper", "aim", ""]);
    let enough = all.len() >= figures::VERSIONS;
    let versions = [paper("6 400"), number("6 400"), verdict(Some(enough))];
    add(&mut table, "versions", sets.cells(|set| count(set.len())), versions);
    let repaired = tally(all, Fault::repaired) == all.len();
    add_count(&mut table, &sets, "repaired", Fault::repaired, ["100 %", "100 %"], Some(repaired));
    let plausible = tally(all, is_plausible) == all.len();
    add_count(&mut table, &sets, "plausible", is_plausible, ["100 %", "100 %"], Some(plausible));
    let good = |test: fn(&Fault) -> bool| share(tally(all, test), all.len()).map(|part| part >= figures::CORRECT);
    let (correct, answered) = (good(Fault::is_correct), good(Fault::is_correct_after_answer));
    add_count(&mut table, &sets, "correct", Fault::is_correct, ["", "99 %"], correct);
    let name = "correct after the questions are answered";
    add_count(&mut table, &sets, name, Fault::is_correct_after_answer, ["", "99 %"], answered);
    let among = |row: &Fault| row.is_correct() || row.correct_candidate.is_some();
    add_count(&mut table, &sets, "correct candidate among those shown", among, ["", ""], None);
    add_count(&mut table, &sets, "equal to the original text", |row| row.equal == Some(true), ["", ""], None);
    add_count(&mut table, &sets, "a question was asked", |row| row.asked == Some(true), ["", ""], None);
    add_times(&mut table, &sets, "repair", |times| times.repair);
    add_times(&mut table, &sets, "everything", |times| times.all);
    let memory = sets.cells(|set| optional(set.iter().filter_map(|row| row.memory_mb).collect::<Sorted>().most()));
    add(&mut table, "memory, worst, MB", memory, [paper(""), number(""), verdict(None)]);
    table
}

fn is_plausible(row: &Fault) -> bool {
    row.plausible.unwrap_or(row.repaired())
}

fn tally(set: &[&Fault], test: impl Fn(&Fault) -> bool) -> usize {
    set.iter().filter(|row| test(row)).count()
}

fn add(table: &mut Table, name: &str, cells: Vec<Cell>, aims: [Cell; 3]) {
    table.row([text(name)].into_iter().chain(cells).chain(aims).collect());
}

/// A count of versions with its share.
fn add_count(
    table: &mut Table,
    sets: &Sets,
    name: &str,
    test: fn(&Fault) -> bool,
    [said, aim]: [&str; 2],
    met: Option<bool>,
) {
    let measure = |set: &[&Fault]| {
        let part = tally(set, test);
        format!("{} ({})", count(part), percent(share(part, set.len())))
    };
    add(table, name, sets.cells(measure), [paper(said), number(aim), verdict(met)]);
}

/// The median, the 99th percentile and the worst of some time.
fn add_times(table: &mut Table, sets: &Sets, name: &str, time: fn(&Milliseconds) -> Option<f64>) {
    let times = |set: &[&Fault]| {
        set.iter().filter_map(|row| time(&row.milliseconds)).filter(|&time| time > 0.0).collect::<Sorted>()
    };
    let aims = [("median", 0.5, figures::MEDIAN), ("99 of 100", 0.99, figures::MOST), ("worst", 1.0, figures::WORST)];
    for (which, quantile, aim) in aims {
        let met = times(&sets.0[0]).quantile(quantile).map(|value| value < aim);
        let said = if which == "worst" { "most < 5 s" } else { "" };
        let cells = sets.cells(|set| optional(times(set).quantile(quantile)));
        let aim = format!("< {}", super::format::duration(aim));
        add(table, &format!("{name}, {which}, ms"), cells, [paper(said), number(aim), verdict(met)]);
    }
}
