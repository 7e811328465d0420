//! How programs end badly.

use ir::StepId;

use super::GdbExecutor;
use super::heap::Header;
use super::mi::Values;
use crate::{ExecuteError, Fault, FaultKind, Stop};

/// Addresses below this are null pointers with the offset of a member.
const NULL_PAGE: u64 = 64 << 10;
/// The kernel's mark of an address that no memory can have.
const SI_KERNEL: i64 = 128;

impl GdbExecutor {
    /// A signal that ends the program, as the user's mistake.
    pub(super) fn fault(&mut self, values: &Values) -> Result<Stop, ExecuteError> {
        // The calls are looked for as at an interruption.
        self.position = Stop::Interrupted;
        // A function that has just been entered is at no statement yet.
        let step = self.frames()?.iter().rev().find_map(|frame| frame.step);
        let span = step.map(|step| self.program.step(step).span);
        let place = span.map_or_else(|| "the program".into(), |span| quoted_start(&self.program.source.text(span)));
        let (kind, message) = self.explain(values, &place);
        Ok(Stop::Fault(Fault { kind, message, span, step }))
    }

    /// An expression of the user at `step` that has gone wrong, if that is a
    /// fault: a signal in what it calls, or what gdb itself would not do.
    pub(super) fn fault_of_text(&mut self, values: &Values, text: &str, step: StepId) -> Option<Stop> {
        let said = |name: &str| values.get(name).and_then(|value| value.text()).unwrap_or_default();
        let (place, message) = (quoted_start(text), said("message"));
        let address = message.split_once("Cannot access memory at address 0x").map(|(_, rest)| rest.trim_end());
        let (kind, message) = match (said("reason"), address) {
            ("signal", _) if said("name") != "SIGINT" => self.explain(values, &place),
            ("error", Some(address)) => self.explain_access(u64::from_str_radix(address, 16).unwrap_or(0), 0, &place),
            ("error", _) if message.starts_with("Division by zero") => {
                (FaultKind::DivisionByZero, format!("{place} divides by zero"))
            }
            _ => return None,
        };
        Some(Stop::Fault(Fault { kind, message, span: Some(self.program.step(step).span), step: Some(step) }))
    }

    fn explain(&mut self, values: &Values, place: &str) -> (FaultKind, String) {
        let text = |name: &str| values.get(name).and_then(|value| value.text()).unwrap_or_default();
        let address = text("address").parse::<u64>().unwrap_or(0);
        let code = text("code").parse::<i64>().unwrap_or(0);
        match text("name") {
            "SIGSEGV" | "SIGBUS" => self.explain_access(address, code, place),
            "SIGFPE" => (FaultKind::DivisionByZero, format!("{place} divides by zero")),
            "SIGABRT" => self.explain_abort(place),
            "SIGILL" | "SIGTRAP" => {
                (FaultKind::Signal, format!("{place} ran into an instruction that does not exist ({})", text("name")))
            }
            name => (FaultKind::Signal, format!("the program was ended by the signal {name} at {place}")),
        }
    }

    fn explain_access(&mut self, address: u64, code: i64, place: &str) -> (FaultKind, String) {
        if code == SI_KERNEL {
            return (FaultKind::Signal, format!("{place} follows a pointer that is no address"));
        }
        if address < NULL_PAGE {
            return (FaultKind::Null, format!("{place} follows a null pointer"));
        }
        if self.is_stack_overflow(address) {
            return (FaultKind::StackOverflow, format!("the stack is full at {place}: calls nest too deeply"));
        }
        (FaultKind::Signal, format!("{place} uses the address {address:#x}, where it may not"))
    }

    /// Whether an address is just past the end of a stack that cannot grow any more.
    fn is_stack_overflow(&self, address: u64) -> bool {
        const NEAR: u64 = 64 << 10;
        let mappings = self.process.mappings();
        let Some(stack) = mappings.iter().find(|mapping| mapping.range.end == self.stack_end) else { return false };
        let (start, sp) = (stack.range.start, self.registers.sp);
        address < start && address + NEAR >= sp && sp < start + NEAR
    }

    fn explain_abort(&mut self, place: &str) -> (FaultKind, String) {
        let header = Header::read(&self.process, self.heap_address).unwrap_or_default();
        match header.reason {
            1 => {
                self.heap.refresh(&self.process, self.heap_address, &self.image.steps);
                let node = self.heap.index_before(header.culprit).map_or(0, |index| index + 1);
                (FaultKind::DoubleFree, format!("{place} frees n{node}, which was freed already"))
            }
            2 => (FaultKind::InvalidFree, format!("{place} frees a pointer that is not the start of a heap block")),
            3 => {
                let text = self.process.read(header.culprit, 400);
                let text: Vec<u8> = text.into_iter().take_while(|&byte| byte != 0).collect();
                (FaultKind::Assert, format!("the assertion `{}` failed", String::from_utf8_lossy(&text)))
            }
            _ => (FaultKind::Abort, format!("the program called abort at {place}")),
        }
    }
}

/// The first line of a statement, shortened, in quotes.
fn quoted_start(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.lines().next().unwrap_or("").trim_end();
    let short: String = line.chars().take(LONGEST).collect();
    let more = if short.len() < text.trim_end().len() { "…" } else { "" };
    format!("`{short}{more}`")
}

#[cfg(test)]
mod tests {
    use super::quoted_start;

    #[test]
    fn long_statements_are_shortened() {
        assert_eq!(quoted_start("x = 1;"), "`x = 1;`");
        assert_eq!(quoted_start("f(a,\n  b);"), "`f(a,…`");
    }
}
