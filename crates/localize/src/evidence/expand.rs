//! A contract for one run: quantifiers are expanded for the run's values, and
//! what is left are predicates over cells (H §2.1).
//!
//! With `n = 2`, `\forall integer k; 0 <= k < n ==> \result >= a[k]` is
//! `(\result-a[0]>=0) and (\result-a[1]>=0)`.

use c_syntax::{BinaryOp, Function, Unit};
use memory::Value;
use spec::contract::{Binary, Definition, Fold, Resolved, Term, TermKind, Unary, definition_of, ranges};

use super::linear::{Cell, Linear, Values};
use super::predicate::{Formula, Predicate};
use super::read::{Moment, Target};
use super::trace::{Kind, RESULT, Trace};

/// Numbers that one quantifier goes through, at most.
const MOST_NUMBERS: i128 = 64;
/// Nested calls of logic functions, at most.
const DEEPEST: usize = 200;

/// What a term is in a run.
#[derive(Clone, Debug)]
enum Meaning {
    Number(Linear),
    Pointer(Target),
    Truth(Formula),
}

/// The names that are bound, the innermost last.
type Bound = Vec<(String, Meaning)>;

/// Expands the clauses of a contract along a run.
pub struct Expander<'a> {
    unit: &'a Unit,
    function: &'a Function,
    definitions: &'a [Definition],
    trace: &'a Trace,
    /// The numbers after the call, and those before it as `old:…`.
    values: Values,
}

impl<'a> Expander<'a> {
    /// For the contract of a function and one of its runs.
    pub fn new(resolved: &'a Resolved, unit: &'a Unit, function: &'a Function, trace: &'a Trace) -> Expander<'a> {
        let mut values = (*trace.last).clone();
        for (key, value) in trace.start.iter() {
            values.insert(format!("old:{key}").into(), *value);
            values.entry(key.clone()).or_insert(*value);
        }
        Expander { unit, function, definitions: &resolved.definitions, trace, values }
    }

    /// A precondition, with the numbers at the start.
    pub fn before(&self, predicate: &Term) -> Option<Formula> {
        let start = Expander { values: (*self.trace.start).clone(), unit: self.unit, ..*self };
        start.formula(predicate, &vec![], false, 0)
    }

    /// A postcondition.
    pub fn after(&self, predicate: &Term) -> Option<Formula> {
        self.formula(predicate, &vec![], false, 0)
    }

    /// Equalities between cells that the run changes and their old values.
    pub fn old_cells(&self) -> Vec<(Cell, Cell)> {
        let mut found: Vec<(Cell, Cell)> = vec![];
        for instance in &self.trace.instances {
            let targets = match &instance.kind {
                Kind::Assign { target, .. } => vec![target],
                Kind::Opaque(changed) => changed.iter().map(|(cell, _)| cell).collect(),
                Kind::Branch { .. } => vec![],
            };
            for target in targets.into_iter().filter(|target| target.element.is_some() || target.key.starts_with("g:"))
            {
                if !found.iter().any(|(known, _)| known == target) {
                    found.push((target.clone(), old(target)));
                }
            }
        }
        found
    }

    /// What `assigns` demands of the cells that the run writes and it does not name: they are as they were.
    pub fn frame(&self, places: &[Term]) -> Vec<Formula> {
        let Some(free) = places.iter().map(|place| self.cells_of(place)).collect::<Option<Vec<_>>>() else {
            return vec![];
        };
        let is_free = |cell: &Cell| free.iter().flatten().any(|found| **found == *cell.key);
        let kept = self.old_cells().into_iter().filter(|(cell, _)| !is_free(cell));
        let same = |(cell, old): (Cell, Cell)| {
            Predicate::new(&Linear::cell(cell), BinaryOp::Equal, &Linear::cell(old), &self.values).map(Formula::Atom)
        };
        kept.filter_map(same).collect()
    }

    /// The keys of the cells of a place of `assigns`; none if that cannot be told.
    fn cells_of(&self, place: &Term) -> Option<Vec<String>> {
        let (pointer, index) = match &place.kind {
            TermKind::Nothing => return Some(vec![]),
            TermKind::Index(base, index) => (&**base, Some(&**index)),
            TermKind::Unary(Unary::Deref, of) => match &of.kind {
                TermKind::Binary(Binary::C(BinaryOp::Add), base, index) => (&**base, Some(&**index)),
                _ => (&**of, None),
            },
            TermKind::Name(_) => {
                let cell = self.number(place, &vec![], false, 0)?;
                return Some(cell.cells().into_iter().map(|cell| cell.key.to_string()).collect());
            }
            _ => return None,
        };
        let Meaning::Pointer(target) = self.meaning(pointer, &vec![], true, 0)? else { return None };
        let Some(first) = target.element else { return Some(vec![target.object]) };
        let known = |term: &Term| self.known(term, &vec![], true, 0);
        let (low, high) = match index.map(|index| &index.kind) {
            None => (0, 0),
            Some(TermKind::Range(low, high)) => (known(low.as_deref()?)?, known(high.as_deref()?)?),
            Some(_) => (known(index?)?, known(index?)?),
        };
        let element = |index: i128| format!("{}[{}]", target.object, i128::from(first) + index);
        Some((low..=high.min(low + MOST_NUMBERS)).map(element).collect())
    }

    fn is_changed(&self, cell: &Cell) -> bool {
        self.trace.instances.iter().any(|instance| match &instance.kind {
            Kind::Assign { target, .. } => target == cell,
            Kind::Opaque(changed) => changed.iter().any(|(found, _)| found == cell),
            Kind::Branch { .. } => false,
        })
    }

    fn moment(&self) -> Moment<'_> {
        Moment { unit: self.unit, state: &self.trace.first, values: &self.values, frame: self.trace.frame }
    }

    fn formula(&self, term: &Term, bound: &Bound, old: bool, depth: usize) -> Option<Formula> {
        match self.meaning(term, bound, old, depth)? {
            Meaning::Truth(formula) => Some(formula),
            Meaning::Number(number) => {
                Predicate::new(&number, BinaryOp::NotEqual, &Linear::number(0), &self.values).map(Formula::Atom)
            }
            Meaning::Pointer(_) => Some(Formula::Truth(true)),
        }
    }

    fn number(&self, term: &Term, bound: &Bound, old: bool, depth: usize) -> Option<Linear> {
        match self.meaning(term, bound, old, depth)? {
            Meaning::Number(number) => Some(number),
            Meaning::Truth(formula) => Some(Linear::number(formula.truth().into())),
            Meaning::Pointer(_) => None,
        }
    }

    fn known(&self, term: &Term, bound: &Bound, old: bool, depth: usize) -> Option<i128> {
        self.number(term, bound, old, depth)?.value(&self.values)
    }

    fn meaning(&self, term: &Term, bound: &Bound, old: bool, depth: usize) -> Option<Meaning> {
        if depth > DEEPEST {
            return None;
        }
        Some(match &term.kind {
            TermKind::Int(value) => Meaning::Number(Linear::number(*value)),
            TermKind::Truth(truth) => Meaning::Truth(Formula::Truth(*truth)),
            TermKind::Given(_) | TermKind::Valid(_) => Meaning::Truth(Formula::Truth(true)),
            TermKind::Null | TermKind::Nothing | TermKind::Range(..) => return None,
            TermKind::Result => Meaning::Number(Linear::cell(Cell::variable(RESULT, "\\result"))),
            TermKind::Name(name) => self.name(name, bound)?,
            TermKind::Old(of) => self.meaning(of, bound, true, depth)?,
            TermKind::Cast(_, of) => self.meaning(of, bound, old, depth)?,
            TermKind::Unary(Unary::Not, of) => Meaning::Truth(self.formula(of, bound, old, depth)?.negated()),
            TermKind::Unary(Unary::Negate, of) => Meaning::Number(self.number(of, bound, old, depth)?.times(-1)),
            TermKind::Unary(Unary::Deref, of) => {
                let Meaning::Pointer(target) = self.meaning(of, bound, old, depth)? else { return None };
                self.cell(&target, Linear::number(0), old)?
            }
            TermKind::Unary(..) | TermKind::Member(..) => return None,
            TermKind::Index(base, index) => {
                let Meaning::Pointer(target) = self.meaning(base, bound, old, depth)? else { return None };
                self.cell(&target, self.number(index, bound, old, depth)?, old)?
            }
            TermKind::Binary(op, a, b) => self.binary(*op, a, b, bound, old, depth)?,
            TermKind::Conditional(condition, a, b) => {
                let chosen = if self.formula(condition, bound, old, depth)?.truth() { a } else { b };
                self.meaning(chosen, bound, old, depth)?
            }
            TermKind::Call(name, arguments) => self.call(name, arguments, bound, old, depth)?,
            TermKind::Quantified { all, binders, body } => {
                let mut parts = vec![];
                let spans = ranges(*all, binders, body).ok()?;
                self.quantified(*all, &spans, body, bound.clone(), old, depth, &mut parts)?;
                Meaning::Truth(if *all { Formula::All(parts) } else { Formula::Any(parts) })
            }
            TermKind::Fold { fold, low, high, name, body } => {
                let (low, high) = (self.known(low, bound, old, depth)?, self.known(high, bound, old, depth)?);
                Meaning::Number(self.fold(*fold, (low, high), name, body, bound, old, depth)?)
            }
            TermKind::Let(name, value, body) => {
                let mut inner = bound.clone();
                inner.push((name.clone(), self.meaning(value, bound, old, depth)?));
                self.meaning(body, &inner, old, depth)?
            }
        })
    }

    /// An element of what a pointer points to, now or before the call.
    fn cell(&self, target: &Target, index: Linear, is_old: bool) -> Option<Meaning> {
        let cell = self.moment().element(target, index)?;
        let cell = if is_old && self.is_changed(&cell) { old(&cell) } else { cell };
        self.values.contains_key(&cell.key).then(|| Meaning::Number(Linear::cell(cell)))
    }

    fn name(&self, name: &str, bound: &Bound) -> Option<Meaning> {
        if let Some((_, meaning)) = bound.iter().rev().find(|(known, _)| known == name) {
            return Some(meaning.clone());
        }
        let variable = |id: &&c_syntax::VariableId| &*self.unit.variables[id.0 as usize].name == name;
        if let Some(id) = self.function.parameters.iter().find(variable) {
            let key = format!("{}:{name}", self.trace.frame);
            if self.unit.types.is_pointer(self.unit.variables[id.0 as usize].ty) {
                let target = self.unit.types.target(self.unit.variables[id.0 as usize].ty)?;
                return self.pointer(name, self.unit.types.size_of(target));
            }
            let cell = Cell::variable(key, name);
            // Contracts speak of the values that parameters had at the call.
            return Some(Meaning::Number(match self.is_changed(&cell) {
                true => Linear::number(*self.trace.start.get(&cell.key)?),
                false => Linear::cell(cell),
            }));
        }
        if let Some(id) = self.unit.globals.iter().find(variable) {
            let ty = self.unit.variables[id.0 as usize].ty;
            if matches!(self.unit.types.get(ty), c_types::Type::Array(..)) {
                let target = Target { object: format!("g:{name}"), element: Some(0), name: name.into() };
                return Some(Meaning::Pointer(target));
            }
            return Some(Meaning::Number(Linear::cell(Cell::variable(format!("g:{name}"), name))));
        }
        let scope = spec::contract::Scope {
            unit: self.unit,
            function: Some(self.function),
            definitions: self.definitions,
            bound: vec![],
        };
        let macros = || self.unit.names.macros.get(name)?.trim().trim_matches(['(', ')']).parse().ok();
        scope.constant(name).or_else(macros).map(|value| Meaning::Number(Linear::number(value)))
    }

    /// What a pointer parameter pointed to at the call.
    fn pointer(&self, name: &str, size: u64) -> Option<Meaning> {
        let frame = self.trace.first.frames.get(self.trace.frame)?;
        let variable = frame.variables.iter().find(|variable| &*variable.name == name)?;
        let Value::Pointer(place) = &variable.value else { return None };
        self.moment().target(place, size).map(|target| Meaning::Pointer(Target { name: name.into(), ..target }))
    }

    fn binary(&self, op: Binary, a: &Term, b: &Term, bound: &Bound, old: bool, depth: usize) -> Option<Meaning> {
        let op = match op {
            Binary::C(op) => op,
            logical => {
                let first = self.formula(a, bound, old, depth)?;
                // What a guard excludes need not have a meaning.
                if logical == Binary::Implies && !first.truth() && first.atoms().is_empty() {
                    return Some(Meaning::Truth(Formula::Truth(true)));
                }
                let second = match (logical, self.formula(b, bound, old, depth)) {
                    (_, Some(second)) => second,
                    (Binary::And, None) if !first.truth() => return Some(Meaning::Truth(first)),
                    (Binary::Implies, None) if !first.truth() => return Some(Meaning::Truth(first.negated())),
                    _ => return None,
                };
                return Some(Meaning::Truth(match logical {
                    Binary::And => Formula::All(vec![first, second]),
                    Binary::Or => Formula::Any(vec![first, second]),
                    Binary::Implies => Formula::Any(vec![first.negated(), second]),
                    Binary::Iff => Formula::Any(vec![
                        Formula::All(vec![first.clone(), second.clone()]),
                        Formula::All(vec![first.negated(), second.negated()]),
                    ]),
                    _ => Formula::Any(vec![
                        Formula::All(vec![first.clone(), second.negated()]),
                        Formula::All(vec![first.negated(), second]),
                    ]),
                }));
            }
        };
        if op == BinaryOp::Add
            && let Some(Meaning::Pointer(target)) = self.meaning(a, bound, old, depth)
        {
            let by = self.known(b, bound, old, depth)? as i64;
            return Some(Meaning::Pointer(Target { element: target.element.map(|at| at + by), ..target }));
        }
        if op.is_comparison() && matches!(b.kind, TermKind::Null) {
            let is_null = matches!(self.meaning(a, bound, old, depth), None | Some(Meaning::Number(_)));
            return Some(Meaning::Truth(Formula::Truth(is_null == (op == BinaryOp::Equal))));
        }
        let (a, b) = (self.number(a, bound, old, depth)?, self.number(b, bound, old, depth)?);
        Some(match op {
            op if op.is_comparison() => {
                let predicate = Predicate::new(&a, op, &b, &self.values)?;
                Meaning::Truth(match predicate.is_constant() {
                    true => Formula::Truth(predicate.truth),
                    false => Formula::Atom(predicate),
                })
            }
            BinaryOp::Add => Meaning::Number(a.plus(&b, 1)),
            BinaryOp::Subtract => Meaning::Number(a.plus(&b, -1)),
            other => Meaning::Number(Linear::apply(other.text(), a, b)),
        })
    }

    fn call(&self, name: &str, arguments: &[Term], bound: &Bound, old: bool, depth: usize) -> Option<Meaning> {
        if let ("\\max" | "\\min", [a, b]) = (name, arguments) {
            let (x, y) = (self.number(a, bound, old, depth)?, self.number(b, bound, old, depth)?);
            let first = (x.value(&self.values)? >= y.value(&self.values)?) == (name == "\\max");
            return Some(Meaning::Number(if first { x } else { y }));
        }
        if let ("\\abs", [a]) = (name, arguments) {
            let x = self.number(a, bound, old, depth)?;
            return Some(Meaning::Number(if x.value(&self.values)? < 0 { x.times(-1) } else { x }));
        }
        let definition = definition_of(self.definitions, name, arguments.len())?;
        let mut inner = vec![];
        for (parameter, argument) in definition.parameters.iter().zip(arguments) {
            inner.push((parameter.name.clone(), self.meaning(argument, bound, old, depth)?));
        }
        self.meaning(&definition.body, &inner, old, depth + 1)
    }

    fn quantified(
        &self,
        all: bool,
        spans: &[spec::contract::Range],
        body: &Term,
        bound: Bound,
        old: bool,
        depth: usize,
        parts: &mut Vec<Formula>,
    ) -> Option<()> {
        let [first, rest @ ..] = spans else {
            parts.extend(self.guarded(all, body, &bound, old, depth)?);
            return Some(());
        };
        let (low, high) = (self.known(&first.low, &bound, old, depth)?, self.known(&first.high, &bound, old, depth)?);
        if high - low > MOST_NUMBERS {
            return None;
        }
        for number in low..=high {
            let mut inner = bound.clone();
            inner.push((first.name.clone(), Meaning::Number(Linear::number(number))));
            self.quantified(all, rest, body, inner, old, depth, parts)?;
        }
        Some(())
    }

    /// The body for one choice of numbers; the guard is decided by the run's values.
    fn guarded(&self, all: bool, body: &Term, bound: &Bound, old: bool, depth: usize) -> Option<Vec<Formula>> {
        match &body.kind {
            TermKind::Binary(Binary::Implies, guard, then) if all => {
                match self.formula(guard, bound, old, depth)?.truth() {
                    true => self.guarded(all, then, bound, old, depth),
                    false => Some(vec![]),
                }
            }
            _ if !all => {
                let (guard, rest): (Vec<&Term>, Vec<&Term>) =
                    body.conjuncts().into_iter().partition(|part| is_guard(part, bound));
                for part in guard {
                    if !self.formula(part, bound, old, depth)?.truth() {
                        return Some(vec![]);
                    }
                }
                let parts: Option<Vec<Formula>> =
                    rest.into_iter().map(|part| self.formula(part, bound, old, depth)).collect();
                Some(vec![Formula::All(parts?)])
            }
            _ => Some(vec![self.formula(body, bound, old, depth)?]),
        }
    }

    fn fold(
        &self,
        fold: Fold,
        (low, high): (i128, i128),
        name: &str,
        body: &Term,
        bound: &Bound,
        old: bool,
        depth: usize,
    ) -> Option<Linear> {
        if high - low > MOST_NUMBERS {
            return None;
        }
        let mut found: Option<Linear> = None;
        for number in low..=high {
            let mut inner = bound.clone();
            inner.push((name.into(), Meaning::Number(Linear::number(number))));
            let one = match fold {
                Fold::Count => Linear::number(self.formula(body, &inner, old, depth)?.truth().into()),
                _ => self.number(body, &inner, old, depth)?,
            };
            found = Some(match (fold, found) {
                (_, None) => one,
                (Fold::Sum | Fold::Count, Some(sum)) => sum.plus(&one, 1),
                (Fold::Product, Some(product)) => Linear::apply("*", product, one),
                (_, Some(best)) => {
                    let better = one.value(&self.values)? > best.value(&self.values)?;
                    if better == (fold == Fold::Max) { one } else { best }
                }
            });
        }
        Some(found.unwrap_or(Linear::number((fold == Fold::Product).into())))
    }
}

/// Whether a part of an `\exists` only says over which numbers it goes.
fn is_guard(part: &Term, bound: &Bound) -> bool {
    let TermKind::Binary(Binary::C(op), ..) = &part.kind else { return false };
    let is_place =
        |term: &Term| matches!(term.kind, TermKind::Index(..) | TermKind::Result | TermKind::Unary(Unary::Deref, _));
    op.is_comparison() && !part.any(&is_place) && bound.iter().any(|(name, _)| part.mentions(name))
}

/// The cell that stands for what another one was before the call.
pub fn old(cell: &Cell) -> Cell {
    let name = match cell.element {
        Some(element) => format!("\\old({}[{element}])", cell.name),
        None => format!("\\old({})", cell.name),
    };
    Cell::variable(format!("old:{}", cell.key), name)
}
