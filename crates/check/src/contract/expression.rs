//! Terms and predicates as C expressions.

use std::cell::Cell;

use c_syntax::{BinaryOp, Unit};
use c_types::Type;
use spec::contract::{
    Binary, ContractError, Definition, Fold, Scope, Sort, Term, TermKind, Unary, definition_of, ranges,
};

/// Writes terms as C.
pub(crate) struct Writer {
    /// Pointer parameters of which there are copies.
    copied: Vec<String>,
    /// The variable that has the result.
    result: String,
    /// Bound names, and what they are called in C.
    names: Vec<(String, String)>,
    next: Cell<u32>,
}

type Text = Result<String, ContractError>;

/// The text as it stands in a literal.
pub(crate) fn as_text(text: &str) -> String {
    text.chars()
        .flat_map(|c| match c {
            '"' | '\\' => vec!['\\', c],
            c if c.is_ascii() && !c.is_ascii_control() => vec![c],
            _ => vec!['?'],
        })
        .collect()
}

fn error<T>(term: &Term, message: impl Into<String>) -> Result<T, ContractError> {
    Err(ContractError { span: term.span, message: message.into() })
}

impl Writer {
    pub(crate) fn new(copied: Vec<String>, result: &str) -> Writer {
        Writer { copied, result: result.into(), names: vec![], next: Cell::new(0) }
    }

    fn fresh(&self, name: &str) -> String {
        self.next.set(self.next.get() + 1);
        format!("wolverine_{name}{}", self.next.get())
    }

    fn with(&self, name: &str, text: String) -> Writer {
        let mut names = self.names.clone();
        names.push((name.into(), text));
        Writer {
            copied: self.copied.clone(),
            result: self.result.clone(),
            names,
            next: Cell::new(self.next.get() + 100),
        }
    }

    /// A term as C, with the values from before the call if `old`.
    pub(crate) fn term(&self, scope: &Scope<'_>, term: &Term, old: bool) -> Text {
        Ok(match &term.kind {
            TermKind::Int(value) if i64::try_from(*value).is_err() => return error(term, "this number is too large"),
            TermKind::Int(i) if *i == i64::MIN.into() => "(-9223372036854775807LL - 1)".into(),
            TermKind::Int(value) if *value < 0 => format!("({value})"),
            TermKind::Int(value) => value.to_string(),
            TermKind::Truth(truth) => u8::from(*truth).to_string(),
            TermKind::Given(_) => "1".into(),
            TermKind::Null => "((void *)0)".into(),
            TermKind::Result => self.result.clone(),
            TermKind::Nothing | TermKind::Range(..) => return error(term, "this is a place, not a value"),
            TermKind::Name(name) => self.name(scope, term, name, old)?,
            TermKind::Old(of) => self.term(scope, of, true)?,
            TermKind::Cast(_, of) => match scope.sort(term)? {
                Sort::Number(ty) => format!("(({}){})", scope.unit.types.name(ty), self.wide(scope, of, old)?),
                _ => self.term(scope, of, old)?,
            },
            TermKind::Unary(op, of) => self.unary(scope, *op, of, old)?,
            TermKind::Binary(op, a, b) => self.binary(scope, *op, a, b, old)?,
            TermKind::Conditional(condition, a, b) => {
                let condition = self.term(scope, condition, old)?;
                let (a, b) = (self.wide(scope, a, old)?, self.wide(scope, b, old)?);
                format!("(({condition}) ? {a} : {b})")
            }
            TermKind::Call(name, arguments) => self.call(scope, name, arguments, old)?,
            TermKind::Index(base, index) => {
                format!("{}[{}]", self.term(scope, base, old)?, self.term(scope, index, old)?)
            }
            TermKind::Member(base, member) => format!("{}.{member}", self.term(scope, base, old)?),
            TermKind::Quantified { all, binders, body } => {
                let mut writer = self.with("", String::new());
                let mut inner = scope.clone();
                let found = self.fresh("q");
                let mut loops = String::new();
                for range in ranges(*all, binders, body)? {
                    let (low, high) = (writer.wide(&inner, &range.low, old)?, writer.wide(&inner, &range.high, old)?);
                    let name = self.fresh(&range.name);
                    loops += &format!("for (long long {name} = {low}; {name} <= {high}; {name}++) ");
                    writer = writer.with(&range.name, name);
                    inner.bound.push((range.name, Sort::Integer));
                }
                let body = writer.term(&inner, body, old)?;
                match all {
                    true => format!("({{ int {found} = 1; {loops}if (!({body})) {found} = 0; {found}; }})"),
                    false => format!("({{ int {found} = 0; {loops}if ({body}) {found} = 1; {found}; }})"),
                }
            }
            TermKind::Fold { fold, low, high, name, body } => self.fold(scope, *fold, low, high, name, body, old)?,
            TermKind::Let(name, value, body) => {
                let text = self.term(scope, value, old)?;
                let inner = scope.with(name, scope.sort(value)?);
                self.with(name, format!("({text})")).term(&inner, body, old)?
            }
            // Where a pointer must be valid at the start, the driver has made it so.
            TermKind::Valid(places) => {
                let mut all = vec!["1".to_string()];
                for place in places {
                    let base = super::shape::base(place);
                    if let Some(base) = base {
                        all.push(format!("{} != 0", self.term(scope, base, false)?));
                    }
                }
                format!("({})", all.join(" && "))
            }
        })
    }

    fn name(&self, scope: &Scope<'_>, term: &Term, name: &str, old: bool) -> Text {
        if let Some((_, text)) = self.names.iter().rev().find(|(known, _)| known == name) {
            return Ok(text.clone());
        }
        let is_bound = scope.bound.iter().any(|(bound, _)| bound == name);
        if is_bound {
            let is_copied = old && self.copied.iter().any(|copied| copied == name);
            return Ok(if is_copied { format!("wolverine_old_{name}") } else { name.into() });
        }
        if let Some(ty) = scope.variable(name) {
            if !old {
                return Ok(name.into());
            }
            if self.copied.iter().any(|copied| copied == name) {
                return Ok(format!("wolverine_old_{name}"));
            }
            let parameters = scope.function.map_or(&[][..], |function| &function.parameters);
            let is_parameter = parameters.iter().any(|id| &*scope.unit.variables[id.0 as usize].name == name);
            return match (is_parameter, scope.unit.types.get(ty)) {
                (true, Type::Pointer(_)) => {
                    error(term, format!("what `{name}` points to before the call cannot be kept"))
                }
                (true, _) => Ok(name.into()),
                (false, Type::Pointer(_) | Type::Array(..)) => {
                    error(term, format!("the old value of the global `{name}` cannot be kept"))
                }
                (false, _) => Ok(format!("wolverine_old_{name}")),
            };
        }
        match scope.constant(name) {
            Some(value) if scope.definitions.iter().all(|definition| definition.name != name) => {
                Ok(format!("{value}LL").replace("-9223372036854775808LL", "(-9223372036854775807LL - 1)"))
            }
            _ if scope.unit.names.macros.contains_key(name) => Ok(name.into()),
            _ => Ok(format!("{}()", logic_name(name, 0))),
        }
    }

    /// A number of 64 bits; a pointer as it is.
    pub(crate) fn wide(&self, scope: &Scope<'_>, term: &Term, old: bool) -> Text {
        let text = self.term(scope, term, old)?;
        Ok(match scope.sort(term)? {
            Sort::Number(_) => format!("(long long){text}"),
            Sort::Integer if matches!(term.kind, TermKind::Int(value) if value >= 0) => format!("{text}LL"),
            _ => text,
        })
    }

    fn unary(&self, scope: &Scope<'_>, op: Unary, of: &Term, old: bool) -> Text {
        Ok(match op {
            Unary::Not => format!("!({})", self.term(scope, of, old)?),
            Unary::Negate => format!("(-({}))", self.wide(scope, of, old)?),
            Unary::Complement => format!("(~({}))", self.wide(scope, of, old)?),
            Unary::Deref => format!("(*{})", self.term(scope, of, old)?),
            Unary::AddressOf => format!("(&{})", self.term(scope, of, old)?),
        })
    }

    fn binary(&self, scope: &Scope<'_>, op: Binary, a: &Term, b: &Term, old: bool) -> Text {
        let op = match op {
            Binary::C(op) => op,
            logical => {
                let (a, b) = (self.term(scope, a, old)?, self.term(scope, b, old)?);
                return Ok(match logical {
                    Binary::And => format!("({a} && {b})"),
                    Binary::Or => format!("({a} || {b})"),
                    Binary::Implies => format!("(!({a}) || {b})"),
                    Binary::Iff => format!("(!({a}) == !({b}))"),
                    _ => format!("(!({a}) != !({b}))"),
                });
            }
        };
        let sorts = (scope.sort(a)?, scope.sort(b)?);
        // Which place a pointer points to has no old value of its own.
        if op.is_comparison() && (sorts.0.is_pointer() || sorts.1.is_pointer()) {
            let (a, b) = (self.pointer(scope, a, old)?, self.pointer(scope, b, old)?);
            return Ok(format!("({a} {} {b})", op.text()));
        }
        if matches!(op, BinaryOp::Add | BinaryOp::Subtract) && sorts.0.is_pointer() {
            let (a, b) = (self.term(scope, a, old)?, self.term(scope, b, old)?);
            return Ok(format!("({a} {} {b})", op.text()));
        }
        let same = match sorts {
            (Sort::Number(a), Sort::Number(b)) => {
                let signed = |ty| scope.unit.types.is_signed(ty);
                signed(a) && signed(b)
            }
            _ => false,
        };
        let (a, b) = match op.is_comparison() && same {
            true => (self.term(scope, a, old)?, self.term(scope, b, old)?),
            false => (self.wide(scope, a, old)?, self.wide(scope, b, old)?),
        };
        Ok(format!("({a} {} {b})", op.text()))
    }

    /// A pointer for a comparison: that of now, where only its contents are kept.
    fn pointer(&self, scope: &Scope<'_>, term: &Term, old: bool) -> Text {
        match &term.kind {
            TermKind::Old(of) => self.pointer(scope, of, true),
            TermKind::Name(name) if self.copied.iter().any(|copied| copied == name) => self.term(scope, term, false),
            TermKind::Binary(Binary::C(op), a, b) if scope.sort(a)?.is_pointer() => {
                Ok(format!("({} {} {})", self.pointer(scope, a, old)?, op.text(), self.term(scope, b, old)?))
            }
            TermKind::Int(0) => Ok("((void *)0)".into()),
            _ => self.term(scope, term, old),
        }
    }

    fn call(&self, scope: &Scope<'_>, name: &str, arguments: &[Term], old: bool) -> Text {
        let mut texts = vec![];
        let definition = definition_of(scope.definitions, name, arguments.len());
        let two_states = definition.is_some_and(|definition| definition.two_states);
        for argument in arguments {
            texts.push(self.wide(scope, argument, old)?);
            if two_states && scope.sort(argument)?.is_pointer() {
                texts.push(self.wide(scope, argument, true)?);
            }
        }
        Ok(match (name, &texts[..]) {
            ("\\max", [a, b]) => format!("(({a}) > ({b}) ? ({a}) : ({b}))"),
            ("\\min", [a, b]) => format!("(({a}) < ({b}) ? ({a}) : ({b}))"),
            ("\\abs", [a]) => format!("(({a}) < 0 ? -({a}) : ({a}))"),
            ("valid_string" | "valid_read_string", [a]) => format!("({a} != 0)"),
            _ => format!("{}({})", logic_name(name, arguments.len()), texts.join(", ")),
        })
    }

    fn fold(&self, scope: &Scope<'_>, fold: Fold, low: &Term, high: &Term, name: &str, body: &Term, old: bool) -> Text {
        let (low, high) = (self.wide(scope, low, old)?, self.wide(scope, high, old)?);
        let (found, bound) = (self.fresh("f"), self.fresh(name));
        let inner = scope.with(name, Sort::Integer);
        let writer = self.with(name, bound.clone());
        let value = match fold {
            Fold::Count => writer.term(&inner, body, old)?,
            _ => writer.wide(&inner, body, old)?,
        };
        let round = format!("for (long long {bound} = {low}; {bound} <= {high}; {bound}++)");
        Ok(match fold {
            Fold::Sum => format!("({{ long long {found} = 0; {round} {found} += {value}; {found}; }})"),
            Fold::Product => format!("({{ long long {found} = 1; {round} {found} *= {value}; {found}; }})"),
            Fold::Count => format!("({{ long long {found} = 0; {round} if ({value}) {found}++; {found}; }})"),
            Fold::Max | Fold::Min => {
                let sign = if fold == Fold::Max { ">" } else { "<" };
                let one = self.fresh("v");
                format!(
                    "({{ long long {found} = 0; int {found}_any = 0; {round} {{ long long {one} = {value}; if (!{found}_any || {one} {sign} {found}) {found} = {one}; {found}_any = 1; }} {found}; }})"
                )
            }
        })
    }
}

/// The C function of a logic function; those with other numbers of arguments are others.
fn logic_name(name: &str, arguments: usize) -> String {
    format!("wolverine_logic_{name}_{arguments}")
}

/// Logic functions and predicates as C functions. One that speaks of two
/// states has two pointers for each: to what is there now, and to the copy.
/// Those that are `written` already are left out.
pub(crate) fn helpers(definitions: &[Definition], unit: &Unit, written: &[Definition]) -> Text {
    let (mut heads, mut bodies) = (String::new(), String::new());
    let is_written = |one: &Definition| definition_of(written, &one.name, one.parameters.len()).is_some();
    for definition in definitions.iter().filter(|one| !is_written(one)) {
        let mut scope = Scope { unit, function: None, definitions, bound: vec![] };
        let mut parameters = vec![];
        let two_states = definition.two_states;
        let mut copied = vec![];
        for parameter in &definition.parameters {
            let sort = scope.type_sort(&parameter.ty);
            scope.bound.push((parameter.name.clone(), sort));
            parameters.push(match sort {
                Sort::Integer | Sort::Number(_) | Sort::Truth => format!("long long {}", parameter.name),
                Sort::Pointer(target) => {
                    let pointer = |name: &str| format!("const {}", unit.types.declare(target, &format!("*{name}")));
                    copied.push(parameter.name.clone());
                    let mut both = pointer(&parameter.name);
                    if two_states {
                        both += &format!(", {}", pointer(&format!("wolverine_old_{}", parameter.name)));
                    }
                    both
                }
                _ => {
                    let message =
                        format!("the type `{}` of `{}` cannot be used in a definition", parameter.ty, parameter.name);
                    return Err(ContractError { span: definition.span, message });
                }
            });
        }
        let parameters = if parameters.is_empty() { "void".into() } else { parameters.join(", ") };
        let head =
            format!("static long long {}({parameters})", logic_name(&definition.name, definition.parameters.len()));
        let writer = Writer::new(if two_states { copied } else { vec![] }, "wolverine_result");
        // A parameter is a number of the logic by now.
        for (_, sort) in &mut scope.bound {
            if matches!(sort, Sort::Number(_)) {
                *sort = Sort::Integer;
            }
        }
        let body = writer.wide(&scope, &definition.body, false)?;
        heads += &format!("{head};\n");
        bodies += &format!("{head} {{ return {body}; }}\n");
    }
    Ok(heads + &bodies)
}
