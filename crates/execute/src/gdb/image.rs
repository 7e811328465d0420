//! The built program: where its statements and variables are.

use std::collections::BTreeSet;
use std::path::Path;

use ir::{Program, StepId};

use super::elf::{Elf, dwarf_of, unit_named};
use super::lines::StepMap;
use super::variables::{Variables, read_variables};
use crate::ExecuteError;

/// A program file, read.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Sections and symbols.
    pub elf: Elf,
    /// Statements by address.
    pub steps: StepMap,
    /// Variables by place.
    pub variables: Variables,
}

impl Image {
    /// Reads the file that a compiler made of `program`.
    pub fn read(program: &Program, path: &Path) -> Result<Image, ExecuteError> {
        let bytes = std::fs::read(path)
            .map_err(|error| ExecuteError::Io { what: format!("reading {}", path.display()), error })?;
        let unreadable = |why: String| ExecuteError::Compile(format!("what the compiler made cannot be read: {why}"));
        let file = object::File::parse(&*bytes).map_err(|error| unreadable(error.to_string()))?;
        Image::interpret(program, &file).map_err(|error| unreadable(error.to_string()))
    }

    fn interpret(program: &Program, file: &object::File<'_>) -> Result<Image, gimli::Error> {
        let elf = Elf::read(file);
        let dwarf = dwarf_of(file)?;
        let name = program.source.path.file_name().map_or("program.c".into(), |name| name.to_string_lossy());
        let Some(unit) = unit_named(&dwarf, &name)? else {
            return Err(gimli::Error::MissingUnitDie);
        };
        let variables = read_variables(program, &dwarf, &unit, &elf)?;
        let steps = StepMap::read(program, &dwarf, &unit, &elf, variables.code.clone())?;
        Ok(Image { elf, steps, variables })
    }

    /// Steps that have no instructions, such as `x;` or a condition that is constant.
    pub fn steps_without_code(&self, program: &Program) -> BTreeSet<StepId> {
        let all = (0..program.steps.len() as u32).map(StepId);
        all.filter(|&step| self.steps.start(step).is_none()).collect()
    }

    /// The size of a global whose type does not tell, such as `int a[]`.
    pub fn object_size(&self, name: &str) -> u64 {
        self.elf.object(name).map_or(0, |(_, size)| size)
    }
}
