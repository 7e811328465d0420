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
    /// By instruction: the instructions that may follow before the target, itself included.
    follows: Vec<Set>,
}

impl Reach {
    /// Whether control may come from one instruction to another before the target.
    pub fn leads(&self, from: u32, to: u32) -> bool {
        self.follows[from as usize].contains(to as usize)
    }
}

/// A set of small numbers.
#[derive(Clone, Debug, Default)]
struct Set(Vec<u64>);

impl Set {
    fn of(number: usize, size: usize) -> Set {
        let mut words = vec![0; size.div_ceil(64)];
        words[number / 64] = 1 << (number % 64);
        Set(words)
    }

    fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    fn extend(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    fn overlaps(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|&number| self.contains(number))
    }
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
            reach(functions, code, stop)
        })
    }
}

fn reach(functions: &[BTreeSet<Class>], code: &[Instruction], stop: Option<u32>) -> Reach {
    let next = |pc: usize| successors(code, pc as u32).into_iter().filter(|&next| Some(next) != stop);
    let nexts: Vec<Vec<usize>> = (0..code.len()).map(|pc| next(pc).map(|next| next as usize).collect()).collect();
    let mut follows: Vec<Set> = (0..code.len()).map(|pc| Set::of(pc, code.len())).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (pc, nexts) in nexts.iter().enumerate().rev() {
            let mut all = follows[pc].clone();
            nexts.iter().for_each(|&next| all.extend(&follows[next]));
            changed |= all.0 != follows[pc].0;
            follows[pc] = all;
        }
    }
    let mut looping = Set(vec![0; code.len().div_ceil(64)]);
    let loops = |pc: &usize| nexts[*pc].iter().any(|&next| follows[next].contains(*pc));
    (0..code.len()).filter(loops).for_each(|pc| looping.extend(&Set::of(pc, code.len())));
    let own: Vec<Vec<Class>> = code.iter().map(|instruction| written(functions, instruction)).collect();
    let writes = follows.iter().map(|follows| follows.iter().flat_map(|pc| own[pc].iter().copied()).collect());
    Reach { writes: writes.collect(), cycles: follows.iter().map(|set| set.overlaps(&looping)).collect(), follows }
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
