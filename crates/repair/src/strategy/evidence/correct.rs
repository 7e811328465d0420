//! Corrections from evidence, in the order of H, figure 2: what makes a false
//! predicate of type I true, what makes the two sides of type II agree, and
//! what adds or takes away rounds of a loop.

use c_syntax::{BinaryOp, Span};
use localize::evidence::deduce::solve;
use localize::evidence::{
    Case, Cell, Comparison, Evidence, EvidenceKind, Kind, Linear, Predicate, States, flipped, negated,
};

use super::naming::Names;

/// A change of the text that evidence suggests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Correction {
    /// What is replaced.
    pub(super) span: Span,
    /// By what.
    pub(super) text: String,
    /// Why, in words.
    pub(super) reason: String,
}

/// The relations of C.
const RELATIONS: [BinaryOp; 6] = [
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::NotEqual,
    BinaryOp::Equal,
];

pub(super) struct Corrector<'a> {
    pub(super) case: &'a Case,
    pub(super) conjunction: &'a [Predicate],
    pub(super) states: &'a States,
    pub(super) found: Vec<Correction>,
}

impl Corrector<'_> {
    /// Everything that one piece of evidence suggests.
    pub(super) fn correct(&mut self, evidence: &Evidence) {
        let wanted = &self.conjunction[evidence.number];
        match &evidence.kind {
            EvidenceKind::Impossible => {
                let reason = format!("{wanted} becomes {}, which is never true", evidence.wanted);
                self.assignments(evidence, &reason);
            }
            EvidenceKind::Contradicted { actual, from, .. } => {
                let reason = format!("{actual} holds where {} should", evidence.wanted);
                if let Some(from) = from {
                    self.branch(*from, &evidence.wanted, Some(actual), &reason);
                }
                self.assignments(evidence, &reason);
            }
            EvidenceKind::Unsaid => {
                let reason = format!("nothing in the run makes {wanted} hold");
                self.rounds(&reason);
                self.assignments(evidence, &reason);
                for number in self.branches() {
                    self.branch(number, &evidence.wanted, None, &reason);
                }
            }
        }
    }

    /// What remains: other conditions, and rounds of loops.
    pub(super) fn last_resort(&mut self, evidence: &Evidence) {
        let reason = format!("{} should hold and does not", self.conjunction[evidence.number]);
        for number in self.branches() {
            self.branch(number, &evidence.wanted, None, &reason);
        }
        self.rounds(&reason);
        self.other_operands(&reason);
    }

    /// Other variables and elements on both sides of the assignments of the run.
    fn other_operands(&mut self, reason: &str) {
        let mut seen: Vec<Span> = vec![];
        for number in (0..self.case.trace.instances.len()).rev() {
            let Kind::Assign { left, right: Some(right), .. } = self.case.trace.instances[number].kind.clone() else {
                continue;
            };
            if seen.contains(&right) {
                continue;
            }
            seen.push(right);
            let names = Names::at(&self.case.trace, number);
            let texts = names.elements().into_iter().chain(names.variables().into_iter().map(|(name, _)| name));
            for text in texts {
                self.add(right, text.clone(), reason);
                left.iter().for_each(|left| self.add(*left, text.clone(), reason));
            }
        }
    }

    fn add(&mut self, span: Span, text: String, reason: &str) {
        let correction = Correction { span, text, reason: reason.into() };
        if !self.found.iter().any(|known| known.span == span && known.text == correction.text) {
            self.found.push(correction);
        }
    }

    /// The first instance of each condition, from the end of the run.
    fn branches(&self) -> Vec<usize> {
        let mut seen = vec![];
        let mut found = vec![];
        for (number, instance) in self.case.trace.instances.iter().enumerate().rev() {
            if matches!(instance.kind, Kind::Branch { .. }) && !seen.contains(&instance.step) {
                seen.push(instance.step);
                found.push(number);
            }
        }
        found
    }

    /// Assignments between the evidence and the end of the run: the right side, then the left.
    fn assignments(&mut self, evidence: &Evidence, reason: &str) {
        for number in evidence.point..self.case.trace.instances.len() {
            let instance = &self.case.trace.instances[number];
            let Kind::Assign { target, value, left, right, whole } = instance.kind.clone() else { continue };
            if right.is_none() && whole.is_none() {
                continue;
            }
            let after = &self.states.hypothesized[number + 1];
            let Some(after) = after.iter().find(|wanted| wanted.number == evidence.number) else { continue };
            let after = after.predicate.clone();
            let names = Names::at(&self.case.trace, number);
            if let Some(needed) = needed(&after, &target) {
                self.right_side(&names, &target, &value, &needed, (right, whole), reason);
            }
            if let Some(left) = left {
                self.left_side(number, &names, &target, &value, &after, left, reason);
            }
        }
    }

    fn right_side(
        &mut self,
        names: &Names,
        target: &Cell,
        value: &Linear,
        needed: &Linear,
        (right, whole): (Option<Span>, Option<Span>),
        reason: &str,
    ) {
        let mut texts = names.value(needed);
        // What is missing is added to what is there.
        let missing = needed.plus(value, -1);
        if missing.terms.len() <= 2 && right.is_some() {
            for text in names.value(&missing).into_iter().take(4) {
                texts.extend(names.sum(value).into_iter().take(2).map(|own| match text.strip_prefix('-') {
                    Some(rest) => format!("{own} - {rest}"),
                    None => format!("{text} + {own}"),
                }));
            }
        }
        texts.extend(names.sum(&value.times(-1).plus(&Linear::cell(target.clone()), 2)).into_iter().take(1));
        let left = names.cell(target).into_iter().next().unwrap_or_else(|| target.name.to_string());
        for text in texts {
            match (right, whole) {
                (Some(right), _) => self.add(right, text, reason),
                (None, Some(whole)) => self.add(whole, format!("{left} = {text}"), reason),
                _ => {}
            }
        }
    }

    /// Another target: one that makes the predicate true.
    fn left_side(
        &mut self,
        number: usize,
        names: &Names,
        target: &Cell,
        value: &Linear,
        after: &Predicate,
        left: Span,
        reason: &str,
    ) {
        let values = &self.case.trace.instances[number].values;
        let Some(assigned) = value.value(values) else { return };
        let mut others: Vec<(String, Cell)> = names.variables();
        for cell in after.expression.cells() {
            others.extend(names.cell(cell).into_iter().take(3).map(|text| (text, cell.clone())));
        }
        for (text, cell) in others {
            let mut with = (**values).clone();
            with.insert(cell.key.clone(), assigned);
            if cell != *target && after.holds_with(&with) == Some(true) {
                self.add(left, text, reason);
            }
        }
        // An element of the same array by another index.
        if target.element.is_some() {
            for text in names.elements() {
                self.add(left, text, reason);
            }
        }
    }

    /// Another condition: with the relation that should hold, other relations, other operands.
    fn branch(&mut self, number: usize, wanted: &Predicate, actual: Option<&Predicate>, reason: &str) {
        let Kind::Branch { taken, comparisons, .. } = self.case.trace.instances[number].kind.clone() else { return };
        let names = Names::at(&self.case.trace, number);
        for comparison in &comparisons {
            let derived = actual.map(|_| derived(comparison, wanted, taken));
            for relation in derived.into_iter().chain(RELATIONS) {
                if relation != comparison.operator {
                    self.add(comparison.token, relation.text().into(), reason);
                }
            }
            self.operands(comparison, wanted, &names, reason);
        }
    }

    fn operands(&mut self, comparison: &Comparison, wanted: &Predicate, names: &Names, reason: &str) {
        for (operand, span) in [&comparison.left, &comparison.right] {
            for shift in [1, -1] {
                for text in names.sum(&operand.plus(&Linear::number(shift), 1)).into_iter().take(1) {
                    self.add(*span, text, reason);
                }
            }
            let mut others: Vec<String> = vec![];
            for cell in wanted.expression.cells() {
                others.extend(names.cell(cell).into_iter().take(3));
            }
            others.extend(names.elements());
            others.extend(names.variables().into_iter().map(|(name, _)| name));
            for text in others {
                self.add(*span, text.clone(), reason);
                // With the other operand it makes another condition.
                let other_relation = toggled(comparison.operator);
                let whole = comparison.left.1.to(comparison.right.1);
                let other = if *span == comparison.left.1 { &comparison.right.0 } else { &comparison.left.0 };
                let Some(other) = names.sum(other).into_iter().next() else { continue };
                let replaced = match *span == comparison.left.1 {
                    true => format!("{text} {} {other}", other_relation.text()),
                    false => format!("{other} {} {text}", other_relation.text()),
                };
                self.add(whole, replaced, reason);
            }
        }
    }

    /// Rounds of loops: other bounds, other first values, other steps.
    fn rounds(&mut self, reason: &str) {
        let mut seen: Vec<Span> = vec![];
        for number in (0..self.case.trace.instances.len()).rev() {
            let instance = self.case.trace.instances[number].clone();
            match instance.kind {
                Kind::Branch { is_loop: true, comparisons, .. } if !seen.contains(&instance.span) => {
                    seen.push(instance.span);
                    let names = Names::at(&self.case.trace, number);
                    for comparison in &comparisons {
                        self.bounds(comparison, &names, reason);
                    }
                }
                Kind::Assign { target, value, right: Some(right), .. }
                    if target.element.is_none() && !seen.contains(&right) =>
                {
                    seen.push(right);
                    let names = Names::at(&self.case.trace, number);
                    self.steps(&target, &value, &names, right, reason);
                }
                _ => {}
            }
        }
    }

    fn bounds(&mut self, comparison: &Comparison, names: &Names, reason: &str) {
        for (operand, span) in [&comparison.right, &comparison.left] {
            for shift in [1, -1, 2] {
                for text in names.sum(&operand.plus(&Linear::number(shift), 1)).into_iter().take(1) {
                    self.add(*span, text, reason);
                }
            }
        }
        for relation in RELATIONS.into_iter().filter(|relation| *relation != comparison.operator) {
            self.add(comparison.token, relation.text().into(), reason);
        }
    }

    /// A first value, or the step of a loop.
    fn steps(&mut self, target: &Cell, value: &Linear, names: &Names, right: Span, reason: &str) {
        let own = names.cell(target).into_iter().next().unwrap_or_else(|| target.name.to_string());
        let is_step = value.mentions(target);
        if is_step {
            for step in ["+ 1", "- 1", "+ 2"] {
                self.add(right, format!("{own} {step}"), reason);
            }
        } else {
            for shift in [-1, 1, -2, 2] {
                for text in names.sum(&value.plus(&Linear::number(shift), 1)).into_iter().take(1) {
                    self.add(right, text, reason);
                }
            }
        }
    }
}

/// What a cell must be so that a predicate holds, as close to its border as possible.
fn needed(after: &Predicate, target: &Cell) -> Option<Linear> {
    let factor = after.expression.factor(target);
    if factor.abs() != 1 {
        return None;
    }
    let border = solve(after, target, factor);
    let shift = match (after.relation, factor) {
        (BinaryOp::Less, 1) | (BinaryOp::Greater, -1) => -1,
        (BinaryOp::Greater, 1) | (BinaryOp::Less, -1) => 1,
        (BinaryOp::NotEqual, _) => 1,
        _ => 0,
    };
    Some(border.plus(&Linear::number(shift), 1))
}

/// The relation that makes a condition say what should hold, on the way that the run took.
fn derived(comparison: &Comparison, wanted: &Predicate, taken: bool) -> BinaryOp {
    let own = comparison.left.0.plus(&comparison.right.0, -1);
    let same = own.terms == wanted.expression.terms || {
        let sum = own.plus(&wanted.expression, -1);
        sum.terms.is_empty()
    };
    let relation = if same { wanted.relation } else { flipped(wanted.relation) };
    if taken { relation } else { negated(relation) }
}

/// The relation that differs only where both sides are equal.
fn toggled(relation: BinaryOp) -> BinaryOp {
    match relation {
        BinaryOp::Less => BinaryOp::LessEqual,
        BinaryOp::LessEqual => BinaryOp::Less,
        BinaryOp::Greater => BinaryOp::GreaterEqual,
        BinaryOp::GreaterEqual => BinaryOp::Greater,
        other => other,
    }
}
