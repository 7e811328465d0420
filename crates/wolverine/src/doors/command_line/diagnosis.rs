//! `wolverine localize --method diagnosis`: sets of expressions that can be replaced so that failing inputs go well.

use std::io::Write;

use check::{Aim, Example, Task, Verdict, check, varied_counterexamples};
use clap::ValueEnum;
use encode::program::{Order, PathBounds};
use localize::diagnosis::{Analysis, Component, Components, Coverage, Diagnoses, Diagnosis, Wanted, diagnose};
use serde_json::{Value, json};

use super::bounded::seconds;
use super::{Answer, Failure, Outcome};

/// Sets that are shown unless all are asked for.
const SHOWN: usize = 20;
/// Failing inputs, if nobody says how many.
const INPUTS: usize = 2;

/// What may be wrong, and how the program is analysed.
#[derive(clap::Args, Clone)]
pub(super) struct DiagnosisArguments {
    /// Which expressions may be wrong (diagnosis, template)
    #[arg(long, value_enum, value_name = "KIND", default_value = "all")]
    components: ComponentKind,
    /// Parts of && and || may be wrong by themselves (diagnosis; template always has them)
    #[arg(long)]
    atoms: bool,
    /// One formula for all runs, or path by path (diagnosis, template)
    #[arg(long, value_enum, value_name = "HOW", default_value = "merged")]
    analysis: AnalysisKind,
    /// Paths to follow, at most (with --analysis symbolic or concolic)
    #[arg(long, value_name = "N", default_value_t = 400)]
    paths: usize,
    /// Branches on a path, at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    depth: usize,
    /// What is right where only some paths are known
    #[arg(long, value_enum, value_name = "AIM", default_value = "good-end")]
    aim: AimKind,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ComponentKind {
    /// Right-hand sides of assignments
    Assignments,
    /// Conditions
    Conditions,
    /// These, returned values, arguments and indices
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AnalysisKind {
    /// One formula
    Merged,
    /// Path by path, depth first
    Symbolic,
    /// Path by path, from the path of a failing input
    Concolic,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AimKind {
    /// A path that is known to end well
    GoodEnd,
    /// No path that is known to go wrong
    NoViolation,
}

impl DiagnosisArguments {
    /// What is asked for, in so many seconds.
    pub(super) fn wanted(&self, max_size: usize, functions: &[String], timeout: Option<f64>) -> Wanted {
        let all = self.components == ComponentKind::All;
        let components = Components {
            assignments: all || self.components == ComponentKind::Assignments,
            conditions: all || self.components == ComponentKind::Conditions,
            others: all,
            atoms: self.atoms,
            functions: functions.to_vec(),
        };
        let bounds = |order| PathBounds { paths: self.paths.max(1), depth: self.depth.max(1), order };
        let aim = if self.aim == AimKind::GoodEnd { Aim::GoodEnd } else { Aim::NoViolation };
        let analysis = match self.analysis {
            AnalysisKind::Merged => Analysis::Merged,
            AnalysisKind::Symbolic => Analysis::Paths { bounds: bounds(Order::Symbolic), aim },
            AnalysisKind::Concolic => Analysis::Paths { bounds: bounds(Order::Concolic), aim },
        };
        Wanted { components, analysis, max_size, timeout: seconds(timeout), ..Wanted::default() }
    }
}

/// That a function that is named is there.
pub(super) fn known_functions(task: &Task, names: &[String]) -> Result<(), Failure> {
    let is_there = |name: &String| task.program.unit.functions.iter().any(|function| *function.name == **name);
    match names.iter().find(|name| !is_there(name)) {
        Some(name) => {
            Err(Failure(format!("--function {name}: there is no such function in {}", task.program.path.display())))
        }
        None => Ok(()),
    }
}

pub(super) fn run(task: &Task, wanted: &Wanted, counterexamples: Option<usize>, is_json: bool) -> Outcome {
    known_functions(task, &wanted.components.functions)?;
    let found = match check(task) {
        Verdict::Fails(found) => found,
        Verdict::Nothing => return Err(super::check::nothing()),
        Verdict::Holds(proof) => {
            println!("no expression is suspicious: the program {}", super::check::proved(task, &proof));
            return Ok(Answer::No);
        }
        Verdict::BoundTooSmall(beyond) => {
            println!("{}", super::check::too_small(task, &beyond));
            return Ok(Answer::Limit);
        }
        Verdict::OutOfTime(sentence) => {
            println!("not decided: {sentence}");
            return Ok(Answer::Limit);
        }
    };
    let examples = varied_counterexamples(task, &found, counterexamples.unwrap_or(INPUTS).max(1));
    let found = diagnose(task, &examples, wanted).map_err(|error| Failure(error.to_string()))?;
    match is_json {
        true => writeln!(std::io::stdout(), "{:#}", to_json(task, &found, &examples))?,
        false => text(task, &found, &examples, wanted)?,
    }
    Ok(match found.found.is_empty() {
        false => Answer::Yes,
        true if found.is_complete => Answer::No,
        true => Answer::Limit,
    })
}

fn text(task: &Task, found: &Diagnoses, examples: &[Example], wanted: &Wanted) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "inputs that go wrong:")?;
    for (number, example) in examples.iter().enumerate() {
        writeln!(out, "  {}. {}", number + 1, example.lines(&task.program).join(", "))?;
    }
    writeln!(out, "{}", summary(found, wanted.max_size))?;
    for (number, diagnosis) in found.found.iter().enumerate().take(SHOWN) {
        writeln!(out, "\nset {}:", number + 1)?;
        show(&mut out, task, found, diagnosis)?;
    }
    if found.found.len() > SHOWN {
        writeln!(out, "\nand {} more; --format json has all", found.found.len() - SHOWN)?;
    }
    Ok(())
}

fn show(out: &mut impl Write, task: &Task, found: &Diagnoses, diagnosis: &Diagnosis) -> std::io::Result<()> {
    for (at, number) in diagnosis.components.iter().enumerate() {
        let component = &found.components[*number];
        writeln!(out, "{}", task.program.source().caret(component.span, component.role.name()))?;
        for (input, values) in diagnosis.values.iter().enumerate() {
            if let Some(values) = values.get(at).filter(|values| !values.is_empty()) {
                writeln!(out, "  input {} goes well with {}", input + 1, values_text(component, values))?;
            }
        }
    }
    Ok(())
}

fn values_text(component: &Component, values: &[i128]) -> String {
    let text = |value: &i128| match (component.role.is_truth(), value) {
        (true, 0) => "false".into(),
        (true, _) => "true".into(),
        (false, value) => value.to_string(),
    };
    values.iter().map(text).collect::<Vec<_>>().join(", then ")
}

/// How many sets there are, and what was looked at.
pub(super) fn summary(found: &Diagnoses, max_size: usize) -> String {
    let among = found.components.len();
    let mut sentence = match found.found.len() {
        0 if found.is_complete => format!(
            "no set of at most {max_size} of the {among} expressions can be replaced so that these inputs go well; \
             try more at once with --max-size, other kinds with --components, or --atoms"
        ),
        0 => "time is up before a set was found; give it more with --timeout".into(),
        1 => format!("one set of expressions (of {among}) can be replaced so that these inputs go well"),
        count => {
            format!("{count} smallest sets of expressions (of {among}) can be replaced so that these inputs go well")
        }
    };
    if !found.found.is_empty() && !found.is_complete {
        sentence += "; time is up, there may be more";
    }
    sentence + &covered(found.coverage)
}

/// What was looked at, if that is not all.
pub(super) fn covered(coverage: Coverage) -> String {
    match coverage {
        Coverage::All => String::new(),
        Coverage::Some { followed, left } => {
            let paths = if followed == 1 { "1 path was".into() } else { format!("{followed} paths were") };
            let branches = if left == 1 { "1 branch was".into() } else { format!("{left} branches were") };
            format!(
                "\nonly some runs were looked at: {paths} followed, {branches} not taken; \
                 --paths and --depth allow more, --analysis merged takes all"
            )
        }
    }
}

fn to_json(task: &Task, found: &Diagnoses, examples: &[Example]) -> Value {
    let source = task.program.source();
    let component = |number: &usize| {
        let component = &found.components[*number];
        let (line, column) = source.line_column(component.span.start);
        json!({
            "line": line, "column": column, "text": source.text(component.span),
            "role": component.role.name(), "function": &*component.function,
        })
    };
    let sets: Vec<Value> = found
        .found
        .iter()
        .enumerate()
        .map(|(rank, diagnosis)| {
            json!({
                "rank": rank + 1,
                "components": diagnosis.components.iter().map(component).collect::<Vec<_>>(),
                "values": diagnosis.values,
            })
        })
        .collect();
    let inputs: Vec<String> = examples.iter().map(|example| example.lines(&task.program).join(", ")).collect();
    let (paths, left) = match found.coverage {
        Coverage::All => (None, None),
        Coverage::Some { followed, left } => (Some(followed), Some(left)),
    };
    json!({
        "schema": 1, "method": "diagnosis", "file": source.path.display().to_string(),
        "inputs": inputs, "considered": found.components.len(), "complete": found.is_complete,
        "paths": paths, "branches_left": left, "conflicts": found.conflicts.len(),
        "milliseconds": found.time.as_secs_f64() * 1000.0, "diagnoses": sets,
    })
}
