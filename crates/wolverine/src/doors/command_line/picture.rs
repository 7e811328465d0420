//! `wolverine picture`: the memory at a line.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use execute::{Executor, Output, Stop, Until};
use ir::{Program, StepId};
use memory::{State, changes};
use picture::{Options, Picture, draw};

use super::{Answer, Failure, Outcome, Target, engine, report};

#[derive(clap::Args)]
pub(super) struct PictureArguments {
    #[command(flatten)]
    target: Target,
    /// Draw before this line runs; `12#3` is its third visit
    #[arg(long, value_name = "LINE[#VISIT]")]
    at: String,
    /// A file that ends in .svg, .dot or .png; without it, drawn in the terminal
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &PictureArguments) -> Outcome {
    let (line, visit) = parse_place(&arguments.at)?;
    check_ending(arguments.output.as_deref())?;
    let program = report::load(&arguments.target.file)?;
    let steps = steps_at(&program, line)?;
    let mut executor = engine::start(&arguments.target, &program, Output::Capture)?;
    let (stop, state) = visit_line(executor.as_mut(), &steps, visit)?;
    match stop {
        Stop::Step(_) => {}
        Stop::Fault(fault) => println!("{}\nThis is the memory when it happened:\n", report::fault(&program, &fault)),
        Stop::Exited(_) => {
            return Err(Failure(format!(
                "the program ended before it came to line {line} for the {} time",
                ordinal(visit)
            )));
        }
        Stop::Interrupted => {
            eprintln!("{}: {}", program.source.path.display(), engine::limit(&arguments.target));
            return Ok(Answer::Limit);
        }
    }
    let color = arguments.output.is_none() && std::io::stdout().is_terminal();
    let mut options = Options::highlighting(&state.1);
    options.color = color;
    let picture = draw(&state.0, &options, None);
    show(&picture, arguments.output.as_deref())?;
    Ok(Answer::Yes)
}

/// `1st`, `2nd`, `12th`.
fn ordinal(n: u32) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

fn parse_place(text: &str) -> Result<(u32, u32), Failure> {
    let (line, visit) = text.split_once('#').unwrap_or((text, "1"));
    match (line.parse(), visit.parse()) {
        (Ok(line), Ok(visit)) if visit > 0 => Ok((line, visit)),
        _ => Err(Failure(format!("`{text}` is not a place: write a line such as 12, or 12#3 for its third visit"))),
    }
}

fn check_ending(file: Option<&Path>) -> Result<(), Failure> {
    match file.map(|file| file.extension().and_then(|e| e.to_str()).unwrap_or_default()) {
        None | Some("svg" | "dot" | "png") => Ok(()),
        Some(_) => Err(Failure("a picture's file ends in .svg, .dot or .png".into())),
    }
}

/// The first statement of the line, or the lines where there are some.
fn steps_at(program: &Program, line: u32) -> Result<BTreeSet<StepId>, Failure> {
    let here = |(i, step): (usize, &ir::Step)| (step.line == line).then_some(StepId(i as u32));
    let first = program.steps.iter().enumerate().filter_map(here).min();
    first.map(|step| BTreeSet::from([step])).ok_or_else(|| {
        let mut lines: Vec<u32> = program.steps.iter().map(|step| step.line).filter(|&line| line > 0).collect();
        lines.sort();
        lines.dedup();
        let near = lines.iter().min_by_key(|other| other.abs_diff(line));
        let hint = near.map_or(String::new(), |near| format!("; the nearest one that has is {near}"));
        Failure(format!("line {line} has no statement to stop at{hint}"))
    })
}

/// Goes to the line for the `visit`th time; the state there, and what changed since the statement before.
fn visit_line(
    executor: &mut dyn Executor,
    steps: &BTreeSet<StepId>,
    visit: u32,
) -> Result<(Stop, (State, Vec<memory::Change>)), Failure> {
    let mut visits = 0;
    let mut stop = executor.position().clone();
    loop {
        match &stop {
            Stop::Step(step) => visits += u32::from(steps.contains(step)),
            Stop::Interrupted | Stop::Exited(_) => return Ok((stop, Default::default())),
            Stop::Fault(_) => {
                let state = executor.state()?;
                return Ok((stop, (state, Vec::new())));
            }
        }
        if visits == visit {
            let state = executor.state()?;
            return Ok((stop, (state, Vec::new())));
        }
        if visits + 1 == visit {
            return step_closer(executor, steps);
        }
        stop = executor.resume(&Until::End, steps)?;
    }
}

/// The last stretch is made statement by statement, to see what the last one changed.
fn step_closer(
    executor: &mut dyn Executor,
    steps: &BTreeSet<StepId>,
) -> Result<(Stop, (State, Vec<memory::Change>)), Failure> {
    loop {
        let before = executor.state()?;
        let stop = executor.resume(&Until::Into, &BTreeSet::new())?;
        let there = matches!(&stop, Stop::Step(step) if steps.contains(step)) || matches!(stop, Stop::Fault(_));
        match stop {
            Stop::Exited(_) | Stop::Interrupted => return Ok((stop, Default::default())),
            _ if there => {
                let state = executor.state()?;
                let changed = changes(&before, &state);
                return Ok((stop, (state, changed)));
            }
            _ => {}
        }
    }
}

fn show(picture: &Picture, file: Option<&Path>) -> Result<(), Failure> {
    let Some(file) = file else {
        let width = terminal_width();
        print!("{}", picture.to_terminal(width));
        return Ok(());
    };
    let bytes = match file.extension().and_then(|e| e.to_str()) {
        Some("svg") => picture.to_svg().into_bytes(),
        Some("dot") => picture.to_dot().into_bytes(),
        _ => picture.to_png(2.0)?,
    };
    std::fs::write(file, bytes).map_err(|error| Failure(format!("cannot write {}: {error}", file.display())))
}

/// The width of the terminal, or 100.
fn terminal_width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    columns.unwrap_or(100)
}
