//! The page as a whole: made of rows that a small generator makes up.

use std::path::Path;

use serde_json::{Value, json};

use super::*;

const SECTIONS: [&str; 9] =
    ["summary", "figure-17", "figure-18a", "figure-18b", "figure-19", "figure-20", "students", "localizer", "missed"];

/// A version whose figures follow from its number.
fn fault(program: &str, class: &str, version: u64, mode: &str, search: &str) -> Value {
    let time = version as f64 + if mode == "localized" { 0.5 } else { 40.0 };
    let failed = version == 3;
    json!({
        "schema": 1, "program": program, "set": if program.starts_with('l') { "large" } else { "small" },
        "class": class, "version": version, "mode": mode, "search": search, "seed": 1,
        "faults": ["line 12: `a<b` -> `b`"], "outcome": if failed { "exhausted" } else { "repaired" },
        "plausible": !failed, "correct": if failed { Value::Null } else { json!(version != 4) }, "equal": version == 1,
        "reason": if failed { json!("no edit of `i<n` & <b>more</b> helps") } else { Value::Null },
        "milliseconds": {"trace": 1.0, "localize": 0.1, "search": time, "prove": 0.2, "check": 30, "repair": time,
                         "all": time + 31.0},
        "suspicious": {"statements": 3, "slots": 1, "of": 40, "ranks": [1, 2]}, "widenings": version, "engine": "replay",
    })
}

fn faults() -> Vec<Value> {
    let mut rows = Vec::new();
    for program in ["b01_reverse_singly", "l01_delete_middle"] {
        for version in 1..=4 {
            for class in ["1", "2", "3", "4", "3.0", "4.0", "5.0", "6.0"] {
                rows.push(fault(program, class, version, "localized", "default"));
            }
            rows.push(fault(program, "1", version, "localized", "algvar"));
            rows.push(fault(program, "1", version, "section", "default"));
            rows.push(fault(program, "1", version, "unconfined", "default"));
        }
    }
    rows
}

fn ranks() -> Vec<Value> {
    let row = |version: u64| {
        json!({"schema": 1, "program": "l01_delete_middle", "version": version, "statements": 40, "tests": 17,
               "statement_coverage": 0.98, "ranks": {"gradient": version, "tarantula": 20.5, "sober": null}})
    };
    (1..=4).map(row).collect()
}

fn students() -> Vec<Value> {
    let row = |(index, outcome): (usize, &&str)| json!({"schema": 1, "problem": "reverse", "file": format!("s{index}.c"), "outcome": outcome, "kind": "lost node"});
    ["fixed", "limitation", "out of scope", "vacuous"].iter().enumerate().map(row).collect()
}

fn write(folder: &Path, name: &str, rows: &[Value], tail: &str) {
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    std::fs::write(folder.join(name), lines + tail).expect("a temporary folder can be written");
}

fn full() -> (Written, String) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    write(folder.path(), "faults.jsonl", &faults(), "{\"schema\":1,\"prog");
    write(folder.path(), "ranks.jsonl", &ranks(), "");
    write(folder.path(), "students.jsonl", &students(), "");
    made(folder.path())
}

fn made(folder: &Path) -> (Written, String) {
    let written = run(folder).expect("the folder can be read and written");
    let html = std::fs::read_to_string(&written.path).expect("the page was written");
    (written, html)
}

/// Fails unless every tag is closed by its own name, in order.
fn assert_balanced(html: &str) {
    let style = html.find("<style>").expect("there is a style")..html.find("</style>").expect("it ends");
    let html = html.replacen(&html[style], "<style>", 1);
    let mut open = Vec::new();
    for tag in html.split('<').skip(1).map(|rest| rest.split_once('>').expect("a tag ends").0) {
        let name = tag.trim_start_matches('/').split_whitespace().next().expect("a tag has a name");
        match tag {
            tag if tag.starts_with('!') || tag.ends_with('/') => {}
            tag if tag.starts_with('/') => assert_eq!(open.pop(), Some(name.to_string())),
            _ => open.push(name.to_string()),
        }
    }
    assert!(open.is_empty(), "{open:?} are not closed");
}

#[test]
fn the_page_has_every_section_and_is_well_formed() {
    let (written, html) = full();
    assert_eq!((written.rows, written.broken, written.missing.len()), (96, 1, 0), "{written}");
    for id in SECTIONS {
        assert!(html.contains(&format!("<section id=\"{id}\">")), "{id}");
        assert!(html.contains(&format!("<a href=\"#{id}\">")), "{id}");
    }
    assert_balanced(&html);
    assert!(html.contains("One line of <code>faults.jsonl</code> could not be read"));
    assert!(!html.contains("NaN") && !html.contains(">inf"), "a figure is no number");
}

#[test]
fn every_plot_has_a_title() {
    let (_, html) = full();
    let plots: Vec<&str> = html.split("<svg ").skip(1).collect();
    assert!(plots.len() >= 15, "{}", plots.len());
    assert!(plots.iter().all(|plot| plot.contains("role=\"img\"") && plot.contains("<title>")));
}

#[test]
fn the_page_needs_nothing_else() {
    let (_, html) = full();
    let outside = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!outside.contains("http") && !outside.contains("<script") && !outside.contains("url("));
}

#[test]
fn text_of_rows_is_escaped() {
    let (_, html) = full();
    assert!(html.contains("no edit of <code>i&lt;n</code> &amp; &lt;b&gt;more&lt;/b&gt; helps"));
    assert!(html.contains("<code>a&lt;b</code>"));
}

#[test]
fn the_summary_counts_the_main_experiment_only() {
    let (_, html) = full();
    let row = html.split("<th scope=\"row\">repaired</th>").nth(1).expect("there is a row");
    assert!(row.starts_with("<td class=\"n\">24 (75.0 %)</td><td class=\"n\">12 (75.0 %)</td>"), "{}", &row[..200]);
}

#[test]
fn without_rows_every_section_names_its_command() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let (written, html) = made(folder.path());
    assert_balanced(&html);
    for section in html.split("<section ").skip(1) {
        assert!(section.contains("<code>wolverine bench "), "{section}");
    }
    assert!(written.missing.len() >= SECTIONS.len());
}

#[test]
fn a_single_bare_row_is_enough_for_a_page() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let row = json!({"program": "b01_x", "class": "1", "mode": "localized", "search": "default", "outcome": "error"});
    write(folder.path(), "faults.jsonl", &[row], "");
    write(folder.path(), "ranks.jsonl", &[json!({"program": "l01_x"})], "");
    write(folder.path(), "students.jsonl", &[json!({"problem": "p", "file": "f"})], "");
    let (written, html) = made(folder.path());
    assert_eq!((written.rows, written.broken), (3, 0));
    assert_balanced(&html);
    assert!(!html.contains("NaN"));
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let error = run(Path::new("/nonexistent/results")).expect_err("nothing can be written there");
    assert!(error.to_string().contains("/nonexistent/results"));
}
