//! Section 7, the paper's Table 8: what comes of the submissions of students.
//!
//! A submission counts as attempted if it is not vacuous.

use std::collections::BTreeMap;

use super::chart::Bars;
use super::command;
use super::format::{count, optional, percent};
use super::page::{Section, Table, number, paper, text};
use super::paper as figures;
use super::rows::{Rows, Student};
use super::statistics::{Sorted, share};

const OUTCOMES: [&str; 4] = ["fixed", "limitation", "out of scope", "vacuous"];

/// Submissions by outcome.
type Tally = [usize; 4];

/// Makes the section.
pub fn section(rows: &Rows) -> Section {
    let mut section = Section::new("students", "Submissions of students (Table 8)");
    if rows.students.is_empty() {
        section.leave_out("The table of students", command::STUDENTS);
        return section;
    }
    let ours = problems(&rows.students);
    section.say(&sentence(&rows.students, &ours));
    let papers: Vec<(String, Tally)> =
        figures::STUDENTS.iter().map(|(name, tally)| (name.to_string(), *tally)).collect();
    section
        .plot(&plot(&ours, &papers).draw(), "Outcomes as shares of the submissions. The problems are not the paper's.");
    let ours = table("Submissions of this run", &ours, false);
    section.tables(&[ours, table("Submissions of the paper (Table 8)", &papers, true)]);
    section.fold("By kind of mistake", &kinds(&rows.students));
    section
}

fn problems(students: &[Student]) -> Vec<(String, Tally)> {
    let mut problems: BTreeMap<&str, Tally> = BTreeMap::new();
    for student in students {
        let tally = problems.entry(&student.problem).or_default();
        if let Some(outcome) = OUTCOMES.iter().position(|outcome| *outcome == student.outcome) {
            tally[outcome] += 1;
        }
    }
    problems.into_iter().map(|(name, tally)| (name.to_string(), tally)).collect()
}

fn sum(problems: &[(String, Tally)]) -> Tally {
    let add = |sum: Tally, tally: &Tally| [0, 1, 2, 3].map(|outcome| sum[outcome] + tally[outcome]);
    problems.iter().fold(Tally::default(), |total, (_, tally)| add(total, tally))
}

/// The share of the attempted submissions that was fixed.
fn success(tally: &Tally) -> Option<f64> {
    share(tally[0], tally[0] + tally[1] + tally[2])
}

fn sentence(students: &[Student], problems: &[(String, Tally)]) -> String {
    let total = sum(problems);
    let fixed = success(&total);
    let mark = if fixed.is_some_and(|fixed| fixed >= figures::STUDENTS_AIMED) { "✓" } else { "✗" };
    let times: Sorted =
        students.iter().filter(|one| one.outcome == OUTCOMES[0]).filter_map(|one| one.milliseconds).collect();
    let unknown = students.len() - total.iter().sum::<usize>();
    let unknown =
        if unknown > 0 { format!(" {unknown} rows have another outcome and are left out.") } else { String::new() };
    format!(
        "{} of {} attempted submissions are fixed, {} (aim: 90 %, {mark}; paper: 166 of 202, 82 %), in {} ms (median).{unknown}",
        total[0],
        total[..3].iter().sum::<usize>(),
        percent(fixed),
        optional(times.median())
    )
}

fn plot(ours: &[(String, Tally)], papers: &[(String, Tally)]) -> Bars {
    let bar = |name: String, tally: &Tally| (name, tally.map(|count| count as f64).to_vec());
    let here = ours.iter().map(|(name, tally)| bar(name.clone(), tally));
    let there = papers.iter().map(|(name, tally)| bar(format!("paper, {name}"), tally));
    Bars {
        title: "Submissions by outcome".to_string(),
        label: "share of the submissions".to_string(),
        parts: OUTCOMES.map(str::to_string).to_vec(),
        bars: here.chain(there).collect(),
        shares: true,
        ..Bars::default()
    }
}

fn table(caption: &str, problems: &[(String, Tally)], of_paper: bool) -> Table {
    let head = ["problem", "total", "fixed", "limitation", "out of scope", "vacuous", "fixed of attempted"];
    let mut table = Table::new(caption, &head);
    let total = ("all".to_string(), sum(problems));
    for (name, tally) in problems.iter().chain([&total]) {
        let counts = [tally.iter().sum(), tally[0], tally[1], tally[2], tally[3]].map(count);
        let cells = counts.into_iter().chain([percent(success(tally))]);
        let cells = cells.map(|cell| if of_paper { paper(cell) } else { number(cell) });
        table.row([text(name)].into_iter().chain(cells).collect());
    }
    table.with_sum()
}

fn kinds(students: &[Student]) -> Table {
    let mut kinds: BTreeMap<&str, Vec<&Student>> = BTreeMap::new();
    for student in students.iter().filter(|student| student.outcome != OUTCOMES[3]) {
        kinds.entry(student.kind.as_deref().unwrap_or("not said")).or_default().push(student);
    }
    let mut kinds: Vec<(&str, Vec<&Student>)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, students)| std::cmp::Reverse(students.len()));
    let head = ["kind", "attempted", "fixed", "", "an example of why not"];
    let mut table = Table::new("Attempted submissions by kind of mistake", &head);
    for (kind, students) in kinds {
        let fixed = students.iter().filter(|student| student.outcome == OUTCOMES[0]).count();
        let open = students.iter().filter(|student| student.outcome != OUTCOMES[0]);
        let why = open.filter_map(|student| student.reason.as_deref()).next().unwrap_or("");
        let part = percent(share(fixed, students.len()));
        table.row(vec![text(kind), number(count(students.len())), number(count(fixed)), number(part), text(why)]);
    }
    table
}
