//! A run as instances of statements (H §2.1): `⟨4, line 4⟩ (s-a[i=1]<0)`.
//!
//! Assignments have the cell that is written and what is written as a sum;
//! conditions are shown as they held. What a statement did beyond that (a call
//! of the library, a conversion that cuts bits off) follows as an instance of
//! its own that gives cells the numbers that the run gave them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use c_syntax::{BinaryOp, Expr, ExprKind, Function, Span, Stmt, StmtKind, UnaryOp, Unit};
use check::{Example, Ran, Side, Visit, visits};
use ir::{StepId, StepKind};
use memory::State;

use super::linear::{Cell, Linear, Values};
use super::predicate::{Formula, Predicate};
use super::read::{Moment, values_of};

/// Statements of a run that are looked at.
const MOST_VISITS: usize = 600;

/// The cell of what the function returns.
pub const RESULT: &str = "result";

/// A statement as it was run.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The statement.
    pub step: StepId,
    /// Its line.
    pub line: u32,
    /// Its text.
    pub span: Span,
    /// The call that it was run in, outermost 0.
    pub frame: usize,
    /// What it did.
    pub kind: Kind,
    /// The memory before it.
    pub state: Arc<State>,
    /// The numbers before it.
    pub values: Arc<Values>,
}

/// What an instance did.
#[derive(Clone, Debug)]
pub enum Kind {
    /// `target = value`
    Assign {
        /// The cell.
        target: Cell,
        /// What it gets.
        value: Linear,
        /// The text of the target, if it is written there alone.
        left: Option<Span>,
        /// The text of the value, if it is.
        right: Option<Span>,
        /// The text of the whole assignment.
        whole: Option<Span>,
    },
    /// A condition, as it held.
    Branch {
        /// What held.
        held: Formula,
        /// Whether the condition did.
        taken: bool,
        /// The condition.
        span: Span,
        /// Whether it is that of a loop.
        is_loop: bool,
        /// The comparisons that it is made of.
        comparisons: Vec<Comparison>,
    },
    /// Cells that got numbers.
    Opaque(Vec<(Cell, i128)>),
}

/// A comparison in a condition, or another operator in the place of one.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The operator.
    pub operator: BinaryOp,
    /// Where it is written.
    pub token: Span,
    /// The left operand and its text.
    pub left: (Linear, Span),
    /// The right operand and its text.
    pub right: (Linear, Span),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The function returned.
    Returned,
    /// It crashed at this place.
    Crashed(execute::Fault),
    /// It was cut.
    Endless,
}

/// A run of a function.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Its inputs.
    pub example: Example,
    /// Its instances.
    pub instances: Vec<Instance>,
    /// The memory at the first statement of the function.
    pub first: Arc<State>,
    /// The numbers at the end, and the result.
    pub last: Arc<Values>,
    /// The numbers at the start.
    pub start: Arc<Values>,
    /// How it ended.
    pub end: End,
    /// What should have held where it crashed, so that it would not.
    pub needed: Vec<Predicate>,
    /// The call of the function, outermost 0.
    pub frame: usize,
}

/// An expression or declaration that a step runs.
enum Node<'a> {
    Expr(&'a Expr),
    Declare(Vec<c_syntax::VariableId>),
    Return(&'a Expr),
    Condition(&'a Expr),
}

/// The run of a function with these inputs; none if it cannot be run.
pub fn trace(side: &Side, example: &Example) -> Option<Trace> {
    let (visits, ran) = visits(side, example, MOST_VISITS);
    let is_own = |visit: &Visit| (side.program.step(visit.step).span.end as usize) <= side.own;
    let first = visits.iter().position(is_own)?;
    let after = visits[first..].iter().rposition(is_own).map(|last| first + last + 1)?;
    let end = match (&ran, visits.len() >= MOST_VISITS) {
        (_, true) | (Ran::Endless, _) => End::Endless,
        (Ran::Wrong(fault), _)
            if fault.span.is_some_and(|span| (span.end as usize) <= side.own) || after == visits.len() =>
        {
            End::Crashed(fault.clone())
        }
        _ => End::Returned,
    };
    let mut writer =
        Writer { unit: &side.unit, side, nodes: nodes(&side.unit, side.own), instances: vec![], expected: None };
    let own = &visits[first..after];
    for (number, visit) in own.iter().enumerate() {
        writer.visit(visit, own.get(number + 1));
    }
    let last = match visits.get(after) {
        Some(visit) => {
            let values = values_of(&visit.state);
            writer.reconcile(&values, own.last()?);
            values
        }
        None => writer.expected.clone().unwrap_or_default(),
    };
    let mut last = last;
    let result = writer.instances.iter().rev().find_map(|instance| match &instance.kind {
        Kind::Assign { target, value, .. } if &*target.key == RESULT => value.value(&instance.values),
        _ => None,
    });
    last.extend(result.map(|result| (RESULT.into(), result)));
    let needed = match &end {
        End::Crashed(_) => writer.needed(own.last()?),
        _ => vec![],
    };
    let first = Arc::new(own[0].state.clone());
    let start = Arc::new(values_of(&first));
    let frame = first.frames.len().saturating_sub(1);
    Some(Trace {
        example: example.clone(),
        instances: writer.instances,
        first,
        last: Arc::new(last),
        start,
        end,
        needed,
        frame,
    })
}

struct Writer<'a> {
    unit: &'a Unit,
    side: &'a Side,
    nodes: BTreeMap<Span, Node<'a>>,
    instances: Vec<Instance>,
    /// The numbers that there should be at the next statement.
    expected: Option<Values>,
}

impl Writer<'_> {
    fn visit(&mut self, visit: &Visit, next: Option<&Visit>) {
        let values = values_of(&visit.state);
        self.reconcile(&values, visit);
        let info = self.side.program.step(visit.step);
        self.expected = Some(values.clone());
        if info.kind == StepKind::Exit {
            return;
        }
        let frame = visit.state.frames.len() - 1;
        let moment = Moment { unit: self.unit, state: &visit.state, values: &values, frame };
        let node = self.nodes.iter().filter(|(span, _)| info.span.covers(**span)).max_by_key(|(span, _)| span.len());
        let mut kinds = vec![];
        match node.map(|(_, node)| node) {
            Some(Node::Expr(expr)) => kinds.extend(assignments(&moment, expr)),
            Some(Node::Declare(all)) => kinds.extend(all.iter().filter_map(|id| declaration(&moment, *id))),
            Some(Node::Return(expr)) => {
                let is_last = frame == self.base_frame(frame);
                kinds.extend(returned(&moment, expr).filter(|_| is_last));
            }
            Some(Node::Condition(expr)) => {
                kinds.extend(branch(&moment, expr, info.kind == StepKind::Loop));
            }
            None => {}
        }
        for kind in kinds {
            self.push(visit, info.line, info.span, frame, kind);
        }
        if let Some(next) = next.filter(|next| next.state.frames.len() > visit.state.frames.len()) {
            self.enter(visit, next, node_call(self.nodes.iter(), info.span));
        }
    }

    /// The frame of the function itself.
    fn base_frame(&self, frame: usize) -> usize {
        self.instances.first().map_or(frame, |first| first.frame)
    }

    fn push(&mut self, visit: &Visit, line: u32, span: Span, frame: usize, kind: Kind) {
        let before = self.expected.clone().unwrap_or_default();
        let mut after = before.clone();
        match &kind {
            Kind::Assign { target, value, .. } => {
                if let Some(value) = value.value(&before) {
                    after.insert(target.key.clone(), value);
                }
            }
            Kind::Opaque(changed) => {
                changed.iter().for_each(|(cell, value)| _ = after.insert(cell.key.clone(), *value))
            }
            Kind::Branch { .. } => {}
        }
        self.expected = Some(after);
        let (state, values) = (Arc::new(visit.state.clone()), Arc::new(before));
        self.instances.push(Instance { step: visit.step, line, span, frame, kind, state, values });
    }

    /// What should hold before the statement that crashes: that indices are inside of arrays, and divisors not 0.
    fn needed(&self, visit: &Visit) -> Vec<Predicate> {
        let values = values_of(&visit.state);
        let span = self.side.program.step(visit.step).span;
        let frame = visit.state.frames.len() - 1;
        let moment = Moment { unit: self.unit, state: &visit.state, values: &values, frame };
        let node = self.nodes.iter().filter(|(own, _)| span.covers(**own)).max_by_key(|(own, _)| own.len());
        let mut found = vec![];
        match node.map(|(_, node)| node) {
            Some(Node::Expr(expr) | Node::Return(expr) | Node::Condition(expr)) => needs(&moment, expr, &mut found),
            Some(Node::Declare(all)) => {
                let inits = all.iter().filter_map(|id| self.unit.variables[id.0 as usize].init.as_ref());
                inits.for_each(|init| needs(&moment, init, &mut found));
            }
            None => {}
        }
        found.retain(|predicate| !predicate.truth);
        found
    }

    /// The parameters of a call get their values.
    fn enter(&mut self, visit: &Visit, next: &Visit, arguments: Option<(String, Vec<Expr>)>) {
        let values = values_of(&visit.state);
        let frame = visit.state.frames.len() - 1;
        let info = self.side.program.step(visit.step);
        let (line, span) = (info.line, info.span);
        let inner = values_of(&next.state);
        let called = self.side.program.function(self.side.program.step(next.step).function).name.to_string();
        let function = self.unit.functions.iter().find(|function| *function.name == *called);
        let Some(function) = function else { return };
        let known = arguments.filter(|(name, all)| *name == called && all.len() == function.parameters.len());
        for (number, id) in function.parameters.clone().iter().enumerate() {
            let variable = &self.unit.variables[id.0 as usize];
            if !self.unit.types.is_integer(variable.ty) {
                continue;
            }
            let moment = Moment { unit: self.unit, state: &visit.state, values: &values, frame };
            let key: Arc<str> = format!("{}:{}", frame + 1, variable.name).into();
            let Some(actual) = inner.get(&key).copied() else { continue };
            let value = known.as_ref().and_then(|(_, all)| moment.value(&all[number]));
            let value = value.filter(|value| value.value(&values) == Some(actual)).unwrap_or(Linear::number(actual));
            let target = Cell::variable(key, variable.name.clone());
            let kind = Kind::Assign { target, value, left: None, right: None, whole: None };
            self.push(visit, line, span, frame, kind);
        }
    }

    /// What changed and was not expected becomes an instance of its own.
    fn reconcile(&mut self, values: &Values, visit: &Visit) {
        let Some(expected) = &self.expected else { return };
        let changed: Vec<(Cell, i128)> = expected
            .iter()
            .filter_map(|(key, old)| values.get(key).filter(|new| *new != old).map(|new| (key, *new)))
            .map(|(key, new)| (cell_of_key(key), new))
            .collect();
        if changed.is_empty() {
            return;
        }
        let Some(last) = self.instances.last() else { return };
        let (step, line, span, frame) = (last.step, last.line, last.span, last.frame);
        let before = expected.clone();
        let state = Arc::new(visit.state.clone());
        self.instances.push(Instance {
            step,
            line,
            span,
            frame,
            kind: Kind::Opaque(changed),
            state,
            values: Arc::new(before),
        });
    }
}

/// A cell for a key that the run changed.
pub fn cell_of_key(key: &Arc<str>) -> Cell {
    let name = key.split(':').next_back().unwrap_or(key);
    match name.split_once('[') {
        Some((array, rest)) if rest.ends_with(']') && !rest.contains('[') => Cell {
            key: key.clone(),
            name: array.strip_suffix("_cells").unwrap_or(array).into(),
            element: rest.trim_end_matches(']').parse().ok(),
            index: None,
        },
        _ => Cell::variable(key.clone(), name),
    }
}

/// What an expression needs so that it does not crash.
fn needs(moment: &Moment<'_>, expr: &Expr, found: &mut Vec<Predicate>) {
    match &expr.kind {
        ExprKind::Index(base, index) => {
            needs(moment, index, found);
            if let (Some(target), Some(index)) = (moment.pointer(base), moment.value(index))
                && let Some(start) = target.element
            {
                let prefix = format!("{}[", target.object);
                let count = moment.values.keys().filter(|key| key.starts_with(&prefix)).count() as i128;
                let (low, high) = (Linear::number(-i128::from(start)), Linear::number(count - i128::from(start)));
                found.extend(Predicate::new(&index, BinaryOp::GreaterEqual, &low, moment.values));
                found.extend(Predicate::new(&index, BinaryOp::Less, &high, moment.values));
            }
        }
        ExprKind::Binary(op, a, b) => {
            needs(moment, a, found);
            needs(moment, b, found);
            if let (BinaryOp::Divide | BinaryOp::Remainder, Some(divisor)) = (op, moment.value(b)) {
                found.extend(Predicate::new(&divisor, BinaryOp::NotEqual, &Linear::number(0), moment.values));
            }
        }
        ExprKind::Assign(a, b) | ExprKind::Compound(_, a, b, _) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            needs(moment, a, found);
            needs(moment, b, found);
        }
        ExprKind::Load(of) | ExprKind::Convert(of) | ExprKind::Discard(of) | ExprKind::Unary(_, of) => {
            needs(moment, of, found);
        }
        _ => {}
    }
}

/// The call in a statement that is one.
fn node_call<'a>(nodes: impl Iterator<Item = (&'a Span, &'a Node<'a>)>, span: Span) -> Option<(String, Vec<Expr>)> {
    let node = nodes.filter(|(own, _)| span.covers(**own)).max_by_key(|(own, _)| own.len())?.1;
    let mut expr = match node {
        Node::Expr(expr) | Node::Return(expr) | Node::Condition(expr) => *expr,
        Node::Declare(_) => return None,
    };
    loop {
        match &expr.kind {
            ExprKind::Discard(of) | ExprKind::Convert(of) => expr = of,
            ExprKind::Assign(_, right) => expr = right,
            ExprKind::Call(callee, arguments) => {
                let mut callee = &**callee;
                while let ExprKind::Convert(of) | ExprKind::Decay(of) | ExprKind::Load(of) = &callee.kind {
                    callee = of;
                }
                let ExprKind::Function(name) = &callee.kind else { return None };
                return Some((name.to_string(), arguments.clone()));
            }
            _ => return None,
        }
    }
}

/// The assignments of an expression statement.
fn assignments(moment: &Moment<'_>, expr: &Expr) -> Vec<Kind> {
    let whole = Some(expr.span);
    let one = |target: Cell, value: Linear, left, right| vec![Kind::Assign { target, value, left, right, whole }];
    match &expr.kind {
        ExprKind::Discard(of) | ExprKind::Convert(of) => assignments(moment, of),
        ExprKind::Comma(a, b) => [assignments(moment, a), assignments(moment, b)].concat(),
        ExprKind::Assign(left, right) => match (moment.cell(left), moment.value(right)) {
            (Some(target), Some(value)) => one(target, value, Some(left.span), Some(right.span)),
            _ => vec![],
        },
        ExprKind::Compound(op, left, right, _) => {
            let (Some(target), Some(by)) = (moment.cell(left), moment.value(right)) else { return vec![] };
            let before = Linear::cell(target.clone());
            let value = match op {
                BinaryOp::Add => before.plus(&by, 1),
                BinaryOp::Subtract => before.plus(&by, -1),
                other => Linear::apply(other.text(), before, by),
            };
            one(target, value, Some(left.span), None)
        }
        ExprKind::Unary(op, of) => {
            let by = match op {
                UnaryOp::PreIncrement | UnaryOp::PostIncrement => 1,
                UnaryOp::PreDecrement | UnaryOp::PostDecrement => -1,
                _ => return vec![],
            };
            let Some(target) = moment.cell(of) else { return vec![] };
            let value = Linear::cell(target.clone()).plus(&Linear::number(by), 1);
            one(target, value, Some(of.span), None)
        }
        _ => vec![],
    }
}

fn declaration(moment: &Moment<'_>, id: c_syntax::VariableId) -> Option<Kind> {
    let variable = &moment.unit.variables[id.0 as usize];
    let init = variable.init.as_ref()?;
    if !moment.unit.types.is_integer(variable.ty) {
        return None;
    }
    let value = moment.value(init)?;
    let target = Cell::variable(moment.key(id), variable.name.clone());
    Some(Kind::Assign { target, value, left: None, right: Some(init.span), whole: None })
}

fn returned(moment: &Moment<'_>, expr: &Expr) -> Option<Kind> {
    let value = moment.value(expr)?;
    let target = Cell::variable(RESULT, "\\result");
    Some(Kind::Assign { target, value, left: None, right: Some(expr.span), whole: None })
}

fn branch(moment: &Moment<'_>, expr: &Expr, is_loop: bool) -> Option<Kind> {
    let condition = moment.condition(expr)?;
    let taken = condition.truth();
    let held = if taken { condition } else { condition.negated() };
    let mut found = vec![];
    comparisons(moment, expr, &mut found);
    Some(Kind::Branch { held, taken, span: expr.span, is_loop, comparisons: found })
}

fn comparisons(moment: &Moment<'_>, expr: &Expr, found: &mut Vec<Comparison>) {
    match &expr.kind {
        ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            comparisons(moment, a, found);
            comparisons(moment, b, found);
        }
        ExprKind::Unary(UnaryOp::Not, of) | ExprKind::Convert(of) => comparisons(moment, of, found),
        ExprKind::Binary(operator, a, b) => {
            if let (Some(left), Some(right), Some(token)) = (moment.value(a), moment.value(b), expr.token) {
                let (left, right) = ((left, a.span), (right, b.span));
                found.push(Comparison { operator: *operator, token, left, right });
            }
        }
        _ => {}
    }
}

/// What the user's functions run, by its place.
fn nodes(unit: &Unit, own: usize) -> BTreeMap<Span, Node<'_>> {
    let mut found = BTreeMap::new();
    let is_own = |function: &&Function| function.own && (function.span.start as usize) < own;
    for function in unit.functions.iter().filter(is_own) {
        function.body.iter().for_each(|statement| collect(statement, &mut found));
    }
    found
}

fn collect<'a>(statement: &'a Stmt, found: &mut BTreeMap<Span, Node<'a>>) {
    let condition = |expr: &'a Expr, found: &mut BTreeMap<Span, Node<'a>>| {
        found.insert(expr.span, Node::Condition(expr));
    };
    match &statement.kind {
        StmtKind::Block(all) => all.iter().for_each(|inner| collect(inner, found)),
        StmtKind::Declare(all) => _ = found.insert(statement.span, Node::Declare(all.clone())),
        StmtKind::Expr(expr) => _ = found.insert(expr.span, Node::Expr(expr)),
        StmtKind::Return(Some(expr)) => _ = found.insert(expr.span, Node::Return(expr)),
        StmtKind::If(test, then, otherwise) => {
            condition(test, found);
            collect(then, found);
            otherwise.iter().for_each(|inner| collect(inner, found));
        }
        StmtKind::While(test, body) | StmtKind::Do(body, test) => {
            condition(test, found);
            collect(body, found);
        }
        StmtKind::For(init, test, update, body) => {
            init.iter().for_each(|inner| collect(inner, found));
            test.iter().for_each(|test| condition(test, found));
            update.iter().for_each(|update| _ = found.insert(update.span, Node::Expr(update)));
            collect(body, found);
        }
        StmtKind::Switch(_, body) => collect(body, found),
        StmtKind::Case(_, _, inner) | StmtKind::Default(inner) | StmtKind::Label(_, inner) => collect(inner, found),
        StmtKind::Optional { statement, .. } => collect(statement, found),
        _ => {}
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Assign { target, value, .. } => write!(f, "{target}={value}"),
            Kind::Branch { held, .. } => {
                let shown: Vec<String> = held.atoms().into_iter().map(ToString::to_string).collect();
                f.write_str(&shown.join(if matches!(held, Formula::Any(_)) { " or " } else { " and " }))
            }
            Kind::Opaque(changed) => {
                let shown: Vec<String> = changed.iter().map(|(cell, value)| format!("{cell}={value}")).collect();
                f.write_str(&shown.join(", "))
            }
        }
    }
}
