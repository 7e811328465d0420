//! Braces in the user's text: whether a loop or branch has a block, and where it ends.
//!
//! After the head `while (p->next /* ) */ != NULL)` comes `{`, and its partner
//! is the last brace of the loop. Comments, strings and characters are skipped.

/// The closing brace of the block after the head `KEYWORD (…)` that begins at
/// `start`, or after `do`; `None` if there is no block.
pub fn block_after_head(text: &[u8], start: u32) -> Option<u32> {
    let at = after_head(text, start as usize)?;
    (text.get(at) == Some(&b'{')).then_some(())?;
    closing_brace(text, at as u32)
}

/// The `;` that is all there is after the head that begins at `start`.
pub fn nothing_after_head(text: &[u8], start: u32) -> Option<u32> {
    // The name of a macro is no head.
    matches!(word(text, start as usize), b"if" | b"while" | b"for" | b"do").then_some(())?;
    let at = after_head(text, start as usize)?;
    (text.get(at) == Some(&b';')).then_some(at as u32)
}

/// What an `else` without statements has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyElse {
    /// `{ }`, the closing brace is here.
    Braces(u32),
    /// `;` is here.
    Nothing(u32),
}

/// What stands after the `else` of the `if` that begins at `start`, if it has
/// one without statements.
pub fn empty_else(text: &[u8], start: u32) -> Option<EmptyElse> {
    (word(text, start as usize) == b"if").then_some(())?;
    let at = skip_blank(text, statement_end(text, after_head(text, start as usize)?)?);
    (word(text, at) == b"else").then_some(())?;
    let at = skip_blank(text, at + 4);
    match text.get(at)? {
        b';' => Some(EmptyElse::Nothing(at as u32)),
        b'{' => closing_brace(text, at as u32).map(EmptyElse::Braces),
        _ => None,
    }
}

fn word(text: &[u8], at: usize) -> &[u8] {
    let length = text[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    &text[at..at + length]
}

/// Where the statement after a head begins.
fn after_head(text: &[u8], start: usize) -> Option<usize> {
    let keyword = word(text, start);
    let at = skip_blank(text, start + keyword.len());
    if keyword == b"do" || keyword == b"else" {
        return Some(at);
    }
    (text.get(at) == Some(&b'(')).then_some(())?;
    Some(skip_blank(text, matching(text, at)? + 1))
}

/// Behind the statement that begins at `at`.
fn statement_end(text: &[u8], at: usize) -> Option<usize> {
    match (text.get(at)?, word(text, at)) {
        (b'{', _) => Some(matching(text, at)? + 1),
        (_, b"if") => {
            let end = statement_end(text, after_head(text, at)?)?;
            let next = skip_blank(text, end);
            match next < text.len() && word(text, next) == b"else" {
                true => statement_end(text, after_head(text, next)?),
                false => Some(end),
            }
        }
        (_, b"while" | b"for" | b"switch") => statement_end(text, after_head(text, at)?),
        (_, b"do") => statement_end(text, skip_blank(text, statement_end(text, after_head(text, at)?)?)),
        _ => simple_end(text, at),
    }
}

/// Behind the `;` of a statement that has no others inside.
fn simple_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = match text.get(at)? {
            b';' => return Some(at + 1),
            b'(' | b'{' | b'[' => matching(text, at)? + 1,
            _ => comment_end(text, at).or_else(|| literal_end(text, at)).unwrap_or(at + 1),
        };
    }
}

/// The brace that closes the one at `open`.
pub fn closing_brace(text: &[u8], open: u32) -> Option<u32> {
    matching(text, open as usize).map(|at| at as u32)
}

/// The `{` that comes right before `at`, with nothing but blanks and comments between.
pub fn open_brace_before(text: &[u8], at: u32) -> Option<u32> {
    let line_start = |at: usize| text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let mut at = at as usize;
    loop {
        let trimmed = text[..at].trim_ascii_end().len();
        if trimmed >= 2 && &text[trimmed - 2..trimmed] == b"*/" {
            at = text[..trimmed - 2].windows(2).rposition(|pair| pair == b"/*")?;
            continue;
        }
        let line = &text[line_start(trimmed)..trimmed];
        if let Some(comment) = line.windows(2).position(|pair| pair == b"//") {
            at = line_start(trimmed) + comment;
            continue;
        }
        return (trimmed > 0 && text[trimmed - 1] == b'{').then(|| trimmed as u32 - 1);
    }
}

fn skip_blank(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        if text[at].is_ascii_whitespace() || text[at] == b'\\' {
            at += 1;
        } else if let Some(end) = comment_end(text, at) {
            at = end;
        } else {
            break;
        }
    }
    at
}

fn comment_end(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..at + 2)? {
        b"//" => Some(text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |end| at + end)),
        b"/*" => Some(text[at + 2..].windows(2).position(|pair| pair == b"*/").map_or(text.len(), |end| at + end + 4)),
        _ => None,
    }
}

fn literal_end(text: &[u8], at: usize) -> Option<usize> {
    let quote = *text.get(at).filter(|byte| matches!(byte, b'"' | b'\''))?;
    let mut end = at + 1;
    while end < text.len() && text[end] != quote {
        end += if text[end] == b'\\' { 2 } else { 1 };
    }
    Some(end + 1)
}

/// The partner of the bracket at `open`.
fn matching(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    let mut at = open;
    while at < text.len() {
        if let Some(end) = comment_end(text, at).or_else(|| literal_end(text, at)) {
            at = end;
            continue;
        }
        match text[at] {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_behind_heads() {
        let text = b"while (f(')', \"(\" /* ) */)) { a[1] = '}'; } x";
        assert_eq!(block_after_head(text, 0).map(|at| text[at as usize + 2]), Some(b'x'));
        assert_eq!(block_after_head(b"if (x) y = 1; {}", 0), None);
        assert_eq!(block_after_head(b"do { x; } while (1);", 0), Some(8));
    }

    #[test]
    fn empty_branches_are_found() {
        assert_eq!(nothing_after_head(b"while (x) /* no */ ;", 0), Some(19));
        assert_eq!(nothing_after_head(b"if (x) y;", 0), None);
        assert_eq!(empty_else(b"if (x) { y; } else ;", 0), Some(EmptyElse::Nothing(19)));
        assert_eq!(empty_else(b"if (x) for (;;) y(\";\"); else { }", 0), Some(EmptyElse::Braces(31)));
        assert_eq!(empty_else(b"if (x) if (y) z; else ;", 0), None);
        assert_eq!(empty_else(b"if (x) y; z;", 0), None);
        assert_eq!(empty_else(b"if (x) do y; while (z); else ;", 0), Some(EmptyElse::Nothing(29)));
    }

    #[test]
    fn open_braces_are_found_before_comments() {
        let text = b"else { // yes\n  /* this */ x = 1; }";
        assert_eq!(open_brace_before(text, 27), Some(5));
        assert_eq!(open_brace_before(b"else x = 1;", 5), None);
    }
}
