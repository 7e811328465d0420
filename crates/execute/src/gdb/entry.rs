//! The statement that a function begins with.

use std::collections::BTreeSet;

use ir::{Code, FunctionId, Program, StepId};

/// Where following code from its start leads to.
enum Way {
    /// To this step.
    To(StepId),
    /// To its end.
    Through,
    /// That depends on values.
    Unknown,
}

/// The steps that a call of `function` may stop at first: one where the text
/// tells, otherwise all of them. Steps for which `has_code` is false do not stop.
pub fn entries(program: &Program, function: FunctionId, has_code: &dyn Fn(StepId) -> bool) -> BTreeSet<StepId> {
    let exit = program.function(function).exit;
    match follow(&program.function(function).body, has_code) {
        Way::To(step) => BTreeSet::from([step]),
        Way::Through if has_code(exit) => BTreeSet::from([exit]),
        _ => {
            let all = (0..program.steps.len() as u32).map(StepId);
            all.filter(|&step| program.step(step).function == function && has_code(step)).collect()
        }
    }
}

fn follow(code: &[Code], has_code: &dyn Fn(StepId) -> bool) -> Way {
    for item in code {
        let way = match item {
            Code::Step(step) if has_code(*step) => Way::To(*step),
            Code::Step(_) | Code::Act(_) | Code::Declare(_) | Code::DeclareArray { .. } | Code::Label(_) => {
                Way::Through
            }
            // The branches of `&&`, `||` and `?:` have no steps of their own.
            Code::If { step: None, .. } => Way::Through,
            Code::Loop(inner) if inner.body_first => first_of(follow(&inner.body, has_code)),
            Code::Loop(inner) => first_of(follow(&inner.condition, has_code)),
            _ => Way::Unknown,
        };
        if !matches!(way, Way::Through) {
            return way;
        }
    }
    Way::Through
}

/// What comes after a part of a loop that has no steps depends on its test.
fn first_of(way: Way) -> Way {
    match way {
        Way::Through => Way::Unknown,
        way => way,
    }
}
