//! Names of types in casts and `sizeof`, and as [`memory`] writes them.

use c_types::Type;

use super::Parser;
use crate::ExpressionError;
use crate::token::Kind;
use crate::tree::{Base, Layer, TypeText};

/// A whole text as the name of a type: `struct node *[10]`.
pub(crate) fn parse_type(text: &str) -> Option<TypeText> {
    let mut parser = Parser::new(text);
    let ty = parser.type_name().ok()?;
    (*parser.peek() == Kind::End).then_some(ty)
}

impl Parser<'_> {
    /// Whether the parenthesis here begins a cast. Of names that are not C's own
    /// only the program knows whether they are types: `(T)x` and `(T *)…` can be
    /// nothing else, `(x) - 1` is taken as a difference until it is known.
    pub(super) fn is_cast(&self) -> bool {
        if self.is_type_at(1) {
            return true;
        }
        let is_name = matches!(self.after(1), Kind::Name(_)) && *self.after(2) == Kind::Symbol(")");
        let begins_operand = matches!(
            self.after(3),
            Kind::Name(_) | Kind::Int(..) | Kind::Float(..) | Kind::Text(_) | Kind::Symbol("!" | "~" | "(")
        );
        is_name && begins_operand && !self.is_place
    }

    /// Whether the token after `count` others begins a type.
    pub(super) fn is_type_at(&self, count: usize) -> bool {
        let Kind::Name(name) = *self.after(count) else { return false };
        if is_keyword(name) || library_type(name).is_some() || self.types.contains(&name) {
            return true;
        }
        let mut next = count + 1;
        while *self.after(next) == Kind::Symbol("*") {
            next += 1;
        }
        next > count + 1 && *self.after(next) == Kind::Symbol(")")
    }

    /// type = specifiers declarator
    pub(super) fn type_name(&mut self) -> Result<TypeText, ExpressionError> {
        let start = self.span();
        let base = self.base()?;
        let layers = self.declarator()?;
        let end = self.tokens[self.at.saturating_sub(1)].span;
        Ok(TypeText { base, layers, span: start.to(end) })
    }

    fn base(&mut self) -> Result<Base, ExpressionError> {
        self.skip_qualifiers();
        let base = match *self.peek() {
            Kind::Name(keyword @ ("struct" | "union" | "enum")) => self.tagged(keyword)?,
            Kind::Name(name) if !is_keyword(name) => {
                self.at += 1;
                Base::Named(name.into())
            }
            Kind::Name(_) => Base::Plain(self.arithmetic()),
            _ => return Err(self.unexpected("the name of a type is missing")),
        };
        self.skip_qualifiers();
        Ok(base)
    }

    fn tagged(&mut self, keyword: &str) -> Result<Base, ExpressionError> {
        self.at += 1;
        // Records without a tag are called `struct (unnamed)`.
        let unnamed = [Kind::Symbol("("), Kind::Name("unnamed"), Kind::Symbol(")")];
        let name = match *self.peek() {
            Kind::Name(name) => name.to_string(),
            _ if (0..3).all(|i| *self.after(i) == unnamed[i]) => {
                self.at += 2;
                "(unnamed)".to_string()
            }
            _ => return Err(self.unexpected(&format!("the name of a {keyword} is missing"))),
        };
        self.at += 1;
        Ok(match keyword {
            "enum" => Base::Named(format!("enum {name}")),
            _ => Base::Tagged { is_union: keyword == "union", name },
        })
    }

    fn skip_qualifiers(&mut self) {
        while matches!(self.peek(), Kind::Name("const" | "volatile" | "restrict")) {
            self.at += 1;
        }
    }

    /// `unsigned long int` and the like: the words may come in any order.
    fn arithmetic(&mut self) -> Type {
        let mut words = Vec::new();
        while let Kind::Name(word) = *self.peek()
            && is_keyword(word)
        {
            words.push(word);
            self.at += 1;
        }
        let has = |word| words.contains(&word);
        let signed = !has("unsigned");
        let int = |bytes| Type::Int { bytes, signed };
        match () {
            _ if has("void") => Type::Void,
            _ if has("_Bool") => Type::Bool,
            _ if has("char") => Type::Char { signed },
            _ if has("float") => Type::Float { bytes: 4 },
            _ if has("double") => Type::Float { bytes: if has("long") { 16 } else { 8 } },
            _ if has("__int128") => int(16),
            _ if has("short") => int(2),
            _ if has("long") => int(8),
            _ => int(4),
        }
    }

    /// declarator = "*"* ["(" declarator ")"] ("[" number "]")*
    fn declarator(&mut self) -> Result<Vec<Layer>, ExpressionError> {
        let mut layers = Vec::new();
        while self.eat("*") {
            self.skip_qualifiers();
            layers.push(Layer::Pointer);
        }
        let is_nested = *self.peek() == Kind::Symbol("(") && *self.after(1) == Kind::Symbol("*");
        let inner = match is_nested && self.depth < super::DEEPEST {
            true => {
                self.at += 1;
                self.depth += 1;
                let inner = self.declarator()?;
                self.depth -= 1;
                self.expect(")")?;
                inner
            }
            false => Vec::new(),
        };
        let mut lengths = Vec::new();
        while self.eat("[") {
            let Kind::Int(length, _) = *self.peek() else {
                return Err(self.unexpected("the length of an array is missing"));
            };
            self.at += 1;
            self.expect("]")?;
            lengths.push(Layer::Array(u64::try_from(length).unwrap_or(0)));
        }
        // `int[2][3]` is an array of 2 arrays of 3: the last length is applied first.
        layers.extend(lengths.into_iter().rev());
        layers.extend(inner);
        Ok(layers)
    }
}

fn is_keyword(name: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "void", "_Bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "__int128", "struct",
        "union", "enum", "const", "volatile", "restrict",
    ];
    KEYWORDS.contains(&name)
}

/// The types of the C library that everybody uses.
pub(crate) fn library_type(name: &str) -> Option<Type> {
    let int = |bytes, signed| Some(Type::Int { bytes, signed });
    match name {
        "bool" => Some(Type::Bool),
        "int8_t" | "uint8_t" => Some(Type::Char { signed: name == "int8_t" }),
        "int16_t" | "uint16_t" => int(2, name == "int16_t"),
        "int32_t" | "uint32_t" => int(4, name == "int32_t"),
        "int64_t" | "ssize_t" | "ptrdiff_t" | "intptr_t" | "intmax_t" => int(8, true),
        "uint64_t" | "size_t" | "uintptr_t" | "uintmax_t" => int(8, false),
        _ => None,
    }
}
