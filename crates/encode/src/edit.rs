//! Edits of a program: what a repair may consist of.
//!
//! `temp2 = current->next` instead of `temp2 = current->prev` is a changed
//! source of an assignment, `head = temp1->prev;` before the end of a function
//! an insertion. Edits are made of simple [`Term`]s, which a machine evaluates
//! directly.

use c_types::TypeId;
use ir::{ActionId, BinaryOp, GlobalId, LocalId, StepId, UnaryOp};

use crate::cell::{self, Address, Cell, Scalar, Stuck};
use crate::code::SlotId;
use crate::machine::{Machine, Model};

/// Where an edit goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A statement or condition.
    Step(StepId),
    /// Between statements.
    Slot(SlotId),
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// Of the function.
    Local(LocalId),
    /// A global or static local.
    Global(GlobalId),
}

/// A member that a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Member {
    /// Bytes from the start of the record.
    pub offset: u32,
    /// Its type.
    pub ty: TypeId,
    /// Its size.
    pub size: u8,
    /// Its number in the record.
    pub index: u32,
}

/// A simple expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// `x`
    Variable(Variable),
    /// `x->f`
    Field(Variable, Member),
    /// `x->f->g`
    Chain(Variable, Member, Member),
    /// `*x`
    Deref(Variable),
    /// `&x`
    AddressOf(Variable),
    /// Null or a constant.
    Number(i64),
    /// `x + 1` or `x - 1`, for whole numbers; with 0 it is `x` itself, where a wider type is used.
    Plus(Variable, i8),
    /// `-x`
    Negative(Variable),
    /// `x->f + 1`, `x->f - 1`, or with 0 `x->f` itself, where a wider type is used.
    FieldPlus(Variable, Member, i8),
    /// `x->f->g`, where a wider type is used.
    WideChain(Variable, Member, Member),
    /// `x[i]`
    Element(Variable, Variable),
    /// `(*x)->f`
    DerefField(Variable, Member),
    /// `&x->f`
    AddressOfField(Variable, Member),
    /// `&(*x)->f`
    AddressOfDerefField(Variable, Member),
    /// `x.f`
    Member(Variable, Member),
}

/// A simple expression with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypedTerm {
    /// The expression.
    pub term: Term,
    /// Its type.
    pub ty: TypeId,
    /// The same, as arithmetic sees it.
    pub scalar: Scalar,
}

impl TypedTerm {
    /// Whether it can be assigned to.
    pub fn is_place(&self) -> bool {
        let address =
            matches!(self.term, Term::AddressOf(_) | Term::AddressOfField(..) | Term::AddressOfDerefField(..));
        let number = matches!(self.term, Term::Number(_) | Term::Plus(..) | Term::FieldPlus(..) | Term::WideChain(..));
        !address && !number && !matches!(self.term, Term::Negative(_))
    }
}

/// `left op right`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Comparison {
    /// Its left side.
    pub left: TypedTerm,
    /// `==`, `!=`, `<`, `<=`, `>`, `>=`.
    pub op: BinaryOp,
    /// Its right side.
    pub right: TypedTerm,
}

/// A new condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NewCondition {
    /// A comparison in the place of the whole condition.
    Whole(Comparison),
    /// A comparison in the place of the one that this action makes.
    Atom(ActionId, Comparison),
    /// The comparison that this action makes is left out: it counts as true or false.
    Without(ActionId, bool),
    /// Another operand somewhere inside of it: the action, the number of its operand, what is there instead.
    Operand(ActionId, u8, TypedTerm),
    /// The comparison that this action makes has another operator.
    Operator(ActionId, BinaryOp),
    /// `x && C` or `x || C` for the condition `C`; whether it is `&&`.
    Before(bool, Comparison),
    /// `C && x` or `C || x` for the condition `C`; whether it is `&&`.
    After(bool, Comparison),
    /// The `&&` or `||` that this action makes is the other one.
    Connective(ActionId),
    /// The sides of the `&&` or `||` that this action makes are exchanged.
    Swapped(ActionId),
}

/// A new statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NewStatement {
    /// `target = source;`
    Assign(TypedTerm, TypedTerm),
    /// `target = malloc(sizeof(T));`
    Allocate(TypedTerm),
    /// `free(x);`
    Free(TypedTerm),
    /// `return x;` or `return;`
    Return(Option<TypedTerm>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
}

/// A change of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edit {
    /// Another target, source or both for an assignment.
    Assign {
        /// The assignment.
        step: StepId,
        /// What is assigned to instead.
        target: Option<TypedTerm>,
        /// What is assigned instead.
        source: Option<TypedTerm>,
    },
    /// Another operand somewhere inside of a statement.
    Operand {
        /// The statement.
        step: StepId,
        /// The action.
        action: ActionId,
        /// Which of its operands, see [`crate::operands`].
        operand: u8,
        /// What is there instead.
        with: TypedTerm,
    },
    /// Another condition.
    Condition {
        /// The condition.
        step: StepId,
        /// The new one.
        new: NewCondition,
    },
    /// Another result.
    Return {
        /// The `return`.
        step: StepId,
        /// What is returned instead.
        with: TypedTerm,
    },
    /// The statement is left out.
    Delete {
        /// The statement.
        step: StepId,
    },
    /// A new statement.
    Insert {
        /// Where.
        slot: SlotId,
        /// Under which condition.
        guard: Option<Comparison>,
        /// What.
        statement: NewStatement,
    },
    /// The statement runs only under a condition.
    Guard {
        /// The statement.
        step: StepId,
        /// The condition.
        condition: Comparison,
    },
    /// The statement stands elsewhere.
    Move {
        /// The statement.
        step: StepId,
        /// Where it goes.
        slot: SlotId,
    },
    /// An assignment has two cases: `if (c) t1 = s1; else t2 = s2;`.
    Choose {
        /// The assignment.
        step: StepId,
        /// Which of them it is.
        condition: Comparison,
        /// Its target and source if the condition holds; `None` is what is written.
        yes: (Option<TypedTerm>, Option<TypedTerm>),
        /// The same if not.
        no: (Option<TypedTerm>, Option<TypedTerm>),
    },
}

impl NewStatement {
    /// Whether it leaves a loop or the function.
    pub fn is_exit(&self) -> bool {
        matches!(self, NewStatement::Return(_) | NewStatement::Break | NewStatement::Continue)
    }
}

impl Edit {
    /// Whether it puts something into a slot.
    pub fn is_at_slot(&self, at: SlotId) -> bool {
        matches!(self, Edit::Insert { slot, .. } | Edit::Move { slot, .. } if *slot == at)
    }

    /// Where it goes.
    pub fn place(&self) -> Place {
        match self {
            Edit::Assign { step, .. } | Edit::Operand { step, .. } | Edit::Condition { step, .. } => Place::Step(*step),
            Edit::Delete { step } | Edit::Guard { step, .. } | Edit::Return { step, .. } => Place::Step(*step),
            Edit::Insert { slot, .. } => Place::Slot(*slot),
            Edit::Move { step, .. } | Edit::Choose { step, .. } => Place::Step(*step),
        }
    }

    /// What it costs: one for each statement, and one more for the guard of a new one.
    /// `if (c) return x;` is one statement: without its guard it would be of no use.
    pub fn cost(&self) -> u32 {
        match self {
            Edit::Insert { statement, .. } if statement.is_exit() => 1,
            Edit::Choose { .. } => 2,
            Edit::Insert { guard: Some(_), .. } => 2,
            _ => 1,
        }
    }
}

impl Machine {
    /// The cell of a variable of the innermost call.
    pub fn variable_cell(&self, model: &Model, variable: Variable) -> Result<u32, Stuck> {
        match variable {
            Variable::Local(local) => {
                let frame = self.frame();
                let at = frame.base + local.0;
                if !model.program.functions[frame.function as usize].locals[local.index()].in_memory {
                    return Ok(at);
                }
                match self.cells[at as usize] {
                    Cell::Pointer(address) => self.first_cell(address.object),
                    _ => Err(Stuck::Fault),
                }
            }
            Variable::Global(global) => match self.globals[global.index()] {
                u32::MAX => Err(Stuck::Unmodelled),
                object => self.first_cell(object),
            },
        }
    }

    fn first_cell(&self, object: u32) -> Result<u32, Stuck> {
        let object = &self.objects[object as usize];
        if object.cells.leaves.is_empty() { Err(Stuck::Unmodelled) } else { Ok(object.base) }
    }

    fn member_cell(&self, pointer: Cell, member: &Member) -> Result<u32, Stuck> {
        match pointer {
            Cell::Pointer(address) => {
                let offset = address.offset + member.offset as i32;
                self.cell_at(Address { offset, ..address }, member.size)
            }
            Cell::Unknown => Err(Stuck::Unmodelled),
            _ => Err(Stuck::Fault),
        }
    }

    /// The cell that a term stands for.
    pub fn term_cell(&self, model: &Model, term: &TypedTerm) -> Result<u32, Stuck> {
        match term.term {
            Term::Variable(variable) => self.variable_cell(model, variable),
            Term::Field(variable, member) => {
                self.member_cell(self.cells[self.variable_cell(model, variable)? as usize], &member)
            }
            Term::Chain(variable, first, second) => {
                let middle = self.member_cell(self.cells[self.variable_cell(model, variable)? as usize], &first)?;
                self.member_cell(self.cells[middle as usize], &second)
            }
            Term::Deref(variable) => match self.cells[self.variable_cell(model, variable)? as usize] {
                Cell::Pointer(address) => self.cell_at(address, term.scalar.size()),
                Cell::Unknown => Err(Stuck::Unmodelled),
                _ => Err(Stuck::Fault),
            },
            Term::Element(base, index) => {
                let start = match self.cells[self.variable_cell(model, base)? as usize] {
                    Cell::Pointer(address) => address,
                    Cell::Unknown => return Err(Stuck::Unmodelled),
                    _ => return Err(Stuck::Fault),
                };
                match self.cells[self.variable_cell(model, index)? as usize] {
                    Cell::Int(number) => {
                        let bytes =
                            number.checked_mul(term.scalar.size().into()).and_then(|bytes| bytes.try_into().ok());
                        let offset =
                            bytes.and_then(|bytes: i32| start.offset.checked_add(bytes)).ok_or(Stuck::Fault)?;
                        self.cell_at(Address { offset, ..start }, term.scalar.size())
                    }
                    Cell::Unknown => Err(Stuck::Unmodelled),
                    _ => Err(Stuck::Fault),
                }
            }
            Term::DerefField(variable, member) => {
                let pointer = match self.cells[self.variable_cell(model, variable)? as usize] {
                    Cell::Pointer(address) => self.cells[self.cell_at(address, 8)? as usize],
                    Cell::Unknown => return Err(Stuck::Unmodelled),
                    _ => return Err(Stuck::Fault),
                };
                self.member_cell(pointer, &member)
            }
            Term::Member(variable, member) => {
                let record = self.term_value(model, &TypedTerm { term: Term::AddressOf(variable), ..*term })?;
                self.member_cell(record, &member)
            }
            Term::AddressOfField(..) | Term::AddressOfDerefField(..) => Err(Stuck::Unmodelled),
            Term::AddressOf(_) | Term::Number(_) | Term::Plus(..) | Term::FieldPlus(..) | Term::WideChain(..) => {
                Err(Stuck::Unmodelled)
            }
            Term::Negative(_) => Err(Stuck::Unmodelled),
        }
    }

    /// The value of a term.
    pub fn term_value(&self, model: &Model, term: &TypedTerm) -> Result<Cell, Stuck> {
        match term.term {
            Term::Number(value) => Ok(Cell::Int(value)),
            Term::Plus(variable, change) => {
                let old = TypedTerm { term: Term::Variable(variable), ..*term };
                self.changed(model, &old, change)
            }
            Term::Negative(variable) => {
                let old = TypedTerm { term: Term::Variable(variable), ..*term };
                cell::unary(UnaryOp::Negate, term.scalar, self.term_value(model, &old)?)
            }
            Term::FieldPlus(variable, member, change) => {
                let old = TypedTerm { term: Term::Field(variable, member), ..*term };
                self.changed(model, &old, change)
            }
            Term::WideChain(variable, first, second) => {
                let old = TypedTerm { term: Term::Chain(variable, first, second), ..*term };
                self.changed(model, &old, 0)
            }
            Term::AddressOf(Variable::Global(global)) => match self.globals[global.index()] {
                u32::MAX => Err(Stuck::Unmodelled),
                object => Ok(Cell::Pointer(Address { object, offset: 0 })),
            },
            Term::AddressOf(Variable::Local(local)) => match self.cells[self.local(local) as usize] {
                Cell::Pointer(address) => Ok(Cell::Pointer(address)),
                _ => Err(Stuck::Fault),
            },
            Term::AddressOfField(variable, member) | Term::AddressOfDerefField(variable, member) => {
                let base = match term.term {
                    Term::AddressOfField(..) => self.cells[self.variable_cell(model, variable)? as usize],
                    _ => self.term_value(model, &TypedTerm { term: Term::Deref(variable), ..*term })?,
                };
                match base {
                    Cell::Pointer(address) => {
                        Ok(Cell::Pointer(Address { offset: address.offset + member.offset as i32, ..address }))
                    }
                    Cell::Unknown => Err(Stuck::Unmodelled),
                    _ => Err(Stuck::Fault),
                }
            }
            _ => match self.cells[self.term_cell(model, term)? as usize] {
                Cell::Unset => Err(Stuck::Fault),
                value => Ok(value),
            },
        }
    }

    fn changed(&self, model: &Model, old: &TypedTerm, change: i8) -> Result<Cell, Stuck> {
        match self.cells[self.term_cell(model, old)? as usize] {
            Cell::Int(value) => Ok(Cell::Int(old.scalar.wrap(value.wrapping_add(change.into())))),
            Cell::Unknown => Ok(Cell::Unknown),
            _ => Err(Stuck::Fault),
        }
    }

    /// Whether a comparison holds.
    pub fn comparison(&self, model: &Model, comparison: &Comparison) -> Result<bool, Stuck> {
        let (left, right) = (self.term_value(model, &comparison.left)?, self.term_value(model, &comparison.right)?);
        let answer = cell::binary(comparison.op, comparison.left.scalar, left, right)?;
        cell::truth_of(answer).ok_or(Stuck::Unmodelled)
    }
}
