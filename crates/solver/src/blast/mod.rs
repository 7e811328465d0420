//! Terms to clauses: a Boolean becomes one literal, a bit-vector one for each
//! bit, a domain term one for each value, of which exactly one holds.

mod assert;
mod gates;
mod words;

use std::collections::HashMap;
use std::sync::Arc;

pub(crate) use gates::{Cnf, Gates};

use crate::cardinality::{Totalizer, binary_exceeds, count_exceeds, exactly_one};
use crate::sat::{Assignment, Lit};
use crate::term::{BinaryOp, Model, Node, Sort, Term, Terms};

/// Up to so many inputs are counted one after the other instead of in a tree.
const COUNTER_UP_TO: usize = 5;

/// Dividend and divisor, or quotient and remainder.
type WordPair = (Vec<Lit>, Vec<Lit>);

/// The circuits of all terms that were asked for.
pub(crate) struct Blaster {
    pub(crate) gates: Gates,
    words: HashMap<Term, Arc<[Lit]>>,
    variables: Vec<Term>,
    divisions: HashMap<WordPair, WordPair>,
    totalizers: HashMap<Arc<[(u64, Term)]>, Option<Totalizer>>,
}

impl Blaster {
    pub(crate) fn new() -> Self {
        Self {
            gates: Gates::new(),
            words: HashMap::new(),
            variables: Vec::new(),
            divisions: HashMap::new(),
            totalizers: HashMap::new(),
        }
    }

    /// The literal of a Boolean.
    pub(crate) fn literal(&mut self, terms: &Terms, term: Term) -> Lit {
        self.word(terms, term)[0]
    }

    /// The literals of a term.
    pub(crate) fn word(&mut self, terms: &Terms, term: Term) -> Arc<[Lit]> {
        for next in terms.pending(&[term], |known| self.words.contains_key(&known)) {
            let word = self.encode(terms, next);
            self.words.insert(next, word.into());
        }
        self.words[&term].clone()
    }

    /// The values of all variables that have literals.
    pub(crate) fn model(&self, terms: &Terms, assignment: &Assignment) -> Model {
        let value = |&variable: &Term| {
            let word = &self.words[&variable];
            let value = match terms.sort(variable) {
                Sort::Domain(_) => word.iter().position(|&lit| assignment.holds(lit)).unwrap_or(0) as u64,
                _ => word.iter().rev().fold(0, |value, &lit| value << 1 | u64::from(assignment.holds(lit))),
            };
            (variable, value)
        };
        self.variables.iter().map(value).collect()
    }

    fn bit(&self, term: Term) -> Lit {
        self.words[&term][0]
    }

    fn bits_of(&self, items: &[Term]) -> Vec<Lit> {
        items.iter().map(|&item| self.bit(item)).collect()
    }

    /// The literals of a term whose operands have theirs.
    fn encode(&mut self, terms: &Terms, term: Term) -> Vec<Lit> {
        let of = |words: &HashMap<Term, Arc<[Lit]>>, operand: &Term| words[operand].clone();
        match terms.node(term) {
            Node::Variable { sort, .. } => self.encode_variable(term, *sort),
            Node::Constant { value, sort } => encode_constant(*value, *sort),
            Node::Not(a) => vec![!self.bit(*a)],
            Node::And(items) => vec![self.gates.all(&self.bits_of(items))],
            Node::Or(items) => vec![self.gates.any(&self.bits_of(items))],
            Node::Xor(a, b) => vec![self.gates.xor(self.bit(*a), self.bit(*b))],
            Node::Ite(c, a, b) => {
                let (a, b) = (of(&self.words, a), of(&self.words, b));
                self.gates.mux_words(self.bit(*c), &a, &b)
            }
            Node::Eq(a, b) => vec![self.encode_eq(terms, *a, *b)],
            Node::Less { signed, left, right } => {
                let (left, right) = (of(&self.words, left), of(&self.words, right));
                let less = if *signed { Gates::less_signed_words } else { Gates::less_words };
                vec![less(&mut self.gates, &left, &right)]
            }
            Node::Sum { constant, parts } => {
                let words: Vec<_> = parts.iter().map(|(factor, part)| (*factor, of(&self.words, part))).collect();
                let slices: Vec<(u64, &[Lit])> = words.iter().map(|(factor, word)| (*factor, &**word)).collect();
                self.gates.sum_words(*constant, &slices, terms.width(term) as usize)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (of(&self.words, a), of(&self.words, b));
                self.encode_binary(*op, &a, &b)
            }
            Node::ZeroExtend { term, width } => extend(&of(&self.words, term), *width, Lit::FALSE),
            Node::SignExtend { term, width } => {
                let word = of(&self.words, term);
                extend(&word, *width, word[word.len() - 1])
            }
            Node::Extract { term, low, width } => {
                of(&self.words, term)[*low as usize..(*low + *width) as usize].to_vec()
            }
            Node::Select(index, items) => self.encode_select(*index, items),
            Node::AtMost { parts, bound } => vec![!self.encode_exceeds(parts, *bound)],
        }
    }

    fn encode_variable(&mut self, variable: Term, sort: Sort) -> Vec<Lit> {
        self.variables.push(variable);
        let count = match sort {
            Sort::Bool => 1,
            Sort::Bits(width) => width,
            Sort::Domain(size) => size,
        };
        let word: Vec<Lit> = (0..count).map(|_| self.gates.fresh()).collect();
        if matches!(sort, Sort::Domain(_)) {
            exactly_one(&word, &mut self.gates);
        }
        word
    }

    fn encode_eq(&mut self, terms: &Terms, a: Term, b: Term) -> Lit {
        let (left, right) = (self.words[&a].clone(), self.words[&b].clone());
        if !matches!(terms.sort(a), Sort::Domain(_)) {
            return self.gates.equal_words(&left, &right);
        }
        // Where one side is a constant, the answer is a literal of the other.
        if let Some(value) = right.iter().position(|&lit| lit == Lit::TRUE) {
            return left[value];
        }
        if let Some(value) = left.iter().position(|&lit| lit == Lit::TRUE) {
            return right[value];
        }
        let equal = self.gates.fresh();
        for (&x, &y) in left.iter().zip(right.iter()) {
            self.gates.clause(&[!equal, !x, y]);
            self.gates.clause(&[!equal, x, !y]);
            self.gates.clause(&[equal, !x, !y]);
        }
        equal
    }

    fn encode_binary(&mut self, op: BinaryOp, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let bitwise = |gates: &mut Gates, gate: fn(&mut Gates, Lit, Lit) -> Lit| {
            a.iter().zip(b).map(|(&x, &y)| gate(gates, x, y)).collect()
        };
        let sign = a[a.len() - 1];
        match op {
            BinaryOp::Mul => self.gates.multiply_words(a, b),
            BinaryOp::Udiv => self.divide(a, b).0,
            BinaryOp::Urem => self.divide(a, b).1,
            BinaryOp::Sdiv => self.signed_divide(a, b).0,
            BinaryOp::Srem => self.signed_divide(a, b).1,
            BinaryOp::And => bitwise(&mut self.gates, Gates::and),
            BinaryOp::Or => bitwise(&mut self.gates, Gates::or),
            BinaryOp::Xor => bitwise(&mut self.gates, Gates::xor),
            BinaryOp::Shl => self.gates.shift_left(a, b),
            BinaryOp::Lshr => self.gates.shift_right(a, b, Lit::FALSE),
            BinaryOp::Ashr => self.gates.shift_right(a, b, sign),
            BinaryOp::Concat => [b, a].concat(),
        }
    }

    /// Quotient and remainder; programs that use one often use the other, too.
    fn divide(&mut self, a: &[Lit], b: &[Lit]) -> WordPair {
        let gates = &mut self.gates;
        self.divisions.entry((a.to_vec(), b.to_vec())).or_insert_with(|| gates.divide_words(a, b)).clone()
    }

    /// Division of the magnitudes, then the signs.
    fn signed_divide(&mut self, a: &[Lit], b: &[Lit]) -> WordPair {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (magnitude_a, magnitude_b) = (self.negate_if(sign_a, a), self.negate_if(sign_b, b));
        let (quotient, remainder) = self.divide(&magnitude_a, &magnitude_b);
        let signs_differ = self.gates.xor(sign_a, sign_b);
        (self.negate_if(signs_differ, &quotient), self.negate_if(sign_a, &remainder))
    }

    fn negate_if(&mut self, condition: Lit, word: &[Lit]) -> Vec<Lit> {
        let negated = self.gates.negate_word(word);
        self.gates.mux_words(condition, &negated, word)
    }

    fn encode_select(&mut self, index: Term, items: &[Term]) -> Vec<Lit> {
        let index = self.words[&index].clone();
        let items: Vec<Arc<[Lit]>> = items.iter().map(|item| self.words[item].clone()).collect();
        let bit = |i: usize| -> Vec<(Lit, Lit)> { index.iter().zip(&items).map(|(&at, item)| (at, item[i])).collect() };
        (0..items[0].len()).map(|i| self.select_bit(&bit(i))).collect()
    }

    /// The second of that pair whose first holds; exactly one does.
    fn select_bit(&mut self, choices: &[(Lit, Lit)]) -> Lit {
        let is_constant = |lit: Lit| lit == Lit::TRUE || lit == Lit::FALSE;
        if choices.iter().all(|choice| choice.1 == choices[0].1) {
            return choices[0].1;
        }
        if choices.iter().all(|choice| is_constant(choice.1)) {
            let chosen: Vec<Lit> =
                choices.iter().filter(|choice| choice.1 == Lit::TRUE).map(|choice| choice.0).collect();
            return self.gates.any(&chosen);
        }
        let out = self.gates.fresh();
        for &(at, item) in choices {
            self.gates.clause(&[!at, !item, out]);
            self.gates.clause(&[!at, item, !out]);
        }
        out
    }

    fn encode_exceeds(&mut self, parts: &Arc<[(u64, Term)]>, bound: u64) -> Lit {
        let inputs: Vec<(u64, Lit)> = parts.iter().map(|&(weight, part)| (weight, self.bit(part))).collect();
        if inputs.len() <= COUNTER_UP_TO && inputs.iter().all(|input| input.0 == 1) {
            let lits: Vec<Lit> = inputs.iter().map(|input| input.1).collect();
            return count_exceeds(&lits, bound as usize, &mut self.gates);
        }
        match self.totalizers.entry(parts.clone()).or_insert_with(|| Totalizer::new(&inputs)) {
            Some(tree) => tree.exceeds(bound, &mut self.gates),
            None => binary_exceeds(&inputs, bound, &mut self.gates),
        }
    }
}

fn encode_constant(value: u64, sort: Sort) -> Vec<Lit> {
    match sort {
        Sort::Bool => Gates::constant_word(value, 1),
        Sort::Bits(width) => Gates::constant_word(value, width as usize),
        Sort::Domain(size) => (0..u64::from(size)).map(|i| if i == value { Lit::TRUE } else { Lit::FALSE }).collect(),
    }
}

fn extend(word: &[Lit], width: u32, fill: Lit) -> Vec<Lit> {
    let mut extended = word.to_vec();
    extended.resize(width as usize, fill);
    extended
}
