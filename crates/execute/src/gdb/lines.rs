//! Which instructions belong to which source statement.
//!
//! The line table of the debug information gives lines and columns, so several
//! statements on a line can be told apart: a row belongs to the step of its
//! function whose region its place is in. Each step starts at exactly one
//! address, so that it is met once each time it runs.

use std::path::PathBuf;

use gimli::ColumnType;
use ir::{FunctionId, Program, StepId, StepKind};

use super::elf::{Dwarf, Elf, Reader, Unit};

/// The code of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeRange {
    /// Its first address.
    pub low: u64,
    /// Just past its last.
    pub high: u64,
    /// The function.
    pub function: FunctionId,
}

/// The steps of a program as addresses.
#[derive(Clone, Debug, Default)]
pub struct StepMap {
    functions: Vec<CodeRange>,
    /// Where stretches of code begin, by address, and whose they are.
    rows: Vec<(u64, Option<StepId>)>,
    starts: Vec<Option<u64>>,
}

/// A row of the line table.
#[derive(Clone, Copy, Debug)]
struct Row {
    address: u64,
    /// Line and column in the user's file.
    place: Option<(u32, u32)>,
}

impl StepMap {
    /// Reads the line table. `functions` are sorted by address.
    pub fn read(
        program: &Program,
        dwarf: &Dwarf<'_>,
        unit: &Unit<'_>,
        elf: &Elf,
        functions: Vec<CodeRange>,
    ) -> Result<StepMap, gimli::Error> {
        let rows = read_rows(dwarf, unit)?;
        let mut map = StepMap { functions, rows: Vec::new(), starts: vec![None; program.steps.len()] };
        let finder = StepFinder::new(program);
        map.rows = rows
            .iter()
            .map(|row| {
                let function = map.function_at(row.address);
                let step = row.place.zip(function).and_then(|(place, function)| finder.find(function, place));
                (row.address, step)
            })
            .collect();
        map.choose_starts(program, elf);
        Ok(map)
    }

    /// The start of a step is the lowest address of its code that does more
    /// than jump: compilers jump to the condition of a loop, and back from its
    /// end, with the loop's own place.
    fn choose_starts(&mut self, program: &Program, elf: &Elf) {
        let mut idle = vec![None; self.starts.len()];
        let ends = self.rows.iter().skip(1).map(|row| row.0).chain([u64::MAX]);
        for (&(address, step), end) in self.rows.iter().zip(ends) {
            let Some(step) = step else { continue };
            let code = elf.bytes(address, end);
            let chosen = if is_idle(code) { &mut idle[step.index()] } else { &mut self.starts[step.index()] };
            if !code.is_empty() {
                chosen.get_or_insert(address);
            }
        }
        for (i, start) in self.starts.iter_mut().enumerate() {
            // A condition that is only a jump was decided by the compiler.
            if !matches!(program.steps[i].kind, StepKind::Loop | StepKind::If | StepKind::Switch) {
                *start = start.or(idle[i]);
            }
        }
    }

    /// Where a step starts, if it has code.
    pub fn start(&self, step: StepId) -> Option<u64> {
        self.starts[step.index()]
    }

    /// The start addresses of all steps.
    pub fn starts(&self) -> impl Iterator<Item = (StepId, u64)> + '_ {
        let step = |(i, start): (usize, &Option<u64>)| start.map(|start| (StepId(i as u32), start));
        self.starts.iter().enumerate().filter_map(step)
    }

    /// The step that starts at an address.
    pub fn starting_at(&self, address: u64) -> Option<StepId> {
        let step = self.step_at(address)?;
        (self.start(step) == Some(address)).then_some(step)
    }

    /// The step that an instruction belongs to. What compilers add without a
    /// place belongs to what is before it.
    pub fn step_at(&self, address: u64) -> Option<StepId> {
        let range = self.range_at(address)?;
        let after = self.rows.partition_point(|row| row.0 <= address);
        let before = self.rows[..after].iter().rev().take_while(|row| row.0 >= range.low);
        before.filter_map(|row| row.1).next()
    }

    /// The function whose code an address is in.
    pub fn function_at(&self, address: u64) -> Option<FunctionId> {
        self.range_at(address).map(|range| range.function)
    }

    fn range_at(&self, address: u64) -> Option<CodeRange> {
        let after = self.functions.partition_point(|range| range.low <= address);
        let range = *self.functions.get(after.checked_sub(1)?)?;
        (address < range.high).then_some(range)
    }
}

/// Whether code is a lone direct jump or does nothing.
fn is_idle(code: &[u8]) -> bool {
    match code {
        [0xeb, _] | [0xe9, _, _, _, _] => true,
        _ => code.iter().all(|&byte| byte == 0x90),
    }
}

/// Finds steps by their place in the text.
struct StepFinder<'a> {
    program: &'a Program,
    /// The steps of each function.
    steps: Vec<Vec<StepId>>,
}

impl<'a> StepFinder<'a> {
    fn new(program: &'a Program) -> Self {
        let mut steps = vec![Vec::new(); program.functions.len()];
        for (i, step) in program.steps.iter().enumerate() {
            steps[step.function.index()].push(StepId(i as u32));
        }
        StepFinder { program, steps }
    }

    /// The step of `function` with the smallest region around a place.
    fn find(&self, function: FunctionId, (line, column): (u32, u32)) -> Option<StepId> {
        let offset = self.program.source.offset(line, column)?;
        let region = |step: &StepId| self.program.step(*step).region;
        let around = self.steps[function.index()].iter().filter(|step| region(step).contains(offset));
        around.min_by_key(|step| region(step).len()).copied()
    }
}

/// All rows of the unit by address; where several have one address the last counts.
fn read_rows(dwarf: &Dwarf<'_>, unit: &Unit<'_>) -> Result<Vec<Row>, gimli::Error> {
    let Some(line_program) = unit.line_program.clone() else { return Ok(Vec::new()) };
    let own = own_files(dwarf, unit, line_program.header());
    let mut rows: Vec<Row> = Vec::new();
    let mut reader = line_program.rows();
    while let Some((_, row)) = reader.next_row()? {
        let column = match row.column() {
            ColumnType::LeftEdge => None,
            ColumnType::Column(column) => u32::try_from(column.get()).ok(),
        };
        let line = row.line().and_then(|line| u32::try_from(line.get()).ok());
        let is_own = !row.end_sequence() && own.contains(&row.file_index());
        let place = line.zip(column).filter(|_| is_own);
        rows.push(Row { address: row.address(), place });
    }
    rows.sort_by_key(|row| row.address);
    rows.reverse();
    rows.dedup_by_key(|row| row.address);
    rows.reverse();
    Ok(rows)
}

/// The numbers of the unit's own C file in its line table.
fn own_files(dwarf: &Dwarf<'_>, unit: &Unit<'_>, header: &gimli::LineProgramHeader<Reader<'_>>) -> Vec<u64> {
    let path = |text: Reader<'_>| PathBuf::from(text.to_string_lossy().into_owned());
    let home = unit.comp_dir.map(path).unwrap_or_default();
    let own = home.join(unit.name.map(path).unwrap_or_default());
    let full_path = |index: u64| {
        let file = header.file(index)?;
        let directory = file.directory(header).and_then(|value| dwarf.attr_string(unit, value).ok());
        let name = dwarf.attr_string(unit, file.path_name()).ok()?;
        Some(home.join(directory.map(path).unwrap_or_default()).join(path(name)))
    };
    // Version 5 counts from 0, older ones from 1.
    (0..=header.file_names().len() as u64).filter(|&index| full_path(index).as_ref() == Some(&own)).collect()
}
