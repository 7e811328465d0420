//! Library functions.

use c_syntax::Span;
use c_types::TypeId;
use execute::interpreter::library::classes;
use ir::{LocalId, Operand};
use solver::Term;

use super::arithmetic::Kind;
use super::format::{Piece, pieces};
use super::input::Source;
use super::reading::Line;
use super::run::Engine;
use super::state::State;
use super::value::{Content, Target, Value};
use super::{TooLarge, ViolationKind};

/// A string that is longer is not modelled.
const LONGEST_STRING: usize = 256;

impl Engine<'_> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn library(
        &mut self,
        mut state: State,
        to: Option<LocalId>,
        name: &str,
        values: &[Value],
        operands: &[Operand],
        ty: TypeId,
        span: Span,
    ) -> Result<Option<State>, TooLarge> {
        let _ = ty;
        let result: Option<Value> = match (name, values) {
            ("__assert_fail", [text, ..]) => {
                let about = self.known_text(&state, text).unwrap_or_default();
                return Ok(self.fail(&state, ViolationKind::Assertion, span, about));
            }
            ("abort" | "__VERIFIER_error" | "reach_error", _) => {
                return Ok(self.fail(&state, ViolationKind::Abort, span, name.to_string()));
            }
            ("__VERIFIER_assert", [condition]) => {
                let holds = self.holds(&state, condition, span);
                self.reached.push((span, state.path));
                let bad = self.terms.not(holds);
                self.violate(&state, bad, ViolationKind::Assertion, span, self.text_of(operands, span));
                None
            }
            ("__VERIFIER_assume" | "assume" | "__CPROVER_assume" | "klee_assume", [condition]) => {
                let holds = self.holds(&state, condition, span);
                let fails = self.terms.not(holds);
                self.failed.push(self.terms.and(state.path, fails));
                if self.terms.value(holds) != Some(1) {
                    self.escapes += 1;
                }
                state.path = self.terms.and(state.path, holds);
                None
            }
            ("exit" | "_exit" | "_Exit", [status]) => {
                self.escapes += 1;
                match status {
                    Value::Int(status) => self.ends.push((state.path, *status)),
                    _ => self.not_modelled(&state, span, "the exit status is not modelled".into()),
                }
                return Ok(None);
            }
            ("malloc", [Value::Int(size)]) => {
                let object = self.new_object(&mut state, "a heap block", *size, false, true);
                Some(self.start_of(object))
            }
            ("calloc", [Value::Int(count), Value::Int(each)]) => {
                let size = self.terms.mul(*count, *each);
                let object = self.new_object(&mut state, "a heap block", size, true, true);
                Some(self.start_of(object))
            }
            ("__wolverine_room", [Value::Pointer(parts), Value::Int(room)]) => {
                self.narrow(&mut state, parts, *room);
                None
            }
            ("free", [Value::Pointer(parts)]) => {
                self.free(&mut state, parts, span);
                None
            }
            ("abs" | "labs" | "llabs", [Value::Int(a)]) => {
                let zero = self.terms.bits(0, self.terms.width(*a));
                let (negative, minus) = (self.terms.slt(*a, zero), self.terms.neg(*a));
                Some(Value::Int(self.terms.ite(negative, minus, *a)))
            }
            ("atoi" | "atol" | "atoll", [Value::Pointer(parts)]) => self.number_of(&mut state, parts, name, span),
            ("printf", [format, rest @ ..]) => self.printf(&mut state, format, rest, operands, span),
            ("fprintf", [_, format, rest @ ..]) if self.is_stdout(operands) => {
                self.printf(&mut state, format, rest, &operands[1..], span)
            }
            ("fprintf" | "perror" | "fflush" | "fputs" | "setbuf" | "setvbuf" | "srand", _)
                if !self.is_stdout(operands) =>
            {
                Some(Value::Int(self.terms.bits(0, 32)))
            }
            ("puts", [text]) => {
                self.print_string(&mut state, text, span);
                self.output.text(self.terms, state.path, b"\n");
                Some(Value::Int(self.terms.bits(1, 32)))
            }
            ("putchar" | "putchar_unlocked", [Value::Int(byte)]) => {
                let low = self.terms.extract(*byte, 7, 0);
                self.output.byte(state.path, low);
                Some(Value::Int(self.terms.zero_extend(low, 32)))
            }
            ("scanf" | "__isoc99_scanf", [format, rest @ ..]) => {
                self.scanf(&mut state, format, rest, operands, to.is_some(), span)
            }
            ("getchar" | "getchar_unlocked", []) => self.getchar(&mut state, span),
            ("gets", [place]) => self.read_line(&mut state, place, Line::Whole, span),
            ("fgets", [place, Value::Int(size), _]) if self.is_stream(operands.get(2), b"stdin") => {
                match self.terms.value(*size) {
                    Some(size) => self.read_line(&mut state, place, Line::UpTo(size as u32 as i32), span),
                    None => self.no_value(&state, span, "the size of fgets depends on the input"),
                }
            }
            ("strlen", [text]) => self.strlen(&mut state, text, span),
            ("strcmp", [a, b]) => self.strcmp(&mut state, a, b, None, span),
            ("strncmp", [a, b, Value::Int(n)]) => {
                let most = self.terms.value(*n);
                if most.is_none() { Some(Value::Opaque) } else { self.strcmp(&mut state, a, b, most, span) }
            }
            ("strcpy", [to, from]) => self.strcpy(&mut state, to, from, span),
            ("memset", [Value::Pointer(parts), Value::Int(byte), Value::Int(size)]) => {
                match (self.terms.value(*byte), self.terms.value(*size)) {
                    (Some(byte), Some(size)) => self.fill(&mut state, parts, size, byte as u8, span),
                    _ => self.not_modelled(&state, span, "the value or size of memset depends on the input".into()),
                }
                Some(values[0].clone())
            }
            ("memcpy" | "memmove", [to, from, Value::Int(size)]) => {
                match self.terms.value(*size) {
                    Some(size) => self.copy(&mut state, to, from, size, span),
                    None => self.not_modelled(&state, span, format!("the size of {name} depends on the input")),
                }
                Some(to.clone())
            }
            ("toupper" | "tolower", [Value::Int(c)]) => {
                let (first, last) = if name == "toupper" { (b'a', b'z') } else { (b'A', b'Z') };
                let hit = self.in_range(*c, first, last);
                let flip = self.terms.bits(0x20, 32);
                let other = self.terms.bit_xor(*c, flip);
                Some(Value::Int(self.terms.ite(hit, other, *c)))
            }
            (_, [Value::Int(c)]) if class_named(name).is_some() => class_named(name).map(|class| {
                let found = self.class_of(class, *c);
                Value::Int(found)
            }),
            ("__ctype_b_loc", []) => Some(self.ctype_table(&mut state)),
            _ => match name.strip_prefix("__VERIFIER_nondet_") {
                Some(_) => self.nondet(&mut state, to, span),
                None => {
                    self.not_modelled(&state, span, format!("the library function {name} is not modelled"));
                    return Ok(None);
                }
            },
        };
        if let (Some(to), Some(result)) = (to, result) {
            let kind = self.kind(self.local_type(to.index()));
            let result = match (&result, kind) {
                (Value::Int(term), Kind::Int { width, signed, .. }) => Value::Int(self.resize(*term, width, signed)),
                _ => result,
            };
            self.put_local(&mut state, to.index(), Content::Set(result));
        }
        Ok(Some(state))
    }

    /// The run goes wrong here and ends.
    fn fail(&mut self, state: &State, kind: ViolationKind, span: Span, about: String) -> Option<State> {
        let always = self.terms.constant(true);
        self.violate(state, always, kind, span, about);
        self.escapes += 1;
        None
    }

    fn holds(&mut self, state: &State, condition: &Value, span: Span) -> Term {
        match self.not_zero(condition) {
            Some(truth) => truth,
            None => {
                self.not_modelled(
                    state,
                    span,
                    "the condition is over a floating number, or another value that is not modelled".into(),
                );
                self.terms.constant(true)
            }
        }
    }

    fn text_of(&self, operands: &[Operand], span: Span) -> String {
        let span = operands.first().map_or(span, |operand| operand.span);
        let bytes = self.request.program.source.bytes.get(span.start as usize..span.end as usize);
        String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
    }

    fn start_of(&mut self, object: usize) -> Value {
        let start = self.terms.bits(0, 64);
        Value::pointer(self.terms, Target::Object(object, start))
    }

    fn free(&mut self, state: &mut State, parts: &[(Term, Target)], span: Span) {
        for (guard, target) in parts {
            match target {
                Target::Null => {}
                Target::Object(id, offset) => {
                    let Some(object) = state.objects.get(id).cloned() else { continue };
                    let zero = self.terms.bits(0, 64);
                    let inside = self.terms.ne(*offset, zero);
                    let not_heap = self.terms.constant(!object.heap);
                    let bad = self.terms.any(&[inside, not_heap, object.gone]);
                    let bad = self.terms.and(*guard, bad);
                    self.violate(state, bad, ViolationKind::Free, span, object.name.to_string());
                    let gone = self.terms.or(object.gone, *guard);
                    let object = state.objects.get_mut(id).expect("it is there");
                    std::rc::Rc::make_mut(object).gone = gone;
                }
                _ => self.violate(state, *guard, ViolationKind::Free, span, String::new()),
            }
        }
    }

    /// The number that a string is.
    fn number_of(&mut self, state: &mut State, parts: &[(Term, Target)], name: &str, span: Span) -> Option<Value> {
        let width = if name == "atoi" { 32 } else { 64 };
        let mut found: Option<Term> = None;
        for (guard, target) in parts {
            let Target::Argument(number) = target else {
                if *target == Target::Null {
                    self.violate(state, *guard, ViolationKind::Null, span, String::new());
                } else {
                    let mut here = state.clone();
                    here.path = self.terms.and(state.path, *guard);
                    self.not_modelled(&here, span, format!("{name} of a string is not modelled"));
                }
                continue;
            };
            let value = self.inputs.at(self.terms, Source::Argument, *number, width, true);
            let value = self.resize(value, width, true);
            found = Some(match found {
                Some(rest) => self.terms.ite(*guard, value, rest),
                None => value,
            });
        }
        Some(Value::Int(found.unwrap_or_else(|| self.terms.bits(0, width))))
    }

    fn nondet(&mut self, state: &mut State, to: Option<LocalId>, span: Span) -> Option<Value> {
        let to = to?;
        let (width, signed) = match self.kind(self.local_type(to.index())) {
            Kind::Int { is_bool: true, .. } => (1, false),
            Kind::Int { width, signed, .. } => (width, signed),
            _ => {
                self.not_modelled(state, span, "inputs that are no integers are not modelled".into());
                return Some(Value::Opaque);
            }
        };
        match self.inputs.next(self.terms, state, Source::Nondet, width, signed) {
            Some(value) => Some(Value::Int(value)),
            None => {
                self.not_modelled(state, span, "how many inputs are read depends on the input in too many ways".into());
                Some(Value::Int(self.terms.bits(0, 64)))
            }
        }
    }

    /// The text of a string literal.
    fn known_text(&mut self, state: &State, value: &Value) -> Option<String> {
        let bytes = self.known_bytes(state, value)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(super) fn known_bytes(&mut self, state: &State, value: &Value) -> Option<Vec<u8>> {
        let Value::Pointer(parts) = value else { return None };
        let [(_, Target::Object(id, offset))] = &**parts else { return None };
        let start = self.terms.value(*offset)?;
        let object = state.objects.get(id)?;
        let mut bytes = vec![];
        for at in start.. {
            let (_, Content::Set(Value::Int(byte))) = object.cells.get(&at)? else { return None };
            match self.terms.value(*byte)? {
                0 => break,
                byte => bytes.push(byte as u8),
            }
        }
        Some(bytes)
    }

    fn is_stdout(&self, operands: &[Operand]) -> bool {
        self.is_stream(operands.first(), b"stdout")
    }

    /// Whether an operand is written so.
    fn is_stream(&self, operand: Option<&Operand>, name: &[u8]) -> bool {
        let text = operand.map(|operand| operand.span);
        let source = &self.request.program.source.bytes;
        text.and_then(|span| source.get(span.start as usize..span.end as usize)) == Some(name)
    }

    fn printf(
        &mut self,
        state: &mut State,
        format: &Value,
        values: &[Value],
        operands: &[Operand],
        span: Span,
    ) -> Option<Value> {
        let Some(format) = self.known_bytes(state, format) else {
            self.not_modelled(state, span, "the format of printf is not known".into());
            return Some(Value::Opaque);
        };
        let mut next = 0;
        for piece in pieces(&format, false) {
            let directive = match piece {
                Piece::Text(text) => {
                    self.output.text(self.terms, state.path, &text);
                    continue;
                }
                Piece::Directive(directive) => directive,
            };
            let value = values.get(next).filter(|_| !directive.star).cloned();
            let ty = operands.get(next + 1).map(|operand| self.kind(operand.ty));
            next += 1;
            match (directive.letter, value) {
                ('d' | 'i' | 'u' | 'x' | 'X' | 'o', Some(Value::Int(value))) => {
                    let signed = matches!(directive.letter, 'd' | 'i');
                    let from = matches!(ty, Some(Kind::Int { signed: true, .. }));
                    let value = self.resize(value, directive.width.max(8), from);
                    let value = self.resize(value, 64, signed);
                    let letter = if directive.letter == 'i' { 'd' } else { directive.letter };
                    let how = format!("{}{letter}", directive.how);
                    self.output.number(state.path, value, &how);
                }
                ('c', Some(Value::Int(value))) if directive.how.is_empty() => {
                    let low = self.terms.extract(value, 7, 0);
                    self.output.byte(state.path, low);
                }
                ('s', Some(value)) if directive.how.is_empty() => self.print_string(state, &value, span),
                _ => self.not_modelled(
                    state,
                    span,
                    format!("printing with %{}{} is not modelled", directive.how, directive.letter),
                ),
            }
        }
        Some(Value::Opaque)
    }

    /// So many bytes after each of these places, where `alive` holds.
    pub(super) fn byte_places(&mut self, parts: &[(Term, Target)], alive: Term, at: u64) -> Vec<(Term, Target)> {
        let step = self.terms.bits(at, 64);
        let mut moved = Vec::with_capacity(parts.len());
        for (guard, target) in parts {
            let target = match target {
                Target::Object(id, offset) => Target::Object(*id, self.terms.add(*offset, step)),
                other => other.clone(),
            };
            moved.push((self.terms.and(*guard, alive), target));
        }
        moved
    }

    /// The bytes of a string, each with the condition that it is before the end.
    fn string(&mut self, state: &mut State, value: &Value, span: Span) -> Vec<(Term, Term)> {
        let Value::Pointer(parts) = value else {
            self.not_modelled(state, span, "this string is not modelled".into());
            return vec![];
        };
        let mut alive = self.terms.constant(true);
        let mut bytes = vec![];
        let kind = Kind::Int { width: 8, signed: true, is_bool: false };
        for at in 0..LONGEST_STRING as u64 {
            let moved = self.byte_places(parts, alive, at);
            // Only the runs where the string goes on come here.
            let mut here = state.clone();
            here.path = self.terms.and(state.path, alive);
            if self.terms.value(here.path) == Some(0) {
                return bytes;
            }
            let content = self.load_from(&mut here, &moved, kind, 1, span);
            let Value::Int(byte) = self.read(&here, content, kind, span) else {
                self.not_modelled(&here, span, "this string is not modelled".into());
                return bytes;
            };
            bytes.push((alive, byte));
            let zero = self.terms.bits(0, 8);
            let more = self.terms.ne(byte, zero);
            alive = self.terms.and(alive, more);
            if self.terms.value(alive) == Some(0) {
                return bytes;
            }
        }
        let mut here = state.clone();
        here.path = self.terms.and(state.path, alive);
        self.not_modelled(&here, span, "a string is very long".into());
        bytes
    }

    fn print_string(&mut self, state: &mut State, value: &Value, span: Span) {
        let zero = self.terms.bits(0, 8);
        for (alive, byte) in self.string(state, value, span) {
            let printed = self.terms.ne(byte, zero);
            let when = self.terms.all(&[state.path, alive, printed]);
            if self.terms.value(when) != Some(0) {
                self.output.byte(when, byte);
            }
        }
    }

    fn strlen(&mut self, state: &mut State, value: &Value, span: Span) -> Option<Value> {
        let (zero, one) = (self.terms.bits(0, 8), self.terms.bits(1, 64));
        let mut length = self.terms.bits(0, 64);
        for (alive, byte) in self.string(state, value, span) {
            let more = self.terms.ne(byte, zero);
            let counts = self.terms.and(alive, more);
            let next = self.terms.add(length, one);
            length = self.terms.ite(counts, next, length);
        }
        Some(Value::Int(length))
    }

    fn strcmp(&mut self, state: &mut State, a: &Value, b: &Value, most: Option<u64>, span: Span) -> Option<Value> {
        let (a, b) = (self.string(state, a, span), self.string(state, b, span));
        let mut result = self.terms.bits(0, 32);
        let pairs: Vec<_> = a.into_iter().zip(b).take(most.unwrap_or(u64::MAX) as usize).collect();
        for ((_, x), (_, y)) in pairs.into_iter().rev() {
            let (x, y) = (self.terms.zero_extend(x, 32), self.terms.zero_extend(y, 32));
            let (zero, same) = (self.terms.bits(0, 32), self.terms.eq(x, y));
            // glibc's sign is what programs look at; its size differs from version to version.
            let less = self.terms.ult(x, y);
            let (minus, plus) = (self.terms.bits(u64::from(u32::MAX), 32), self.terms.bits(1, 32));
            let sign = self.terms.ite(less, minus, plus);
            let (at_end, going) = (self.terms.eq(x, zero), self.terms.and(same, same));
            let rest = self.terms.ite(at_end, zero, result);
            result = self.terms.ite(going, rest, sign);
        }
        Some(Value::Int(result))
    }

    fn copy(&mut self, state: &mut State, to: &Value, from: &Value, size: u64, span: Span) {
        let (Value::Pointer(to), Value::Pointer(from)) = (to, from) else {
            return self.not_modelled(state, span, "memory is copied by what is no known pointer".into());
        };
        if size > 0 {
            let content = self.load_from(state, from, Kind::Record(size), size, span);
            let value = content.value().cloned().unwrap_or(Value::Opaque);
            self.store_to(state, to, size, &value, span);
        }
    }

    fn strcpy(&mut self, state: &mut State, to: &Value, from: &Value, span: Span) -> Option<Value> {
        let Value::Pointer(parts) = to else { return Some(Value::Opaque) };
        for (at, (alive, byte)) in self.string(state, from, span).into_iter().enumerate() {
            let moved = self.byte_places(parts, alive, at as u64);
            self.store_to(state, &moved, 1, &Value::Int(byte), span);
        }
        Some(to.clone())
    }

    fn in_range(&mut self, c: Term, first: u8, last: u8) -> Term {
        let (first, last) = (self.terms.bits(first.into(), 32), self.terms.bits(last.into(), 32));
        let (a, b) = (self.terms.sle(first, c), self.terms.sle(c, last));
        self.terms.and(a, b)
    }

    /// What `isalpha` and its like return: the bit of the class, or zero.
    fn class_of(&mut self, class: u16, c: Term) -> Term {
        let hits: Vec<Term> = runs(class).into_iter().map(|(first, last)| self.in_range(c, first, last)).collect();
        let hit = self.terms.any(&hits);
        let (bit, zero) = (self.terms.bits(class.into(), 32), self.terms.bits(0, 32));
        self.terms.ite(hit, bit, zero)
    }

    /// glibc's table of character classes: the macros of `ctype.h` look there.
    fn ctype_table(&mut self, state: &mut State) -> Value {
        let size = self.terms.bits(384 * 2, 64);
        let table = self.new_object(state, "the table of characters", size, true, false);
        for c in 0..128u8 {
            let flags = self.terms.bits(u64::from(classes(i32::from(c))), 16);
            self.put_at(state, table, (u64::from(c) + 128) * 2, 2, &Content::Set(Value::Int(flags)));
        }
        let eight = self.terms.bits(8, 64);
        let holder = self.new_object(state, "the table of characters", eight, true, false);
        let middle = self.terms.bits(256, 64);
        let pointer = Value::pointer(self.terms, Target::Object(table, middle));
        self.put_at(state, holder, 0, 8, &Content::Set(pointer));
        self.start_of(holder)
    }
}

/// The runs of characters that have a class.
fn runs(class: u16) -> Vec<(u8, u8)> {
    let mut found: Vec<(u8, u8)> = vec![];
    for c in (0..128u8).filter(|c| classes(i32::from(*c)) & class != 0) {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == c => *last = c,
            _ => found.push((c, c)),
        }
    }
    found
}

/// Functions of `ctype.h` and the class that each asks for.
const CLASSES: &[(&str, u16)] = &[
    ("isupper", 0x100),
    ("islower", 0x200),
    ("isalpha", 0x400),
    ("isdigit", 0x800),
    ("isxdigit", 0x1000),
    ("isspace", 0x2000),
    ("isprint", 0x4000),
    ("isgraph", 0x8000),
    ("isblank", 1),
    ("iscntrl", 2),
    ("ispunct", 4),
    ("isalnum", 8),
];

fn class_named(name: &str) -> Option<u16> {
    CLASSES.iter().find(|class| class.0 == name).map(|class| class.1)
}
