//! Looking: `show`, `print`, `list`, `where`, `locals`, and `save`.

use std::path::Path;

use memory::Variable;

use crate::command::Location;
use crate::outcome::statement_text;
use crate::session::{Done, Session};

impl Session {
    /// Writes the picture to a file; without one the door draws it.
    pub(crate) fn show(&mut self, file: Option<&Path>) -> Done {
        self.view()?;
        let Some(file) = file else { return Ok(()) };
        let Some(picture) = self.still_picture() else { return Ok(()) };
        let bytes = match file.extension().and_then(|ending| ending.to_str()) {
            Some("svg") => picture.to_svg().into_bytes(),
            Some("dot") => picture.to_dot().into_bytes(),
            Some("png") => picture.to_png(2.0).map_err(|error| error.to_string())?,
            _ => return Err(format!("{}: the name must end in .svg, .png or .dot", file.display()).into()),
        };
        write(file, &bytes)?;
        self.say(format!("drawn to {}", file.display()));
        Ok(())
    }

    pub(crate) fn print(&mut self, text: &str) -> Done {
        let typed = self.evaluate(text)?;
        self.say(format!("({}) {}", typed.type_name, typed.value));
        Ok(())
    }

    pub(crate) fn list_locals(&mut self) -> Done {
        let view = self.view()?;
        let Some(frame) = view.state.frames.last() else { return Err("no function is active".into()) };
        let line = |variable: &Variable| format!("{} {} = {}", variable.type_name, variable.name, variable.value);
        let lines: Vec<String> = frame.variables.iter().map(line).collect();
        let text =
            if lines.is_empty() { format!("{}() has no variables here", frame.function) } else { lines.join("\n") };
        self.say(text);
        Ok(())
    }

    pub(crate) fn list_calls(&mut self) -> Done {
        let view = self.view()?;
        let calls = view.state.frames.iter().zip(view.calls.iter()).rev().enumerate();
        let line = |(number, (frame, step)): (usize, (&memory::Frame, &Option<ir::StepId>))| match step {
            Some(step) => {
                let line = self.program.step(*step).line;
                format!("#{number}  {}  line {line}: {}", frame.function, statement_text(&self.program, *step))
            }
            None => format!("#{number}  {}", frame.function),
        };
        let lines: Vec<String> = calls.map(line).collect();
        self.say(if lines.is_empty() { "no function is active".into() } else { lines.join("\n") });
        Ok(())
    }

    pub(crate) fn list(&mut self, place: Option<&Location>) -> Done {
        let here = self.view().ok().and_then(|view| view.calls.last().copied().flatten());
        let here = here.map(|step| self.program.step(step).line);
        let middle = match place {
            Some(Location::Line(line)) => *line,
            Some(function) => {
                let first = self.find_statements(function)?.first().copied();
                first.map_or(1, |step| self.program.step(step).line)
            }
            None => here.unwrap_or(1),
        };
        let count = self.line_count();
        if middle > count {
            return Err(format!("the file has only {count} lines").into());
        }
        let text = self.listing(middle.saturating_sub(5).max(1), (middle + 5).min(count), here);
        self.say(text);
        Ok(())
    }

    fn line_count(&self) -> u32 {
        String::from_utf8_lossy(&self.program.source.bytes).lines().count() as u32
    }

    /// Source lines with their numbers, the present one marked.
    pub fn listing(&self, first: u32, last: u32, here: Option<u32>) -> String {
        let text = String::from_utf8_lossy(&self.program.source.bytes);
        let width = last.to_string().len();
        let lines = text.lines().zip(1..).filter(|(_, number)| (first..=last).contains(number));
        let line = |(line, number): (&str, u32)| {
            let mark = if Some(number) == here { "=>" } else { "  " };
            format!("{mark} {number:>width$}  {}", line.replace('\t', "    ")).trim_end().to_string()
        };
        lines.map(line).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn save(&mut self, file: &Path) -> Done {
        let mut text = self.log.join("\n");
        text.push('\n');
        write(file, text.as_bytes())?;
        let count = self.log.len();
        let commands = if count == 1 { "command" } else { "commands" };
        self.say(format!("saved {count} {commands} to {}; --script runs them again", file.display()));
        Ok(())
    }
}

fn write(file: &Path, bytes: &[u8]) -> Done {
    Ok(std::fs::write(file, bytes).map_err(|error| format!("cannot write {}: {error}", file.display()))?)
}
