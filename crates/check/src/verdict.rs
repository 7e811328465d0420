//! Asks the solver, and has every answer confirmed.

use std::time::Instant;

use encode::program::{Open, Unfolded, Unmodelled, Violation};
use solver::{Answer, Limits, Model, Reason, Solver, Term, Terms};

use crate::confirm::{Example, Failure, confirm};
use crate::formula::{Formula, formula};
use crate::task::{Side, Task};

/// Models that the interpreter does not confirm are left out, so many at most.
const MOST_UNCONFIRMED: usize = 12;

/// What a check found out.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Nothing goes wrong.
    Holds(Proof),
    /// Something does.
    Fails(Box<Counterexample>),
    /// Nothing goes wrong up to the bound, but some runs go on past it.
    BoundTooSmall(Beyond),
    /// There is nothing to check against: no assertion, no reference, no access that could go wrong.
    Nothing,
    /// Time is up, or the program is too large.
    OutOfTime(String),
}

/// What was proved.
#[derive(Clone, Debug)]
pub struct Proof {
    /// How many rounds loops were unrolled.
    pub unwind: u32,
    /// With how many arguments the program was run, its name included, if it looks at them.
    pub arguments: Option<u32>,
    /// How many characters words of standard input have, at most, if the program reads any.
    pub longest_word: Option<u32>,
    /// What is not modelled and can be reached: nothing is proved of runs that come there.
    pub unmodelled: Vec<Unmodelled>,
    /// The same for the reference.
    pub reference_unmodelled: Vec<Unmodelled>,
    /// Whether some inputs were left out because the reference is undefined there.
    pub left_out: bool,
    /// Whether some inputs were left out because the reference goes on past the bound there.
    pub reference_beyond: bool,
    /// Whether no input at all satisfies what is assumed.
    pub no_input: bool,
    /// Whether the counterexamples of the formula could not be confirmed, and why.
    pub unconfirmed: Option<String>,
}

impl Proof {
    /// Whether it is a proof for all inputs up to the bound.
    pub fn is_whole(&self) -> bool {
        self.unmodelled.is_empty()
            && self.reference_unmodelled.is_empty()
            && self.unconfirmed.is_none()
            && !self.no_input
    }
}

/// A confirmed run that goes wrong.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The inputs.
    pub example: Example,
    /// What goes wrong.
    pub failure: Failure,
    /// The violation in the formula, if it is none of a comparison.
    pub violation: Option<Violation>,
}

/// A loop or recursion that goes on past the bound.
#[derive(Clone, Debug)]
pub struct Beyond {
    /// Where.
    pub violation: Violation,
    /// Inputs that lead there.
    pub example: Example,
}

/// Checks a task.
pub fn check(task: &Task) -> Verdict {
    check_side(task, &task.program)
}

/// Up to `most` confirmed counterexamples with different inputs, after a first one.
pub fn more_counterexamples(task: &Task, first: &Counterexample, most: usize) -> Vec<Example> {
    let mut found = vec![first.example.clone()];
    let Ok(formula) = formula(task, &task.program.program, Terms::new(), Open::default(), false) else { return found };
    let limits = Limits::none().and_until(Instant::now() + task.options.timeout);
    let mut query = Query { task, formula, limits };
    let wrong = query.formula.wrong();
    let mut solver: Solver<()> = Solver::embedded();
    solver.assert(&query.formula.terms, wrong);
    for _ in 0..most + MOST_UNCONFIRMED {
        let Answer::Sat(model) = solver.check(&query.formula.terms, &[], &query.limits) else { break };
        let example = Example::of(&query.formula.terms, &query.formula.inputs, &model);
        if found.len() < most
            && !found.contains(&example)
            && matches!(confirm(task, &task.program, &example), Ok(Some(_)))
        {
            found.push(example);
        }
        if found.len() >= most {
            break;
        }
        let again = query.other_inputs(&model);
        solver.assert(&query.formula.terms, again);
    }
    found
}

/// Checks another text of the task's program.
pub fn check_side(task: &Task, side: &Side) -> Verdict {
    let limits = Limits::none().and_until(Instant::now() + task.options.timeout);
    let mut question = task.clone();
    question.program = side.clone();
    let formula = match formula(&question, &side.program, Terms::new(), Open::default(), false) {
        Ok(formula) => formula,
        Err(too_large) => return Verdict::OutOfTime(too_large.to_string()),
    };
    let Unfolded { demands, unmodelled, unwound, .. } = &formula.program;
    if question.reference.is_none() && *demands == 0 && unmodelled.is_empty() && unwound.is_empty() {
        return Verdict::Nothing;
    }
    Query { task: &question, formula, limits }.answer()
}

struct Query<'a> {
    task: &'a Task,
    formula: Formula,
    limits: Limits,
}

impl Query<'_> {
    fn answer(mut self) -> Verdict {
        let wrong = self.formula.wrong();
        let mut solver = self.solver(wrong);
        let mut unconfirmed = None;
        for _ in 0..MOST_UNCONFIRMED {
            let model = match solver.check(&self.formula.terms, &[], &self.limits) {
                Answer::Sat(model) => self.smaller(&mut solver, model),
                Answer::Unsat(_) => return self.beyond(unconfirmed),
                Answer::Unknown(reason) => return Verdict::OutOfTime(out(reason)),
            };
            let example = Example::of(&self.formula.terms, &self.formula.inputs, &model);
            match confirm(self.task, &self.task.program, &example) {
                Ok(Some(failure)) => {
                    let violation = self.first(&model);
                    return Verdict::Fails(Box::new(Counterexample { example, failure, violation }));
                }
                Ok(None) => unconfirmed = Some("the interpreter does not agree with the formula".to_string()),
                Err(why) => unconfirmed = Some(why),
            }
            let again = self.other_inputs(&model);
            solver.assert(&self.formula.terms, again);
        }
        self.beyond(unconfirmed)
    }

    /// A solver that looks for models of a formula. Numbers that are only copied and compared are short.
    fn solver(&mut self, formula: Term) -> Solver<()> {
        let mut solver: Solver<()> = Solver::embedded();
        let terms = &mut self.formula.terms;
        let narrowed = terms.narrow(formula);
        solver.assert(terms, narrowed.root);
        for (old, new) in narrowed.variables {
            let long = terms.sign_extend(new, terms.width(old));
            let same = terms.eq(old, long);
            solver.assert(terms, same);
        }
        solver
    }

    /// A model with smaller inputs, as people like them.
    fn smaller(&mut self, solver: &mut Solver<()>, model: Model) -> Model {
        let inputs: Vec<Term> = self.formula.inputs.all.iter().map(|input| input.term).collect();
        let mut best = model;
        for bound in [2i64, 10, 100, 1000] {
            let terms = &mut self.formula.terms;
            let (low, high) = (terms.bits(-bound as u64, 64), terms.bits(bound as u64, 64));
            let small: Vec<Term> =
                inputs.iter().flat_map(|input| [terms.sle(low, *input), terms.sle(*input, high)]).collect();
            let small = terms.all(&small);
            let limits = self.limits.and_within(std::time::Duration::from_millis(300));
            if let Answer::Sat(model) = solver.check(&self.formula.terms, &[small], &limits) {
                best = model;
                break;
            }
        }
        best
    }

    fn other_inputs(&mut self, model: &Model) -> Term {
        let terms = &mut self.formula.terms;
        let mut parts = vec![];
        for input in &self.formula.inputs.all {
            let value = terms.evaluate(input.term, model);
            let value = terms.bits(value, 64);
            parts.push(terms.ne(input.term, value));
        }
        terms.any(&parts)
    }

    /// The first thing that goes wrong in a model.
    fn first(&self, model: &Model) -> Option<Violation> {
        let violations = &self.formula.program.violations;
        let whens: Vec<Term> = violations.iter().map(|violation| violation.when).collect();
        let values = self.formula.terms.evaluate_all(&whens, model);
        violations.iter().zip(values).find(|(_, value)| *value == 1).map(|(violation, _)| violation.clone())
    }

    fn beyond(mut self, unconfirmed: Option<String>) -> Verdict {
        if self.task.options.unwinding_assertions
            && let Some(verdict) = self.past_the_bound()
        {
            return verdict;
        }
        let (counts, always) = (self.formula.counts, self.formula.terms.constant(true));
        let unmodelled = self.reachable(self.formula.program.unmodelled.clone(), counts);
        let reference = self.formula.reference.as_ref().map_or(vec![], |reference| reference.unmodelled.clone());
        let reference_unmodelled = self.reachable(reference, always);
        let (undefined, beyond) = (self.formula.undefined, self.formula.reference_unwound);
        let (left_out, reference_beyond) = (self.possible(undefined), self.possible(beyond));
        let assumed = self.formula.program.assumed;
        let no_input = self.task.contract.is_some() && !self.possible(assumed);
        let unwind = self.task.options.bounds.unwind;
        let side = &self.task.program;
        let takes_arguments = side.program.function(side.entry).parameters > 0;
        let arguments = takes_arguments.then_some(self.formula.arguments);
        let longest_word = (!self.formula.inputs.words.is_empty()).then_some(unwind);
        Verdict::Holds(Proof {
            unwind,
            arguments,
            longest_word,
            unmodelled,
            reference_unmodelled,
            left_out,
            reference_beyond,
            no_input,
            unconfirmed,
        })
    }

    /// Those places, each once, to which inputs lead for which `counts` holds.
    fn reachable(&mut self, all: Vec<Unmodelled>, counts: Term) -> Vec<Unmodelled> {
        let mut found: Vec<Unmodelled> = vec![];
        for one in all {
            let here = self.formula.terms.and(counts, one.when);
            if !found.iter().any(|known| known.span == one.span) && self.possible(here) {
                found.push(one);
            }
        }
        found
    }

    fn past_the_bound(&mut self) -> Option<Verdict> {
        let (counts, unwound) = (self.formula.counts, self.formula.unwound);
        let modelled = self.formula.terms.not(self.formula.unmodelled);
        let past = self.formula.terms.all(&[counts, unwound, modelled]);
        let mut solver = self.solver(past);
        let model = match solver.check(&self.formula.terms, &[], &self.limits) {
            Answer::Sat(model) => self.smaller(&mut solver, model),
            Answer::Unsat(_) => return None,
            Answer::Unknown(reason) => return Some(Verdict::OutOfTime(out(reason))),
        };
        let example = Example::of(&self.formula.terms, &self.formula.inputs, &model);
        // A run that really does not end is wrong; one that goes wrong later is, too.
        if let Ok(Some(failure)) = confirm(self.task, &self.task.program, &example) {
            let violation = None;
            return Some(Verdict::Fails(Box::new(Counterexample { example, failure, violation })));
        }
        let unwound = &self.formula.program.unwound;
        let whens: Vec<Term> = unwound.iter().map(|violation| violation.when).collect();
        let values = self.formula.terms.evaluate_all(&whens, &model);
        let hit = unwound.iter().zip(values).find(|(_, value)| *value == 1)?;
        Some(Verdict::BoundTooSmall(Beyond { violation: hit.0.clone(), example }))
    }

    fn possible(&mut self, term: Term) -> bool {
        if self.formula.terms.value(term).is_some_and(|value| value == 0) {
            return false;
        }
        let mut solver = self.solver(term);
        !solver.check(&self.formula.terms, &[], &self.limits).is_unsat()
    }
}

fn out(reason: Reason) -> String {
    match reason {
        Reason::OutOfTime => {
            "the solver ran out of time; give it more with --timeout, or fewer rounds with --unwind".into()
        }
        other => format!("the solver stopped: {other:?}"),
    }
}
