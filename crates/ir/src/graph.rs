//! The control flow of a function as a graph, for what looks at all ways at once.
//!
//! Structured code is followed from its end to its start, so that the node
//! which comes next is known when a node is made. Without its steps,
//! `while (p) p = p->next;` is
//!
//! ```text
//! 5  t1 := p != null    then 4
//! 4  t1                 then 3 or 0
//! 3  p := p.next        then 1
//! 2  head of the loop   then 5
//! 1  end of its body    then 2
//! 0  exit
//! ```

use crate::program::*;

/// What happens at a node.
#[derive(Clone, Copy)]
pub(crate) enum Event<'a> {
    /// Nothing: ways meet here.
    Meet,
    /// A source statement begins.
    Step(StepId),
    /// A variable comes into being.
    Declare(LocalId),
    /// An action.
    Act(&'a ActionKind),
    /// A test, a value of `switch` or `return`, or the size of an array is read.
    Read(&'a Operand),
}

/// The nodes of a function.
pub(crate) struct Graph<'a> {
    /// What happens at each node.
    pub events: Vec<Event<'a>>,
    /// The nodes that may follow each node.
    pub next: Vec<Vec<usize>>,
    /// The node that a call begins with.
    pub entry: usize,
}

/// The node of the closing brace.
const EXIT: usize = 0;

impl<'a> Graph<'a> {
    /// The control flow of `function`.
    pub fn new(function: &'a Function) -> Self {
        let graph = Graph { events: Vec::new(), next: Vec::new(), entry: EXIT };
        let mut builder = Builder { graph, labels: Vec::new(), breaks: Vec::new(), continues: Vec::new() };
        builder.node(Event::Step(function.exit), Vec::new());
        // A label that stands nowhere leads to the end.
        builder.labels = function.labels.iter().map(|_| builder.node(Event::Meet, vec![EXIT])).collect();
        builder.graph.entry = builder.code(&function.body, EXIT);
        builder.graph
    }

    /// All actions of the function.
    pub fn actions(&self) -> impl Iterator<Item = &'a ActionKind> {
        self.events.iter().filter_map(|event| match event {
            Event::Act(action) => Some(*action),
            _ => None,
        })
    }

    /// The nodes that control may come to, if it ends at those that `ends` tells.
    pub fn reached(&self, ends: impl Fn(Event<'a>) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.events.len()];
        let mut open = vec![self.entry];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut reached[node], true) && !ends(self.events[node]) {
                open.extend(&self.next[node]);
            }
        }
        reached
    }

    /// The nodes that may come before each node.
    pub fn previous(&self) -> Vec<Vec<usize>> {
        let mut previous = vec![Vec::new(); self.next.len()];
        for (node, next) in self.next.iter().enumerate() {
            next.iter().for_each(|&to| previous[to].push(node));
        }
        previous
    }
}

struct Builder<'a> {
    graph: Graph<'a>,
    /// The node of each label.
    labels: Vec<usize>,
    /// Where `break` leads to, in each open loop or `switch`.
    breaks: Vec<usize>,
    /// Where `continue` leads to, in each open loop.
    continues: Vec<usize>,
}

impl<'a> Builder<'a> {
    fn node(&mut self, event: Event<'a>, next: Vec<usize>) -> usize {
        self.graph.events.push(event);
        self.graph.next.push(next);
        self.graph.events.len() - 1
    }

    /// The node that `code` begins with, if `next` follows its end.
    fn code(&mut self, code: &'a [Code], next: usize) -> usize {
        code.iter().rfold(next, |next, item| self.item(item, next))
    }

    fn item(&mut self, item: &'a Code, next: usize) -> usize {
        match item {
            Code::Step(step) => self.node(Event::Step(*step), vec![next]),
            Code::Act(action) => self.node(Event::Act(&action.kind), vec![next]),
            Code::Declare(local) => self.node(Event::Declare(*local), vec![next]),
            Code::DeclareArray { size, .. } => self.node(Event::Read(size), vec![next]),
            Code::If { test, step, then, otherwise } => {
                let (yes, no) = (self.code(then, next), self.code(otherwise, next));
                self.test(test, *step, yes, no)
            }
            Code::Loop(looped) => self.looped(looped, next),
            Code::Switch { value, arms, default, body } => self.switch(value, arms, *default, body, next),
            Code::Label(label) => {
                let node = self.labels[label.index()];
                self.graph.next[node] = vec![next];
                node
            }
            Code::Goto(label) => self.labels[label.index()],
            Code::Break => self.breaks.last().copied().unwrap_or(EXIT),
            Code::Continue => self.continues.last().copied().unwrap_or(EXIT),
            Code::Return(None) => EXIT,
            Code::Return(Some(value)) => self.node(Event::Read(value), vec![EXIT]),
        }
    }

    /// A constant goes one way only, except where a debugger can send the program the other way.
    fn test(&mut self, test: &'a Operand, step: Option<StepId>, yes: usize, no: usize) -> usize {
        match test.kind {
            OperandKind::Int(0) if step.is_none() => no,
            OperandKind::Int(_) if step.is_none() => yes,
            _ => self.node(Event::Read(test), vec![yes, no]),
        }
    }

    fn looped(&mut self, looped: &'a Loop, next: usize) -> usize {
        let again = self.node(Event::Meet, Vec::new());
        let head = self.node(Event::Meet, Vec::new());
        self.breaks.push(next);
        self.continues.push(again);
        let body = self.code(&looped.body, again);
        let test = looped.test.as_ref().map_or(body, |test| self.test(test, looped.step, body, next));
        self.graph.next[head] = vec![self.code(&looped.condition, test)];
        self.graph.next[again] = vec![self.code(&looped.update, head)];
        self.breaks.pop();
        self.continues.pop();
        if looped.body_first { body } else { head }
    }

    fn switch(
        &mut self,
        value: &'a Operand,
        arms: &[(i128, i128, LabelId)],
        default: Option<LabelId>,
        body: &'a [Code],
        next: usize,
    ) -> usize {
        self.breaks.push(next);
        // The body is entered only at its labels.
        self.code(body, next);
        self.breaks.pop();
        let label = |label: LabelId| self.labels[label.index()];
        let arms = arms.iter().map(|arm| label(arm.2));
        let ways = arms.chain([default.map_or(next, label)]).collect();
        self.node(Event::Read(value), ways)
    }
}
