//! `wolverine serve`: the debug session in a browser; `wolverine demo`: the
//! same with a shipped program and a guided tour.

use std::path::{Path, PathBuf};

use session::{Options, Session};

use super::{Answer, Engine, Failure, Outcome, debug, engine, report};
use crate::doors::page::{self, Settings};

/// The buggy list reversal of the Wolverine paper.
const DEMO: &str = include_str!("../../../../../examples/reverse.c");

#[derive(clap::Args)]
pub(super) struct ServeArguments {
    /// The C file
    file: PathBuf,
    /// What runs it: the real binary under gdb where gdb is installed, else the embedded interpreter
    #[arg(long, value_enum)]
    engine: Option<Engine>,
    /// A file that the program reads as its standard input; without it, the page gives it lines
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    #[command(flatten)]
    page: PageArguments,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

#[derive(clap::Args)]
pub(super) struct DemoArguments {
    #[command(flatten)]
    page: PageArguments,
}

#[derive(clap::Args)]
struct PageArguments {
    /// The port on 127.0.0.1; a free one if not given
    #[arg(long, value_name = "P", default_value_t = 0)]
    port: u16,
    /// Only prints the address, opens no browser
    #[arg(long)]
    no_open: bool,
}

pub(super) fn run(arguments: &ServeArguments) -> Outcome {
    engine::check_readable(arguments.input.as_deref())?;
    let options = Options {
        arguments: arguments.arguments.clone(),
        input: arguments.input.clone(),
        ..Options::new(debug::choose(arguments.engine))
    };
    serve(&arguments.file, options, &arguments.page, false)
}

pub(super) fn demo(arguments: &DemoArguments) -> Outcome {
    let folder = std::env::temp_dir().join(format!("wolverine-demo-{}", std::process::id()));
    let file = folder.join("reverse.c");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(&file, without_answers(DEMO))?;
    let outcome = serve(&file, Options::new(debug::choose(None)), &arguments.page, true);
    // What is left in a folder for temporary files harms nobody.
    let _ = std::fs::remove_dir_all(&folder);
    outcome
}

/// The program without the comments that tell where its faults are.
fn without_answers(text: &str) -> String {
    let line = |line: &str| line.split("//~").next().unwrap_or_default().trim_end().to_string() + "\n";
    let is_comment = |line: &&str| line.trim_start().starts_with("//");
    let code: String = text.lines().filter(|text| !is_comment(text)).map(line).collect();
    format!("// This should turn a doubly linked list around.\n{code}")
}

fn serve(file: &Path, options: Options, page: &PageArguments, tour: bool) -> Outcome {
    let program = report::load(file)?;
    let settings = Settings { port: page.port, open: !page.no_open, tour };
    page::run(Session::new(program, options), &settings).map_err(Failure)?;
    Ok(Answer::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_does_not_tell_where_the_faults_are() {
        let text = without_answers(DEMO);
        assert!(!text.contains("//~"), "{text}");
        assert!(text.contains("\n    while (temp1 != NULL) {\n"), "{text}");
        assert!(text.contains("current = current->prev;\n    }\n}\n"), "{text}");
    }
}
