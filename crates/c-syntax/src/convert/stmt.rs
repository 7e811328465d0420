//! Statements.

use std::sync::Arc;

use clang_ast::Id;

use super::Converter;
use crate::ast::*;
use crate::clang::Node;

impl Converter<'_> {
    /// The statements of a block, in a scope of their own.
    pub(super) fn block(&mut self, node: &Node) -> Vec<Stmt> {
        self.enter_scope();
        let statements = node.inner.iter().map(|inner| self.stmt(inner)).collect();
        self.leave_scope();
        statements
    }

    pub(super) fn stmt(&mut self, node: &Node) -> Stmt {
        let kind = self.stmt_kind(node);
        Stmt { kind, span: self.places.expansion(&node.kind.range) }
    }

    fn boxed(&mut self, node: Option<&Node>) -> Box<Stmt> {
        match node {
            Some(node) if is_null(node) => Box::new(Stmt { kind: StmtKind::Empty, span: Default::default() }),
            Some(node) => Box::new(self.stmt(node)),
            None => Box::new(Stmt { kind: StmtKind::Empty, span: Default::default() }),
        }
    }

    fn stmt_kind(&mut self, node: &Node) -> StmtKind {
        let inner = &node.inner;
        match node.kind.kind.as_str() {
            "CompoundStmt" => StmtKind::Block(self.block(node)),
            "DeclStmt" => self.declarations(node),
            "NullStmt" => StmtKind::Empty,
            "IfStmt" => match &inner[..] {
                [condition, then, rest @ ..] => {
                    let condition = self.expr(condition);
                    let then = self.boxed(Some(then));
                    StmtKind::If(condition, then, rest.first().map(|otherwise| self.boxed(Some(otherwise))))
                }
                _ => StmtKind::Unsupported("an `if` with a declaration".into()),
            },
            "WhileStmt" => match &inner[..] {
                [condition, body] => StmtKind::While(self.expr(condition), self.boxed(Some(body))),
                _ => StmtKind::Unsupported("a `while` with a declaration".into()),
            },
            "DoStmt" => match &inner[..] {
                [body, condition] => StmtKind::Do(self.boxed(Some(body)), self.expr(condition)),
                _ => StmtKind::Unsupported("an unusual `do`".into()),
            },
            "ForStmt" => self.for_statement(node),
            "SwitchStmt" => match &inner[..] {
                [value, body] => StmtKind::Switch(self.expr(value), self.boxed(Some(body))),
                _ => StmtKind::Unsupported("a `switch` with a declaration".into()),
            },
            "CaseStmt" => self.case(node),
            "DefaultStmt" => StmtKind::Default(self.boxed(inner.first())),
            "LabelStmt" => {
                let name = label(node.kind.decl_id);
                StmtKind::Label(name, self.boxed(inner.first()))
            }
            "GotoStmt" => StmtKind::Goto(label(node.kind.target_label_decl_id)),
            "BreakStmt" => StmtKind::Break,
            "ContinueStmt" => StmtKind::Continue,
            "ReturnStmt" => StmtKind::Return(inner.first().map(|value| self.expr(value))),
            "AttributedStmt" => match inner.last() {
                Some(statement) => self.stmt_kind(statement),
                None => StmtKind::Empty,
            },
            "GCCAsmStmt" | "MSAsmStmt" => StmtKind::Unsupported("inline assembly".into()),
            "IndirectGotoStmt" => StmtKind::Unsupported("a computed `goto`".into()),
            kind if is_statement(kind) => StmtKind::Unsupported(format!("this statement ({kind})")),
            _ => StmtKind::Expr(self.expr(node)),
        }
    }

    fn declarations(&mut self, node: &Node) -> StmtKind {
        let mut variables = Vec::new();
        for inner in &node.inner {
            match inner.kind.kind.as_str() {
                "VarDecl" if inner.kind.storage_class.as_deref() == Some("extern") => self.global(inner),
                "VarDecl" => {
                    let is_static = inner.kind.storage_class.as_deref() == Some("static");
                    let storage = if is_static { Storage::Static } else { Storage::Local };
                    variables.push(self.local(inner, storage));
                }
                "RecordDecl" | "EnumDecl" | "TypedefDecl" => self.type_declaration(inner),
                _ => {}
            }
        }
        StmtKind::Declare(variables)
    }

    fn for_statement(&mut self, node: &Node) -> StmtKind {
        let [init, _variable, condition, update, body] = &node.inner[..] else {
            return StmtKind::Unsupported("an unusual `for`".into());
        };
        self.enter_scope();
        let init = (!is_null(init)).then(|| Box::new(self.stmt(init)));
        let condition = (!is_null(condition)).then(|| self.expr(condition));
        let update = (!is_null(update)).then(|| self.expr(update));
        let body = self.boxed(Some(body));
        self.leave_scope();
        StmtKind::For(init, condition, update, body)
    }

    fn case(&mut self, node: &Node) -> StmtKind {
        let (low, high, body) = match &node.inner[..] {
            [low, high, body] if node.kind.is_gnu_range => (self.constant(low), self.constant(high), Some(body)),
            [value, rest @ ..] => {
                let value = self.constant(value);
                (value, value, rest.first())
            }
            [] => return StmtKind::Empty,
        };
        StmtKind::Case(low, high, self.boxed(body))
    }
}

fn is_null(node: &Node) -> bool {
    node.kind.kind.is_empty() || node.kind.kind == "null"
}

fn label(id: Option<Id>) -> LabelName {
    id.map_or_else(|| "".into(), |id| Arc::from(format!("{id:?}")))
}

fn is_statement(kind: &str) -> bool {
    kind.ends_with("Stmt")
}
