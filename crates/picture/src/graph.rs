//! States to boxes and arrows, still without places.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use memory::{Entity, Object, Place, Root, State, Value, Variable};

use crate::cells::{Cell, Content, Kind, cut, is_below};
use crate::options::Options;
use crate::reach::{Pointed, pointed, reachable};
use crate::roles::{Role, Roles, find_roles};

/// A box: a heap node, or a variable that has an address or parts.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub object: Object,
    pub title: String,
    pub type_name: Arc<str>,
    pub kind: Kind,
    pub cells: Vec<Cell>,
    pub standing: Standing,
    /// Whether the box is new as a whole.
    pub changed: bool,
    /// How many nodes of a list it stands for, if it is no node itself.
    pub folded: usize,
}

/// Whether a box can still be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It can.
    Live,
    /// It was freed, or its call is over.
    Gone,
    /// No variable leads to it.
    Unreachable,
}

/// An arrow from a cell.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub from: usize,
    pub cell: usize,
    pub to: Goal,
    pub role: Role,
    pub dangling: bool,
}

/// Where an arrow ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Goal {
    pub block: usize,
    /// A certain cell; otherwise the box as a whole.
    pub cell: Option<usize>,
    /// Just past the end of the box.
    pub past: bool,
}

/// A pointer variable: a name with an arrow.
#[derive(Clone, Debug)]
pub(crate) struct Flag {
    pub name: String,
    pub entity: Entity,
    pub to: Goal,
    pub dangling: bool,
    pub changed: bool,
    pub untracked: bool,
}

/// The plain variables of one call, or the globals.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub title: String,
    pub rows: Vec<TableRow>,
}

/// A variable that needs no box.
#[derive(Clone, Debug)]
pub(crate) struct TableRow {
    pub name: String,
    pub entity: Entity,
    /// How a debugger's user names it, seen from the innermost call.
    pub title: String,
    pub content: Content,
    pub changed: bool,
    pub untracked: bool,
}

/// A state as boxes and arrows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub blocks: Vec<Block>,
    pub edges: Vec<Edge>,
    pub flags: Vec<Flag>,
    pub tables: Vec<Table>,
    /// The boxes that variables are or point to, in order of the variables.
    pub entries: Vec<usize>,
    pub roles: Roles,
}

/// Turns `state` into boxes and arrows. `known` are roles found for earlier pictures.
pub(crate) fn build(state: &State, options: &Options, known: &Roles) -> Graph {
    let mut builder = Builder {
        state,
        options,
        changed: marks(&options.changed),
        untracked: marks(&options.untracked),
        pointed: pointed(state),
        graph: Graph::default(),
        numbers: HashMap::new(),
        pointers: Vec::new(),
    };
    builder.nodes();
    builder.variables();
    builder.missing();
    builder.assign_roles(known);
    builder.arrows();
    builder.graph
}

/// Paths of entities by their root.
fn marks(entities: &BTreeSet<Entity>) -> HashMap<&Root, Vec<&str>> {
    let mut marks: HashMap<&Root, Vec<&str>> = HashMap::new();
    entities.iter().for_each(|entity| marks.entry(&entity.root).or_default().push(&entity.path));
    marks
}

/// A variable with what the picture calls it.
struct Named<'a> {
    variable: &'a Variable,
    object: Object,
    root: Root,
    title: String,
    shown: bool,
}

struct Builder<'a> {
    state: &'a State,
    options: &'a Options,
    changed: HashMap<&'a Root, Vec<&'a str>>,
    untracked: HashMap<&'a Root, Vec<&'a str>>,
    pointed: Pointed,
    graph: Graph,
    numbers: HashMap<Object, usize>,
    /// Pointer variables that are drawn as flags.
    pointers: Vec<(String, Root, Place, bool)>,
}

impl Builder<'_> {
    fn nodes(&mut self) {
        let reachable = reachable(self.state);
        for node in &self.state.nodes {
            let standing = match (node.live, reachable.contains(&node.id)) {
                (false, _) => Standing::Gone,
                (true, true) => Standing::Live,
                (true, false) => Standing::Unreachable,
            };
            let note = match &node.value {
                _ if !node.live => Some("freed".to_string()),
                Value::Unknown | Value::Uninitialised => {
                    Some(format!("{} byte{}", node.size, if node.size == 1 { "" } else { "s" }))
                }
                _ => None,
            };
            let value = if note.is_some() { &Value::Unknown } else { &node.value };
            self.add(Object::Node(node.id), Root::Node(node.id), node.id.to_string(), &node.type_name, value, standing);
            if let (Some(note), Some(block)) = (note, self.graph.blocks.last_mut()) {
                block.cells.iter_mut().for_each(|cell| cell.content = Content::Text(note.clone()));
            }
        }
    }

    fn add(&mut self, object: Object, root: Root, title: String, type_name: &Arc<str>, value: &Value, st: Standing) {
        if self.numbers.contains_key(&object) {
            return;
        }
        let nothing = BTreeSet::new();
        let (kind, mut cells) = cut(value, type_name, self.pointed.paths.get(&object).unwrap_or(&nothing));
        let (changed, untracked) = (self.changed.get(&root), self.untracked.get(&root));
        let whole = kind == Kind::Plain && !matches!(root, Root::Node(_));
        for cell in cells.iter_mut().filter(|cell| cell.content != Content::Gap) {
            cell.changed = changed.is_some_and(|paths| touches(paths, &cell.path, whole));
            cell.untracked = untracked.is_some_and(|paths| touches(paths, &cell.path, true));
        }
        let changed = !whole && changed.is_some_and(|paths| paths.contains(&""));
        self.numbers.insert(object.clone(), self.graph.blocks.len());
        let type_name = type_name.clone();
        self.graph.blocks.push(Block { object, title, type_name, kind, cells, standing: st, changed, folded: 0 });
    }

    fn variables(&mut self) {
        let state = self.state;
        let depth = state.frames.len();
        let globals: Vec<Named> = state.globals.iter().map(global).collect();
        self.table("globals".into(), &globals, true);
        for (number, frame) in state.frames.iter().enumerate() {
            let shown = self.options.frames.shows(number, depth);
            let from_inside = depth - 1 - number;
            let is_repeated = state.frames.iter().filter(|other| other.function == frame.function).count() > 1;
            // As a debugger's user names them: by number where the name alone says too little.
            let (prefix, title) = match (from_inside, is_repeated) {
                (0, _) => (String::new(), format!("{}()", frame.function)),
                (_, false) => (format!("{}:", frame.function), format!("{}()", frame.function)),
                (_, true) => (format!("#{from_inside}:"), format!("#{from_inside} {}()", frame.function)),
            };
            let named = |variable| local(variable, number, &frame.function, shown, &prefix);
            let variables: Vec<Named> = frame.variables.iter().map(named).collect();
            self.table(title, &variables, shown);
        }
    }

    fn table(&mut self, title: String, variables: &[Named], shown: bool) {
        let mut rows = Vec::new();
        for variable in variables {
            rows.extend(self.variable(variable));
        }
        if shown && !rows.is_empty() {
            self.graph.tables.push(Table { title, rows });
        }
    }

    /// Adds a variable as a box or as a flag, or answers with its row in the table.
    fn variable(&mut self, named: &Named) -> Option<TableRow> {
        let Named { variable, object, root, title, shown } = named;
        let (value, root) = (&variable.value, root.clone());
        let pointed_to = self.pointed.paths.contains_key(object);
        let has_parts = matches!(value, Value::Record(_) | Value::Array(..));
        match value {
            _ if pointed_to || (*shown && has_parts) => {
                self.add(object.clone(), root, title.clone(), &variable.type_name, value, Standing::Live);
                self.graph.entries.extend(self.numbers.get(object));
            }
            Value::Pointer(place) | Value::Dangling(place) if *shown => {
                let dangling = matches!(value, Value::Dangling(_));
                self.pointers.push((title.clone(), root, place.clone(), dangling));
            }
            _ if *shown => {
                let (changed, untracked) = (self.changed.contains_key(&root), self.untracked.contains_key(&root));
                return Some(TableRow {
                    name: variable.name.to_string(),
                    entity: Entity { root, path: String::new() },
                    title: title.clone(),
                    content: Content::of(value),
                    changed,
                    untracked,
                });
            }
            _ => {}
        }
        None
    }

    /// Adds boxes for objects that something points to but the state does not list.
    fn missing(&mut self) {
        for (object, &live) in &self.pointed.objects {
            if self.numbers.contains_key(object) || !self.is_shown_pointing_to(object) {
                continue;
            }
            let (title, text) = match object {
                Object::Arguments => ("argv".to_string(), "program arguments"),
                Object::Gone => ("gone".to_string(), "local variable"),
                object => (object.to_string(), if live { "…" } else { "freed" }),
            };
            self.numbers.insert(object.clone(), self.graph.blocks.len());
            self.graph.blocks.push(Block {
                object: object.clone(),
                title,
                type_name: "".into(),
                kind: Kind::Plain,
                cells: vec![Cell::new(String::new(), String::new(), Content::Text(text.into()))],
                standing: if live { Standing::Live } else { Standing::Gone },
                changed: false,
                folded: 0,
            });
        }
    }

    /// Whether something in the picture points there: the arguments of a `main`
    /// whose variables are not shown would only take room.
    fn is_shown_pointing_to(&self, object: &Object) -> bool {
        let here = |place: &Place| self.pointed.resolve(self.state, &place.object) == *object;
        let cells = self.graph.blocks.iter().flat_map(|block| &block.cells);
        self.pointers.iter().any(|(_, _, place, _)| here(place))
            || cells.filter_map(|cell| cell.content.place()).any(here)
    }

    fn goal(&self, place: &Place) -> Option<Goal> {
        let block = *self.numbers.get(&self.pointed.resolve(self.state, &place.object))?;
        let Block { cells, kind, .. } = &self.graph.blocks[block];
        let cell = match place.path.as_str() {
            _ if !place.inside => None,
            "" => (*kind == Kind::Strip && !cells.is_empty()).then_some(0),
            path => {
                let exact = cells.iter().position(|cell| cell.path == path);
                let holder = || cells.iter().position(|cell| !cell.path.is_empty() && is_below(path, &cell.path));
                exact.or_else(holder).or_else(|| cells.iter().position(|cell| is_below(&cell.path, path)))
            }
        };
        Some(Goal { block, cell, past: !place.inside && place.offset > 0 })
    }

    fn assign_roles(&mut self, known: &Roles) {
        let target = |content: &Content| self.goal(content.place()?).map(|goal| goal.block);
        let roles = find_roles(&self.graph.blocks, target, known);
        for block in self.graph.blocks.iter_mut().filter(|block| block.kind == Kind::Record) {
            for cell in &mut block.cells {
                cell.role = roles.get(&(block.type_name.clone(), cell.path.clone())).copied().unwrap_or(Role::Other);
            }
        }
        self.graph.roles = roles;
    }

    fn arrows(&mut self) {
        for from in 0..self.graph.blocks.len() {
            for cell in 0..self.graph.blocks[from].cells.len() {
                let Cell { content, role, .. } = &self.graph.blocks[from].cells[cell];
                let dangling = matches!(content, Content::Dangling(_));
                if let Some(to) = content.place().and_then(|place| self.goal(place)) {
                    self.graph.edges.push(Edge { from, cell, to, role: *role, dangling });
                }
            }
        }
        for (name, root, place, dangling) in std::mem::take(&mut self.pointers) {
            let (changed, untracked) = (self.changed.contains_key(&root), self.untracked.contains_key(&root));
            let entity = Entity { root, path: String::new() };
            let flag = |to| Flag { name, entity, to, dangling, changed, untracked };
            self.graph.flags.extend(self.goal(&place).map(flag));
        }
        let entries = self.pointed.entries.iter().filter_map(|object| self.numbers.get(object));
        self.graph.entries.extend(entries);
    }
}

/// Whether one of `paths` is `path`, inside of it or around it; with `whole`
/// the object as a whole counts as around it.
fn touches(paths: &[&str], path: &str, whole: bool) -> bool {
    paths.iter().any(|marked| {
        (whole || !marked.is_empty()) && (is_below(path, marked) || (is_below(marked, path) && !path.is_empty()))
    })
}

fn global(variable: &Variable) -> Named<'_> {
    let name = variable.name.clone();
    let (object, root) = (Object::Global(name.clone()), Root::Global(name.clone()));
    Named { variable, object, root, title: name.to_string(), shown: true }
}

fn local<'a>(variable: &'a Variable, frame: usize, function: &Arc<str>, shown: bool, prefix: &str) -> Named<'a> {
    let (function, name) = (function.clone(), variable.name.clone());
    let title = format!("{prefix}{name}");
    let object = Object::Local { frame: Some(frame), function: function.clone(), name: name.clone() };
    Named { variable, object, root: Root::Local { frame, function, name }, title, shown }
}
