//! The IR as text, with line numbers and guards, in the style of W, Figure 4:
//!
//! ```text
//!    5  ⟨true⟩      loop
//!    5  ⟨true⟩        t1 := current != null
//!    6  ⟨t1⟩          temp := current.prev
//!    5              again
//! ```
//!
//! The guard of a statement is the conjunction of the tests around it; inside
//! of a loop it starts anew, as the loop itself has the guards around it.

use std::fmt::Write;

use c_syntax::Span;

use crate::program::*;

/// Prints all functions, and the globals before them.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    for global in program.globals.iter().filter(|global| !global.external && global.owner.is_none()) {
        let line = program.source.line(global.span.start);
        let _ = writeln!(out, "{line:>4}  global {}", program.types.declare(global.ty, &global.name));
    }
    for function in program.functions.iter().filter(|function| !function.span.is_empty()) {
        if !out.is_empty() {
            out.push('\n');
        }
        print_function(program, function, &mut out);
    }
    out
}

/// Prints one function.
pub fn print_function(program: &Program, function: &Function, out: &mut String) {
    let names = Namer { program, function };
    let declared = |local: &Local| program.types.declare(local.ty, &local.name);
    let parameters = function.locals[..function.parameters].iter().map(declared);
    let parameters: Vec<String> = parameters.chain(function.variadic.then(|| "...".into())).collect();
    let head = format!("{}({})", function.name, parameters.join(", "));
    let line = program.source.line(function.span.start);
    let _ = writeln!(out, "{line:>4}  function {}", program.types.declare(function.result, &head));
    let own_statics = program.globals.iter().filter(|global| {
        global.owner.is_some_and(|owner| std::ptr::eq(program.function(owner), function)) && !global.span.is_empty()
    });
    for global in own_statics {
        let line = program.source.line(global.span.start);
        let _ = writeln!(out, "{line:>4}  static {}", program.types.declare(global.ty, &global.name));
    }
    let mut printer = Printer { names, out, depth: 0, guards: Vec::new(), line, jumps: function.jumps.iter() };
    printer.code(&function.body);
    let _ = writeln!(printer.out, "{:>4}  end", program.step(function.exit).line);
}

/// Names the operands of one function.
pub struct Namer<'a> {
    /// The program.
    pub program: &'a Program,
    /// The function.
    pub function: &'a Function,
}

impl Namer<'_> {
    /// A variable by its name, a temporary by its number.
    pub fn local(&self, id: LocalId) -> String {
        let local = &self.function.locals[id.index()];
        match local.name.is_empty() {
            true => format!("t{}", id.index() - self.function.named + 1),
            false => local.name.to_string(),
        }
    }

    /// An operand as in C, with `null` for null pointers.
    pub fn operand(&self, operand: &Operand) -> String {
        match &operand.kind {
            OperandKind::Local(id) => self.local(*id),
            OperandKind::Int(0) if self.program.types.is_pointer(operand.ty) => "null".into(),
            OperandKind::Int(n) => n.to_string(),
            OperandKind::Float(x) => format!("{x:?}"),
            OperandKind::Text(id) => format!("\"{}\"", self.program.texts[id.index()].escape_ascii()),
            OperandKind::Function(function) => format!("&{}", self.function(function)),
        }
    }

    fn function(&self, function: &FunctionRef) -> String {
        match function {
            FunctionRef::Own(id) => self.program.function(*id).name.to_string(),
            FunctionRef::Library(name) => name.to_string(),
        }
    }

    /// A place: `p.next`, `a[i]`, `*p`.
    pub fn access(&self, access: &Access) -> String {
        let mut text = match &access.root {
            AccessRoot::Local(id) => self.local(*id),
            AccessRoot::Global(id) => self.program.globals[id.index()].name.to_string(),
            AccessRoot::Text(id) => format!("\"{}\"", self.program.texts[id.index()].escape_ascii()),
            AccessRoot::Deref(pointer) if access.path.is_empty() => return format!("*{}", self.operand(pointer)),
            AccessRoot::Deref(pointer) => self.operand(pointer),
        };
        for projection in &access.path {
            match projection {
                Projection::Field { record, index, .. } => {
                    let name = &self.program.types.record(*record).fields[*index as usize].name;
                    let _ = if name.is_empty() { Ok(()) } else { write!(text, ".{name}") };
                }
                Projection::Index { index, .. } => {
                    let _ = write!(text, "[{}]", self.operand(index));
                }
            }
        }
        text
    }

    /// The right-hand side of an assignment.
    pub fn rvalue(&self, value: &Rvalue) -> String {
        match value {
            Rvalue::Use(operand) => self.operand(operand),
            Rvalue::Unary(op, operand, _) => format!("{}{}", unary_text(*op), self.operand(operand)),
            Rvalue::Binary(op, left, right, _) => {
                format!("{} {} {}", self.operand(left), binary_text(*op), self.operand(right))
            }
            Rvalue::Convert { value, to, .. } => format!("({}) {}", self.program.types.name(*to), self.operand(value)),
            Rvalue::Offset { pointer, index, backward, .. } => {
                format!("{} {} {}", self.operand(pointer), if *backward { "-" } else { "+" }, self.operand(index))
            }
            Rvalue::Distance { left, right, .. } => format!("{} - {}", self.operand(left), self.operand(right)),
            Rvalue::Load(access) => self.access(access),
            Rvalue::AddressOf(access) => format!("&{}", self.access(access)),
        }
    }

    /// A whole action.
    pub fn action(&self, action: &ActionKind) -> String {
        match action {
            ActionKind::Assign { to, value, .. } => format!("{} := {}", self.local(*to), self.rvalue(value)),
            ActionKind::Store { to, value } => format!("{} := {}", self.access(to), self.operand(value)),
            ActionKind::Clear { to } => format!("{} := zero", self.access(to)),
            ActionKind::Call { to, callee, arguments, .. } => {
                let callee = match callee {
                    Callee::Direct(function) => self.function(function),
                    Callee::Pointer(pointer) => format!("(*{})", self.operand(pointer)),
                };
                let arguments: Vec<String> = arguments.iter().map(|a| self.operand(a)).collect();
                let result = to.map_or(String::new(), |to| format!("{} := ", self.local(to)));
                format!("{result}{callee}({})", arguments.join(", "))
            }
            ActionKind::Concrete { to, what } => {
                let result = to.map_or(String::new(), |to| format!("{} := ", self.local(to)));
                format!("{result}concrete({what})")
            }
        }
    }
}

struct Printer<'a> {
    names: Namer<'a>,
    out: &'a mut String,
    depth: usize,
    /// The tests of the branches around.
    guards: Vec<String>,
    line: u32,
    /// The places of the jumps that are still to come.
    jumps: std::slice::Iter<'a, Span>,
}

impl Printer<'_> {
    fn code(&mut self, code: &[Code]) {
        for item in code {
            self.item(item);
        }
    }

    fn item(&mut self, item: &Code) {
        match item {
            Code::Step(id) => self.line = self.names.program.step(*id).line,
            Code::Act(action) => {
                let text = self.names.action(&action.kind);
                self.guarded(&text, action.span);
            }
            Code::Declare(_) => {}
            Code::DeclareArray { local, size } => {
                let text = format!("{} := array of {} bytes", self.names.local(*local), self.names.operand(size));
                self.guarded(&text, size.span);
            }
            Code::If { test, then, otherwise, .. } => {
                let (yes, no) = self.tests(test);
                self.branch(yes, then);
                self.branch(no, otherwise);
            }
            Code::Loop(looped) => self.print_loop(looped),
            Code::Switch { value, body, .. } => {
                self.guarded(&format!("switch {}", self.names.operand(value)), value.span);
                self.nested(body);
                self.plain("end switch", value.span);
            }
            Code::Label(label) => {
                let Label { name, span } = &self.names.function.labels[label.index()];
                self.plain(&format!("{name}:"), *span);
            }
            Code::Goto(label) => self.jump(&format!("goto {}", self.names.function.labels[label.index()].name)),
            Code::Break => self.jump("break"),
            Code::Continue => self.jump("continue"),
            Code::Return(value) => {
                let value = value.as_ref().map_or(String::new(), |value| format!(" {}", self.names.operand(value)));
                self.guarded(&format!("return{value}"), Span::default());
            }
        }
    }

    /// The guards of the two branches of a test; the one that is always taken needs none.
    fn tests(&self, test: &Operand) -> (Option<String>, Option<String>) {
        match test.kind {
            OperandKind::Int(0) => (Some("false".into()), None),
            OperandKind::Int(_) => (None, Some("false".into())),
            _ => {
                let guard = self.names.operand(test);
                (Some(guard.clone()), Some(format!("not {guard}")))
            }
        }
    }

    fn branch(&mut self, guard: Option<String>, code: &[Code]) {
        let outer = self.guards.len();
        self.guards.extend(guard);
        self.code(code);
        self.guards.truncate(outer);
    }

    fn nested(&mut self, code: &[Code]) {
        self.depth += 1;
        self.code(code);
        self.depth -= 1;
    }

    fn print_loop(&mut self, looped: &Loop) {
        let start = Span { end: looped.span.start + u32::from(!looped.span.is_empty()), ..looped.span };
        self.guarded(if looped.body_first { "do" } else { "loop" }, start);
        // The guards of a loop's body are the loop's own.
        let outer = std::mem::take(&mut self.guards);
        let guard = looped.test.as_ref().and_then(|test| self.tests(test).0);
        if looped.body_first {
            self.nested(&looped.body);
            self.nested(&looped.condition);
            let place = looped.test.as_ref().map_or(start, |test| test.span);
            self.plain(&format!("again if {}", guard.as_deref().unwrap_or("true")), place);
        } else {
            self.nested(&looped.condition);
            self.guards.extend(guard);
            self.nested(&looped.body);
            self.nested(&looped.update);
            self.plain("again", start);
        }
        self.guards = outer;
    }

    fn jump(&mut self, text: &str) {
        let place = self.jumps.next().copied().unwrap_or_default();
        self.guarded(text, place);
    }

    fn guarded(&mut self, text: &str, span: Span) {
        let guard = if self.guards.is_empty() { "true".into() } else { self.guards.join(" and ") };
        self.write(&format!("⟨{guard}⟩"), text, span);
    }

    fn plain(&mut self, text: &str, span: Span) {
        self.write("", text, span);
    }

    fn write(&mut self, guard: &str, text: &str, span: Span) {
        let line = if span.is_empty() { self.line } else { self.names.program.source.line(span.start) };
        let _ = writeln!(self.out, "{line:>4}  {guard:<10}  {}{text}", "  ".repeat(self.depth));
    }
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Negate => "-",
        UnaryOp::Complement => "~",
        UnaryOp::Not => "!",
    }
}

/// The operator as text.
pub fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::BoolAnd => "band",
        BinaryOp::BoolOr => "bor",
    }
}
