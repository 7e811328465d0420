//! Templates (K §III-E): expressions with unknown numbers that a component may
//! become.
//!
//! For `r = x` with `x`, `y` and `r` in scope these are, simple ones first, a
//! number, one of the variables, a variable and a number, what is written and a
//! number, or with another number or operator in it, an element of an array, a sum `k0 + k1 * x + k2 * y + k3 * r`, and one
//! simple value or the other. A condition can get another comparison, lose or
//! get a part, or become `k0 + k1 * x + … OP 0`. Whether values of the
//! parameters make the program right is for `strategy/refine` to find out.

mod tree;
mod user;

use c_syntax::{Expr, ExprKind, Span, Unit, VariableId};
use c_types::{Type, TypeId};
use localize::diagnosis::{Component, Shape, type_name, value_of};

pub use tree::{Build, Code, Parameter, Tree};
pub use user::{TemplateError, UserTemplate, parse};

/// The values of a template's parameters.
pub type Values = Vec<i128>;

/// Variables that a template chooses from, at most; those that were declared last are taken.
const MOST_VARIABLES: usize = 24;

/// Templates with more parameters are hard.
const MOST_EASY: usize = 5;

/// What a parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A number in the type of the component.
    Number,
    /// How often something is added: a small number.
    Coefficient,
    /// Which of so many.
    Which(u64),
}

impl ParameterKind {
    /// Its type in C.
    pub fn type_name(self) -> &'static str {
        match self {
            ParameterKind::Number => "int",
            ParameterKind::Coefficient => "signed char",
            ParameterKind::Which(_) => "unsigned char",
        }
    }

    /// The width of its type.
    pub fn width(self) -> u32 {
        if self == ParameterKind::Number { 32 } else { 8 }
    }
}

/// An expression that a component may become.
#[derive(Clone, Debug)]
pub struct Template {
    /// What it is called.
    pub name: String,
    /// The expression.
    pub tree: Tree,
    /// What its parameters stand for.
    pub parameters: Vec<ParameterKind>,
    /// Whether it has so many parameters that it takes long to find out that it fits nowhere.
    pub is_hard: bool,
}

/// The templates of a component, simple ones first; those of the user before all others.
pub fn templates(unit: &Unit, component: &Component, users: &[UserTemplate]) -> Vec<Template> {
    let maker = Maker { unit, component, scope: Names::of(unit, component) };
    let mut found: Vec<Template> = users.iter().filter_map(|user| maker.users(user)).collect();
    if !matches!(component.shape, Shape::Value) {
        maker.conditions(&mut found);
    }
    if !component.role.is_truth() {
        maker.values(&mut found);
    }
    found
}

/// What can be named where a component is.
struct Names {
    /// Integers, nearest first.
    variables: Vec<Code>,
    /// Arrays of integers and pointers to them, with the types of their elements.
    arrays: Vec<(Code, TypeId)>,
}

impl Names {
    fn of(unit: &Unit, component: &Component) -> Names {
        let (mut variables, mut arrays) = (vec![], vec![]);
        for id in component.scope.iter().rev() {
            let variable = &unit.variables[id.0 as usize];
            let code = |expr: Expr| Code { expr, text: variable.name.to_string() };
            let element = unit.types.target(variable.ty).filter(|ty| type_name(unit, *ty).is_some());
            match (type_name(unit, variable.ty), element) {
                (Some(_), _) if variables.len() < MOST_VARIABLES => {
                    variables.push(code(value_of(unit, *id, component.span)));
                }
                (None, Some(element)) if arrays.len() < MOST_VARIABLES => {
                    let first = first_element(unit, *id, element, component.span);
                    arrays.extend(first.map(|first| (code(first), element)));
                }
                _ => {}
            }
        }
        Names { variables, arrays }
    }
}

/// A pointer to the first element of an array, or the value of a pointer.
fn first_element(unit: &Unit, id: VariableId, element: TypeId, span: Span) -> Option<Expr> {
    let ty = unit.variables[id.0 as usize].ty;
    if unit.types.is_pointer(ty) {
        return Some(value_of(unit, id, span));
    }
    let place = Box::new(Expr::new(ExprKind::Variable(id), ty, span));
    Some(Expr::new(ExprKind::Decay(place), unit.types.find(&Type::Pointer(element))?, span))
}

/// An expression without the conversions around it.
fn without_conversion(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Convert(inner) if inner.span == e.span => without_conversion(inner),
        _ => e,
    }
}

/// Numbers the parameters of a template as it is made.
#[derive(Default)]
struct Parameters(Vec<ParameterKind>);

impl Parameters {
    fn add(&mut self, kind: ParameterKind) -> Parameter {
        self.0.push(kind);
        self.0.len() - 1
    }

    fn number(&mut self) -> Parameter {
        self.add(ParameterKind::Number)
    }

    fn comparison(&mut self) -> Parameter {
        self.add(ParameterKind::Which(tree::COMPARISON_COUNT))
    }

    fn one_of(&mut self, items: Vec<Tree>) -> Tree {
        match items.len() {
            1 => items.into_iter().next().expect("it has one"),
            count => Tree::OneOf(self.add(ParameterKind::Which(count as u64)), items),
        }
    }
}

struct Maker<'a> {
    unit: &'a Unit,
    component: &'a Component,
    scope: Names,
}

impl Maker<'_> {
    fn original(&self) -> Box<Tree> {
        Box::new(self.code(&self.component.expr))
    }

    fn code(&self, expr: &Expr) -> Tree {
        let text = self.unit.source.text(expr.span);
        // What stands in parentheses keeps them, but for the whole component: there they stand around it.
        let is_part = expr.span != self.component.span;
        let text = if expr.in_parentheses && is_part { format!("({text})") } else { text };
        Tree::Code(Code { expr: expr.clone(), text })
    }

    fn variable(&self, parameters: &mut Parameters) -> Tree {
        parameters.one_of(self.scope.variables.iter().cloned().map(Tree::Code).collect())
    }

    fn coefficients(&self, parameters: &mut Parameters) -> Vec<(Parameter, Code)> {
        let variables = self.scope.variables.iter();
        variables.map(|name| (parameters.add(ParameterKind::Coefficient), name.clone())).collect()
    }

    /// `variable OP number` or `variable OP variable`.
    fn simple_condition(&self, with_number: bool, parameters: &mut Parameters) -> Tree {
        let op = parameters.comparison();
        let left = self.variable(parameters);
        let right = if with_number { Tree::Constant(parameters.number()) } else { self.variable(parameters) };
        Tree::Compared(op, Box::new(left), Box::new(right))
    }

    fn add(&self, found: &mut Vec<Template>, name: &str, make: impl FnOnce(&mut Parameters) -> Tree) {
        let mut parameters = Parameters::default();
        let tree = make(&mut parameters);
        let is_hard = parameters.0.len() > MOST_EASY;
        found.push(Template { name: name.into(), tree, parameters: parameters.0, is_hard });
    }

    fn values(&self, found: &mut Vec<Template>) {
        let has_variables = !self.scope.variables.is_empty();
        self.add(found, "a number", |parameters| Tree::Constant(parameters.number()));
        if has_variables {
            self.add(found, "a variable", |parameters| self.variable(parameters));
            self.add(found, "a variable and a number", |parameters| {
                Tree::Shifted(Box::new(self.variable(parameters)), parameters.number())
            });
        }
        self.add(found, "what is written and a number", |parameters| {
            Tree::Shifted(self.original(), parameters.number())
        });
        self.other_numbers(found);
        if let ExprKind::Binary(op, left, right) = &without_conversion(&self.component.expr).kind
            && tree::OPERATORS.contains(op)
            && let (Tree::Code(left), Tree::Code(right)) = (self.code(left), self.code(right))
        {
            self.add(found, "another operator", |parameters| {
                let count = tree::OPERATORS.len() as u64;
                Tree::Operated(parameters.add(ParameterKind::Which(count)), left, right)
            });
        }
        if has_variables {
            self.add(found, "what is written, with one number or another", |parameters| {
                let test = Box::new(self.variable(parameters));
                let mut side = || Box::new(Tree::Shifted(self.original(), parameters.number()));
                let (yes, no) = (side(), side());
                Tree::Conditional(test, yes, no)
            });
        }
        if has_variables && !self.scope.arrays.is_empty() {
            self.add(found, "an element of an array", |parameters| {
                let index = Tree::Shifted(Box::new(self.variable(parameters)), parameters.number());
                let arrays = self.scope.arrays.iter();
                let element = |(array, ty): &(Code, TypeId)| Tree::Element(array.clone(), *ty, Box::new(index.clone()));
                parameters.one_of(arrays.map(element).collect())
            });
        }
        if has_variables {
            self.add(found, "a sum of variables", |parameters| {
                Tree::Linear(parameters.number(), self.coefficients(parameters))
            });
            self.add(found, "one value or another", |parameters| {
                let truth = self.variable(parameters);
                let compared = self.simple_condition(true, parameters);
                let test = parameters.one_of(vec![truth, compared]);
                let mut side = || Box::new(Tree::Shifted(Box::new(self.variable(parameters)), parameters.number()));
                let (yes, no) = (side(), side());
                Tree::Conditional(Box::new(test), yes, no)
            });
        }
    }

    /// What is written, with another number in the place of one that it has: `t / 61` as `t / 60`.
    fn other_numbers(&self, found: &mut Vec<Template>) {
        let whole = self.component.span;
        let is_written = |at: &Span| {
            let text = self.unit.source.text(*at);
            whole.start <= at.start && at.end <= whole.end && *at != whole && text.parse::<i128>().is_ok()
        };
        let numbers: Vec<Span> = tree::numbers_in(&self.component.expr).into_iter().filter(is_written).collect();
        if numbers.is_empty() {
            return;
        }
        let code = Code { expr: self.component.expr.clone(), text: self.unit.source.text(whole) };
        self.add(found, "another number in it", |parameters| {
            let number = parameters.number();
            let place = |at: Span| (at.start - whole.start) as usize..(at.end - whole.start) as usize;
            let with = |at: Span| Tree::Renumbered(number, code.clone(), place(at));
            parameters.one_of(numbers.into_iter().map(with).collect())
        });
    }

    fn conditions(&self, found: &mut Vec<Template>) {
        let has_variables = !self.scope.variables.is_empty();
        if let Shape::Comparison(left, right) = &self.component.shape {
            let (left, right) = (self.code(left), self.code(right));
            self.add(found, "another comparison", |parameters| {
                Tree::Compared(parameters.comparison(), Box::new(left.clone()), Box::new(right.clone()))
            });
            let is_integer = matches!(&right, Tree::Code(code) if self.unit.types.is_integer(code.expr.ty));
            if is_integer {
                self.add(found, "another comparison, shifted by a number", |parameters| {
                    let op = parameters.comparison();
                    let right = Tree::Shifted(Box::new(right), parameters.number());
                    Tree::Compared(op, Box::new(left), Box::new(right))
                });
            }
        }
        self.add(found, "the contrary", |_| Tree::Not(self.original()));
        if self.component.role.is_truth() {
            self.other_numbers(found);
        }
        if let Shape::Chain { is_and, members } = &self.component.shape {
            self.add(found, "the other connective", |_| {
                let parts = members.iter().map(|member| self.code(member));
                parts.reduce(|a, b| Tree::Joined(!*is_and, Box::new(a), Box::new(b))).expect("it has two parts")
            });
            self.add(found, "without a part", |parameters| {
                let without = |left_out: usize| {
                    let kept = members.iter().enumerate().filter(|(number, _)| *number != left_out);
                    let kept = kept.map(|(_, member)| self.code(member));
                    kept.reduce(|a, b| Tree::Joined(*is_and, Box::new(a), Box::new(b))).expect("it has two parts")
                };
                parameters.one_of((0..members.len()).map(without).collect())
            });
        }
        if has_variables {
            for (with_number, what) in [(true, "a variable compared with a number"), (false, "two variables compared")]
            {
                self.add(found, what, |parameters| self.simple_condition(with_number, parameters));
            }
            for is_and in [true, false] {
                for with_number in [true, false] {
                    let name = if is_and { "one condition more" } else { "or another condition" };
                    self.add(found, name, |parameters| {
                        let more = self.simple_condition(with_number, parameters);
                        Tree::Joined(is_and, self.original(), Box::new(more))
                    });
                }
            }
            self.add(found, "a sum compared with 0", |parameters| {
                let op = parameters.comparison();
                Tree::LinearCompared(op, parameters.number(), self.coefficients(parameters))
            });
        }
        self.add(found, "always or never", |parameters| {
            let number = |value: i128| {
                Tree::Code(Code {
                    expr: Expr::new(ExprKind::Int(value), self.component.expr.ty, self.component.span),
                    text: value.to_string(),
                })
            };
            parameters.one_of([0, 1].into_iter().map(number).collect())
        });
    }

    /// A template of the user, if what it needs is in scope.
    fn users(&self, user: &UserTemplate) -> Option<Template> {
        let mut parameters = Parameters::default();
        let text = self.unit.source.text(self.component.span);
        let tree = user.tree(&text, &self.scope.variables, &mut |kind| parameters.add(kind))?;
        Some(Template { name: user.name.clone(), tree, parameters: parameters.0, is_hard: false })
    }
}
