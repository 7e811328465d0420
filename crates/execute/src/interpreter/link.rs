//! Gives addresses to globals, string literals and functions.

use std::collections::HashMap;

use ir::{FunctionRef, GlobalId, Program, TextId};

use super::code::{LibraryEntry, LibraryRun, Special};
use super::compile::Linker;
use super::library;
use super::memory::{Address, Kind, Memory};

/// What has an address, by name: a patched program finds what the first one made.
#[derive(Clone, Debug, Default)]
pub struct Links {
    globals: HashMap<(String, Option<u32>), Address>,
    texts: HashMap<Vec<u8>, Address>,
    functions: HashMap<FunctionRef, Address>,
    libraries: HashMap<String, u32>,
    /// The library functions that the program mentions.
    pub entries: Vec<LibraryEntry>,
    /// The streams.
    pub streams: [Address; 3],
}

impl Links {
    /// The address of a global variable of the file.
    pub fn global_named(&self, name: &str) -> Option<Address> {
        self.globals.get(&(format!("{name}@0"), None)).copied()
    }
}

/// Links with a memory at hand to put things in.
pub struct Linking<'a> {
    pub links: &'a mut Links,
    pub memory: &'a mut Memory,
}

impl Linking<'_> {
    /// Creates all globals, then fills in their bytes.
    pub fn create_globals(&mut self, program: &Program) {
        let stream = |this: &mut Self| this.memory.create(0, Kind::Outside).unwrap_or(0);
        self.links.streams = [stream(self), stream(self), stream(self)];
        let addresses: Vec<Address> =
            (0..program.globals.len()).map(|i| self.global(program, GlobalId(i as u32))).collect();
        for (global, address) in program.globals.iter().zip(addresses) {
            if global.external {
                continue;
            }
            let mut image = global.image.clone();
            for relocation in &global.relocations {
                let target = self.target(program, &relocation.target).wrapping_add(relocation.addend as u64);
                let at = relocation.offset as usize;
                if let Some(room) = image.get_mut(at..at + 8) {
                    room.copy_from_slice(&target.to_le_bytes());
                }
            }
            // The object was made with the size of this image, so it fits.
            let _ = self.memory.write(address, &image);
        }
    }

    fn external(&mut self, program: &Program, id: GlobalId) -> Address {
        let global = &program.globals[id.index()];
        let [stdin, stdout, stderr] = self.links.streams;
        let value = match &*global.name {
            "stdin" => stdin,
            "stdout" => stdout,
            "stderr" => stderr,
            _ => 0,
        };
        self.memory.create_with(&value.to_le_bytes(), Kind::Outside).unwrap_or(0)
    }
}

impl Linker for Linking<'_> {
    fn global(&mut self, program: &Program, id: GlobalId) -> Address {
        let global = &program.globals[id.index()];
        // Static locals of one function may have the same name.
        let is_same = |other: &&ir::Global| other.name == global.name && other.owner == global.owner;
        let before = program.globals[..id.index()].iter().filter(is_same).count();
        let key = (format!("{}@{before}", global.name), global.owner.map(|f| f.0));
        if let Some(&address) = self.links.globals.get(&key) {
            return address;
        }
        let address = match global.external {
            true => self.external(program, id),
            false => self.memory.create_with(&global.image, Kind::Global(id.0)).unwrap_or(0),
        };
        self.links.globals.insert(key, address);
        address
    }

    fn text(&mut self, program: &Program, id: TextId) -> Address {
        let bytes = &program.texts[id.index()];
        if let Some(&address) = self.links.texts.get(bytes) {
            return address;
        }
        // Wide literals end with a wide NUL.
        let mut with_end = bytes.clone();
        with_end.extend([0; 4]);
        let address = self.memory.create_with(&with_end[..bytes.len() + 1], Kind::Text).unwrap_or(0);
        self.links.texts.insert(bytes.clone(), address);
        address
    }

    fn function(&mut self, function: &FunctionRef) -> Address {
        if let Some(&address) = self.links.functions.get(function) {
            return address;
        }
        let kind = match function {
            FunctionRef::Own(id) => Kind::Function(id.0),
            FunctionRef::Library(name) => Kind::Library(self.library(name)),
        };
        let address = self.memory.create(0, kind).unwrap_or(0);
        self.links.functions.insert(function.clone(), address);
        address
    }

    fn library(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.links.libraries.get(name) {
            return number;
        }
        let number = self.links.entries.len() as u32;
        self.links.entries.push(LibraryEntry { name: name.to_string(), run: find(name) });
        self.links.libraries.insert(name.to_string(), number);
        number
    }
}

fn find(name: &str) -> LibraryRun {
    let special = match name {
        "qsort" => Special::Sort,
        "bsearch" => Special::Search,
        "atexit" => Special::AtExit,
        "__builtin_va_start" => Special::VaStart,
        "va_arg" => Special::VaArg,
        "__builtin_va_copy" => Special::VaCopy,
        "__builtin_va_end" | "__builtin_unreachable" | "__builtin_constant_p" => Special::Nothing,
        _ => return library::find(name).map_or(LibraryRun::Unknown, LibraryRun::Plain),
    };
    LibraryRun::Special(special)
}
