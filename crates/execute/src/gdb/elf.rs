//! What the built program file says: sections, symbols and debug information.

use std::collections::HashMap;
use std::ops::Range;

use gimli::{EndianSlice, LittleEndian};
use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind};

/// Bytes of a section.
pub type Reader<'a> = EndianSlice<'a, LittleEndian>;
/// Debug information.
pub type Dwarf<'a> = gimli::Dwarf<Reader<'a>>;
/// Debug information of one C file.
pub type Unit<'a> = gimli::Unit<Reader<'a>>;

/// Sections and symbols of a program file.
#[derive(Clone, Debug, Default)]
pub struct Elf {
    sections: Vec<Section>,
    functions: HashMap<u64, String>,
    objects: HashMap<String, (u64, u64)>,
    /// Names of the functions it takes from libraries.
    pub imports: Vec<String>,
}

/// A part of the program's memory that comes from its file.
#[derive(Clone, Debug)]
struct Section {
    range: Range<u64>,
    kind: SectionKind,
    bytes: Vec<u8>,
}

/// What a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// Instructions.
    Code,
    /// Constants.
    Constant,
    /// Variables.
    Data,
}

impl Elf {
    /// Reads sections and symbols.
    pub fn read(file: &object::File<'_>) -> Elf {
        let mut elf = Elf::default();
        elf.sections.extend(file.sections().filter_map(|section| read_section(&section)));
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            elf.add_symbol(&symbol);
        }
        elf
    }

    fn add_symbol<'a>(&mut self, symbol: &impl ObjectSymbol<'a>) {
        let Ok(name) = symbol.name() else { return };
        let plain = name.split('@').next().unwrap_or(name);
        let plain = plain.strip_prefix("__wrap_").unwrap_or(plain);
        match symbol.kind() {
            // Functions of libraries have an address here when the program takes it.
            SymbolKind::Text | SymbolKind::Unknown if symbol.is_undefined() => {
                self.imports.push(plain.to_string());
                if symbol.address() != 0 {
                    self.functions.insert(symbol.address(), plain.to_string());
                }
            }
            SymbolKind::Text => drop(self.functions.insert(symbol.address(), plain.to_string())),
            SymbolKind::Data if symbol.address() != 0 => {
                self.objects.insert(plain.to_string(), (symbol.address(), symbol.size()));
            }
            _ => {}
        }
    }

    /// The kind of section that an address is in.
    pub fn kind_at(&self, address: u64) -> Option<SectionKind> {
        self.section_at(address).map(|section| section.kind)
    }

    fn section_at(&self, address: u64) -> Option<&Section> {
        self.sections.iter().find(|section| section.range.contains(&address))
    }

    /// The bytes of the file from `start` up to `end`, of one section.
    pub fn bytes(&self, start: u64, end: u64) -> &[u8] {
        let Some(section) = self.section_at(start) else { return &[] };
        let first = (start - section.range.start) as usize;
        let last = (end.saturating_sub(section.range.start) as usize).min(section.bytes.len());
        section.bytes.get(first..last).unwrap_or(&[])
    }

    /// Constant text that begins at `address`, without its NUL.
    pub fn text_at(&self, address: u64) -> Vec<u8> {
        let Some(section) = self.section_at(address) else { return Vec::new() };
        let bytes = self.bytes(address, section.range.end);
        bytes.iter().take_while(|&&byte| byte != 0).copied().collect()
    }

    /// The function that begins at `address`.
    pub fn function_at(&self, address: u64) -> Option<&str> {
        self.functions.get(&address).map(String::as_str)
    }

    /// The address of a function.
    pub fn function_named(&self, name: &str) -> Option<u64> {
        self.functions.iter().find(|(_, found)| *found == name).map(|(address, _)| *address)
    }

    /// Address and size of a global variable.
    pub fn object(&self, name: &str) -> Option<(u64, u64)> {
        self.objects.get(name).copied()
    }
}

fn read_section<'a>(section: &impl ObjectSection<'a>) -> Option<Section> {
    let SectionFlags::Elf { sh_flags, .. } = section.flags() else { return None };
    let (writable, allocated, executable) = (sh_flags.0 & 1 != 0, sh_flags.0 & 2 != 0, sh_flags.0 & 4 != 0);
    let kind = match (writable, executable) {
        _ if !allocated => return None,
        (_, true) => SectionKind::Code,
        (true, _) => SectionKind::Data,
        _ => SectionKind::Constant,
    };
    let range = section.address()..section.address() + section.size();
    let bytes = section.data().unwrap_or_default().to_vec();
    Some(Section { range, kind, bytes })
}

/// The debug information of a program file.
pub fn dwarf_of<'a>(file: &object::File<'a>) -> Result<Dwarf<'a>, gimli::Error> {
    let load = |id: gimli::SectionId| -> Result<Reader<'a>, gimli::Error> {
        let section = file.section_by_name(id.name());
        let data = section.and_then(|section| section.data().ok()).unwrap_or_default();
        Ok(EndianSlice::new(data, LittleEndian))
    };
    gimli::Dwarf::load(load)
}

/// The unit of the C file called `name`.
pub fn unit_named<'a>(dwarf: &Dwarf<'a>, name: &str) -> Result<Option<Unit<'a>>, gimli::Error> {
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let unit_name = unit.name.map(|unit_name| unit_name.to_string_lossy().into_owned());
        if unit_name.is_some_and(|unit_name| unit_name.rsplit('/').next() == Some(name)) {
            return Ok(Some(unit));
        }
    }
    Ok(None)
}
