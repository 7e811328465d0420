//! Formats of `printf` and `scanf`, in parts.

/// A directive of a format.
pub(super) struct Directive {
    /// Flags, width and precision.
    pub(super) how: String,
    /// The bits of its argument.
    pub(super) width: u32,
    /// `d`, `u`, `c`, `s`, `x`, …
    pub(super) letter: char,
    /// `*`: reads or takes one more.
    pub(super) star: bool,
}

/// A part of a format.
pub(super) enum Piece {
    Text(Vec<u8>),
    Directive(Directive),
}

/// The parts of a format of printf or scanf.
pub(super) fn pieces(format: &[u8], is_scan: bool) -> Vec<Piece> {
    let mut found = vec![];
    let mut text = vec![];
    let mut rest = format;
    while let Some((&first, after)) = rest.split_first() {
        if first != b'%' {
            text.push(first);
            rest = after;
            continue;
        }
        if let Some(after) = after.strip_prefix(b"%") {
            text.push(b'%');
            rest = after;
            continue;
        }
        if !text.is_empty() {
            found.push(Piece::Text(std::mem::take(&mut text)));
        }
        let flags = if is_scan { &b"0123456789"[..] } else { b"-+ #0123456789." };
        let mut how = String::new();
        let mut star = false;
        rest = after;
        while let Some((&byte, after)) = rest.split_first()
            && (flags.contains(&byte) || byte == b'*')
        {
            star |= byte == b'*';
            how.push(char::from(byte));
            rest = after;
        }
        let mut width = 32;
        for (prefix, bits) in
            [("hh", 8), ("h", 16), ("ll", 64), ("l", 64), ("I64", 64), ("j", 64), ("z", 64), ("t", 64)]
        {
            if let Some(after) = rest.strip_prefix(prefix.as_bytes()) {
                (width, rest) = (bits, after);
                break;
            }
        }
        let Some((&letter, after)) = rest.split_first() else { break };
        rest = after;
        found.push(Piece::Directive(Directive { how, width, letter: char::from(letter), star }));
    }
    if !text.is_empty() {
        found.push(Piece::Text(text));
    }
    found
}
