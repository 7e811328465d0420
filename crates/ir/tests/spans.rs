//! Every span, cut out of the source, is the operand it claims to be, for all programs.
//!
//! What stands in a macro's body has no place of its own: its span is that of
//! the whole use, which is listed in `Program::macro_uses`. Everything else is
//! checked, up to the implicit operands that nobody wrote, see `Checker::int`
//! and `Checker::named`.
//!
//! `WOLVERINE_SPANS=folder` checks the C files of another folder as well.

mod programs;

use std::collections::BTreeMap;
use std::path::PathBuf;

use c_syntax::{Span, skip_space, wrap};
use ir::*;

#[test]
fn spans_are_what_they_claim_to_be() {
    let own = programs::folders();
    let mut folders = own.clone();
    folders.extend(std::env::var_os("WOLVERINE_SPANS").map(PathBuf::from));
    let (mut counts, mut wrong, mut files) = (BTreeMap::new(), Vec::new(), 0);
    let paths: Vec<PathBuf> = folders.iter().flat_map(|folder| programs::c_files(folder)).collect();
    for (path, program) in paths.iter().zip(programs::load(&paths)) {
        let Some(program) = program else {
            assert!(!own.iter().any(|folder| path.starts_with(folder)), "{} is not read", path.display());
            continue;
        };
        let mut checker = Checker { program: &program, function: None, counts: &mut counts, wrong: &mut wrong };
        checker.program();
        files += 1;
    }
    println!("{files} files: {counts:?}");
    let shown: Vec<&str> = wrong.iter().take(60).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} wrong spans:\n{}", wrong.len(), shown.join("\n"));
    assert!(files >= 150, "only {files} files");
    let least = [
        ("local", 5000),
        ("global", 400),
        ("field", 3000),
        ("integer", 4000),
        ("text", 900),
        ("function", 20),
        ("call", 1500),
        ("step", 20000),
        ("action", 20000),
        ("temporary", 10000),
        ("macro", 1000),
    ];
    for (kind, least) in least {
        let count = counts.get(kind).copied().unwrap_or(0);
        assert!(count >= least, "only {count} checks of kind {kind}");
    }
}

struct Checker<'a> {
    program: &'a Program,
    function: Option<&'a Function>,
    counts: &'a mut BTreeMap<&'static str, usize>,
    wrong: &'a mut Vec<String>,
}

impl<'a> Checker<'a> {
    fn program(&mut self) {
        let program = self.program;
        for step in &program.steps {
            self.step(step);
        }
        for global in program.globals.iter().filter(|global| !global.external) {
            let is_literal = &*global.name == "(literal)";
            self.check("global", global.span, is_literal || self.text(global.span) == *global.name, &global.name);
        }
        for function in program.functions.iter().filter(|function| !function.span.is_empty()) {
            self.function = Some(function);
            for local in &function.locals[..function.named] {
                self.check("local", local.span, self.text(local.span) == *local.name, &local.name);
            }
            for label in &function.labels {
                let claimed = label.name.starts_with("case ") || self.text(label.span).starts_with(&*label.name);
                self.check("label", label.span, claimed, &label.name);
            }
            let jumps = count_jumps(&function.body);
            self.check("jumps", function.span, jumps == function.jumps.len(), "as many places as jumps");
            for &jump in &function.jumps {
                let text = self.text(jump);
                let claimed = ["break", "continue", "goto"].iter().any(|keyword| text.starts_with(keyword));
                self.check("jump", jump, claimed, "a jump");
            }
            self.code(&function.body);
        }
    }

    // ----- recording -----

    fn text(&self, span: Span) -> String {
        self.program.source.text(span)
    }

    fn is_macro(&self, span: Span) -> bool {
        self.program.macro_uses.contains(&span)
    }

    fn check(&mut self, kind: &'static str, span: Span, claimed: bool, what: &str) {
        let is_macro = self.is_macro(span);
        *self.counts.entry(if is_macro { "macro" } else { kind }).or_default() += 1;
        if !claimed && !is_macro {
            let (line, column) = self.program.source.line_column(span.start);
            let path = self.program.source.path.display();
            self.wrong.push(format!("{path}:{line}:{column}: {kind} `{}` claims to be {what}", self.text(span)));
        }
    }

    // ----- steps -----

    fn step(&mut self, step: &Step) {
        let function = self.program.function(step.function);
        if function.span.is_empty() {
            return;
        }
        let source = &self.program.source;
        let own = step.region.covers(step.span) || self.is_macro(step.span);
        self.check("step", step.span, own, "inside of its region");
        self.check("step", step.span, function.span.covers(step.span), "inside of its function");
        self.check("step", step.region, function.span.covers(step.region), "a region of its function");
        self.check("step", step.span, step.line == source.line(step.span.start), "on its line");
        let text = self.text(step.span);
        let region = self.text(step.region);
        let claimed = match step.kind {
            StepKind::Exit => text == "}",
            StepKind::Return => text.starts_with("return"),
            StepKind::If => region.starts_with("if") && region.ends_with(')'),
            StepKind::Switch => region.starts_with("switch") && region.ends_with(')'),
            StepKind::Loop | StepKind::ForInit | StepKind::ForUpdate => !text.is_empty(),
            StepKind::Declaration => text.ends_with(';'),
            StepKind::Expression => !text.is_empty() && !text.ends_with(';'),
        };
        let in_macro = self.program.macro_uses.iter().any(|place| place.covers(step.span) || step.span.covers(*place));
        self.check("step", step.span, claimed || in_macro, &format!("a step of kind {:?}", step.kind));
        if step.kind != StepKind::Exit {
            self.balanced("step", step.span);
        }
    }

    /// Parentheses match: no token is cut off.
    fn balanced(&mut self, kind: &'static str, span: Span) {
        let bytes = &self.program.source.bytes[span.start as usize..span.end as usize];
        self.check(kind, span, is_balanced(bytes), "balanced text");
    }

    // ----- code -----

    fn code(&mut self, code: &[Code]) {
        for item in code {
            match item {
                Code::Act(action) => self.action(action),
                Code::If { test, then, otherwise, .. } => {
                    self.test(test);
                    self.code(then);
                    self.code(otherwise);
                }
                Code::Loop(looped) => {
                    looped.test.iter().for_each(|test| self.test(test));
                    [&looped.condition, &looped.body, &looped.update].into_iter().for_each(|part| self.code(part));
                }
                Code::Switch { value, body, .. } => {
                    self.operand(value);
                    self.code(body);
                }
                Code::Return(value) => value.iter().for_each(|value| self.operand(value)),
                Code::Step(_) | Code::Declare(_) | Code::DeclareArray { .. } => {}
                Code::Label(_) | Code::Goto(_) | Code::Break | Code::Continue => {}
            }
        }
    }

    /// A test is a temporary, or the constant that a condition is.
    fn test(&mut self, test: &Operand) {
        match test.kind {
            OperandKind::Int(_) => self.balanced("test", test.span),
            _ => self.operand(test),
        }
    }

    fn action(&mut self, action: &Action) {
        let function = self.function.expect("actions are in functions");
        self.check("action", action.span, function.span.covers(action.span), "inside of its function");
        self.check("action", action.span, !action.span.is_empty(), "some text");
        self.balanced("action", action.span);
        match &action.kind {
            ActionKind::Assign { to, to_span, value } => {
                self.named(*to, *to_span);
                self.rvalue(value, action.span);
            }
            ActionKind::Store { to, value } => {
                self.access(to);
                // The characters of a text that initialises an array are implicit.
                if !(matches!(value.kind, OperandKind::Int(_)) && value.span == to.span) {
                    self.operand(value);
                }
            }
            ActionKind::Clear { to } => self.access(to),
            ActionKind::Call { callee, arguments, .. } => {
                self.check("call", action.span, self.text(action.span).contains('('), "a call");
                if let Callee::Pointer(pointer) = callee {
                    self.operand(pointer);
                }
                arguments.iter().for_each(|argument| self.operand(argument));
            }
            ActionKind::Concrete { .. } => {}
        }
    }

    fn rvalue(&mut self, value: &Rvalue, whole: Span) {
        match value {
            Rvalue::Use(operand) | Rvalue::Unary(_, operand, _) | Rvalue::Convert { value: operand, .. } => {
                self.operand(operand);
            }
            Rvalue::Binary(op, left, right, _) => {
                self.operand(left);
                let is_truth = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) && is_number(right, 0.0);
                self.second(right, whole, is_truth);
            }
            Rvalue::Offset { pointer, index, .. } => {
                self.operand(pointer);
                self.second(index, whole, false);
            }
            Rvalue::Distance { left, right, .. } => {
                self.operand(left);
                self.operand(right);
            }
            Rvalue::Load(access) | Rvalue::AddressOf(access) => self.access(access),
        }
    }

    /// The second operand; nobody writes the 0 that a truth value is compared
    /// with, nor the 1 of `++`, nor the size of an array's elements.
    fn second(&mut self, operand: &Operand, whole: Span, is_truth: bool) {
        let text = self.text(operand.span);
        let is_one = is_number(operand, 1.0) && (text.contains("++") || text.contains("--"));
        let is_element_size = operand.span == whole && matches!(operand.kind, OperandKind::Int(_)) && is_name(&text);
        match is_truth || is_one || is_element_size {
            true => self.balanced("implicit", operand.span),
            false => self.operand(operand),
        }
    }

    // ----- operands -----

    fn operand(&mut self, operand: &Operand) {
        let text = self.text(operand.span);
        match &operand.kind {
            OperandKind::Local(local) => self.named(*local, operand.span),
            OperandKind::Int(value) => self.int(*value, operand),
            OperandKind::Float(value) => {
                let plain = unwrapped(&text);
                let number = plain.trim_end_matches(['f', 'F', 'l', 'L']);
                let same = number.parse().is_ok_and(|read: f64| read == *value || read as f32 as f64 == *value)
                    || literal(plain).is_some_and(|n| n as f64 == *value);
                self.check("float", operand.span, same || is_constant_expression(&text), &format!("{value}"));
            }
            OperandKind::Text(_) => {
                let is_text = text.trim_start_matches(['L', 'u', 'U', '8']).starts_with('"');
                let is_name = matches!(&*text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__");
                self.check("text", operand.span, is_text || is_name, "a string literal");
            }
            OperandKind::Function(function) => {
                let name = match function {
                    FunctionRef::Own(id) => self.program.function(*id).name.clone(),
                    FunctionRef::Library(name) => name.clone(),
                };
                self.check("function", operand.span, bare(&text) == &*name, &name);
            }
        }
    }

    /// A variable is written as its name. Where an operand stands for the value
    /// of `x = y`, `x += y` or `++x`, its text is that expression; where `&`
    /// and `*` cancel out, as in `&*p`, they are part of the text.
    fn named(&mut self, local: LocalId, span: Span) {
        let function = self.function.expect("operands are in functions");
        let local = &function.locals[local.index()];
        let text = self.text(span);
        if local.name.is_empty() {
            self.check("temporary", span, function.span.covers(span) && !span.is_empty(), "an expression");
            return self.balanced("temporary", span);
        }
        let is_value_of = |rest: &str| {
            let rest = rest.trim_start();
            rest.contains('=') && rest.starts_with(['=', '+', '-', '*', '/', '%', '&', '|', '^', '<', '>'])
        };
        let claimed = bare(&text) == &*local.name
            || text.strip_prefix(&*local.name).is_some_and(is_value_of)
            || text.strip_prefix("++").or(text.strip_prefix("--")).is_some_and(|rest| bare(rest) == &*local.name);
        self.check("local", span, claimed, &local.name);
    }

    /// An integer's text is a literal of that value, an enum constant or another
    /// constant expression. What is read is converted to the operand's type.
    fn int(&mut self, value: i128, operand: &Operand) {
        let text = self.text(operand.span);
        let claimed = match literal(unwrapped(&text)) {
            Some(read) => wrap(&self.program.types, operand.ty, read) == value,
            None if unwrapped(&text).parse().is_ok_and(|read: f64| read as i128 == value) => true,
            None => is_constant_expression(&text) && !self.mentions_variable(&text),
        };
        self.check("integer", operand.span, claimed, &value.to_string());
        self.balanced("integer", operand.span);
    }

    /// Constant expressions have no variables, except under `sizeof`.
    fn mentions_variable(&self, text: &str) -> bool {
        let function = self.function.expect("operands are in functions");
        let is_variable = |name: &str| {
            function.locals[..function.named].iter().any(|local| &*local.name == name)
                || self.program.globals.iter().any(|global| &*global.name == name)
        };
        is_name(text) && is_variable(text)
    }

    fn access(&mut self, access: &Access) {
        let text = self.text(access.span);
        let root = match &access.root {
            AccessRoot::Local(id) => {
                let function = self.function.expect("accesses are in functions");
                function.locals[id.index()].name.clone()
            }
            AccessRoot::Global(id) => self.program.globals[id.index()].name.clone(),
            AccessRoot::Deref(pointer) => {
                self.operand(pointer);
                "".into()
            }
            AccessRoot::Text(_) => "".into(),
        };
        let kind = if matches!(access.root, AccessRoot::Global(_)) { "global" } else { "local" };
        // In an initialiser, members and elements have the place of the variable.
        let is_initialiser = !access.path.is_empty() && text == *root;
        let is_variable = !root.is_empty() && &*root != "(literal)";
        if is_variable {
            let claimed = match access.path.is_empty() {
                true => bare(&text) == &*root,
                false => text.contains(&*root),
            };
            self.check(kind, access.span, claimed, &root);
        } else {
            self.balanced("place", access.span);
        }
        let in_place = is_initialiser || (!is_variable && !matches!(access.root, AccessRoot::Deref(_)));
        for projection in &access.path {
            match projection {
                Projection::Field { record, index, span, .. } => {
                    let name = &self.program.types.record(*record).fields[*index as usize].name;
                    let is_implicit = in_place && *span == access.span;
                    let claimed = is_implicit || self.text(*span) == *name;
                    self.check("field", *span, claimed, name);
                    let covered = access.span.covers(*span) || self.is_macro(access.span);
                    self.check("field", *span, covered, "part of its access");
                }
                Projection::Index { index, .. } if in_place && index.span == access.span => {}
                Projection::Index { index, .. } => self.operand(index),
            }
        }
    }
}

fn count_jumps(code: &[Code]) -> usize {
    let count = |item: &Code| match item {
        Code::Goto(_) | Code::Break | Code::Continue => 1,
        Code::If { then, otherwise, .. } => count_jumps(then) + count_jumps(otherwise),
        Code::Switch { body, .. } => count_jumps(body),
        Code::Loop(looped) => {
            [&looped.condition, &looped.body, &looped.update].iter().map(|part| count_jumps(part)).sum()
        }
        _ => 0,
    };
    code.iter().map(count).sum()
}

fn is_number(operand: &Operand, number: f64) -> bool {
    match operand.kind {
        OperandKind::Int(value) => value as f64 == number,
        OperandKind::Float(value) => value == number,
        _ => false,
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
        && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// The name under `&`, `*` and parentheses.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| matches!(c, '&' | '*' | '(' | ')') || c.is_whitespace())
}

/// The text without parentheses and casts around a literal.
fn unwrapped(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(rest) = text.strip_prefix('(') {
        let Some((inside, after)) = rest.split_once(')') else { return text };
        text = match after.trim() {
            "" => inside.trim(),
            after => after,
        };
    }
    text
}

/// The value of an integer or character literal, with its sign.
fn literal(text: &str) -> Option<i128> {
    if let Some(rest) = text.strip_prefix('-') {
        return Some(-literal(rest.trim_start())?);
    }
    if let Some(inside) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return character(inside);
    }
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        return i128::from_str_radix(hex, 16).ok();
    }
    if let Some(binary) = digits.strip_prefix("0b") {
        return i128::from_str_radix(binary, 2).ok();
    }
    match digits.len() > 1 && digits.starts_with('0') {
        true => i128::from_str_radix(digits, 8).ok(),
        false => digits.parse().ok(),
    }
}

fn character(inside: &str) -> Option<i128> {
    let Some(escape) = inside.strip_prefix('\\') else {
        let mut chars = inside.chars();
        return chars.next().filter(|c| c.is_ascii() && chars.next().is_none()).map(|c| c as i128);
    };
    if let Some(hex) = escape.strip_prefix('x') {
        return i128::from_str_radix(hex, 16).ok().map(|n| i128::from(n as u8 as i8));
    }
    if escape.starts_with(|c: char| c.is_ascii_digit()) {
        return i128::from_str_radix(escape, 8).ok().map(|n| i128::from(n as u8 as i8));
    }
    let known = [('n', 10), ('t', 9), ('r', 13), ('a', 7), ('b', 8), ('f', 12), ('v', 11), ('e', 27)];
    let code = escape.chars().next()?;
    Some(known.iter().find(|(c, _)| *c == code).map_or(code as i128, |(_, n)| *n))
}

/// An enum constant, `sizeof`, or an expression with operators.
fn is_constant_expression(text: &str) -> bool {
    is_name(text)
        || text.contains("sizeof")
        || text.contains("_Alignof")
        || text.contains(['+', '-', '*', '/', '%', '<', '>', '&', '|', '^', '~', '!', '=', '?', '(', '.'])
        || text.starts_with('\'')
}

fn is_balanced(bytes: &[u8]) -> bool {
    let (mut open, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match bytes[at] {
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            close @ (b')' | b']' | b'}') if open.pop() != Some(close) => return false,
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                if at >= bytes.len() {
                    return false;
                }
            }
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => {
                at = skip_space(bytes, at);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    open.is_empty()
}
