//! Numbers that are only copied and compared need few bits.
//!
//! In a formula about a sort, elements are moved and compared with each other,
//! and nothing else: if it has a model, it has one in which the n elements are
//! among n neighbouring numbers, in the same order. So 32 bits of each can be 4
//! without losing a model. [`Terms::narrow`] finds such variables and writes the
//! formula over short ones.
//!
//! Variables that meet in a comparison or in the arms of a choice form a class.
//! A class with a variable that is also computed with (a sum, a shift, an index)
//! stays as it is. Numbers that a class is compared with keep their places: with
//! `x < 0` and `x < y`, room for two on both sides of 0 is enough.

use std::collections::HashMap;

use super::{Node, Sort, Term, Terms, signed};

/// Bits that must be saved so that a class is written anew.
const LEAST_SAVED: u32 = 4;

/// A formula over shorter variables. It has a model if and only if the first one has.
#[derive(Clone, Debug)]
pub struct Narrowed {
    /// The formula.
    pub root: Term,
    /// Each variable, and the short one for it; as signed numbers they are equal.
    pub variables: Vec<(Term, Term)>,
}

impl Terms {
    /// The formula over shorter variables where those do.
    pub fn narrow(&mut self, root: Term) -> Narrowed {
        let order = self.pending(&[root], |_| false);
        let mut classes = Classes::default();
        order.iter().for_each(|term| classes.visit(self, *term));
        let mut writer = Writer { widths: classes.widths(self), classes, new: HashMap::new(), variables: vec![] };
        if writer.widths.values().all(Option::is_none) {
            return Narrowed { root, variables: vec![] };
        }
        for term in order {
            let made = writer.write(self, term);
            writer.new.insert(term, made);
        }
        Narrowed { root: writer.new[&root], variables: writer.variables }
    }
}

/// What is known about a class.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    /// Its variables.
    variables: i64,
    /// The least and the greatest number that they are compared with.
    constants: Option<(i64, i64)>,
    /// Whether something else is done with one of them.
    is_computed: bool,
}

/// Terms that are variables, or chosen among variables and numbers, by class.
#[derive(Debug, Default)]
struct Classes {
    of: HashMap<Term, usize>,
    parents: Vec<usize>,
    all: Vec<Class>,
}

impl Classes {
    fn visit(&mut self, terms: &Terms, term: Term) {
        match terms.node(term) {
            Node::Variable { sort: Sort::Bits(_), .. } => {
                let class = self.add(Class { variables: 1, ..Class::default() });
                self.of.insert(term, class);
            }
            Node::Ite(_, a, b) if is_bits(terms, term) => self.choice(terms, term, &[*a, *b]),
            Node::Select(index, items) if is_bits(terms, term) => {
                self.compute(*index);
                self.choice(terms, term, items);
            }
            Node::SignExtend { term: of, .. } => self.choice(terms, term, &[*of]),
            Node::Eq(a, b) | Node::Less { signed: true, left: a, right: b } if is_bits(terms, *a) => {
                self.join(terms, &[*a, *b]);
            }
            _ => terms.operands(term).into_iter().for_each(|operand| self.compute(operand)),
        }
    }

    fn add(&mut self, class: Class) -> usize {
        self.parents.push(self.all.len());
        self.all.push(class);
        self.all.len() - 1
    }

    fn choice(&mut self, terms: &Terms, term: Term, items: &[Term]) {
        let class = self.join(terms, items);
        self.of.insert(term, class);
    }

    /// Something is done with a term that changes its value, or looks at its bits.
    fn compute(&mut self, term: Term) {
        if let Some(class) = self.class(term) {
            self.all[class].is_computed = true;
        }
    }

    /// The class of a term. What is passed on the way there leads nearer to it the next time.
    fn class(&mut self, term: Term) -> Option<usize> {
        let mut class = *self.of.get(&term)?;
        while self.parents[class] != class {
            self.parents[class] = self.parents[self.parents[class]];
            class = self.parents[class];
        }
        Some(class)
    }

    /// One class for all of these.
    fn join(&mut self, terms: &Terms, items: &[Term]) -> usize {
        let joined = self.add(Class::default());
        for item in items {
            let class = self.class(*item);
            let part = match (terms.value(*item), class) {
                (Some(value), _) => {
                    let number = signed(value, terms.width(*item));
                    Class { constants: Some((number, number)), ..Class::default() }
                }
                (None, Some(class)) if class == joined => continue,
                (None, Some(class)) => {
                    self.parents[class] = joined;
                    self.all[class]
                }
                (None, None) => Class { is_computed: true, ..Class::default() },
            };
            let whole = &mut self.all[joined];
            whole.variables += part.variables;
            whole.is_computed |= part.is_computed;
            whole.constants = match (whole.constants, part.constants) {
                (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
                (a, b) => a.or(b),
            };
        }
        joined
    }

    /// The bits that each class needs; none if it stays as it is.
    fn widths(&mut self, terms: &Terms) -> HashMap<usize, Option<u32>> {
        let mut widths: HashMap<usize, Option<u32>> = HashMap::new();
        let is_variable = |term: &Term| matches!(terms.node(*term), Node::Variable { .. });
        let variables: Vec<Term> = self.of.keys().copied().filter(is_variable).collect();
        for term in variables {
            let Some(class) = self.class(term) else { continue };
            let needed = self.all[class].width().filter(|width| width + LEAST_SAVED <= terms.width(term));
            let known = widths.entry(class).or_insert(needed);
            *known = known.and(needed);
        }
        widths
    }
}

impl Class {
    /// Bits for all numbers that its variables need in some model.
    fn width(&self) -> Option<u32> {
        if self.is_computed {
            return None;
        }
        let (least, greatest) = self.constants.unwrap_or((0, 0));
        let (low, high) = (least.checked_sub(self.variables)?, greatest.checked_add(self.variables)?);
        (2..=32).find(|width| -(1i64 << (width - 1)) <= low && high < 1i64 << (width - 1))
    }
}

fn is_bits(terms: &Terms, term: Term) -> bool {
    matches!(terms.sort(term), Sort::Bits(_))
}

struct Writer {
    classes: Classes,
    widths: HashMap<usize, Option<u32>>,
    new: HashMap<Term, Term>,
    variables: Vec<(Term, Term)>,
}

impl Writer {
    /// The bits of a term's class, if it is written anew.
    fn width(&mut self, term: Term) -> Option<u32> {
        *self.widths.get(&self.classes.class(term)?)?
    }

    /// An item of a class as a term of its new width.
    fn item(&self, terms: &mut Terms, item: Term, width: u32) -> Term {
        match terms.value(item) {
            Some(value) => terms.bits(signed(value, terms.width(item)) as u64, width),
            None => self.new[&item],
        }
    }

    fn write(&mut self, terms: &mut Terms, term: Term) -> Term {
        let node = terms.node(term).clone();
        let compared = match node {
            Node::Eq(a, b) | Node::Less { signed: true, left: a, right: b } => self.width(a).or(self.width(b)),
            _ => self.width(term),
        };
        let Some(width) = compared else { return terms.rebuild(term, &self.new) };
        match node {
            Node::Variable { name, .. } => {
                let short = terms.bits_variable(&name, width);
                self.variables.push((term, short));
                short
            }
            Node::Ite(condition, a, b) => {
                let (a, b) = (self.item(terms, a, width), self.item(terms, b, width));
                terms.ite(self.new[&condition], a, b)
            }
            Node::Select(index, items) => {
                let items: Vec<Term> = items.iter().map(|item| self.item(terms, *item, width)).collect();
                terms.select(self.new[&index], &items)
            }
            Node::SignExtend { term: of, .. } => self.item(terms, of, width),
            Node::Eq(a, b) => {
                let (a, b) = (self.item(terms, a, width), self.item(terms, b, width));
                terms.eq(a, b)
            }
            Node::Less { left, right, .. } => {
                let (left, right) = (self.item(terms, left, width), self.item(terms, right, width));
                terms.slt(left, right)
            }
            _ => unreachable!("only these terms have a class"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_compared_gets_short() {
        let mut terms = Terms::new();
        let [x, y, n] = ["x", "y", "n"].map(|name| terms.bits_variable(name, 32));
        let (flag, one) = (terms.bool_variable("flag"), terms.bits(1, 32));
        let larger = terms.ite(flag, x, y);
        let less = terms.slt(larger, y);
        let next = terms.add(n, one);
        let computed = terms.slt(n, next);
        let root = terms.and(less, computed);
        let narrowed = terms.narrow(root);
        let widths: Vec<(Term, u32)> = narrowed.variables.iter().map(|(old, new)| (*old, terms.width(*new))).collect();
        assert_eq!(widths, [(x, 3), (y, 3)]);
    }
}
