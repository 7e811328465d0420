//! Looks the names of a contract up in the scope of its function, and tells
//! what each term is: a number, a pointer, a truth value.

use c_syntax::{BinaryOp, Function, Unit};
use c_types::{Type, TypeId};

use super::arbitrary::{Arbitrary, instantiate};
use super::overload::{one_state_twins, told_apart};
use super::{Annotations, Binary, Clause, Contract, ContractError, Definition, Term, TermKind, Unary};

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A number of the logic.
    Integer,
    /// A number of a C type.
    Number(TypeId),
    /// A pointer to this type, or an array of it.
    Pointer(TypeId),
    /// `\null`
    Null,
    /// A struct.
    Record(TypeId),
    /// A predicate.
    Truth,
    /// Anything else.
    Other,
}

impl Sort {
    /// Whether it is a number, or can be used as one.
    pub fn is_number(self) -> bool {
        matches!(self, Sort::Integer | Sort::Number(_) | Sort::Truth)
    }

    /// Whether it is a pointer.
    pub fn is_pointer(self) -> bool {
        matches!(self, Sort::Pointer(_) | Sort::Null)
    }
}

/// The largest and smallest numbers of C types, which contracts name without the header.
const LIMITS: [(&str, i128); 14] = [
    ("INT_MAX", i32::MAX as i128),
    ("INT_MIN", i32::MIN as i128),
    ("UINT_MAX", u32::MAX as i128),
    ("CHAR_MAX", 127),
    ("CHAR_MIN", -128),
    ("UCHAR_MAX", 255),
    ("SHRT_MAX", i16::MAX as i128),
    ("SHRT_MIN", i16::MIN as i128),
    ("USHRT_MAX", u16::MAX as i128),
    ("LONG_MAX", i64::MAX as i128),
    ("LONG_MIN", i64::MIN as i128),
    ("LLONG_MAX", i64::MAX as i128),
    ("LLONG_MIN", i64::MIN as i128),
    ("NULL", 0),
];

/// A contract whose names are all known.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The contract.
    pub contract: Contract,
    /// The logic functions and predicates of the file.
    pub definitions: Vec<Definition>,
    /// Inputs that only the postcondition has: it must hold whatever they are.
    pub arbitrary: Vec<Arbitrary>,
}

impl Resolved {
    /// The scope of the contract's names.
    pub fn scope<'a>(&'a self, unit: &'a Unit, function: &'a Function) -> Scope<'a> {
        let mut scope = Scope { unit, function: Some(function), definitions: &self.definitions, bound: vec![] };
        scope.bound = self.arbitrary.iter().map(|one| (one.name.clone(), scope.type_sort(&one.ty))).collect();
        scope
    }
}

/// What names mean: those of the function, of the file, and bound ones.
#[derive(Clone)]
pub struct Scope<'a> {
    /// The file.
    pub unit: &'a Unit,
    /// The function of the contract; none inside of a definition.
    pub function: Option<&'a Function>,
    /// The definitions of the file.
    pub definitions: &'a [Definition],
    /// Bound names and parameters of a definition, the innermost last.
    pub bound: Vec<(String, Sort)>,
}

/// The contract of a function; none if it has none.
pub fn resolve(annotations: &Annotations, unit: &Unit, function: &Function) -> Result<Option<Resolved>, ContractError> {
    if let Some(error) = annotations.trouble(&function.name) {
        return Err(error.clone());
    }
    let Some(contract) = annotations.of(&function.name) else { return Ok(None) };
    let mut all = annotations.definitions.clone();
    all.extend(one_state_twins(&all));
    let scope = Scope { unit, function: Some(function), definitions: &all, bound: vec![] };
    let (contract, all) = told_apart(&scope, contract, &all)?;
    let (contract, arbitrary) = instantiate(&contract, &all);
    let predicates = contract.requires.iter().chain(&contract.ensures).map(|clause| &clause.predicate);
    let terms: Vec<&Term> = predicates.chain(contract.assigns.iter().flatten()).collect();
    let definitions = reached(&terms, &all);
    let resolved = Resolved { contract, definitions, arbitrary };
    let (contract, definitions) = (&resolved.contract, &resolved.definitions);
    let scope = resolved.scope(unit, function);
    let checked = || -> Result<(), ContractError> {
        for Clause { predicate, .. } in contract.requires.iter().chain(&contract.ensures) {
            scope.expect_truth(predicate)?;
        }
        for place in contract.assigns.iter().flatten() {
            scope.sort(place)?;
        }
        definitions.iter().try_for_each(|definition| scope.check_definition(definition))
    };
    // What is missing may be in an annotation that cannot be read.
    checked().map_err(|error| match annotations.broken.iter().find(|(of, _)| of.is_none()) {
        Some((_, broken)) if error.message.starts_with("there is no logic function") => broken.clone(),
        _ => error,
    })?;
    Ok(Some(resolved))
}

/// The definitions that terms lead to.
fn reached(terms: &[&Term], all: &[Definition]) -> Vec<Definition> {
    fn calls(term: &Term, found: &mut Vec<(String, usize)>) {
        match &term.kind {
            TermKind::Call(name, arguments) => found.push((name.clone(), arguments.len())),
            TermKind::Name(name) => found.push((name.clone(), 0)),
            _ => {}
        }
        term.parts().into_iter().for_each(|part| calls(part, found));
    }
    let mut names = vec![];
    terms.iter().for_each(|term| calls(term, &mut names));
    let mut found: Vec<Definition> = vec![];
    while let Some((name, arguments)) = names.pop() {
        if super::definition_of(&found, &name, arguments).is_some() {
            continue;
        }
        let fits = |definition: &&Definition| definition.name == name && definition.parameters.len() == arguments;
        for definition in all.iter().filter(fits) {
            calls(&definition.body, &mut names);
            found.push(definition.clone());
        }
    }
    found
}

type Found = Result<Sort, ContractError>;

impl Scope<'_> {
    /// The scope inside of a quantifier or `\let`.
    pub fn with(&self, name: &str, sort: Sort) -> Scope<'_> {
        let mut scope = self.clone();
        scope.bound.push((name.into(), sort));
        scope
    }

    fn check_definition(&self, definition: &Definition) -> Result<(), ContractError> {
        let mut scope = Scope { unit: self.unit, function: None, definitions: self.definitions, bound: vec![] };
        for parameter in &definition.parameters {
            let sort = scope.type_sort(&parameter.ty);
            scope.bound.push((parameter.name.clone(), sort));
        }
        scope.sort(&definition.body).map(|_| ())
    }

    fn expect_truth(&self, term: &Term) -> Result<(), ContractError> {
        match self.sort(term)? {
            Sort::Truth | Sort::Integer | Sort::Number(_) => Ok(()),
            _ => Err(ContractError::new(term.span, "this is no condition")),
        }
    }

    fn expect_number(&self, term: &Term) -> Result<(), ContractError> {
        match self.sort(term)?.is_number() {
            true => Ok(()),
            false => Err(ContractError::new(term.span, "this is no number")),
        }
    }

    /// What a C type is.
    pub fn of_type(&self, ty: TypeId) -> Sort {
        match self.unit.types.get(ty) {
            Type::Bool | Type::Char { .. } | Type::Int { .. } => Sort::Number(ty),
            Type::Pointer(target) => Sort::Pointer(*target),
            Type::Array(element, _) => Sort::Pointer(*element),
            Type::Record(_) => Sort::Record(ty),
            _ => Sort::Other,
        }
    }

    /// What a type is that is written in an annotation.
    pub fn type_sort(&self, text: &str) -> Sort {
        let stars = text.matches('*').count();
        let base: Vec<&str> =
            text.split(|c: char| c.is_whitespace() || c == '*').filter(|w| !w.is_empty() && *w != "const").collect();
        let base = base.join(" ");
        if stars == 0 && matches!(base.as_str(), "integer" | "boolean") {
            return Sort::Integer;
        }
        let types = &self.unit.types;
        let signed = !base.contains("unsigned");
        let plain = match base.as_str() {
            "char" | "signed char" | "unsigned char" => types.find(&Type::Char { signed }),
            "_Bool" | "bool" => types.find(&Type::Bool),
            "void" => types.find(&Type::Void),
            "size_t" => types.find(&Type::Int { bytes: 8, signed: false }),
            base if base.contains("short") => types.find(&Type::Int { bytes: 2, signed }),
            base if base.contains("long") => types.find(&Type::Int { bytes: 8, signed }),
            "int" | "signed" | "unsigned" | "unsigned int" | "signed int" => {
                types.find(&Type::Int { bytes: 4, signed })
            }
            base if base.starts_with("struct ") => {
                let tag = &base["struct ".len()..];
                let named = types.records().find(|(_, record)| &*record.name == tag || &*record.name == base);
                named.and_then(|(id, _)| types.find(&Type::Record(id)))
            }
            base => self.unit.names.types.find("", base),
        };
        let Some(mut ty) = plain else { return if stars == 0 { Sort::Integer } else { Sort::Other } };
        for _ in 1..stars {
            let Some(pointer) = types.find(&Type::Pointer(ty)) else { return Sort::Other };
            ty = pointer;
        }
        if stars > 0 { Sort::Pointer(ty) } else { self.of_type(ty) }
    }

    /// The type of a variable of the function or of the file.
    pub fn variable(&self, name: &str) -> Option<TypeId> {
        let parameters = self.function.map_or(&[][..], |function| &function.parameters);
        let all = parameters.iter().chain(&self.unit.globals);
        all.map(|id| &self.unit.variables[id.0 as usize]).find(|variable| &*variable.name == name).map(|found| found.ty)
    }

    /// The value of a constant that has a name.
    pub fn constant(&self, name: &str) -> Option<i128> {
        let function = self.function.map_or("", |function| &*function.name);
        let limit = || LIMITS.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        self.unit.names.constants.find(function, name).or_else(limit)
    }

    fn name(&self, term: &Term, name: &str) -> Found {
        if let Some((_, sort)) = self.bound.iter().rev().find(|(bound, _)| bound == name) {
            return Ok(*sort);
        }
        if let Some(ty) = self.variable(name) {
            return Ok(self.of_type(ty));
        }
        if name == "NULL" {
            return Ok(Sort::Null);
        }
        if self.constant(name).is_some() || self.unit.names.macros.contains_key(name) {
            return Ok(Sort::Integer);
        }
        if self.definitions.iter().any(|definition| definition.name == name && definition.parameters.is_empty()) {
            return Ok(Sort::Integer);
        }
        let mut there: Vec<String> = self.bound.iter().map(|(bound, _)| format!("`{bound}`")).collect();
        let parameters = self.function.map_or(&[][..], |function| &function.parameters);
        there.extend(parameters.iter().map(|id| format!("`{}`", self.unit.variables[id.0 as usize].name)));
        let there = if there.is_empty() { "no names".into() } else { there.join(", ") };
        Err(ContractError::new(term.span, format!("there is no variable `{name}` here; there is {there}")))
    }

    /// What a term is; an error if it names what is not there or makes no sense.
    pub fn sort(&self, term: &Term) -> Found {
        match &term.kind {
            TermKind::Int(_) => Ok(Sort::Integer),
            TermKind::Truth(_) | TermKind::Given(_) => Ok(Sort::Truth),
            TermKind::Null => Ok(Sort::Null),
            TermKind::Nothing => Ok(Sort::Other),
            TermKind::Result => self.result(term),
            TermKind::Name(name) => self.name(term, name),
            TermKind::Old(of) => self.sort(of),
            TermKind::Cast(ty, of) => {
                self.sort(of)?;
                Ok(self.type_sort(ty))
            }
            TermKind::Unary(op, of) => self.unary(*op, of),
            TermKind::Binary(op, a, b) => self.binary(*op, a, b),
            TermKind::Conditional(condition, a, b) => {
                self.expect_truth(condition)?;
                self.sort(b)?;
                self.sort(a)
            }
            TermKind::Call(name, arguments) => self.call(term, name, arguments),
            TermKind::Index(base, index) => {
                self.expect_range(index)?;
                match self.sort(base)? {
                    Sort::Pointer(target) => Ok(self.of_type(target)),
                    _ => Err(ContractError::new(base.span, "this is no array and no pointer")),
                }
            }
            TermKind::Member(base, member) => self.member(term, base, member),
            TermKind::Range(..) => self.expect_range(term).map(|()| Sort::Integer),
            TermKind::Quantified { all, binders, body } => {
                let mut scope = self.clone();
                for binder in binders {
                    let sort = self.type_sort(&binder.ty);
                    if !sort.is_number() {
                        let message =
                            format!("a quantifier over `{}` cannot be gone through; only over numbers", binder.ty);
                        return Err(ContractError::new(binder.span, message));
                    }
                    scope.bound.push((binder.name.clone(), Sort::Integer));
                }
                super::ranges(*all, binders, body)?;
                scope.expect_truth(body)?;
                Ok(Sort::Truth)
            }
            TermKind::Fold { low, high, name, body, .. } => {
                self.expect_number(low)?;
                self.expect_number(high)?;
                self.with(name, Sort::Integer).sort(body)?;
                Ok(Sort::Integer)
            }
            TermKind::Let(name, value, body) => {
                let sort = self.sort(value)?;
                self.with(name, sort).sort(body)
            }
            TermKind::Valid(places) => {
                for place in places {
                    if !matches!(self.sort(place)?, Sort::Pointer(_)) {
                        return Err(ContractError::new(place.span, "this is no pointer"));
                    }
                }
                Ok(Sort::Truth)
            }
        }
    }

    fn expect_range(&self, index: &Term) -> Result<(), ContractError> {
        match &index.kind {
            TermKind::Range(low, high) => low.iter().chain(high).try_for_each(|end| self.expect_number(end)),
            _ => self.expect_number(index),
        }
    }

    fn result(&self, term: &Term) -> Found {
        let Some(function) = self.function else {
            return Err(ContractError::new(term.span, "there is no \\result in a definition"));
        };
        let Type::Function(signature) = self.unit.types.get(function.ty) else { return Ok(Sort::Other) };
        match self.unit.types.get(signature.result) {
            Type::Void => Err(ContractError::new(term.span, format!("`{}` returns nothing", function.name))),
            _ => Ok(self.of_type(signature.result)),
        }
    }

    fn unary(&self, op: Unary, of: &Term) -> Found {
        let sort = self.sort(of)?;
        match (op, sort) {
            (Unary::Not, _) => self.expect_truth(of).map(|()| Sort::Truth),
            (Unary::Negate | Unary::Complement, _) => self.expect_number(of).map(|()| Sort::Integer),
            (Unary::Deref, Sort::Pointer(target)) => Ok(self.of_type(target)),
            (Unary::Deref, _) => Err(ContractError::new(of.span, "this is no pointer")),
            (Unary::AddressOf, Sort::Number(ty) | Sort::Record(ty)) => Ok(Sort::Pointer(ty)),
            (Unary::AddressOf, Sort::Pointer(target)) => Ok(Sort::Pointer(target)),
            (Unary::AddressOf, _) => Err(ContractError::new(of.span, "this has no address")),
        }
    }

    fn binary(&self, op: Binary, a: &Term, b: &Term) -> Found {
        let Binary::C(op) = op else {
            self.expect_truth(a)?;
            self.expect_truth(b)?;
            return Ok(Sort::Truth);
        };
        let moves = |range: &Term| self.expect_range(range);
        match (op, self.sort(a)?, self.sort(b)?) {
            (BinaryOp::Add | BinaryOp::Subtract, pointer @ Sort::Pointer(_), other) if !other.is_pointer() => {
                moves(b).map(|()| pointer)
            }
            (BinaryOp::Subtract, Sort::Pointer(_), Sort::Pointer(_)) => Ok(Sort::Integer),
            (op, left, right) if op.is_comparison() => {
                let fits = left.is_number() && right.is_number() || left.is_pointer() && right.is_pointer();
                let zero = |sort: Sort, term: &Term| sort.is_pointer() || term.kind == TermKind::Int(0);
                match fits || zero(left, a) && zero(right, b) {
                    true => Ok(Sort::Truth),
                    false => Err(ContractError::new(a.span.to(b.span), "these two cannot be compared")),
                }
            }
            _ => {
                self.expect_number(a)?;
                self.expect_number(b)?;
                Ok(Sort::Integer)
            }
        }
    }

    fn call(&self, term: &Term, name: &str, arguments: &[Term]) -> Found {
        for argument in arguments {
            self.sort(argument)?;
        }
        match name {
            "\\max" | "\\min" | "\\abs" => return Ok(Sort::Integer),
            "valid_string" | "valid_read_string" => return Ok(Sort::Truth),
            _ => {}
        }
        let Some(definition) = super::definition_of(self.definitions, name, arguments.len()) else {
            let count = arguments.len();
            let message = format!(
                "there is no logic function or predicate `{name}` with {count} arguments in this file that could be computed"
            );
            return Err(ContractError::new(term.span, message));
        };
        Ok(definition.result.as_ref().map_or(Sort::Truth, |ty| self.type_sort(ty)))
    }

    fn member(&self, term: &Term, base: &Term, member: &str) -> Found {
        let Sort::Record(ty) = self.sort(base)? else {
            return Err(ContractError::new(base.span, "this is no struct"));
        };
        let record = self.unit.types.as_record(ty);
        let field = record.and_then(|record| record.fields.iter().find(|field| &*field.name == member));
        match field {
            Some(field) => Ok(self.of_type(field.ty)),
            None => Err(ContractError::new(term.span, format!("there is no member `{member}`"))),
        }
    }
}
