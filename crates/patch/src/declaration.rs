//! Whether a statement declares a name, told from its first tokens: `list *p = q` does, `f(p)` does not.

const TYPE_WORDS: &[&[u8]] = &[
    b"int",
    b"char",
    b"short",
    b"long",
    b"float",
    b"double",
    b"void",
    b"signed",
    b"unsigned",
    b"_Bool",
    b"bool",
    b"struct",
    b"union",
    b"enum",
    b"const",
    b"volatile",
    b"static",
    b"register",
    b"extern",
    b"auto",
    b"typedef",
    b"inline",
    b"_Static_assert",
    b"static_assert",
    b"_Alignas",
    b"_Atomic",
    b"_Thread_local",
    b"typeof",
    b"__typeof__",
    b"__extension__",
    b"__attribute__",
];

const STATEMENT_WORDS: &[&[u8]] = &[
    b"if",
    b"else",
    b"while",
    b"for",
    b"do",
    b"switch",
    b"case",
    b"default",
    b"return",
    b"break",
    b"continue",
    b"goto",
    b"sizeof",
    b"asm",
    b"__asm__",
];

/// Whether the tokens are those of a declaration.
pub(crate) fn is_declaration(tokens: &[&[u8]]) -> bool {
    match tokens {
        [first, ..] if TYPE_WORDS.contains(first) => true,
        [first, rest @ ..] if is_name(first) => {
            let name = rest.iter().position(|token| !matches!(*token, b"*" | b"const" | b"volatile" | b"restrict"));
            let Some(at) = name else { return false };
            let ends = |token: &&[u8]| matches!(*token, b"=" | b";" | b"," | b"[");
            is_name(rest[at]) && (at == 0 || rest.get(at + 1).is_none_or(ends))
        }
        _ => false,
    }
}

/// Whether the tokens begin with a label: `out:`, `case 1:` or `default:`.
pub(crate) fn is_label(tokens: &[&[u8]]) -> bool {
    match tokens {
        [b"case" | b"default", ..] => true,
        [name, b":", ..] => is_name(name),
        _ => false,
    }
}

fn is_name(token: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80;
    token.first().is_some_and(is_letter) && !STATEMENT_WORDS.contains(&token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens;

    fn declares(text: &str) -> bool {
        is_declaration(&tokens(text).iter().map(|token| token.as_bytes()).collect::<Vec<_>>())
    }

    #[test]
    fn declarations_are_told_from_expressions() {
        for text in ["int x;", "struct node *n = 0;", "size_t n = 3;", "list *p, **q;", "list *p", "T a[3];"] {
            assert!(declares(text), "{text}");
        }
        for text in ["x = 1;", "f(x);", "*p = 1;", "return x;", "goto out;", "p->x++;", "if (x) y;", "a * b + c;", ""] {
            assert!(!declares(text), "{text}");
        }
    }
}
