//! The program's state where one or more ways through it meet.

use std::collections::BTreeMap;
use std::rc::Rc;

use solver::{Term, Terms};

use super::locals::Locals;
use super::value::{Cells, Content, Value, choose_cells, choose_content};

/// Everything at one point of the program, for all inputs that come there.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Which inputs come here.
    pub(super) path: Term,
    /// The locals of the running function that are not in memory.
    pub(super) locals: Locals,
    /// All objects, by number.
    pub(super) objects: BTreeMap<usize, Rc<Object>>,
    /// What the running function returned.
    pub(super) result: Content,
    /// How many values were read from each source of input (16 bits each).
    pub(super) read: [Term; 3],
}

/// A variable in memory, a heap block or a string literal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Object {
    /// Its name, for people.
    pub(super) name: Rc<str>,
    /// Its size in bytes (64 bits).
    pub(super) size: Term,
    /// How many of them can be used; all, unless the driver says otherwise.
    pub(super) room: Term,
    /// What it holds.
    pub(super) cells: Cells,
    /// Where bytes that have no cell yet are zero; otherwise they were never written.
    pub(super) zeroed: Term,
    /// Where it is gone.
    pub(super) gone: Term,
    /// Whether it came from `malloc`.
    pub(super) heap: bool,
}

/// The state where both meet: `then` on the paths where `condition` holds.
pub(super) fn merge(terms: &mut Terms, condition: Term, then: State, other: State) -> State {
    let path = terms.or(then.path, other.path);
    let locals = then.locals.merge(terms, condition, &other.locals);
    let mut objects = then.objects;
    for (id, object) in &other.objects {
        let merged = match objects.get(id) {
            Some(known) if Rc::ptr_eq(known, object) => continue,
            Some(known) => Rc::new(merge_objects(terms, condition, known, object)),
            None => object.clone(),
        };
        objects.insert(*id, merged);
    }
    let result = choose_content(terms, condition, &then.result, &other.result);
    let read = std::array::from_fn(|i| terms.ite(condition, then.read[i], other.read[i]));
    State { path, locals, objects, result, read }
}

fn merge_objects(terms: &mut Terms, condition: Term, then: &Object, other: &Object) -> Object {
    let in_then = |terms: &mut Terms, size, like: &Content| then.default(terms, size, Some(like));
    let in_other = |terms: &mut Terms, size, like: &Content| other.default(terms, size, Some(like));
    let cells = choose_cells(terms, condition, (then.cells.clone(), &in_then), (other.cells.clone(), &in_other));
    Object {
        name: then.name.clone(),
        size: terms.ite(condition, then.size, other.size),
        room: terms.ite(condition, then.room, other.room),
        cells,
        zeroed: terms.ite(condition, then.zeroed, other.zeroed),
        gone: terms.ite(condition, then.gone, other.gone),
        heap: then.heap,
    }
}

impl Object {
    /// What bytes hold that have no cell yet, in the form of `like`.
    pub(super) fn default(&self, terms: &mut Terms, size: u64, like: Option<&Content>) -> Content {
        if terms.value(self.zeroed) == Some(0) {
            return Content::Unset;
        }
        let zero = match like.and_then(Content::value) {
            Some(Value::Pointer(_)) => Value::null(terms),
            _ if size <= 8 => Value::Int(terms.bits(0, size as u32 * 8)),
            _ => Value::Opaque,
        };
        self.if_zeroed(terms, zero)
    }

    /// A zero where bytes that have no cell yet are zero.
    pub(super) fn if_zeroed(&self, terms: &Terms, zero: Value) -> Content {
        match terms.value(self.zeroed) {
            Some(0) => Content::Unset,
            Some(_) => Content::Set(zero),
            None => Content::Mixed(zero, self.zeroed),
        }
    }
}
