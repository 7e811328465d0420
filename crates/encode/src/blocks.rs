//! Braces in the user's text: whether a loop or branch has a block, and where it ends.
//!
//! After the head `while (p->next /* ) */ != NULL)` comes `{`, and its partner
//! is the last brace of the loop. Comments, strings and characters are skipped.

/// The closing brace of the block after the head `KEYWORD (…)` that begins at
/// `start`, or after `do`; `None` if there is no block.
pub fn block_after_head(text: &[u8], start: u32) -> Option<u32> {
    let mut at = start as usize;
    let word = text[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let is_do = &text[at..at + word] == b"do";
    at = skip_blank(text, at + word);
    if !is_do {
        (text.get(at) == Some(&b'(')).then_some(())?;
        at = skip_blank(text, matching(text, at)? + 1);
    }
    (text.get(at) == Some(&b'{')).then_some(())?;
    closing_brace(text, at as u32)
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
    fn open_braces_are_found_before_comments() {
        let text = b"else { // yes\n  /* this */ x = 1; }";
        assert_eq!(open_brace_before(text, 27), Some(5));
        assert_eq!(open_brace_before(b"else x = 1;", 5), None);
    }
}
