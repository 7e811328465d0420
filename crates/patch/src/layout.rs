//! How the user lays out the file: line ends, one level of indentation, where
//! the braces of an `if` stand.
//!
//! A file where lines after `{` are two spaces deeper has the unit `"  "`.

/// How the user lays out the file.
pub(crate) struct Layout {
    /// `"\n"`, or `"\r\n"` if that is how most lines end.
    pub newline: &'static str,
    /// One level of indentation.
    pub unit: String,
    /// Whether `{` after `if (…)` stands on a line of its own.
    pub braces_alone: bool,
}

impl Layout {
    pub fn new(bytes: &[u8], braces_alone: bool) -> Self {
        Layout { newline: newline(bytes), unit: unit(bytes), braces_alone }
    }
}

fn newline(bytes: &[u8]) -> &'static str {
    let ends = bytes.iter().filter(|&&byte| byte == b'\n').count();
    let long_ends = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    if long_ends * 2 > ends { "\r\n" } else { "\n" }
}

/// The commonest step from a line that ends in `{` to the next one.
fn unit(bytes: &[u8]) -> String {
    const WIDEST: usize = 8;
    let (mut tabs, mut spaces) = (0, [0; WIDEST + 1]);
    let mut opened: Option<&[u8]> = None;
    for line in bytes.split(|&byte| byte == b'\n').map(|line| line.trim_ascii_end()).filter(|line| !line.is_empty()) {
        let indent = indentation(line);
        match opened.and_then(|before| indent.strip_prefix(before)) {
            Some(b"\t") => tabs += 1,
            Some(step) if step.len() <= WIDEST && step.iter().all(|&byte| byte == b' ') => spaces[step.len()] += 1,
            _ => {}
        }
        opened = line.ends_with(b"{").then_some(indent);
    }
    let widths = (1..=WIDEST).filter(|&width| spaces[width] > 0);
    match widths.max_by_key(|&width| spaces[width]) {
        Some(width) if spaces[width] >= tabs => " ".repeat(width),
        _ if tabs > 0 => "\t".to_string(),
        _ => " ".repeat(4),
    }
}

/// The blanks at the beginning of a line.
pub(crate) fn indentation(line: &[u8]) -> &[u8] {
    let length = line.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
    &line[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_guessed() {
        assert_eq!(unit(b"f {\n\tx;\n\tif {\n\t\ty;\n"), "\t");
        assert_eq!(unit(b"f {\n  x;\n  if {\n\n    y;\n"), "  ");
        assert_eq!(unit(b"f;\n"), "    ");
    }

    #[test]
    fn line_ends_are_those_of_most_lines() {
        assert_eq!(newline(b"a\r\nb\r\nc\n"), "\r\n");
        assert_eq!(newline(b"a"), "\n");
    }
}
