//! `wolverine bench`: the experiments.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use repair::scheme::mutation::Level;
use repair::strategy::minimal;

use super::{Answer, Engine, Outcome};

#[derive(Subcommand)]
pub(super) enum BenchCommand {
    /// Runs programs on both engines and natively, and compares every state
    Agree {
        /// Folders or C files
        #[arg(default_value = "programs")]
        paths: Vec<PathBuf>,
        /// Only files whose path contains this
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
        /// Inputs of each program to use at most
        #[arg(long, value_name = "N", default_value_t = 3)]
        inputs: usize,
        /// States of each run to compare at most; the run goes on to its end without
        #[arg(long, value_name = "N", default_value_t = 400)]
        states: u64,
        /// Runs at the same time
        #[arg(long, value_name = "N", default_value_t = 2)]
        jobs: usize,
        /// A folder for the results, as JSON lines
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Gives random commands to sessions on both engines and compares what comes of them
    Lockstep {
        /// Folders or C files
        #[arg(default_value = "programs")]
        paths: Vec<PathBuf>,
        /// Only files whose path contains this
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
        /// Commands in all
        #[arg(long, value_name = "N", default_value_t = 10_000)]
        commands: u64,
        /// Commands of each session at most
        #[arg(long, value_name = "N", default_value_t = 60)]
        length: u64,
        /// Decides what is random
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Sessions at the same time
        #[arg(long, value_name = "N", default_value_t = 2)]
        jobs: usize,
    },
    /// Measures the time from a command of the debugger to its picture
    Debug {
        /// What runs the program
        #[arg(long, value_enum, default_value = "gdb")]
        engine: Engine,
        /// How often each command is given
        #[arg(long, value_name = "N", default_value_t = 300)]
        rounds: u32,
    },
    /// Measures how long repairs take, by each way to search for them
    Repair {
        /// Random functions besides the sessions of the paper
        #[arg(long, value_name = "N", default_value_t = 20)]
        instances: usize,
        /// How often each search is repeated; the median counts
        #[arg(long, value_name = "N", default_value_t = 5)]
        repeats: usize,
        /// Seconds that one search may take
        #[arg(long, value_name = "S", default_value_t = 20.0)]
        limit: f64,
        /// Decides what is random
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Only ways whose name contains this
        #[arg(long, value_name = "TEXT")]
        way: Option<String>,
    },
    /// Puts single faults into programs and looks whether the localizer names their places
    Soundness {
        /// Which programs
        #[arg(long, value_enum, default_value = "all")]
        programs: Programs,
        /// Only files whose path contains this
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
        /// Inputs of each program to use at most
        #[arg(long, value_name = "N", default_value_t = 2)]
        inputs: usize,
        /// Faults of each program at most; 0 means all
        #[arg(long, value_name = "N", default_value_t = 60)]
        limit: usize,
        /// Asserts only the state at the end of the function
        #[arg(long)]
        sparse: bool,
        /// Decides what is random
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Faults at the same time
        #[arg(long, value_name = "N", default_value_t = 2)]
        jobs: usize,
        /// A folder for the results, as JSON lines
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Puts faults into programs, debugs them as a user would, repairs them and judges the repairs
    Faults {
        /// Which programs
        #[arg(long, value_enum, default_value = "all")]
        programs: Programs,
        /// Only files whose path contains this
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
        /// Classes of faults: 1 to 4 as in the paper, or X.Y for X changes and Y deletions
        #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,2,3,4")]
        classes: Vec<bench::faults::Class>,
        /// Faulty versions of each program and class
        #[arg(long, value_name = "N", default_value_t = 40, value_parser = super::at_least_one)]
        versions: usize,
        /// How the search is confined
        #[arg(long, value_enum, default_value = "localized")]
        mode: Mode,
        /// What searches
        #[arg(long, value_enum, default_value = "default")]
        search: Search,
        /// Asserts only the state at the end of the function
        #[arg(long)]
        sparse: bool,
        /// Seconds that one search may take
        #[arg(long, value_name = "S", default_value_t = 30.0)]
        limit: f64,
        /// Decides what is random
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Versions at the same time
        #[arg(long, value_name = "N", default_value_t = 2)]
        jobs: usize,
        /// Fails unless so many versions are repaired, and so many repairs correct
        #[arg(long, value_name = "REPAIRED,CORRECT")]
        expect: Option<bench::faults::Expected>,
        /// A folder for the versions and the results; what is there already is not done again
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
    },
    /// Makes each kind of search alone, on versions that `bench faults` left in a folder, and chooses an order of them
    Levels {
        /// Which programs
        #[arg(long, value_enum, default_value = "all")]
        programs: Programs,
        /// Only files whose path contains this
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
        /// Classes of faults
        #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,2,3,4")]
        classes: Vec<bench::faults::Class>,
        /// Versions whose repair took longer than so many milliseconds …
        #[arg(long, value_name = "MS", default_value_t = 100.0)]
        slower: f64,
        /// … and every so manyth of the others; 0 means none
        #[arg(long, value_name = "N", default_value_t = 0)]
        every: usize,
        /// A repair is late if the searches take longer than so many milliseconds; localizing and proving come on top
        #[arg(long, value_name = "MS", default_value_t = 150.0)]
        late: f64,
        /// Seconds that one search may take
        #[arg(long, value_name = "S", default_value_t = 1.0)]
        limit: f64,
        /// The seed of the versions
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Versions at the same time
        #[arg(long, value_name = "N", default_value_t = 2)]
        jobs: usize,
        /// The folder with the results of `bench faults`; what is there already is not done again
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
    },
    /// Compares the localizer with five that rank by a test suite
    Ranks {
        /// Which programs to choose from
        #[arg(long, value_enum, default_value = "large")]
        programs: Programs,
        /// Only files whose path contains this
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
        /// How many programs are chosen at random
        #[arg(long, value_name = "N", default_value_t = 10)]
        choose: usize,
        /// Versions of each program, with one fault each
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = super::at_least_one)]
        versions: usize,
        /// Decides what is random
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Programs at the same time
        #[arg(long, value_name = "N", default_value_t = 2)]
        jobs: usize,
        /// A folder for the results, as JSON lines
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Repairs faulty programs as students write them
    Students {
        /// Folders with a problem each
        #[arg(default_value = "programs/students")]
        paths: Vec<PathBuf>,
        /// Only files whose path contains this
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
        /// Seconds that one search may take
        #[arg(long, value_name = "S", default_value_t = 10.0)]
        limit: f64,
        /// Programs at the same time
        #[arg(long, value_name = "N", default_value_t = 2)]
        jobs: usize,
        /// A folder for the results, as JSON lines
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Repairs the faults of He and Gupta's Table 1 by evidence, with dices, and by auto
    Contracts {
        /// The folder of the programs and the table
        #[arg(default_value = "programs/contracts")]
        folder: PathBuf,
        /// Only rows whose names begin so, such as Sum or Bin/3
        #[arg(long, value_name = "NAME", value_delimiter = ',')]
        only: Vec<String>,
        /// Length of arrays in proofs, at most
        #[arg(long, value_name = "N", default_value_t = 6)]
        length: u64,
        /// Tests that are made up
        #[arg(long, value_name = "N", default_value_t = 24)]
        tests: usize,
        /// Seconds for each method
        #[arg(long, value_name = "S", default_value_t = 60.0)]
        limit: f64,
        /// Only evidence, without dices and auto
        #[arg(long)]
        evidence: bool,
        /// Fails unless so many rows are repaired and proved by evidence, and by auto
        #[arg(long, value_name = "E,A", value_delimiter = ',')]
        expect: Vec<usize>,
    },
    /// Repairs the versions of TCAS by mutations or templates, proved against the original, or diagnoses them
    Tcas {
        /// The folder of the Siemens suite's tcas, with the original and its versions
        folder: PathBuf,
        #[command(flatten)]
        search: Minimal,
        /// Only this version, such as v28
        #[arg(long, value_name = "NAME")]
        version: Option<String>,
        /// All minimal sets of mutations, templates for minimal diagnoses, or only these
        #[arg(long, value_enum, default_value = "mutation")]
        method: TcasMethod,
        /// Failing inputs that diagnoses explain (template: 8, diagnosis: 2)
        #[arg(long, value_name = "N")]
        counterexamples: Option<usize>,
        /// Only the versions of Könighofer and Bloem's Table I, with and without their heuristics (template)
        #[arg(long)]
        table: bool,
    },
    /// Repairs programs of contests by all minimal sets of mutations, proved against the accepted program
    Codeflaws {
        /// The folder with folders such as 71-A-bug-18-19
        folder: PathBuf,
        #[command(flatten)]
        search: Minimal,
        /// Only folders whose names contain this
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
        /// How often loops are unrolled
        #[arg(long, value_name = "N", default_value_t = 5)]
        unwind: u32,
        /// Numbers that are read are assumed to be between 0 and this, or between -N and N with --signed; 0 assumes nothing
        #[arg(long, value_name = "N", default_value_t = 1000)]
        small: i64,
        /// Numbers that are read may be negative
        #[arg(long)]
        signed: bool,
    },
    /// Compares all minimal repairs of small programs with those that trying every mutant on every input finds, or
    /// diagnoses them and repairs them by templates
    Integers {
        /// The folder with the programs
        #[arg(default_value = "programs/integers")]
        folder: PathBuf,
        /// Only programs whose names contain this
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
        /// Which mutations
        #[arg(long, value_name = "L", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
        level: u8,
        /// The most mutations at once
        #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
        max_size: u8,
        /// Pairs of mutations of each program that are tried; 0 means all
        #[arg(long, value_name = "N", default_value_t = 3000)]
        sample: usize,
        /// How the sets are gone through
        #[arg(long, value_enum, default_value = "tree")]
        way: Way,
        /// All minimal sets of mutations, or templates for minimal diagnoses
        #[arg(long, value_enum, default_value = "mutation")]
        method: IntegersMethod,
        /// Programs at the same time
        #[arg(long, value_name = "N", default_value_t = 2)]
        jobs: usize,
    },
    /// Writes a page with tables and plots of all results in a folder
    Report {
        /// The folder that the experiments wrote to
        folder: PathBuf,
    },
    /// Measures the engines, the front end and the pictures
    Speed {
        /// Shorter measurements
        #[arg(long)]
        quick: bool,
    },
}

/// A search for all minimal repairs.
#[derive(Args)]
pub(super) struct Minimal {
    /// Which mutations
    #[arg(long, value_name = "L", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    level: u8,
    /// The most mutations at once (2), or expressions of a diagnosis (1)
    #[arg(long, value_name = "K", value_parser = super::at_least_one)]
    max_size: Option<usize>,
    /// How the sets are gone through
    #[arg(long, value_enum, default_value = "tree")]
    way: Way,
    /// All three ways, side by side
    #[arg(long, conflicts_with = "way")]
    compare: bool,
    /// Seconds that one search may take
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    timeout: f64,
    /// The first repair of each version is enough
    #[arg(long)]
    first: bool,
    /// Versions at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// A folder for the results, as JSON lines; what is there already is not done again
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Minimal {
    fn options(&self, folder: &std::path::Path) -> bench::minimal::Options {
        let ways = if self.compare { Way::value_variants() } else { &[self.way] };
        bench::minimal::Options {
            folder: folder.into(),
            filter: None,
            level: level(self.level),
            max_size: self.max_size.unwrap_or(2),
            ways: ways.iter().map(|way| way.way()).collect(),
            timeout: std::time::Duration::from_secs_f64(self.timeout.clamp(0.001, 1e6)),
            first: self.first,
            unwind: 10,
            range: None,
            jobs: self.jobs,
            output: self.output.clone(),
        }
    }

    fn show(&self, rows: Vec<bench::minimal::Row>, is_tcas: bool) {
        match self.compare {
            true => print!("{}", bench::minimal::Compared { rows }),
            false => print!("{}", bench::minimal::Summary { rows, is_tcas }),
        }
    }
}

/// How the integer programs are repaired.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum IntegersMethod {
    /// All minimal sets of mutations, compared with brute force
    Mutation,
    /// Minimal diagnoses, and templates for them
    Template,
}

/// How the versions of TCAS are repaired.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TcasMethod {
    /// All minimal sets of mutations
    Mutation,
    /// Templates in the places of minimal diagnoses
    Template,
    /// Minimal diagnoses, without repairs
    Diagnosis,
}

/// How the sets of mutations are gone through.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Way {
    /// From each set that fails to those with one mutation more that matters
    Tree,
    /// Proposed by a solver, with what matters blocked (FL-AllRepair)
    Must,
    /// Proposed by a solver, each blocked alone (AllRepair)
    Itself,
}

impl Way {
    fn way(self) -> minimal::Way {
        match self {
            Way::Tree => minimal::Way::Tree,
            Way::Must => minimal::Way::Enumerate(minimal::Blocking::Must),
            Way::Itself => minimal::Way::Enumerate(minimal::Blocking::Itself),
        }
    }
}

fn level(number: u8) -> Level {
    match number {
        1 => Level::One,
        2 => Level::Two,
        _ => Level::Three,
    }
}

/// How a search is confined.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Mode {
    /// To suspicious places first
    Localized,
    /// To the section of the program that has the fault
    Section,
    /// Not at all
    Unconfined,
}

/// What searches for repairs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Search {
    /// What users get
    Default,
    /// Algorithm 3 of the paper
    Algorithm3,
    /// The paper's random variant
    Algvar,
}

/// The programs of a measurement.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Programs {
    /// Those in `programs/small`
    Small,
    /// Those in `programs/large`
    Large,
    /// Both
    All,
}

impl Programs {
    fn paths(self) -> Vec<PathBuf> {
        let folders = [("programs/small", Programs::Large), ("programs/large", Programs::Small)];
        folders.iter().filter(|(_, without)| self != *without).map(|(folder, _)| folder.into()).collect()
    }
}

pub(super) fn run(command: &BenchCommand) -> Outcome {
    match command {
        BenchCommand::Agree { paths, filter, inputs, states, jobs, output } => {
            let options = bench::agree::Options {
                paths: paths.clone(),
                filter: filter.clone(),
                inputs: *inputs,
                states: *states,
                jobs: *jobs,
                output: output.clone(),
            };
            let summary = bench::agree::run(&options)?;
            println!("{summary}");
            Ok(if summary.differences == 0 { Answer::Yes } else { Answer::No })
        }
        BenchCommand::Lockstep { paths, filter, commands, length, seed, jobs } => {
            let options = bench::lockstep::Options {
                paths: paths.clone(),
                filter: filter.clone(),
                commands: *commands,
                length: *length,
                seed: *seed,
                jobs: *jobs,
            };
            let summary = bench::lockstep::run(&options)?;
            println!("{summary}");
            Ok(if summary.differences == 0 { Answer::Yes } else { Answer::No })
        }
        BenchCommand::Debug { engine, rounds } => {
            bench::debug::run(engine.kind(), *rounds)?;
            Ok(Answer::Yes)
        }
        BenchCommand::Repair { instances, repeats, limit, seed, way } => {
            let limit = std::time::Duration::from_secs_f64(limit.clamp(0.001, 1e6));
            let options = bench::mend::Options {
                instances: *instances,
                repeats: (*repeats).max(1),
                limit,
                seed: *seed,
                way: way.clone(),
            };
            print!("{}", bench::mend::run(&options)?);
            Ok(Answer::Yes)
        }
        BenchCommand::Soundness { programs, filter, inputs, limit, sparse, seed, jobs, output } => {
            let options = bench::soundness::Options {
                paths: programs.paths(),
                filter: filter.clone(),
                inputs: *inputs,
                limit: *limit,
                sparse: *sparse,
                seed: *seed,
                jobs: *jobs,
                output: output.clone(),
            };
            let summary = bench::soundness::run(&options)?;
            println!("{summary}");
            Ok(if summary.total.has_bugs() { Answer::No } else { Answer::Yes })
        }
        BenchCommand::Faults {
            programs,
            filter,
            classes,
            versions,
            mode,
            search,
            sparse,
            limit,
            seed,
            jobs,
            expect,
            output,
        } => {
            let options = bench::faults::Options {
                paths: programs.paths(),
                filter: filter.clone(),
                classes: classes.clone(),
                versions: *versions,
                mode: match mode {
                    Mode::Localized => bench::faults::Mode::Localized,
                    Mode::Section => bench::faults::Mode::Section,
                    Mode::Unconfined => bench::faults::Mode::Unconfined,
                },
                search: match search {
                    Search::Default => bench::faults::Search::Default,
                    Search::Algorithm3 => bench::faults::Search::Algorithm3,
                    Search::Algvar => bench::faults::Search::AlgVar,
                },
                detail: if *sparse { bench::user::Detail::Sparse } else { bench::user::Detail::Loops },
                jobs: *jobs,
                seed: *seed,
                limit: std::time::Duration::from_secs_f64(limit.clamp(0.001, 1e6)),
                output: output.clone(),
            };
            let summary = bench::faults::run(&options)?;
            print!("{summary}");
            let found = bench::faults::Expected { repaired: summary.total.repaired, correct: summary.total.correct };
            match expect {
                Some(expected) if *expected != found => {
                    println!("expected were {} repaired and {} correct", expected.repaired, expected.correct);
                    Ok(Answer::No)
                }
                _ => Ok(Answer::Yes),
            }
        }
        BenchCommand::Levels { programs, filter, classes, slower, every, late, limit, seed, jobs, output } => {
            let faults = bench::faults::Options {
                paths: programs.paths(),
                filter: filter.clone(),
                classes: classes.clone(),
                versions: 1,
                mode: bench::faults::Mode::Localized,
                search: bench::faults::Search::Default,
                detail: bench::user::Detail::Loops,
                jobs: *jobs,
                seed: *seed,
                limit: std::time::Duration::from_secs_f64(limit.clamp(0.001, 1e6)),
                output: output.clone(),
            };
            let options = bench::levels::Options { faults, slower: *slower, every: *every };
            let rows = bench::levels::run(&options)?;
            let chosen = [false, true].map(|straight| bench::levels::choose(&rows, straight, late.max(1.0)));
            chosen.iter().flatten().for_each(|chosen| print!("{chosen}"));
            if rows.is_empty() {
                println!(
                    "no version took longer than {slower} ms; take a smaller --slower, or some others with --every"
                );
            }
            Ok(Answer::Yes)
        }
        BenchCommand::Ranks { programs, filter, choose, versions, seed, jobs, output } => {
            let options = bench::ranks::Options {
                paths: programs.paths(),
                filter: filter.clone(),
                programs: *choose,
                versions: *versions,
                seed: *seed,
                jobs: *jobs,
                output: output.clone(),
            };
            println!("{}", bench::ranks::run(&options)?);
            Ok(Answer::Yes)
        }
        BenchCommand::Students { paths, filter, limit, jobs, output } => {
            let options = bench::students::Options {
                paths: paths.clone(),
                filter: filter.clone(),
                jobs: *jobs,
                limit: std::time::Duration::from_secs_f64(limit.clamp(0.001, 1e6)),
                output: output.clone(),
            };
            println!("{}", bench::students::run(&options)?);
            Ok(Answer::Yes)
        }
        BenchCommand::Contracts { folder, only, length, tests, limit, evidence, expect } => {
            let options = bench::contracts::Options {
                folder: folder.clone(),
                only: only.clone(),
                length: *length,
                tests: *tests,
                limit: std::time::Duration::from_secs_f64(limit.clamp(0.001, 1e6)),
                all: !evidence,
            };
            let summary = bench::contracts::run(&options, &mut |outcome| println!("{outcome}"))?;
            println!("{summary}");
            let (by_evidence, by_auto, _) = summary.counts();
            let as_expected = expect.iter().zip([by_evidence, by_auto]).all(|(expected, found)| *expected == found);
            Ok(if as_expected { Answer::Yes } else { Answer::No })
        }
        BenchCommand::Tcas { folder, search, version, method, counterexamples, table }
            if *method != TcasMethod::Mutation =>
        {
            let is_template = *method == TcasMethod::Template;
            let versions =
                if *table { bench::template::Summary::published() } else { version.iter().cloned().collect() };
            let options = bench::template::Options {
                folder: folder.clone(),
                versions,
                repair: is_template,
                inputs: counterexamples.unwrap_or(if is_template { 8 } else { 2 }),
                max_size: search.max_size.unwrap_or(1),
                repairs: if *table { 5 } else { 3 },
                heuristics: if *table { vec![true, false] } else { vec![true] },
                first: search.first,
                timeout: std::time::Duration::from_secs_f64(search.timeout.clamp(0.001, 1e6)),
                jobs: search.jobs,
                output: search.output.clone(),
            };
            print!("{}", bench::template::Summary { rows: bench::template::run(&options)? });
            Ok(Answer::Yes)
        }
        BenchCommand::Tcas { folder, search, version, .. } => {
            let options = bench::minimal::Options { filter: version.clone(), ..search.options(folder) };
            search.show(bench::minimal::tcas::run(&options)?, true);
            Ok(Answer::Yes)
        }
        BenchCommand::Codeflaws { folder, search, filter, unwind, small, signed } => {
            let range = (*small > 0).then_some((if *signed { -small } else { 0 }, *small));
            let options =
                bench::minimal::Options { filter: filter.clone(), unwind: *unwind, range, ..search.options(folder) };
            search.show(bench::minimal::codeflaws::run(&options)?, false);
            Ok(Answer::Yes)
        }
        BenchCommand::Integers { folder, filter, max_size, method: IntegersMethod::Template, jobs, .. } => {
            let options = bench::integers::template::Options {
                folder: folder.clone(),
                filter: filter.clone(),
                max_size: usize::from(*max_size),
                timeout: std::time::Duration::from_secs(20),
                jobs: *jobs,
            };
            let summary = bench::integers::template::run(&options, &|_| true)?;
            print!("{}{summary}", summary.times());
            Ok(Answer::Yes)
        }
        BenchCommand::Integers { folder, filter, level: number, max_size, sample, way, jobs, .. } => {
            let options = bench::integers::brute::Options {
                folder: folder.clone(),
                filter: filter.clone(),
                level: level(*number),
                max_size: usize::from(*max_size),
                sample: if *sample == 0 { usize::MAX } else { *sample },
                way: way.way(),
                jobs: *jobs,
            };
            let summary = bench::integers::brute::run(&options)?;
            print!("{summary}");
            Ok(if summary.differences() == 0 { Answer::Yes } else { Answer::No })
        }
        BenchCommand::Report { folder } => {
            println!("{}", bench::report::run(folder)?);
            Ok(Answer::Yes)
        }
        BenchCommand::Speed { quick } => {
            bench::speed::run(*quick)?;
            Ok(Answer::Yes)
        }
    }
}
