//! `wolverine inject`: faulty versions of a right program, for experiments.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use ::inject::{InjectError, Injected, Note, Options, Version};
use indicatif::{ProgressBar, ProgressStyle};
use ir::Program;

use super::{Answer, Failure, Outcome, report};

#[derive(clap::Args)]
pub(super) struct InjectArguments {
    /// The C file, which is right
    file: PathBuf,
    /// The functions that get the faults; without, those that the file marks with `//~ FUNCTION:`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    function: Vec<String>,
    /// Expressions to change in each version
    #[arg(long, value_name = "X", default_value_t = 0)]
    change: usize,
    /// Assignments to delete in each version
    #[arg(long, value_name = "Y", default_value_t = 0)]
    delete: usize,
    /// Versions to make
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = super::at_least_one)]
    count: usize,
    /// The same seed gives the same versions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The folder for the versions and the notes on what is wrong with them
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Changes comparison operators, integer constants and NULL too
    #[arg(long)]
    operators: bool,
    /// Arguments of a run that may show the fault; without, those that the file marks with `//~ INPUT:`
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    input: Vec<String>,
    /// A file that the program reads as its standard input
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
}

impl From<InjectError> for Failure {
    fn from(error: InjectError) -> Self {
        Failure(error.to_string())
    }
}

pub(super) fn run(arguments: &InjectArguments) -> Outcome {
    let program = report::load(&arguments.file)?;
    let options = options(arguments)?;
    let injected = inject(&program, &options)?;
    write_all(&program, &options, &injected, &arguments.output)?;
    tell(&program, &options, &injected, &arguments.output)?;
    Ok(if injected.exhausted { Answer::Limit } else { Answer::Yes })
}

fn options(arguments: &InjectArguments) -> Result<Options, Failure> {
    let words = |text: &String| text.split_whitespace().map(String::from).collect();
    let beside = arguments.file.with_extension("stdin");
    let stdin = match &arguments.stdin {
        Some(path) => read(path)?,
        None if beside.exists() => read(&beside)?,
        None => Vec::new(),
    };
    Ok(Options {
        functions: arguments.function.iter().map(|name| name.trim().to_string()).collect(),
        change: arguments.change,
        delete: arguments.delete,
        count: arguments.count,
        seed: arguments.seed,
        operators: arguments.operators,
        inputs: arguments.input.iter().map(words).collect(),
        stdin,
    })
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure(format!("cannot read {}: {error}", path.display())))
}

/// Makes the versions, with a bar that counts them on a terminal.
fn inject(program: &std::sync::Arc<Program>, options: &Options) -> Result<Injected, Failure> {
    let bar = match std::io::stderr().is_terminal() {
        true => ProgressBar::new(options.count as u64),
        false => ProgressBar::hidden(),
    };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} versions ({elapsed}; Ctrl-C stops)") {
        bar.set_style(style);
    }
    let injected = ::inject::inject(program, options, &mut |found| bar.set_position(found as u64));
    bar.finish_and_clear();
    Ok(injected?)
}

/// `DIR/list_07.c` without its ending, for version 7 of `list.c`.
fn stem(program: &Program, options: &Options, folder: &Path, number: usize) -> PathBuf {
    let name = program.source.path.file_stem().unwrap_or_default().to_string_lossy();
    // As many digits as the largest number has, so that the files are in order.
    let digits = options.count.to_string().len().max(2);
    folder.join(format!("{name}_{number:0digits$}"))
}

fn write_all(program: &Program, options: &Options, injected: &Injected, folder: &Path) -> Result<(), Failure> {
    let failed = |path: &Path, error| Failure(format!("cannot write {}: {error}", path.display()));
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for (i, version) in injected.versions.iter().enumerate() {
        // A name may have dots, so the ending is added and not replaced.
        let path = |ending: &str| {
            let mut path = stem(program, options, folder, i + 1).into_os_string();
            path.push(ending);
            PathBuf::from(path)
        };
        let note = Note::new(program, options, i + 1, &version.faults, &version.observed);
        let json = serde_json::to_string_pretty(&note).map_err(|error| Failure(error.to_string()))?;
        for (path, bytes) in [(path(".c"), version.text.clone()), (path(".json"), (json + "\n").into_bytes())] {
            std::fs::write(&path, bytes).map_err(|error| failed(&path, error))?;
        }
    }
    Ok(())
}

fn tell(program: &Program, options: &Options, injected: &Injected, folder: &Path) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for (i, version) in injected.versions.iter().enumerate() {
        let stem = stem(program, options, folder, i + 1);
        let name = stem.file_name().unwrap_or_default().to_string_lossy();
        writeln!(out, "{name}.c  {}", faults(version))?;
    }
    let versions = match injected.versions.len() {
        1 => "1 version".to_string(),
        n => format!("{n} versions"),
    };
    writeln!(
        out,
        "{versions} of the class {} in {}; {} texts drawn, {} of them not C, {} without a visible fault",
        options.class(),
        folder.display(),
        injected.drawn,
        injected.not_c,
        injected.unobservable
    )?;
    if injected.exhausted {
        eprintln!("wolverine: no more than {versions} of the {} that were asked for could be found", options.count);
        if injected.unobservable > 0 {
            eprintln!("More inputs may show more faults: give them with `--input` or `--stdin`.");
        }
    }
    Ok(())
}

fn faults(version: &Version) -> String {
    version.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
