//! `wolverine repair --method mutation`: all smallest sets of mutations that make a program right.

use std::io::{IsTerminal, Write};

use check::{Task, Verdict, check};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use patch::Patched;
use repair::scheme::mutation::Level;
use repair::strategy::minimal::{Counts, End, Repair, Repairs, Wanted, repairs};
use serde_json::{Value, json};

use super::super::bounded::seconds;
use super::super::check::{nothing, proved};
use super::super::diagnosis::known_functions;
use super::super::{Answer, Failure, Outcome};
use super::{Format, RepairArguments, path_in_diff};

/// Repairs that are shown unless all are asked for.
pub(super) const SHOWN: usize = 10;

#[derive(clap::Args)]
pub(super) struct MutationArguments {
    /// Which mutations: 1 operators, 2 also constants, 3 also variables, conditions, statements; without it, the first level that has a repair
    #[arg(long, value_enum, value_name = "LEVEL")]
    level: Option<LevelName>,
    /// Mutations, or expressions, at once, at most
    #[arg(long, value_name = "K", default_value_t = 2)]
    pub(super) max_size: usize,
    /// Ends with the first repair
    #[arg(long)]
    pub(super) first: bool,
    /// Changes only these functions
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(super) function: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LevelName {
    #[value(name = "1")]
    One,
    #[value(name = "2")]
    Two,
    #[value(name = "3")]
    Three,
}

impl LevelName {
    fn level(self) -> Level {
        match self {
            LevelName::One => Level::One,
            LevelName::Two => Level::Two,
            LevelName::Three => Level::Three,
        }
    }
}

pub(super) fn run(arguments: &RepairArguments) -> Outcome {
    let task = arguments.bounded().load(&arguments.target.file, arguments.target.timeout)?;
    known_functions(&task, &arguments.mutation.function)?;
    if matches!(check(&task), Verdict::Nothing) {
        return Err(nothing());
    }
    let levels = match arguments.mutation.level {
        Some(level) => vec![level.level()],
        None => vec![Level::One, Level::Two, Level::Three],
    };
    let mut last = None;
    for level in levels {
        let found = search(arguments, &task, level);
        let is_over = !found.found.is_empty() || !matches!(found.end, End::Covered | End::OutOfTime);
        last = Some((level, found));
        if is_over {
            break;
        }
    }
    let (level, found) = last.expect("one level was tried");
    answer(arguments, &task, level, &found)
}

fn search(arguments: &RepairArguments, task: &Task, level: Level) -> Repairs {
    let wanted = Wanted {
        level,
        max_size: arguments.mutation.max_size,
        first: arguments.mutation.first,
        functions: arguments.mutation.function.clone(),
        timeout: seconds(arguments.target.timeout),
        ..Wanted::default()
    };
    let is_text = arguments.format == Format::Text;
    let bar = std::io::stderr().is_terminal().then(spinner);
    let mut shown = 0;
    let found = repairs(task, &wanted, &mut |counts, repair| {
        if let Some(bar) = &bar {
            bar.set_message(progress(counts));
        }
        if let Some(repair) = repair.filter(|_| is_text && (arguments.all || shown < SHOWN)) {
            shown += 1;
            let text = one(task, shown, repair);
            match &bar {
                Some(bar) => bar.suspend(|| println!("{text}")),
                None => println!("{text}"),
            }
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    found
}

pub(super) fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}

fn progress(counts: &Counts) -> String {
    format!(
        "{} mutations, {} programs: {} run, {} proved or refuted, {} repairs; now with {} changed",
        counts.mutations, counts.space, counts.tested, counts.validated, counts.found, counts.size
    )
}

/// A repair as it is found.
fn one(task: &Task, number: usize, repair: &Repair) -> String {
    let proof = repair.proof.as_ref().map_or(String::new(), |proof| proved(task, proof));
    let proof = proof.lines().map(|line| format!("  {line}\n")).collect::<String>();
    format!("repair {number}: {}\n{}\n{proof}", repair.what.join("; "), repair.patched.changed_lines())
}

fn answer(arguments: &RepairArguments, task: &Task, level: Level, found: &Repairs) -> Outcome {
    let path = path_in_diff(&arguments.target.file);
    let best = found.found.first();
    let mut out = std::io::stdout().lock();
    match arguments.format {
        Format::Json => writeln!(out, "{:#}", to_json(task, level, found, &path))?,
        Format::Text => writeln!(out, "{}", summary(level, found))?,
        Format::Diff => match best {
            Some(best) => {
                out.write_all(&best.patched.diff_bytes(&path))?;
                eprintln!("{}", summary(level, found));
            }
            None => eprintln!("{}", summary(level, found)),
        },
    }
    write_best(arguments, best.map(|best| &best.patched), &mut out)?;
    Ok(match &found.end {
        End::AlreadyRight => Answer::Yes,
        _ if best.is_some() => Answer::Yes,
        End::OutOfTime | End::TooLarge(_) | End::NotModelled => Answer::Limit,
        _ => Answer::No,
    })
}

/// Writes the best repair to the file that was asked for.
pub(super) fn write_best(
    arguments: &RepairArguments,
    best: Option<&Patched>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match (&arguments.output, best) {
        (Some(file), Some(best)) => {
            let failure = |error| Failure(format!("{} cannot be written: {error}", file.display()));
            std::fs::write(file, &best.text).map_err(failure)?;
            if arguments.format == Format::Text {
                writeln!(out, "written to {}", file.display())?;
            }
        }
        (Some(file), None) => eprintln!("note: {} is not written, as nothing was repaired", file.display()),
        _ => {}
    }
    Ok(())
}

/// How the search ended, as sentences.
fn summary(level: Level, found: &Repairs) -> String {
    let counts = &found.counts;
    let plural = |count: u128, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let space = format!(
        "level {}: {}, {} with up to {} of them",
        level as usize + 1,
        plural(counts.mutations as u128, "mutation"),
        plural(counts.space, "program"),
        counts.size.max(1)
    );
    let best = found.found.first().map(|best| format!("; the closest: {}", best.what.join("; "))).unwrap_or_default();
    match &found.end {
        End::AlreadyRight => "nothing to repair: the program holds for all inputs up to the bound".into(),
        End::NotModelled => "nothing goes wrong where the program is modelled, but some runs come to what is not \
                             modelled; `wolverine check` says where"
            .into(),
        End::TooLarge(sentence) => sentence.clone(),
        End::First => format!("the first repair was asked for{best}"),
        End::Covered if found.found.is_empty() => format!("no repair: all of {space} were looked at"),
        End::Covered => {
            let plural = if counts.found == 1 { "is the only smallest repair" } else { "are all smallest repairs" };
            format!("{} {plural} ({space}){best}", counts.found)
        }
        End::OutOfTime => format!("time is up: {} found so far, {space} were not all looked at{best}", counts.found),
    }
}

fn to_json(task: &Task, level: Level, found: &Repairs, path: &str) -> Value {
    let counts = &found.counts;
    let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let list: Vec<Value> = found
        .found
        .iter()
        .enumerate()
        .map(|(i, repair)| {
            json!({
                "rank": i + 1,
                "changes": repair.what,
                "tokens": repair.patched.tokens_changed(),
                "diff": repair.patched.diff(path),
                "proved": repair.proof.as_ref().is_some_and(check::Proof::is_whole),
                "proof": repair.proof.as_ref().map(|proof| proved(task, proof)),
                "after_ms": milliseconds(repair.after),
            })
        })
        .collect();
    let end = match &found.end {
        End::Covered => "covered",
        End::First => "first",
        End::OutOfTime => "out-of-time",
        End::AlreadyRight => "already-right",
        End::NotModelled => "not-modelled",
        End::TooLarge(_) => "too-large",
    };
    json!({
        "schema": 1, "method": "mutation", "file": path, "level": level as usize + 1, "end": end,
        "mutations": counts.mutations, "programs": counts.space.to_string(), "tested": counts.tested,
        "validated": counts.validated, "inputs": counts.inputs, "vacuous": counts.vacuous,
        "search_ms": milliseconds(found.times.search), "first_ms": found.times.first.map(milliseconds),
        "repairs": list,
    })
}
