//! Random numbers, and expression trees beside the terms: each tree knows its
//! value by plain arithmetic and can be built as a term.
#![allow(dead_code, reason = "every test program uses a part of it")]

use solver::{Backend, Model, Program, Sort, Term, Terms};

/// Splitmix64: small, and the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub fn flip(&mut self) -> bool {
        self.next() & 1 == 1
    }

    /// Numbers near zero and near the ends are more likely than others.
    pub fn bits(&mut self, width: u32) -> u64 {
        let value = match self.below(4) {
            0 => self.below(4),
            1 => 0u64.wrapping_sub(self.below(4)),
            2 => (1 << (width - 1)) - self.below(2),
            _ => self.next(),
        };
        value & mask(width)
    }
}

pub fn mask(width: u32) -> u64 {
    ((1u128 << width) - 1) as u64
}

pub fn signed(value: u64, width: u32) -> i128 {
    let value = i128::from(value);
    if value >> (width - 1) & 1 == 1 { value - (1 << width) } else { value }
}

/// The engines that every test program runs over: the embedded ones.
pub fn embedded() -> Vec<Backend> {
    vec![
        Backend::Embedded,
        Backend::Batsat,
        #[cfg(feature = "cadical")]
        Backend::Cadical,
    ]
}

/// The SMT solvers that are installed; a note says so if there are none.
pub fn external() -> Vec<Program> {
    if std::env::var_os("WOLVERINE_NO_SMT").is_some() {
        return vec![];
    }
    let found = Program::installed();
    if found.is_empty() {
        eprintln!("note: this test compares with an SMT solver, and none of bitwuzla, cvc5 and z3 is installed");
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Variable(usize),
    Constant(u64),
    Not,
    And,
    Or,
    Xor,
    Iff,
    Ite,
    Eq,
    Ult,
    Ule,
    Slt,
    Sle,
    Add,
    Sub,
    Neg,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    BitAnd,
    BitOr,
    BitXor,
    BitNot,
    Shl,
    Lshr,
    Ashr,
    ZeroExtend,
    SignExtend,
    Extract(u32),
    Concat,
    Select,
    AtMost(u64),
}

pub const BINARY: [Op; 14] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Udiv,
    Op::Urem,
    Op::Sdiv,
    Op::Srem,
    Op::BitAnd,
    Op::BitOr,
    Op::BitXor,
    Op::Shl,
    Op::Lshr,
    Op::Ashr,
    Op::Concat,
];

pub const COMPARE: [Op; 5] = [Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle];

/// An expression as it was written, without any simplification.
#[derive(Clone, Debug)]
pub struct Raw {
    pub op: Op,
    pub sort: Sort,
    pub args: Vec<Raw>,
}

impl Raw {
    pub fn new(op: Op, sort: Sort, args: Vec<Raw>) -> Self {
        Self { op, sort, args }
    }

    pub fn width(&self) -> u32 {
        match self.sort {
            Sort::Bits(width) => width,
            sort => panic!("{sort:?} has no width"),
        }
    }

    /// The value by arithmetic on 128 bits, written independently of the crate.
    pub fn value(&self, variables: &[u64]) -> u64 {
        let of = |i: usize| self.args[i].value(variables);
        let wide = |i: usize| u128::from(of(i));
        let number = |i: usize| signed(of(i), self.args[i].width());
        let truth = u64::from;
        match self.op {
            Op::Variable(i) => variables[i],
            Op::Constant(value) => value,
            Op::Not => 1 - of(0),
            Op::And => of(0) & of(1),
            Op::Or => of(0) | of(1),
            Op::Xor => of(0) ^ of(1),
            Op::Iff | Op::Eq => truth(of(0) == of(1)),
            Op::Ite => of(if of(0) == 1 { 1 } else { 2 }),
            Op::Ult => truth(of(0) < of(1)),
            Op::Ule => truth(of(0) <= of(1)),
            Op::Slt => truth(number(0) < number(1)),
            Op::Sle => truth(number(0) <= number(1)),
            Op::Select => of(1 + of(0) as usize),
            Op::AtMost(bound) => truth((0..self.args.len()).map(of).sum::<u64>() <= bound),
            Op::Concat => (of(0) << self.args[1].width()) | of(1),
            Op::ZeroExtend => of(0),
            Op::SignExtend => number(0) as u64 & mask(self.width()),
            Op::Extract(low) => (of(0) >> low) & mask(self.width()),
            _ => {
                let width = self.width();
                let result = match self.op {
                    Op::Add => wide(0) + wide(1),
                    Op::Sub => wide(0).wrapping_sub(wide(1)),
                    Op::Neg => wide(0).wrapping_neg(),
                    Op::Mul => wide(0) * wide(1),
                    Op::BitAnd => wide(0) & wide(1),
                    Op::BitOr => wide(0) | wide(1),
                    Op::BitXor => wide(0) ^ wide(1),
                    Op::BitNot => !wide(0),
                    Op::Udiv if of(1) == 0 => u128::MAX,
                    Op::Udiv => wide(0) / wide(1),
                    Op::Urem if of(1) == 0 => wide(0),
                    Op::Urem => wide(0) % wide(1),
                    Op::Sdiv if of(1) == 0 => (if number(0) < 0 { 1 } else { -1i128 }) as u128,
                    Op::Sdiv => (number(0) / number(1)) as u128,
                    Op::Srem if of(1) == 0 => wide(0),
                    Op::Srem => (number(0) % number(1)) as u128,
                    Op::Shl if of(1) >= u64::from(width) => 0,
                    Op::Shl => wide(0) << of(1),
                    Op::Lshr => wide(0) >> of(1).min(127),
                    Op::Ashr => (number(0) >> of(1).min(127)) as u128,
                    op => unreachable!("{op:?} is above"),
                };
                result as u64 & mask(width)
            }
        }
    }

    pub fn build(&self, terms: &mut Terms, variables: &[Term]) -> Term {
        let args: Vec<Term> = self.args.iter().map(|arg| arg.build(terms, variables)).collect();
        match self.op {
            Op::Variable(i) => variables[i],
            Op::Constant(value) => match self.sort {
                Sort::Bool => terms.constant(value == 1),
                Sort::Bits(width) => terms.bits(value, width),
                Sort::Domain(size) => terms.domain_value(value as u32, size),
            },
            Op::Select => terms.select(args[0], &args[1..]),
            Op::AtMost(bound) => terms.at_most(&args, bound as usize),
            Op::ZeroExtend => terms.zero_extend(args[0], self.width()),
            Op::SignExtend => terms.sign_extend(args[0], self.width()),
            Op::Extract(low) => terms.extract(args[0], low + self.width() - 1, low),
            Op::Ite => terms.ite(args[0], args[1], args[2]),
            Op::Not => terms.not(args[0]),
            Op::Neg => terms.neg(args[0]),
            Op::BitNot => terms.bit_not(args[0]),
            op => build_binary(terms, op, args[0], args[1]),
        }
    }
}

pub fn build_binary(terms: &mut Terms, op: Op, a: Term, b: Term) -> Term {
    let build = match op {
        Op::And => Terms::and,
        Op::Or => Terms::or,
        Op::Xor => Terms::xor,
        Op::Iff => Terms::iff,
        Op::Eq => Terms::eq,
        Op::Ult => Terms::ult,
        Op::Ule => Terms::ule,
        Op::Slt => Terms::slt,
        Op::Sle => Terms::sle,
        Op::Add => Terms::add,
        Op::Sub => Terms::sub,
        Op::Mul => Terms::mul,
        Op::Udiv => Terms::udiv,
        Op::Urem => Terms::urem,
        Op::Sdiv => Terms::sdiv,
        Op::Srem => Terms::srem,
        Op::BitAnd => Terms::bit_and,
        Op::BitOr => Terms::bit_or,
        Op::BitXor => Terms::bit_xor,
        Op::Shl => Terms::shl,
        Op::Lshr => Terms::lshr,
        Op::Ashr => Terms::ashr,
        Op::Concat => Terms::concat,
        op => unreachable!("{op:?} has not two operands"),
    };
    build(terms, a, b)
}

/// The variables of random trees: some of each sort, of one width and one size.
pub struct World {
    pub width: u32,
    pub size: u32,
    pub sorts: Vec<Sort>,
}

impl World {
    pub fn new(width: u32, size: u32) -> Self {
        let mut sorts = vec![Sort::Bool; 3];
        sorts.extend([Sort::Bits(width); 3]);
        sorts.extend([Sort::Domain(size); 2]);
        Self { width, size, sorts }
    }

    pub fn variables(&self, terms: &mut Terms) -> Vec<Term> {
        let variable = |(i, &sort): (usize, &Sort)| terms.variable(&format!("x{i}"), sort);
        self.sorts.iter().enumerate().map(variable).collect()
    }

    pub fn values(&self, random: &mut Random) -> Vec<u64> {
        let value = |&sort: &Sort| match sort {
            Sort::Bool => random.below(2),
            Sort::Bits(width) => random.bits(width),
            Sort::Domain(size) => random.below(u64::from(size)),
        };
        self.sorts.iter().map(value).collect()
    }

    pub fn model(variables: &[Term], values: &[u64]) -> Model {
        variables.iter().copied().zip(values.iter().copied()).collect()
    }

    fn leaf(&self, random: &mut Random, sort: Sort) -> Raw {
        let fitting: Vec<usize> = (0..self.sorts.len()).filter(|&i| self.sorts[i] == sort).collect();
        if !fitting.is_empty() && random.below(4) > 0 {
            let variable = fitting[random.below(fitting.len() as u64) as usize];
            return Raw::new(Op::Variable(variable), sort, vec![]);
        }
        let value = match sort {
            Sort::Bool => random.below(2),
            Sort::Bits(width) => random.bits(width),
            Sort::Domain(size) => random.below(u64::from(size)),
        };
        Raw::new(Op::Constant(value), sort, vec![])
    }

    pub fn tree(&self, random: &mut Random, sort: Sort, depth: u32) -> Raw {
        if depth == 0 {
            return self.leaf(random, sort);
        }
        match sort {
            Sort::Bool => self.bool_tree(random, depth - 1),
            Sort::Bits(width) => self.bits_tree(random, width, depth - 1),
            Sort::Domain(_) => self.choice_tree(random, sort, depth - 1),
        }
    }

    fn trees(&self, random: &mut Random, sort: Sort, count: usize, depth: u32) -> Vec<Raw> {
        (0..count).map(|_| self.tree(random, sort, depth)).collect()
    }

    fn choice_tree(&self, random: &mut Random, sort: Sort, depth: u32) -> Raw {
        if random.flip() {
            let mut args = vec![self.tree(random, Sort::Bool, depth)];
            args.extend(self.trees(random, sort, 2, depth));
            return Raw::new(Op::Ite, sort, args);
        }
        let mut args = vec![self.tree(random, Sort::Domain(self.size), depth.min(1))];
        args.extend(self.trees(random, sort, self.size as usize, depth.min(1)));
        Raw::new(Op::Select, sort, args)
    }

    fn bool_tree(&self, random: &mut Random, depth: u32) -> Raw {
        let bits = Sort::Bits(self.width);
        match random.below(11) {
            0 => Raw::new(Op::Not, Sort::Bool, self.trees(random, Sort::Bool, 1, depth)),
            pick @ 1..=4 => {
                let op = [Op::And, Op::Or, Op::Xor, Op::Iff][pick as usize - 1];
                Raw::new(op, Sort::Bool, self.trees(random, Sort::Bool, 2, depth))
            }
            5 => self.choice_tree(random, Sort::Bool, depth),
            6 => Raw::new(Op::Eq, Sort::Bool, self.trees(random, Sort::Domain(self.size), 2, depth)),
            7 => {
                let count = 2 + random.below(6);
                let args = self.trees(random, Sort::Bool, count as usize, depth.min(1));
                Raw::new(Op::AtMost(random.below(count)), Sort::Bool, args)
            }
            pick => {
                let op = COMPARE[(pick as usize + random.below(5) as usize) % 5];
                Raw::new(op, Sort::Bool, self.trees(random, bits, 2, depth))
            }
        }
    }

    fn bits_tree(&self, random: &mut Random, width: u32, depth: u32) -> Raw {
        let sort = Sort::Bits(width);
        match random.below(18) {
            0 => Raw::new(Op::Neg, sort, self.trees(random, sort, 1, depth)),
            1 => Raw::new(Op::BitNot, sort, self.trees(random, sort, 1, depth)),
            2 => self.choice_tree(random, sort, depth),
            3 if width > 1 => {
                let op = if random.flip() { Op::ZeroExtend } else { Op::SignExtend };
                let narrow = 1 + random.below(u64::from(width) - 1) as u32;
                Raw::new(op, sort, self.trees(random, Sort::Bits(narrow), 1, depth))
            }
            4 if width < 32 => {
                let wide = width + 1 + random.below(u64::from(width)) as u32;
                let low = random.below(u64::from(wide - width) + 1) as u32;
                Raw::new(Op::Extract(low), sort, self.trees(random, Sort::Bits(wide), 1, depth))
            }
            5 if width > 1 => {
                let high = 1 + random.below(u64::from(width) - 1) as u32;
                let args = [high, width - high].map(|width| self.tree(random, Sort::Bits(width), depth));
                Raw::new(Op::Concat, sort, args.into())
            }
            _ => {
                let op = BINARY[random.below(BINARY.len() as u64 - 1) as usize];
                Raw::new(op, sort, self.trees(random, sort, 2, depth))
            }
        }
    }
}
