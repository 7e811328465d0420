//! Reads clang's type names: `struct node *[10]`, `int (*)(const void *)`.
//!
//! clang's JSON has types only as text. Names are looked up in the scopes of
//! the place where the type stands.

use std::collections::HashMap;

use c_types::{RecordId, Signature, Type, TypeId, Types};

/// Names of types in scope.
#[derive(Clone, Default)]
pub(crate) struct Scopes {
    /// Typedefs and tags, innermost scope last. Tags are keyed `struct x`, unnamed records by their place.
    scopes: Vec<HashMap<String, TypeId>>,
}

impl Scopes {
    pub fn new() -> Self {
        Scopes { scopes: vec![HashMap::new()] }
    }

    pub fn enter(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    pub fn define(&mut self, name: &str, ty: TypeId) {
        self.scopes.last_mut().expect("the file scope stays").insert(name.to_string(), ty);
    }

    pub fn find(&self, name: &str) -> Option<TypeId> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// Defines a name for the whole file, for things that C declares on first mention.
    pub fn define_global(&mut self, name: &str, ty: TypeId) {
        self.scopes[0].insert(name.to_string(), ty);
    }
}

/// Where the lengths of variable length arrays go: their text, outermost first.
pub(crate) type Lengths = Vec<String>;

/// The type called `text`, unless the text is beyond us.
pub(crate) fn parse_type(types: &mut Types, scopes: &mut Scopes, text: &str, lengths: &mut Lengths) -> Option<TypeId> {
    Parser { types, scopes, tokens: tokens(text), at: 0, lengths }.type_name()
}

/// The key of an unnamed record: clang names it by its place.
pub(crate) fn unnamed_key(line: usize, column: usize) -> String {
    format!("unnamed {line}:{column}")
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let text = without_scopes(text);
    let mut rest = &text[..];
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' if is_unnamed(rest) => rest.find(')').map_or(rest.len(), |i| i + 1),
            '[' => rest.find(']').map_or(rest.len(), |_| bracket_end(rest)),
            c if c.is_alphanumeric() || c == '_' || c == '$' => {
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len())
            }
            '.' if rest.starts_with("...") => 3,
            c => c.len_utf8(),
        };
        if !first.is_whitespace() {
            tokens.push(rest[..length].to_string());
        }
        rest = &rest[length..];
    }
    tokens
}

/// A record inside of another is called `outer::(unnamed at …)`, or
/// `outer::(anonymous union)::(anonymous at …)`: only its own name counts.
fn without_scopes(text: &str) -> String {
    let mut text = text.to_string();
    while let Some(end) = text.find("::") {
        let before = &text[..end];
        let start = match before.strip_suffix(')') {
            Some(group) => group.rfind('('),
            None => before.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map(|i| i + 1),
        };
        text.replace_range(start.unwrap_or(0)..end + 2, "");
    }
    text
}

fn is_unnamed(text: &str) -> bool {
    text.starts_with("(unnamed") || text.starts_with("(anonymous")
}

/// The end of a bracket whose inside may have brackets of its own.
fn bracket_end(text: &str) -> usize {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        depth += match c {
            '[' => 1,
            ']' => -1,
            _ => 0,
        };
        if depth == 0 {
            return i + 1;
        }
    }
    text.len()
}

struct Parser<'a> {
    types: &'a mut Types,
    scopes: &'a mut Scopes,
    tokens: Vec<String>,
    at: usize,
    lengths: &'a mut Lengths,
}

/// One layer of a declarator, applied from the inside out.
enum Layer {
    Pointer,
    Array(Option<u64>),
    Function(Vec<TypeId>, bool, bool),
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn type_name(&mut self) -> Option<TypeId> {
        let base = self.specifiers()?;
        let layers = self.declarator()?;
        Some(self.apply(base, layers))
    }

    fn apply(&mut self, mut ty: TypeId, layers: Vec<Layer>) -> TypeId {
        for layer in layers {
            ty = match layer {
                Layer::Pointer => self.types.pointer_to(ty),
                Layer::Array(length) => self.types.intern(Type::Array(ty, length)),
                Layer::Function(parameters, variadic, unprototyped) => {
                    self.types.intern(Type::Function(Signature { result: ty, parameters, variadic, unprototyped }))
                }
            };
        }
        ty
    }

    fn specifiers(&mut self) -> Option<TypeId> {
        let (mut signed, mut long, mut short, mut base) = (None, 0, false, None);
        loop {
            match self.peek() {
                "const" | "volatile" | "restrict" | "__restrict" | "_Nonnull" | "_Nullable" | "register" => {}
                "__attribute__" => {
                    self.at += 1;
                    self.skip_parentheses();
                    continue;
                }
                "_Atomic" if self.tokens.get(self.at + 1).is_some_and(|next| next == "(") => {
                    self.at += 2;
                    let ty = self.type_name()?;
                    self.eat(")");
                    self.skip_qualifiers();
                    return Some(ty);
                }
                "_Complex" | "_Imaginary" => return None,
                "_Atomic" | "typename" => {}
                "signed" => signed = Some(true),
                "unsigned" => signed = Some(false),
                "long" => long += 1,
                "short" => short = true,
                word @ ("int" | "char" | "float" | "double" | "void" | "_Bool" | "__int128" | "bool") => {
                    base = Some(word.to_string());
                }
                "struct" | "union" | "enum" => {
                    let keyword = self.tokens[self.at].clone();
                    self.at += 1;
                    let name = self.peek().to_string();
                    self.at += 1;
                    let ty = self.tagged(&keyword, &name);
                    self.skip_qualifiers();
                    return Some(ty);
                }
                word if base.is_none() && signed.is_none() && long == 0 && !short => {
                    let ty = self.scopes.find(word)?;
                    self.at += 1;
                    self.skip_qualifiers();
                    return Some(ty);
                }
                _ => break,
            }
            self.at += 1;
        }
        Some(self.arithmetic(base.as_deref(), signed, long, short))
    }

    fn skip_qualifiers(&mut self) {
        while matches!(self.peek(), "const" | "volatile" | "restrict" | "__restrict" | "_Nonnull" | "_Nullable") {
            self.at += 1;
        }
    }

    fn skip_parentheses(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            match self.peek() {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    fn arithmetic(&mut self, base: Option<&str>, signed: Option<bool>, long: u32, short: bool) -> TypeId {
        match base {
            Some("void") => self.types.void(),
            Some("_Bool" | "bool") => self.types.intern(Type::Bool),
            Some("char") => self.types.int(1, signed.unwrap_or(true)),
            Some("float") => self.types.intern(Type::Float { bytes: 4 }),
            Some("double") => self.types.intern(Type::Float { bytes: if long > 0 { 16 } else { 8 } }),
            Some("__int128") => self.types.int(16, signed.unwrap_or(true)),
            _ if short => self.types.int(2, signed.unwrap_or(true)),
            _ if long > 0 => self.types.int(8, signed.unwrap_or(true)),
            _ => self.types.int(4, signed.unwrap_or(true)),
        }
    }

    /// `struct node`; a record that was never declared is incomplete from here on.
    fn tagged(&mut self, keyword: &str, name: &str) -> TypeId {
        let key = match is_unnamed(name) {
            true => unnamed_place(name),
            false => format!("{keyword} {name}"),
        };
        if let Some(ty) = self.scopes.find(&key) {
            return ty;
        }
        let ty = match keyword {
            "enum" => self.types.int(4, false),
            _ => {
                let record: RecordId = self.types.declare_record(name, keyword == "union");
                self.types.record_type(record)
            }
        };
        self.scopes.define_global(&key, ty);
        ty
    }

    /// The layers of an abstract declarator, innermost last, ready to be applied in order to the base.
    fn declarator(&mut self) -> Option<Vec<Layer>> {
        let mut layers = Vec::new();
        while self.eat("*") || self.eat("^") {
            self.skip_qualifiers();
            layers.push(Layer::Pointer);
        }
        let inner = match self.peek() == "(" && self.is_nested_declarator() {
            true => {
                self.at += 1;
                let inner = self.declarator()?;
                self.eat(")");
                inner
            }
            false => Vec::new(),
        };
        let mut suffixes = Vec::new();
        while let Some(suffix) = self.suffix()? {
            suffixes.push(suffix);
        }
        // `int[2][3]` is an array of 2 arrays of 3: the last suffix is applied first.
        layers.extend(suffixes.into_iter().rev());
        layers.extend(inner);
        Some(layers)
    }

    fn is_nested_declarator(&self) -> bool {
        let next = self.tokens.get(self.at + 1).map_or("", String::as_str);
        next == "*" || next == "^" || next == "(" || next.starts_with('[')
    }

    fn suffix(&mut self) -> Option<Option<Layer>> {
        let token = self.peek().to_string();
        if let Some(inside) = token.strip_prefix('[') {
            self.at += 1;
            let inside = inside.trim_end_matches(']').trim();
            return Some(Some(Layer::Array(self.length(inside))));
        }
        if token != "(" {
            return Some(None);
        }
        self.at += 1;
        let (mut parameters, mut variadic) = (Vec::new(), false);
        let unprototyped = self.peek() == ")";
        while !self.eat(")") {
            if self.eat("...") {
                variadic = true;
            } else {
                parameters.push(self.type_name()?);
            }
            if !self.eat(",") && self.peek() != ")" {
                return None;
            }
        }
        if let [only] = parameters[..]
            && *self.types.get(only) == Type::Void
        {
            parameters.clear();
        }
        Some(Some(Layer::Function(parameters, variadic, unprototyped)))
    }

    fn length(&mut self, inside: &str) -> Option<u64> {
        let inside = inside.trim_start_matches("static").trim();
        match inside.parse() {
            Ok(length) => Some(length),
            Err(_) if inside.is_empty() => Some(0),
            Err(_) => {
                self.lengths.push(inside.to_string());
                None
            }
        }
    }
}

/// `(unnamed struct at a.c:5:1)` names its place.
fn unnamed_place(name: &str) -> String {
    let mut parts = name.trim_end_matches(')').rsplit(':');
    let column = parts.next().and_then(|text| text.parse().ok()).unwrap_or(0);
    let line = parts.next().and_then(|text| text.parse().ok()).unwrap_or(0);
    unnamed_key(line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) -> String {
        let (mut types, mut scopes) = (Types::new(), Scopes::new());
        let ty = parse_type(&mut types, &mut scopes, text, &mut Vec::new()).expect("a type");
        types.name(ty)
    }

    #[test]
    fn clang_names_are_read() {
        assert_eq!(round_trip("struct node *[10]"), "struct node *[10]");
        assert_eq!(round_trip("int[2][3]"), "int [2][3]");
        assert_eq!(round_trip("int (*)(const void *, const void *)"), "int (*)(void *, void *)");
        assert_eq!(round_trip("void (*(int, void (*)(int)))(int)"), "void (*(int, void (*)(int)))(int)");
        assert_eq!(round_trip("const unsigned long long *const"), "unsigned long *");
        assert_eq!(round_trip("int (*)[4]"), "int (*)[4]");
        assert_eq!(round_trip("_Atomic(unsigned int) *"), "unsigned int *");
        assert_eq!(round_trip("int (*[3])(void)"), "int (*[3])()");
    }

    #[test]
    fn scopes_of_unnamed_records_are_dropped() {
        assert_eq!(without_scopes("union value::(unnamed at a.c:8:5)"), "union (unnamed at a.c:8:5)");
        assert_eq!(
            without_scopes("struct s::(anonymous union)::(anonymous at a.c:7:9) *"),
            "struct (anonymous at a.c:7:9) *"
        );
    }

    #[test]
    fn variable_lengths_are_kept_as_text() {
        let (mut types, mut scopes, mut lengths) = (Types::new(), Scopes::new(), Vec::new());
        parse_type(&mut types, &mut scopes, "int[n + 1][m]", &mut lengths);
        assert_eq!(lengths, ["n + 1", "m"]);
    }
}
