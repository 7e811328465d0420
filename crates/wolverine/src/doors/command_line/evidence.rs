//! `--method evidence` and `--tests`: the tests of a function with a contract,
//! and `wolverine localize` by evidence.

use std::io::Write;
use std::path::PathBuf;

use check::Task;
use check::suite::{
    Coverage, Failing, Outcome as TestOutcome, Test, at_odds, calls, coverage, folder_tests, generate, run_test,
};
use localize::evidence::{Case, End, case, suspects};
use serde_json::json;

use super::bounded::BoundedArguments;
use super::{Answer, Failure, Outcome};

/// Which tests a function must pass.
#[derive(clap::Args, Clone)]
pub(super) struct TestArguments {
    /// A folder of tables of calls (NAME.calls, NAME.json) and of inputs of the whole program with
    /// what it prints (NAME.in, NAME.out), or one table (evidence, auto)
    #[arg(long, value_name = "DIR")]
    tests: Option<PathBuf>,
    /// Tests that are made up from the precondition (evidence, auto; without --tests 24)
    #[arg(long, value_name = "N")]
    generate: Option<usize>,
    /// Other made-up tests (evidence, auto)
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Changes only statements that a failing test runs and a passing one does not (evidence, auto)
    #[arg(long)]
    pub(super) dices: bool,
}

impl TestArguments {
    /// The tests of the task's function, and a note about those that the contract contradicts.
    pub(super) fn load(&self, task: &Task) -> Result<Vec<Test>, Failure> {
        let mut tests = match &self.tests {
            Some(path) => folder_tests(task, path).map_err(|error| Failure(error.to_string()))?,
            None => vec![],
        };
        self.agree(task, &tests)?;
        tests.extend(calls_in(task, &tests)?);
        let wanted = self.generate.unwrap_or(if tests.is_empty() { 24 } else { 0 });
        tests.extend(generate(task, wanted, self.seed));
        match tests.is_empty() {
            true => Err(Failure(no_tests(task))),
            false => Ok(tests),
        }
    }

    /// The expected results of tests must not break the contract, and their inputs must be allowed.
    fn agree(&self, task: &Task, tests: &[Test]) -> Result<(), Failure> {
        let mut wrong = vec![];
        for number in at_odds(task, tests) {
            let test = &tests[number];
            wrong.push(format!("  {}: {} breaks the contract", test.name, test.expected.lines().join(", ")));
        }
        for test in tests.iter().filter(|test| run_test(&task.program, test) == TestOutcome::NotAllowed) {
            wrong.push(format!("  {}: the precondition does not allow these inputs", test.name));
        }
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(Failure(format!("the contract and the tests contradict each other:\n{}", wrong.join("\n")))),
        }
    }
}

/// The calls of the function that tests of the whole program make.
fn calls_in(task: &Task, tests: &[Test]) -> Result<Vec<Test>, Failure> {
    let whole = tests.iter().filter(|test| test.is_whole()).count();
    if whole == 0 {
        return Ok(vec![]);
    }
    if task.program.program.function_named("main").is_none() {
        let message = "NAME.in and NAME.out are tests of a whole program, but the file has no `main`; write calls into NAME.calls";
        return Err(Failure(message.into()));
    }
    let found = calls(task, tests);
    let entry = task.options.entry.as_deref().unwrap_or_default();
    let count = found.tests.len();
    eprintln!("the {whole} tests of the whole program make {count} different calls of `{entry}`, which are tests, too");
    if found.too_long > 0 {
        eprintln!("{} more calls have longer arrays: raise --length", found.too_long);
    }
    for name in &found.not_allowed {
        eprintln!("{name}: the precondition of `{entry}` does not allow it");
    }
    Ok(found.tests)
}

/// Why no inputs were found: perhaps there are none.
fn no_tests(task: &Task) -> String {
    if let Some(name) = task.program.instead.first() {
        return format!(
            "no tests could be run: `{name}` has no body in this file, only a contract; write a body, or repair with --method mutation or template"
        );
    }
    let is_empty = matches!(check::check(task), check::Verdict::Holds(proof) if proof.no_input);
    let message = match is_empty {
        true => "no input satisfies what is required: the precondition contradicts itself",
        false => "no tests could be made up from the precondition; write some, and give them with --tests",
    };
    let requires = task.contract.as_ref().map_or(&[][..], |resolved| &resolved.contract.requires);
    match requires.iter().map(|clause| clause.span).reduce(c_syntax::Span::to) {
        Some(span) => task.program.source().caret(span, message),
        None => message.into(),
    }
}

/// Reads a task for evidence: with the entry that `--function` names, and a contract.
pub(super) fn load(
    bounded: &BoundedArguments,
    file: &std::path::Path,
    functions: &[String],
    timeout: Option<f64>,
) -> Result<(Task, Option<Task>), Failure> {
    let bounded = bounded.with_entry(functions.first());
    let task = bounded.load_running(file, timeout)?;
    if task.contract.is_none() {
        let entry = bounded.entry().unwrap_or("the function");
        return Err(Failure(format!(
            "`{entry}` has no contract: write one in a comment before it, /*@ requires …; ensures …; */, and name the function with --function"
        )));
    }
    let proving = if bounded.uses_contracts() { Some(bounded.load(file, timeout)?) } else { None };
    Ok((task, proving))
}

/// What the tests cover, as a sentence.
pub(super) fn covered(coverage: &Coverage) -> String {
    let ((run, statements), (taken, branches)) = (coverage.statements, coverage.branches);
    format!("the tests run {run} of {statements} statements and {taken} of {branches} branches")
}

/// Why a test fails, in words.
fn why(task: &Task, failing: &Failing) -> String {
    match failing {
        Failing::Fault(fault) => super::check::explained(task, fault),
        Failing::Endless => "it does not end".into(),
        Failing::Different(expected, found) => format!("`{expected}` is expected, but `{found}`"),
    }
}

/// `wolverine localize --method evidence`
pub(super) fn run(task: &Task, tests: &[Test], is_json: bool) -> Outcome {
    let outcomes: Vec<TestOutcome> = tests.iter().map(|test| run_test(&task.program, test)).collect();
    let failing: Vec<&Test> =
        tests.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_failing()).map(|(test, _)| test).collect();
    let covered_by = coverage(&task.program, tests);
    let mut cases: Vec<(&Test, Case)> = failing
        .iter()
        .filter(|test| !test.is_whole())
        .filter_map(|test| Some((*test, case(task, &task.program, test)?)))
        .collect();
    cases.sort_by_key(|(_, case)| case.trace.instances.len());
    let first = cases.first();
    let mut out = std::io::stdout().lock();
    let source = task.program.source();
    if is_json {
        let places: Vec<_> = first.map_or(vec![], |(_, case)| suspects(case)).iter().enumerate().map(|(rank, suspect)| {
            let (line, column) = source.line_column(suspect.span.start);
            json!({ "rank": rank + 1, "line": line, "column": column, "text": source.text(suspect.span), "reasons": suspect.reasons })
        }).collect();
        let run: Vec<_> = first.map_or(vec![], |(_, case)| {
            case.trace.instances.iter().enumerate().map(|(number, instance)| {
            json!({ "point": number + 1, "line": instance.line, "what": instance.kind.to_string() })
        }).collect()
        });
        let object = json!({
            "schema": 1, "method": "evidence", "file": source.path.display().to_string(),
            "tests": tests.len(), "failing": failing.len(),
            "statements": [covered_by.statements.0, covered_by.statements.1],
            "branches": [covered_by.branches.0, covered_by.branches.1],
            "inputs": first.map(|(test, _)| test.example.lines(&task.program)),
            "run": run, "places": places,
        });
        writeln!(out, "{object:#}")?;
    } else {
        writeln!(out, "{} of {} tests fail; {}", failing.len(), tests.len(), covered(&covered_by))?;
        if let Some((test, case)) = first {
            if let Some(TestOutcome::Fails(failing)) = outcomes.iter().find(|outcome| outcome.is_failing()) {
                writeln!(out, "{}", why(task, failing))?;
            }
            tell(&mut out, task, test, case)?;
        }
    }
    Ok(if failing.is_empty() { Answer::No } else { Answer::Yes })
}

fn tell(out: &mut impl Write, task: &Task, test: &Test, case: &Case) -> std::io::Result<()> {
    let source = task.program.source();
    writeln!(out, "\nthe shortest failing run, with {}:", test.example.lines(&task.program).join(", "))?;
    for (number, instance) in case.trace.instances.iter().enumerate() {
        writeln!(out, "{:>4}  line {:<4} {}", number + 1, instance.line, instance.kind)?;
    }
    match &case.trace.end {
        End::Returned => {}
        End::Crashed(fault) => writeln!(out, "      it crashes: {}", fault.message)?,
        End::Endless => writeln!(out, "      and so on: it does not end")?,
    }
    let wanted: Vec<String> = case.conjunctions[0].iter().map(localize::evidence::with_truth).collect();
    writeln!(out, "at its end there should be {}", wanted.join(" and "))?;
    for suspect in suspects(case) {
        let mut reasons = suspect.reasons.iter();
        writeln!(out, "\n{}", source.caret(suspect.span, reasons.next().map_or("", String::as_str)))?;
        reasons.try_for_each(|reason| writeln!(out, "  also: {reason}"))?;
    }
    Ok(())
}
