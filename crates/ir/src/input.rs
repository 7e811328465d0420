//! Which source statements read input.

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
    let graphs: Vec<Graph<'_>> = program.functions.iter().map(Graph::new).collect();
    let steps = graphs.iter().flat_map(Graph::actions).filter_map(reading_step);
    // Calls outside of all steps have a number that none has.
    steps.filter(|step| step.index() < program.steps.len()).collect()
}

fn reading_step(action: &ActionKind) -> Option<StepId> {
    match action {
        ActionKind::Call { callee: Callee::Direct(FunctionRef::Library(name)), step, .. } => {
            READERS.contains(&&**name).then_some(*step)
        }
        _ => None,
    }
}
