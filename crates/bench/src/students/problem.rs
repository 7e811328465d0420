//! A problem: what a right program does, and what is known of the submissions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use encode::{Model, Place, SlotId};
use ir::{FunctionId, StepId};
use serde::Deserialize;

use super::behave::{Behaviour, behave};
use super::inputs::made_up;
use crate::BenchError;
use crate::programs;
use crate::study::Study;
use crate::user::Ended;
use crate::user::watch::Start;

/// What `notes.json` says of a submission.
#[derive(Clone, Debug, Deserialize)]
pub struct Note {
    /// The file.
    pub file: String,
    /// The kind of mistake.
    pub kind: String,
    /// `heap` or `out`.
    pub scope: String,
}

/// A problem.
pub struct Problem {
    /// Its folder.
    pub folder: PathBuf,
    /// The right program with its inputs.
    pub study: Study,
    /// Which local variables are needed where in the right program.
    pub live: ir::Facts,
    /// What the right program does on each input.
    pub right: Vec<Behaviour>,
    /// The submissions.
    pub notes: Vec<Note>,
}

/// Statements that a right program may run.
const LONGEST: u64 = 1_000_000;

/// All problems in these folders.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Problem>, BenchError> {
    let mut folders = BTreeSet::new();
    for path in paths {
        collect(path, &mut folders)?;
    }
    folders.iter().map(|folder| Problem::load(folder)).collect()
}

fn collect(path: &Path, folders: &mut BTreeSet<PathBuf>) -> Result<(), BenchError> {
    if path.join("notes.json").exists() {
        folders.insert(path.to_path_buf());
        return Ok(());
    }
    if !path.exists() {
        return Err(BenchError::NoFolder(path.display().to_string()));
    }
    let failed = |error| BenchError::Io { path: path.display().to_string(), error };
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let inner = entry.map_err(failed)?.path();
        if inner.is_dir() {
            collect(&inner, folders)?;
        }
    }
    Ok(())
}

impl Problem {
    fn load(folder: &Path) -> Result<Problem, BenchError> {
        let reference = folder.join("reference.c");
        let study = match programs::find(std::slice::from_ref(&reference), None)?.first().map(Study::load) {
            Some(study) => study?,
            None => None,
        };
        let mut study = study.ok_or_else(|| BenchError::NoPrograms(reference.display().to_string()))?;
        let one = |arguments: &Vec<String>| {
            let start = Start { arguments, stdin: &study.case.stdin, most: LONGEST };
            behave(&study.model, study.function, &start)
        };
        let mut right = study.case.inputs.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        let (given, held_out) = study.case.inputs.split_at(study.case.seen);
        let ends =
            |arguments: &Vec<String>| one(arguments).ok().filter(|right| matches!(right.ended, Ended::Exited(_)));
        let more = made_up(given, &right[..study.case.seen], held_out, &ends);
        for (arguments, behaviour) in more {
            study.case.inputs.insert(study.case.seen, arguments);
            right.insert(study.case.seen, behaviour);
            study.case.seen += 1;
        }
        let live = ir::facts(&study.model.program);
        Ok(Problem { folder: folder.to_path_buf(), live, right, notes: notes(&folder.join("notes.json"))?, study })
    }

    /// The name of its folder.
    pub fn name(&self) -> String {
        self.folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// What another program does on an input.
    pub fn behave(&self, model: &Model, input: usize) -> Result<Behaviour, BenchError> {
        let case = &self.study.case;
        let most = 10_000 + 20 * self.right[input].steps;
        let start = Start { arguments: &case.inputs[input], stdin: &case.stdin, most };
        let name = &self.study.model.program.function(self.study.function).name;
        let missing = || BenchError::Repair(format!("there is no function {name}"));
        Ok(behave(model, model.program.function_named(name).ok_or_else(missing)?, &start)?)
    }

    /// The first of these inputs on which another program prints something else or ends differently.
    pub fn first_wrong(&self, model: &Model, mut inputs: std::ops::Range<usize>) -> Result<Option<usize>, BenchError> {
        let wrong = |input| match self.behave(model, input) {
            Ok(behaviour) => (!self.right[input].looks_like(&behaviour)).then_some(Ok(input)),
            Err(error) => Some(Err(error)),
        };
        inputs.find_map(wrong).transpose()
    }
}

fn notes(path: &Path) -> Result<Vec<Note>, BenchError> {
    let failed = |error| BenchError::Io { path: path.display().to_string(), error };
    let bytes = std::fs::read(path).map_err(failed)?;
    serde_json::from_slice(&bytes).map_err(|error| failed(error.into()))
}

/// A submission next to the right program.
pub struct Submission {
    /// Its model.
    pub model: Model,
    /// The student's function.
    pub function: FunctionId,
    /// The submission's statement for each of the right program's `main`.
    pub steps: BTreeMap<StepId, StepId>,
    /// What may be changed: everything in the functions that the student wrote.
    pub places: BTreeSet<Place>,
}

impl Submission {
    /// Reads a submission.
    pub fn load(problem: &Problem, file: &str) -> Result<Submission, BenchError> {
        let path = problem.folder.join(file);
        let model = Model::new(Arc::new(ir::load(&path)?));
        let right = &problem.study.model;
        let named = |name: &str| model.program.function_named(name);
        let function = named(&right.program.function(problem.study.function).name);
        let mains = (right.program.function_named("main"), named("main"));
        let (Some(function), (Some(ours), Some(theirs))) = (function, mains) else {
            return Err(BenchError::Repair(format!("{} is not for this problem", path.display())));
        };
        let steps = statements(right, ours).into_iter().zip(statements(&model, theirs)).collect();
        let is_own =
            |id: FunctionId| id == function || right.program.function_named(&model.program.function(id).name).is_none();
        let places = places(&model, &is_own);
        Ok(Submission { model, function, steps, places })
    }
}

/// The statements of a function in the order of the text.
fn statements(model: &Model, function: FunctionId) -> Vec<StepId> {
    let steps = (0..model.program.steps.len() as u32).map(StepId);
    let mut steps: Vec<StepId> = steps.filter(|step| model.program.step(*step).function == function).collect();
    steps.sort_by_key(|step| (model.program.step(*step).span.start, model.program.step(*step).span.end));
    steps
}

/// All places of some functions.
fn places(model: &Model, wanted: &dyn Fn(FunctionId) -> bool) -> BTreeSet<Place> {
    let steps = (0..model.program.steps.len() as u32).map(StepId);
    let steps = steps.filter(|step| wanted(model.program.step(*step).function)).map(Place::Step);
    let slots = (0..model.code.slots.len() as u32).map(SlotId);
    let slots = slots.filter(|slot| wanted(model.code.slots[slot.0 as usize].function)).map(Place::Slot);
    steps.chain(slots).collect()
}
