//! `wolverine repair --method template`: new expressions for what a diagnosis says, right for all inputs.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use check::Task;
use repair::scheme::template::{UserTemplate, parse};
use repair::strategy::refine::{Counts, End, Heuristics, Repair, Repairs, Wanted, repairs};
use serde_json::{Value, json};

use super::super::bounded::seconds;
use super::super::check::{nothing, proved};
use super::super::diagnosis::{DiagnosisArguments, covered, known_functions};
use super::super::{Answer, Failure, Outcome};
use super::mutation::{SHOWN, spinner};
use super::{Format, RepairArguments, path_in_diff};

#[derive(clap::Args)]
pub(super) struct TemplateArguments {
    #[command(flatten)]
    diagnosis: DiagnosisArguments,
    /// Inputs that go wrong that every set must explain (template)
    #[arg(long, value_name = "N", default_value_t = 8)]
    counterexamples: usize,
    /// Your own templates, one in a line: $v is a variable, $k a number, $e the expression (template)
    #[arg(long, value_name = "FILE")]
    templates: Option<PathBuf>,
    /// Repairs of one set of expressions, at most (template)
    #[arg(long, value_name = "N", default_value_t = 3)]
    repairs: usize,
    /// Proposals for one template, at most (template)
    #[arg(long, value_name = "N", default_value_t = 40)]
    iterations: usize,
    /// Takes any proposal, not the simplest (template)
    #[arg(long)]
    no_simple: bool,
    /// Takes any counterexample, not one with large random values (template)
    #[arg(long)]
    no_nasty: bool,
}

impl TemplateArguments {
    fn users(&self) -> Result<Vec<UserTemplate>, Failure> {
        let Some(file) = &self.templates else { return Ok(vec![]) };
        let name = file.display();
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure(format!("the templates in {name} cannot be read: {error}")))?;
        let found = parse(&text).map_err(|error| Failure(format!("{name}, {error}")))?;
        if found.is_empty() {
            return Err(Failure(format!("there is no template in {name}; write one in a line, such as $v + $k")));
        }
        Ok(found)
    }
}

pub(super) fn run(arguments: &RepairArguments) -> Outcome {
    let task = arguments.bounded().load(&arguments.target.file, arguments.target.timeout)?;
    let (mutation, template) = (&arguments.mutation, &arguments.template);
    known_functions(&task, &mutation.function)?;
    let mut diagnosis = template.diagnosis.wanted(mutation.max_size, &mutation.function, arguments.target.timeout);
    diagnosis.components.atoms = true;
    let wanted = Wanted {
        diagnosis,
        inputs: template.counterexamples.max(1),
        templates: template.users()?,
        repairs: template.repairs.max(1),
        iterations: template.iterations.max(1),
        heuristics: Heuristics { simple: !template.no_simple, nasty: !template.no_nasty },
        first: mutation.first,
        all: arguments.all,
        only_easy: false,
        timeout: seconds(arguments.target.timeout),
    };
    let found = search(arguments, &task, &wanted);
    if found.end == End::Nothing {
        return Err(nothing());
    }
    answer(arguments, &task, &wanted, &found)
}

fn search(arguments: &RepairArguments, task: &Task, wanted: &Wanted) -> Repairs {
    let bar = std::io::stderr().is_terminal().then(spinner);
    let found = repairs(task, wanted, &mut |counts, _| {
        if let Some(bar) = &bar {
            bar.set_message(progress(counts));
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if arguments.format == Format::Text {
        let shown = if arguments.all { found.found.len() } else { SHOWN };
        for (number, repair) in found.found.iter().enumerate().take(shown) {
            println!("{}", one(task, number + 1, repair));
        }
    }
    found
}

fn progress(counts: &Counts) -> String {
    format!(
        "{} sets of expressions: {} templates tried, {} proposals, {} refuted, {} repairs",
        counts.diagnoses, counts.tried, counts.proposed, counts.inputs, counts.found
    )
}

fn one(task: &Task, number: usize, repair: &Repair) -> String {
    let proof = proved(task, &repair.proof).lines().map(|line| format!("  {line}\n")).collect::<String>();
    format!("repair {number}: {}\n{}\n{proof}", repair.what.join("; "), repair.patched.changed_lines())
}

fn answer(arguments: &RepairArguments, task: &Task, wanted: &Wanted, found: &Repairs) -> Outcome {
    let path = path_in_diff(&arguments.target.file);
    let best = found.found.first();
    let mut out = std::io::stdout().lock();
    match arguments.format {
        Format::Json => writeln!(out, "{:#}", to_json(task, found, &path))?,
        Format::Text => writeln!(out, "{}", summary(task, wanted, found))?,
        Format::Diff => {
            if let Some(best) = best {
                out.write_all(&best.patched.diff_bytes(&path))?;
            }
            eprintln!("{}", summary(task, wanted, found));
        }
    }
    super::mutation::write_best(arguments, best.map(|best| &best.patched), &mut out)?;
    Ok(match &found.end {
        End::AlreadyRight => Answer::Yes,
        _ if best.is_some() => Answer::Yes,
        End::OutOfTime | End::NotAnalysed(_) | End::BoundTooSmall => Answer::Limit,
        _ => Answer::No,
    })
}

/// How the search ended, as sentences.
fn summary(task: &Task, wanted: &Wanted, found: &Repairs) -> String {
    let counts = &found.counts;
    let best = found.found.first().map(|best| format!("; the simplest: {}", best.what.join("; "))).unwrap_or_default();
    let count = match counts.found {
        1 => "1 repair".into(),
        count => format!("{count} repairs"),
    };
    let sets = match counts.diagnoses {
        1 => "1 set of expressions explains".into(),
        sets => format!("{sets} sets of expressions explain"),
    };
    let mut sentence = match &found.end {
        End::AlreadyRight => return "nothing to repair: the program holds for all inputs up to the bound".into(),
        End::BoundTooSmall => {
            return "nothing goes wrong up to the bound, but some runs go on past it; raise --unwind".into();
        }
        End::NotAnalysed(sentence) => return sentence.clone(),
        End::Nothing => return "there is nothing to check against".into(),
        End::NoDiagnosis => format!(
            "no set of at most {} expressions explains the failing inputs; try --max-size {}, or other kinds with --components",
            wanted.diagnosis.max_size,
            wanted.diagnosis.max_size + 1
        ),
        End::First => format!("the first repair was asked for{best}"),
        End::Enough => format!(
            "{count} ({sets} the failing inputs); larger templates were not tried to the end, --all does that{best}"
        ),
        End::Covered if found.found.is_empty() => {
            format!("no repair: {sets} the failing inputs, but no template fits all inputs{}", weak(task, found))
        }
        End::Covered => format!("{count} ({sets} the failing inputs){best}"),
        End::OutOfTime => format!("time is up: {count} so far ({sets} the failing inputs){best}"),
    };
    if let Some(diagnoses) = &found.diagnoses {
        sentence += &covered(diagnoses.coverage);
    }
    sentence
}

/// For some of the sets: the input that refutes the last proposal.
fn weak(task: &Task, found: &Repairs) -> String {
    let Some(diagnoses) = &found.diagnoses else { return String::new() };
    let source = task.program.source();
    let mut out = String::new();
    for (number, example) in found.too_weak.iter().take(3) {
        let places: Vec<String> = diagnoses.found[*number]
            .components
            .iter()
            .map(|component| {
                let span = diagnoses.components[*component].span;
                format!("line {}, `{}`", source.line(span.start), source.text(span))
            })
            .collect();
        let input = example.lines(&task.program).join(", ");
        out += &format!("\n  {}: the last proposal goes wrong with {input}", places.join(" and "));
    }
    out + "\nwrite a template of your own for --templates, or try --method mutation"
}

fn to_json(task: &Task, found: &Repairs, path: &str) -> Value {
    let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let list: Vec<Value> = found
        .found
        .iter()
        .enumerate()
        .map(|(i, repair)| {
            json!({
                "rank": i + 1,
                "changes": repair.what,
                "templates": repair.templates,
                "tokens": repair.patched.tokens_changed(),
                "diff": repair.patched.diff(path),
                "proved": repair.proof.is_whole(),
                "proof": proved(task, &repair.proof),
                "after_ms": milliseconds(repair.after),
            })
        })
        .collect();
    let end = match &found.end {
        End::Covered => "covered",
        End::Enough => "enough",
        End::First => "first",
        End::OutOfTime => "out-of-time",
        End::AlreadyRight => "already-right",
        End::Nothing => "nothing-to-check",
        End::BoundTooSmall => "bound-too-small",
        End::NoDiagnosis => "no-diagnosis",
        End::NotAnalysed(_) => "not-analysed",
    };
    let inputs: Vec<String> = found.examples.iter().map(|example| example.lines(&task.program).join(", ")).collect();
    let counts = &found.counts;
    json!({
        "schema": 1, "method": "template", "file": path, "end": end, "inputs": inputs,
        "diagnoses": counts.diagnoses, "templates_tried": counts.tried, "proposals": counts.proposed,
        "refuted": counts.inputs, "vacuous": counts.vacuous, "refused": counts.refused,
        "diagnosis_ms": milliseconds(found.diagnosing), "search_ms": milliseconds(found.time),
        "repairs": list,
    })
}
