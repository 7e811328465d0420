//! What can become of an expression: the proposals of each kind of mutation.

use std::sync::Arc;

use c_syntax::{Change, Expr, ExprKind, Span, UnaryOp, VariableId};

use super::condition::{self, Atom, Role};
use super::named::{self, Named};
use super::walk::{Context, Walk};
use super::{Group, Level, Proposal, SiteKey, constant, operator, variable};

impl Walk<'_> {
    /// Everything that an expression could become.
    pub(super) fn proposals(&self, e: &Expr, context: Context) -> Vec<Proposal> {
        let mut found = Vec::new();
        if context.role == Role::Place {
            return found;
        }
        self.operators(e, context, &mut found);
        self.constants(e, &mut found);
        if self.level >= Level::Three {
            self.variables(e, &mut found);
            self.names(e, &mut found);
            self.calls(e, &mut found);
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
        let Some((id, token)) = self.written_variable(place) else { return };
        let name = |id: VariableId| &self.unit.variables[id.0 as usize].name;
        let old = self.unit.source.text(token);
        let is_read = matches!(e.kind, ExprKind::Load(_));
        for other in variable::others(self.unit, id, &self.visible()) {
            let is_clear = if is_read { self.whole.can_read(other) } else { self.whole.can_write(other, e) };
            if **name(other) == *old || !is_clear {
                continue;
            }
            let change = match is_read {
                true => Change::Replace(variable::read(e, other), name(other).clone()),
                false if variable::is_const(self.unit, other) => continue,
                false => Change::Target(variable::named(place, other)),
            };
            let what = format!("`{old}` to `{}`", name(other));
            let key = (token, Group::Token);
            found.push(Proposal { key, change: Some(change), level: Level::Three, span: token, what });
        }
    }

    /// A variable, and where its name is written.
    fn written_variable(&self, place: &Expr) -> Option<(VariableId, Span)> {
        let (ExprKind::Variable(id), Some(token)) = (&place.kind, place.token) else { return None };
        let is_name = self.unit.source.text(token) == *self.unit.variables[id.0 as usize].name;
        let is_here = place.span.covers(token) && !self.declarations.contains(&token);
        (is_name && is_here).then_some((*id, token))
    }

    /// Constants for other ones that have a name, and for variables.
    fn names(&self, e: &Expr, found: &mut Vec<Proposal>) {
        let (Some(value), Some(key)) = (named::value(e), self.constant_place(e)) else { return };
        let fits = |named: &&Named| named.value != value && named.has_type(&self.unit.types, e.ty);
        let is_hidden = |named: &Named| !named.is_macro() && self.is_variable(&named.name);
        let is_known = |named: &&Named| named.is_known(self.unit, &self.function, e.span) && !is_hidden(named);
        for named in self.named.iter().filter(fits).filter(is_known) {
            found.push(self.replacement(key, named.expr(e), &named.name));
        }
        if key.1 == Group::Token {
            self.variables_for_constant(e, key, found);
        }
    }

    fn variables_for_constant(&self, e: &Expr, key: SiteKey, found: &mut Vec<Proposal>) {
        for id in self.visible() {
            let variable = &self.unit.variables[id.0 as usize];
            if variable.ty == e.ty && self.whole.can_read(id) {
                found.push(self.replacement(key, variable::value(e, id), &variable.name));
            }
        }
    }

    /// Whether a name means a variable here.
    fn is_variable(&self, name: &str) -> bool {
        self.scope.visible(self.unit).iter().any(|id| *self.unit.variables[id.0 as usize].name == *name)
    }

    /// Where a constant is written, or the macro that names it is used.
    fn constant_place(&self, e: &Expr) -> Option<SiteKey> {
        let is_int = matches!(e.kind, ExprKind::Int(_));
        if let Some(token) = e.token.filter(|token| is_int && e.span.covers(*token)) {
            return Some((token, Group::Token));
        }
        let is_macro = |named: &Named| named.is_macro() && named::value(e) == Some(named.value);
        let text = self.unit.source.text(e.span);
        let is_use =
            self.macro_uses.contains(&e.span) && self.named.iter().any(|one| is_macro(one) && *one.name == *text);
        is_use.then_some((e.span, Group::Operand))
    }

    /// Calls for variables and sums.
    fn calls(&self, e: &Expr, found: &mut Vec<Proposal>) {
        let Some(key) = self.operand_place(e) else { return };
        for plain in &self.plain[..self.callable] {
            let is_clear = plain.reads.iter().all(|id| self.whole.can_read(*id));
            if plain.result == e.ty && is_clear && !self.is_variable(&plain.name) {
                found.push(self.replacement(key, plain.call(e), &format!("{}()", plain.name).into()));
            }
        }
    }

    /// Where a variable is read, or a sum without effects is written.
    fn operand_place(&self, e: &Expr) -> Option<SiteKey> {
        match &e.kind {
            ExprKind::Load(place) => self.written_variable(place).map(|(_, token)| (token, Group::Token)),
            ExprKind::Binary(op, ..) if !op.is_comparison() => {
                let is_plain = self.is_written(e.span) && condition::is_pure(e, &mut Vec::new());
                is_plain.then_some((e.span, Group::Operand))
            }
            _ => None,
        }
    }

    fn replacement(&self, key: SiteKey, other: Expr, text: &Arc<str>) -> Proposal {
        let what = format!("`{}` to `{text}`", self.unit.source.text(key.0));
        let change = Some(Change::Replace(other, text.clone()));
        Proposal { key, change, level: Level::Three, span: key.0, what }
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
}

/// The parts of a chain of `&&` or `||`, or the expression itself.
fn members(e: &Expr, is_and: bool) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::And(a, b) if is_and => [members(a, is_and), members(b, is_and)].concat(),
        ExprKind::Or(a, b) if !is_and => [members(a, is_and), members(b, is_and)].concat(),
        _ => vec![e],
    }
}
