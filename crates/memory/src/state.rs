//! The state of a program: what it is made of, and how it reads.

use std::fmt;
use std::sync::Arc;

/// All variables and heap nodes of a program at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Global variables, in order of declaration.
    pub globals: Vec<Variable>,
    /// Active calls, outermost first.
    pub frames: Vec<Frame>,
    /// Heap nodes in order of allocation. Freed ones are kept, without their
    /// contents, while something still points to them.
    pub nodes: Vec<Node>,
}

impl State {
    /// The node called `id`.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.binary_search_by_key(&id, |node| node.id).ok().map(|i| &self.nodes[i])
    }

    /// Which nodes there are, as a sentence: `nodes are n1–n4, n7`.
    pub fn name_nodes(&self) -> String {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for id in self.nodes.iter().filter(|node| node.live).map(|node| node.id.0) {
            match runs.last_mut() {
                Some(run) if run.1 + 1 == id => run.1 = id,
                _ => runs.push((id, id)),
            }
        }
        let run = |&(first, last): &(u32, u32)| match last - first {
            0 => format!("n{first}"),
            1 => format!("n{first}, n{last}"),
            _ => format!("n{first}–n{last}"),
        };
        match runs.is_empty() {
            true => "there are no nodes".into(),
            false => format!("nodes are {}", runs.iter().map(run).collect::<Vec<_>>().join(", ")),
        }
    }
}

/// A variable with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// Its type as C text.
    pub type_name: Arc<str>,
    /// Its value.
    pub value: Value,
}

/// An active call.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The name of the function.
    pub function: Arc<str>,
    /// Parameters and locals in scope.
    pub variables: Vec<Variable>,
}

/// The name of a heap node: `n1`, `n2`, … in order of allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

/// A block of the heap.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub id: NodeId,
    /// The type of its contents as C text; empty if unknown.
    pub type_name: Arc<str>,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it was not freed yet.
    pub live: bool,
    /// Its contents: a record, an array, a plain value, or unknown.
    pub value: Value,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Never written.
    Uninitialised,
    /// Not known or not meaningful, such as the other members of a union that holds a pointer.
    Unknown,
    /// An integer, character, `_Bool` or enumeration value.
    Int(i128),
    /// A floating value.
    Float(f64),
    /// The null pointer.
    Null,
    /// A pointer to a live object.
    Pointer(Place),
    /// A pointer to an object that no longer exists.
    Dangling(Place),
    /// A pointer to constant text, shown by what it points to.
    Text(Vec<u8>),
    /// A pointer to a function.
    Function(Arc<str>),
    /// A pointer made from a number.
    Address(u64),
    /// A pointer to something outside of the program, such as `stdout`.
    Outside,
    /// A struct or union: members in order.
    Record(Vec<(Arc<str>, Value)>),
    /// An array, with the number of elements at its end that were left out.
    Array(Vec<Value>, u64),
    /// An array of characters, `None` where nothing was written.
    Chars(Vec<Option<u8>>),
}

/// A place in memory that a pointer points to.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The object.
    pub object: Object,
    /// Offset in bytes from its start.
    pub offset: i64,
    /// The same offset as a C path: empty, `.next`, `[3]`, `[1].x`, or `+5` where no member begins.
    pub path: String,
    /// Whether the place is inside of the object, neither before it nor at or past its end.
    pub inside: bool,
}

/// Something that has an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// A heap node.
    Node(NodeId),
    /// A global variable.
    Global(Arc<str>),
    /// A local variable, static ones included.
    Local {
        /// Its frame, outermost 0; `None` for static locals.
        frame: Option<usize>,
        /// Its function.
        function: Arc<str>,
        /// Its name.
        name: Arc<str>,
    },
    /// The array of program arguments.
    Arguments,
    /// A local variable of a call that is over.
    Gone,
}

/// Something that can be shown, tracked, asserted or changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entity {
    /// The variable or node.
    pub root: Root,
    /// A member of it: `.next`, `[3]`, or empty.
    pub path: String,
}

/// A variable or node.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root {
    /// A global variable.
    Global(Arc<str>),
    /// A local variable of an active call.
    Local {
        /// The frame, outermost 0.
        frame: usize,
        /// Its function.
        function: Arc<str>,
        /// Its name.
        name: Arc<str>,
    },
    /// A heap node.
    Node(NodeId),
    /// A whole frame.
    Frame {
        /// Its number, outermost 0.
        frame: usize,
        /// Its function.
        function: Arc<str>,
    },
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.root {
            Root::Global(name) => write!(f, "{name}")?,
            Root::Local { function, name, .. } => write!(f, "{function}:{name}")?,
            Root::Node(id) => write!(f, "{id}")?,
            Root::Frame { function, .. } => write!(f, "{function}()")?,
        }
        f.write_str(&self.path)
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Object::Node(id) => write!(f, "{id}"),
            Object::Global(name) => write!(f, "{name}"),
            Object::Local { function, name, .. } => write!(f, "{function}:{name}"),
            Object::Arguments => write!(f, "argv"),
            Object::Gone => write!(f, "a local variable that is gone"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.object, self.path.is_empty()) {
            (Object::Node(_) | Object::Gone, true) => write!(f, "{}", self.object),
            _ => write!(f, "&{}{}", self.object, self.path),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Uninitialised => f.write_str("?"),
            Value::Unknown => f.write_str("…"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Float(x) => write!(f, "{x}"),
            Value::Null => f.write_str("null"),
            Value::Pointer(place) => write!(f, "{place}"),
            Value::Dangling(place) => write!(f, "dangling({place})"),
            Value::Text(text) => write!(f, "\"{}\"", text.escape_ascii()),
            Value::Function(name) => write!(f, "{name}()"),
            Value::Address(address) => write!(f, "{address:#x}"),
            Value::Outside => f.write_str("outside"),
            Value::Record(members) => {
                f.write_str("{")?;
                for (i, (name, value)) in members.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    match name.is_empty() {
                        true => write!(f, "{comma}{value}")?,
                        false => write!(f, "{comma}{name}: {value}")?,
                    }
                }
                f.write_str("}")
            }
            Value::Array(elements, omitted) => {
                f.write_str("[")?;
                for (i, value) in elements.iter().enumerate() {
                    write!(f, "{}{value}", if i == 0 { "" } else { ", " })?;
                }
                if *omitted > 0 {
                    write!(f, ", … {omitted} more")?;
                }
                f.write_str("]")
            }
            Value::Chars(bytes) => fmt_chars(f, bytes),
        }
    }
}

/// Characters up to the first NUL as text; what follows is not shown.
fn fmt_chars(f: &mut fmt::Formatter<'_>, bytes: &[Option<u8>]) -> fmt::Result {
    if bytes.first() == Some(&None) {
        return f.write_str("?");
    }
    f.write_str("\"")?;
    for byte in bytes.iter().take_while(|&&byte| byte != Some(0)) {
        match byte {
            Some(byte) => write!(f, "{}", byte.escape_ascii())?,
            None => {
                f.write_str("?")?;
                break;
            }
        }
    }
    f.write_str("\"")
}
