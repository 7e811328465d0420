//! Correcting the state: `change`, and giving the program input.

use std::sync::Arc;

use c_types::{Type, TypeId};
use expression::{Expression, PlaceFound, Scope, Typed};
use memory::Value;

use crate::caret::with_caret;
use crate::session::{Done, Session};
use crate::timeline::Event;

impl Session {
    /// `current n3`, `n4 -> prev n3`, `n4.prev = null`, `current -> n3`
    pub(crate) fn change(&mut self, text: &str) -> Done {
        self.not_crashed()?;
        let (place, value_text) = self.split(text)?;
        let found = self.place(&place)?;
        let value = self.value_for(&found, value_text)?;
        let name = self.name_here(&found.entity);
        let told = match found.value == value {
            true => format!("{name} is {value} already"),
            false => format!("{name}: {} -> {value}", found.value),
        };
        let (entity, written) = (found.entity, value.clone());
        let position = self.engine.with(|executor| {
            executor.write(&entity, &written)?;
            Ok(executor.position().clone())
        })?;
        self.commit(Event::Write { entity, value }, position, None)?;
        self.say(told);
        Ok(())
    }

    /// Splits what follows `change` into the place and the text of the value.
    fn split<'t>(&mut self, text: &'t str) -> Done<(Expression, &'t str)> {
        let (place, rest) = expression::parse_place_and_rest(text).map_err(|error| with_caret(text, &error))?;
        let rest = rest.trim();
        let value = rest.strip_prefix('=').filter(|rest| !rest.starts_with('=')).unwrap_or(rest).trim();
        if !value.is_empty() {
            return Ok((place, value));
        }
        // `current -> n3`: the arrow stands for the one that is drawn.
        if let Some((left, right)) = text.rsplit_once("->").filter(|(_, right)| self.is_pointer_name(right.trim())) {
            let (left, right) = (left.trim(), right.trim());
            return Ok((expression::parse(left).map_err(|error| with_caret(left, &error))?, right));
        }
        let place = place.text().trim();
        Err(format!("change {place} to what? For example: change {place} null").into())
    }

    /// Whether a word is the name of something that can be pointed to.
    fn is_pointer_name(&mut self, word: &str) -> bool {
        let is_node = word.strip_prefix('n').is_some_and(|number| number.parse::<u32>().is_ok());
        let is_null = matches!(word, "null" | "NULL");
        is_node
            || is_null
            || self.view().is_ok_and(|view| {
                let locals = view.state.frames.last().into_iter().flat_map(|frame| &frame.variables);
                view.state.globals.iter().chain(locals).any(|variable| &*variable.name == word)
            })
    }

    /// The variable, member or element that the user names.
    pub(crate) fn place(&mut self, place: &Expression) -> Done<PlaceFound> {
        let view = self.view()?;
        let found = place.place(&self.scope(&view.state));
        Ok(found.map_err(|error| with_caret(place.text(), &error))?)
    }

    /// The value of an expression here.
    pub(crate) fn evaluate(&mut self, text: &str) -> Done<Typed> {
        let view = self.view()?;
        let expression = expression::parse(text).map_err(|error| with_caret(text, &error))?;
        let typed = expression.evaluate(&self.scope(&view.state));
        Ok(typed.map_err(|error| with_caret(text, &error))?)
    }

    fn scope<'a>(&'a self, state: &'a memory::State) -> Scope<'a> {
        Scope { program: &self.program, state, frame: state.frames.len().saturating_sub(1) }
    }

    /// A value that fits a place.
    pub(crate) fn value_for(&mut self, place: &PlaceFound, text: &str) -> Done<Value> {
        let typed = self.evaluate(text)?;
        let name = self.name_here(&place.entity);
        if matches!(place.value, Value::Record(_) | Value::Array(..)) {
            return Err(format!("{name} has parts; name one of them, as in {}", first_part(place)).into());
        }
        let types = &self.program.types;
        let is_pointer = place.ty.is_some_and(|ty| matches!(types.get(ty), Type::Pointer(_)));
        let fits = match typed.value {
            Value::Int(0) if is_pointer => return Ok(Value::Null),
            Value::Null | Value::Pointer(_) | Value::Dangling(_) | Value::Function(_) | Value::Text(_) => is_pointer,
            Value::Int(_) | Value::Float(_) => !is_pointer,
            _ => return Err(format!("`{text}` has no value that could be written: it is {}", typed.value).into()),
        };
        if !fits {
            let offer = if is_pointer { "a node, null or another pointer" } else { "a number" };
            return Err(format!("{name} is of type `{}`; give it {offer}, not {}", place.type_name, typed.value).into());
        }
        if let (Some(to), Some(from)) = (place.ty, typed.ty)
            && !self.may_point(to, from)
        {
            let (to, from) = (&place.type_name, &typed.type_name);
            return Err(format!("{name} is of type `{to}`, and `{text}` of type `{from}`").into());
        }
        Ok(typed.value)
    }

    /// Whether a pointer of one type may take one of another: the same, or `void *`.
    fn may_point(&self, to: TypeId, from: TypeId) -> bool {
        let types = &self.program.types;
        match (types.get(to), types.get(from)) {
            (Type::Pointer(to), Type::Pointer(from)) => {
                let is_void = |ty: &TypeId| matches!(types.get(*ty), Type::Void);
                to == from || is_void(to) || is_void(from) || types.name(*to) == types.name(*from)
            }
            _ => true,
        }
    }

    pub(crate) fn give_input(&mut self, text: &str) -> Done {
        if let Some(file) = &self.engine.options().input {
            return Err(format!("the program reads from {}, so it takes no other input", file.display()).into());
        }
        let moment = self.here()?;
        let moment = self.timeline.get(moment).clone();
        let mut input = moment.input.to_vec();
        input.extend_from_slice(text.as_bytes());
        input.push(b'\n');
        let input: Arc<[u8]> = input.into();
        self.engine.set_input(&input)?;
        self.commit(Event::Input, moment.stop, Some(input)).map(|_| ())
    }
}

fn first_part(place: &PlaceFound) -> String {
    let mut path = place.entity.to_string();
    let mut value = &place.value;
    loop {
        value = match value {
            Value::Record(members) if !members.is_empty() => {
                if !members[0].0.is_empty() {
                    path.push_str(&format!(".{}", members[0].0));
                }
                &members[0].1
            }
            Value::Array(elements, _) if !elements.is_empty() => {
                path.push_str("[0]");
                &elements[0]
            }
            _ => return path,
        };
    }
}
