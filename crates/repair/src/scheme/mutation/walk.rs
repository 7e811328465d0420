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

use super::condition::{self, Around, Atom, Role};
use super::variable::{self, Whole};
use super::{Found, Group, Kept, Level, Proposal, constant, operator, protect};

/// What is done on the way.
pub enum Pass<'a> {
    Find(&'a mut Found),
    Attach(&'a Kept),
}

pub struct Walk<'a> {
    unit: &'a Unit,
    level: Level,
    only: Option<&'a [&'a str]>,
    pass: Pass<'a>,
    macro_uses: HashSet<Span>,
    protected: Vec<Span>,
    /// The variables of the result, with their initialisers.
    variables: Vec<Variable>,
    function: Arc<str>,
    scope: Scope,
    /// Where variables are declared: a macro may take the name that it declares as an argument.
    declarations: HashSet<Span>,
    /// What the whole expression around does to variables.
    whole: Whole,
    /// The variable whose initialiser this is: its name is in scope already.
    declared: Option<VariableId>,
    atoms: Arc<[Atom]>,
    /// Whether choices are impossible here, as in initialisers of globals.
    blocked: bool,
    /// Whether this is a copy of what is written elsewhere, so that only what is in macros is changed with it.
    copied: bool,
    /// How many `({ … })` and heads of `for` are around.
    nested: usize,
}

/// What is around an expression.
#[derive(Clone, Copy)]
struct Context {
    role: Role,
    around: Around,
    is_index: bool,
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
        for groups in [&[Group::Operator, Group::Token][..], &[Group::Shift], &[Group::Truth]] {
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
        if let Change::Conjunct(other) | Change::Disjunct(other) = change {
            let around = std::mem::replace(&mut self.copied, true);
            self.expr(other, TRUTH);
            self.copied = around;
        }
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

    /// Everything that an expression could become.
    fn proposals(&self, e: &Expr, context: Context) -> Vec<Proposal> {
        let mut found = Vec::new();
        if context.role == Role::Place {
            return found;
        }
        self.operators(e, context, &mut found);
        self.constants(e, &mut found);
        if self.level >= Level::Three {
            self.variables(e, &mut found);
            self.indices(e, context, &mut found);
        }
        if self.level >= Level::Two {
            self.conditions(e, context, &mut found);
        }
        found.retain(|one| one.level <= self.level && (!self.copied || !e.span.covers(one.key.0)));
        found
    }

    fn operators(&self, e: &Expr, context: Context, found: &mut Vec<Proposal>) {
        let Some(token) = e.token else { return };
        let old = self.unit.source.text(token);
        let key = (token, Group::Operator);
        for (level, change, new) in operator::changes(&self.unit.types, e) {
            let what = format!("`{old}` to {new}");
            found.push(Proposal { key, change: Some(change), level, span: token, what });
        }
        if self.is_written(e.span) && e.span.covers(token) {
            for (side, change) in condition::dropped(e, context.role) {
                let what = format!("leave out `{}` and its `{old}`", self.unit.source.text(side.span));
                let change = Some(change);
                found.push(Proposal { key, change, level: Level::Three, span: e.span, what });
            }
        }
    }

    fn constants(&self, e: &Expr, found: &mut Vec<Proposal>) {
        let (ExprKind::Int(value), Some(token)) = (&e.kind, e.token) else { return };
        let old = self.unit.source.text(token);
        for (new, text) in constant::others(&self.unit.types, e.ty, *value, &old) {
            let what = format!("`{old}` to `{text}`");
            let (key, change) = ((token, Group::Token), Some(Change::Constant(new)));
            found.push(Proposal { key, change, level: Level::Two, span: token, what });
        }
    }

    fn variables(&self, e: &Expr, found: &mut Vec<Proposal>) {
        use UnaryOp::*;
        let place = match &e.kind {
            ExprKind::Load(place) | ExprKind::Assign(place, _) | ExprKind::Compound(_, place, _, _) => place,
            ExprKind::Unary(PreIncrement | PreDecrement | PostIncrement | PostDecrement, place) => place,
            _ => return,
        };
        let (ExprKind::Variable(id), Some(token)) = (&place.kind, place.token) else { return };
        let name = |id: VariableId| &self.unit.variables[id.0 as usize].name;
        let old = self.unit.source.text(token);
        if old != **name(*id) || !place.span.covers(token) || self.declarations.contains(&token) {
            return;
        }
        let is_read = matches!(e.kind, ExprKind::Load(_));
        for other in variable::others(self.unit, *id, &self.visible()) {
            let is_clear = if is_read { self.whole.can_read(other) } else { self.whole.can_write(other, e) };
            if **name(other) == *old || !is_clear {
                continue;
            }
            let change = match is_read {
                true => Change::Replace(variable::read(e, other)),
                false if variable::is_const(self.unit, other) => continue,
                false => Change::Target(variable::named(place, other)),
            };
            let what = format!("`{old}` to `{}`", name(other));
            let key = (token, Group::Token);
            found.push(Proposal { key, change: Some(change), level: Level::Three, span: token, what });
        }
    }

    fn visible(&self) -> Vec<VariableId> {
        // What a macro declares is not for others to name.
        let is_written = |id: &VariableId| {
            let variable = &self.unit.variables[id.0 as usize];
            self.unit.source.text(variable.span) == *variable.name
        };
        let seen = self.scope.visible(self.unit).into_iter();
        seen.filter(|id| Some(*id) != self.declared && is_written(id)).collect()
    }

    fn indices(&self, e: &Expr, context: Context, found: &mut Vec<Proposal>) {
        let mut literal = e;
        while let ExprKind::Convert(inner) = &literal.kind {
            literal = inner;
        }
        if !context.is_index || matches!(literal.kind, ExprKind::Int(_)) || !self.is_written(e.span) {
            return;
        }
        let old = self.unit.source.text(e.span);
        for by in [1, -1] {
            let what = format!("index `{old}` by {by:+}");
            let (key, change) = ((e.span, Group::Shift), Some(Change::Shift(by)));
            found.push(Proposal { key, change, level: Level::Three, span: e.span, what });
        }
    }

    fn conditions(&self, e: &Expr, context: Context, found: &mut Vec<Proposal>) {
        if !self.is_written(e.span) {
            return;
        }
        let (text, visible) = (self.unit.source.text(e.span), self.visible());
        let mut add = |level: Level, change: Change, what: String| {
            let (key, change) = ((e.span, Group::Truth), Some(change));
            found.push(Proposal { key, change, level, span: e.span, what });
        };
        let level = condition::negation_level(e, context.role);
        match condition::negated(e, context.role, context.around) {
            Some(Change::Affirmed) => {
                add(level, Change::Affirmed, format!("no `!` before `{}`", text.trim_start_matches('!').trim_start()))
            }
            Some(change) => add(level, change, format!("`!` before `{text}`")),
            None => {}
        }
        if self.level < Level::Three {
            return;
        }
        let atoms = self.atoms.clone();
        for is_and in condition::extensions(e, context.role, context.around) {
            let sides = members(e, is_and);
            let is_there = |atom: &Atom| sides.iter().any(|side| self.unit.source.text(side.span) == atom.text);
            let fits = |atom: &&Atom| atom.variables.iter().all(|id| visible.contains(id)) && !is_there(atom);
            for atom in atoms.iter().filter(fits) {
                let (word, change): (_, fn(Expr) -> Change) = match is_and {
                    true => ("&&", Change::Conjunct),
                    false => ("||", Change::Disjunct),
                };
                add(Level::Three, change(atom.expr.clone()), format!("`{word} {}` after `{text}`", atom.text));
            }
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

    fn is_written(&self, span: Span) -> bool {
        !span.is_empty() && !self.macro_uses.contains(&span)
    }
}

/// Whether what is changed, or the macro use that it comes from, is in a protected place.
fn is_protected(protected: &[Span], place: Span, one: &Proposal) -> bool {
    let is_in = |span: Span| protected.iter().any(|other| other.covers(span));
    let touches = |span: Span| protected.iter().any(|other| span.start < other.end && other.start < span.end);
    is_in(one.key.0) || is_in(place) || (one.key.1 == Group::Statement && touches(place))
}

/// The parts of a chain of `&&` or `||`, or the expression itself.
fn members(e: &Expr, is_and: bool) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::And(a, b) if is_and => [members(a, is_and), members(b, is_and)].concat(),
        ExprKind::Or(a, b) if !is_and => [members(a, is_and), members(b, is_and)].concat(),
        _ => vec![e],
    }
}

/// Whether a statement does something.
fn has_effect(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Discard(inner) | ExprKind::Convert(inner) => has_effect(inner),
        ExprKind::Load(_) | ExprKind::Int(_) | ExprKind::Variable(_) | ExprKind::Unsupported(_) => false,
        _ => true,
    }
}
