//! When repairs differ where nothing is asserted: both pictures, and a question.

use std::sync::Arc;

use encode::{Demand, Model, Trace};
use memory::{Entity, Root, State, Value, leaves};
use spec::{Fact, Relation};

use crate::repairs::draw;
use crate::session::Session;

impl Session {
    /// Shows where the two best repairs differ, and asks which is meant.
    pub(crate) fn tell_of_difference(&mut self, model: &Model) {
        let Some(found) = self.now.found.clone() else { return };
        let Some(difference) = &found.repaired.difference else { return };
        let variation = found.repaired.variations[difference.variation].describe(model);
        let [first, second] = difference.candidates.map(|number| number + 1);
        self.say(format!("candidates {first} and {second} differ: {variation}, the memory at the end is"));
        for (number, state) in [first, second].into_iter().zip(&difference.states) {
            self.say(format!("with candidate {number}:\n{}", draw(state).to_terminal(100).trim_end()));
        }
        self.say(format!("which is meant? `pick {first}` or `pick {second}`; the answer becomes specification"));
    }

    /// The answer to the question, if that is what was picked: what the picture
    /// showed is asserted for that input.
    pub(crate) fn take_answer(&mut self, model: &Model, picked: usize) {
        let Some(found) = self.now.found.clone() else { return };
        let Some(difference) = &found.repaired.difference else { return };
        let Some(side) = difference.candidates.iter().position(|&number| number == picked) else { return };
        let Some(moment) = self.now.moment else { return };
        let variation = &found.repaired.variations[difference.variation];
        let state = difference.states[side].clone();
        let mut trace: Trace = (*variation.trace).clone();
        let facts = facts(&state);
        let count = facts.len();
        trace.demands = trace
            .demands
            .into_iter()
            .map(|demand| Demand { facts: facts.clone(), state: state.clone(), ..demand })
            .collect();
        let run_as = self.run_as(moment);
        Arc::make_mut(&mut self.now.answers).push((Arc::new(trace), run_as));
        let variation = variation.describe(model);
        self.say(format!("noted: {variation}, {count} values at the end are as with candidate {}", picked + 1));
    }
}

/// Everything but locals: the function is over.
fn facts(state: &State) -> Vec<Fact> {
    let counts = |entity: &Entity| matches!(entity.root, Root::Global(_) | Root::Node(_));
    let known = |value: &Value| !matches!(value, Value::Uninitialised | Value::Unknown | Value::Outside);
    leaves(state)
        .into_iter()
        .filter(|(entity, value)| counts(entity) && known(value))
        .map(|(entity, value)| Fact { entity, relation: Relation::Equal, value: value.clone() })
        .collect()
}
