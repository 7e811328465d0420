//! From the syntax tree to the IR.
//!
//! Expressions are flattened in the order in which gcc evaluates them on
//! x86-64: call arguments from the last to the first, otherwise left to right,
//! and the place that is assigned to before the value. Variables that have no
//! address are operands themselves, everything else is loaded into temporaries.

mod branch;
mod call;
mod choice;
mod expr;
mod function;
mod init;
mod operator;
mod place;
mod region;
mod statics;
mod stmt;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use c_syntax::{Storage, Unit, VariableId};
use c_types::Types;

use crate::program::*;

/// Globals beyond this size have no bytes: nobody can hold them.
const LARGEST_GLOBAL: u64 = 4 << 30;

/// Lowers a whole file.
pub fn lower(unit: Unit) -> Program {
    let mut lowerer = Lowerer::new(unit);
    lowerer.declare_globals();
    lowerer.declare_selectors();
    for index in 0..lowerer.unit.functions.len() {
        let function = lowerer.function(index);
        lowerer.functions.push(function);
    }
    lowerer.initialise_globals();
    lowerer.finish()
}

struct Lowerer {
    unit: Arc<Unit>,
    /// Grows while lowering: pointers to things that nobody wrote down as a type.
    types: Types,
    globals: Vec<Global>,
    /// The globals of the selectors.
    selectors: Vec<GlobalId>,
    /// The globals among the unit's variables.
    global_ids: HashMap<VariableId, GlobalId>,
    /// Static locals and literals whose initialiser is still to be lowered.
    uninitialised: Vec<(GlobalId, VariableId)>,
    function_ids: HashMap<Arc<str>, FunctionId>,
    functions: Vec<Function>,
    texts: Vec<Vec<u8>>,
    text_ids: HashMap<Vec<u8>, TextId>,
    steps: Vec<Step>,
    notices: Vec<Notice>,
    actions: u32,
}

impl Lowerer {
    fn new(mut unit: Unit) -> Self {
        let types = std::mem::take(&mut unit.types);
        let names = unit.functions.iter().enumerate();
        let function_ids = names.map(|(i, function)| (function.name.clone(), FunctionId(i as u32))).collect();
        Lowerer {
            unit: Arc::new(unit),
            types,
            globals: Vec::new(),
            selectors: Vec::new(),
            global_ids: HashMap::new(),
            uninitialised: Vec::new(),
            function_ids,
            functions: Vec::new(),
            texts: Vec::new(),
            text_ids: HashMap::new(),
            steps: Vec::new(),
            notices: Vec::new(),
            actions: 0,
        }
    }

    /// Globals of this file get their numbers first, those of libraries after all others.
    fn declare_globals(&mut self) {
        let unit = self.unit.clone();
        for &id in &unit.globals {
            if unit.variables[id.0 as usize].storage != Storage::Extern {
                self.declare_global(id, None);
            }
        }
    }

    fn declare_global(&mut self, id: VariableId, owner: Option<FunctionId>) -> GlobalId {
        let variable = &self.unit.variables[id.0 as usize];
        let external = variable.storage == Storage::Extern;
        let global = Global {
            name: variable.name.clone(),
            ty: variable.ty,
            span: variable.span,
            owner,
            image: Vec::new(),
            relocations: Vec::new(),
            external,
        };
        let (span, size) = (global.span, self.types.size_of(global.ty));
        let number = GlobalId(self.globals.len() as u32);
        self.globals.push(global);
        match size <= LARGEST_GLOBAL {
            true => self.globals[number.index()].image = vec![0; size as usize],
            false => self.notice(span, format!("this variable has {size} bytes, too many to run: accesses to it fail")),
        }
        self.global_ids.insert(id, number);
        if !external {
            self.uninitialised.push((number, id));
        }
        number
    }

    fn initialise_globals(&mut self) {
        while let Some((global, variable)) = self.uninitialised.pop() {
            let unit = self.unit.clone();
            if let Some(init) = &unit.variables[variable.0 as usize].init {
                self.initialise_global(global, init);
            }
        }
    }

    fn text(&mut self, bytes: &[u8]) -> TextId {
        if let Some(&id) = self.text_ids.get(bytes) {
            return id;
        }
        let id = TextId(self.texts.len() as u32);
        self.texts.push(bytes.to_vec());
        self.text_ids.insert(bytes.to_vec(), id);
        id
    }

    fn function_named(&self, name: &Arc<str>) -> FunctionRef {
        match self.function_ids.get(name) {
            Some(&id) => FunctionRef::Own(id),
            None => FunctionRef::Library(name.clone()),
        }
    }

    fn notice(&mut self, span: c_syntax::Span, message: String) {
        if self.notices.iter().all(|notice| notice.message != message) {
            self.notices.push(Notice { span, message });
        }
    }

    fn finish(mut self) -> Program {
        self.move_externals_last();
        let unit = Arc::into_inner(self.unit).expect("nobody else holds the unit any more");
        Program {
            source: unit.source,
            types: Arc::new(self.types),
            globals: self.globals,
            selectors: self.selectors,
            functions: self.functions,
            texts: self.texts,
            steps: self.steps,
            names: Arc::new(unit.names),
            notices: self.notices,
            macro_uses: unit.macro_uses.into_iter().collect::<BTreeSet<_>>(),
            warnings: unit.warnings,
        }
    }

    /// External globals are declared on first use, so static locals may follow
    /// them; states number only the program's own globals. Selectors are no
    /// part of the user's program, so they follow all others.
    fn move_externals_last(&mut self) {
        let mut order: Vec<usize> = (0..self.globals.len()).collect();
        let is_selector = |i: usize| self.selectors.contains(&GlobalId(i as u32));
        order.sort_by_key(|&i| (is_selector(i), self.globals[i].external));
        let mut renamed = vec![GlobalId(0); order.len()];
        for (new, &old) in order.iter().enumerate() {
            renamed[old] = GlobalId(new as u32);
        }
        if order.iter().enumerate().all(|(new, &old)| new == old) {
            return;
        }
        self.globals = order.iter().map(|&old| self.globals[old].clone()).collect();
        self.selectors.iter_mut().for_each(|selector| *selector = renamed[selector.index()]);
        crate::rename::rename_globals(&mut self.globals, &mut self.functions, &mut self.steps, &renamed);
    }
}
