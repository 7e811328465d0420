//! Where variables live, from the debug information.
//!
//! Without optimisation every variable has one place: a fixed address, or a
//! distance from its frame's `rbp`. Variable length arrays are found through a
//! pointer in the frame.

use gimli::{AttributeValue, DW_AT_abstract_origin, DW_AT_count, DW_AT_decl_column, DW_AT_decl_line};
use gimli::{DW_AT_frame_base, DW_AT_location, DW_AT_name, DW_AT_specification, DW_AT_type, DW_AT_upper_bound};
use gimli::{DW_TAG_array_type, DW_TAG_subrange_type};
use gimli::{Operation, Register};
use ir::{FunctionId, Program};

use super::elf::{Dwarf, Elf, Reader, Unit};
use super::lines::CodeRange;

type Entry<'a, 'u> = gimli::DebuggingInformationEntry<'u, 'u, Reader<'a>>;

/// Where a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// At an address.
    Fixed(u64),
    /// At this distance from `rbp`.
    Frame(i64),
    /// Where the pointer at this distance from `rbp` points to.
    Behind {
        /// Distance of the pointer.
        pointer: i64,
        /// The number of elements in each dimension; empty if it is not known.
        counts: Vec<Count>,
    },
}

/// The number of elements of one dimension of a variable length array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Always the same.
    Constant(u64),
    /// In memory.
    Cell {
        /// Distance from `rbp` of the cell that holds it.
        cell: i64,
        /// Added to what the cell holds.
        plus: u64,
    },
}

/// Code and variables of a program.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// The functions by address.
    pub code: Vec<CodeRange>,
    /// For each function and each of its named locals.
    pub locals: Vec<Vec<Option<Place>>>,
    /// For each global of the layout: address and size.
    pub globals: Vec<Option<u64>>,
}

/// A variable as the debug information describes it.
struct Described {
    name: String,
    line: u64,
    column: Option<u64>,
    place: Option<Place>,
    function: Option<FunctionId>,
    taken: bool,
}

/// Reads where functions and variables are.
pub fn read_variables(
    program: &Program,
    dwarf: &Dwarf<'_>,
    unit: &Unit<'_>,
    elf: &Elf,
) -> Result<Variables, gimli::Error> {
    let mut survey = Survey { program, dwarf, unit, code: Vec::new(), described: Vec::new(), scopes: Vec::new() };
    survey.walk()?;
    let Survey { mut code, mut described, .. } = survey;
    code.sort_by_key(|range| range.low);
    let mut place_of = |name: &str, span: c_syntax::Span, function: Option<FunctionId>| {
        let (line, column) = program.source.line_column(span.start);
        let found = closest(&mut described, name, (line.into(), column.into()), function)?;
        found.taken = true;
        found.place.clone()
    };
    let globals = program.globals.iter().filter(|global| !global.external);
    let globals = globals.map(|global| {
        let described = match place_of(&global.name, global.span, global.owner) {
            Some(Place::Fixed(address)) => Some(address),
            _ => None,
        };
        described.or_else(|| global.owner.is_none().then(|| elf.object(&global.name).map(|found| found.0))?)
    });
    let globals = globals.collect();
    let mut locals = Vec::new();
    for (i, function) in program.functions.iter().enumerate() {
        let own = function.locals[..function.named].iter();
        locals.push(own.map(|local| place_of(&local.name, local.span, Some(FunctionId(i as u32)))).collect());
    }
    Ok(Variables { code, locals, globals })
}

/// The variable of that name declared at that line, at that column where the
/// compiler tells; failing that, any of that name. Of several the first: they
/// are asked for in the order of their declarations.
fn closest<'d>(
    described: &'d mut [Described],
    name: &str,
    (line, column): (u64, u64),
    function: Option<FunctionId>,
) -> Option<&'d mut Described> {
    let candidates = described.iter_mut().filter(|d| d.name == name && d.function == function && !d.taken);
    candidates.min_by_key(|d| (d.place.is_none(), d.line != line, d.column != Some(column)))
}

struct Survey<'a, 'u> {
    program: &'u Program,
    dwarf: &'u Dwarf<'a>,
    unit: &'u Unit<'a>,
    code: Vec<CodeRange>,
    described: Vec<Described>,
    /// The enclosing functions with their depth and the distance of their frame base from `rbp`.
    scopes: Vec<(isize, Option<FunctionId>, i64)>,
}

impl<'a, 'u> Survey<'a, 'u> {
    fn walk(&mut self) -> Result<(), gimli::Error> {
        let unit = self.unit;
        let mut entries = unit.entries();
        let mut depth = 0;
        while let Some((delta, entry)) = entries.next_dfs()? {
            depth += delta;
            while self.scopes.last().is_some_and(|scope| scope.0 >= depth) {
                self.scopes.pop();
            }
            match entry.tag() {
                gimli::DW_TAG_subprogram => self.function(entry, depth)?,
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => self.variable(entry)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn function(&mut self, entry: &Entry<'a, '_>, depth: isize) -> Result<(), gimli::Error> {
        let name = self.name(entry)?;
        let function = name.and_then(|name| self.program.function_named(&name));
        let mut ranges = self.dwarf.die_ranges(self.unit, entry)?;
        while let (Some(function), Some(range)) = (function, ranges.next()?) {
            self.code.push(CodeRange { low: range.begin, high: range.end, function });
        }
        let base = match entry.attr_value(DW_AT_frame_base)? {
            Some(AttributeValue::Exprloc(expression)) => self.frame_base(expression)?,
            _ => 16,
        };
        self.scopes.push((depth, function, base));
        Ok(())
    }

    /// The frame base is the address before the return address (gcc) or `rbp` itself (clang).
    fn frame_base(&self, expression: gimli::Expression<Reader<'a>>) -> Result<i64, gimli::Error> {
        Ok(match self.operations(expression)?.as_slice() {
            [Operation::Register { register: Register(6) }] => 0,
            [Operation::RegisterOffset { register: Register(6), offset, .. }] => *offset,
            _ => 16,
        })
    }

    fn operations(
        &self,
        expression: gimli::Expression<Reader<'a>>,
    ) -> Result<Vec<Operation<Reader<'a>>>, gimli::Error> {
        let mut iterator = expression.operations(self.unit.encoding());
        let mut operations = Vec::new();
        while let Some(operation) = iterator.next()? {
            operations.push(operation);
        }
        Ok(operations)
    }

    fn variable(&mut self, entry: &Entry<'a, '_>) -> Result<(), gimli::Error> {
        let Some(name) = self.name(entry)? else { return Ok(()) };
        let number = |value: Option<AttributeValue<Reader<'a>>>| value.and_then(|value| value.udata_value());
        let declared = self.origin(entry)?;
        let declared = declared.as_ref().unwrap_or(entry);
        let line = number(declared.attr_value(DW_AT_decl_line)?).unwrap_or(0);
        let column = number(declared.attr_value(DW_AT_decl_column)?);
        let mut place = self.place(entry)?;
        if let (Some(Place::Behind { counts, .. }), Some(ty)) = (&mut place, self.entry_of(entry, DW_AT_type)?) {
            *counts = self.counts(&ty)?.unwrap_or_default();
        }
        let function = self.scopes.last().and_then(|scope| scope.1);
        self.described.push(Described { name, line, column, place, function, taken: false });
        Ok(())
    }

    fn name(&self, entry: &Entry<'a, '_>) -> Result<Option<String>, gimli::Error> {
        let own = entry.attr_value(DW_AT_name)?;
        let named = match own {
            None => self.origin(entry)?.and_then(|origin| origin.attr_value(DW_AT_name).ok().flatten()),
            own => own,
        };
        let Some(value) = named else { return Ok(None) };
        Ok(Some(self.dwarf.attr_string(self.unit, value)?.to_string_lossy().into_owned()))
    }

    /// The declaration that a definition refers to.
    fn origin(&self, entry: &Entry<'a, '_>) -> Result<Option<Entry<'a, 'u>>, gimli::Error> {
        match self.entry_of(entry, DW_AT_specification)? {
            None => self.entry_of(entry, DW_AT_abstract_origin),
            found => Ok(found),
        }
    }

    fn entry_of(&self, entry: &Entry<'a, '_>, attribute: gimli::DwAt) -> Result<Option<Entry<'a, 'u>>, gimli::Error> {
        match entry.attr_value(attribute)? {
            Some(AttributeValue::UnitRef(offset)) => self.unit.entry(offset).map(Some),
            _ => Ok(None),
        }
    }

    fn place(&self, entry: &Entry<'a, '_>) -> Result<Option<Place>, gimli::Error> {
        let Some(value) = entry.attr_value(DW_AT_location)? else { return Ok(None) };
        if let AttributeValue::Exprloc(expression) = value {
            return self.place_of(expression);
        }
        // clang lists where the address of a variable length array is at which
        // instruction; the one in the frame holds for all of them.
        let Some(mut list) = self.dwarf.attr_locations(self.unit, value)? else { return Ok(None) };
        while let Some(location) = list.next()? {
            if let Some(place) = self.place_of(location.data)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    fn place_of(&self, expression: gimli::Expression<Reader<'a>>) -> Result<Option<Place>, gimli::Error> {
        let base = self.scopes.last().map_or(16, |scope| scope.2);
        Ok(match self.operations(expression)?.as_slice() {
            [Operation::Address { address }] => Some(Place::Fixed(*address)),
            [Operation::AddressIndex { index }] => Some(Place::Fixed(self.dwarf.address(self.unit, *index)?)),
            [Operation::FrameOffset { offset }] => Some(Place::Frame(offset + base)),
            [Operation::RegisterOffset { register: Register(6), offset, .. }] => Some(Place::Frame(*offset)),
            [Operation::FrameOffset { offset }, Operation::Deref { .. }] => {
                Some(Place::Behind { pointer: offset + base, counts: Vec::new() })
            }
            [Operation::RegisterOffset { register: Register(6), offset, .. }, Operation::Deref { .. }] => {
                Some(Place::Behind { pointer: *offset, counts: Vec::new() })
            }
            _ => None,
        })
    }

    /// The number of elements of each dimension of an array type.
    fn counts(&self, ty: &Entry<'a, '_>) -> Result<Option<Vec<Count>>, gimli::Error> {
        if ty.tag() != DW_TAG_array_type {
            return Ok(None);
        }
        let mut tree = self.unit.entries_tree(Some(ty.offset()))?;
        let mut children = tree.root()?.children();
        let mut counts = Vec::new();
        while let Some(child) = children.next()? {
            if child.entry().tag() == DW_TAG_subrange_type {
                counts.push(self.count(child.entry())?);
            }
        }
        Ok(counts.into_iter().collect())
    }

    /// gcc gives the last index as an expression, clang the number of elements as a variable.
    fn count(&self, range: &Entry<'a, '_>) -> Result<Option<Count>, gimli::Error> {
        if let Some(AttributeValue::Exprloc(expression)) = range.attr_value(DW_AT_upper_bound)? {
            return Ok(match self.place_of(expression)? {
                Some(Place::Behind { pointer, .. }) => Some(Count::Cell { cell: pointer, plus: 1 }),
                _ => None,
            });
        }
        if let Some(variable) = self.entry_of(range, DW_AT_count)? {
            return Ok(match self.place(&variable)? {
                Some(Place::Frame(cell)) => Some(Count::Cell { cell, plus: 0 }),
                _ => None,
            });
        }
        let number = |value: Option<AttributeValue<Reader<'a>>>| value.and_then(|value| value.udata_value());
        let last = number(range.attr_value(DW_AT_upper_bound)?).map(|last| last.wrapping_add(1));
        Ok(last.or(number(range.attr_value(DW_AT_count)?)).map(Count::Constant))
    }
}
