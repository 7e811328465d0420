//! Gates over literals, each made once: the same gate over the same inputs is
//! the same literal, and constants and repeated inputs disappear.

use std::collections::HashMap;

use crate::sat::Lit;

/// The literal that always holds; [`Gates::new`] asserts it.
pub(crate) const TRUE: Lit = Lit::TRUE;
/// The literal that never holds.
pub(crate) const FALSE: Lit = Lit::FALSE;

/// Clauses in one flat list.
#[derive(Default)]
pub(crate) struct Cnf {
    literals: Vec<Lit>,
    ends: Vec<usize>,
}

impl Cnf {
    /// How many clauses there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The clauses from number `from` on.
    pub(crate) fn clauses_from(&self, from: usize) -> impl Iterator<Item = &[Lit]> {
        let start = |i: usize| if i == 0 { 0 } else { self.ends[i - 1] };
        (from..self.ends.len()).map(move |i| &self.literals[start(i)..self.ends[i]])
    }
}

#[derive(PartialEq, Eq, Hash)]
enum Gate {
    And(Box<[Lit]>),
    Xor(Lit, Lit),
    Xor3(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
    Mux(Lit, Lit, Lit),
}

/// A circuit and the clauses that define it.
pub(crate) struct Gates {
    pub(crate) cnf: Cnf,
    known: HashMap<Gate, Lit>,
    variables: u32,
}

impl Gates {
    pub(crate) fn new() -> Self {
        let mut gates = Self { cnf: Cnf::default(), known: HashMap::new(), variables: 1 };
        gates.cnf.literals.push(TRUE);
        gates.cnf.ends.push(1);
        gates
    }

    /// A literal of a new variable.
    pub(crate) fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables - 1)
    }

    /// Adds a clause, without what constants decide.
    pub(crate) fn clause(&mut self, clause: &[Lit]) {
        if !clause.contains(&TRUE) {
            self.cnf.literals.extend(clause.iter().copied().filter(|&lit| lit != FALSE));
            self.cnf.ends.push(self.cnf.literals.len());
        }
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.all(&[a, b])
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.all(&[!a, !b])
    }

    pub(crate) fn any(&mut self, inputs: &[Lit]) -> Lit {
        let negated: Vec<Lit> = inputs.iter().map(|&lit| !lit).collect();
        !self.all(&negated)
    }

    pub(crate) fn all(&mut self, inputs: &[Lit]) -> Lit {
        let mut inputs: Vec<Lit> = inputs.iter().copied().filter(|&lit| lit != TRUE).collect();
        inputs.sort_unstable();
        inputs.dedup();
        // A literal and its negation are neighbours in this order.
        let contradiction = inputs.windows(2).any(|pair| pair[0] == !pair[1]);
        match inputs[..] {
            _ if contradiction || inputs.contains(&FALSE) => FALSE,
            [] => TRUE,
            [one] => one,
            _ => self.gate(Gate::And(inputs.clone().into()), |gates, out| {
                let mut long = vec![out];
                for &input in &inputs {
                    gates.clause(&[!out, input]);
                    long.push(!input);
                }
                gates.clause(&long);
            }),
        }
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flip = a.is_negated() != b.is_negated();
        let (a, b) = (a.absolute(), b.absolute());
        let (a, b) = (a.min(b), a.max(b));
        let plain = match () {
            _ if a == b => FALSE,
            // TRUE is the smallest of all literals.
            _ if a == TRUE => !b,
            _ => self.gate(Gate::Xor(a, b), |gates, out| {
                for (x, y) in [(a, b), (!a, !b)] {
                    gates.clause(&[!out, x, y]);
                    gates.clause(&[out, !x, y]);
                }
            }),
        };
        if flip { !plain } else { plain }
    }

    /// The sum bit of a full adder.
    pub(crate) fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let flip = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut inputs = [a.absolute(), b.absolute(), c.absolute()];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        let plain = match () {
            _ if a == TRUE => !self.xor(b, c),
            _ if a == b => c,
            _ if b == c => a,
            _ => self.gate(Gate::Xor3(a, b, c), |gates, out| {
                for (x, y, z) in [(a, b, c), (a, !b, !c), (!a, b, !c), (!a, !b, c)] {
                    gates.clause(&[!out, x, y, z]);
                    gates.clause(&[out, !x, !y, !z]);
                }
            }),
        };
        if flip { !plain } else { plain }
    }

    /// The carry of a full adder.
    pub(crate) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        match () {
            _ if a == TRUE => self.or(b, c),
            _ if a == FALSE => self.and(b, c),
            _ if a == b => a,
            _ if b == c => b,
            _ if a == !b => c,
            _ if b == !c => a,
            _ => self.gate(Gate::Majority(a, b, c), |gates, out| {
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    gates.clause(&[out, !x, !y]);
                    gates.clause(&[!out, x, y]);
                }
            }),
        }
    }

    /// `a` where `condition` holds, otherwise `b`.
    pub(crate) fn mux(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if condition.is_negated() {
            return self.mux(!condition, b, a);
        }
        match () {
            _ if condition == TRUE || a == b => a,
            _ if a == !b => !self.xor(condition, a),
            _ if a == TRUE || a == condition => self.or(condition, b),
            _ if a == FALSE || a == !condition => self.and(!condition, b),
            _ if b == TRUE || b == !condition => self.or(!condition, a),
            _ if b == FALSE || b == condition => self.and(condition, a),
            _ => self.gate(Gate::Mux(condition, a, b), |gates, out| {
                gates.clause(&[!condition, !a, out]);
                gates.clause(&[!condition, a, !out]);
                gates.clause(&[condition, !b, out]);
                gates.clause(&[condition, b, !out]);
                // Redundant, but they propagate when both inputs agree.
                gates.clause(&[!a, !b, out]);
                gates.clause(&[a, b, !out]);
            }),
        }
    }

    fn gate(&mut self, gate: Gate, define: impl FnOnce(&mut Self, Lit)) -> Lit {
        if let Some(&known) = self.known.get(&gate) {
            return known;
        }
        let out = self.fresh();
        self.known.insert(gate, out);
        define(self, out);
        out
    }
}
