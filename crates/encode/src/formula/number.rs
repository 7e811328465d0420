//! Numbers that a solver chooses, such as "the third of these terms".

use solver::{Model as Solution, Term, Terms};

use super::value::{Atom, Parts, Value};

/// A number from 0 on that a solver chooses.
#[derive(Clone, Debug)]
pub(super) struct Number {
    /// Whether it is each of the numbers; exactly one of these holds.
    literals: Vec<Term>,
    /// The variable of a finite domain that it is, unless it consists of Booleans.
    variable: Option<Term>,
}

impl Number {
    /// A number below `count`. With `one_hot` it consists of Booleans, which
    /// SMT solvers find easier; what must hold of them goes to `rules`.
    pub(super) fn new(terms: &mut Terms, name: &str, count: usize, one_hot: bool, rules: &mut Vec<Term>) -> Number {
        if one_hot {
            let literals: Vec<Term> = (0..count).map(|i| terms.bool_variable(&format!("{name}={i}"))).collect();
            rules.push(terms.any(&literals));
            for (i, &a) in literals.iter().enumerate() {
                for &b in &literals[..i] {
                    let both = terms.and(a, b);
                    rules.push(terms.not(both));
                }
            }
            return Number { literals, variable: None };
        }
        let variable = terms.domain_variable(name, count as u32);
        Number { literals: (0..count as u32).map(|i| terms.is_value(variable, i)).collect(), variable: Some(variable) }
    }

    /// Whether it is this number.
    pub(super) fn is(&self, number: usize) -> Term {
        self.literals[number]
    }

    /// The Boolean with this number.
    fn select(&self, terms: &mut Terms, items: &[Term]) -> Term {
        match self.variable {
            Some(variable) => terms.select(variable, items),
            None => {
                let each: Vec<Term> = self.literals.iter().zip(items).map(|(&is, &item)| terms.and(is, item)).collect();
                terms.any(&each)
            }
        }
    }

    /// The value with this number; nothing for the items that are missing.
    pub(super) fn value(&self, terms: &mut Terms, items: &[Option<Value>]) -> Value {
        let no = terms.constant(false);
        let items: Vec<Vec<(Term, Atom)>> =
            items.iter().map(|item| item.as_ref().map_or_else(Vec::new, |value| value.parts(terms))).collect();
        let mut atoms: Vec<Atom> = Vec::new();
        for (_, atom) in items.iter().flatten() {
            if !atoms.contains(atom) {
                atoms.push(*atom);
            }
        }
        let mut parts = Parts::default();
        for atom in atoms {
            let guard = |item: &Vec<(Term, Atom)>| item.iter().find(|part| part.1 == atom).map_or(no, |part| part.0);
            let guards: Vec<Term> = items.iter().map(guard).collect();
            parts.add(self.select(terms, &guards), atom);
        }
        parts.finish(terms)
    }

    /// The number of a solution.
    pub(super) fn of(&self, terms: &Terms, solution: &Solution) -> usize {
        match self.variable {
            Some(variable) => terms.evaluate(variable, solution) as usize,
            None => self.literals.iter().position(|&literal| solution.holds(terms, literal)).unwrap_or(0),
        }
    }
}
