//! The edits of the wider search as C text.
//!
//! `p->next->val < val` with another comparison before it becomes
//! `p->next != NULL && p->next->val < val`.

use c_syntax::Span;
use encode::{Comparison, Join, NewCondition, SlotId, Term, TypedTerm, joins};
use ir::{ActionId, FunctionId, StepId};
use patch::Edit as TextEdit;

use crate::render::Renderer;

/// The target and source of a case; `None` is what is written.
type Case = (Option<TypedTerm>, Option<TypedTerm>);

impl Renderer<'_> {
    pub(crate) fn wide_condition(&self, step: StepId, new: &NewCondition) -> Option<Vec<TextEdit>> {
        let span = self.span(step);
        let whole = |text: String| self.is_written(span).then(|| vec![TextEdit::Replace { span, text }]);
        if let NewCondition::Before(_, comparison) | NewCondition::After(_, comparison) = new
            && self.text(span).contains(&self.comparison(step, comparison))
        {
            // What is there already is exchanged with its neighbour instead.
            return None;
        }
        match new {
            NewCondition::Before(and, comparison) => {
                let (new, old) = (self.comparison(step, comparison), side(&self.text(span), *and));
                whole(format!("{new} {} {old}", connective(*and)))
            }
            NewCondition::After(and, comparison) => {
                let (new, old) = (self.comparison(step, comparison), side(&self.text(span), *and));
                whole(format!("{old} {} {new}", connective(*and)))
            }
            NewCondition::Connective(action) => self.other_connective(step, *action),
            NewCondition::Swapped(action) => {
                let (join, left, right) = self.joined(step, *action)?;
                let swap =
                    |from: Span, to: Span| TextEdit::Replace { span: from, text: side(&self.text(to), join.and) };
                Some(vec![swap(left, right), swap(right, left)])
            }
            _ => None,
        }
    }

    fn is_written(&self, span: Span) -> bool {
        span.start < span.end && !self.model.program.macro_uses.contains(&span)
    }

    /// An `&&` or `||` with the places of its sides.
    fn joined(&self, step: StepId, id: ActionId) -> Option<(Join, Span, Span)> {
        let (_, join) = joins(self.model, step).into_iter().find(|(action, _)| *action == id)?;
        let mut action = self.action(step, id)?.clone();
        let spans: Vec<Span> = encode::operands(&mut action).iter().map(|operand| operand.span).collect();
        let [left, right] = spans[..] else { return None };
        let between = (left.end <= right.start).then(|| self.text(Span { start: left.end, end: right.start }))?;
        let is_plain = between.contains(connective(join.and)) && self.is_written(left) && self.is_written(right);
        is_plain.then_some((join, left, right))
    }

    fn other_connective(&self, step: StepId, action: ActionId) -> Option<Vec<TextEdit>> {
        let (join, left, right) = self.joined(step, action)?;
        let other = connective(!join.and);
        if joins(self.model, step).len() > 1 {
            let sides = [left, right].map(|span| side(&self.text(span), !join.and));
            let span = Span { start: left.start, end: right.end };
            let text = format!("({} {other} {})", sides[0], sides[1]);
            return Some(vec![TextEdit::Replace { span, text }]);
        }
        let between = self.text(Span { start: left.end, end: right.start });
        let start = left.end + between.find(connective(join.and))? as u32;
        Some(vec![TextEdit::Replace { span: Span { start, end: start + 2 }, text: other.to_string() }])
    }

    /// A statement that stands elsewhere.
    pub(crate) fn moved(&self, step: StepId, slot: SlotId) -> Option<Vec<TextEdit>> {
        let span = self.is_written(self.span(step)).then(|| self.span(step))?;
        let lines = vec![format!("{};", self.text(span))];
        Some(vec![TextEdit::Delete { span }, self.inserted(self.model.code.slots[slot.0 as usize].place, lines)])
    }

    /// `if (c) t1 = s1; else t2 = s2;` in the place of an assignment.
    pub(crate) fn cases(&self, step: StepId, condition: &Comparison, yes: &Case, no: &Case) -> Option<Vec<TextEdit>> {
        let span = self.is_written(self.span(step)).then(|| self.span(step))?;
        let [yes, no] = [yes, no].map(|case| self.case(step, case));
        let (condition, indent) = (self.comparison(step, condition), self.indentation(span.start));
        let text = match indent {
            Some(indent) => format!("if ({condition})\n{indent}    {};\n{indent}else\n{indent}    {}", yes?, no?),
            None => format!("if ({condition}) {}; else {}", yes?, no?),
        };
        Some(vec![TextEdit::Replace { span, text }])
    }

    fn case(&self, step: StepId, (target, source): &Case) -> Option<String> {
        if target.is_none() && source.is_none() {
            return Some(self.text(self.span(step)));
        }
        let function = self.function(step);
        let (target_span, source_span) = self.sides(step)?;
        let target = target.as_ref().map_or_else(|| self.text(target_span), |term| self.term(function, term));
        let source = match source {
            Some(term) => self.term(function, term),
            None => self.text(source_span?),
        };
        Some(self.assigned(&target, &source))
    }

    /// What stands before a place on its line, if that is only blank.
    fn indentation(&self, at: u32) -> Option<String> {
        let before = &self.model.program.source.bytes[..at as usize];
        let line = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let blank = String::from_utf8_lossy(&before[line..]).into_owned();
        blank.chars().all(|c| c == ' ' || c == '\t').then_some(blank)
    }

    /// A term for a pointer to a pointer, an address of a member, or a member of a variable.
    pub(crate) fn wide_term(&self, function: FunctionId, term: &TypedTerm) -> String {
        let types = &self.model.program.types;
        let (variable, member) = match term.term {
            Term::DerefField(variable, member) | Term::AddressOfField(variable, member) => (variable, member),
            Term::AddressOfDerefField(variable, member) | Term::Member(variable, member) => (variable, member),
            _ => return self.term(function, term),
        };
        let (name, ty) = (self.variable(function, variable), self.type_of(function, variable));
        let inner = || types.target(ty).unwrap_or(ty);
        match term.term {
            Term::DerefField(..) => format!("(*{name})->{}", self.member(inner(), member.index).0),
            Term::AddressOfField(..) => format!("&{name}->{}", self.member(ty, member.index).0),
            Term::AddressOfDerefField(..) => format!("&(*{name})->{}", self.member(inner(), member.index).0),
            _ => {
                let field = types.as_record(ty).and_then(|record| record.fields.get(member.index as usize));
                format!("{name}.{}", field.map_or("?", |field| &field.name))
            }
        }
    }
}

fn connective(and: bool) -> &'static str {
    if and { "&&" } else { "||" }
}

/// A condition as a side of `&&` or `||`: in brackets where it would be torn apart.
fn side(text: &str, and: bool) -> String {
    let mut rest = text.to_string();
    for comparison in ["==", "!=", "<=", ">="] {
        rest = rest.replace(comparison, "");
    }
    let looser = rest.contains(['?', '=', ',']) || text.contains(if and { "||" } else { "&&" });
    if looser && !is_bracketed(text) { format!("({text})") } else { text.to_string() }
}

/// Whether a text is one pair of brackets.
fn is_bracketed(text: &str) -> bool {
    let mut depth = 0;
    let closes = |(at, c): (usize, char)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth == 0).then_some(at)
    };
    text.starts_with('(') && text.char_indices().find_map(closes) == Some(text.len() - 1)
}
