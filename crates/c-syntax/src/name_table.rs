//! What the names of a file stand for that are neither variables nor
//! functions: a debugger's user types them too, though the tree has only
//! their values.

use std::collections::BTreeMap;
use std::sync::Arc;

use c_types::TypeId;

/// Enum constants, names of types, and macros of a file.
#[derive(Clone, Debug, Default)]
pub struct NameTable {
    /// Enum constants, also those of the headers that the file includes.
    pub constants: Scoped<i128>,
    /// Typedefs by their name and enumerations as `enum color`, also those of headers.
    pub types: Scoped<TypeId>,
    /// The macros without parameters that the file itself defines, at its end, and their bodies without comments.
    pub macros: BTreeMap<Arc<str>, String>,
}

/// Names of the file, and names inside of its functions, which hide them.
/// Blocks are not told apart: of two in one function the last one counts.
#[derive(Clone, Debug)]
pub struct Scoped<T> {
    file: BTreeMap<Arc<str>, T>,
    functions: BTreeMap<Arc<str>, BTreeMap<Arc<str>, T>>,
}

impl<T> Default for Scoped<T> {
    fn default() -> Self {
        Scoped { file: BTreeMap::new(), functions: BTreeMap::new() }
    }
}

impl<T: Copy> Scoped<T> {
    /// What `name` stands for inside of `function`.
    pub fn find(&self, function: &str, name: &str) -> Option<T> {
        self.inside(function).and_then(|names| names.get(name)).or_else(|| self.file.get(name)).copied()
    }

    /// The names that have a meaning inside of `function`, its own first.
    pub fn names(&self, function: &str) -> impl Iterator<Item = &str> {
        self.inside(function).into_iter().flat_map(BTreeMap::keys).chain(self.file.keys()).map(|name| &**name)
    }

    /// Gives `name` a meaning, inside of `function` or in the whole file.
    pub(crate) fn define(&mut self, function: Option<Arc<str>>, name: &str, meaning: T) {
        let names = match function {
            Some(function) => self.functions.entry(function).or_default(),
            None => &mut self.file,
        };
        names.insert(name.into(), meaning);
    }

    fn inside(&self, function: &str) -> Option<&BTreeMap<Arc<str>, T>> {
        self.functions.get(function)
    }
}
