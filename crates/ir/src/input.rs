//! Which source statements call certain library functions: those that read
//! input, and those that end the program.

use std::collections::BTreeSet;

use crate::graph::Graph;
use crate::program::*;

/// Library functions that read standard input, or a stream that may be it.
const READERS: &[&str] = &[
    "_IO_getc",
    "fgetc",
    "fgetc_unlocked",
    "fgets",
    "fgets_unlocked",
    "fgetwc",
    "fgetws",
    "fread",
    "fread_unlocked",
    "fscanf",
    "fwscanf",
    "getc",
    "getc_unlocked",
    "getchar",
    "getchar_unlocked",
    "getdelim",
    "getline",
    "gets",
    "getw",
    "getwc",
    "getwchar",
    "read",
    "readv",
    "scanf",
    "vfscanf",
    "vfwscanf",
    "vscanf",
    "vwscanf",
    "wscanf",
];

/// The steps that call a library function by its name which reads standard
/// input, or a stream that may be it.
pub fn reads_input(program: &Program) -> BTreeSet<StepId> {
    steps_calling(program, READERS)
}

/// The steps that a program which ends by itself can end with: the closing
/// brace of `main`, its `return`s, and calls of `exit` by its name.
pub fn ends_program(program: &Program) -> BTreeSet<StepId> {
    let mut steps = steps_calling(program, &["exit", "_exit", "_Exit", "quick_exit"]);
    if let Some(main) = program.function_named("main") {
        let returns = |step: &Step| step.function == main && step.kind == StepKind::Return;
        steps.extend((0..).map(StepId).zip(&program.steps).filter(|(_, step)| returns(step)).map(|(id, _)| id));
        steps.insert(program.function(main).exit);
    }
    steps
}

fn steps_calling(program: &Program, names: &[&str]) -> BTreeSet<StepId> {
    let calling = |action: &ActionKind| match action {
        ActionKind::Call { callee: Callee::Direct(FunctionRef::Library(name)), step, .. } => {
            names.contains(&&**name).then_some(*step)
        }
        _ => None,
    };
    let graphs: Vec<Graph<'_>> = program.functions.iter().map(Graph::new).collect();
    let steps = graphs.iter().flat_map(Graph::actions).filter_map(calling);
    // Calls outside of all steps have a number that none has.
    steps.filter(|step| step.index() < program.steps.len()).collect()
}
