//! Edits as C text, in the fewest tokens.
//!
//! `temp2 = current->prev` with another source becomes the replacement of
//! `current->prev` by `current->next`; nothing else of the line is touched.

use c_syntax::Span;
use encode::{Comparison, Edit, Instruction, Model, NewCondition, NewStatement, SlotPlace, Term, TypedTerm, Variable};
use ir::{Action, ActionId, ActionKind, FunctionId, StepId, StepKind};
use patch::Edit as TextEdit;

/// Writes edits as text.
#[derive(Clone, Copy)]
pub struct Renderer<'m> {
    pub(crate) model: &'m Model,
}

impl<'m> Renderer<'m> {
    /// For a program.
    pub fn new(model: &'m Model) -> Renderer<'m> {
        Renderer { model }
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> String {
        let bytes = &self.model.program.source.bytes;
        String::from_utf8_lossy(&bytes[span.start as usize..span.end as usize]).into_owned()
    }

    /// An edit as edits of the text; `None` where it cannot be written.
    pub fn edit(&self, edit: &Edit) -> Option<Vec<TextEdit>> {
        let replace = |span: Span, text: String| {
            let written = span.start < span.end && !self.model.program.macro_uses.contains(&span);
            written.then(|| vec![TextEdit::Replace { span, text }])
        };
        match edit {
            Edit::Assign { step, target, source } => self.assignment(*step, target.as_ref(), source.as_ref()),
            Edit::Operand { step, action, operand, with } => self.other_operand(*step, *action, *operand, with),
            Edit::Condition { step, new } => match new {
                NewCondition::Whole(comparison) => replace(self.span(*step), self.comparison(*step, comparison)),
                NewCondition::Atom(action, comparison) => {
                    let span = self.action(*step, *action)?.span;
                    let text = self.comparison(*step, comparison);
                    let negated = self.text(Span { start: self.span(*step).start, end: span.start });
                    let text = if negated.trim_end().ends_with('!') { format!("({text})") } else { text };
                    replace(span, text)
                }
                NewCondition::Without(action, _) => {
                    let span = self.without(*step, self.action(*step, *action)?.span)?;
                    Some(vec![TextEdit::Replace { span, text: String::new() }])
                }
                NewCondition::Operand(action, operand, with) => self.other_operand(*step, *action, *operand, with),
                NewCondition::Operator(action, op) => self.other_operator(*step, *action, *op),
                _ => self.wide_condition(*step, new),
            },
            Edit::Return { step, with } => {
                let span = self.returned(*step)?;
                replace(span, self.term(self.function(*step), with))
            }
            Edit::Delete { step } => match self.model.program.step(*step).kind {
                StepKind::Expression => Some(vec![TextEdit::Delete { span: self.span(*step) }]),
                StepKind::ForInit | StepKind::ForUpdate if !self.declares(*step) => {
                    replace(self.span(*step), String::new())
                }
                _ => None,
            },
            Edit::Insert { slot, guard, statement } => {
                let slot = &self.model.code.slots[slot.0 as usize];
                let statement = format!("{};", self.statement(slot.function, statement)?);
                let lines = match guard {
                    None => vec![statement],
                    Some(guard) => {
                        let condition = self.comparison_in(slot.function, guard);
                        vec![format!("if ({condition})"), format!("    {statement}")]
                    }
                };
                Some(vec![self.inserted(slot.place, lines)])
            }
            Edit::Guard { step, condition } => match self.model.program.step(*step).kind {
                StepKind::Expression => {
                    let condition = self.comparison(*step, condition);
                    Some(vec![TextEdit::Guard { span: self.span(*step), condition }])
                }
                _ => None,
            },
            Edit::Move { step, slot } => self.moved(*step, *slot),
            Edit::Choose { step, condition, yes, no } => self.cases(*step, condition, yes, no),
        }
    }

    /// New lines at a slot.
    pub(crate) fn inserted(&self, place: SlotPlace, lines: Vec<String>) -> TextEdit {
        match place {
            SlotPlace::Before(span) => TextEdit::InsertBefore { span, lines },
            SlotPlace::AtEnd(brace) => TextEdit::InsertAtEnd { brace, lines },
            // A guard must not take an `else` that follows.
            SlotPlace::Instead(span) if lines.len() > 1 => {
                let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
                TextEdit::Replace { span, text: format!("{{ {} }}", lines.join(" ")) }
            }
            SlotPlace::Instead(span) => TextEdit::Replace { span, text: lines.concat() },
        }
    }

    fn other_operand(&self, step: StepId, action: ActionId, operand: u8, with: &TypedTerm) -> Option<Vec<TextEdit>> {
        let mut action = self.action(step, action)?.clone();
        let span = encode::operands(&mut action).get(usize::from(operand))?.span;
        // The operand of `x++` or `x += 2` is what is assigned to as well.
        let both = |sides: (Span, Option<Span>)| sides == (span, None);
        if !self.model.code.steps[step.index()].is_condition && self.sides(step).is_some_and(both) {
            return None;
        }
        let old = self.text(span);
        let place = old.strip_prefix('&').unwrap_or(&old);
        let simple = place.chars().all(|c| c.is_alphanumeric() || "_->. ".contains(c)) && !place.contains("--");
        let text = self.operand(step, with, span);
        let written = span.start < span.end && !self.model.program.macro_uses.contains(&span);
        (simple && written && old != text).then(|| vec![TextEdit::Replace { span, text }])
    }

    /// The operator stands between the operands.
    fn other_operator(&self, step: StepId, action: ActionId, op: ir::BinaryOp) -> Option<Vec<TextEdit>> {
        let mut action = self.action(step, action)?.clone();
        let spans: Vec<Span> = encode::operands(&mut action).iter().map(|operand| operand.span).collect();
        let [left, right] = spans[..] else { return None };
        let between = Span { start: left.end, end: right.start };
        let text = (between.start < between.end).then(|| self.text(between))?;
        let at = text.find(['<', '>', '=', '!'])?;
        let length = text[at..].chars().take_while(|c| "<>=!".contains(*c)).count();
        let start = between.start + at as u32;
        Some(vec![TextEdit::Replace {
            span: Span { start, end: start + length as u32 },
            text: ir::binary_text(op).to_string(),
        }])
    }

    /// The text of a statement or condition.
    pub fn statement_text(&self, step: StepId) -> String {
        self.text(self.span(step))
    }

    pub(crate) fn span(&self, step: StepId) -> Span {
        self.model.program.step(step).span
    }

    pub(crate) fn function(&self, step: StepId) -> FunctionId {
        self.model.program.step(step).function
    }

    fn instructions(&self, step: StepId) -> &'m [Instruction] {
        let place = &self.model.code.steps[step.index()];
        &self.model.code.functions[place.function as usize].code[place.start as usize..place.end as usize]
    }

    pub(crate) fn action(&self, step: StepId, id: ActionId) -> Option<&'m Action> {
        self.instructions(step).iter().find_map(|instruction| match instruction {
            Instruction::Act(action) if action.id == id => Some(action),
            _ => None,
        })
    }

    /// Whether it is a declaration, which the first clause of `for` may be too.
    fn declares(&self, step: StepId) -> bool {
        let declares = |instruction: &Instruction| matches!(instruction, Instruction::Declare(_));
        self.model.program.step(step).kind == StepKind::Declaration || self.instructions(step).iter().any(declares)
    }

    fn returned(&self, step: StepId) -> Option<Span> {
        self.instructions(step).iter().find_map(|instruction| match instruction {
            Instruction::Return(Some(value)) => Some(value.span),
            _ => None,
        })
    }

    /// The target and source of an assignment, and whether it is written with a plain `=`.
    pub(crate) fn sides(&self, step: StepId) -> Option<(Span, Option<Span>)> {
        let Instruction::Act(last) = self.instructions(step).last()? else { return None };
        let target = match &last.kind {
            ActionKind::Assign { to_span, .. } => *to_span,
            ActionKind::Store { to, .. } => to.span,
            // `x = f(y)`
            ActionKind::Call { .. } => {
                let (span, text) = (self.span(step), self.text(self.span(step)));
                let target = text[..plain_equals(&text)?].trim_end();
                Span { end: span.start + target.len() as u32, ..span }
            }
            _ => return None,
        };
        if self.declares(step) {
            return Some((target, Some(last.span)));
        }
        let span = self.span(step);
        let text = self.text(span);
        let source = plain_equals(&text).map(|at| {
            let rest = &text[at + 1..];
            let start = span.start + (at + 1 + (rest.len() - rest.trim_start().len())) as u32;
            Span { start, end: span.start + text.trim_end().len() as u32 }
        });
        Some((target, source))
    }

    fn assignment(
        &self,
        step: StepId,
        target: Option<&TypedTerm>,
        source: Option<&TypedTerm>,
    ) -> Option<Vec<TextEdit>> {
        // `f(y)` whose result should be assigned.
        if let (Some(target), None, Some(Instruction::Act(last))) = (target, source, self.instructions(step).last())
            && matches!(last.kind, ActionKind::Call { to: None, .. })
        {
            let (span, target) = (self.span(step), self.term(self.function(step), target));
            return Some(vec![TextEdit::Replace { span, text: format!("{target} = {}", self.text(span)) }]);
        }
        let (target_span, source_span) = self.sides(step)?;
        let in_macro = |span: &Span| self.model.program.macro_uses.contains(span);
        let function = self.function(step);
        let is_declaration = self.declares(step);
        let new_target = target.map(|term| self.term(function, term)).filter(|text| *text != self.text(target_span));
        let new_source = source.map(|term| self.term(function, term));
        let new_source = new_source.filter(|text| source_span.is_none_or(|span| *text != self.text(span)));
        if is_declaration && new_target.is_some() {
            return None;
        }
        match source_span {
            Some(source_span) => {
                let mut edits = Vec::new();
                edits.extend(new_target.map(|text| TextEdit::Replace { span: target_span, text }));
                edits.extend(new_source.map(|text| TextEdit::Replace { span: source_span, text }));
                let allowed = |edit: &TextEdit| match edit {
                    // A constant such as NULL is a macro use as a whole, and can be replaced as one.
                    TextEdit::Replace { span, .. } => !in_macro(span) || self.is_word(*span),
                    _ => true,
                };
                (!edits.is_empty() && edits.iter().all(allowed)).then_some(edits)
            }
            // `x += 2` or `x++`: only a whole new assignment can be written.
            None => {
                let source = new_source?;
                let target = new_target.unwrap_or_else(|| self.text(target_span));
                Some(vec![TextEdit::Replace { span: self.span(step), text: self.assigned(&target, &source) }])
            }
        }
    }

    fn is_word(&self, span: Span) -> bool {
        self.text(span).chars().all(|c| c.is_alphanumeric() || c == '_')
    }

    /// The bytes of a comparison in a condition together with its `&&` or `||`.
    fn without(&self, step: StepId, atom: Span) -> Option<Span> {
        let whole = self.span(step);
        let text = self.text(whole);
        let (mut start, mut end) = ((atom.start - whole.start) as usize, (atom.end - whole.start) as usize);
        loop {
            let (before, after) = (text[..start].trim_end(), text[end..].trim_start());
            match (before.ends_with('('), after.starts_with(')')) {
                (true, true) => {
                    start = before.len() - 1;
                    end = text.len() - after.len() + 1;
                }
                _ => break,
            }
        }
        let (before, after) = (text[..start].trim_end(), text[end..].trim_start());
        if before.ends_with("&&") || before.ends_with("||") {
            start = before[..before.len() - 2].trim_end().len();
        } else if after.starts_with("&&") || after.starts_with("||") {
            end = text.len() - after[2..].trim_start().len();
        } else {
            return None;
        }
        Some(Span { start: whole.start + start as u32, end: whole.start + end as u32 })
    }

    /// A term as an operand inside of an expression.
    fn operand(&self, step: StepId, term: &TypedTerm, span: Span) -> String {
        let text = self.term(self.function(step), term);
        let bytes = &self.model.program.source.bytes;
        let next = bytes.get(span.end as usize..span.end as usize + 1).unwrap_or_default();
        let binds = matches!(
            term.term,
            Term::Deref(_) | Term::AddressOf(_) | Term::AddressOfField(..) | Term::AddressOfDerefField(..)
        ) && matches!(next, b"-" | b"[" | b".");
        // A sum needs brackets unless it has the place for itself.
        let before = self.text(Span { start: span.start.saturating_sub(2), end: span.start });
        let alone = before.trim_end().ends_with(['(', '[', ',']) && matches!(next, b")" | b"]" | b",");
        let is_sum = matches!(term.term, Term::Plus(_, change) | Term::FieldPlus(.., change) if change != 0);
        let binds = binds || is_sum && !alone;
        if binds { format!("({text})") } else { text }
    }

    /// `x = source`, or `x++` if that is meant.
    pub(crate) fn assigned(&self, target: &str, source: &str) -> String {
        match source.strip_prefix(target) {
            Some(" + 1") => format!("{target}++"),
            Some(" - 1") => format!("{target}--"),
            _ => format!("{target} = {source}"),
        }
    }

    pub(crate) fn variable(&self, function: FunctionId, variable: Variable) -> &'m str {
        match variable {
            Variable::Local(local) => &self.model.program.function(function).locals[local.index()].name,
            Variable::Global(global) => &self.model.program.globals[global.index()].name,
        }
    }

    pub(crate) fn member(&self, pointer: c_types::TypeId, index: u32) -> (&'m str, c_types::TypeId) {
        let types = &self.model.program.types;
        let record = types.target(pointer).and_then(|target| types.as_record(target));
        record
            .and_then(|record| record.fields.get(index as usize))
            .map_or(("?", pointer), |field| (&field.name, field.ty))
    }

    pub(crate) fn type_of(&self, function: FunctionId, variable: Variable) -> c_types::TypeId {
        match variable {
            Variable::Local(local) => self.model.program.function(function).locals[local.index()].ty,
            Variable::Global(global) => self.model.program.globals[global.index()].ty,
        }
    }

    /// A term as C text in a function.
    pub fn term(&self, function: FunctionId, term: &TypedTerm) -> String {
        match term.term {
            Term::Variable(variable) => self.variable(function, variable).to_string(),
            Term::Field(variable, member) => {
                let (name, _) = self.member(self.type_of(function, variable), member.index);
                format!("{}->{name}", self.variable(function, variable))
            }
            Term::Chain(variable, first, second) | Term::WideChain(variable, first, second) => {
                let (first, ty) = self.member(self.type_of(function, variable), first.index);
                let (second, _) = self.member(ty, second.index);
                format!("{}->{first}->{second}", self.variable(function, variable))
            }
            Term::Deref(variable) => format!("*{}", self.variable(function, variable)),
            Term::AddressOf(variable) => format!("&{}", self.variable(function, variable)),
            Term::DerefField(..) | Term::AddressOfField(..) | Term::AddressOfDerefField(..) | Term::Member(..) => {
                self.wide_term(function, term)
            }
            Term::Number(value) if self.model.program.types.is_pointer(term.ty) && value == 0 => self.null().into(),
            Term::Number(value) => value.to_string(),
            Term::FieldPlus(variable, member, change) => {
                let field = self.term(function, &TypedTerm { term: Term::Field(variable, member), ..*term });
                match change {
                    0 => field,
                    _ => format!("{field} {} 1", if change < 0 { '-' } else { '+' }),
                }
            }
            Term::Element(base, index) => {
                format!("{}[{}]", self.variable(function, base), self.variable(function, index))
            }
            Term::Negative(variable) => format!("-{}", self.variable(function, variable)),
            Term::Plus(variable, 0) => self.variable(function, variable).to_string(),
            Term::Plus(variable, change) if change < 0 => {
                format!("{} - {}", self.variable(function, variable), -change)
            }
            Term::Plus(variable, change) => format!("{} + {change}", self.variable(function, variable)),
        }
    }

    /// Null as this file writes it.
    fn null(&self) -> &'static str {
        let has = |word: &[u8]| self.model.program.source.bytes.windows(word.len()).any(|window| window == word);
        if has(b"NULL") || has(b"#include") { "NULL" } else { "0" }
    }

    pub(crate) fn comparison(&self, step: StepId, comparison: &Comparison) -> String {
        self.comparison_in(self.function(step), comparison)
    }

    /// A comparison as C text.
    pub fn comparison_in(&self, function: FunctionId, comparison: &Comparison) -> String {
        let (left, right) = (self.term(function, &comparison.left), self.term(function, &comparison.right));
        format!("{left} {} {right}", ir::binary_text(comparison.op))
    }

    /// A new statement as C text, without `;`.
    pub fn statement(&self, function: FunctionId, statement: &NewStatement) -> Option<String> {
        let types = &self.model.program.types;
        Some(match statement {
            NewStatement::Assign(target, source) => {
                self.assigned(&self.term(function, target), &self.term(function, source))
            }
            NewStatement::Allocate(target) => {
                let ty = types.name(types.target(target.ty)?);
                format!("{} = malloc(sizeof({ty}))", self.term(function, target))
            }
            NewStatement::Free(pointer) => format!("free({})", self.term(function, pointer)),
            NewStatement::Return(None) => "return".into(),
            NewStatement::Return(Some(term)) => format!("return {}", self.term(function, term)),
            NewStatement::Break => "break".into(),
            NewStatement::Continue => "continue".into(),
        })
    }

    /// The statement or condition `step` as it reads after these edits of its text.
    pub fn new_text(&self, step: StepId, edits: &[TextEdit]) -> String {
        match self.declares(step) {
            true => self.declaration_text(step, edits),
            false => self.spliced(self.span(step), edits),
        }
    }

    fn spliced(&self, span: Span, edits: &[TextEdit]) -> String {
        let mut inside: Vec<(&Span, &String)> = edits
            .iter()
            .filter_map(|edit| match edit {
                TextEdit::Replace { span: at, text } if at.start >= span.start && at.end <= span.end => {
                    Some((at, text))
                }
                _ => None,
            })
            .collect();
        inside.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        let mut text = self.text(span);
        for (at, new) in inside {
            text.replace_range((at.start - span.start) as usize..(at.end - span.start) as usize, new);
        }
        text
    }

    /// The initialisers of a declaration as assignments.
    fn declaration_text(&self, step: StepId, edits: &[TextEdit]) -> String {
        let function = self.model.program.function(self.function(step));
        let assign = |instruction: &Instruction| match instruction {
            Instruction::Act(Action { span, kind: ActionKind::Assign { to, .. }, .. })
                if to.index() < function.named =>
            {
                Some(format!("{} = {}", function.locals[to.index()].name, self.spliced(*span, edits)))
            }
            Instruction::Act(Action { span, kind: ActionKind::Call { to: Some(to), .. }, .. })
                if to.index() < function.named =>
            {
                Some(format!("{} = {}", function.locals[to.index()].name, self.spliced(*span, edits)))
            }
            _ => None,
        };
        self.instructions(step).iter().filter_map(assign).collect::<Vec<_>>().join(", ")
    }
}

/// Where a text has its assignment operator, if that is a plain `=`.
fn plain_equals(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'=' if depth == 0 => {
                let before = i.checked_sub(1).map_or(b' ', |before| bytes[before]);
                let after = bytes.get(i + 1).copied().unwrap_or(b' ');
                let plain = after != b'=' && !b"=!<>+-*/%&|^".contains(&before);
                return plain.then_some(i);
            }
            _ => {}
        }
    }
    None
}
