//! The values of cells, and exact C arithmetic on them.
//!
//! A cell holds one scalar: `7`, null (which is the integer 0, as in C), the
//! address of a place in an object, nothing yet, or something that the model
//! does not follow. `INT_MAX + 1` is `INT_MIN`, as the hardware has it.

use c_types::{Type, TypeId, Types};
use ir::{BinaryOp, UnaryOp};

/// What a scalar variable, member or element holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// Never written.
    Unset,
    /// Something that the model does not follow.
    Unknown,
    /// An integer, kept sign-extended for signed types; null is 0.
    Int(i64),
    /// A floating value.
    Float(f64),
    /// The address of a place in an object.
    Pointer(Address),
    /// A function, by a number that the model gives it.
    Function(u32),
}

impl std::hash::Hash for Cell {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        std::mem::discriminant(self).hash(hasher);
        match self {
            Cell::Unset | Cell::Unknown => {}
            Cell::Int(value) => value.hash(hasher),
            Cell::Float(value) => value.to_bits().hash(hasher),
            Cell::Pointer(address) => address.hash(hasher),
            Cell::Function(number) => number.hash(hasher),
        }
    }
}

/// A place in an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// The object.
    pub object: u32,
    /// Bytes from its start.
    pub offset: i32,
}

/// The scalar types, as arithmetic sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `_Bool`.
    Bool,
    /// An integer type of so many bits.
    Int {
        /// 8, 16, 32 or 64.
        bits: u8,
        /// Whether it is signed.
        signed: bool,
    },
    /// `float`, or `double` and `long double`.
    Float {
        /// Whether it is `float`.
        single: bool,
    },
    /// A pointer.
    Pointer,
}

impl Scalar {
    /// What a type is to arithmetic; `None` for aggregates and 128-bit integers.
    pub fn of(types: &Types, ty: TypeId) -> Option<Scalar> {
        Some(match types.get(ty) {
            Type::Bool => Scalar::Bool,
            Type::Char { signed } => Scalar::Int { bits: 8, signed: *signed },
            Type::Int { bytes: 16, .. } => return None,
            Type::Int { bytes, signed } => Scalar::Int { bits: bytes * 8, signed: *signed },
            Type::Float { bytes } => Scalar::Float { single: *bytes == 4 },
            Type::Pointer(_) => Scalar::Pointer,
            _ => return None,
        })
    }

    /// Bytes in memory.
    pub fn size(self) -> u8 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int { bits, .. } => bits / 8,
            Scalar::Float { single: true } => 4,
            Scalar::Float { single: false } | Scalar::Pointer => 8,
        }
    }

    /// Whether smaller values come first as signed numbers.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::Int { signed: true, .. })
    }

    /// An integer cut to the type and extended again.
    pub fn wrap(self, value: i64) -> i64 {
        match self {
            Scalar::Bool => i64::from(value != 0),
            Scalar::Int { bits: 8, signed: true } => value as i8 as i64,
            Scalar::Int { bits: 8, .. } => value as u8 as i64,
            Scalar::Int { bits: 16, signed: true } => value as i16 as i64,
            Scalar::Int { bits: 16, .. } => value as u16 as i64,
            Scalar::Int { bits: 32, signed: true } => value as i32 as i64,
            Scalar::Int { bits: 32, .. } => value as u32 as i64,
            _ => value,
        }
    }
}

/// Why a computation has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// The program would crash or read what was never written.
    Fault,
    /// The model does not follow this.
    Unmodelled,
}

/// `left op right`, both of type `scalar`.
pub fn binary(op: BinaryOp, scalar: Scalar, left: Cell, right: Cell) -> Result<Cell, Stuck> {
    if matches!(left, Cell::Unset) || matches!(right, Cell::Unset) {
        return Err(Stuck::Fault);
    }
    match (left, right) {
        (Cell::Int(a), Cell::Int(b)) => integers(op, scalar, a, b),
        (Cell::Float(a), Cell::Float(b)) => Ok(floats(op, scalar, a, b)),
        _ => Ok(addresses(op, left, right)),
    }
}

fn integers(op: BinaryOp, scalar: Scalar, a: i64, b: i64) -> Result<Cell, Stuck> {
    let wide = matches!(scalar, Scalar::Int { bits: 64, .. } | Scalar::Pointer);
    let count = b & if wide { 63 } else { 31 };
    let value = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide | BinaryOp::Remainder => divide(op, scalar, a, b)?,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::ShiftLeft => a << count,
        BinaryOp::ShiftRight if scalar.is_signed() => a >> count,
        BinaryOp::ShiftRight => ((a as u64) >> count) as i64,
        BinaryOp::BoolAnd => return Ok(Cell::Int(i64::from(a != 0 && b != 0))),
        BinaryOp::BoolOr => return Ok(Cell::Int(i64::from(a != 0 || b != 0))),
        _ => return Ok(Cell::Int(i64::from(compare(op, scalar, a, b)))),
    };
    Ok(Cell::Int(scalar.wrap(value)))
}

fn divide(op: BinaryOp, scalar: Scalar, a: i64, b: i64) -> Result<i64, Stuck> {
    let quotient = op == BinaryOp::Divide;
    if b == 0 {
        return Err(Stuck::Fault);
    }
    if !scalar.is_signed() {
        let (a, b) = (a as u64, b as u64);
        return Ok(if quotient { a / b } else { a % b } as i64);
    }
    let smallest = if matches!(scalar, Scalar::Int { bits: 64, .. }) { i64::MIN } else { i64::from(i32::MIN) };
    if a == smallest && b == -1 {
        return Err(Stuck::Fault);
    }
    Ok(if quotient { a / b } else { a % b })
}

/// Whether `a op b` holds for two integers of type `scalar`.
pub fn compare(op: BinaryOp, scalar: Scalar, a: i64, b: i64) -> bool {
    let order = if scalar.is_signed() { a.cmp(&b) } else { (a as u64).cmp(&(b as u64)) };
    match op {
        BinaryOp::Equal => order.is_eq(),
        BinaryOp::NotEqual => order.is_ne(),
        BinaryOp::Less => order.is_lt(),
        BinaryOp::LessEqual => order.is_le(),
        BinaryOp::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

fn floats(op: BinaryOp, scalar: Scalar, a: f64, b: f64) -> Cell {
    let truth = |holds: bool| Cell::Int(i64::from(holds));
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::Equal => return truth(a == b),
        BinaryOp::NotEqual => return truth(a != b),
        BinaryOp::Less => return truth(a < b),
        BinaryOp::LessEqual => return truth(a <= b),
        BinaryOp::Greater => return truth(a > b),
        BinaryOp::GreaterEqual => return truth(a >= b),
        _ => return Cell::Unknown,
    };
    Cell::Float(if scalar == (Scalar::Float { single: true }) { f64::from(value as f32) } else { value })
}

/// Comparisons of addresses; what mixes them with numbers is not followed.
fn addresses(op: BinaryOp, left: Cell, right: Cell) -> Cell {
    let truth = |holds: bool| Cell::Int(i64::from(holds));
    let order = match (left, right) {
        (Cell::Pointer(a), Cell::Pointer(b)) if a.object == b.object => Some(a.offset.cmp(&b.offset)),
        _ => None,
    };
    let known = |cell: Cell| matches!(cell, Cell::Pointer(_) | Cell::Function(_) | Cell::Int(0));
    match op {
        BinaryOp::Equal | BinaryOp::NotEqual if known(left) && known(right) => {
            truth((left == right) == (op == BinaryOp::Equal))
        }
        BinaryOp::Less => order.map_or(Cell::Unknown, |order| truth(order.is_lt())),
        BinaryOp::LessEqual => order.map_or(Cell::Unknown, |order| truth(order.is_le())),
        BinaryOp::Greater => order.map_or(Cell::Unknown, |order| truth(order.is_gt())),
        BinaryOp::GreaterEqual => order.map_or(Cell::Unknown, |order| truth(order.is_ge())),
        BinaryOp::BoolAnd | BinaryOp::BoolOr => match (truth_of(left), truth_of(right)) {
            (Some(a), Some(b)) => truth(if op == BinaryOp::BoolAnd { a && b } else { a || b }),
            _ => Cell::Unknown,
        },
        _ => Cell::Unknown,
    }
}

/// Whether a cell counts as true; `None` if that is not known.
pub fn truth_of(cell: Cell) -> Option<bool> {
    match cell {
        Cell::Int(value) => Some(value != 0),
        Cell::Float(value) => Some(value != 0.0),
        Cell::Pointer(_) | Cell::Function(_) => Some(true),
        Cell::Unset | Cell::Unknown => None,
    }
}

/// An operator with one operand.
pub fn unary(op: UnaryOp, scalar: Scalar, value: Cell) -> Result<Cell, Stuck> {
    Ok(match (op, value) {
        (_, Cell::Unset) => return Err(Stuck::Fault),
        (UnaryOp::Not, _) => truth_of(value).map_or(Cell::Unknown, |truth| Cell::Int(i64::from(!truth))),
        (UnaryOp::Negate, Cell::Int(value)) => Cell::Int(scalar.wrap(value.wrapping_neg())),
        (UnaryOp::Complement, Cell::Int(value)) => Cell::Int(scalar.wrap(!value)),
        (UnaryOp::Negate, Cell::Float(value)) => Cell::Float(-value),
        _ => Cell::Unknown,
    })
}

/// A conversion.
pub fn convert(value: Cell, from: Scalar, to: Scalar) -> Result<Cell, Stuck> {
    Ok(match (value, to) {
        (Cell::Unset, _) => return Err(Stuck::Fault),
        (_, Scalar::Bool) => truth_of(value).map_or(Cell::Unknown, |truth| Cell::Int(i64::from(truth))),
        (Cell::Int(value), Scalar::Int { .. } | Scalar::Pointer) => Cell::Int(to.wrap(value)),
        (Cell::Int(value), Scalar::Float { single }) => {
            let value = if from.is_signed() { value as f64 } else { value as u64 as f64 };
            Cell::Float(if single { f64::from(value as f32) } else { value })
        }
        (Cell::Float(value), Scalar::Float { single: true }) => Cell::Float(f64::from(value as f32)),
        (Cell::Float(value), Scalar::Float { .. }) => Cell::Float(value),
        (Cell::Float(value), Scalar::Int { .. }) if value.abs() < 9e18 => Cell::Int(to.wrap(value as i64)),
        (Cell::Pointer(_) | Cell::Function(_), Scalar::Pointer | Scalar::Int { bits: 64, .. }) => value,
        _ => Cell::Unknown,
    })
}
