//! How fast are the engines, the front end and the pictures?
//!
//! What can be a ratio is one, measured in one run on one machine: machines
//! differ and are noisy, ratios less so.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use execute::gdb::GdbExecutor;
use execute::interpreter::Interpreter;
use execute::{Executor, RunOptions, Stop, Until};
use ir::{Program, StepId};
use memory::{Limits, State};
use picture::{Options, draw};
use tempfile::TempDir;

use crate::BenchError;
use crate::native::Native;

const LIST: &str = include_str!("../speed/list.c");
const TREE: &str = include_str!("../speed/tree.c");
const GROW: &str = include_str!("../speed/grow.c");

/// Measures everything and prints a line each.
pub fn run(quick: bool) -> Result<(), BenchError> {
    let files = Files::new()?;
    let rounds = if quick { 500 } else { 2000 };
    for (what, file) in [("list work", &files.list), ("tree work", &files.tree)] {
        interpreter_against_native(what, file, rounds)?;
    }
    gdb_steps(&files.grow, if quick { 100 } else { 1000 })?;
    gdb_heap(&files.grow, 10_000)?;
    gdb_checkpoints(&files.grow, 100, if quick { 20 } else { 200 })?;
    drawing(&files.grow, 1000)?;
    front_end(&files)?;
    texts_together(&files.list)
}

/// The programs of the measurements, on disk for as long as they are needed.
struct Files {
    list: PathBuf,
    tree: PathBuf,
    grow: PathBuf,
    folder: TempDir,
}

impl Files {
    fn new() -> Result<Files, BenchError> {
        let failed = |error| BenchError::Io { path: "a temporary folder".into(), error };
        let folder = tempfile::tempdir().map_err(failed)?;
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).map(|()| path).map_err(failed)
        };
        let (list, tree, grow) = (write("list.c", LIST)?, write("tree.c", TREE)?, write("grow.c", GROW)?);
        Ok(Files { list, tree, grow, folder })
    }
}

fn load(path: &Path) -> Result<Arc<Program>, BenchError> {
    Ok(Arc::new(ir::load(path)?))
}

fn with_argument(argument: u32) -> RunOptions {
    RunOptions { arguments: vec![argument.to_string()], ..RunOptions::default() }
}

/// The shortest of some measurements: noise only ever adds time.
fn shortest<T>(times: u32, mut work: impl FnMut() -> Result<T, BenchError>) -> Result<(f64, T), BenchError> {
    let mut best: Option<(f64, T)> = None;
    for _ in 0..times.max(1) {
        let start = Instant::now();
        let value = work()?;
        let seconds = start.elapsed().as_secs_f64();
        if best.as_ref().is_none_or(|(shortest, _)| seconds < *shortest) {
            best = Some((seconds, value));
        }
    }
    Ok(best.expect("measured at least once"))
}

fn interpreter_against_native(what: &str, file: &Path, rounds: u32) -> Result<(), BenchError> {
    let program = load(file)?;
    let Some(native) = Native::compile(file)? else { return Ok(()) };
    let options = with_argument(rounds);
    let (interpreted, steps) = shortest(3, || {
        let mut interpreter = Interpreter::start(program.clone(), &options)?;
        interpreter.resume(&Until::End, &BTreeSet::new())?;
        Ok(interpreter.steps())
    })?;
    let run = |arguments: &[String]| {
        let finished = native.run(arguments, b"", Duration::from_secs(60))?;
        Ok(finished.seconds)
    };
    // Starting a process takes longer than a small run: what starting takes is left out.
    let (_, empty) = shortest(5, || run(&["0".into()]))?;
    let (_, full) = shortest(5, || run(&options.arguments))?;
    let ratio = interpreted / (full - empty).max(1e-6);
    let rate = steps as f64 / interpreted / 1e6;
    println!(
        "interpreter, {what}: {ratio:.1} times the time of the gcc -O0 program; {rate:.1} million statements a second"
    );
    Ok(())
}

/// Steps with the whole state read at each, in the part of the program where the heap is built.
fn gdb_steps(file: &Path, steps: u32) -> Result<(), BenchError> {
    let program = load(file)?;
    let (start_up, mut gdb) = shortest(1, || Ok(GdbExecutor::start(program.clone(), &with_argument(100))?))?;
    run_to_function(&mut gdb, &program, "walk")?;
    let start = Instant::now();
    let mut nodes = 0;
    for _ in 0..steps {
        nodes = gdb.state()?.nodes.len();
        gdb.resume(&Until::Into, &BTreeSet::new())?;
    }
    let rate = f64::from(steps) / start.elapsed().as_secs_f64();
    println!(
        "gdb: {rate:.0} steps a second, with a heap of {nodes} nodes read at each; {start_up:.2} s to compile and start"
    );
    Ok(())
}

fn gdb_heap(file: &Path, count: u32) -> Result<(), BenchError> {
    let program = load(file)?;
    let mut gdb = GdbExecutor::start(program.clone(), &with_argument(count))?;
    run_to_function(&mut gdb, &program, "walk")?;
    let mut best = f64::INFINITY;
    let mut nodes = 0;
    for _ in 0..5 {
        // A step, so that nothing is remembered from the last time.
        gdb.resume(&Until::Into, &BTreeSet::new())?;
        let start = Instant::now();
        nodes = gdb.state()?.nodes.len();
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("gdb: {:.1} ms to read a heap of {nodes} nodes", best * 1000.0);
    Ok(())
}

/// Going back and forth in a program with a small heap.
fn gdb_checkpoints(file: &Path, nodes: u32, times: u32) -> Result<(), BenchError> {
    let program = load(file)?;
    let mut gdb = GdbExecutor::start(program.clone(), &with_argument(nodes))?;
    run_to_function(&mut gdb, &program, "walk")?;
    let mut seconds = [0.0; 4];
    for _ in 0..times {
        let taken = [
            timed(|| Ok(gdb.state().map(drop)?))?.0,
            timed(|| Ok(gdb.resume(&Until::Over, &BTreeSet::new()).map(drop)?))?.0,
        ];
        let (taking, checkpoint) = timed(|| Ok(gdb.checkpoint()?))?;
        gdb.resume(&Until::Over, &BTreeSet::new())?;
        let (restoring, ()) = timed(|| Ok(gdb.restore(checkpoint)?))?;
        for (sum, new) in seconds.iter_mut().zip([taken[0], taken[1], taking, restoring]) {
            *sum += new;
        }
    }
    let [state, over, taking, restoring] = seconds.map(|sum| sum / f64::from(times) * 1000.0);
    println!(
        "gdb, {nodes} nodes: {state:.2} ms to read a state, {over:.2} ms for a step over, \
         {taking:.2} ms to take a checkpoint, {restoring:.2} ms to go back to it"
    );
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> Result<T, BenchError>) -> Result<(f64, T), BenchError> {
    let start = Instant::now();
    let result = work()?;
    Ok((start.elapsed().as_secs_f64(), result))
}

fn run_to_function(executor: &mut dyn Executor, program: &Program, name: &str) -> Result<(), BenchError> {
    let function = program.function_named(name);
    let here = |(i, step): (usize, &ir::Step)| (Some(step.function) == function).then_some(StepId(i as u32));
    let steps: BTreeSet<StepId> = program.steps.iter().enumerate().filter_map(here).collect();
    while !matches!(executor.position(), Stop::Step(step) if steps.contains(step)) {
        executor.resume(&Until::End, &steps)?;
    }
    Ok(())
}

fn drawing(file: &Path, count: u32) -> Result<(), BenchError> {
    let program = load(file)?;
    let mut interpreter = Interpreter::start(program.clone(), &with_argument(count))?;
    run_to_function(&mut interpreter, &program, "walk")?;
    let state: State = interpreter.state_within(Limits::default());
    let (seconds, size) = shortest(5, || Ok(draw(&state, &Options::default(), None).to_svg().len()))?;
    let (nodes, kilobytes) = (state.nodes.len(), size / 1024);
    println!("picture: {:.1} ms to draw {nodes} nodes as SVG ({kilobytes} KiB)", seconds * 1000.0);
    Ok(())
}

/// A file of about 2,000 lines: the tree functions over and over, with other names.
fn front_end(files: &Files) -> Result<(), BenchError> {
    let body = TREE.split_once("struct node *insert").map_or("", |(_, rest)| rest);
    let functions = body.split_once("int main").map_or(body, |(functions, _)| functions);
    let mut text = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n".to_string();
    text.push_str("struct node { int key; struct node *left, *right; };\n");
    let mut copy = 0;
    while text.lines().count() < 1990 {
        let one = format!("struct node *insert{functions}").replace("insert(", &format!("insert{copy}("));
        let _ = write!(text, "{}", one.replace("contains(", &format!("contains{copy}(")));
        copy += 1;
    }
    text.push_str("int main(void) { return 0; }\n");
    let path = files.folder.path().join("long.c");
    std::fs::write(&path, &text).map_err(|error| BenchError::Io { path: path.display().to_string(), error })?;
    let (seconds, program) = shortest(3, || load(&path))?;
    let lines = text.lines().count();
    println!("front end: {seconds:.2} s for {lines} lines, {} statements", program.steps.len());
    Ok(())
}

/// Small texts of one file, as repairs and faulty versions are: from disk, one by one and together.
fn texts_together(file: &Path) -> Result<(), BenchError> {
    let text = |number: usize| {
        let text = format!("{LIST}\n// {number}\n");
        Arc::new(c_syntax::Source::new(file, text.into_bytes()))
    };
    let texts: Vec<_> = (0..6).map(text).collect();
    let all = |programs: Vec<Result<Program, c_syntax::ParseError>>| {
        programs.into_iter().collect::<Result<Vec<_>, _>>().map_err(BenchError::from)
    };
    // Reading the headers alone, once, is no part of it.
    all(ir::load_texts(&texts))?;
    let (disk, _) = shortest(10, || load(file))?;
    let (one, _) = shortest(10, || Ok(ir::load_text(texts[0].clone())?))?;
    let (together, _) = shortest(10, || all(ir::load_texts(&texts)))?;
    let each = together / texts.len() as f64;
    println!(
        "front end, small texts: {:.1} ms for a file, {:.1} ms for a text, {:.1} ms for each of {}, a ratio of {:.1}",
        disk * 1000.0,
        one * 1000.0,
        each * 1000.0,
        texts.len(),
        disk / each
    );
    Ok(())
}
