//! Which instructions belong to which source statement.
//!
//! The line table of the debug information gives lines and columns, so several
//! statements on a line can be told apart: a row belongs to the step of its
//! function whose region its place is in. Each step starts at exactly one
//! address, so that it is met once each time it runs.

use std::collections::HashMap;
use std::path::PathBuf;

use gimli::ColumnType;
use ir::{Code, FunctionId, Loop, Program, StepId, StepKind};

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
            match first_work(code) {
                Some(at) => drop(self.starts[step.index()].get_or_insert(address + at)),
                None if code.is_empty() => {}
                None => drop(idle[step.index()].get_or_insert(address)),
            }
        }
        for i in 0..self.starts.len() {
            // A condition that is only a jump was decided by the compiler.
            let may_be_idle = !matches!(program.steps[i].kind, StepKind::Loop | StepKind::If | StepKind::Switch);
            if let (None, Some(first), true) = (self.starts[i], idle[i], may_be_idle) {
                self.starts[i] = Some(self.follow_jumps(first, StepId(i as u32), elf));
            }
        }
    }

    /// A step that is only jumps, such as `return;`, may have several, which
    /// lead to the same last one.
    fn follow_jumps(&self, first: u64, step: StepId, elf: &Elf) -> u64 {
        let mut at = first;
        // Each row is met once at most, unless the jumps go round.
        for _ in 0..self.rows.len() {
            let is_own = |target: &u64| self.rows.binary_search(&(*target, Some(step))).is_ok();
            match jump_target(at, elf.bytes(at, at + 5)).filter(is_own) {
                Some(target) => at = target,
                None => break,
            }
        }
        at
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

    /// The first address of the function whose code an address is in.
    pub fn start_of_function(&self, address: u64) -> Option<u64> {
        self.range_at(address).map(|range| range.low)
    }

    fn range_at(&self, address: u64) -> Option<CodeRange> {
        let after = self.functions.partition_point(|range| range.low <= address);
        let range = *self.functions.get(after.checked_sub(1)?)?;
        (address < range.high).then_some(range)
    }
}

/// Where code begins to do something: after instructions that do nothing or
/// jump to the next one, which some ways to it leave out. `None` if all it
/// does is to jump.
fn first_work(code: &[u8]) -> Option<u64> {
    let mut rest = code;
    loop {
        match rest {
            [0x90, after @ ..] | [0xeb, 0, after @ ..] | [0xe9, 0, 0, 0, 0, after @ ..] => rest = after,
            [] | [0xeb, _] | [0xe9, _, _, _, _] => return None,
            _ => return Some((code.len() - rest.len()) as u64),
        }
    }
}

/// Where a direct jump at `address` leads to.
fn jump_target(address: u64, code: &[u8]) -> Option<u64> {
    let (length, distance) = match *code {
        [0xeb, near, ..] => (2, i64::from(near as i8)),
        [0xe9, a, b, c, d] => (5, i64::from(i32::from_le_bytes([a, b, c, d]))),
        _ => return None,
    };
    Some((address + length).wrapping_add_signed(distance))
}

/// Finds steps by their place in the text.
struct StepFinder<'a> {
    program: &'a Program,
    /// The steps of each function.
    steps: Vec<Vec<StepId>>,
    /// Where loops begin, and their conditions.
    loops: HashMap<u32, StepId>,
}

impl<'a> StepFinder<'a> {
    fn new(program: &'a Program) -> Self {
        let mut steps = vec![Vec::new(); program.functions.len()];
        for (i, step) in program.steps.iter().enumerate() {
            steps[step.function.index()].push(StepId(i as u32));
        }
        let mut loops = HashMap::new();
        for function in &program.functions {
            note_loops(program, &function.body, &mut loops);
        }
        StepFinder { program, steps, loops }
    }

    /// The step of `function` with the smallest region around a place. A place
    /// in none may be that of a loop.
    fn find(&self, function: FunctionId, (line, column): (u32, u32)) -> Option<StepId> {
        let offset = self.program.source.offset(line, column)?;
        let region = |step: &StepId| self.program.step(*step).region;
        let around = self.steps[function.index()].iter().filter(|step| region(step).contains(offset));
        let found = around.min_by_key(|step| region(step).len()).copied();
        found.or_else(|| self.loops.get(&offset).copied())
    }
}

/// Where clang says that a loop's condition is when it is just a variable: at
/// the keyword of `for`, at the closing brace before the `while` of `do`.
fn loop_place(program: &Program, inner: &Loop, step: StepId) -> u32 {
    if !inner.body_first {
        return inner.span.start;
    }
    let start = program.step(step).region.start;
    let before = program.source.bytes.get(..start as usize).unwrap_or_default();
    let brace = before.iter().rposition(|byte| !byte.is_ascii_whitespace());
    brace.filter(|&brace| before[brace] == b'}').map_or(start, |brace| brace as u32)
}

fn note_loops(program: &Program, code: &[Code], loops: &mut HashMap<u32, StepId>) {
    for item in code {
        match item {
            Code::If { then, otherwise, .. } => {
                note_loops(program, then, loops);
                note_loops(program, otherwise, loops);
            }
            Code::Switch { body, .. } => note_loops(program, body, loops),
            Code::Loop(inner) => {
                if let Some(step) = inner.step {
                    loops.insert(loop_place(program, inner, step), step);
                }
                note_loops(program, &inner.body, loops);
            }
            _ => {}
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_begins_after_what_does_nothing() {
        assert_eq!(first_work(&[0x90, 0xc9, 0xc3]), Some(1));
        assert_eq!(first_work(&[0x55]), Some(0));
        assert_eq!(first_work(&[0x90]), None);
        assert_eq!(first_work(&[0xeb, 0x10]), None);
        assert_eq!(first_work(&[0xeb, 0x10, 0x90]), Some(0));
        assert_eq!(first_work(&[0xe9, 0, 0, 0, 0, 0x55]), Some(5));
    }

    #[test]
    fn jumps_lead_somewhere() {
        assert_eq!(jump_target(0x1000, &[0xeb, 0xfe, 0, 0, 0]), Some(0x1000));
        assert_eq!(jump_target(0x1000, &[0xe9, 0x10, 0, 0, 0]), Some(0x1015));
        assert_eq!(jump_target(0x1000, &[0xc3]), None);
    }
}
