//! Objects: where an access leads, reading and writing.
//!
//! An access with an offset that depends on the input reads or writes every
//! cell that it can lead to, under the condition that it leads there.

use std::rc::Rc;

use c_syntax::Span;
use ir::{Access, AccessRoot, GlobalId, Operand, Projection, StaticTarget};
use solver::{Node, Sort, Term};

use super::arithmetic::Kind;
use super::run::Engine;
use super::state::{Object, State};
use super::value::{Content, Target, Value, byte_of, choose_content, possible};
use super::{Reading, Unknown, ViolationKind};

/// An offset that may be at more cells than this is not modelled.
const MOST_CELLS: usize = 600;

impl Engine<'_> {
    pub(super) fn new_object(&mut self, state: &mut State, name: &str, size: Term, zeroed: bool, heap: bool) -> usize {
        let id = self.next_object;
        self.next_object += 1;
        let gone = self.terms.constant(false);
        let zeroed = self.terms.constant(zeroed);
        let object = Object { name: name.into(), size, room: size, cells: Default::default(), zeroed, gone, heap };
        state.objects.insert(id, Rc::new(object));
        id
    }

    pub(super) fn create_globals(&mut self, state: &mut State) {
        let program = self.request.program;
        for (index, global) in program.globals.iter().enumerate() {
            // What nobody writes needs no object.
            let is_open = self.selectors.contains_key(&GlobalId(index as u32)) || self.unknowns.contains_key(&index);
            if !is_open {
                let size = self.terms.bits(program.types.size_of(global.ty).max(1), 64);
                self.globals[index] = Some(self.new_object(state, &global.name, size, true, false));
            }
        }
        for (index, global) in program.globals.iter().enumerate() {
            if let Some(id) = self.globals[index] {
                self.image(state, id, global.ty, 0, &global.image, &global.relocations);
            }
        }
    }

    /// The value of a selector of a choice: nothing ever writes to it.
    pub(super) fn selector(&mut self, access: &Access) -> Option<Value> {
        let AccessRoot::Global(global) = access.root else { return None };
        let selector = *self.selectors.get(&global)?;
        Some(Value::Int(self.terms.bits_of_bool(selector, 8)))
    }

    /// The initial value of a global: every scalar that is not zero.
    fn image(
        &mut self,
        state: &mut State,
        id: usize,
        ty: c_types::TypeId,
        at: u64,
        image: &[u8],
        relocations: &[ir::Relocation],
    ) {
        let types = self.request.program.types.clone();
        let size = types.size_of(ty);
        let bytes = image.get(at as usize..(at + size) as usize).unwrap_or_default();
        let has_address = relocations.iter().any(|r| (at..at + size.max(1)).contains(&r.offset));
        if !has_address && bytes.iter().all(|byte| *byte == 0) {
            return;
        }
        match types.get(ty) {
            c_types::Type::Array(element, Some(length)) => {
                let step = types.size_of(*element);
                (0..*length).for_each(|i| self.image(state, id, *element, at + i * step, image, relocations));
            }
            c_types::Type::Record(record) => {
                let fields: Vec<_> = types.record(*record).fields.iter().map(|f| (f.ty, f.offset, f.bits)).collect();
                for (ty, offset, bits) in fields {
                    if bits.is_none() {
                        self.image(state, id, ty, at + offset, image, relocations);
                    }
                }
            }
            _ => {
                let value = self.scalar_image(state, ty, at, bytes, relocations);
                self.put_cell(state, id, at, size, Content::Set(value));
            }
        }
    }

    fn scalar_image(
        &mut self,
        state: &mut State,
        ty: c_types::TypeId,
        at: u64,
        bytes: &[u8],
        relocations: &[ir::Relocation],
    ) -> Value {
        let number = bytes.iter().rev().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
        match self.kind(ty) {
            Kind::Int { width, .. } => Value::Int(self.terms.bits(number, width)),
            Kind::Pointer => {
                let Some(relocation) = relocations.iter().find(|r| r.offset == at) else {
                    return Value::null(self.terms);
                };
                let addend = self.terms.bits(relocation.addend as u64, 64);
                let target = match &relocation.target {
                    StaticTarget::Global(id) => match self.globals[id.index()] {
                        Some(object) => Target::Object(object, addend),
                        None => return Value::Opaque,
                    },
                    StaticTarget::Text(text) => Target::Object(self.text_object(state, text.index()), addend),
                    StaticTarget::Function(ir::FunctionRef::Own(id)) => Target::Function(id.index()),
                    StaticTarget::Function(_) => return Value::Opaque,
                };
                Value::pointer(self.terms, target)
            }
            _ => Value::Opaque,
        }
    }

    /// The object of a string literal. It is made in every state that asks for it first.
    pub(super) fn text_object(&mut self, state: &mut State, text: usize) -> usize {
        let id = match self.texts[text] {
            Some(id) => id,
            None => {
                let id = self.next_object;
                self.next_object += 1;
                self.texts[text] = Some(id);
                id
            }
        };
        if state.objects.contains_key(&id) {
            return id;
        }
        let bytes = self.request.program.texts[text].clone();
        let size = self.terms.bits(bytes.len() as u64 + 1, 64);
        let never = self.terms.constant(false);
        let cell =
            |(i, byte): (usize, u8)| (i as u64, (1, Content::Set(Value::Int(self.terms.bits(u64::from(byte), 8)))));
        let cells = bytes.into_iter().chain([0]).enumerate().map(cell).collect();
        let name = "a string literal".into();
        let object = Object { name, size, room: size, cells, zeroed: never, gone: never, heap: false };
        state.objects.insert(id, Rc::new(object));
        id
    }

    /// A local variable comes into being.
    pub(super) fn begin_local(&mut self, state: &mut State, local: usize) {
        let frame = self.frames.last().expect("a function is running");
        let info = &self.request.program.function(frame.function).locals[local];
        if !info.in_memory {
            if *state.locals.get(local) != Content::Unset {
                state.locals.set(local, Content::Unset);
            }
            return;
        }
        let size = self.terms.bits(self.request.program.types.size_of(info.ty).max(1), 64);
        // The variable of the round before is the same one, as in the interpreter.
        if let Some(id) = frame.objects[local] {
            self.reset_object(state, id, &info.name, size);
            return;
        }
        let id = self.new_object(state, &info.name, size, false, false);
        self.frame().objects[local] = Some(id);
    }

    fn reset_object(&mut self, state: &mut State, id: usize, name: &str, size: Term) {
        let never = self.terms.constant(false);
        let object = Object {
            name: name.into(),
            size,
            room: size,
            cells: Default::default(),
            zeroed: never,
            gone: never,
            heap: false,
        };
        state.objects.insert(id, Rc::new(object));
    }

    /// Of what a pointer points to, only the first `room` bytes can be used from here on.
    pub(super) fn narrow(&mut self, state: &mut State, parts: &[(Term, Target)], room: Term) {
        for (guard, target) in parts {
            let Target::Object(id, _) = target else { continue };
            let Some(object) = state.objects.get_mut(id) else { continue };
            let room = self.terms.ite(*guard, room, object.room);
            Rc::make_mut(object).room = room;
        }
    }

    pub(super) fn begin_array(&mut self, state: &mut State, local: usize, size: &Operand) {
        let name = self.local_name(local);
        let size = match self.operand(state, size) {
            Value::Int(size) => self.resize(size, 64, false),
            _ => self.terms.bits(0, 64),
        };
        let id = self.new_object(state, &name, size, false, false);
        self.frame().objects[local] = Some(id);
    }

    fn local_name(&self, local: usize) -> Rc<str> {
        let frame = self.frames.last().expect("a function is running");
        let name = &self.request.program.function(frame.function).locals[local].name;
        Rc::from(&**name)
    }

    /// The locals of a function that returned are gone.
    pub(super) fn end_locals(&mut self, state: &mut State, objects: &[Option<usize>]) {
        for id in objects.iter().flatten() {
            if let Some(object) = state.objects.get_mut(id) {
                let object = Rc::make_mut(object);
                object.gone = self.terms.constant(true);
                object.cells.clear();
            }
        }
    }

    /// The object of a local that is in memory.
    fn local_object(&mut self, state: &mut State, local: usize) -> Option<usize> {
        let frame = self.frames.last().expect("a function is running");
        let info = &self.request.program.function(frame.function).locals[local];
        if !info.in_memory {
            return None;
        }
        if frame.objects[local].is_none() {
            self.begin_local(state, local);
        }
        let id = self.frame().objects[local]?;
        if !state.objects.contains_key(&id) {
            // It was declared on another way only.
            let ty = self.local_type(local);
            let size = self.terms.bits(self.request.program.types.size_of(ty).max(1), 64);
            let name = self.local_name(local);
            self.reset_object(state, id, &name, size);
        }
        Some(id)
    }

    pub(super) fn get_local(&mut self, state: &mut State, local: usize, kind: Kind, span: Span) -> Content {
        match self.local_object(state, local) {
            None => state.locals.get(local).clone(),
            Some(id) => self.get_at(state, id, 0, kind, span),
        }
    }

    pub(super) fn put_local(&mut self, state: &mut State, local: usize, content: Content) {
        match self.local_object(state, local) {
            None => state.locals.set(local, content),
            Some(id) => {
                let size = self.request.program.types.size_of(self.local_type(local));
                self.put_at(state, id, 0, size, &content);
            }
        }
    }

    /// Where an access leads; `None` for what is not modelled, which is noted.
    pub(super) fn address(&mut self, state: &mut State, access: &Access) -> Option<Vec<(Term, Target)>> {
        let start = self.terms.bits(0, 64);
        let always = self.terms.constant(true);
        let mut parts = match &access.root {
            AccessRoot::Local(local) => match self.local_object(state, local.index()) {
                Some(id) => vec![(always, Target::Object(id, start))],
                None => {
                    self.not_modelled(state, access.span, "the address of this variable is not modelled".into());
                    return None;
                }
            },
            AccessRoot::Global(global) => {
                if self.request.program.globals[global.index()].external {
                    vec![(always, Target::Stream)]
                } else {
                    vec![(always, Target::Object(self.globals[global.index()]?, start))]
                }
            }
            AccessRoot::Text(text) => vec![(always, Target::Object(self.text_object(state, text.index()), start))],
            AccessRoot::Deref(pointer) => match self.operand(state, pointer) {
                Value::Pointer(parts) => parts.to_vec(),
                _ => {
                    self.not_modelled(state, access.span, "this pointer is not modelled".into());
                    return None;
                }
            },
        };
        for projection in &access.path {
            let bytes = self.projected(state, projection, access.span)?;
            for (_, target) in &mut parts {
                if let Target::Object(_, offset) = target {
                    *offset = self.terms.add(*offset, bytes);
                }
            }
        }
        Some(parts)
    }

    fn projected(&mut self, state: &mut State, projection: &Projection, span: Span) -> Option<Term> {
        match projection {
            Projection::Field { offset, .. } => Some(self.terms.bits(*offset, 64)),
            Projection::Index { index, scale, length } => {
                let signed = self.request.program.types.is_signed(index.ty);
                let (Value::Int(i), Value::Int(scale)) = (self.operand(state, index), self.operand(state, scale))
                else {
                    self.not_modelled(state, span, "this index is not modelled".into());
                    return None;
                };
                let i = self.resize(i, 64, signed);
                if let Some(length) = length.filter(|length| *length > 1) {
                    let length = self.terms.bits(length, 64);
                    let fits = self.terms.ult(i, length);
                    let bad = self.terms.not(fits);
                    self.violate(state, bad, ViolationKind::OutOfBounds, span, String::new());
                }
                Some(self.terms.mul(i, scale))
            }
        }
    }

    pub(super) fn load(&mut self, state: &mut State, access: &Access) -> Content {
        let kind = self.kind(access.ty);
        if access.bits.is_some() {
            self.not_modelled(state, access.span, "bit-fields are not modelled".into());
            return Content::Set(self.arbitrary(kind));
        }
        if let AccessRoot::Local(local) = &access.root
            && access.path.is_empty()
        {
            return self.get_local(state, local.index(), kind, access.span);
        }
        if let (AccessRoot::Global(global), Kind::Int { width, is_bool, .. }) = (&access.root, kind)
            && let Some(value) = self.unknown(state, *global, width, is_bool)
        {
            return Content::Set(Value::Int(value));
        }
        if let AccessRoot::Global(global) = &access.root
            && self.request.program.globals[global.index()].external
        {
            return Content::Set(Value::pointer(self.terms, Target::Stream));
        }
        let Some(parts) = self.address(state, access) else { return Content::Set(self.arbitrary(kind)) };
        let size = self.request.program.types.size_of(access.ty);
        self.load_from(state, &parts, kind, size, access.span)
    }

    /// The value of a global that is unknown.
    fn unknown(&mut self, state: &State, global: GlobalId, width: u32, is_bool: bool) -> Option<Term> {
        let (unknown, reads) = self.unknowns.get_mut(&global.index())?;
        let term = match unknown {
            Unknown::Fixed(term) => *term,
            Unknown::Any => {
                *reads += 1;
                let name = format!("{} {reads}", self.request.program.globals[global.index()].name);
                let sort = if is_bool { Sort::Bool } else { Sort::Bits(width) };
                let value = self.terms.variable(&name, sort);
                self.readings.push(Reading { global, value, when: state.path });
                value
            }
        };
        Some(match self.terms.sort(term) {
            Sort::Bool => self.terms.bits_of_bool(term, width),
            _ => term,
        })
    }

    /// What is at one of these places.
    pub(super) fn load_from(
        &mut self,
        state: &mut State,
        parts: &[(Term, Target)],
        kind: Kind,
        size: u64,
        span: Span,
    ) -> Content {
        let mut found: Option<Content> = None;
        for (guard, target) in parts.iter().rev() {
            let Some((id, offset)) = self.usable(state, *guard, target, size, span) else { continue };
            let content = self.load_object(state, id, offset, kind, size, *guard, span);
            found = Some(match found {
                Some(rest) => choose_content(self.terms, *guard, &content, &rest),
                None => content,
            });
        }
        found.unwrap_or_else(|| Content::Set(self.arbitrary(kind)))
    }

    /// The object and offset of a place, if it is one; using anything else goes wrong.
    fn usable(&mut self, state: &State, guard: Term, target: &Target, size: u64, span: Span) -> Option<(usize, Term)> {
        match target {
            Target::Object(id, offset) => {
                let object = state.objects.get(id)?.clone();
                let gone = self.terms.and(guard, object.gone);
                self.violate(state, gone, ViolationKind::Dangling, span, object.name.to_string());
                let needed = self.terms.bits(size, 64);
                let small = self.terms.ult(object.room, needed);
                let last = self.terms.sub(object.room, needed);
                let past = self.terms.ult(last, *offset);
                let outside = self.terms.or(small, past);
                let bad = self.terms.and(guard, outside);
                self.violate(state, bad, ViolationKind::OutOfBounds, span, object.name.to_string());
                Some((*id, *offset))
            }
            Target::Null => {
                self.violate(state, guard, ViolationKind::Null, span, String::new());
                None
            }
            Target::Function(_) | Target::Stream | Target::Argument(_) => {
                let mut at = state.clone();
                at.path = self.terms.and(state.path, guard);
                self.not_modelled(&at, span, "what this pointer points to is not modelled".into());
                None
            }
        }
    }

    fn load_object(
        &mut self,
        state: &mut State,
        id: usize,
        offset: Term,
        kind: Kind,
        size: u64,
        guard: Term,
        span: Span,
    ) -> Content {
        let Some(places) = self.places(state, id, offset, size) else {
            let mut at = state.clone();
            at.path = self.terms.and(state.path, guard);
            self.not_modelled(&at, span, "an index into a large array depends on the input".into());
            return Content::Set(self.arbitrary(kind));
        };
        let mut found: Option<Content> = None;
        for place in places.into_iter().rev() {
            let content = self.get_at(state, id, place, kind, span);
            found = Some(match found {
                Some(rest) => {
                    let here = self.is_at(offset, place);
                    choose_content(self.terms, here, &content, &rest)
                }
                None => content,
            });
        }
        found.unwrap_or_else(|| Content::Set(self.arbitrary(kind)))
    }

    fn is_at(&mut self, offset: Term, place: u64) -> Term {
        let place = self.terms.bits(place, 64);
        self.terms.eq(offset, place)
    }

    /// The offsets within an object that a term can be.
    fn places(&mut self, state: &State, id: usize, offset: Term, size: u64) -> Option<Vec<u64>> {
        let object = &state.objects[&id];
        let total = possible(self.terms, object.size, 64).and_then(|sizes| sizes.into_iter().max());
        let fits = |place: &u64| total.is_none_or(|total| place.checked_add(size).is_some_and(|end| end <= total));
        if let Some(places) = possible(self.terms, offset, 64) {
            return Some(places.into_iter().filter(fits).collect());
        }
        let total = total?;
        let (first, stride) = self.stride(offset);
        let places: Vec<u64> = (first..total).step_by(stride as usize).filter(fits).take(MOST_CELLS + 1).collect();
        (places.len() <= MOST_CELLS).then_some(places)
    }

    /// `offset` is `first` and a multiple of `stride`; `first` is less than `stride`.
    fn stride(&self, offset: Term) -> (u64, u64) {
        match self.terms.node(offset) {
            Node::Sum { constant, parts } => {
                let power = |factor: u64| 1u64 << factor.trailing_zeros().min(20);
                let all = parts.iter().map(|part| part.0);
                // Multiples wrap around, so only powers of two are certain, unless the factor is small and alone.
                let stride = match parts.len() {
                    1 if parts[0].0 < 4096 => parts[0].0,
                    _ => all.map(power).min().unwrap_or(1),
                };
                let stride = stride.max(1);
                // A constant before the start of the object is a negative number.
                ((*constant as i64).rem_euclid(stride as i64) as u64, stride)
            }
            _ => (0, 1),
        }
    }

    /// What an object holds at a known offset.
    pub(super) fn get_at(&mut self, state: &mut State, id: usize, at: u64, kind: Kind, span: Span) -> Content {
        let size = match kind {
            Kind::Int { width, .. } => u64::from(width) / 8,
            Kind::Pointer => 8,
            Kind::Record(size) => return self.get_record(state, id, at, size),
            Kind::Other => return Content::Set(Value::Opaque),
        };
        let Some(object) = state.objects.get(&id).cloned() else { return Content::Unset };
        if let Some((known, content)) = object.cells.get(&at)
            && *known == size
        {
            return self.as_kind(content.clone(), kind);
        }
        // An offset before the start of an object is a very large one.
        let end = at.saturating_add(size);
        let overlapping = object.cells.range(at.saturating_sub(15)..end).any(|(o, cell)| o.saturating_add(cell.0) > at);
        if !overlapping {
            let zero = self.arbitrary(kind);
            return object.if_zeroed(self.terms, zero);
        }
        let bytes: Option<Vec<Content>> = (at..end).map(|byte| self.byte(&object, byte)).collect();
        match bytes.and_then(|bytes| self.assemble(&bytes)) {
            Some(content) => self.as_kind(content, kind),
            None => {
                self.not_modelled(state, span, "memory is read with another type than it was written with".into());
                Content::Set(self.arbitrary(kind))
            }
        }
    }

    /// One byte of an object.
    fn byte(&mut self, object: &Object, at: u64) -> Option<Content> {
        let covering =
            object.cells.range(at.saturating_sub(15)..=at).rev().find(|(o, cell)| o.saturating_add(cell.0) > at);
        let Some((start, (_, content))) = covering else {
            let zero = self.terms.bits(0, 8);
            return Some(object.if_zeroed(self.terms, Value::Int(zero)));
        };
        let byte = byte_of(self.terms, content, (at - start) as u32);
        (byte.value() != Some(&Value::Opaque)).then_some(byte)
    }

    /// Bytes as one integer, the first the lowest.
    fn assemble(&mut self, bytes: &[Content]) -> Option<Content> {
        let always = self.terms.constant(true);
        let (mut whole, mut set): (Option<Term>, Term) = (None, always);
        for byte in bytes {
            let here = byte.is_set(self.terms);
            set = self.terms.and(set, here);
            let term = match byte.value() {
                Some(Value::Int(term)) => *term,
                None => self.terms.bits(0, 8),
                Some(_) => return None,
            };
            whole = Some(match whole {
                Some(low) => self.terms.concat(term, low),
                None => term,
            });
        }
        Some(match self.terms.value(set) {
            Some(1) => Content::Set(Value::Int(whole?)),
            Some(_) => Content::Unset,
            None => Content::Mixed(Value::Int(whole?), set),
        })
    }

    fn as_kind(&mut self, content: Content, kind: Kind) -> Content {
        let mut fit = |value: Value| match (&value, kind) {
            (Value::Int(term), Kind::Pointer) if self.terms.value(*term) == Some(0) => Value::null(self.terms),
            (Value::Int(_), Kind::Int { .. }) | (Value::Pointer(_), Kind::Pointer) => value,
            _ => Value::Opaque,
        };
        match content {
            Content::Unset => Content::Unset,
            Content::Set(value) => Content::Set(fit(value)),
            Content::Mixed(value, set) => Content::Mixed(fit(value), set),
        }
    }

    fn get_record(&mut self, state: &mut State, id: usize, at: u64, size: u64) -> Content {
        let Some(object) = state.objects.get(&id).cloned() else { return Content::Unset };
        let end = at.saturating_add(size);
        let cells = object.cells.range(at..end).map(|(o, (size, content))| (o - at, *size, content.clone()));
        let mut cells: Vec<_> = cells.collect();
        if self.terms.value(object.zeroed) != Some(0) {
            // What has no cell yet is zero; its bytes are made cells here.
            let free: Vec<u64> = (at..end)
                .filter(|byte| {
                    !object
                        .cells
                        .range(byte.saturating_sub(15)..=*byte)
                        .any(|(o, cell)| o.saturating_add(cell.0) > *byte)
                })
                .collect();
            let zero = self.terms.bits(0, 8);
            let content = object.if_zeroed(self.terms, Value::Int(zero));
            cells.extend(free.into_iter().map(|byte| (byte - at, 1, content.clone())));
        }
        Content::Set(Value::Record(cells.into()))
    }

    pub(super) fn store(&mut self, state: &mut State, access: &Access, value: &Value) {
        if access.bits.is_some() {
            self.not_modelled(state, access.span, "bit-fields are not modelled".into());
            return;
        }
        if let AccessRoot::Local(local) = &access.root
            && access.path.is_empty()
        {
            return self.put_local(state, local.index(), Content::Set(value.clone()));
        }
        let Some(parts) = self.address(state, access) else { return };
        let size = self.request.program.types.size_of(access.ty);
        self.store_to(state, &parts, size, value, access.span);
    }

    /// Writes to one of these places.
    pub(super) fn store_to(
        &mut self,
        state: &mut State,
        parts: &[(Term, Target)],
        size: u64,
        value: &Value,
        span: Span,
    ) {
        for (guard, target) in parts {
            let Some((id, offset)) = self.usable(state, *guard, target, size, span) else { continue };
            let Some(places) = self.places(state, id, offset, size) else {
                let mut at = state.clone();
                at.path = self.terms.and(state.path, *guard);
                self.not_modelled(&at, span, "an index into a large array depends on the input".into());
                continue;
            };
            for place in places {
                let here = self.is_at(offset, place);
                let when = self.terms.and(*guard, here);
                self.put_when(state, id, place, size, value, when, span);
            }
        }
    }

    fn put_when(&mut self, state: &mut State, id: usize, at: u64, size: u64, value: &Value, when: Term, span: Span) {
        let content = match self.terms.value(when) {
            Some(0) => return,
            Some(_) => Content::Set(value.clone()),
            None => {
                let kind = match value {
                    Value::Int(term) => Kind::Int { width: self.terms.width(*term), signed: false, is_bool: false },
                    Value::Pointer(_) => Kind::Pointer,
                    Value::Record(_) => Kind::Record(size),
                    Value::Opaque => Kind::Other,
                };
                let old = self.get_at(state, id, at, kind, span);
                choose_content(self.terms, when, &Content::Set(value.clone()), &old)
            }
        };
        self.put_at(state, id, at, size, &content);
    }

    /// Writes at a known offset.
    pub(super) fn put_at(&mut self, state: &mut State, id: usize, at: u64, size: u64, content: &Content) {
        let record = content;
        match content {
            Content::Set(Value::Record(cells)) | Content::Mixed(Value::Record(cells), _) => {
                self.make_room(state, id, at, size);
                // Bytes that the record never got are not zero here, whatever the object was before.
                if state.objects.get(&id).is_some_and(|object| self.terms.value(object.zeroed) != Some(0)) {
                    for byte in at..at + size {
                        self.put_cell(state, id, byte, 1, Content::Unset);
                    }
                }
                for (offset, size, content) in cells.iter() {
                    let content = match record {
                        Content::Mixed(_, set) => choose_content(self.terms, *set, content, &Content::Unset),
                        _ => content.clone(),
                    };
                    self.put_cell(state, id, at + offset, *size, content);
                }
            }
            content => self.put_cell(state, id, at, size, content.clone()),
        }
    }

    fn put_cell(&mut self, state: &mut State, id: usize, at: u64, size: u64, content: Content) {
        self.make_room(state, id, at, size);
        if let Some(object) = state.objects.get_mut(&id) {
            Rc::make_mut(object).cells.insert(at, (size, content));
        }
    }

    /// Removes cells that are overwritten; of one that is overwritten in part, the rest stays as bytes.
    fn make_room(&mut self, state: &mut State, id: usize, at: u64, size: u64) {
        let Some(shared) = state.objects.get(&id).cloned() else { return };
        let hit: Vec<(u64, u64)> = shared
            .cells
            .range(at.saturating_sub(15)..at.saturating_add(size))
            .filter(|(o, cell)| o.saturating_add(cell.0) > at)
            .map(|(o, cell)| (*o, cell.0))
            .collect();
        if hit.is_empty() {
            return;
        }
        let mut rest = vec![];
        for (start, length) in &hit {
            let (own, written) = (*start..start.saturating_add(*length), at..at.saturating_add(size));
            for byte in own.filter(|byte| !written.contains(byte)) {
                let content = self.byte(&shared, byte).unwrap_or(Content::Set(Value::Opaque));
                rest.push((byte, (1, content)));
            }
        }
        let object = Rc::make_mut(state.objects.get_mut(&id).expect("it is there"));
        for (start, _) in hit {
            object.cells.remove(&start);
        }
        object.cells.extend(rest);
    }

    /// Sets all bytes of a place to zero.
    pub(super) fn clear(&mut self, state: &mut State, access: &Access) {
        let size = self.request.program.types.size_of(access.ty);
        let Some(parts) = self.address(state, access) else { return };
        self.fill(state, &parts, size, 0, access.span);
    }

    /// Sets bytes to a value.
    pub(super) fn fill(&mut self, state: &mut State, parts: &[(Term, Target)], size: u64, byte: u8, span: Span) {
        for (guard, target) in parts {
            let Some((id, offset)) = self.usable(state, *guard, target, size, span) else { continue };
            let Some(at) = self.terms.value(offset).filter(|_| self.terms.value(*guard) == Some(1)) else {
                self.not_modelled(state, span, "memory is filled at a place that depends on the input".into());
                continue;
            };
            self.make_room(state, id, at, size);
            let Some(object) = state.objects.get_mut(&id) else { continue };
            let whole = self.terms.value(object.size) == Some(size) && at == 0;
            let object = Rc::make_mut(object);
            if whole && byte == 0 {
                object.zeroed = self.terms.constant(true);
                continue;
            }
            if self.terms.value(object.zeroed) == Some(1) && byte == 0 {
                continue;
            }
            let value = self.terms.bits(u64::from(byte), 8);
            object.cells.extend((at..at.saturating_add(size)).map(|o| (o, (1, Content::Set(Value::Int(value))))));
        }
    }
}
