//! Heap statements and guards (W §4): any well-typed assignment, field read or
//! write, null or constant; comparisons; deletion; insertion.
//!
//! With `struct node *p, *q` in scope, whose only pointer member is `next`, the
//! terms are `p`, `q`, `p->next`, `q->next`, `p->next->next`, … and `NULL`;
//! `p = q` could become `p->next = q`, `p = NULL`, and so on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use c_types::{Type, TypeId};
use encode::{COMPARISONS, Comparison, Instruction, Member, Model, Place, PlaceKind, PlaceSpace, Scalar, Scope, Space};
use encode::{EditSpot, Term, TypedTerm, Variable, is_modelled};
use ir::{
    Action, ActionId, ActionKind, BinaryOp, FunctionId, GlobalId, LocalId, OperandKind, Rvalue, StepId, StepKind,
    UnaryOp,
};
use memory::Visible;

use super::wide;

/// Builds the spaces of places; scopes are shared.
pub struct HeapScheme<'m> {
    model: &'m Model,
    options: SchemeOptions,
    scopes: BTreeMap<(FunctionId, Vec<Variable>), Arc<Scope>>,
    /// Numbers that are not written in the program.
    numbers: BTreeSet<i64>,
}

/// How large the spaces are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemeOptions {
    /// Whether `x->f->g` is a term.
    pub chains: bool,
    /// More terms than this in a scope: chains are left out.
    pub most_terms: usize,
    /// Whether there is more than single statements: see [`crate::scheme::wide`].
    pub wide: bool,
    /// Whether two things inside of one statement or condition can both be others.
    pub pairs: bool,
}

impl Default for SchemeOptions {
    fn default() -> Self {
        SchemeOptions { chains: true, most_terms: 250, wide: false, pairs: false }
    }
}

impl<'m> HeapScheme<'m> {
    /// The scheme for a program.
    pub fn new(model: &'m Model, options: SchemeOptions) -> HeapScheme<'m> {
        HeapScheme { model, options, scopes: BTreeMap::new(), numbers: BTreeSet::new() }
    }

    /// The same, where these numbers can be written too.
    pub fn with_numbers(self, numbers: BTreeSet<i64>) -> HeapScheme<'m> {
        HeapScheme { numbers, ..self }
    }

    /// The space of these places; those where nothing can be edited are left out.
    pub fn space(&mut self, places: &BTreeSet<Place>) -> Space {
        let known = places.iter().filter_map(|&place| Some((place, self.place(place)?)));
        Space { places: known.collect() }
    }

    /// What can be done at a place.
    pub fn place(&mut self, place: Place) -> Option<PlaceSpace> {
        let mut found = self.simple(place)?;
        if self.options.wide {
            found.wide = Some(wide::wide(self.model, place, &found.scope, &found.kind));
        }
        Some(found)
    }

    fn simple(&mut self, place: Place) -> Option<PlaceSpace> {
        match place {
            Place::Slot(slot) => {
                let scope = self.model.code.slots[slot.0 as usize].scope;
                Some(PlaceSpace { scope: self.scope(scope), kind: PlaceKind::Slot, wide: None, pairs: Vec::new() })
            }
            Place::Step(step) => {
                let program = &self.model.program;
                let inside_macro = program.macro_uses.contains(&program.step(step).span);
                let known = self.model.code.steps[step.index()].exists && program.step(step).kind != StepKind::Exit;
                if inside_macro || !known || !is_modelled(program, &self.model.code, step) {
                    return None;
                }
                let kind = self.kind(step)?;
                let pairs = if self.options.pairs { self.pairs(step, &kind) } else { Vec::new() };
                Some(PlaceSpace { scope: self.scope(step), kind, wide: None, pairs })
            }
        }
    }

    fn actions(&self, step: StepId) -> impl Iterator<Item = &'m Action> {
        let place = &self.model.code.steps[step.index()];
        let code = &self.model.code.functions[place.function as usize].code[place.start as usize..place.end as usize];
        code.iter().filter_map(|instruction| match instruction {
            Instruction::Act(action) => Some(action),
            _ => None,
        })
    }

    fn kind(&self, step: StepId) -> Option<PlaceKind> {
        let place = &self.model.code.steps[step.index()];
        if place.is_condition {
            let (atoms, operands, operators) = (self.atoms(step), self.operands(step), self.operators(step));
            return Some(PlaceKind::Condition { atoms, operands, operators });
        }
        if let Some(ty) = self.assignment(step) {
            // A simple source or target is replaced as a whole.
            let simple = self.actions(step).all(is_simple);
            let operands = if simple { Vec::new() } else { self.operands(step) };
            let declares = self.declares(step);
            return Some(PlaceKind::Assignment { ty, operands, declares });
        }
        let kind = self.model.program.step(step).kind;
        let deletable = matches!(kind, StepKind::Expression);
        let result = (kind == StepKind::Return).then(|| self.model.program.functions[place.function as usize].result);
        let assigned = encode::result_of_call(self.model, step);
        Some(PlaceKind::Other { operands: self.operands(step), deletable, result, assigned })
    }

    /// Whether a statement declares a variable, which the first clause of `for` may do too.
    fn declares(&self, step: StepId) -> bool {
        let place = &self.model.code.steps[step.index()];
        let code = &self.model.code.functions[place.function as usize].code[place.start as usize..place.end as usize];
        code.iter().any(|instruction| matches!(instruction, Instruction::Declare(_)))
    }

    /// The type of what is assigned, if the statement is one assignment and
    /// calls no function of the program.
    fn assignment(&self, step: StepId) -> Option<TypeId> {
        let program = &self.model.program;
        let place = &self.model.code.steps[step.index()];
        let kind = program.step(step).kind;
        let plain =
            matches!(kind, StepKind::Expression | StepKind::Declaration | StepKind::ForInit | StepKind::ForUpdate);
        let function = &program.functions[place.function as usize];
        let writes = |action: &Action| match &action.kind {
            ActionKind::Assign { to, .. } => to.index() < function.named,
            ActionKind::Store { .. } | ActionKind::Clear { .. } => true,
            ActionKind::Call { to, .. } => to.is_none_or(|to| to.index() < function.named),
            ActionKind::Concrete { .. } => true,
        };
        if !plain || place.calls || self.actions(step).filter(|action| writes(action)).count() != 1 {
            return None;
        }
        let code = &self.model.code.functions[place.function as usize].code;
        let Instruction::Act(last) = &code[place.end as usize - 1] else { return None };
        let ty = match &last.kind {
            ActionKind::Assign { to, .. } if to.index() < function.named => function.locals[to.index()].ty,
            ActionKind::Store { to, .. } if to.bits.is_none() => to.ty,
            // `x = (T *) malloc(n)`
            ActionKind::Call { to: Some(to), .. } if encode::allocates(self.model, step) => {
                function.locals[to.index()].ty
            }
            _ => return None,
        };
        Scalar::of(&program.types, ty).map(|_| ty)
    }

    /// The comparisons of a compound condition.
    fn atoms(&self, step: StepId) -> Vec<(ActionId, Option<bool>)> {
        let actions: Vec<&Action> = self.actions(step).collect();
        let compares = |action: &&&Action| match &action.kind {
            ActionKind::Assign { value: Rvalue::Binary(op, ..), .. } => COMPARISONS.contains(op),
            _ => false,
        };
        let joins = actions.iter().find_map(|action| match &action.kind {
            ActionKind::Assign { value: Rvalue::Binary(op @ (BinaryOp::BoolAnd | BinaryOp::BoolOr), ..), .. } => {
                Some(*op == BinaryOp::BoolAnd)
            }
            _ => None,
        });
        let mixed = actions.iter().any(|action| match &action.kind {
            ActionKind::Assign { value: Rvalue::Binary(op @ (BinaryOp::BoolAnd | BinaryOp::BoolOr), ..), .. } => {
                Some(*op == BinaryOp::BoolAnd) != joins
            }
            _ => false,
        });
        match joins {
            None => Vec::new(),
            Some(and) => {
                let without = (!mixed).then_some(and);
                actions.iter().filter(compares).map(|action| (action.id, without)).collect()
            }
        }
    }

    /// The comparisons of a condition, and whether what they compare has an order.
    fn operators(&self, step: StepId) -> Vec<(ActionId, BinaryOp, bool)> {
        let types = &self.model.program.types;
        let compares = |action: &Action| match &action.kind {
            ActionKind::Assign { value: Rvalue::Binary(op, left, ..), .. } if COMPARISONS.contains(op) => {
                Some((action.id, *op, !types.is_pointer(left.ty)))
            }
            _ => None,
        };
        self.actions(step).filter_map(compares).collect()
    }

    /// Operands that are variables or constants as the user wrote them.
    fn operands(&self, step: StepId) -> Vec<(ActionId, u8, TypeId)> {
        let program = &self.model.program;
        let function = &program.functions[self.model.code.steps[step.index()].function as usize];
        let mut found = Vec::new();
        for action in self.actions(step) {
            let mut action = action.clone();
            let id = action.id;
            for (number, operand) in encode::operands(&mut action).into_iter().enumerate() {
                let written = match operand.kind {
                    OperandKind::Local(local) => local.index() < function.named || self.is_loaded(step, local),
                    OperandKind::Int(_) => true,
                    _ => false,
                };
                let visible = !program.macro_uses.contains(&operand.span) && operand.span.start < operand.span.end;
                // What `free` gets is what the user wrote, not the `void *` that it becomes.
                let ty = match operand.kind {
                    OperandKind::Local(local) => function.locals[local.index()].ty,
                    _ => operand.ty,
                };
                if written && visible && Scalar::of(&program.types, ty).is_some() {
                    found.push((id, number as u8, ty));
                }
            }
        }
        found
    }

    /// Any two operands that do not stand inside of one another, and the target with any operand.
    fn pairs(&self, step: StepId, kind: &PlaceKind) -> Vec<[EditSpot; 2]> {
        let (operands, target) = match kind {
            PlaceKind::Assignment { ty, operands, declares } => (operands, Some(*ty).filter(|_| !declares)),
            PlaceKind::Condition { operands, .. } => (operands, None),
            PlaceKind::Other { operands, assigned, .. } => (operands, *assigned),
            PlaceKind::Slot => return Vec::new(),
        };
        let span = |&(id, number, _): &(ActionId, u8, TypeId)| {
            let mut action = self.actions(step).find(|action| action.id == id)?.clone();
            encode::operands(&mut action).get(usize::from(number)).map(|operand| operand.span)
        };
        let written: Vec<_> = operands.iter().filter_map(|operand| Some((operand, span(operand)?))).collect();
        let spot = |&(action, number, ty): &(ActionId, u8, TypeId)| EditSpot::Operand(action, number, ty);
        let mut pairs = Vec::new();
        for (i, (one, at)) in written.iter().enumerate() {
            pairs.extend(target.map(|ty| [EditSpot::Target(ty), spot(one)]));
            let apart = written[i + 1..].iter().filter(|(_, other)| at.end <= other.start || other.end <= at.start);
            pairs.extend(apart.map(|(other, _)| [spot(one), spot(other)]));
        }
        pairs
    }

    /// Whether a temporary stands for something that can be replaced as a whole: a global, a member, or the
    /// address of something (an array is no address that was written).
    fn is_loaded(&self, step: StepId, local: LocalId) -> bool {
        let types = &self.model.program.types;
        self.actions(step).any(|action| match &action.kind {
            ActionKind::Assign { to, value: Rvalue::Load(_), .. } => *to == local,
            ActionKind::Assign { to, value: Rvalue::AddressOf(access), .. } => {
                *to == local && !matches!(types.get(access.ty), Type::Array(..))
            }
            _ => false,
        })
    }

    fn scope(&mut self, step: StepId) -> Arc<Scope> {
        let program = &self.model.program;
        let function = program.step(step).function;
        let locals = program.step(step).visible.iter().map(|visible| match *visible {
            Visible::Local(local) => Variable::Local(LocalId(local as u32)),
            Visible::Static(global) => Variable::Global(GlobalId(global as u32)),
        });
        let globals =
            program.globals.iter().enumerate().filter(|(_, global)| global.owner.is_none() && !global.external);
        let globals = globals.map(|(i, _)| Variable::Global(GlobalId(i as u32)));
        let variables: Vec<Variable> = self.unshadowed(function, locals.chain(globals).collect());
        let key = (function, variables);
        if let Some(scope) = self.scopes.get(&key) {
            return scope.clone();
        }
        let scope = Arc::new(self.make_scope(key.0, &key.1));
        self.scopes.insert(key, scope.clone());
        scope
    }

    /// A name means the innermost variable that has it.
    fn unshadowed(&self, function: FunctionId, variables: Vec<Variable>) -> Vec<Variable> {
        let program = &self.model.program;
        let name = |variable: &Variable| match variable {
            Variable::Local(local) => program.function(function).locals[local.index()].name.clone(),
            Variable::Global(global) => program.globals[global.index()].name.clone(),
        };
        let is_local = |variable: &Variable| match variable {
            Variable::Local(_) => true,
            Variable::Global(global) => program.globals[global.index()].owner.is_some(),
        };
        let mut kept: Vec<Variable> = Vec::new();
        for (i, variable) in variables.iter().enumerate() {
            let same = |other: &Variable| name(other) == name(variable);
            let hidden = match is_local(variable) {
                true => variables[i + 1..].iter().any(|other| is_local(other) && same(other)),
                false => variables.iter().any(|other| is_local(other) && same(other)),
            };
            if !hidden {
                kept.push(*variable);
            }
        }
        kept
    }

    fn type_of(&self, function: FunctionId, variable: Variable) -> TypeId {
        match variable {
            Variable::Local(local) => self.model.program.function(function).locals[local.index()].ty,
            Variable::Global(global) => self.model.program.globals[global.index()].ty,
        }
    }

    fn make_scope(&self, function: FunctionId, variables: &[Variable]) -> Scope {
        let mut terms = self.terms(function, variables, self.options.chains);
        if terms.len() > self.options.most_terms {
            terms = self.terms(function, variables, false);
        }
        terms.sort_by_key(|term| (term.ty, term.term));
        let comparisons = if self.options.wide { wide::comparisons(&terms) } else { self.comparisons(&terms) };
        Scope::new(terms, comparisons)
    }

    fn terms(&self, function: FunctionId, variables: &[Variable], chains: bool) -> Vec<TypedTerm> {
        let types = &self.model.program.types;
        let mut terms: Vec<TypedTerm> = Vec::new();
        let negates = self.negates();
        let mut add = |term: Term, ty: TypeId| {
            if let Some(scalar) = Scalar::of(types, ty).filter(|scalar| !matches!(scalar, Scalar::Float { .. })) {
                terms.push(TypedTerm { term, ty, scalar });
            }
        };
        for &variable in variables {
            let ty = self.type_of(function, variable);
            add(Term::Variable(variable), ty);
            for first in self.members(ty) {
                add(Term::Field(variable, first), first.ty);
                if matches!(Scalar::of(types, first.ty), Some(Scalar::Int { .. })) && first.size >= 4 {
                    add(Term::FieldPlus(variable, first, 1), first.ty);
                    add(Term::FieldPlus(variable, first, -1), first.ty);
                }
                for second in self.members(first.ty).into_iter().filter(|_| chains) {
                    add(Term::Chain(variable, first, second), second.ty);
                }
            }
            if matches!(Scalar::of(types, ty), Some(Scalar::Int { .. })) && types.size_of(ty) >= 4 {
                add(Term::Plus(variable, 1), ty);
                add(Term::Plus(variable, -1), ty);
                if negates {
                    add(Term::Negative(variable), ty);
                }
            }
            if let Some(target) = types.target(ty).filter(|target| Scalar::of(types, *target).is_some()) {
                add(Term::Deref(variable), target);
            }
            let has_address = match variable {
                Variable::Local(local) => self.model.program.function(function).locals[local.index()].in_memory,
                Variable::Global(_) => true,
            };
            self.indirect(variable, ty).into_iter().for_each(|(term, ty)| add(term, ty));
            if let Some(pointer) = types.find(&Type::Pointer(ty)).filter(|_| has_address) {
                add(Term::AddressOf(variable), pointer);
            }
        }
        let wider = widened(&terms);
        terms.extend(wider);
        terms.extend(self.elements(function, variables));
        let used: BTreeSet<TypeId> = terms.iter().map(|term| term.ty).collect();
        for ty in used {
            let numbers = match types.is_pointer(ty) {
                true => BTreeSet::from([0]),
                false => self.constants(function),
            };
            let Some(scalar) = Scalar::of(types, ty) else { continue };
            let fits = numbers.into_iter().filter(|&number| scalar.wrap(number) == number);
            terms.extend(fits.map(|number| TypedTerm { term: Term::Number(number), ty, scalar }));
        }
        terms
    }

    /// Terms for pointers to pointers and records that are variables: `(*x)->f`, `&x->f`, `&(*x)->f`, `x.f`.
    fn indirect(&self, variable: Variable, ty: TypeId) -> Vec<(Term, TypeId)> {
        let types = &self.model.program.types;
        let mut found = Vec::new();
        // What no variable or parameter takes is of no use.
        let address = |member: &Member| types.find(&Type::Pointer(member.ty)).filter(|&ty| self.has_variable(ty));
        for member in self.members(ty) {
            found.extend(address(&member).map(|ty| (Term::AddressOfField(variable, member), ty)));
        }
        if let Some(inner) = types.target(ty).filter(|_| types.is_pointer(ty)) {
            for member in self.members(inner) {
                found.push((Term::DerefField(variable, member), member.ty));
                found.extend(address(&member).map(|ty| (Term::AddressOfDerefField(variable, member), ty)));
            }
        }
        if let Some(pointer) = types.find(&Type::Pointer(ty)).filter(|_| types.as_record(ty).is_some()) {
            found.extend(self.members(pointer).into_iter().map(|member| (Term::Member(variable, member), member.ty)));
        }
        found
    }

    /// Whether the program has a variable of this type.
    fn has_variable(&self, ty: TypeId) -> bool {
        let program = &self.model.program;
        let locals = program.functions.iter().flat_map(|function| &function.locals[..function.named]);
        locals.map(|local| local.ty).chain(program.globals.iter().map(|global| global.ty)).any(|other| other == ty)
    }

    /// Whether the program has `-x` anywhere.
    fn negates(&self) -> bool {
        let mut code = self.model.code.functions.iter().flat_map(|function| &function.code);
        code.any(|instruction| match instruction {
            Instruction::Act(action) => {
                matches!(&action.kind, ActionKind::Assign { value: Rvalue::Unary(UnaryOp::Negate, ..), .. })
            }
            _ => false,
        })
    }

    /// `x[i]` for all pointers and whole numbers, if the program has such elements at all.
    fn elements(&self, function: FunctionId, variables: &[Variable]) -> Vec<TypedTerm> {
        let types = &self.model.program.types;
        let mut code = self.model.code.functions.iter().flat_map(|function| &function.code);
        let indexes = |instruction: &Instruction| match instruction {
            Instruction::Act(action) => match &action.kind {
                ActionKind::Assign { value: Rvalue::Offset { .. }, .. } => true,
                ActionKind::Assign { value: Rvalue::Load(access) | Rvalue::AddressOf(access), .. }
                | ActionKind::Store { to: access, .. } => {
                    access.path.iter().any(|part| matches!(part, ir::Projection::Index { .. }))
                }
                _ => false,
            },
            _ => false,
        };
        if !code.any(indexes) {
            return Vec::new();
        }
        let is_number = |variable: &&Variable| {
            let ty = self.type_of(function, **variable);
            matches!(Scalar::of(types, ty), Some(Scalar::Int { .. })) && types.size_of(ty) >= 4
        };
        let numbers: Vec<Variable> = variables.iter().filter(is_number).copied().collect();
        let mut found = Vec::new();
        for &base in variables {
            let element = types.target(self.type_of(function, base)).and_then(|ty| Some((ty, Scalar::of(types, ty)?)));
            let element = element.filter(|(_, scalar)| !matches!(scalar, Scalar::Float { .. }));
            let Some((ty, scalar)) = element else { continue };
            found.extend(numbers.iter().map(|&index| TypedTerm { term: Term::Element(base, index), ty, scalar }));
        }
        found
    }

    /// The scalar members of the record that a pointer leads to.
    fn members(&self, ty: TypeId) -> Vec<Member> {
        let types = &self.model.program.types;
        let Some(record) = types.target(ty).filter(|_| types.is_pointer(ty)).and_then(|target| types.as_record(target))
        else {
            return Vec::new();
        };
        if record.is_union {
            return Vec::new();
        }
        let named =
            record.fields.iter().enumerate().filter(|(_, field)| !field.name.is_empty() && field.bits.is_none());
        let member = |(index, field): (usize, &c_types::Field)| {
            let size = Scalar::of(types, field.ty)?.size();
            Some(Member { offset: field.offset as u32, ty: field.ty, size, index: index as u32 })
        };
        named.filter_map(member).collect()
    }

    /// The constants of a function, and 0 and 1.
    fn constants(&self, function: FunctionId) -> BTreeSet<i64> {
        let code = &self.model.code.functions[function.index()].code;
        let mut constants = BTreeSet::from([0, 1]);
        for instruction in code {
            let Instruction::Act(action) = instruction else { continue };
            let mut action = action.clone();
            for operand in encode::operands(&mut action) {
                if let OperandKind::Int(value) = operand.kind {
                    constants.extend(i64::try_from(value).ok().filter(|value| value.abs() < 1 << 31));
                }
            }
        }
        constants.into_iter().take(16).chain(self.numbers.iter().copied()).collect()
    }

    fn comparisons(&self, terms: &[TypedTerm]) -> Vec<Comparison> {
        let simple = |term: &&TypedTerm| matches!(term.term, Term::Variable(_) | Term::Field(..) | Term::Number(_));
        let simple: Vec<&TypedTerm> = terms.iter().filter(simple).collect();
        let is_number = |term: &TypedTerm| matches!(term.term, Term::Number(_));
        let mut found = Vec::new();
        for (i, left) in simple.iter().enumerate() {
            for right in simple[i + 1..].iter().filter(|right| right.ty == left.ty) {
                // A constant stands on the right, and two of them are not compared.
                let (left, right) = if is_number(left) { (right, left) } else { (left, right) };
                if is_number(left) {
                    continue;
                }
                let count = if left.scalar == Scalar::Pointer { 2 } else { COMPARISONS.len() };
                found.extend(COMPARISONS[..count].iter().map(|&op| Comparison { left: **left, op, right: **right }));
            }
        }
        found
    }
}

/// Whether an action only copies variables and members: no arithmetic, no element of an array.
fn is_simple(action: &Action) -> bool {
    let plain = |access: &ir::Access| !access.path.iter().any(|part| matches!(part, ir::Projection::Index { .. }));
    match &action.kind {
        ActionKind::Assign { value: Rvalue::Use(_), .. } => true,
        ActionKind::Assign { value: Rvalue::Load(access) | Rvalue::AddressOf(access), .. } => plain(access),
        ActionKind::Assign { .. } => false,
        ActionKind::Store { to, .. } => plain(to),
        _ => true,
    }
}

/// Numbers where a wider type is used: an `int` can be assigned to a `long`.
fn widened(terms: &[TypedTerm]) -> Vec<TypedTerm> {
    let bits = |term: &TypedTerm| match term.scalar {
        Scalar::Int { bits, signed: true } if bits >= 32 => Some(bits),
        _ => None,
    };
    let types: BTreeMap<TypeId, TypedTerm> =
        terms.iter().filter(|term| bits(term).is_some()).map(|term| (term.ty, *term)).collect();
    let mut wider = Vec::new();
    for term in terms {
        let same = match term.term {
            Term::Variable(variable) => Term::Plus(variable, 0),
            Term::Field(variable, member) => Term::FieldPlus(variable, member, 0),
            Term::Chain(variable, first, second) => Term::WideChain(variable, first, second),
            _ => continue,
        };
        let larger = types.values().filter(|other| bits(term).is_some() && bits(other) > bits(term));
        wider.extend(larger.map(|other| TypedTerm { term: same, ty: other.ty, scalar: other.scalar }));
    }
    wider
}
