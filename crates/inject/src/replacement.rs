//! What may stand in the place of an expression: variables and members of the
//! same type that are in scope.
//!
//! For `x->next` with `x` and `y` of type `struct node *` in scope these are
//! `x`, `y` and, if the struct has such a member, `x->prev` and `y->prev`.
//! `y->next` is not among them: it is `y` in the place of `x`.

use std::collections::BTreeSet;

use c_syntax::{Span, Unit, VariableId};
use c_types::{RecordId, Type, TypeId};

use crate::note::FaultKind;
use crate::occurrence::{Occurrence, OccurrenceKind};
use crate::operator;

/// What may stand in the place of an expression, without repetitions.
pub(crate) struct Replacements<'a> {
    pub unit: &'a Unit,
    /// Whether operators and constants are changed too.
    pub operators: bool,
    /// The integers that are written in the function.
    pub constants: BTreeSet<i128>,
}

type Choice = (FaultKind, String);

impl Replacements<'_> {
    /// Everything that may stand there, each once.
    pub fn of(&self, occurrence: &Occurrence) -> Vec<Choice> {
        let own = squeeze(&self.unit.source.text(occurrence.span));
        let mut seen = BTreeSet::new();
        let mut choices = self.all(occurrence);
        choices.retain(|(_, text)| squeeze(text) != own && seen.insert(text.clone()));
        choices
    }

    fn all(&self, occurrence: &Occurrence) -> Vec<Choice> {
        match &occurrence.kind {
            OccurrenceKind::Variable { ty, plain } => {
                let mut choices = self.places(occurrence, *ty);
                choices.extend(self.null(*ty, *plain));
                choices
            }
            OccurrenceKind::Field { ty, plain, record, index, name, base } => {
                let mut choices = self.places(occurrence, *ty);
                choices.retain(|choice| !self.is_base_replaced(choice, occurrence, (*record, *index), *base));
                choices.extend(self.siblings(occurrence.span, *name, *record, *ty));
                choices.extend(self.null(*ty, *plain));
                choices
            }
            _ if !self.operators => Vec::new(),
            OccurrenceKind::Null(ty) => {
                let places = self.places(occurrence, *ty);
                places.into_iter().map(|(_, text)| (FaultKind::Constant, text)).collect()
            }
            OccurrenceKind::Constant(value) => self.integers(occurrence.span, *value),
            OccurrenceKind::Comparison { op, pointers } => {
                let others = operator::others(*op, *pointers);
                others.into_iter().map(|text| (FaultKind::Operator, text)).collect()
            }
        }
    }

    /// The variables in scope, and their members, that have this type.
    fn places(&self, occurrence: &Occurrence, ty: TypeId) -> Vec<Choice> {
        let mut choices = Vec::new();
        for &id in occurrence.visible.iter() {
            let variable = self.variable(id);
            if variable.1 == ty {
                choices.push((FaultKind::Variable, variable.0.to_string()));
            }
            if let Some((arrow, record)) = self.record(variable.1) {
                let members = self.members(record, ty);
                choices.extend(members.map(|member| (FaultKind::Field, format!("{}{arrow}{member}", variable.0))));
            }
        }
        choices
    }

    /// Other members of the same struct: `x->g` for `x->f`.
    fn siblings(&self, span: Span, name: Span, record: RecordId, ty: TypeId) -> Vec<Choice> {
        let before = self.unit.source.text(Span { start: span.start, end: name.start });
        self.members(record, ty).map(|member| (FaultKind::Field, format!("{before}{member}"))).collect()
    }

    /// Whether a choice is the same member of another base of the same type:
    /// the base is a place of its own, and there this is the smaller change.
    fn is_base_replaced(
        &self,
        choice: &Choice,
        occurrence: &Occurrence,
        (record, index): (RecordId, u32),
        base: Option<TypeId>,
    ) -> bool {
        let field = &self.unit.types.record(record).fields[index as usize].name;
        let bases = occurrence.visible.iter().map(|&id| self.variable(id)).filter(|(_, ty)| Some(*ty) == base);
        let mut texts = bases.flat_map(|(name, ty)| {
            let records = self.record(ty).into_iter().filter(|(_, other)| *other == record);
            records.map(move |(arrow, _)| format!("{name}{arrow}{field}")).collect::<Vec<_>>()
        });
        texts.any(|text| text == choice.1)
    }

    fn null(&self, ty: TypeId, plain: bool) -> Option<Choice> {
        let known = self.unit.source.bytes.windows(4).any(|word| word == b"NULL");
        let text = if known { "NULL" } else { "0" };
        let fits = self.operators && plain && self.unit.types.is_pointer(ty);
        fits.then(|| (FaultKind::Constant, text.to_string()))
    }

    /// The neighbours of a constant, 0 and 1, and the other constants of the function.
    fn integers(&self, span: Span, value: i128) -> Vec<Choice> {
        let near = [value + 1, value - 1, 0, 1];
        let others = near.into_iter().chain(self.constants.iter().copied()).filter(|&other| other != value);
        // After a minus sign another one would make an operator of both.
        let before = self.unit.source.bytes[..span.start as usize].last();
        let text = |value: i128| match value < 0 && before == Some(&b'-') {
            true => format!("({value})"),
            false => value.to_string(),
        };
        others.map(|other| (FaultKind::Constant, text(other))).collect()
    }

    fn variable(&self, id: VariableId) -> (&str, TypeId) {
        let variable = &self.unit.variables[id.0 as usize];
        (&variable.name, variable.ty)
    }

    /// The struct that a variable is or points to, and how its members are written.
    fn record(&self, ty: TypeId) -> Option<(&'static str, RecordId)> {
        match *self.unit.types.get(ty) {
            Type::Record(record) => Some((".", record)),
            Type::Pointer(target) => match *self.unit.types.get(target) {
                Type::Record(record) => Some(("->", record)),
                _ => None,
            },
            _ => None,
        }
    }

    fn members(&self, record: RecordId, ty: TypeId) -> impl Iterator<Item = &str> {
        let fields = self.unit.types.record(record).fields.iter();
        fields.filter(move |field| field.ty == ty && !field.name.is_empty()).map(|field| field.name.as_str())
    }
}

/// Without blanks, as `x -> f` is `x->f`.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}
