//! Goes through a program twice: to find what can be changed, and to put the
//! choices in.
//!
//! Both times each node is asked for its proposals ([`Walk::proposals`]), which
//! depend only on what was parsed, so the second walk meets the sites of the first.

use std::collections::HashSet;
use std::sync::Arc;

use c_syntax::{
    Alternative, Change, Expr, ExprKind, Scope, Span, Stmt, StmtKind, Storage, UnaryOp, Unit, Variable, VariableId,
};

use super::call::{self, Plain};
use super::condition::{self, Around, Atom, Role};
use super::named::{self, Named};
use super::variable::Whole;
use super::{Found, Group, Kept, Level, Proposal, protect};

/// What is done on the way.
pub enum Pass<'a> {
    Find(&'a mut Found),
    Attach(&'a Kept),
}

pub struct Walk<'a> {
    pub(super) unit: &'a Unit,
    pub(super) level: Level,
    only: Option<&'a [&'a str]>,
    pass: Pass<'a>,
    pub(super) macro_uses: HashSet<Span>,
    protected: Vec<Span>,
    /// The variables of the result, with their initialisers.
    variables: Vec<Variable>,
    pub(super) function: Arc<str>,
    pub(super) scope: Scope,
    /// Where variables are declared: a macro may take the name that it declares as an argument.
    pub(super) declarations: HashSet<Span>,
    /// What the whole expression around does to variables.
    pub(super) whole: Whole,
    /// The variable whose initialiser this is: its name is in scope already.
    pub(super) declared: Option<VariableId>,
    pub(super) atoms: Arc<[Atom]>,
    /// The constants that have names.
    pub(super) named: Vec<Named>,
    /// The functions that can be called anywhere.
    pub(super) plain: Vec<Plain>,
    /// How many of these can be called in this function.
    pub(super) callable: usize,
    /// Whether choices are impossible here, as in initialisers of globals.
    blocked: bool,
    /// Whether this is a copy of what is written elsewhere, so that only what is in macros is changed with it.
    pub(super) copied: bool,
    /// How many `({ … })` and heads of `for` are around.
    nested: usize,
}

/// What is around an expression.
#[derive(Clone, Copy)]
pub struct Context {
    pub role: Role,
    pub around: Around,
    pub is_index: bool,
}

const VALUE: Context = Context { role: Role::Value, around: Around::Nothing, is_index: false };
const TRUTH: Context = Context { role: Role::Truth, around: Around::Nothing, is_index: false };
const PLACE: Context = Context { role: Role::Place, around: Around::Nothing, is_index: false };

impl<'a> Walk<'a> {
    pub fn new(unit: &'a Unit, level: Level, only: Option<&'a [&'a str]>, pass: Pass<'a>) -> Self {
        Walk {
            unit,
            level,
            only,
            pass,
            macro_uses: unit.macro_uses.iter().copied().collect(),
            protected: protect::protected(&unit.source),
            variables: unit.variables.clone(),
            function: "".into(),
            scope: Scope::default(),
            declarations: unit.variables.iter().map(|variable| variable.span).collect(),
            whole: Whole::default(),
            declared: None,
            atoms: Arc::new([]),
            named: if level >= Level::Three { named::all(unit) } else { Vec::new() },
            plain: if level >= Level::Three { call::all(unit) } else { Vec::new() },
            callable: 0,
            blocked: false,
            copied: false,
            nested: 0,
        }
    }

    /// The program, with choices in the second walk.
    pub fn run(mut self) -> Unit {
        let mut functions = self.unit.functions.clone();
        for &id in &self.unit.globals {
            self.blocked_parts(id);
        }
        for function in &mut functions {
            self.function = function.name.clone();
            self.blocked = !function.own || protect::is_protected_name(&function.name);
            self.scope = Scope::of(self.unit, function);
            self.atoms = condition::atoms(self.unit, function).into();
            let is_plain = self.plain.iter().any(|plain| plain.name == function.name);
            let before = self.plain.iter().take_while(|plain| plain.is_before(function));
            self.callable = if is_plain { 0 } else { before.count() };
            self.statements(&mut function.body);
        }
        Unit { functions, variables: self.variables, ..self.unit.clone() }
    }

    // ----- statements -----

    fn statements(&mut self, statements: &mut [Stmt]) {
        let entered = self.scope.enter();
        statements.iter_mut().for_each(|statement| self.statement(statement));
        self.scope.leave(entered);
    }

    /// A branch or body of another statement.
    fn inner_statement(&mut self, statement: &mut Stmt) {
        let entered = self.scope.enter();
        self.statement(statement);
        self.scope.leave(entered);
    }

    fn statement(&mut self, statement: &mut Stmt) {
        let deletion = self.deletion(statement);
        match &mut statement.kind {
            StmtKind::Block(inner) => self.statements(inner),
            StmtKind::Declare(variables) => variables.iter().for_each(|&id| self.declare(id)),
            StmtKind::Expr(e) => self.whole(e, VALUE),
            StmtKind::If(test, then, otherwise) => {
                self.whole(test, TRUTH);
                self.inner_statement(then);
                otherwise.iter_mut().for_each(|otherwise| self.inner_statement(otherwise));
            }
            StmtKind::While(test, body) | StmtKind::Do(body, test) => {
                self.whole(test, TRUTH);
                self.inner_statement(body);
            }
            StmtKind::For(init, test, update, body) => {
                let entered = self.scope.enter();
                self.nested += 1;
                init.iter_mut().for_each(|init| self.statement(init));
                self.nested -= 1;
                test.iter_mut().for_each(|test| self.whole(test, TRUTH));
                update.iter_mut().for_each(|update| self.whole(update, VALUE));
                self.inner_statement(body);
                self.scope.leave(entered);
            }
            StmtKind::Switch(value, body) => {
                self.whole(value, VALUE);
                self.inner_statement(body);
            }
            StmtKind::Case(_, _, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => self.statement(body),
            StmtKind::Return(value) => value.iter_mut().for_each(|value| self.whole(value, VALUE)),
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Empty => {}
            StmtKind::Unsupported(_) | StmtKind::Optional { .. } => {}
        }
        if let Some(proposal) = deletion {
            self.attach_statement(statement, proposal);
        }
    }

    fn declare(&mut self, id: VariableId) {
        self.scope.declare(id);
        if self.unit.variables[id.0 as usize].storage != Storage::Local {
            return self.blocked_parts(id);
        }
        if let Some(mut init) = self.variables[id.0 as usize].init.take() {
            let around = self.declared.replace(id);
            self.whole(&mut init, VALUE);
            self.declared = around;
            self.variables[id.0 as usize].init = Some(init);
        }
        self.blocked_lengths(id);
    }

    /// The initialiser of a variable that has its value before the program runs.
    fn blocked_parts(&mut self, id: VariableId) {
        let mut init = self.unit.variables[id.0 as usize].init.clone();
        let around = std::mem::replace(&mut self.blocked, true);
        init.iter_mut().for_each(|init| self.whole(init, VALUE));
        self.blocked = around;
        self.blocked_lengths(id);
    }

    fn blocked_lengths(&mut self, id: VariableId) {
        let mut lengths = self.unit.variables[id.0 as usize].lengths.clone();
        let around = std::mem::replace(&mut self.blocked, true);
        lengths.iter_mut().for_each(|length| self.whole(length, VALUE));
        self.blocked = around;
    }

    /// An expression statement that could be left out.
    fn deletion(&self, statement: &Stmt) -> Option<Proposal> {
        let StmtKind::Expr(e) = &statement.kind else { return None };
        let span = statement.span;
        let is_possible = self.level >= Level::Three && self.nested == 0 && self.is_written(span) && has_effect(e);
        let what = || format!("leave out `{}`", self.unit.source.text(span));
        let key = (span, Group::Statement);
        is_possible.then(|| Proposal { key, change: None, level: Level::Three, span, what: what() })
    }

    fn attach_statement(&mut self, statement: &mut Stmt, proposal: Proposal) {
        let Some(selector) = self.note(vec![proposal], statement.span).first().map(|(_, one)| one.selector) else {
            return;
        };
        let (kind, span) = (StmtKind::Empty, statement.span);
        let inner = Box::new(std::mem::replace(statement, Stmt { kind, span }));
        statement.kind = StmtKind::Optional { selector, statement: inner };
    }

    // ----- expressions -----

    /// An expression that is not part of another one.
    fn whole(&mut self, e: &mut Expr, context: Context) {
        let around = std::mem::replace(&mut self.whole, Whole::of(e));
        self.expr(e, context);
        self.whole = around;
    }

    fn expr(&mut self, e: &mut Expr, context: Context) {
        let proposals = self.proposals(e, context);
        self.count(e);
        self.parts(e);
        let chosen = self.note(proposals, e.span);
        for groups in [&[Group::Operator, Group::Token][..], &[Group::Operand], &[Group::Shift], &[Group::Truth]] {
            let here = chosen.iter().filter(|(group, _)| groups.contains(group));
            let mut alternatives: Vec<Alternative> = here.map(|(_, one)| one.clone()).collect();
            if alternatives.is_empty() {
                continue;
            }
            alternatives.iter_mut().for_each(|one| self.copy(&mut one.change));
            let kind = ExprKind::Zero;
            let Expr { ty, span, token, in_parentheses, .. } = *e;
            let of = Box::new(std::mem::replace(e, Expr { kind, ty, span, token, in_parentheses }));
            e.kind = ExprKind::Choice { of, alternatives };
        }
    }

    /// What is brought in from elsewhere changes with the macros that it uses.
    fn copy(&mut self, change: &mut Change) {
        let (other, context) = match change {
            Change::Conjunct(other) | Change::Disjunct(other) => (other, TRUTH),
            Change::Replace(other, _) => (other, VALUE),
            _ => return,
        };
        let around = std::mem::replace(&mut self.copied, true);
        self.expr(other, context);
        self.copied = around;
    }

    /// Counts uses of what is written in the text.
    fn count(&mut self, e: &Expr) {
        let is_leaf = matches!(e.kind, ExprKind::Variable(_) | ExprKind::Int(_));
        let token = e.token.filter(|token| is_leaf && e.span.covers(*token));
        if let (Pass::Find(found), Some(token)) = (&mut self.pass, token) {
            *found.leaves.entry(token).or_default() += 1;
        }
    }

    fn parts(&mut self, e: &mut Expr) {
        use ExprKind::*;
        let inside = |around| Context { around, ..TRUTH };
        match &mut e.kind {
            And(a, b) => [a, b].into_iter().for_each(|e| self.expr(e, inside(Around::And))),
            Or(a, b) => [a, b].into_iter().for_each(|e| self.expr(e, inside(Around::Or))),
            Unary(UnaryOp::Not, inner) => self.expr(inner, inside(Around::Not)),
            Unary(op, inner) => match op {
                UnaryOp::Negate | UnaryOp::Complement | UnaryOp::Deref => self.expr(inner, VALUE),
                _ => self.expr(inner, PLACE),
            },
            Binary(_, a, b) | Comma(a, b) | Elvis(a, b) => {
                self.expr(a, VALUE);
                self.expr(b, VALUE);
            }
            Compound(_, place, value, _) | Assign(place, value) => {
                self.expr(place, PLACE);
                self.expr(value, VALUE);
            }
            Conditional(test, yes, no) => {
                self.expr(test, TRUTH);
                self.expr(yes, VALUE);
                self.expr(no, VALUE);
            }
            Call(callee, arguments) => {
                self.expr(callee, VALUE);
                arguments.iter_mut().for_each(|argument| self.expr(argument, VALUE));
            }
            Index(pointer, index) => {
                self.expr(pointer, VALUE);
                self.expr(index, Context { is_index: true, ..VALUE });
            }
            Member { base: inner, .. } | Load(inner) | Decay(inner) => self.expr(inner, PLACE),
            Convert(inner) | Discard(inner) | UnionInit(_, inner) => self.expr(inner, VALUE),
            InitList(entries) => entries.iter_mut().for_each(|entry| self.expr(entry, VALUE)),
            Statements(inner) => {
                self.nested += 1;
                self.statements(inner);
                self.nested -= 1;
            }
            CompoundLiteral(id) => self.blocked_parts(*id),
            VaArg(_) | Int(_) | Float(_) | Text(_) | Variable(_) | Function(_) | Zero => {}
            SizeOfVariable(_) | Unsupported(_) | Choice { .. } => {}
        }
    }

    // ----- what is kept -----

    /// Notes proposals in the first walk, and tells which of them are to be put in in the second.
    fn note(&mut self, proposals: Vec<Proposal>, place: Span) -> Vec<(Group, Alternative)> {
        let is_blocked = |one: &Proposal| self.blocked || is_protected(&self.protected, place, one);
        let wanted = self.only.is_none_or(|only| only.contains(&&*self.function));
        match &mut self.pass {
            Pass::Find(found) => {
                let (blocked, open): (Vec<_>, Vec<_>) = proposals.into_iter().partition(is_blocked);
                found.blocked.extend(blocked.into_iter().map(|one| one.key));
                if !self.copied {
                    found.add(open, place, &self.function, wanted);
                }
                Vec::new()
            }
            Pass::Attach(_) if self.blocked => Vec::new(),
            Pass::Attach(kept) => {
                let attach = |one: Proposal| {
                    let selector = kept.selector(&one)?;
                    // A statement has no change: its choice is the statement's.
                    let change = one.change.unwrap_or(Change::Negated);
                    Some((one.key.1, Alternative { selector, change }))
                };
                proposals.into_iter().filter_map(attach).collect()
            }
        }
    }

    pub(super) fn is_written(&self, span: Span) -> bool {
        !span.is_empty() && !self.macro_uses.contains(&span)
    }
}

/// Whether what is changed, or the macro use that it comes from, is in a protected place.
fn is_protected(protected: &[Span], place: Span, one: &Proposal) -> bool {
    let is_in = |span: Span| protected.iter().any(|other| other.covers(span));
    let touches = |span: Span| protected.iter().any(|other| span.start < other.end && other.start < span.end);
    is_in(one.key.0) || is_in(place) || (one.key.1 == Group::Statement && touches(place))
}

/// Whether a statement does something.
fn has_effect(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Discard(inner) | ExprKind::Convert(inner) => has_effect(inner),
        ExprKind::Load(_) | ExprKind::Int(_) | ExprKind::Variable(_) | ExprKind::Unsupported(_) => false,
        _ => true,
    }
}
