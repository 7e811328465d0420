//! The syntax tree of a small file, as compact text: one line per statement,
//! expressions as S-expressions with the text of leaves.

use std::fmt::Write;
use std::path::Path;

use c_syntax::*;
use expect_test::expect_file;

#[test]
fn the_tree_of_a_small_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let unit = parse(&folder.join("tree.c")).expect("a correct file");
    expect_file![folder.join("tree.ast")].assert_eq(&print(&unit));
}

fn print(unit: &Unit) -> String {
    let mut printer = Printer { unit, out: String::new() };
    for &id in &unit.globals {
        printer.variable(id, 0);
    }
    for function in unit.functions.iter().filter(|function| function.own) {
        let name = unit.types.declare(function.ty, &function.name);
        printer.line(0, function.span, &format!("function {name}"));
        function.parameters.iter().for_each(|&id| printer.variable(id, 1));
        function.body.iter().for_each(|statement| printer.stmt(statement, 1));
    }
    for &span in &unit.macro_uses {
        printer.line(0, span, &format!("macro use {}", unit.source.text(span)));
    }
    printer.out
}

struct Printer<'a> {
    unit: &'a Unit,
    out: String,
}

impl Printer<'_> {
    /// `line:column-line:column  text`
    fn line(&mut self, depth: usize, span: Span, text: &str) {
        let (from, to) = (self.unit.source.line_column(span.start), self.unit.source.line_column(span.end));
        let place = format!("{}:{}-{}:{}", from.0, from.1, to.0, to.1);
        let _ = writeln!(self.out, "{place:<12} {}{text}", "  ".repeat(depth));
    }

    fn variable(&mut self, id: VariableId, depth: usize) {
        let variable = &self.unit.variables[id.0 as usize];
        if variable.span.is_empty() {
            return;
        }
        let declared = self.unit.types.declare(variable.ty, &variable.name);
        let init = variable.init.as_ref().map_or(String::new(), |init| format!(" = {}", self.expr(init)));
        self.line(depth, variable.span, &format!("{:?} {declared}{init}", variable.storage));
    }

    fn stmt(&mut self, statement: &Stmt, depth: usize) {
        let optional = |e: &Option<Expr>| e.as_ref().map_or("-".into(), |e| self.expr(e));
        let (text, parts): (String, Vec<&Stmt>) = match &statement.kind {
            StmtKind::Block(statements) => ("block".into(), statements.iter().collect()),
            StmtKind::Declare(variables) => {
                self.line(depth, statement.span, "declare");
                return variables.iter().for_each(|&id| self.variable(id, depth + 1));
            }
            StmtKind::Expr(e) => (self.expr(e), vec![]),
            StmtKind::If(test, then, otherwise) => {
                (format!("if {}", self.expr(test)), std::iter::once(then).chain(otherwise).map(|s| &**s).collect())
            }
            StmtKind::While(test, body) => (format!("while {}", self.expr(test)), vec![body]),
            StmtKind::Do(body, test) => (format!("do until not {}", self.expr(test)), vec![body]),
            StmtKind::For(init, test, update, body) => {
                let head = format!("for {} ; {}", optional(test), optional(update));
                (head, init.iter().chain([body]).map(|s| &**s).collect())
            }
            StmtKind::Switch(value, body) => (format!("switch {}", self.expr(value)), vec![body]),
            StmtKind::Case(low, high, body) => (format!("case {low} to {high}"), vec![body]),
            StmtKind::Default(body) => ("default".into(), vec![body]),
            StmtKind::Label(_, body) => ("label".into(), vec![body]),
            StmtKind::Goto(_) => ("goto".into(), vec![]),
            StmtKind::Break => ("break".into(), vec![]),
            StmtKind::Continue => ("continue".into(), vec![]),
            StmtKind::Return(value) => (format!("return {}", optional(value)), vec![]),
            StmtKind::Empty => ("empty".into(), vec![]),
            StmtKind::Unsupported(what) => (format!("unsupported {what}"), vec![]),
            StmtKind::Optional { .. } => unreachable!("the parser makes no choices"),
        };
        self.line(depth, statement.span, &text);
        parts.into_iter().for_each(|part| self.stmt(part, depth + 1));
    }

    fn expr(&self, e: &Expr) -> String {
        use ExprKind::*;
        let list = |name: &str, parts: &[&Expr]| {
            let parts: Vec<String> = parts.iter().map(|part| self.expr(part)).collect();
            format!("({name} {})", parts.join(" "))
        };
        let text = || self.unit.source.text(e.span);
        match &e.kind {
            Int(value) if text() == value.to_string() => value.to_string(),
            Int(value) => format!("{value}`{}`", text()),
            Float(value) => format!("{value:?}"),
            Text(bytes) => format!("\"{}\"", bytes.escape_ascii()),
            Variable(id) => self.unit.variables[id.0 as usize].name.to_string(),
            Function(name) => format!("&{name}"),
            Member { base, name, .. } => list(&format!(".{}", self.unit.source.text(*name)), &[base]),
            Index(a, b) => list("index", &[a, b]),
            Unary(op, a) => list(&format!("{op:?}"), &[a]),
            Binary(op, a, b) => list(&format!("{op:?}"), &[a, b]),
            Compound(op, a, b, _) => list(&format!("{op:?}="), &[a, b]),
            Assign(a, b) => list("=", &[a, b]),
            And(a, b) => list("&&", &[a, b]),
            Or(a, b) => list("||", &[a, b]),
            Comma(a, b) => list(",", &[a, b]),
            Conditional(a, b, c) => list("?", &[a, b, c]),
            Elvis(a, b) => list("?:", &[a, b]),
            Call(callee, arguments) => {
                let parts: Vec<&Expr> = std::iter::once(&**callee).chain(arguments).collect();
                list("call", &parts)
            }
            Load(a) => list("load", &[a]),
            Decay(a) => list("decay", &[a]),
            Convert(a) => list(&format!("to {}", self.unit.types.name(e.ty)), &[a]),
            Discard(a) => list("discard", &[a]),
            InitList(entries) => list("init", &entries.iter().collect::<Vec<_>>()),
            Zero => "zero".into(),
            UnionInit(index, a) => list(&format!("init member {index}"), &[a]),
            SizeOfVariable(id) => format!("sizeof {}", self.unit.variables[id.0 as usize].name),
            CompoundLiteral(_) => "literal".into(),
            Statements(_) => "statements".into(),
            VaArg(a) => list("va_arg", &[a]),
            Unsupported(what) => format!("unsupported {what}"),
            Choice { .. } => unreachable!("the parser makes no choices"),
        }
    }
}
