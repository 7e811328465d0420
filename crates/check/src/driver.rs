//! The driver: C text that calls the entry function with inputs from outside
//! and prints everything that can be seen afterwards.
//!
//! For `int clamp(int x, int *a)` with arrays of two elements it is
//!
//! ```c
//! int wolverine_driver(void) {
//!     int x = __VERIFIER_nondet_int();
//!     int a_cells[2]; a_cells[0] = __VERIFIER_nondet_int(); a_cells[1] = __VERIFIER_nondet_int();
//!     int *a = a_cells;
//!     __VERIFIER_assume(x < 9);
//!     int wolverine_result = clamp(x, a);
//!     printf("result = %lld\n", (long long)wolverine_result);
//!     printf("a[0] = %lld\n", (long long)a_cells[0]); …
//!     return 0;
//! }
//! ```
//!
//! It stands after the user's text, so nothing in that moves. The formula, the
//! interpreter and the real compiler all take the same text, and a reference
//! implementation is called by the same driver: equal output is equal behaviour.

use std::fmt::Write;

use c_syntax::{Function, Storage, Unit};
use c_types::{RecordId, Type, TypeId, Types};

use spec::contract::{ContractError, Resolved, Scope, Sort};

use crate::Options;
use crate::contract::{self, Cells, Part, Shape, shape_of};

/// The name of the driver's function.
pub(crate) const DRIVER: &str = "wolverine_driver";

/// Arrays with more elements than this are not shown element by element.
const MOST_SHOWN: u64 = 64;

/// An input that the driver makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its name: `x`, `a[1]`, `head->value`.
    pub name: String,
    /// Its type, as C text.
    pub ty: String,
}

/// The driver's text, and the inputs that it asks for, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Driver {
    pub(crate) text: String,
    pub(crate) given: Vec<Given>,
    /// The clauses of the contract that parts of it stand for.
    pub(crate) parts: Vec<Part>,
}

/// Why there is no driver.
pub(crate) enum NoDriver {
    Input(NoInput),
    Contract(ContractError),
}

impl From<NoInput> for NoDriver {
    fn from(error: NoInput) -> Self {
        NoDriver::Input(error)
    }
}

impl From<ContractError> for NoDriver {
    fn from(error: ContractError) -> Self {
        NoDriver::Contract(error)
    }
}

/// A parameter that cannot be made up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{name}` has the type `{ty}`, for which no inputs can be made up; write a function that takes integers, arrays, strings, lists or trees of integers and calls yours, and give it with --entry"
)]
pub struct NoInput {
    /// The parameter.
    pub name: String,
    /// Its type.
    pub ty: String,
}

struct Writer<'a> {
    unit: &'a Unit,
    types: &'a Types,
    options: &'a Options,
    /// Functions that show lists and trees.
    helpers: String,
    shown: Vec<RecordId>,
    /// Declarations and the making of inputs.
    make: String,
    /// What is printed at the end.
    show: String,
    given: Vec<Given>,
    /// The contract, and the scope of its names.
    contract: Option<(&'a Resolved, Scope<'a>)>,
    /// The arrays that parameters point to.
    cells: Vec<Cells>,
    /// How many cells there must be, as C conditions.
    bounds: String,
    /// Arrays that end after the last cell that is required: what says so, and what takes it back.
    narrow: (String, String),
}

/// The driver for a function, and what it needs of a contract.
pub(crate) fn write(
    unit: &Unit,
    entry: &Function,
    options: &Options,
    contract: Option<&Resolved>,
    asserts: bool,
) -> Result<Driver, NoDriver> {
    let with_scope = contract.map(|resolved| (resolved, resolved.scope(unit, entry)));
    let mut writer = Writer {
        unit,
        types: &unit.types,
        options,
        helpers: String::new(),
        shown: vec![],
        make: String::new(),
        show: String::new(),
        given: vec![],
        contract: with_scope,
        cells: vec![],
        bounds: String::new(),
        narrow: (String::new(), String::new()),
    };
    let Type::Function(signature) = unit.types.get(entry.ty).clone() else {
        unreachable!("functions have function types")
    };
    let mut names = vec![];
    if options.symbolic_globals {
        for id in &unit.globals {
            let global = &unit.variables[id.0 as usize];
            if global.storage == Storage::Global && writer.can_make(global.ty) {
                writer.fill(&global.name, global.ty)?;
            }
        }
    }
    for (index, id) in entry.parameters.iter().enumerate() {
        let parameter = &unit.variables[id.0 as usize];
        let name = if parameter.name.is_empty() { format!("argument{index}") } else { parameter.name.to_string() };
        writer.parameter(&name, parameter.ty)?;
        names.push(name);
    }
    for one in contract.map_or(&[][..], |resolved| &resolved.arbitrary) {
        let sort = writer.contract.as_ref().map(|(_, scope)| scope.type_sort(&one.ty));
        match sort {
            Some(Sort::Number(ty)) => writer.parameter(&one.name, ty)?,
            _ => return Err(NoInput { name: one.name.clone(), ty: one.ty.clone() }.into()),
        }
    }
    let assumed: String = options.assume.iter().map(|text| format!("    __VERIFIER_assume({text});\n")).collect();
    let call = format!("{}({})", entry.name, names.join(", "));
    let is_void = matches!(unit.types.get(signature.result), Type::Void);
    let call = if is_void {
        format!("    {call};\n")
    } else {
        format!("    {} = {call};\n", writer.declare(signature.result, "wolverine_result"))
    };
    if !is_void && options.observes("result") {
        writer.show_value("result", "wolverine_result", signature.result);
    }
    for id in &unit.globals {
        let global = &unit.variables[id.0 as usize];
        if global.storage == Storage::Global && options.observes(&global.name) {
            writer.show_value(&global.name, &global.name, global.ty);
        }
    }
    let mut driver = contract::Marked::default();
    let mut after = contract::Marked::default();
    let mut before = contract::Marked::default();
    let mut helpers = std::mem::take(&mut writer.helpers);
    if let Some(resolved) = contract {
        let globals = writer.kept_globals();
        let written = contract::write(resolved, unit, entry, &unit.source, &writer.cells, &globals)?;
        helpers += &written.helpers;
        before = written.before;
        after = if asserts { written.after } else { after };
    }
    let (make, bounds, show) = (&writer.make, &writer.bounds, &writer.show);
    driver.text = format!("\n{PROTOTYPES}{helpers}int {DRIVER}(void) {{\n{make}{bounds}{assumed}");
    driver.append(before);
    driver.text += &writer.narrow.0;
    driver.text += &call;
    driver.text += &writer.narrow.1;
    driver.append(after);
    driver.text += &format!("{show}    return 0;\n}}\n");
    Ok(Driver { text: driver.text, given: writer.given, parts: driver.parts })
}

/// A call that gives a value of an integer type from outside.
pub(crate) fn nondet_call(types: &Types, ty: TypeId) -> Option<String> {
    let what = match types.get(ty) {
        Type::Bool => "bool",
        Type::Char { signed: true } => "char",
        Type::Char { signed: false } => "uchar",
        Type::Int { bytes: 2, signed: true } => "short",
        Type::Int { bytes: 2, signed: false } => "ushort",
        Type::Int { bytes: 4, signed: true } => "int",
        Type::Int { bytes: 4, signed: false } => "uint",
        Type::Int { signed: true, .. } => "long",
        Type::Int { signed: false, .. } => "ulong",
        _ => return None,
    };
    Some(format!("__VERIFIER_nondet_{what}()"))
}

const PROTOTYPES: &str = "extern int printf(const char *, ...);
extern void *malloc(unsigned long);
extern void __VERIFIER_assume();
extern void __wolverine_room(const void *, unsigned long);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
extern _Bool __VERIFIER_nondet_bool();
extern char __VERIFIER_nondet_char();
extern unsigned char __VERIFIER_nondet_uchar();
extern short __VERIFIER_nondet_short();
extern unsigned short __VERIFIER_nondet_ushort();
extern int __VERIFIER_nondet_int();
extern unsigned int __VERIFIER_nondet_uint();
extern long __VERIFIER_nondet_long();
extern unsigned long __VERIFIER_nondet_ulong();
";

impl Writer<'_> {
    /// A declaration. A record without a tag is called by its typedef.
    fn declare(&self, ty: TypeId, name: &str) -> String {
        let text = self.types.declare(ty, name);
        let Some(rest) = text.strip_prefix("struct ").or(text.strip_prefix("union ")) else { return text };
        let tag = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let is_typedef = self.unit.names.types.find("", tag).is_some();
        let own = String::from_utf8_lossy(&self.unit.source.bytes);
        let has_tag = own
            .match_indices(&text[..text.len() - rest.len() + tag.len()])
            .any(|(at, found)| !own[at + found.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        if is_typedef && !has_tag { rest.to_string() } else { text }
    }

    fn can_make(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Bool | Type::Char { .. } => true,
            Type::Int { bytes, .. } => *bytes <= 8,
            Type::Array(element, Some(length)) => *length <= MOST_SHOWN && self.can_make(*element),
            Type::Record(record) => {
                let record = self.types.record(*record);
                !record.is_union && record.fields.iter().all(|f| f.bits.is_none() && self.can_make(f.ty))
            }
            _ => false,
        }
    }

    /// An expression for a new input of an integer type.
    fn nondet(&mut self, name: &str, ty: TypeId) -> String {
        self.given.push(Given { name: name.into(), ty: self.types.name(ty) });
        nondet_call(self.types, ty).expect("only integers are made up")
    }

    /// What the contract says about a pointer parameter.
    fn shape(&self, name: &str) -> Option<Shape> {
        let (resolved, scope) = self.contract.as_ref()?;
        shape_of(&resolved.contract, scope, name)
    }

    /// The globals whose old values are kept, with the declarations of their copies.
    fn kept_globals(&self) -> Vec<(String, String)> {
        let globals = self.unit.globals.iter().map(|id| &self.unit.variables[id.0 as usize]);
        globals
            .filter(|global| global.storage == Storage::Global && self.can_make(global.ty))
            .filter(|global| !matches!(self.types.get(global.ty), Type::Array(..)))
            .map(|global| (global.name.to_string(), self.declare(global.ty, &format!("wolverine_old_{}", global.name))))
            .collect()
    }

    /// Gives every integer of a place a value from outside.
    fn fill(&mut self, place: &str, ty: TypeId) -> Result<(), NoInput> {
        match self.types.get(ty).clone() {
            Type::Array(element, Some(length)) if length <= MOST_SHOWN => {
                (0..length).try_for_each(|i| self.fill(&format!("{place}[{i}]"), element))
            }
            Type::Record(record) if self.can_make(ty) => {
                let fields: Vec<_> =
                    self.types.record(record).fields.iter().map(|field| (field.name.clone(), field.ty)).collect();
                fields.into_iter().try_for_each(|(name, ty)| self.fill(&format!("{place}.{name}"), ty))
            }
            _ if self.can_make(ty) => {
                let value = self.nondet(place, ty);
                let _ = writeln!(self.make, "    {place} = {value};");
                Ok(())
            }
            _ => Err(NoInput { name: place.into(), ty: self.types.name(ty) }),
        }
    }

    /// Declares a parameter's value and makes it up.
    fn parameter(&mut self, name: &str, ty: TypeId) -> Result<(), NoInput> {
        let Some(target) = self.types.target(ty) else {
            let _ = writeln!(self.make, "    {};", self.declare(ty, name));
            return self.fill(name, ty);
        };
        let shape = self.shape(name);
        let length = match (&self.contract, &shape) {
            (_, Some(Shape { count: Some(count), last, .. })) if last.is_empty() => *count,
            (Some(_), _) => self.options.contract_length,
            _ => self.options.length,
        };
        if let Type::Record(record) = self.types.get(target)
            && self.is_linked(*record)
        {
            let _ = writeln!(self.make, "    {} = 0;", self.declare(ty, name));
            let depth = if self.links(*record).len() > 1 { length.min(2) } else { length };
            self.node(name, name, *record, depth, None)?;
            if self.options.observes(name) {
                self.show_value(name, name, ty);
            }
            return Ok(());
        }
        if self.types.is_pointer(target) {
            let inner = format!("{name}_target");
            self.parameter(&inner, target)?;
            let _ = writeln!(self.make, "    {} = &{inner};", self.declare(ty, name));
            return Ok(());
        }
        if !self.can_make(target) {
            return Err(NoInput { name: name.into(), ty: self.types.name(ty) });
        }
        let has_count = shape.as_ref().is_some_and(|shape| shape.count.is_some() || !shape.last.is_empty());
        let is_text = self.types.is_char(target) && !has_count;
        let cells = format!("{name}_cells");
        let count = length + u64::from(is_text);
        let _ = writeln!(self.make, "    {};", self.declare(target, &format!("{cells}[{count}]")));
        for i in 0..length {
            let from = self.given.len();
            self.fill(&format!("{cells}[{i}]"), target)?;
            for given in &mut self.given[from..] {
                given.name = given.name.replacen(&cells, name, 1);
            }
        }
        if is_text {
            let _ = writeln!(self.make, "    {cells}[{length}] = 0;");
        }
        let value = if shape.as_ref().is_some_and(|shape| shape.nullable) {
            self.given.push(Given { name: format!("{name} is there"), ty: "_Bool".into() });
            let _ = writeln!(self.make, "    _Bool {name}_there = __VERIFIER_nondet_bool();");
            format!("{name}_there ? {cells} : 0")
        } else {
            cells.clone()
        };
        let _ = writeln!(self.make, "    {} = {value};", self.declare(ty, name));
        self.keep_cells(name, &cells, target, count, shape.as_ref());
        if self.options.observes(name) {
            for i in 0..count {
                self.show_value(&format!("{name}[{i}]"), &format!("{cells}[{i}]"), target);
            }
        }
        Ok(())
    }

    /// Remembers an array that a parameter points to, for the contract.
    fn keep_cells(&mut self, name: &str, cells: &str, target: TypeId, count: u64, shape: Option<&Shape>) {
        let Some((_, scope)) = &self.contract else { return };
        let writer = contract::Writer::new(vec![], "wolverine_result");
        let lasts = shape.map_or(&[][..], |shape| &shape.last).iter();
        let lasts: Vec<String> = lasts.filter_map(|last| writer.wide(scope, last, false).ok()).collect();
        for last in &lasts {
            let _ = writeln!(self.bounds, "    __VERIFIER_assume({last} < {count});");
        }
        if !lasts.is_empty() {
            let least = shape.and_then(|shape| shape.count).unwrap_or(0);
            let (before, after) = &mut self.narrow;
            let _ = writeln!(before, "    long long {name}_room = {least};");
            for last in &lasts {
                let _ = writeln!(before, "    if ({last} >= {name}_room) {name}_room = {last} + 1;");
            }
            let _ = writeln!(before, "    __wolverine_room({cells}, {name}_room * sizeof {cells}[0]);");
            let _ = writeln!(after, "    __wolverine_room({cells}, sizeof {cells});");
        }
        let declaration = self.declare(target, &format!("wolverine_old_{name}[{count}]"));
        self.cells.push(Cells { name: name.into(), array: cells.into(), declaration, count });
    }

    /// The members of a record that point to its own type and lead onwards.
    fn links(&self, record: RecordId) -> Vec<String> {
        let own = |ty: TypeId| self.types.target(ty).is_some_and(|t| *self.types.get(t) == Type::Record(record));
        let fields = self.types.record(record).fields.iter();
        fields.filter(|field| own(field.ty) && !leads_back(&field.name)).map(|field| field.name.to_string()).collect()
    }

    /// Whether a record is a node of a list or tree of integers.
    fn is_linked(&self, record: RecordId) -> bool {
        let own = |ty: TypeId| self.types.target(ty).is_some_and(|t| *self.types.get(t) == Type::Record(record));
        let fields = &self.types.record(record).fields;
        !self.links(record).is_empty() && fields.iter().all(|field| own(field.ty) || self.can_make(field.ty))
    }

    /// A node, or none, at `place`, with what comes after it.
    fn node(
        &mut self,
        place: &str,
        name: &str,
        record: RecordId,
        depth: u64,
        parent: Option<&str>,
    ) -> Result<(), NoInput> {
        if depth == 0 {
            return Ok(());
        }
        let number = self.given.len();
        let node = format!("{}_node{number}", name.replace(|c: char| !c.is_ascii_alphanumeric(), "_"));
        self.given.push(Given { name: format!("{name} is there"), ty: "_Bool".into() });
        let _ = writeln!(self.make, "    _Bool {node}_there = __VERIFIER_nondet_bool();");
        let types = self.types;
        let record_type = types.find(&Type::Record(record)).expect("the record is a type");
        let _ = writeln!(self.make, "    {} = 0;", self.declare(record_type, &format!("*{node}")));
        let mut body = String::new();
        let mut links = vec![];
        for field in &types.record(record).fields {
            let shown = format!("{name}->{}", field.name);
            let onwards = self.links(record).contains(&field.name.to_string());
            if onwards {
                links.push((field.name.to_string(), shown));
            } else if types.is_pointer(field.ty) {
                let _ = write!(body, " {node}->{} = {};", field.name, parent.unwrap_or("0"));
            } else if matches!(types.get(field.ty), Type::Array(..) | Type::Record(_)) {
                return Err(NoInput { name: shown, ty: types.name(field.ty) });
            } else {
                let value = self.nondet(&shown, field.ty);
                let held = format!("{node}_{}", field.name);
                let _ = writeln!(self.make, "    {} = {value};", self.declare(field.ty, &held));
                let _ = write!(body, " {node}->{} = {held};", field.name);
            }
        }
        for (link, _) in &links {
            let _ = write!(body, " {node}->{link} = 0;");
        }
        let there = match parent {
            Some(parent) => format!("{parent} && {node}_there"),
            None => format!("{node}_there"),
        };
        let _ = writeln!(self.make, "    if ({there}) {{ {node} = malloc(sizeof *{node});{body} {place} = {node}; }}");
        for (link, shown) in links {
            self.node(&format!("{node}->{link}"), &shown, record, depth - 1, Some(&node))?;
        }
        Ok(())
    }

    /// Prints a value.
    fn show_value(&mut self, name: &str, place: &str, ty: TypeId) {
        match self.types.get(ty).clone() {
            Type::Bool | Type::Char { .. } | Type::Int { .. } => {
                let (letters, cast) = match self.types.is_signed(ty) {
                    true => ("lld", "long long"),
                    false => ("llu", "unsigned long long"),
                };
                let _ = writeln!(self.show, "    printf(\"{name} = %{letters}\\n\", ({cast}){place});");
            }
            Type::Array(element, Some(length)) if length <= MOST_SHOWN => {
                (0..length).for_each(|i| self.show_value(&format!("{name}[{i}]"), &format!("{place}[{i}]"), element));
            }
            Type::Record(record) if !self.types.record(record).is_union => {
                let fields: Vec<_> = self.types.record(record).fields.iter().map(|f| (f.name.clone(), f.ty)).collect();
                for (field, ty) in fields {
                    self.show_value(&format!("{name}.{field}"), &format!("{place}.{field}"), ty);
                }
            }
            Type::Pointer(target) => match self.types.get(target) {
                Type::Record(record) if self.is_linked(*record) => {
                    let helper = self.helper(*record);
                    let _ = writeln!(self.show, "    printf(\"{name} =\"); {helper}({place}); printf(\"\\n\");");
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// The function that shows a list or tree.
    fn helper(&mut self, record: RecordId) -> String {
        let name = format!("wolverine_show_{}", record.0);
        if self.shown.contains(&record) {
            return name;
        }
        self.shown.push(record);
        let types = self.types;
        let ty = types.find(&Type::Record(record)).expect("the record is a type");
        let mut body = String::new();
        let (mut values, mut links) = (String::new(), String::new());
        for field in &types.record(record).fields {
            if self.links(record).contains(&field.name.to_string()) {
                let _ = write!(links, " {name}(p->{});", field.name);
            } else if self.types.is_integer(field.ty) {
                let _ = write!(values, " printf(\" %lld\", (long long)p->{});", field.name);
            }
        }
        let _ = write!(body, "if (!p) {{ printf(\" .\"); return; }}{values}{links}");
        let _ = writeln!(self.helpers, "static void {name}({}) {{ {body} }}", self.declare(ty, "*p"));
        name
    }
}

/// Whether a member points back to the node before it, by its name.
fn leads_back(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["prev", "parent", "back", "up"].iter().any(|back| name.contains(back)) && !name.contains("update")
}
