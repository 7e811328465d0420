//! Minimal diagnoses: the paper's example, and brute force.

use std::sync::Arc;

use c_syntax::Source;
use check::{Options, Task, Verdict, check, more_counterexamples};
use expect_test::{Expect, expect};
use localize::diagnosis::{Components, Wanted, diagnose};

fn task(text: &str, entry: Option<&str>) -> Task {
    let source = Arc::new(Source::new("test.c", text.as_bytes().to_vec()));
    let options = Options { entry: entry.map(String::from), ..Options::default() };
    check::load_sources(&[source], &options).expect("the program is right C")
}

fn diagnoses(text: &str, entry: Option<&str>, wanted: &Wanted) -> String {
    let task = task(text, entry);
    let Verdict::Fails(found) = check(&task) else { panic!("the program goes wrong") };
    let examples = more_counterexamples(&task, &found, 2);
    let found = diagnose(&task, &examples, wanted).expect("the program is small");
    assert!(found.is_complete);
    let mut out = String::new();
    for diagnosis in &found.found {
        let parts: Vec<String> = diagnosis
            .components
            .iter()
            .map(|number| {
                let component = &found.components[*number];
                let source = task.program.source();
                format!("{}: {}", source.line(component.span.start), source.text(component.span))
            })
            .collect();
        out += &format!("{}\n", parts.join(", "));
    }
    out
}

const MAX: &str = "#include <assert.h>
int max(int x, int y) {
    int r = x;
    if (y > x)
        r = x;
    assert(r >= x && r >= y);
    return r;
}
";

fn same(found: String, wanted: Expect) {
    wanted.assert_eq(&found);
}

#[test]
fn the_papers_maximum() {
    let assignments = Components { conditions: false, others: false, ..Components::default() };
    let wanted = Wanted { components: assignments, ..Wanted::default() };
    same(
        diagnoses(MAX, Some("max"), &wanted),
        expect![[r#"
        5: x
    "#]],
    );
    let both = Components { others: false, ..Components::default() };
    let wanted = Wanted { components: both, ..Wanted::default() };
    same(
        diagnoses(MAX, Some("max"), &wanted),
        expect![[r#"
        5: x
        3: x, 4: y > x
    "#]],
    );
}
