//! Expressions.

use std::sync::Arc;

use c_types::{Type, TypeId};

use super::Converter;
use crate::ast::*;
use crate::clang::Node;
use crate::{Span, text};

impl Converter<'_> {
    pub(super) fn expr(&mut self, node: &Node) -> Expr {
        // Parentheses and wrappers have no meaning of their own; the inside keeps its exact span.
        if matches!(
            node.kind.kind.as_str(),
            "ParenExpr"
                | "ConstantExpr"
                | "MaterializeTemporaryExpr"
                | "ExprWithCleanups"
                | "GenericSelectionExpr"
                | "ChooseExpr"
                | "UnaryOperator"
        ) && let Some(inner) = self.wrapped(node)
        {
            let inner_expr = self.expr(inner);
            let in_parentheses = inner_expr.in_parentheses || node.kind.kind == "ParenExpr";
            return Expr { in_parentheses, ..inner_expr };
        }
        let span = self.places.span(&node.kind.range);
        let Some(ty) = self.known_type(node) else {
            let name = node.kind.ty.as_ref().map_or("", |ty| &ty.qual_type);
            return Expr { span, ..unsupported(self.types.void(), &format!("the type `{name}`")) };
        };
        let kind = self.expr_kind(node, ty, span);
        Expr { kind, ty, span, token: self.token(node), in_parentheses: false }
    }

    /// The token of a constant, a name, an operator or a cast.
    fn token(&self, node: &Node) -> Option<Span> {
        let range = &node.kind.range;
        match (node.kind.kind.as_str(), &node.inner[..]) {
            ("IntegerLiteral" | "CharacterLiteral" | "DeclRefExpr" | "CStyleCastExpr", _) => {
                self.places.spelled(&range.begin)
            }
            ("UnaryOperator", _) if node.kind.is_postfix => self.places.spelled(&range.end),
            ("UnaryOperator", _) => self.places.spelled(&range.begin),
            ("BinaryOperator" | "CompoundAssignOperator", [left, right]) => {
                self.places.operator(&left.kind.range, &right.kind.range, node.kind.opcode.as_deref()?)
            }
            _ => None,
        }
    }

    fn wrapped<'n>(&self, node: &'n Node) -> Option<&'n Node> {
        match node.kind.kind.as_str() {
            "GenericSelectionExpr" => selected_association(node),
            "UnaryOperator" if !matches!(node.kind.opcode.as_deref(), Some("+" | "__extension__")) => None,
            _ => node.inner.last(),
        }
    }

    fn operand(&mut self, node: &Node, index: usize) -> Box<Expr> {
        match node.inner.get(index) {
            Some(inner) => Box::new(self.expr(inner)),
            None => Box::new(unsupported(self.types.void(), "an incomplete expression")),
        }
    }

    fn expr_kind(&mut self, node: &Node, ty: TypeId, span: Span) -> ExprKind {
        let unsupported = |what: &str| ExprKind::Unsupported(what.to_string());
        match node.kind.kind.as_str() {
            "IntegerLiteral" => ExprKind::Int(string_value(node).parse().unwrap_or(0)),
            "CharacterLiteral" => ExprKind::Int(node.kind.value.as_ref().and_then(|v| v.as_i64()).unwrap_or(0).into()),
            "FloatingLiteral" => match (text::float(&string_value(node)), self.types.size_of(ty)) {
                // clang prints only as many digits as tell one float from another.
                (value, 4) => ExprKind::Float(f64::from(value as f32)),
                (value, _) => ExprKind::Float(value),
            },
            "StringLiteral" => ExprKind::Text(text::literal(&string_value(node), self.element_size(ty)).into()),
            "PredefinedExpr" => match node.inner.first() {
                Some(inner) => self.expr(inner).kind,
                None => ExprKind::Text(self.function.as_bytes().into()),
            },
            "DeclRefExpr" => self.reference(node),
            "ImplicitCastExpr" | "CStyleCastExpr" => self.cast(node),
            "UnaryOperator" => self.unary(node),
            "BinaryOperator" => self.binary(node),
            "CompoundAssignOperator" => {
                let operator = node.kind.opcode.as_deref().unwrap_or_default();
                let compute = self.ty(node.kind.compute_lhs_type.as_ref());
                match BinaryOp::parse(operator.trim_end_matches('=')) {
                    Some(op) => ExprKind::Compound(op, self.operand(node, 0), self.operand(node, 1), compute),
                    None => unsupported("this assignment"),
                }
            }
            "ConditionalOperator" => {
                ExprKind::Conditional(self.operand(node, 0), self.operand(node, 1), self.operand(node, 2))
            }
            // clang has the condition first and last the branch; between them are copies of the condition.
            "BinaryConditionalOperator" => {
                let last = node.inner.len().saturating_sub(1);
                ExprKind::Elvis(self.operand(node, 0), self.operand(node, last))
            }
            "MemberExpr" => self.member(node),
            "ArraySubscriptExpr" => {
                let (first, second) = (self.operand(node, 0), self.operand(node, 1));
                // `2[a]` is `a[2]`.
                match self.types.is_pointer(first.ty) {
                    true => ExprKind::Index(first, second),
                    false => ExprKind::Index(second, first),
                }
            }
            "CallExpr" => {
                let arguments = node.inner.iter().skip(1).map(|argument| self.expr(argument)).collect();
                ExprKind::Call(self.operand(node, 0), arguments)
            }
            "UnaryExprOrTypeTraitExpr" => self.size_of(node),
            "InitListExpr" => self.init_list(node, ty),
            "ImplicitValueInitExpr" => ExprKind::Zero,
            "CompoundLiteralExpr" => {
                let init = Some(*self.operand(node, 0));
                let storage = if self.names.len() == 1 { Storage::Static } else { Storage::Local };
                let name = "(literal)".into();
                let variable = Variable { name, ty, span, storage, init, lengths: Vec::new() };
                ExprKind::CompoundLiteral(self.add_variable(variable))
            }
            "StmtExpr" => match node.inner.first() {
                Some(block) => ExprKind::Statements(self.block(block)),
                None => unsupported("an empty statement expression"),
            },
            "VAArgExpr" => ExprKind::VaArg(self.operand(node, 0)),
            "OffsetOfExpr" => match self.offset_of(span) {
                Some(offset) => ExprKind::Int(offset),
                None => unsupported("this offsetof"),
            },
            "OpaqueValueExpr" => match node.inner.first() {
                Some(inner) => self.expr(inner).kind,
                None => unsupported("an opaque value"),
            },
            "TypesCompatibleExpr" => ExprKind::Int(0),
            kind => unsupported(&format!("this expression ({kind})")),
        }
    }

    fn element_size(&self, ty: TypeId) -> usize {
        self.types.target(ty).map_or(1, |element| self.types.size_of(element).max(1) as usize)
    }

    fn reference(&mut self, node: &Node) -> ExprKind {
        let Some(declared) = &node.kind.referenced_decl else { return ExprKind::Unsupported("a name".into()) };
        if let Some(&value) = self.constants.get(&declared.id) {
            return ExprKind::Int(value);
        }
        self.missed |= declared.kind == "EnumConstantDecl";
        let name: Arc<str> = declared.name.as_deref().unwrap_or_default().into();
        match declared.kind.as_str() {
            "FunctionDecl" => ExprKind::Function(name),
            _ => match self.ids.get(&declared.id).or_else(|| self.names[0].get(&name)) {
                Some(&variable) => ExprKind::Variable(variable),
                None => ExprKind::Unsupported(format!("the name `{name}`")),
            },
        }
    }

    fn cast(&mut self, node: &Node) -> ExprKind {
        let operand = self.operand(node, 0);
        match node.kind.cast_kind.as_deref().unwrap_or_default() {
            "LValueToRValue" => ExprKind::Load(operand),
            "ArrayToPointerDecay" => ExprKind::Decay(operand),
            // A function is its own address, and so is what a pointer to it points to.
            "FunctionToPointerDecay" | "BuiltinFnToFnPtr" => match operand.kind {
                ExprKind::Unary(UnaryOp::Deref, pointer) => pointer.kind,
                kind => kind,
            },
            "ToVoid" => ExprKind::Discard(operand),
            "NullToPointer" => ExprKind::Int(0),
            "ToUnion" => ExprKind::Unsupported("a cast to a union".into()),
            _ => ExprKind::Convert(operand),
        }
    }

    fn unary(&mut self, node: &Node) -> ExprKind {
        let operand = self.operand(node, 0);
        let op = match (node.kind.opcode.as_deref().unwrap_or_default(), node.kind.is_postfix) {
            ("-", _) => UnaryOp::Negate,
            ("~", _) => UnaryOp::Complement,
            ("!", _) => UnaryOp::Not,
            ("*", _) => return dereference(operand),
            ("&", _) => return self.address_of(operand),
            ("++", false) => UnaryOp::PreIncrement,
            ("--", false) => UnaryOp::PreDecrement,
            ("++", true) => UnaryOp::PostIncrement,
            ("--", true) => UnaryOp::PostDecrement,
            (other, _) => return ExprKind::Unsupported(format!("the operator {other}")),
        };
        ExprKind::Unary(op, operand)
    }

    fn address_of(&mut self, operand: Box<Expr>) -> ExprKind {
        match operand.kind {
            ExprKind::Function(_) => operand.kind,
            _ => ExprKind::Unary(UnaryOp::AddressOf, operand),
        }
    }

    fn binary(&mut self, node: &Node) -> ExprKind {
        let (left, right) = (self.operand(node, 0), self.operand(node, 1));
        match node.kind.opcode.as_deref().unwrap_or_default() {
            "=" => ExprKind::Assign(left, right),
            "&&" => ExprKind::And(left, right),
            "||" => ExprKind::Or(left, right),
            "," => ExprKind::Comma(left, right),
            other => match BinaryOp::parse(other) {
                Some(op) => ExprKind::Binary(op, left, right),
                None => ExprKind::Unsupported(format!("the operator {other}")),
            },
        }
    }

    fn member(&mut self, node: &Node) -> ExprKind {
        let mut base = self.operand(node, 0);
        let Some(&(record, index)) = node.kind.referenced_member_decl.as_ref().and_then(|id| self.fields.get(id))
        else {
            self.missed = true;
            return ExprKind::Unsupported("a member of an unknown struct".into());
        };
        if node.kind.is_arrow {
            let ty = self.types.target(base.ty).unwrap_or(base.ty);
            let span = base.span;
            base = Box::new(Expr::new(dereference(base), ty, span));
        }
        let name = match node.kind.name.as_deref() {
            // The implicit step into an anonymous struct or union.
            None | Some("") => Span { start: base.span.end, end: base.span.end },
            Some(_) => self.places.token(&node.kind.range.end),
        };
        ExprKind::Member { base, record, index, name }
    }

    fn size_of(&mut self, node: &Node) -> ExprKind {
        let inner = node.inner.first().map(|inner| self.expr(inner));
        if let Some(Expr { kind: ExprKind::Variable(variable), ty, .. }) = &inner
            && matches!(self.types.get(*ty), Type::Array(_, None))
        {
            return ExprKind::SizeOfVariable(*variable);
        }
        let ty = match (&node.kind.arg_type, inner) {
            (Some(ty), _) => self.ty(Some(&ty.clone())),
            (None, Some(inner)) => inner.ty,
            (None, None) => return ExprKind::Unsupported("this sizeof".into()),
        };
        let is_size = node.kind.name.as_deref() == Some("sizeof");
        let value = if is_size { self.types.size_of(ty).max(1) } else { self.types.align_of(ty) };
        // The size of an empty struct is 0 in GNU C, that of void and functions 1.
        let empty_record = self.types.as_record(ty).is_some_and(|record| record.size == 0);
        ExprKind::Int(if is_size && empty_record { 0 } else { value.into() })
    }

    fn init_list(&mut self, node: &Node, ty: TypeId) -> ExprKind {
        if let Type::Record(record) = *self.types.get(ty)
            && self.types.record(record).is_union
        {
            let field = node.kind.field.as_ref().map(|field| self.fields.get(&field.id).copied());
            self.missed |= field == Some(None);
            let index = field.flatten().map_or(0, |(_, index)| index);
            return match node.inner.first() {
                Some(value) => ExprKind::UnionInit(index, Box::new(self.expr(value))),
                None => ExprKind::Zero,
            };
        }
        // With a filler, clang puts the filler first and the entries after it, in one list.
        let entries = match &node.kind.array_filler {
            Some(entries) => &entries[1.min(entries.len())..],
            None => &node.inner[..],
        };
        ExprKind::InitList(entries.iter().map(|entry| self.expr(entry)).collect())
    }

    /// clang's JSON has no operands for `offsetof(type, member.path[3])`: read its text.
    fn offset_of(&mut self, span: Span) -> Option<i128> {
        let text = self.places.text(span);
        let inside = text.split_once('(')?.1.rsplit_once(')')?.0;
        let (type_text, path) = inside.rsplit_once(',')?;
        let mut ty =
            crate::type_name::parse_type(&mut self.types, &mut self.scopes, type_text.trim(), &mut Vec::new())?;
        let mut offset = 0;
        for part in path.trim().split(['.', '[']) {
            if let Some(index) = part.trim().strip_suffix(']') {
                let element = self.types.target(ty)?;
                offset += self.types.size_of(element) as i128 * index.trim().parse::<i128>().ok()?;
                ty = element;
            } else {
                let record = self.types.as_record(ty)?;
                let field = &record.fields[record.field_named(part.trim())?];
                (offset, ty) = (offset + field.offset as i128, field.ty);
            }
        }
        Some(offset)
    }
}

/// `*&x` is `x`.
fn dereference(operand: Box<Expr>) -> ExprKind {
    match operand.kind {
        ExprKind::Unary(UnaryOp::AddressOf, place) => place.kind,
        ExprKind::Function(_) => operand.kind,
        _ => ExprKind::Unary(UnaryOp::Deref, operand),
    }
}

fn unsupported(ty: TypeId, what: &str) -> Expr {
    Expr::new(ExprKind::Unsupported(what.into()), ty, Span::default())
}

fn string_value(node: &Node) -> String {
    match &node.kind.value {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

/// The chosen branch of `_Generic`.
fn selected_association(node: &Node) -> Option<&Node> {
    node.inner.iter().find(|inner| inner.kind.selected).and_then(|chosen| chosen.inner.last()).or(node.inner.last())
}
