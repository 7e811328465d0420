//! Constraints to clauses, without literals for what stands at the top.

use super::Blaster;
use crate::sat::Lit;
use crate::term::{Node, Sort, Term, Terms};

/// A Boolean or its negation that has to hold where all guards do.
struct Demand {
    term: Term,
    holds: bool,
    /// The negations of the guards.
    unless: Vec<Lit>,
}

impl Blaster {
    /// Demands `term` where all of `guards` hold.
    pub(crate) fn assert(&mut self, terms: &Terms, term: Term, guards: &[Lit]) {
        let unless: Vec<Lit> = guards.iter().map(|&guard| !guard).collect();
        let mut demands = vec![Demand { term, holds: true, unless }];
        while let Some(demand) = demands.pop() {
            demands.extend(self.demand(terms, demand));
        }
    }

    /// Adds the clauses of one demand, or gives back smaller demands.
    fn demand(&mut self, terms: &Terms, demand: Demand) -> Vec<Demand> {
        let Demand { term, holds, unless } = demand;
        let same = |term| Demand { term, holds, unless: unless.clone() };
        match (terms.node(term), holds) {
            (Node::Not(inner), _) => return vec![Demand { term: *inner, holds: !holds, unless }],
            (Node::And(items), true) | (Node::Or(items), false) => {
                return items.iter().map(|&item| same(item)).collect();
            }
            (Node::And(items), false) | (Node::Or(items), true) => self.demand_one(terms, items, holds, unless),
            (Node::Ite(condition, then, other), _) => {
                let condition = self.literal(terms, *condition);
                let unless_also = |lit| [&unless[..], &[lit]].concat();
                return vec![
                    Demand { term: *then, holds, unless: unless_also(!condition) },
                    Demand { term: *other, holds, unless: unless_also(condition) },
                ];
            }
            (Node::Eq(a, b), true) => self.demand_equal(terms, *a, *b, unless),
            (Node::Eq(a, b), false) if matches!(terms.sort(*a), Sort::Domain(_)) => {
                self.demand_different(terms, *a, *b, unless);
            }
            _ => {
                let lit = self.literal(terms, term);
                self.guarded(&unless, &[if holds { lit } else { !lit }]);
            }
        }
        vec![]
    }

    fn demand_one(&mut self, terms: &Terms, items: &[Term], hold: bool, mut clause: Vec<Lit>) {
        for &item in items {
            let lit = self.literal(terms, item);
            clause.push(if hold { lit } else { !lit });
        }
        self.gates.clause(&clause);
    }

    fn demand_equal(&mut self, terms: &Terms, a: Term, b: Term, unless: Vec<Lit>) {
        let (left, right) = (self.word(terms, a), self.word(terms, b));
        for (&x, &y) in left.iter().zip(right.iter()) {
            self.guarded(&unless, &[!x, y]);
            self.guarded(&unless, &[x, !y]);
        }
    }

    fn demand_different(&mut self, terms: &Terms, a: Term, b: Term, unless: Vec<Lit>) {
        let (left, right) = (self.word(terms, a), self.word(terms, b));
        for (&x, &y) in left.iter().zip(right.iter()) {
            self.guarded(&unless, &[!x, !y]);
        }
    }

    fn guarded(&mut self, unless: &[Lit], clause: &[Lit]) {
        self.gates.clause(&[unless, clause].concat());
    }
}
