//! Section 2, the paper's Figure 17: success and time by program and class, and where the time goes.
//!
//! Like the paper's, the mean time of a program and class is over the versions that were repaired.

use std::collections::BTreeMap;

use super::chart::{Bars, Dot, Dots, Grid, WIDE};
use super::command;
use super::format::{NOTHING, count, optional};
use super::page::{Section, Table, number, text};
use super::paper;
use super::rows::{Class, Fault, Milliseconds, Rows, long, short};
use super::statistics::{Sorted, mean, share};

/// Makes the section.
pub fn section(rows: &Rows) -> Section {
    let mut section = Section::new("figure-17", "Success and time by program and class (Figure 17)");
    let main = rows.main();
    section.say(
        "Classes are ⟨changed expressions, deleted statements⟩: 1 is ⟨1,0⟩, 2 is ⟨1,1⟩, 3 is ⟨2,0⟩, 4 is ⟨2,1⟩. Paper: all \
         versions of the small set are repaired, most in less than 5 s; classes 2 and 4, where a statement has to be \
         made, take longer.",
    );
    for (name, large) in [("small", false), ("large", true)] {
        let set = Programs::of(main.iter().copied().filter(|row| row.is_large() == large));
        if set.0.is_empty() {
            section.leave_out(&format!("The {name} set"), command::FAULTS);
        } else {
            show(&mut section, name, &set);
        }
    }
    if !main.is_empty() {
        show_split(&mut section, &main);
    }
    section
}

/// Versions by program and class.
pub struct Programs<'a>(pub BTreeMap<String, BTreeMap<Class, Vec<&'a Fault>>>);

impl<'a> Programs<'a> {
    /// Sorts versions.
    pub fn of(rows: impl Iterator<Item = &'a Fault>) -> Programs<'a> {
        let mut programs: BTreeMap<String, BTreeMap<Class, Vec<&'a Fault>>> = BTreeMap::new();
        for row in rows {
            programs.entry(row.program.clone()).or_default().entry(row.class).or_default().push(row);
        }
        Programs(programs)
    }

    /// The short names of the programs.
    pub fn names(&self) -> Vec<String> {
        self.0.keys().map(|program| short(program)).collect()
    }

    /// For each program, the share of the versions of a class that was repaired.
    pub fn successes(&self, class: Class) -> Vec<Option<f64>> {
        let success = |rows: &Vec<&Fault>| share(repaired(rows), rows.len());
        self.0.values().map(|classes| classes.get(&class).and_then(success)).collect()
    }

    /// For each program, the time of the repairs of a class.
    fn dots(&self, class: Class) -> Vec<Option<Dot>> {
        self.0.values().map(|classes| classes.get(&class).and_then(|rows| dot(&times(rows)))).collect()
    }
}

fn repaired(rows: &[&Fault]) -> usize {
    rows.iter().filter(|row| row.repaired()).count()
}

fn times(rows: &[&Fault]) -> Sorted {
    rows.iter().filter(|row| row.repaired()).filter_map(|row| row.time()).collect()
}

fn dot(times: &Sorted) -> Option<Dot> {
    Some(Dot { value: times.mean()?, reach: (times.least()?, times.most()?) })
}

fn class_names() -> [String; 4] {
    Class::PAPER.map(|class| format!("class {class}"))
}

fn show(section: &mut Section, name: &str, set: &Programs) {
    section.part(&format!("The {name} set"));
    let dots = Dots {
        title: format!("Time to the repair, {name} set"),
        width: WIDE,
        label: "mean, least and most of the versions repaired".to_string(),
        names: set.names(),
        series: class_names().into_iter().zip(Class::PAPER.map(|class| set.dots(class))).collect(),
        reference: Some((paper::WORST, "paper: most under 5 s".to_string())),
        ..Dots::default()
    };
    section.plot(&dots.draw(), "Mean time by program and class; the thin line reaches from the fastest to the slowest version. Logarithmic axis.");
    let grid = Grid {
        title: format!("Versions repaired, in percent, {name} set"),
        columns: set.names(),
        rows: class_names().into_iter().zip(Class::PAPER.map(|class| set.successes(class))).collect(),
    };
    section.plot(&grid.draw(), "Cells where versions are missed are orange. Paper: 100 everywhere.");
    section.fold(&format!("The figures of the {name} set"), &table(name, set));
}

fn table(name: &str, set: &Programs) -> Table {
    let mut head = vec!["program"];
    head.extend(["repaired", "correct", "mean ms", "worst ms"].repeat(4));
    let caption = format!("Repairs by program and class, {name} set");
    let groups = [("", 1), ("class 1", 4), ("class 2", 4), ("class 3", 4), ("class 4", 4)];
    let mut table = Table::new(&caption, &head).groups(&groups);
    for (program, classes) in &set.0 {
        let cells = Class::PAPER.iter().flat_map(|class| cells(classes.get(class).map_or(&[][..], |rows| rows)));
        table.row([text(long(program))].into_iter().chain(cells.map(number)).collect());
    }
    table
}

/// The figures of one program and class.
fn cells(rows: &[&Fault]) -> [String; 4] {
    if rows.is_empty() {
        return [NOTHING; 4].map(str::to_string);
    }
    let correct = rows.iter().filter(|row| row.is_correct()).count();
    let times = times(rows);
    let of = |part: usize| format!("{}/{}", count(part), count(rows.len()));
    [of(repaired(rows)), of(correct), optional(times.mean()), optional(times.most())]
}

type Part = (&'static str, fn(&Milliseconds) -> Option<f64>);

/// The parts of the time, in the order in which they pass.
const PARTS: [Part; 6] = [
    ("trace", |times| times.trace),
    ("localize", |times| times.localize),
    ("search", |times| times.search),
    ("prove", |times| times.prove),
    ("check", |times| times.check),
    ("vary", |times| times.vary),
];

fn show_split(section: &mut Section, main: &[&Fault]) {
    section.part("Where the time goes");
    let bars = Bars {
        title: "Mean time of a version by part".to_string(),
        label: "ms".to_string(),
        parts: PARTS.map(|(name, _)| name.to_string()).to_vec(),
        bars: splits(main),
        ..Bars::default()
    };
    let caption = "Recording the run, finding suspicious places, searching, proving that nothing is cheaper, checking \
                   the candidates on a freshly compiled program, trying other inputs.";
    section.plot(&bars.draw(), caption);
    let mut table =
        Table::new("Mean milliseconds by part", &["", "trace", "localize", "search", "prove", "check", "vary", "sum"]);
    for (name, parts) in &bars.bars {
        let cells = parts.iter().copied().chain([parts.iter().sum()]).map(|value| number(super::format::number(value)));
        table.row([text(name)].into_iter().chain(cells).collect());
    }
    section.fold("The figures of the split", &table);
}

/// By set and class, the mean of each part of the time.
fn splits(main: &[&Fault]) -> Vec<(String, Vec<f64>)> {
    let mut groups: BTreeMap<(bool, Class), Vec<&Milliseconds>> = BTreeMap::new();
    for row in main {
        groups.entry((row.is_large(), row.class)).or_default().push(&row.milliseconds);
    }
    let split = |((large, class), times): (_, Vec<&Milliseconds>)| {
        let name = format!("{} set, class {class}", if large { "large" } else { "small" });
        (name, PARTS.map(|(_, part)| mean(times.iter().filter_map(|times| part(times))).unwrap_or(0.0)).to_vec())
    };
    groups.into_iter().map(|((large, class), times)| split(((large, class), times))).collect()
}
