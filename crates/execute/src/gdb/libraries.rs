//! Names of library functions by address, for function pointers.

use std::cell::RefCell;
use std::collections::HashMap;

use object::{Object, ObjectSymbol, SymbolKind};

use super::process::Mapping;

/// The functions of each library that was asked for, by offset in the library.
#[derive(Debug, Default)]
pub struct Libraries {
    known: RefCell<HashMap<String, HashMap<u64, String>>>,
}

impl Libraries {
    /// The function that begins at `address`, which is in `mapping`.
    pub fn function_at(&self, mappings: &[Mapping], mapping: &Mapping, address: u64) -> Option<String> {
        if !mapping.executable || !mapping.name.starts_with('/') {
            return None;
        }
        let first = mappings.iter().find(|other| other.name == mapping.name && other.offset == 0)?;
        let mut known = self.known.borrow_mut();
        let functions = known.entry(mapping.name.clone()).or_insert_with(|| read_functions(&mapping.name));
        functions.get(&address.checked_sub(first.range.start)?).cloned()
    }
}

fn read_functions(path: &str) -> HashMap<u64, String> {
    let Ok(bytes) = std::fs::read(path) else { return HashMap::new() };
    let Ok(file) = object::File::parse(&*bytes) else { return HashMap::new() };
    let mut functions: HashMap<u64, String> = HashMap::new();
    for symbol in file.dynamic_symbols() {
        let is_function = symbol.kind() == SymbolKind::Text && symbol.address() != 0;
        let Some(name) = symbol.name().ok().filter(|_| is_function) else { continue };
        // Of several names for a function the plain one is the one people use.
        let plain = functions.entry(symbol.address()).or_insert_with(|| name.to_string());
        if plain.starts_with('_') && !name.starts_with('_') {
            *plain = name.to_string();
        }
    }
    functions
}
