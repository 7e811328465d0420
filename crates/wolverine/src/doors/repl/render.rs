//! What a command came to, as text.

use std::io::{IsTerminal, Write};

use c_syntax::{Source, Span};
use ir::{Program, StepId};
use session::{Outcome, Position, Status};

use crate::doors::command_line::report;

/// How text should look.
pub(super) struct Look {
    /// Whether it has colours.
    pub color: bool,
    /// How many columns there are.
    pub width: usize,
}

const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "1;31";
const GREEN: &str = "1;32";

/// Pictures that nobody asked for are cut after this many lines.
const LONGEST_PICTURE: usize = 60;

impl Look {
    /// Colours only where a person sees them and has not said no.
    pub(super) fn of_output() -> Look {
        let out = std::io::stdout();
        if !out.is_terminal() {
            return Look { color: false, width: 100 };
        }
        let columns = terminal_size::terminal_size_of(&out).map(|(width, _)| usize::from(width.0));
        let color = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Look { color, width: columns.unwrap_or(100) }
    }

    fn paint(&self, style: &str, text: &str) -> String {
        match self.color && !text.is_empty() {
            true => format!("\x1b[{style}m{text}\x1b[0m"),
            false => text.to_string(),
        }
    }
}

/// Prints at once.
pub(super) fn put(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// What the program wrote, what there is to say, and what went wrong.
pub(super) fn told(outcome: &Outcome, look: &Look) -> String {
    let mut text = quoted(&outcome.output, "      > ", look) + &quoted(&outcome.errors, "     2> ", look);
    for message in &outcome.messages {
        text.push_str(&format!("{message}\n"));
    }
    if let Some(error) = &outcome.error {
        text.push_str(&format!("{} {error}\n", look.paint(RED, "error:")));
    }
    text
}

fn quoted(bytes: &[u8], mark: &str, look: &Look) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.lines().map(|line| format!("{}{}\n", look.paint(DIM, mark), printable(line))).collect()
}

/// A program may write anything; what moves the cursor is shown as its name.
fn printable(line: &str) -> String {
    let shown = |c: char| if c.is_control() && c != '\t' { c.escape_default().to_string() } else { c.to_string() };
    line.chars().map(shown).collect()
}

/// Where the program stands after a command that others follow: one line.
pub(super) fn brief(program: &Program, position: &Position) -> String {
    match (&position.status, position.line) {
        (Status::Crashed(fault), _) => format!("{}\n", report::fault(program, fault)),
        (Status::Ended(status), _) => format!("the program ended with status {status}\n"),
        (_, Some(line)) => match &position.live {
            Some(live) => format!("{line:>4}  {}  (patched: {live})\n", position.text),
            None => format!("{line:>4}  {}\n", position.text),
        },
        (_, None) => "in a function that is not part of this file\n".into(),
    }
}

/// Where the program stands. `before` is the function that was shown last.
pub(super) fn position(program: &Program, position: &Position, before: Option<&str>, look: &Look) -> String {
    let function = position.function.as_deref();
    let heading = match function {
        Some(name) if function != before => format!("in {}\n", look.paint(BOLD, &format!("{name}()"))),
        _ => String::new(),
    };
    let live = position.live.as_deref();
    let place = || position.step.map_or_else(String::new, |step| place(program, step, live, look));
    let body = match &position.status {
        Status::Stopped => place(),
        Status::Interrupted => format!("{}{}", interrupted(position), place()),
        Status::Crashed(_) => {
            let fault = look.paint(RED, brief(program, position).trim_end());
            format!("{fault}\nthe program crashed here; `back` goes back\n")
        }
        Status::Ended(_) => brief(program, position),
    };
    heading + &body
}

fn interrupted(position: &Position) -> &'static str {
    match position.step {
        Some(_) => "it is in the middle of this statement\n",
        None => "it is outside of this file\n",
    }
}

/// The lines around a statement, and carets below it.
fn place(program: &Program, step: StepId, live: Option<&str>, look: &Look) -> String {
    let (step, source) = (program.step(step), &program.source);
    if step.line == 0 {
        return String::new();
    }
    let width = source.line_count().to_string().len();
    let last = (step.line + 1).min(source.line_count());
    let mut text = String::new();
    for line in step.line.saturating_sub(2).max(1)..=last {
        let code = source.line_text(line).replace('\t', TAB);
        if line == step.line {
            text.push_str(&format!("{} {line:>width$}  {}\n", look.paint(GREEN, "=>"), code.trim_end()));
            let (before, carets) = carets(source, step.span);
            text.push_str(&format!("{}{}\n", " ".repeat(width + 5 + before), look.paint(GREEN, &"^".repeat(carets))));
            if let Some(live) = live {
                let indent = " ".repeat(width + 5 + before);
                text.push_str(&format!("{indent}{}\n", look.paint(GREEN, &format!("patched: {live}"))));
            }
        } else {
            let context = format!("   {line:>width$}  {code}");
            text.push_str(&format!("{}\n", look.paint(DIM, context.trim_end())));
        }
    }
    text
}

const TAB: &str = "    ";

/// How many columns stand before a span in its line, and how many of the line it covers.
fn carets(source: &Source, span: Span) -> (usize, usize) {
    let (_, column) = source.line_column(span.start);
    let columns = |text: &str| text.replace('\t', TAB).chars().count();
    let before = source.text(Span { start: span.start - (column - 1), end: span.start });
    let text = source.text(span);
    let first = text.lines().next().unwrap_or("").trim_end();
    (columns(&before), columns(first).max(1))
}

/// A picture, cut if it is long and nobody asked for it.
pub(super) fn picture(drawn: &str, asked: bool) -> String {
    let lines: Vec<&str> = drawn.trim_end().lines().collect();
    match lines.len() {
        0 if asked => "there is nothing to draw: no variables and no heap\n".into(),
        0 => String::new(),
        count if count > LONGEST_PICTURE && !asked => {
            let shown = lines[..LONGEST_PICTURE].join("\n");
            format!("{shown}\n… {} more lines; `show` draws all of it\n", count - LONGEST_PICTURE)
        }
        _ => format!("{}\n", lines.join("\n")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Look = Look { color: false, width: 100 };

    fn shown(output: &[u8], errors: &[u8]) -> String {
        let outcome = Outcome { output: output.into(), errors: errors.into(), ..Outcome::default() };
        told(&outcome, &PLAIN)
    }

    #[test]
    fn output_is_marked_line_by_line() {
        assert_eq!(shown(b"a\n\nb", b"c\n"), "      > a\n      > \n      > b\n     2> c\n");
        assert_eq!(shown(b"\x1b[2J\xff", b""), "      > \\u{1b}[2J\u{fffd}\n");
    }

    #[test]
    fn errors_are_red_where_there_are_colours() {
        let outcome = Outcome { error: Some("no".into()), ..Outcome::default() };
        assert_eq!(told(&outcome, &PLAIN), "error: no\n");
        assert_eq!(told(&outcome, &Look { color: true, width: 100 }), "\x1b[1;31merror:\x1b[0m no\n");
    }

    #[test]
    fn carets_stand_under_characters() {
        let source = Source::new("a.c", "\t/* ä */ x =\n\t\t1;".as_bytes().to_vec());
        assert_eq!(carets(&source, Span::new(10, 17)), (12, 3));
        assert_eq!(carets(&source, Span::new(10, 10)), (12, 1));
    }

    #[test]
    fn only_automatic_pictures_are_cut() {
        let long = "x\n".repeat(100);
        assert!(picture(&long, false).ends_with("x\n… 40 more lines; `show` draws all of it\n"));
        assert_eq!(picture(&long, true), long);
        assert_eq!(picture("\n", false), "");
    }
}
