//! Must fault localization (R §5, Algorithms 1 and 2, FOSFL): statements of
//! which every repair for an input changes at least one.
//!
//! In the program formula what each statement computes has a name of its own
//! ([`Definition`](encode::program::Definition)): these names and what they stand for are the static
//! dependency graph. The failure is followed back from the violation to the
//! names that it depends on with the values of this run: of a φ only the side
//! that was taken and the condition, of a disjunction only one part that holds
//! (ImportantVars). A change of other statements leaves all of that as it is.
//!
//! ```c
//! 1  abs = x;              // for x = -1: {1, 2}
//! 2  if (x < -1)
//! 3      abs = -x;
//! 4  assert(abs >= 0);
//! ```
//!
//! The graph is made once and used for all inputs (I-FOSFL).

use std::collections::{BTreeMap, BTreeSet};

use c_syntax::Span;
use check::{Example, Formula, Task};
use encode::program::{Open, TooLarge};
use ir::{StepId, StepKind};
use solver::{Meanings, Sort, Term, Terms};

/// A statement that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MustPlace {
    /// The statement.
    pub step: StepId,
    /// Its text.
    pub span: Span,
    /// For how many of the inputs it matters.
    pub inputs: usize,
    /// Why, as sentences without a full stop.
    pub reasons: Vec<String>,
}

/// Statements that matter for inputs that go wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MustSlice {
    /// In order: those that matter for more inputs, then those nearer to the failure.
    pub places: Vec<MustPlace>,
    /// How many inputs were looked at.
    pub inputs: usize,
    /// How many statements the program has.
    pub considered: usize,
}

impl MustSlice {
    /// Statements that matter for every input: a repair of one statement is one of these.
    pub fn in_all(&self) -> impl Iterator<Item = &MustPlace> {
        self.places.iter().filter(|place| place.inputs == self.inputs)
    }
}

/// The statements one of which every repair changes, for these inputs.
pub fn must_slice(task: &Task, examples: &[Example]) -> Result<MustSlice, TooLarge> {
    let graph = Graph::new(task)?;
    let mut seen: BTreeMap<StepId, (usize, usize, BTreeSet<String>)> = BTreeMap::new();
    let mut inputs = 0;
    for example in examples {
        let Some(slice) = graph.slice(example) else { continue };
        inputs += 1;
        for (step, (nearness, reasons)) in slice {
            let entry = seen.entry(step).or_default();
            entry.0 += 1;
            entry.1 = entry.1.max(nearness);
            entry.2.extend(reasons);
        }
    }
    let program = &task.program.program;
    let own = |step: &StepId| (program.step(*step).span.end as usize) <= task.program.own;
    let mut found: Vec<_> = seen.into_iter().filter(|(step, _)| own(step)).collect();
    found.sort_by_key(|(step, (inputs, nearness, _))| (std::cmp::Reverse((*inputs, *nearness)), *step));
    let places = found.into_iter().map(|(step, (inputs, _, reasons))| MustPlace {
        step,
        span: program.step(step).span,
        inputs,
        reasons: reasons.into_iter().take(3).collect(),
    });
    let all = program.steps.iter().filter(|step| step.kind != StepKind::Exit);
    let considered = all.filter(|step| !step.span.is_empty() && (step.span.end as usize) <= task.program.own).count();
    Ok(MustSlice { places: places.collect(), inputs, considered })
}

/// The formula with its definitions.
struct Graph<'a> {
    task: &'a Task,
    formula: Formula,
    meanings: Meanings,
    wrong: Term,
}

/// For each statement: how late its last value comes, and why it matters.
type Slice = BTreeMap<StepId, (usize, Vec<String>)>;

impl<'a> Graph<'a> {
    fn new(task: &'a Task) -> Result<Self, TooLarge> {
        let mut formula = check::formula(task, &task.program.program, Terms::new(), Open::default(), true)?;
        let bad = formula.terms.any(&[formula.violated, formula.different, formula.unwound]);
        let wrong = formula.terms.and(bad, formula.counts);
        let meanings = formula.program.definitions.iter().map(|one| (one.variable, one.value)).collect();
        Ok(Graph { task, formula, meanings, wrong })
    }

    fn slice(&self, example: &Example) -> Option<Slice> {
        let terms = &self.formula.terms;
        let model = example.model(terms, &self.formula.inputs);
        let values = terms.values(&[self.wrong], &model, &self.meanings);
        if values.of(self.wrong) != 1 {
            return None;
        }
        let because = terms.justify(self.wrong, &values, &self.meanings);
        let mut slice = Slice::new();
        for (number, one) in self.formula.program.definitions.iter().enumerate() {
            if !because.contains(&one.variable) {
                continue;
            }
            let entry = slice.entry(one.step).or_default();
            entry.0 = number;
            if let Some(reason) = self.reason(one, values.of(one.variable)) {
                entry.1.push(reason);
            }
        }
        Some(slice)
    }

    fn reason(&self, one: &encode::program::Definition, value: u64) -> Option<String> {
        let text = self.task.program.program.source.text(one.span);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.formula.terms.sort(one.variable) {
            Sort::Bool => Some(format!(
                "`{text}` is {}, and what goes wrong depends on that",
                if value == 1 { "true" } else { "false" }
            )),
            Sort::Bits(width) => {
                let number = (value << (64 - width)) as i64 >> (64 - width);
                Some(format!("`{text}` computes {number}, and what goes wrong depends on that"))
            }
            Sort::Domain(_) => None,
        }
    }
}
