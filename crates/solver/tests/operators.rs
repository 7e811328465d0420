//! Every operator against native arithmetic: all values at small widths,
//! random values at the widths of C.

mod common;

use common::{BINARY, COMPARE, Op, Random, Raw, build_binary, embedded, mask};
use solver::{Answer, Backend, Limits, Model, Solver, Sort, Term, Terms};

/// `op(x, y)` with the numbers `a` and `b`, by plain arithmetic.
fn native(op: Op, a: u64, b: u64, width: u32) -> u64 {
    let operand = |value| Raw::new(Op::Constant(value), Sort::Bits(width), vec![]);
    let sort = match op {
        _ if COMPARE.contains(&op) => Sort::Bool,
        Op::Concat => Sort::Bits(2 * width),
        _ => Sort::Bits(width),
    };
    Raw::new(op, sort, vec![operand(a), operand(b)]).value(&[])
}

fn constant_like(terms: &mut Terms, like: Term, value: u64) -> Term {
    match terms.sort(like) {
        Sort::Bool => terms.constant(value == 1),
        Sort::Bits(width) => terms.bits(value, width),
        Sort::Domain(size) => terms.domain_value(value as u32, size),
    }
}

/// The circuit of `op` has the right result and no other one.
fn check_circuit(backend: &Backend, op: Op, width: u32, pairs: impl Iterator<Item = (u64, u64)>) {
    let mut terms = Terms::new();
    let (x, y) = (terms.bits_variable("x", width), terms.bits_variable("y", width));
    let result = build_binary(&mut terms, op, x, y);
    let mut solver: Solver<()> = Solver::new(backend.clone()).expect("it is embedded");
    for (a, b) in pairs {
        let right = native(op, a, b, width);
        let (at_a, at_b) = (terms.bits(a, width), terms.bits(b, width));
        let assumptions = [terms.eq(x, at_a), terms.eq(y, at_b)];
        let right = constant_like(&mut terms, result, right);
        let is_right = terms.eq(result, right);
        let is_wrong = terms.not(is_right);
        let sat = solver.check(&terms, &[&assumptions[..], &[is_right]].concat(), &Limits::none());
        assert!(sat.is_sat(), "{op:?} at {width} bits of {a} and {b} can be right");
        let unsat = solver.check(&terms, &[&assumptions[..], &[is_wrong]].concat(), &Limits::none());
        assert!(unsat.is_unsat(), "{op:?} at {width} bits of {a} and {b} cannot be wrong");
    }
}

/// Constants fold to the right value, and so does every mixture with variables.
fn check_folding(op: Op, width: u32, a: u64, b: u64) {
    let mut terms = Terms::new();
    let (x, y) = (terms.bits_variable("x", width), terms.bits_variable("y", width));
    let (at_a, at_b) = (terms.bits(a, width), terms.bits(b, width));
    let model: Model = [(x, a), (y, b)].into_iter().collect();
    for (left, right) in [(at_a, at_b), (x, at_b), (at_a, y), (x, y)] {
        let result = build_binary(&mut terms, op, left, right);
        let place = format!("{op:?} at {width} bits of {a} and {b}: {}", terms.display(result));
        assert_eq!(terms.evaluate(result, &model), native(op, a, b, width), "{place}");
        assert!(left == x || right == y || terms.value(result).is_some(), "{place} is folded");
    }
    if a == b {
        let result = build_binary(&mut terms, op, x, x);
        assert_eq!(terms.evaluate(result, &model), native(op, a, a, width));
    }
}

fn all_operators() -> impl Iterator<Item = Op> {
    BINARY.into_iter().chain(COMPARE)
}

fn all_pairs(width: u32) -> impl Iterator<Item = (u64, u64)> {
    (0..=mask(width)).flat_map(move |a| (0..=mask(width)).map(move |b| (a, b)))
}

#[test]
fn folding_is_right_for_all_values_up_to_4_bits() {
    for op in all_operators() {
        for width in 1..=4 {
            all_pairs(width).for_each(|(a, b)| check_folding(op, width, a, b));
        }
    }
}

#[test]
fn folding_is_right_for_random_values() {
    let mut random = Random(1);
    for op in all_operators() {
        for width in [8, 16, 31, 32, 63, 64].into_iter().filter(|&width| op != Op::Concat || width <= 32) {
            for _ in 0..200 {
                let (a, b) = (random.bits(width), random.bits(width));
                check_folding(op, width, a, b);
            }
        }
    }
}

#[test]
fn circuits_are_right_for_all_values_up_to_4_bits() {
    for op in all_operators() {
        for width in 1..=4 {
            check_circuit(&Backend::Batsat, op, width, all_pairs(width));
        }
    }
}

#[test]
fn circuits_are_right_for_random_values() {
    let mut random = Random(2);
    for backend in embedded() {
        for op in all_operators() {
            for width in [8, 16, 32, 64].into_iter().filter(|&width| op != Op::Concat || width <= 32) {
                let pairs: Vec<(u64, u64)> = (0..4).map(|_| (random.bits(width), random.bits(width))).collect();
                check_circuit(&backend, op, width, pairs.into_iter());
            }
        }
    }
}

#[test]
fn shifts_by_variable_amounts_reach_every_distance() {
    for op in [Op::Shl, Op::Lshr, Op::Ashr] {
        let value = 0x9234_5678_9abc_def1;
        check_circuit(&Backend::Batsat, op, 64, (0..70).map(|by| (value, by)));
        check_circuit(&Backend::Batsat, op, 5, all_pairs(5));
    }
}

#[test]
fn resizing_is_right_for_all_values() {
    let mut terms = Terms::new();
    let x = terms.bits_variable("x", 4);
    let zero_extended = terms.zero_extend(x, 7);
    let sign_extended = terms.sign_extend(x, 7);
    let middle = terms.extract(x, 2, 1);
    let joined = terms.concat(x, middle);
    let mut solver: Solver<()> = Solver::embedded();
    for value in 0..16 {
        let expected = [
            (zero_extended, value),
            (sign_extended, common::signed(value, 4) as u64 & mask(7)),
            (middle, value >> 1 & 3),
            (joined, value << 2 | value >> 1 & 3),
        ];
        let here = constant_like(&mut terms, x, value);
        let mut demands = vec![terms.eq(x, here)];
        for (term, expected) in expected {
            let expected = constant_like(&mut terms, term, expected);
            demands.push(terms.eq(term, expected));
        }
        assert!(matches!(solver.check(&terms, &demands, &Limits::none()), Answer::Sat(_)));
        for i in 1..demands.len() {
            let wrong = terms.not(demands[i]);
            assert!(solver.check(&terms, &[demands[0], wrong], &Limits::none()).is_unsat());
        }
    }
}

#[test]
fn distinct_ways_of_writing_are_one_term() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.bits_variable(name, 32));
    let three = terms.bits(3, 32);
    let sum = terms.add(x, y);
    assert_eq!(terms.sub(sum, x), y);
    let (left, four) = (terms.mul(x, three), terms.bits(4, 32));
    let left = terms.add(left, x);
    assert_eq!(left, terms.mul(four, x));
    let two = terms.bits(2, 32);
    assert_eq!(left, terms.shl(x, two));
    let (xy, yx) = (terms.mul(x, y), terms.mul(y, x));
    assert_eq!(xy, yx);
    let (not_x, minus_x, one) = (terms.bit_not(x), terms.neg(x), terms.bits(1, 32));
    assert_eq!(not_x, terms.sub(minus_x, one));
    let truth = terms.constant(true);
    let (y_plus_z, xz) = (terms.add(y, z), terms.mul(x, z));
    let (left, right) = (terms.mul(x, y_plus_z), terms.add(xy, xz));
    assert_eq!(terms.eq(left, right), truth);
    let (x1, y1) = (terms.add(x, one), terms.add(y, one));
    assert_eq!(terms.eq(x1, y1), terms.eq(x, y));
    let flag = terms.slt(x, y);
    let (as_int, zero) = (terms.bits_of_bool(flag, 32), terms.bits(0, 32));
    assert_eq!(terms.ne(as_int, zero), flag);
    let (wide, low) = (terms.zero_extend(x, 64), terms.extract(x, 7, 0));
    assert_eq!(terms.extract(wide, 7, 0), low);
}

#[test]
fn terms_are_readable() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.bits_variable(name, 32));
    let (three, seven) = (terms.bits(3, 32), terms.bits(7, 32));
    let scaled = terms.mul(three, y);
    let sum = terms.sub(x, scaled);
    let sum = terms.sub(sum, seven);
    let less = terms.slt(sum, y);
    let p = terms.domain_variable("p", 3);
    let at = terms.is_value(p, 2);
    let (not_less, product) = (terms.not(less), terms.mul(x, y));
    let flipped = terms.bit_not(product);
    let unequal = terms.ne(flipped, x);
    let both = terms.all(&[not_less, at, unequal]);
    assert_eq!(terms.display(both).to_string(), "(p = #2) and (y <= (x - 3*y - 7)) and ((x + (x * y)) != -1)");
}
