//! `wolverine ir`: prints guarded statements.

use std::path::PathBuf;

use super::{Answer, Failure, Outcome, report};

#[derive(clap::Args)]
pub(super) struct IrArguments {
    /// The C file
    file: PathBuf,
    /// Only this function
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
}

pub(super) fn run(arguments: &IrArguments) -> Outcome {
    let program = report::load(&arguments.file)?;
    match &arguments.function {
        None => print!("{}", ir::print(&program)),
        Some(name) => {
            let id = program.function_named(name).ok_or_else(|| Failure(no_function(&program, name)))?;
            let mut text = String::new();
            ir::print_function(&program, program.function(id), &mut text);
            print!("{text}");
        }
    }
    Ok(Answer::Yes)
}

/// Names what there is instead.
pub(super) fn no_function(program: &ir::Program, name: &str) -> String {
    let names: Vec<&str> = program.functions.iter().filter(|f| !f.span.is_empty()).map(|f| &*f.name).collect();
    format!("no function `{name}` in {}; there are {}", program.source.path.display(), names.join(", "))
}
