//! Which statement of a faulty program is which of the right one.
//!
//! Both have the same functions, and the same statements in each, but for those
//! that are missing in one of them: so they are counted off. Missing are deleted
//! statements, and conditions where they are constants: no program stops there.

use std::collections::BTreeMap;

use encode::Model;
use inject::{Fault, FaultKind};
use ir::{FunctionId, StepId, StepKind};

/// A faulty program next to the right one.
#[derive(Debug)]
pub struct Twin {
    /// The faulty program.
    pub model: Model,
    /// The faulty program's statement for each of the right one that is still there.
    pub steps: BTreeMap<StepId, StepId>,
    /// Which local variables are needed where, in the faulty program.
    pub live: ir::Facts,
}

impl Twin {
    /// Finds the statements of the right program in the faulty one, which has
    /// these faults. `None` if they do not correspond.
    pub fn new(right: &Model, faulty: Model, faults: &[Fault]) -> Option<Twin> {
        let missing: Vec<Missing> = faults.iter().map(|fault| Missing::by(fault, right, &faulty)).collect();
        let mut steps = BTreeMap::new();
        for (number, function) in right.program.functions.iter().enumerate() {
            let other = faulty.program.function_named(&function.name)?;
            let mut ours = ordered(right, FunctionId(number as u32));
            let mut theirs = ordered(&faulty, other);
            ours.retain(|step| !missing.iter().any(|missing| missing.in_faulty.contains(step)));
            theirs.retain(|step| !missing.iter().any(|missing| missing.in_right.contains(step)));
            let alike =
                |(one, other): (&StepId, &StepId)| right.program.step(*one).kind == faulty.program.step(*other).kind;
            if ours.len() != theirs.len() || !ours.iter().zip(&theirs).all(alike) {
                return None;
            }
            steps.extend(ours.into_iter().zip(theirs));
        }
        let live = ir::facts(&faulty.program);
        Some(Twin { model: faulty, steps, live })
    }

    /// The right program's statement for each of the faulty one.
    pub fn back(&self) -> BTreeMap<StepId, StepId> {
        self.steps.iter().map(|(right, faulty)| (*faulty, *right)).collect()
    }
}

/// The statements that only one of the programs has, because of a fault.
struct Missing {
    /// Statements of the right program.
    in_faulty: Vec<StepId>,
    /// Statements of the faulty program.
    in_right: Vec<StepId>,
}

impl Missing {
    fn by(fault: &Fault, right: &Model, faulty: &Model) -> Missing {
        if fault.kind == FaultKind::Deletion {
            let is_gone = |span: c_syntax::Span| fault.original.0 <= span.start && span.end <= fault.original.1;
            return Missing { in_faulty: within(right, is_gone), in_right: Vec::new() };
        }
        let around =
            |model: &Model, (start, end): (u32, u32)| within(model, |span| span.start <= start && end <= span.end);
        let (ours, theirs) = (around(right, fault.original), around(faulty, fault.faulty));
        match ours.len() == theirs.len() {
            true => Missing { in_faulty: Vec::new(), in_right: Vec::new() },
            false => Missing { in_faulty: ours, in_right: theirs },
        }
    }
}

/// The statements whose bytes are such.
fn within(model: &Model, are: impl Fn(c_syntax::Span) -> bool) -> Vec<StepId> {
    let numbered = (0..).map(StepId).zip(&model.program.steps);
    numbered.filter(|(_, step)| step.kind != StepKind::Exit && are(step.span)).map(|(id, _)| id).collect()
}

/// The statements of a function in the order of the text.
fn ordered(model: &Model, function: FunctionId) -> Vec<StepId> {
    let steps = (0..model.program.steps.len() as u32).map(StepId);
    let mut steps: Vec<StepId> = steps.filter(|step| model.program.step(*step).function == function).collect();
    steps.sort_by_key(|step| (model.program.step(*step).span.start, model.program.step(*step).span.end));
    steps
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn model(text: &str) -> Model {
        let source = c_syntax::Source::new("a.c", text.as_bytes().to_vec());
        Model::new(Arc::new(ir::load_text(Arc::new(source)).expect("it is C")))
    }

    /// The statements of the right program with those that they are in the other one, which has `after` for the
    /// first `before`.
    fn pairs(right: &str, before: &str, after: &str) -> Vec<(String, String)> {
        let start = right.find(before).expect("it is there") as u32;
        let fault = Fault {
            kind: FaultKind::Constant,
            function: "f".into(),
            line: 1,
            column: 1,
            original: (start, start + before.len() as u32),
            faulty: (start, start + after.len() as u32),
            before: before.into(),
            after: after.into(),
            statement: String::new(),
        };
        let right_model = model(right);
        let twin =
            Twin::new(&right_model, model(&right.replacen(before, after, 1)), &[fault]).expect("they correspond");
        let text = |model: &Model, step: &StepId| model.program.source.text(model.program.step(*step).span).to_string();
        twin.steps.iter().map(|(one, other)| (text(&right_model, one), text(&twin.model, other))).collect()
    }

    #[test]
    fn a_condition_that_became_a_constant_is_missing() {
        let text = "int f(int n) { int i = 0; while (n != 0) { i++; n--; } return i; }";
        let same = |text: &str| (text.to_string(), text.to_string());
        let expected = ["int i = 0;", "i++", "n--", "return i", "}"].map(same);
        assert_eq!(pairs(text, "n != 0", "0 != 0"), expected);
        // And the other way round.
        let text = "int f(int n) { int i = 0; while (1) { i++; n--; } return i; }";
        assert_eq!(pairs(text, "1", "n"), expected);
        let changed = pairs("int f(int n) { while (n != 0) n--; return n; }", "0", "1");
        assert_eq!(changed[0], ("n != 0".into(), "n != 1".into()));
    }
}
