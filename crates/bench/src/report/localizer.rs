//! Section 8: how small the suspicious set is, and whether the fault is in it.
//!
//! The size is the number of suspicious statements as a share of the program's. A fault is in the set if it
//! has a rank there; theorem 5.7 of the paper says that it always is.

use super::chart::Bars;
use super::command;
use super::format::{count, optional, percent, whole};
use super::page::{Section, Table, number, paper, text};
use super::paper as figures;
use super::rows::{Class, Fault, Rows, Suspicious};
use super::statistics::{Sorted, mean, share};

/// Makes the section.
pub fn section(rows: &Rows) -> Section {
    let mut section = Section::new("localizer", "The suspicious set and the widenings");
    let main = rows.main();
    if main.iter().any(|row| row.set_of_suspects().is_some()) {
        section.say("Paper: the faulty place is always in the set (theorem 5.7).");
        section.table(&sets(&main));
    } else {
        section.leave_out("The size of the suspicious set", command::FAULTS);
    }
    show_widenings(&mut section, rows);
    section
}

fn sets(main: &[&Fault]) -> Table {
    let head = [
        "versions",
        "count",
        "statements",
        "slots",
        "share of program",
        "all faults in the set",
        "",
        "rank, median",
        "99 of 100",
        "worst",
    ];
    let mut table = Table::new("Suspicious sets, on average", &head);
    for (name, large) in [("small", false), ("large", true)] {
        for class in Class::PAPER {
            let rows = main.iter().filter(|row| row.is_large() == large && row.class == class);
            add(&mut table, &format!("{name} set, class {class}"), rows.filter_map(|row| row.set_of_suspects()));
        }
    }
    add(&mut table, "all", main.iter().filter_map(|row| row.set_of_suspects()));
    table.with_sum()
}

fn add<'a>(table: &mut Table, name: &str, sets: impl Iterator<Item = &'a Suspicious>) {
    let sets: Vec<&Suspicious> = sets.collect();
    if !sets.is_empty() {
        table.row([text(name)].into_iter().chain(cells(&sets).map(number)).collect());
    }
}

fn cells(sets: &[&Suspicious]) -> [String; 9] {
    let ranked: Vec<&&Suspicious> = sets.iter().filter(|set| !set.ranks.is_empty()).collect();
    let complete = ranked.iter().filter(|set| set.ranks.iter().all(Option::is_some)).count();
    let ranks: Sorted = sets.iter().flat_map(|set| set.ranks.iter().flatten().copied()).collect();
    let part = mean(sets.iter().filter_map(|set| Some(set.statements? / set.of.filter(|&of| of > 0.0)?)));
    let [median, most, worst] = [0.5, 0.99, 1.0].map(|quantile| whole(ranks.quantile(quantile)));
    [
        count(sets.len()),
        optional(mean(sets.iter().filter_map(|set| set.statements))),
        optional(mean(sets.iter().filter_map(|set| set.slots))),
        percent(part),
        format!("{} of {}", count(complete), count(ranked.len())),
        percent(share(complete, ranked.len())),
        median,
        most,
        worst,
    ]
}

const SEARCHES: [(&str, &str); 3] = [("default", "default"), ("algorithm3", "Algorithm 3"), ("algvar", "AlgVar")];

/// The searches and classes that have widenings.
fn widenings(rows: &Rows) -> Vec<(String, usize, Sorted)> {
    let pairs = SEARCHES.iter().flat_map(|search| Class::PAPER.iter().enumerate().map(move |class| (search, class)));
    let widened = pairs.map(|((search, name), (index, class))| {
        let versions = rows.run("localized", search).filter(|row| row.class == *class);
        (format!("{name}, class {class}"), index, versions.filter_map(|row| row.widenings).collect::<Sorted>())
    });
    widened.filter(|(_, _, widenings)| widenings.count() > 0).collect()
}

fn show_widenings(section: &mut Section, rows: &Rows) {
    let widenings = widenings(rows);
    if widenings.is_empty() {
        section.leave_out("The number of widenings", command::FAULTS);
        return;
    }
    section.part("Widenings of the search");
    section.plot(
        &plot(&widenings).draw(),
        "Versions by the number of widenings. Paper: 1–4 in classes 1 to 3, 2–6 in class 4.",
    );
    let mut table = Table::new(
        "Widenings by class",
        &["search, class", "versions", "mean", "median", "5–95 of 100", "most", "paper"],
    );
    for (name, class, all) in &widenings {
        let middle = format!("{}–{}", whole(all.quantile(0.05)), whole(all.quantile(0.95)));
        let cells = [count(all.count()), optional(all.mean()), whole(all.median()), middle, whole(all.most())];
        let cells = cells.into_iter().map(number).chain([paper(figures::WIDENINGS[*class])]);
        table.row([text(name)].into_iter().chain(cells).collect());
    }
    section.fold("The figures of the widenings", &table);
}

fn plot(widenings: &[(String, usize, Sorted)]) -> Bars {
    let exactly = |all: &Sorted, times: f64| (all.within(times) - all.within(times - 0.5)) as f64;
    let parts = |all: &Sorted| {
        let few = (0..6).map(|times| exactly(all, f64::from(times)));
        few.chain([(all.count() - all.within(5.0)) as f64]).collect()
    };
    Bars {
        title: "Widenings by search and class".to_string(),
        label: "share of the versions".to_string(),
        parts: ["0", "1", "2", "3", "4", "5", "6 or more"].map(str::to_string).to_vec(),
        bars: widenings.iter().map(|(name, _, all)| (name.clone(), parts(all))).collect(),
        shares: true,
        ordered: true,
    }
}
