//! `wolverine repair`: the smallest repair that meets what a debug session asserts.

mod evidence;
mod json;
mod mutation;
mod reply;
mod template;
mod text;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use session::{Checkpoint, Command, MomentId, Session, VerdictKind, Wish};

use super::bounded::BoundedArguments;
use super::evidence::TestArguments;
use super::script::{self, Line, Runner, ScriptArguments, Trouble};
use super::{Answer, Failure, Outcome};
use reply::{Reply, is_good};

#[derive(clap::Args)]
pub(super) struct RepairArguments {
    #[command(flatten)]
    target: ScriptArguments,
    /// How: proof needs --script; mutation and template need assertions, a contract or a --reference; evidence and auto a contract
    #[arg(long, value_enum)]
    method: Option<Method>,
    #[command(flatten)]
    bounded: BoundedArguments,
    #[command(flatten)]
    mutation: mutation::MutationArguments,
    #[command(flatten)]
    template: template::TemplateArguments,
    #[command(flatten)]
    tests: TestArguments,
    /// Text says what was found, diff is for `git apply`, json is one object (docs/json.md)
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Writes the repaired program to this file
    #[arg(short, value_name = "OUT.c")]
    output: Option<PathBuf>,
    /// Shows all repairs, not only the best (text)
    #[arg(long)]
    all: bool,
    /// Repairs conditions too that were forced in one direction only
    #[arg(long)]
    guards: bool,
    /// Tries all places at once, not the suspicious ones first
    #[arg(long)]
    wide: bool,
}

impl RepairArguments {
    /// What the program is checked against; a function that was named by itself and has a contract is the entry.
    fn bounded(&self) -> BoundedArguments {
        self.bounded.for_contract(&self.target.file, &self.mutation.function)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Diff,
    Json,
}

/// A repair that was asked for, and what it was asked about.
struct Asked {
    reply: Reply,
    wish: Wish,
    about: About,
    /// Where its repair was found.
    found: Option<MomentId>,
}

/// What a repair depends on.
struct About {
    specification: Vec<Arc<Checkpoint>>,
    trusted: BTreeSet<u32>,
}

impl About {
    fn of(session: &Session) -> About {
        About { specification: session.specification(), trusted: session.trusted_lines().clone() }
    }

    fn is_same(&self, other: &About) -> bool {
        let (these, those) = (&self.specification, &other.specification);
        let same = |(this, that): (&Arc<Checkpoint>, &Arc<Checkpoint>)| Arc::ptr_eq(this, that);
        these.len() == those.len() && these.iter().zip(those).all(same) && self.trusted == other.trusted
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Statements and conditions, so that what a session asserts holds
    Proof,
    /// Operators and constants, so that assertions hold or the reference is met, for all inputs
    Mutation,
    /// New expressions in the places that explain the failing inputs, right for all inputs
    Template,
    /// What the evidence of failing tests suggests, so that the contract is met
    Evidence,
    /// Evidence, then mutations, then templates, so that the contract is met
    Auto,
}

pub(super) fn run(arguments: &RepairArguments) -> Outcome {
    let is_bounded = arguments.target.script.is_none() && arguments.bounded().is_given();
    let method = arguments.method.unwrap_or(if is_bounded { Method::Mutation } else { Method::Proof });
    match method {
        Method::Proof => script::conclude(work(arguments)),
        Method::Mutation => mutation::run(arguments),
        Method::Template => template::run(arguments),
        Method::Evidence => evidence::run(arguments, false),
        Method::Auto => evidence::run(arguments, true),
    }
}

fn work(arguments: &RepairArguments) -> Result<Answer, Trouble> {
    let (mut runner, lines) = Runner::new(&arguments.target)?;
    let (mut last, mut is_over) = (None, false);
    for line in &lines {
        match &line.command {
            Command::Rewrite(_) | Command::Save(_) | Command::Show(Some(_)) => {
                runner.note(line, "is left out, as it writes a file");
            }
            Command::Repair(wish) => {
                let asked = ask(&mut runner, &line.text, *wish, &|runner, error| runner.failed(line, error))?;
                is_over = !is_good(asked.reply.verdict);
                last = Some(asked);
                if is_over {
                    tell_of_end(&runner, line, &lines);
                    break;
                }
            }
            _ => _ = runner.run(line)?,
        }
    }
    let before = last.as_ref().map(|asked| asked.wish).unwrap_or_default();
    let wish = Wish { guards: before.guards || arguments.guards, wide: before.wide || arguments.wide, ..before };
    let reply = match last {
        Some(asked) if is_over || asked.wish == wish && still_holds(&asked, &runner.session) => asked.reply,
        _ => ask(&mut runner, &command(wish), wish, &|_, error| Failure(error.into()))?.reply,
    };
    runner.rest();
    answer(arguments, &runner.session, &reply, &command(wish))
}

/// Whether nothing was asserted or taken back since.
fn still_holds(asked: &Asked, session: &Session) -> bool {
    let found = || session.found().map(|found| found.moment);
    asked.about.is_same(&About::of(session)) && (asked.found.is_none() || asked.found == found())
}

/// The words that ask a session for a repair.
fn command(wish: Wish) -> String {
    let words = [(wish.guards, " guards"), (wish.wide, " wide"), (wish.all, " all")];
    words.iter().filter(|(is_wished, _)| *is_wished).fold("repair".into(), |text, (_, word)| text + word)
}

/// Asks for a repair; what is no answer to that becomes a failure.
fn ask(
    runner: &mut Runner,
    text: &str,
    wish: Wish,
    failure: &dyn Fn(&Runner, &str) -> Failure,
) -> Result<Asked, Trouble> {
    let address = |session: &Session| session.found().map(std::ptr::from_ref);
    let before = address(&runner.session);
    let outcome = runner.ask(text)?;
    let is_new = address(&runner.session) != before;
    match Reply::of(&outcome, runner.is_time_up()) {
        Ok(reply) => {
            let found = runner.session.found().filter(|_| is_new).map(|found| found.moment);
            Ok(Asked { reply, wish, about: About::of(&runner.session), found })
        }
        Err(sentence) => Err(failure(runner, &sentence).into()),
    }
}

/// What comes after a repair that was not found would mean something else.
fn tell_of_end(runner: &Runner, line: &Line, lines: &[Line]) {
    if lines.last().is_some_and(|last| !std::ptr::eq(last, line)) {
        runner.note(line, "found no repair, so the script ends here");
    }
}

/// Tells what was found and writes the file that was asked for.
fn answer(arguments: &RepairArguments, session: &Session, reply: &Reply, asked: &str) -> Result<Answer, Trouble> {
    let found = session.found().filter(|_| reply.verdict == VerdictKind::Repaired);
    let written = match (&arguments.output, found) {
        (Some(file), Some(found)) => {
            let text = &found.repaired.candidates[found.chosen].candidate.patched.text;
            let failure = |error| Failure(format!("{} cannot be written: {error}", file.display()));
            std::fs::write(file, text).map_err(failure)?;
            true
        }
        _ => false,
    };
    let path = path_in_diff(&arguments.target.file);
    let mut out = std::io::stdout().lock();
    match arguments.format {
        Format::Json => writeln!(out, "{:#}", json::answer(session, found, reply, &path))?,
        Format::Text => match found {
            Some(found) => out.write_all(text::found(session, found, asked, arguments.all).as_bytes())?,
            None => writeln!(out, "{}", reply.sentence)?,
        },
        // Only the diff goes to the output.
        Format::Diff => match found {
            Some(found) => {
                eprint!("{}", text::warnings(session, found, asked));
                out.write_all(&found.repaired.candidates[found.chosen].candidate.patched.diff_bytes(&path))?;
            }
            None => eprintln!("{}", reply.sentence),
        },
    }
    match &arguments.output {
        Some(file) if written && arguments.format == Format::Text => writeln!(out, "written to {}", file.display())?,
        Some(file) if !written => eprintln!("note: {} is not written, as nothing was repaired", file.display()),
        _ => {}
    }
    Ok(match reply.verdict {
        VerdictKind::Repaired | VerdictKind::Meets => Answer::Yes,
        VerdictKind::OutOfTime => Answer::Limit,
        VerdictKind::Contradicts | VerdictKind::Exhausted | VerdictKind::NotModelled => Answer::No,
    })
}

/// The file as `git apply` finds it from here.
fn path_in_diff(file: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let file = file.strip_prefix(&here).unwrap_or(file);
    let is_named = |component: &Component| !matches!(component, Component::CurDir);
    file.components().filter(is_named).collect::<PathBuf>().display().to_string()
}
