//! What the program as it is may still write before a demand.
//!
//! From `temp2 = current->prev;` to the next `while` of a list reversal, the
//! members `prev` and `next` and the variables `temp2` and `current` may be
//! written, `head` may not. If `head` has another value than the asserted one,
//! an edit has to write it.

use std::collections::{BTreeMap, BTreeSet};

use ir::{AccessRoot, ActionKind, Callee, FunctionRef, GlobalId, LocalId, Projection, StepId};

use crate::check::{Home, Spot};
use crate::code::{Instruction, successors};
use crate::machine::{Machine, Model};

/// Cells that a statement may write, by what its text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A local of the innermost call that has no address.
    Local(LocalId),
    /// A global, as a whole.
    Global(GlobalId),
    /// What lies so many bytes from the start of something that has an address.
    Member(u64),
    /// Anything that has an address.
    Memory,
}

/// What may be written from each instruction of a function on.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// By instruction: what may be written before the target is come to.
    pub writes: Vec<BTreeSet<Class>>,
    /// By instruction: whether it may be come to a second time before the target.
    pub cycles: Vec<bool>,
    /// By instruction: the instructions that may follow before the target.
    pub follows: Vec<BTreeSet<u32>>,
}

/// Knows what may be written; asked often, so it remembers.
#[derive(Debug)]
pub struct Reaches {
    /// What each function may write to memory.
    functions: Vec<BTreeSet<Class>>,
    known: BTreeMap<(u32, Option<StepId>), Reach>,
}

impl Reaches {
    /// For a program.
    pub fn new(model: &Model) -> Reaches {
        let count = model.code.functions.len();
        let mut functions: Vec<BTreeSet<Class>> = vec![BTreeSet::new(); count];
        loop {
            let before: usize = functions.iter().map(BTreeSet::len).sum();
            for i in 0..count {
                let mut all = BTreeSet::new();
                for instruction in &model.code.functions[i].code {
                    all.extend(written(&functions, instruction));
                }
                all.retain(|class| !matches!(class, Class::Local(_)));
                functions[i] = all;
            }
            if functions.iter().map(BTreeSet::len).sum::<usize>() == before {
                return Reaches { functions, known: BTreeMap::new() };
            }
        }
    }

    /// What may be written in `function` before `target` is come to, or before its end.
    pub fn before(&mut self, model: &Model, function: u32, target: Option<StepId>) -> &Reach {
        let functions = &self.functions;
        self.known.entry((function, target)).or_insert_with(|| {
            let code = &model.code.functions[function as usize].code;
            let stop = target.map(|step| model.code.steps[step.index()].start);
            let mut reach = Reach {
                writes: vec![BTreeSet::new(); code.len()],
                cycles: vec![false; code.len()],
                follows: vec![BTreeSet::new(); code.len()],
            };
            let mut changed = true;
            while changed {
                changed = false;
                for pc in (0..code.len() as u32).rev() {
                    let mut writes: BTreeSet<Class> = written(functions, &code[pc as usize]).into_iter().collect();
                    let mut follows = BTreeSet::from([pc]);
                    for next in successors(code, pc).into_iter().filter(|&next| Some(next) != stop) {
                        writes.extend(reach.writes[next as usize].iter().copied());
                        follows.extend(reach.follows[next as usize].iter().copied());
                    }
                    let index = pc as usize;
                    if writes.len() != reach.writes[index].len() || follows.len() != reach.follows[index].len() {
                        (reach.writes[index], reach.follows[index]) = (writes, follows);
                        changed = true;
                    }
                }
            }
            for pc in 0..code.len() as u32 {
                let loops = |at: u32| {
                    successors(code, at)
                        .into_iter()
                        .any(|next| Some(next) != stop && reach.follows[next as usize].contains(&at))
                };
                reach.cycles[pc as usize] = reach.follows[pc as usize].iter().any(|&at| loops(at));
            }
            reach
        })
    }
}

/// The classes that an instruction may write; temporaries too, which do no harm.
fn written(functions: &[BTreeSet<Class>], instruction: &Instruction) -> Vec<Class> {
    let Instruction::Act(action) = instruction else {
        return match instruction {
            Instruction::Declare(local) => vec![Class::Local(*local)],
            _ => Vec::new(),
        };
    };
    match &action.kind {
        ActionKind::Assign { to, .. } => vec![Class::Local(*to)],
        ActionKind::Store { to, .. } | ActionKind::Clear { to } => match (&to.root, &to.path[..]) {
            (AccessRoot::Global(global), _) => vec![Class::Global(*global)],
            (AccessRoot::Deref(_), [Projection::Field { offset, .. }]) => vec![Class::Member(*offset)],
            _ => vec![Class::Memory],
        },
        ActionKind::Call { to, callee, .. } => {
            let result = to.iter().map(|to| Class::Local(*to));
            let inside: Vec<Class> = match callee {
                Callee::Direct(FunctionRef::Own(id)) => functions[id.index()].iter().copied().collect(),
                Callee::Direct(FunctionRef::Library(_)) => Vec::new(),
                Callee::Pointer(_) => vec![Class::Memory],
            };
            result.chain(inside).collect()
        }
        ActionKind::Concrete { .. } => vec![Class::Memory],
    }
}

/// Whether something of these classes may be this cell. A global is written
/// through a pointer only where its address is taken, which `Memory` stands for.
pub fn may_write(model: &Model, machine: &Machine, classes: &BTreeSet<Class>, spot: &Spot) -> bool {
    match spot.home {
        Home::Local { frame, local } => {
            let function = &model.program.functions[machine.frames[frame as usize].function as usize];
            match function.locals[local.index()].in_memory {
                true => has_memory(classes, spot.offset.into()),
                false => frame as usize + 1 != machine.frames.len() || classes.contains(&Class::Local(local)),
            }
        }
        Home::Global(global) => classes.contains(&Class::Global(GlobalId(global))) || classes.contains(&Class::Memory),
        Home::Node(_) => has_memory(classes, spot.offset.into()),
    }
}

fn has_memory(classes: &BTreeSet<Class>, offset: u64) -> bool {
    classes.contains(&Class::Memory) || classes.contains(&Class::Member(offset))
}
