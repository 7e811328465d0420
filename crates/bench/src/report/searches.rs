//! Section 3, the paper's Figure 18a: what AlgVar repairs, beside the other searches.
//!
//! AlgVar widens the search at random where Algorithm 3 follows the unsatisfiable core. The success of a
//! program and class is the share of its versions that were repaired.

use super::by_class::Programs;
use super::chart::Grid;
use super::command;
use super::format::{count, optional, percent};
use super::page::{Section, Table, number, text};
use super::rows::{Class, Fault, Rows};
use super::statistics::{Sorted, share};

const SEARCHES: [(&str, &str); 3] = [("algvar", "AlgVar"), ("algorithm3", "Algorithm 3"), ("default", "default")];

/// Makes the section.
pub fn section(rows: &Rows) -> Section {
    let mut section = Section::new("figure-18a", "Success of AlgVar and of the other searches (Figure 18a)");
    if rows.run("localized", "algvar").next().is_none() {
        section.leave_out("The success of AlgVar", command::SEARCHES);
        return section;
    }
    section.say(
        "AlgVar widens the search at random, Algorithm 3 where the unsatisfiable core points. Paper: Algorithm 3 \
         repairs everything, AlgVar clearly less, and it is slower.",
    );
    for (name, large) in [("small", false), ("large", true)] {
        show(&mut section, rows, name, large);
    }
    section.table(&table(rows));
    section
}

/// One plot for each search that has rows.
fn show(section: &mut Section, rows: &Rows, set: &str, large: bool) {
    for (search, name) in SEARCHES {
        let programs = Programs::of(versions(rows, search).filter(|row| row.is_large() == large));
        if programs.0.is_empty() {
            continue;
        }
        let classes = Class::PAPER.map(|class| (format!("class {class}"), programs.successes(class)));
        let title = format!("Versions repaired by {name}, in percent, {set} set");
        section.plot(&Grid { title, columns: programs.names(), rows: classes.to_vec() }.draw(), "");
    }
}

fn versions<'a>(rows: &'a Rows, search: &'a str) -> impl Iterator<Item = &'a Fault> + Clone {
    rows.run("localized", search).filter(|row| row.class.number().is_some())
}

fn table(rows: &Rows) -> Table {
    let head = ["search, class", "versions", "repaired", "", "median ms", "99 of 100 ms", "worst ms"];
    let mut table = Table::new("Searches by class, both sets", &head);
    for (search, name) in SEARCHES {
        for class in Class::PAPER {
            let rows: Vec<&Fault> = versions(rows, search).filter(|row| row.class == class).collect();
            if !rows.is_empty() {
                let cells = cells(&rows).into_iter().map(number);
                table.row([text(format!("{name}, class {class}"))].into_iter().chain(cells).collect());
            }
        }
    }
    table
}

fn cells(rows: &[&Fault]) -> [String; 6] {
    let repaired: Vec<&&Fault> = rows.iter().filter(|row| row.repaired()).collect();
    let times: Sorted = repaired.iter().filter_map(|row| row.time()).collect();
    let [median, most, worst] = [0.5, 0.99, 1.0].map(|quantile| optional(times.quantile(quantile)));
    let successes = percent(share(repaired.len(), rows.len()));
    [count(rows.len()), count(repaired.len()), successes, median, most, worst]
}
