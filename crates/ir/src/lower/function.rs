//! One function: its locals, scopes and labels, and the code that is being written.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use c_syntax::{Expr, ExprKind, Span, Stmt, StmtKind, Storage, UnaryOp, Unit, VariableId};
use c_types::{Type, TypeId};
use memory::Visible;

use super::Lowerer;
use crate::program::*;

/// The function that is being lowered.
pub(super) struct Scope {
    pub id: FunctionId,
    pub own: bool,
    pub locals: Vec<Local>,
    pub variables: HashMap<VariableId, LocalId>,
    /// Variables in scope, innermost last, with the number of them at the start of each open block.
    pub visible: Vec<(Arc<str>, Visible)>,
    /// The code that is being written.
    pub code: Vec<Code>,
    pub label_ids: HashMap<Arc<str>, LabelId>,
    pub labels: Vec<Label>,
    pub jumps: Vec<Span>,
    /// Labels of the innermost `switch`.
    pub arms: Vec<Vec<(i128, i128, LabelId)>>,
    pub defaults: Vec<Option<LabelId>>,
    /// The first step of this function.
    pub first_step: usize,
    /// The step that is being lowered.
    pub step: Option<StepId>,
    /// Statements inside of expressions are no steps.
    pub nested: u32,
    /// What the current step allocates; `None` where the text does not tell.
    pub allocations: Vec<Option<TypeId>>,
    /// The type that the value being lowered is converted to.
    pub wanted: Option<TypeId>,
    /// The sizes in bytes of each variable length array, of its rows, of their rows.
    pub sizes: HashMap<VariableId, Vec<Operand>>,
    /// The current step writes several variables: what each of them gets can be replaced as a whole.
    pub several: bool,
}

impl Lowerer {
    pub(super) fn function(&mut self, index: usize) -> Function {
        let unit = self.unit.clone();
        let function = &unit.functions[index];
        let id = FunctionId(index as u32);
        let mut scope = Scope::new(id, function.own, self.steps.len());
        self.collect_locals(&unit, function, &mut scope);
        let named = scope.locals.len();
        for parameter in &function.parameters {
            let variable = &unit.variables[parameter.0 as usize];
            let local = scope.variables[parameter];
            scope.visible.push((variable.name.clone(), Visible::Local(local.index())));
            self.array_sizes(&mut scope, *parameter);
        }
        for statement in &function.body {
            self.stmt(&mut scope, statement);
        }
        let exit = self.exit_step(&mut scope, function.end);
        let result = match self.types.get(function.ty) {
            Type::Function(signature) => signature.result,
            _ => function.ty,
        };
        let variadic = matches!(self.types.get(function.ty), Type::Function(signature) if signature.variadic);
        Function {
            name: function.name.clone(),
            ty: function.ty,
            result,
            parameters: function.parameters.len(),
            named,
            variadic,
            locals: scope.locals,
            body: scope.code,
            labels: scope.labels,
            jumps: scope.jumps,
            span: function.span,
            exit,
        }
    }

    /// Every named variable of the function gets its number before any temporary does.
    fn collect_locals(&mut self, unit: &Unit, function: &c_syntax::Function, scope: &mut Scope) {
        let mut found = Found { unit, declared: function.parameters.clone(), addressed: HashSet::new() };
        function.body.iter().for_each(|statement| found.stmt(statement));
        let pointed_to = found.pointed_to();
        for id in found.declared {
            let variable = &unit.variables[id.0 as usize];
            match variable.storage {
                Storage::Static => {
                    self.declare_global(id, Some(scope.id));
                }
                _ => {
                    let could_be_pointed_to = self.types.is_pointer(variable.ty) && pointed_to.contains(&variable.ty);
                    let in_memory =
                        found.addressed.contains(&id) || self.types.is_aggregate(variable.ty) || could_be_pointed_to;
                    let local = LocalId(scope.locals.len() as u32);
                    scope.locals.push(Local {
                        name: variable.name.clone(),
                        ty: variable.ty,
                        span: variable.span,
                        in_memory,
                    });
                    scope.variables.insert(id, local);
                }
            }
        }
    }
}

impl Scope {
    fn new(id: FunctionId, own: bool, first_step: usize) -> Self {
        Scope {
            id,
            own,
            locals: Vec::new(),
            variables: HashMap::new(),
            visible: Vec::new(),
            code: Vec::new(),
            label_ids: HashMap::new(),
            labels: Vec::new(),
            jumps: Vec::new(),
            arms: Vec::new(),
            defaults: Vec::new(),
            first_step,
            step: None,
            nested: 0,
            allocations: Vec::new(),
            wanted: None,
            sizes: HashMap::new(),
            several: false,
        }
    }

    /// A new temporary that stands for the expression at `span`.
    pub fn temporary(&mut self, ty: TypeId, span: Span, in_memory: bool) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local { name: "".into(), ty, span, in_memory });
        id
    }

    pub fn new_label(&mut self, name: impl Into<Arc<str>>, span: Span) -> LabelId {
        self.labels.push(Label { name: name.into(), span });
        LabelId(self.labels.len() as u32 - 1)
    }

    /// The label of `name`, which a `goto` may mention before its place is known.
    pub fn label(&mut self, name: &Arc<str>) -> LabelId {
        if let Some(&label) = self.label_ids.get(name) {
            return label;
        }
        let label = self.new_label("", Span::default());
        self.label_ids.insert(name.clone(), label);
        label
    }

    /// Runs `write` with an empty code buffer and returns what was written.
    pub fn collect(
        lowerer: &mut Lowerer,
        scope: &mut Scope,
        write: impl FnOnce(&mut Lowerer, &mut Scope),
    ) -> Vec<Code> {
        let outer = std::mem::take(&mut scope.code);
        write(lowerer, scope);
        std::mem::replace(&mut scope.code, outer)
    }

    /// The variables in scope; of several with one name only the innermost.
    pub fn in_scope(&self) -> Vec<Visible> {
        let hidden = |i: usize| self.visible[i + 1..].iter().any(|(name, _)| *name == self.visible[i].0);
        (0..self.visible.len())
            .filter(|&i| !hidden(i) && !self.visible[i].0.is_empty())
            .map(|i| self.visible[i].1)
            .collect()
    }
}

/// Looks for declared variables and for those whose address is taken.
struct Found<'a> {
    unit: &'a Unit,
    declared: Vec<VariableId>,
    addressed: HashSet<VariableId>,
}

impl Found<'_> {
    /// The types of the own variables whose address is taken. Other pointers of
    /// such a type get an address too: `split(list, &first, &first)` may be meant
    /// as `split(list, &first, &second)`, and then somebody has to be able to
    /// speak of `&second`. Numbers do not: where `scanf` reads some, all would be in memory.
    fn pointed_to(&self) -> HashSet<TypeId> {
        let own = self.declared.iter().filter(|id| self.addressed.contains(id));
        own.map(|id| self.unit.variables[id.0 as usize].ty).collect()
    }

    fn stmt(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Block(statements) => statements.iter().for_each(|s| self.stmt(s)),
            StmtKind::Declare(variables) => {
                for &id in variables {
                    self.declared.push(id);
                    let variable = &self.unit.variables[id.0 as usize];
                    variable.init.iter().chain(&variable.lengths).for_each(|e| self.expr(e));
                }
            }
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::If(test, then, otherwise) => {
                self.expr(test);
                self.stmt(then);
                otherwise.iter().for_each(|s| self.stmt(s));
            }
            StmtKind::While(test, body) | StmtKind::Do(body, test) | StmtKind::Switch(test, body) => {
                self.expr(test);
                self.stmt(body);
            }
            StmtKind::For(init, test, update, body) => {
                init.iter().for_each(|s| self.stmt(s));
                test.iter().chain(update).for_each(|e| self.expr(e));
                self.stmt(body);
            }
            StmtKind::Case(_, _, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => self.stmt(body),
            StmtKind::Return(value) => value.iter().for_each(|e| self.expr(e)),
            StmtKind::Optional { statement, .. } => self.stmt(statement),
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Empty | StmtKind::Unsupported(_) => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        use ExprKind::*;
        match &expr.kind {
            Unary(UnaryOp::AddressOf, place) => {
                if let Variable(id) = place.kind {
                    self.addressed.insert(id);
                }
                self.expr(place);
            }
            Member { base: inner, .. }
            | Unary(_, inner)
            | Load(inner)
            | Decay(inner)
            | Convert(inner)
            | Discard(inner)
            | VaArg(inner)
            | UnionInit(_, inner) => self.expr(inner),
            Index(a, b)
            | Binary(_, a, b)
            | Compound(_, a, b, _)
            | Assign(a, b)
            | And(a, b)
            | Or(a, b)
            | Comma(a, b)
            | Elvis(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            Call(callee, arguments) => {
                self.expr(callee);
                arguments.iter().for_each(|e| self.expr(e));
            }
            InitList(entries) => entries.iter().for_each(|e| self.expr(e)),
            CompoundLiteral(id) => self.unit.variables[id.0 as usize].init.iter().for_each(|e| self.expr(e)),
            Statements(statements) => statements.iter().for_each(|s| self.stmt(s)),
            Choice { of, alternatives } => {
                self.expr(of);
                alternatives.iter().filter_map(|one| one.change.expr()).for_each(|e| self.expr(e));
            }
            Int(_) | Float(_) | Text(_) | Variable(_) | Function(_) | Zero | SizeOfVariable(_) | Unsupported(_) => {}
        }
    }
}
