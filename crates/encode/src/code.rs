//! Functions as flat lists of instructions, with a slot wherever a statement
//! could be inserted.
//!
//! `while (p) p = p->next;` with braces around its body is
//!
//! ```text
//! 0  slot 0 (before the loop)
//! 1  step `p`
//! 2  branch p else 8
//! 3  slot 1 (before `p = p->next`)
//! 4  step `p = p->next`
//! 5  p := p.next
//! 6  slot 2 (at the end of the body)
//! 7  jump 1
//! 8  …
//! ```

use std::collections::BTreeSet;

use c_syntax::Span;
use ir::{
    Action, ActionKind, Callee, Code, Function, FunctionId, LabelId, LocalId, Operand, Program, StepId, StepKind,
};

use crate::blocks::{EmptyElse, block_after_head, closing_brace, empty_else, nothing_after_head};

/// All functions of a program.
#[derive(Debug)]
pub struct FlatCode {
    /// By [`FunctionId`].
    pub functions: Vec<FlatFunction>,
    /// By [`StepId`].
    pub steps: Vec<StepCode>,
    /// By [`SlotId`].
    pub slots: Vec<Slot>,
}

/// A place where a statement could be inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotId(pub u32);

/// A function.
#[derive(Debug, Default)]
pub struct FlatFunction {
    /// Its instructions; the last ones are its exit step and a return.
    pub code: Vec<Instruction>,
}

/// What is done next.
#[derive(Clone, Debug)]
pub enum Instruction {
    /// A source statement begins.
    Step(StepId),
    /// Statements could be inserted here.
    Slot(SlotId),
    /// An action.
    Act(Action),
    /// A local comes into being.
    Declare(LocalId),
    /// Goes on if the operand is true, else to `otherwise`.
    Branch {
        /// What is tested.
        test: Operand,
        /// The step whose condition this is.
        step: Option<StepId>,
        /// Where to go if not.
        otherwise: u32,
    },
    /// Goes there.
    Jump(u32),
    /// `switch`.
    Switch {
        /// What is compared.
        value: Operand,
        /// First value, last value, where to go.
        arms: Vec<(i128, i128, u32)>,
        /// Where to go if none fits.
        default: u32,
    },
    /// The value of the call is set; the exit step follows.
    Return(Option<Operand>),
    /// The call is over.
    Leave,
    /// Something that the model does not follow.
    Unmodelled,
}

/// The instructions of a source statement.
#[derive(Clone, Debug, Default)]
pub struct StepCode {
    /// The function.
    pub function: u32,
    /// Its [`Instruction::Step`].
    pub start: u32,
    /// After its last instruction; for conditions its branch.
    pub end: u32,
    /// Whether it ends with a branch on its condition.
    pub is_condition: bool,
    /// Whether a function of the program may be called in it.
    pub calls: bool,
    /// Whether nothing but its last instruction writes anything but variables that have no address.
    pub is_simple: bool,
    /// Whether it stands somewhere in the code at all.
    pub exists: bool,
}

/// Where statements could be inserted.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The function.
    pub function: FunctionId,
    /// Its instruction.
    pub pc: u32,
    /// The statement whose variables are visible here.
    pub scope: StepId,
    /// The place in the user's text.
    pub place: SlotPlace,
    /// Where a `break` here leads to.
    pub breaks_to: Option<u32>,
    /// Where a `continue` here leads to.
    pub continues_to: Option<u32>,
}

/// A place between statements in the user's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotPlace {
    /// Before the statement with this text.
    Before(Span),
    /// After the last statement of the block that this brace closes.
    AtEnd(u32),
    /// Instead of this `;`, which is all that a branch or loop has.
    Instead(Span),
}

impl SlotPlace {
    /// Where in the text that is.
    pub fn offset(&self) -> u32 {
        match self {
            SlotPlace::Before(span) | SlotPlace::Instead(span) => span.start,
            SlotPlace::AtEnd(brace) => *brace,
        }
    }
}

/// See [`StepCode::is_simple`].
fn is_simple(program: &Program, functions: &[FlatFunction], step: &StepCode) -> bool {
    let Some(last) = step.end.checked_sub(u32::from(!step.is_condition)).filter(|_| step.exists) else { return false };
    let function = &program.functions[step.function as usize];
    let is_register = |local: &LocalId| !function.locals[local.index()].in_memory;
    let inside = functions[step.function as usize].code.get(step.start as usize + 1..last as usize);
    inside.unwrap_or_default().iter().all(|instruction| match instruction {
        Instruction::Act(Action { kind: ActionKind::Assign { to, .. }, .. }) | Instruction::Declare(to) => {
            is_register(to)
        }
        Instruction::Branch { .. } | Instruction::Jump(_) => true,
        _ => false,
    })
}

impl FlatCode {
    /// The code of a program.
    pub fn new(program: &Program) -> FlatCode {
        let mut flat = FlatCode {
            functions: Vec::new(),
            steps: vec![StepCode::default(); program.steps.len()],
            slots: Vec::new(),
        };
        for (i, function) in program.functions.iter().enumerate() {
            let mut builder = Builder {
                program,
                function,
                id: FunctionId(i as u32),
                flat: &mut flat,
                code: Vec::new(),
                labels: vec![0; function.labels.len()],
                gotos: Vec::new(),
                breaks: Vec::new(),
                continues: Vec::new(),
                open: None,
            };
            builder.function();
            let code = builder.code;
            flat.functions.push(FlatFunction { code });
        }
        for step in &mut flat.steps {
            step.is_simple = is_simple(program, &flat.functions, step);
        }
        flat
    }

    /// The slot's own neighbours as a debugger sees them: the statement that
    /// control comes to after the slot, and those it comes from, `None` if
    /// every way there goes through the slot. Fails where a statement leads
    /// there both through the slot and around it.
    pub fn slot_edge(&self, slot: SlotId) -> Option<(StepId, Option<BTreeSet<StepId>>)> {
        let slot = &self.slots[slot.0 as usize];
        let code = &self.functions[slot.function.index()].code;
        let to = next_step(code, slot.pc)?;
        let through = steps_leading_to(code, slot.pc, None);
        let around = steps_leading_to(code, self.steps[to.index()].start, Some(slot.pc));
        match () {
            () if around.is_empty() => Some((to, None)),
            () if through.contains(&None) || !through.is_disjoint(&around) => None,
            () => Some((to, Some(through.into_iter().flatten().collect()))),
        }
    }
}

/// The first step after an instruction, where only one can be.
fn next_step(code: &[Instruction], mut pc: u32) -> Option<StepId> {
    for _ in 0..code.len() {
        pc = match &code[pc as usize] {
            Instruction::Step(step) => return Some(*step),
            Instruction::Jump(to) => *to,
            Instruction::Branch { .. } | Instruction::Switch { .. } => return None,
            Instruction::Leave | Instruction::Unmodelled => return None,
            _ => pc + 1,
        };
    }
    None
}

/// The steps that control may come from to an instruction without another step
/// between; `None` in the answer is the start of the function. Ways through
/// `without` do not count.
fn steps_leading_to(code: &[Instruction], target: u32, without: Option<u32>) -> BTreeSet<Option<StepId>> {
    let mut found = BTreeSet::new();
    let mut reach = vec![false; code.len()];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); code.len()];
    for pc in 0..code.len() as u32 {
        for next in successors(code, pc) {
            before[next as usize].push(pc);
        }
    }
    let mut work = vec![target];
    while let Some(pc) = work.pop() {
        if pc == 0 {
            found.insert(None);
        }
        for &from in &before[pc as usize] {
            if Some(from) == without || std::mem::replace(&mut reach[from as usize], true) {
                continue;
            }
            match &code[from as usize] {
                Instruction::Step(step) => drop(found.insert(Some(*step))),
                _ => work.push(from),
            }
        }
    }
    found
}

/// The instructions that may follow one.
pub fn successors(code: &[Instruction], pc: u32) -> Vec<u32> {
    match &code[pc as usize] {
        Instruction::Branch { otherwise, .. } => vec![pc + 1, *otherwise],
        Instruction::Jump(to) => vec![*to],
        Instruction::Switch { arms, default, .. } => {
            arms.iter().map(|arm| arm.2).chain(std::iter::once(*default)).collect()
        }
        Instruction::Return(_) => vec![code.len() as u32 - 2],
        Instruction::Leave => Vec::new(),
        _ => vec![pc + 1],
    }
}

struct Builder<'a> {
    program: &'a Program,
    function: &'a Function,
    id: FunctionId,
    flat: &'a mut FlatCode,
    code: Vec<Instruction>,
    labels: Vec<u32>,
    gotos: Vec<(u32, LabelId)>,
    /// Jumps out of each loop or `switch` around here.
    breaks: Vec<Vec<u32>>,
    continues: Vec<Vec<u32>>,
    /// The plain statement whose instructions come now.
    open: Option<StepId>,
}

/// What a list of code is in the user's text.
#[derive(Clone, Copy)]
enum Block {
    /// Statements between braces, the closing one is here.
    Braced(u32),
    /// A single statement without braces.
    Single,
    /// Only the `;` that is here.
    Nothing(u32),
    /// Nothing where statements could be put.
    Other,
}

impl Builder<'_> {
    fn function(&mut self) {
        self.list(&self.function.body, Block::Braced(self.function.span.end.saturating_sub(1)), None);
        self.end_of_step();
        let exit = self.function.exit;
        self.begin(exit);
        self.push(Instruction::Leave);
        self.end_of_step();
        for (pc, label) in std::mem::take(&mut self.gotos) {
            self.code[pc as usize] = Instruction::Jump(self.labels[label.index()]);
        }
        // Labels of `switch` are known only now.
        for instruction in &mut self.code {
            if let Instruction::Switch { arms, default, .. } = instruction {
                let place = |label: u32| self.labels.get(label as usize).copied().unwrap_or(0);
                arms.iter_mut().for_each(|arm| arm.2 = place(arm.2));
                if *default & 1 << 31 != 0 {
                    *default = place(*default & !(1 << 31));
                }
            }
        }
    }

    fn here(&self) -> u32 {
        self.code.len() as u32
    }

    fn push(&mut self, instruction: Instruction) -> u32 {
        self.code.push(instruction);
        self.here() - 1
    }

    fn begin(&mut self, step: StepId) {
        self.end_of_step();
        let start = self.push(Instruction::Step(step));
        self.flat.steps[step.index()] =
            StepCode { function: self.id.0, start, end: start + 1, exists: true, ..StepCode::default() };
        self.open = Some(step);
    }

    fn end_of_step(&mut self) {
        let Some(step) = self.open.take() else { return };
        let start = self.flat.steps[step.index()].start as usize;
        // Variables that are declared behind it without a value are no part of it.
        let own = self.code[start..].iter().rposition(|code| !matches!(code, Instruction::Declare(_)));
        let end = own.filter(|&last| last > 0).map_or(self.here(), |last| (start + last + 1) as u32);
        self.flat.steps[step.index()].end = end;
    }

    /// The condition of the open step ends with a branch.
    fn branch(&mut self, test: &Operand, step: Option<StepId>) -> u32 {
        let end = self.here();
        if let Some(step) = step {
            let code = &mut self.flat.steps[step.index()];
            (code.end, code.is_condition) = (end, true);
        }
        self.open = None;
        self.push(Instruction::Branch { test: test.clone(), step, otherwise: 0 })
    }

    fn land(&mut self, pc: u32) {
        let here = self.here();
        match &mut self.code[pc as usize] {
            Instruction::Branch { otherwise, .. } => *otherwise = here,
            Instruction::Jump(to) => *to = here,
            Instruction::Switch { default, .. } => *default = here,
            _ => {}
        }
    }

    /// `around` is the condition that the list belongs to.
    fn list(&mut self, list: &[Code], block: Block, around: Option<StepId>) {
        let mut last = None;
        for (i, item) in list.iter().enumerate() {
            let after_init = i > 0 && is_for_init(self.program, &list[..i]);
            if let Some((scope, span, compound)) = self.statement(item, after_init, &list[i..]) {
                let insertable = match block {
                    Block::Braced(_) => true,
                    Block::Single => !compound,
                    Block::Nothing(_) | Block::Other => false,
                };
                if insertable && !self.program.macro_uses.contains(&span) {
                    self.slot(scope, SlotPlace::Before(span));
                }
                last = Some(scope);
            }
            if let (Block::Braced(brace), Some(scope), true) = (block, last.or(around), i + 1 == list.len())
                && let Some(span) = self.jump_before(item, brace)
            {
                self.slot(scope, SlotPlace::Before(span));
            }
            self.item(item);
        }
        self.end_of_step();
        let ends = matches!(list.last(), Some(Code::Return(_) | Code::Break | Code::Continue | Code::Goto(_)));
        let is_body = matches!(block, Block::Braced(brace) if brace + 1 == self.function.span.end);
        if let (Block::Braced(brace), false) = (block, ends) {
            let scope = last.or(is_body.then_some(self.function.exit)).or(around);
            if let Some(scope) = scope {
                // What is declared last is visible here too: the exit sees no less.
                self.slot(if is_body { self.function.exit } else { scope }, SlotPlace::AtEnd(brace));
            }
        }
        if let (Block::Nothing(at), Some(scope), None) = (block, around, last) {
            self.slot(scope, SlotPlace::Instead(Span { start: at, end: at + 1 }));
        }
    }

    /// The text of a `break;` or `continue;` right before a closing brace.
    fn jump_before(&self, item: &Code, brace: u32) -> Option<Span> {
        let word = match item {
            Code::Break => "break",
            Code::Continue => "continue",
            _ => return None,
        };
        let text = std::str::from_utf8(self.program.source.bytes.get(..brace as usize)?).ok()?.trim_end();
        let before = text.strip_suffix(';')?.trim_end().strip_suffix(word)?;
        let is_word = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        is_word.then_some(Span { start: before.len() as u32, end: text.len() as u32 })
    }

    fn slot(&mut self, scope: StepId, place: SlotPlace) {
        self.end_of_step();
        let id = SlotId(self.flat.slots.len() as u32);
        let pc = self.push(Instruction::Slot(id));
        self.flat.slots.push(Slot { function: self.id, pc, scope, place, breaks_to: None, continues_to: None });
    }

    /// Whether a source statement begins with `item`: its step, its text, and
    /// whether it has statements inside.
    fn statement(&self, item: &Code, after_init: bool, rest: &[Code]) -> Option<(StepId, Span, bool)> {
        match item {
            Code::Step(step) => {
                let (kind, span, region) =
                    (self.program.step(*step).kind, self.program.step(*step).span, self.program.step(*step).region);
                match kind {
                    StepKind::Declaration | StepKind::Expression | StepKind::Return => Some((*step, span, false)),
                    StepKind::If | StepKind::Switch => Some((*step, Span { end: span.end, ..region }, true)),
                    StepKind::ForInit => {
                        let whole = rest.iter().find_map(|code| match code {
                            Code::Loop(inner) => Some(inner.span),
                            _ => None,
                        })?;
                        Some((*step, whole, true))
                    }
                    StepKind::Loop | StepKind::ForUpdate | StepKind::Exit => None,
                }
            }
            Code::Loop(inner) if !after_init => {
                let step = inner.step.or_else(|| first_step(&inner.body))?;
                Some((step, inner.span, true))
            }
            _ => None,
        }
    }

    fn item(&mut self, item: &Code) {
        match item {
            Code::Step(step) => self.begin(*step),
            Code::Act(action) => {
                if let (Some(step), ActionKind::Call { callee, .. }) = (self.open, &action.kind) {
                    let library = matches!(callee, Callee::Direct(ir::FunctionRef::Library(_)));
                    self.flat.steps[step.index()].calls |= !library;
                }
                self.push(Instruction::Act(action.clone()));
            }
            Code::Declare(local) => drop(self.push(Instruction::Declare(*local))),
            Code::DeclareArray { .. } => drop(self.push(Instruction::Unmodelled)),
            Code::If { test, step, then, otherwise } => self.branches(test, *step, then, otherwise),
            Code::Loop(inner) => self.looping(inner),
            Code::Switch { value, arms, default, body } => self.switch(value, arms, *default, body),
            Code::Label(label) => {
                self.end_of_step();
                self.labels[label.index()] = self.here();
            }
            Code::Goto(label) => {
                self.end_of_step();
                let pc = self.push(Instruction::Jump(0));
                self.gotos.push((pc, *label));
            }
            Code::Break => {
                self.end_of_step();
                let pc = self.push(Instruction::Jump(0));
                self.breaks.iter_mut().last().into_iter().for_each(|open| open.push(pc));
            }
            Code::Continue => {
                self.end_of_step();
                let pc = self.push(Instruction::Jump(0));
                self.continues.iter_mut().last().into_iter().for_each(|open| open.push(pc));
            }
            Code::Return(value) => {
                self.push(Instruction::Return(value.clone()));
                self.end_of_step();
            }
        }
    }

    fn branches(&mut self, test: &Operand, step: Option<StepId>, then: &[Code], otherwise: &[Code]) {
        let (block, else_block) = match step {
            None => (Block::Other, Block::Other),
            Some(step) => {
                let bytes = &self.program.source.bytes;
                let head = self.program.step(step).region.start;
                let first = first_step(otherwise).map(|step| self.program.step(step).region.start);
                let empty = empty_else(bytes, head).filter(|_| otherwise.is_empty());
                let otherwise = match (first, empty) {
                    (Some(first), _) => self.else_block(first),
                    (None, Some(EmptyElse::Braces(brace))) => Block::Braced(brace),
                    (None, Some(EmptyElse::Nothing(at))) => Block::Nothing(at),
                    (None, None) => Block::Other,
                };
                (self.block_of(head), otherwise)
            }
        };
        let branch = match step {
            Some(_) => self.branch(test, step),
            None => self.push(Instruction::Branch { test: test.clone(), step, otherwise: 0 }),
        };
        let open = self.open;
        self.list_of_branch(then, block, step, open);
        if otherwise.is_empty() && matches!(else_block, Block::Other) {
            self.land(branch);
            return;
        }
        let skip = self.push(Instruction::Jump(0));
        self.land(branch);
        self.list_of_branch(otherwise, else_block, step, open);
        self.land(skip);
    }

    /// The branches of `&&`, `||` and `?:` belong to the step they are in.
    fn list_of_branch(&mut self, list: &[Code], block: Block, around: Option<StepId>, open: Option<StepId>) {
        match block {
            Block::Other => {
                self.open = open;
                list.iter().for_each(|item| self.item(item));
            }
            _ => self.list(list, block, around),
        }
        // Behind a constant condition there may be whole statements.
        if first_step(list).is_some() {
            self.end_of_step();
        } else {
            self.open = open;
        }
    }

    fn block(&self, brace: Option<u32>) -> Block {
        brace.map_or(Block::Single, Block::Braced)
    }

    /// What stands after a head.
    fn block_of(&self, head: u32) -> Block {
        let bytes = &self.program.source.bytes;
        match nothing_after_head(bytes, head) {
            Some(at) => Block::Nothing(at),
            None => self.block(block_after_head(bytes, head)),
        }
    }

    fn else_block(&self, first: u32) -> Block {
        let bytes = &self.program.source.bytes;
        match crate::blocks::open_brace_before(bytes, first) {
            Some(open) => self.block(closing_brace(bytes, open)),
            None => Block::Single,
        }
    }

    fn looping(&mut self, inner: &ir::Loop) {
        self.end_of_step();
        self.breaks.push(Vec::new());
        self.continues.push(Vec::new());
        let first = self.flat.slots.len();
        let block = self.block_of(inner.span.start);
        let start = self.here();
        let mut leave = None;
        if !inner.body_first {
            leave = self.condition(inner);
        }
        self.list(&inner.body, block, inner.step);
        for pc in self.continues.pop().unwrap_or_default() {
            self.land(pc);
        }
        let here = self.here();
        self.flat.slots[first..].iter_mut().for_each(|slot| slot.continues_to = slot.continues_to.or(Some(here)));
        inner.update.iter().for_each(|item| self.item(item));
        self.end_of_step();
        if inner.body_first {
            leave = self.condition(inner);
        }
        self.push(Instruction::Jump(start));
        if let Some(leave) = leave {
            self.land(leave);
        }
        self.land_breaks(first);
    }

    /// Lands the jumps out of a loop or `switch` whose slots begin with this one.
    fn land_breaks(&mut self, first: usize) {
        for pc in self.breaks.pop().unwrap_or_default() {
            self.land(pc);
        }
        let here = self.here();
        self.flat.slots[first..].iter_mut().for_each(|slot| slot.breaks_to = slot.breaks_to.or(Some(here)));
    }

    fn condition(&mut self, inner: &ir::Loop) -> Option<u32> {
        inner.condition.iter().for_each(|item| self.item(item));
        let test = inner.test.as_ref()?;
        match inner.step {
            Some(_) => Some(self.branch(test, inner.step)),
            None => {
                self.end_of_step();
                Some(self.push(Instruction::Branch { test: test.clone(), step: None, otherwise: 0 }))
            }
        }
    }

    fn switch(&mut self, value: &Operand, arms: &[(i128, i128, LabelId)], default: Option<LabelId>, body: &[Code]) {
        self.end_of_step();
        self.breaks.push(Vec::new());
        let first = self.flat.slots.len();
        let arms = arms.iter().map(|&(first, last, label)| (first, last, label.0)).collect();
        let known = default.map_or(0, |label| label.0 | 1 << 31);
        let pc = self.push(Instruction::Switch { value: value.clone(), arms, default: known });
        self.list(body, Block::Other, None);
        if default.is_none() {
            self.land(pc);
        }
        self.land_breaks(first);
    }
}

fn is_for_init(program: &Program, before: &[Code]) -> bool {
    let last = before.iter().rev().find_map(|code| match code {
        Code::Step(step) => Some(*step),
        Code::Act(_) | Code::Declare(_) | Code::If { step: None, .. } => None,
        // Anything else ends the search: it is no clause of `for`.
        _ => Some(StepId(u32::MAX)),
    });
    last.is_some_and(|step| step.0 != u32::MAX && program.step(step).kind == StepKind::ForInit)
}

fn first_step(code: &[Code]) -> Option<StepId> {
    code.iter().find_map(|item| match item {
        Code::Step(step) => Some(*step),
        Code::Loop(inner) => inner.step.or_else(|| first_step(&inner.body)),
        Code::Switch { body, .. } => first_step(body),
        _ => None,
    })
}
