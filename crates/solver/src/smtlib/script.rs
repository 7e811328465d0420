//! Terms to SMT-LIB. Every node becomes one definition, so sharing is kept and
//! nothing is nested deeply. A domain term is a bit-vector that is wide enough.

use std::fmt::Write;

use crate::engine::{Query, Switch};
use crate::term::{BinaryOp, Node, Sort, Term, Terms};

/// What is sent to the solver before and after it has said `sat` or `unsat`.
pub(crate) struct Script {
    pub(super) text: String,
    /// Asks for the values of all variables.
    pub(super) get_model: String,
    pub(super) variables: Vec<Term>,
}

impl Script {
    pub(super) fn new(terms: &Terms, constraints: &[&(Term, Vec<Switch>)], query: &Query) -> Self {
        let roots: Vec<Term> =
            constraints.iter().map(|constraint| constraint.0).chain(query.assumptions.clone()).collect();
        let mut text = String::from(
            "(set-option :produce-models true)\n(set-option :produce-unsat-cores true)\n(set-logic QF_BV)\n",
        );
        let mut variables = Vec::new();
        for term in terms.pending(&roots, |_| false) {
            if matches!(terms.node(term), Node::Variable { .. }) {
                variables.push(term);
                declare(&mut text, terms, term);
            } else {
                // z3 copies the bodies of `define-fun` into each other; a name with an equation stays shared.
                let (name, sort, body) = (name(terms, term), sort(terms, term), body(terms, term));
                line(&mut text, format_args!("(declare-const {name} {sort})"));
                line(&mut text, format_args!("(assert (= {name} {body}))"));
            }
        }
        assert_all(&mut text, terms, constraints, query);
        text.push_str("(check-sat)\n");
        let names: Vec<String> = variables.iter().map(|&variable| name(terms, variable)).collect();
        let get_model = if names.is_empty() { String::new() } else { format!("(get-value ({}))\n", names.join(" ")) };
        Self { text, get_model, variables }
    }
}

fn assert_all(text: &mut String, terms: &Terms, constraints: &[&(Term, Vec<Switch>)], query: &Query) {
    for switch in &query.on {
        line(text, format_args!("(declare-fun s{} () Bool)", switch.0));
        line(text, format_args!("(assert (! s{0} :named on{0}))", switch.0));
    }
    for (term, switches) in constraints {
        let guards: String = switches.iter().map(|switch| format!(" (not s{})", switch.0)).collect();
        line(text, format_args!("(assert (or {}{guards} false))", name(terms, *term)));
    }
    for (i, &assumption) in query.assumptions.iter().enumerate() {
        line(text, format_args!("(assert (! (and {} true) :named as{i}))", name(terms, assumption)));
    }
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string does not fail");
    text.push('\n');
}

fn declare(text: &mut String, terms: &Terms, variable: Term) {
    let (own, sort_text) = (name(terms, variable), sort(terms, variable));
    line(text, format_args!("(declare-fun {own} () {sort_text})"));
    if let Sort::Domain(size) = terms.sort(variable) {
        let last = number(u64::from(size) - 1, terms.sort(variable));
        line(text, format_args!("(assert (bvule {own} {last}))"));
    }
}

fn name(terms: &Terms, term: Term) -> String {
    let kind = if matches!(terms.node(term), Node::Variable { .. }) { 'v' } else { 't' };
    format!("{kind}{}", term.index())
}

/// How many bits stand for a term of this sort.
fn width_of(sort: Sort) -> u32 {
    match sort {
        Sort::Bool => 0,
        Sort::Bits(width) => width,
        Sort::Domain(size) => (32 - (size - 1).leading_zeros()).max(1),
    }
}

fn sort(terms: &Terms, term: Term) -> String {
    match terms.sort(term) {
        Sort::Bool => "Bool".into(),
        sort => format!("(_ BitVec {})", width_of(sort)),
    }
}

fn number(value: u64, sort: Sort) -> String {
    match sort {
        Sort::Bool => (value == 1).to_string(),
        _ => format!("(_ bv{value} {})", width_of(sort)),
    }
}

fn body(terms: &Terms, term: Term) -> String {
    let of = |operand: &Term| name(terms, *operand);
    let list = |items: &[Term]| items.iter().map(of).collect::<Vec<_>>().join(" ");
    match terms.node(term) {
        Node::Variable { .. } => of(&term),
        Node::Constant { value, sort } => number(*value, *sort),
        Node::Not(a) => format!("(not {})", of(a)),
        Node::And(items) => format!("(and {})", list(items)),
        Node::Or(items) => format!("(or {})", list(items)),
        Node::Xor(a, b) => format!("(xor {} {})", of(a), of(b)),
        Node::Ite(c, a, b) => format!("(ite {} {} {})", of(c), of(a), of(b)),
        Node::Eq(a, b) => format!("(= {} {})", of(a), of(b)),
        Node::Less { signed: true, left, right } => format!("(bvslt {} {})", of(left), of(right)),
        Node::Less { left, right, .. } => format!("(bvult {} {})", of(left), of(right)),
        Node::Sum { constant, parts } => sum(terms, *constant, parts, terms.sort(term)),
        Node::Binary(op, a, b) => format!("({} {} {})", operator(*op), of(a), of(b)),
        Node::ZeroExtend { term, width } => format!("((_ zero_extend {}) {})", width - terms.width(*term), of(term)),
        Node::SignExtend { term, width } => format!("((_ sign_extend {}) {})", width - terms.width(*term), of(term)),
        Node::Extract { term, low, width } => format!("((_ extract {} {low}) {})", low + width - 1, of(term)),
        Node::Select(index, items) => select(terms, *index, items),
        Node::AtMost { parts, bound } => at_most(terms, parts, *bound),
    }
}

fn sum(terms: &Terms, constant: u64, parts: &[(u64, Term)], sort: Sort) -> String {
    parts.iter().fold(number(constant, sort), |sum, &(factor, part)| {
        format!("(bvadd {sum} (bvmul {} {}))", number(factor, sort), name(terms, part))
    })
}

fn select(terms: &Terms, index: Term, items: &[Term]) -> String {
    let last = name(terms, items[items.len() - 1]);
    (0..items.len() - 1).rev().fold(last, |rest, i| {
        let value = number(i as u64, terms.sort(index));
        format!("(ite (= {} {value}) {} {rest})", name(terms, index), name(terms, items[i]))
    })
}

fn at_most(terms: &Terms, parts: &[(u64, Term)], bound: u64) -> String {
    let total: u64 = parts.iter().map(|part| part.0).sum();
    let sort = Sort::Bits(64 - total.leading_zeros());
    let zero = number(0, sort);
    let sum = parts.iter().fold(zero.clone(), |sum, &(weight, part)| {
        format!("(bvadd {sum} (ite {} {} {zero}))", name(terms, part), number(weight, sort))
    });
    format!("(bvule {sum} {})", number(bound, sort))
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "bvmul",
        BinaryOp::Udiv => "bvudiv",
        BinaryOp::Urem => "bvurem",
        BinaryOp::Sdiv => "bvsdiv",
        BinaryOp::Srem => "bvsrem",
        BinaryOp::And => "bvand",
        BinaryOp::Or => "bvor",
        BinaryOp::Xor => "bvxor",
        BinaryOp::Shl => "bvshl",
        BinaryOp::Lshr => "bvlshr",
        BinaryOp::Ashr => "bvashr",
        BinaryOp::Concat => "concat",
    }
}
