//! Where control goes after a source statement.
//!
//! A debugger that sends a program another way than it would go must know
//! which statement comes first on that way: after `if (p) q = 0; r = 1;` with
//! the condition refused, that is `r = 1;`.

use crate::program::{Code, Function, LabelId, Loop, OperandKind, Program, StepId, StepKind};

/// The first step that control reaches after `step`, or `None` where that
/// depends on values.
///
/// At the condition of an `if` or a loop, `decision` says which way to go.
/// Steps for which `has_code` is false are passed over, as in a binary that
/// has no instructions for them. Calls do not matter.
pub fn successor(
    program: &Program,
    step: StepId,
    decision: Option<bool>,
    has_code: &dyn Fn(StepId) -> bool,
) -> Option<StepId> {
    let function = program.function(program.step(step).function);
    if step == function.exit {
        return None;
    }
    if program.step(step).kind == StepKind::Return {
        return has_code(function.exit).then_some(function.exit);
    }
    let mut walk = Walk { function, stack: Vec::new(), decision: decision.map(|taken| (step, taken)), has_code };
    let is_mark = |code: &Code| matches!(code, Code::Step(mark) if *mark == step);
    walk.jump(&is_mark)?;
    walk.next_step()
}

/// Whether the way that a condition goes when it is `decision` leads into a
/// block that declares an array of variable length. A compiler prepares the
/// stack on the way in, so a program that is put there without goes wrong.
pub fn enters_variable_array(program: &Program, step: StepId, decision: bool) -> bool {
    let Some(next) = successor(program, step, Some(decision), &|_| true) else { return false };
    let function = program.function(program.step(step).function);
    let way_to = |step: StepId| {
        let mut stack = Vec::new();
        find(&function.body, Owner::Function, &|code| matches!(code, Code::Step(mark) if *mark == step), &mut stack);
        stack
    };
    let from = way_to(step);
    let is_new = |cursor: &Cursor<'_>| !from.iter().any(|other| std::ptr::eq(other.code, cursor.code));
    let declares = |cursor: &Cursor<'_>| cursor.code.iter().any(|code| matches!(code, Code::DeclareArray { .. }));
    way_to(next).iter().any(|cursor| is_new(cursor) && declares(cursor))
}

/// More moves than this without meeting a step is an endless loop of nothing.
const MOVES: usize = 100_000;

struct Walk<'a> {
    function: &'a Function,
    /// The lists of code that control is in, the innermost last.
    stack: Vec<Cursor<'a>>,
    /// The way to go at the condition of a step, until it is used.
    decision: Option<(StepId, bool)>,
    has_code: &'a dyn Fn(StepId) -> bool,
}

/// A place in a list of code.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    code: &'a [Code],
    next: usize,
    owner: Owner<'a>,
}

/// What a list of code is part of, which says what follows at its end.
#[derive(Clone, Copy)]
enum Owner<'a> {
    Function,
    Branch,
    Switch,
    Condition(&'a Loop),
    Body(&'a Loop),
    Update(&'a Loop),
}

impl<'a> Walk<'a> {
    fn next_step(&mut self) -> Option<StepId> {
        for _ in 0..MOVES {
            let cursor = self.stack.last_mut()?;
            let Some(code) = cursor.code.get(cursor.next) else {
                match self.leave()? {
                    Some(exit) => return Some(exit),
                    None => continue,
                }
            };
            cursor.next += 1;
            match code {
                Code::Step(step) if (self.has_code)(*step) => return Some(*step),
                Code::Return(_) => return self.exit(),
                _ => self.follow(code)?,
            }
        }
        None
    }

    fn exit(&self) -> Option<StepId> {
        (self.has_code)(self.function.exit).then_some(self.function.exit)
    }

    /// Goes on after the end of the innermost list; at the end of the function
    /// the answer is its exit.
    fn leave(&mut self) -> Option<Option<StepId>> {
        let owner = self.stack.pop()?.owner;
        match owner {
            Owner::Function => return self.exit().map(Some),
            Owner::Branch | Owner::Switch => {}
            Owner::Body(inner) => self.enter(&inner.update, Owner::Update(inner)),
            Owner::Update(inner) => self.enter(&inner.condition, Owner::Condition(inner)),
            Owner::Condition(inner) => {
                let taken = match &inner.test {
                    None => true,
                    Some(test) => self.decide(inner.step, &test.kind)?,
                };
                if taken {
                    self.enter(&inner.body, Owner::Body(inner));
                }
            }
        }
        Some(None)
    }

    fn enter(&mut self, code: &'a [Code], owner: Owner<'a>) {
        self.stack.push(Cursor { code, next: 0, owner });
    }

    /// Which way a condition goes: as decided, or as its constant says.
    fn decide(&mut self, step: Option<StepId>, test: &OperandKind) -> Option<bool> {
        match self.decision {
            Some((decided, taken)) if step == Some(decided) => {
                self.decision = None;
                Some(taken)
            }
            _ => match test {
                OperandKind::Int(value) => Some(*value != 0),
                _ => None,
            },
        }
    }

    fn follow(&mut self, code: &'a Code) -> Option<()> {
        match code {
            Code::If { test, step: Some(step), then, otherwise } => {
                let taken = self.decide(Some(*step), &test.kind)?;
                self.enter(if taken { then } else { otherwise }, Owner::Branch);
            }
            Code::Loop(inner) if inner.body_first => self.enter(&inner.body, Owner::Body(inner)),
            Code::Loop(inner) => self.enter(&inner.condition, Owner::Condition(inner)),
            Code::Goto(label) => self.go_to(*label)?,
            Code::Break => self.break_out()?,
            Code::Continue => self.continue_loop()?,
            // Which arm comes first depends on the value.
            Code::Switch { .. } => return None,
            // The branches of `&&`, `||` and `?:` belong to the step they are in.
            Code::If { step: None, .. } => {}
            Code::Step(_) | Code::Act(_) | Code::Declare(_) | Code::DeclareArray { .. } => {}
            Code::Label(_) | Code::Return(_) => {}
        }
        Some(())
    }

    fn go_to(&mut self, label: LabelId) -> Option<()> {
        self.jump(&|code| matches!(code, Code::Label(found) if *found == label))
    }

    fn break_out(&mut self) -> Option<()> {
        loop {
            match self.stack.pop()?.owner {
                Owner::Function => return None,
                Owner::Branch => {}
                _ => return Some(()),
            }
        }
    }

    fn continue_loop(&mut self) -> Option<()> {
        loop {
            match self.stack.pop()?.owner {
                Owner::Function => return None,
                Owner::Body(inner) => {
                    self.enter(&inner.update, Owner::Update(inner));
                    return Some(());
                }
                _ => {}
            }
        }
    }

    /// Puts control just after the code that `is_target` knows.
    fn jump(&mut self, is_target: &dyn Fn(&Code) -> bool) -> Option<()> {
        self.stack.clear();
        let function = self.function;
        find(&function.body, Owner::Function, is_target, &mut self.stack).then_some(())
    }
}

/// Searches `code` and what is inside; `stack` is the way to it.
fn find<'a>(
    code: &'a [Code],
    owner: Owner<'a>,
    is_target: &dyn Fn(&Code) -> bool,
    stack: &mut Vec<Cursor<'a>>,
) -> bool {
    for (i, item) in code.iter().enumerate() {
        stack.push(Cursor { code, next: i + 1, owner });
        let found = is_target(item)
            || match item {
                Code::If { then, otherwise, .. } => {
                    find(then, Owner::Branch, is_target, stack) || find(otherwise, Owner::Branch, is_target, stack)
                }
                Code::Switch { body, .. } => find(body, Owner::Switch, is_target, stack),
                Code::Loop(inner) => {
                    find(&inner.condition, Owner::Condition(inner), is_target, stack)
                        || find(&inner.body, Owner::Body(inner), is_target, stack)
                        || find(&inner.update, Owner::Update(inner), is_target, stack)
                }
                _ => false,
            };
        if found {
            return true;
        }
        stack.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use c_syntax::{Source, Span};
    use c_types::Types;

    use super::*;
    use crate::program::{FunctionId, LocalId, Operand, Step};

    fn step(n: u32) -> Code {
        Code::Step(StepId(n))
    }

    fn test(kind: OperandKind, types: &mut Types) -> Operand {
        Operand { kind, ty: types.int(4, true), span: Span::default() }
    }

    fn unknown(types: &mut Types) -> Operand {
        test(OperandKind::Local(LocalId(0)), types)
    }

    /// Step 0 is the exit; the last of the others may be given a kind.
    fn program(body: Vec<Code>, steps: u32, mut types: Types) -> Program {
        let int = types.int(4, true);
        let (name, span, exit) = (Arc::from("main"), Span::default(), StepId(0));
        let (parameters, named, variadic, locals) = (0, 0, false, Vec::new());
        let (labels, jumps) = (Vec::new(), Vec::new());
        let function = Function {
            name,
            ty: int,
            result: int,
            parameters,
            named,
            variadic,
            locals,
            body,
            labels,
            jumps,
            span,
            exit,
        };
        let kind = |n| if n == 0 { StepKind::Exit } else { StepKind::Expression };
        let step = |n| Step {
            function: FunctionId(0),
            kind: kind(n),
            span,
            region: span,
            line: 1,
            visible: Vec::new(),
            allocates: None,
        };
        Program {
            source: Arc::new(Source::new("a.c", Vec::new())),
            types: Arc::new(types),
            globals: Vec::new(),
            selectors: Vec::new(),
            functions: vec![function],
            texts: Vec::new(),
            steps: (0..steps).map(step).collect(),
            names: Default::default(),
            notices: Vec::new(),
            macro_uses: Default::default(),
            warnings: Vec::new(),
        }
    }

    fn after(program: &Program, step: u32, decision: Option<bool>) -> Option<u32> {
        successor(program, StepId(step), decision, &|_| true).map(|step| step.0)
    }

    /// `1 if { 2 } else { 3 } 4`
    #[test]
    fn an_if_goes_where_it_is_told() {
        let mut types = Types::new();
        let (then, otherwise) = (vec![step(2)], vec![step(3)]);
        let branch = Code::If { test: unknown(&mut types), step: Some(StepId(1)), then, otherwise };
        let program = program(vec![step(1), branch, step(4)], 5, types);
        assert_eq!(after(&program, 1, Some(true)), Some(2));
        assert_eq!(after(&program, 1, Some(false)), Some(3));
        assert_eq!(after(&program, 1, None), None);
        assert_eq!(after(&program, 2, None), Some(4));
        assert_eq!(after(&program, 3, None), Some(4));
        assert_eq!(after(&program, 4, None), Some(0));
    }

    fn a_loop(types: &mut Types, body: Vec<Code>, body_first: bool) -> Code {
        let (test, span) = (Some(unknown(types)), Span::default());
        let (condition, update) = (vec![step(1)], vec![step(2)]);
        Code::Loop(Box::new(Loop { body_first, step: Some(StepId(1)), condition, test, body, update, span }))
    }

    /// `for (; 1; 2) { 3; break | continue } 4`
    #[test]
    fn loops_go_round_and_end() {
        let mut types = Types::new();
        let inner = a_loop(&mut types, vec![step(3)], false);
        let looping = program(vec![inner, step(4)], 5, types.clone());
        assert_eq!(after(&looping, 1, Some(true)), Some(3));
        assert_eq!(after(&looping, 1, Some(false)), Some(4));
        assert_eq!(after(&looping, 3, None), Some(2));
        assert_eq!(after(&looping, 2, None), Some(1));
        let inner = a_loop(&mut types, vec![step(3), Code::Break], false);
        assert_eq!(after(&program(vec![inner, step(4)], 5, types.clone()), 3, None), Some(4));
        let inner = a_loop(&mut types, vec![Code::Continue, step(3)], false);
        assert_eq!(after(&program(vec![inner, step(4)], 5, types), 1, Some(true)), Some(2));
    }

    #[test]
    fn a_do_loop_begins_with_its_body() {
        let mut types = Types::new();
        let inner = a_loop(&mut types, vec![step(3)], true);
        let program = program(vec![step(4), inner], 5, types);
        assert_eq!(after(&program, 4, None), Some(3));
        assert_eq!(after(&program, 1, Some(false)), Some(0));
    }

    #[test]
    fn goto_and_return_are_followed() {
        let label = LabelId(7);
        let body = vec![step(1), Code::Goto(label), step(2), Code::Label(label), Code::Return(None), step(3)];
        let program = program(body, 4, Types::new());
        assert_eq!(after(&program, 1, None), Some(0));
        assert_eq!(after(&program, 2, None), Some(0));
    }

    #[test]
    fn steps_without_code_are_passed_over() {
        let mut types = Types::new();
        let constant = test(OperandKind::Int(0), &mut types);
        let branch = Code::If { test: constant, step: Some(StepId(2)), then: vec![step(3)], otherwise: Vec::new() };
        let program = program(vec![step(1), step(2), branch, step(4)], 5, types);
        let next = successor(&program, StepId(1), None, &|step| step != StepId(2));
        assert_eq!(next, Some(StepId(4)));
    }

    /// `while (1) ;` in a binary that has no code for any of it.
    #[test]
    fn an_endless_loop_of_nothing_has_no_successor() {
        let mut types = Types::new();
        let forever = Loop {
            body_first: false,
            step: None,
            condition: Vec::new(),
            test: Some(test(OperandKind::Int(1), &mut types)),
            body: Vec::new(),
            update: Vec::new(),
            span: Span::default(),
        };
        let program = program(vec![step(1), Code::Loop(Box::new(forever))], 2, types);
        assert_eq!(after(&program, 1, None), None);
    }
}
