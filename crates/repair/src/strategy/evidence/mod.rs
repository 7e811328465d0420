//! Corrections that evidence suggests, run against tests and then checked
//! against the contract (He and Gupta).
//!
//! A failing test's run is compared with the contract ([`localize::evidence`]).
//! Each piece of evidence suggests changes of one statement ([`correct`]),
//! written with the variables of its moment ([`naming`]). A change that passes
//! all tests goes to the bounded check: if that finds an input that breaks the
//! contract, the input becomes a test, and the search goes on. So the answer
//! tells a program that passes 24 tests from one that meets its contract for
//! all arrays up to a length.

mod correct;
mod naming;

use std::time::{Duration, Instant};

use c_syntax::{Source, Span};
use check::suite::{Coverage, Expected, Outcome, Test, coverage, first_failing, generate, run_test};
use check::{Proof, Task, Verdict};
use localize::evidence::{Case, case, dice, find, states_of};
use patch::{Edit, Patched};

use correct::{Correction, Corrector};

/// Failing runs that are looked at, the shortest first.
const MOST_RUNS: usize = 5;
/// Time that a proof may take even if the rest is used up.
const LEAST_PROOF: Duration = Duration::from_secs(10);
/// Tests that are made up where none of those that were given fails.
const MORE_TESTS: usize = 300;
/// Texts that are read at once.
const BATCH: usize = 24;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The tests.
    pub tests: Vec<Test>,
    /// The task that corrections are proved for, if not the one that is run: with contracts instead of callees.
    pub proving: Option<Task>,
    /// Only statements of the largest dice are changed.
    pub dices: bool,
    /// Corrections that are tried, at most.
    pub most: usize,
    /// Time for everything.
    pub timeout: Duration,
}

/// A correction that passes all tests.
#[derive(Clone, Debug)]
pub struct Repair {
    /// What is changed: "line 4: `>=` to `<`".
    pub what: String,
    /// The evidence that suggested it.
    pub evidence: String,
    /// The patched text.
    pub patched: Patched,
    /// The tests that it passes.
    pub tests: usize,
    /// What the bounded check proved; none if it did not come to an end.
    pub proof: Option<Proof>,
    /// When it was found.
    pub after: Duration,
}

/// How the search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// A correction meets the contract.
    Repaired,
    /// One passes the tests; that it meets the contract is not proved.
    PassesTests,
    /// No correction passes the tests.
    Exhausted,
    /// Time is up.
    OutOfTime,
    /// No test fails, and the contract is met.
    AlreadyRight,
    /// No input satisfies the precondition.
    NoInput,
    /// There is no contract.
    NoContract,
    /// Something else: a sentence.
    Other(String),
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Repairs {
    /// The correction.
    pub found: Option<Repair>,
    /// How the search ended.
    pub end: End,
    /// How many tests fail, of how many.
    pub failing: (usize, usize),
    /// What the tests cover.
    pub coverage: Coverage,
    /// Corrections that were tried.
    pub tried: usize,
    /// Tests that the bounded check added.
    pub learnt: usize,
    /// The statements of the dice, if dices were asked for and there is one.
    pub dice: Option<usize>,
    /// Time.
    pub time: Duration,
}

/// Searches for a correction.
pub fn repairs(task: &Task, wanted: &Wanted, progress: &mut dyn FnMut(usize)) -> Repairs {
    let mut search = Search::new(task, wanted);
    let end = search.run(progress);
    let end = match (&search.best, end) {
        (Some(best), End::Exhausted | End::OutOfTime) if best.proof.is_none() => End::PassesTests,
        (_, end) => end,
    };
    Repairs {
        found: search.best,
        end,
        failing: search.failing,
        coverage: search.coverage,
        tried: search.tried.len(),
        learnt: search.learnt,
        dice: search.dice.as_ref().map(Vec::len),
        time: search.started.elapsed(),
    }
}

struct Search<'a> {
    task: &'a Task,
    wanted: &'a Wanted,
    tests: Vec<Test>,
    source: Source,
    started: Instant,
    tried: Vec<(Span, String)>,
    best: Option<Repair>,
    failing: (usize, usize),
    coverage: Coverage,
    learnt: usize,
    dice: Option<Vec<Span>>,
}

impl<'a> Search<'a> {
    fn new(task: &'a Task, wanted: &'a Wanted) -> Search<'a> {
        let source = Source::new(task.program.path.clone(), task.program.text().to_vec());
        Search {
            task,
            wanted,
            tests: wanted.tests.clone(),
            source,
            started: Instant::now(),
            tried: vec![],
            best: None,
            failing: (0, 0),
            coverage: Coverage::default(),
            learnt: 0,
            dice: None,
        }
    }

    fn left(&self) -> Duration {
        self.wanted.timeout.saturating_sub(self.started.elapsed())
    }

    fn run(&mut self, progress: &mut dyn FnMut(usize)) -> End {
        if self.task.contract.is_none() {
            return End::NoContract;
        }
        let side = &self.task.program;
        let outcomes: Vec<Outcome> = self.tests.iter().map(|test| run_test(side, test)).collect();
        if let Some(Outcome::Impossible(why)) =
            outcomes.iter().find(|outcome| matches!(outcome, Outcome::Impossible(_)))
        {
            return End::Other(format!("the function cannot be run: {why}"));
        }
        self.coverage = coverage(side, &self.tests);
        let is_failing: Vec<bool> = outcomes.iter().map(Outcome::is_failing).collect();
        self.failing = (is_failing.iter().filter(|failing| **failing).count(), self.tests.len());
        if self.wanted.dices {
            let steps = dice::largest(&self.coverage, &is_failing);
            self.dice = steps.map(|steps| steps.iter().map(|step| side.program.step(*step).region).collect());
        }
        let is_call = |(test, failing): (&Test, &bool)| *failing && !test.is_whole();
        if !self.tests.iter().zip(&is_failing).any(is_call)
            && let Some(end) = self.learn_first()
        {
            return end;
        }
        let cases = self.cases();
        if cases.is_empty() {
            return self.task.program.instead.first().map_or(End::Exhausted, |name| {
                End::Other(format!(
                    "no failing run can be followed: `{name}` has no body in this file, only a contract; repair with --method mutation or template"
                ))
            });
        }
        for last_resort in [false, true] {
            for case in &cases {
                for conjunction in &case.conjunctions {
                    if let Some(end) = self.attempt(case, conjunction, last_resort, progress) {
                        return end;
                    }
                }
            }
        }
        End::Exhausted
    }

    /// No test of the function fails: more of them may, or the bounded check finds an input that does.
    fn learn_first(&mut self) -> Option<End> {
        let more = generate(self.task, MORE_TESTS, 2).into_iter();
        let failing: Vec<Test> = more.filter(|test| run_test(&self.task.program, test).is_failing()).collect();
        self.learnt += failing.len();
        self.tests.extend(failing);
        if self.learnt > 0 {
            return None;
        }
        let mut task = self.wanted.proving.as_ref().unwrap_or(self.task).clone();
        task.options.timeout = self.left().max(LEAST_PROOF);
        match check::check(&task) {
            Verdict::Fails(found) => {
                self.learn(&self.task.program.clone(), found.example);
                None
            }
            Verdict::Holds(proof) if proof.no_input => Some(End::NoInput),
            Verdict::Holds(_) if self.failing.0 > 0 => Some(End::Other(
                "the whole program fails tests, but the function meets its contract: look for the fault in other functions, or say more in the contract".into(),
            )),
            Verdict::Holds(_) => Some(End::AlreadyRight),
            Verdict::OutOfTime(why) => Some(End::Other(format!("no test fails, and the check was not decided: {why}"))),
            Verdict::BoundTooSmall(_) => {
                Some(End::Other("no test fails, and nothing goes wrong up to the bound; raise --unwind".into()))
            }
            Verdict::Nothing => Some(End::AlreadyRight),
        }
    }

    /// The failing runs, the shortest first.
    fn cases(&self) -> Vec<Case> {
        let calls = self.tests.iter().filter(|test| !test.is_whole());
        let failing = calls.filter(|test| run_test(&self.task.program, test).is_failing());
        let mut cases: Vec<Case> = failing.filter_map(|test| case(self.task, &self.task.program, test)).collect();
        cases.sort_by_key(|case| case.trace.instances.len());
        // Runs of one length say much the same: of each only one or two.
        let mut kept: Vec<Case> = vec![];
        for case in cases {
            let same = kept.iter().filter(|known| known.trace.instances.len() == case.trace.instances.len()).count();
            if same < 2 && kept.len() < MOST_RUNS {
                kept.push(case);
            }
        }
        kept
    }

    /// Tries what the evidence of one run suggests; an end if the search is over.
    fn attempt(
        &mut self,
        case: &Case,
        conjunction: &[localize::evidence::Predicate],
        last_resort: bool,
        progress: &mut dyn FnMut(usize),
    ) -> Option<End> {
        let states = states_of(case, conjunction);
        let evidence = find::evidence(&states);
        let mut corrector = Corrector { case, conjunction, states: &states, found: vec![] };
        for one in &evidence {
            match last_resort {
                false => corrector.correct(one),
                true => corrector.last_resort(one),
            }
        }
        let mut new: Vec<Correction> = vec![];
        for correction in corrector.found {
            let known = (correction.span, correction.text.clone());
            let is_in_dice = self.dice.as_ref().is_none_or(|dice| dice.iter().any(|span| span.covers(correction.span)));
            let is_own = (correction.span.end as usize) <= self.task.program.own;
            let changes = self.source.text(correction.span) != correction.text;
            if is_in_dice && is_own && changes && !self.tried.contains(&known) {
                self.tried.push(known);
                new.push(correction);
            }
        }
        for batch in new.chunks(BATCH) {
            progress(self.tried.len());
            if self.left().is_zero() || self.tried.len() > self.wanted.most {
                return Some(End::OutOfTime);
            }
            if let Some(end) = self.test_batch(batch) {
                return Some(end);
            }
        }
        None
    }

    fn test_batch(&mut self, batch: &[Correction]) -> Option<End> {
        let edit = |correction: &Correction| {
            let edits = [Edit::Replace { span: correction.span, text: correction.text.clone() }];
            patch::apply(&self.source, &edits).ok()
        };
        let patched: Vec<(Patched, &Correction)> =
            batch.iter().filter_map(|correction| Some((edit(correction)?, correction))).collect();
        let texts: Vec<Vec<u8>> = patched.iter().map(|(patched, _)| patched.text.clone()).collect();
        let sides = self.task.program.with_texts(&texts);
        for ((patched, correction), side) in patched.into_iter().zip(sides) {
            let Ok(side) = side else { continue };
            if first_failing(&side, &self.tests).is_some() {
                continue;
            }
            let proof = match self.verdict(&side, &patched.text) {
                Verdict::Fails(found) => {
                    self.learn(&side, found.example);
                    continue;
                }
                Verdict::Holds(proof) if proof.is_whole() => Some(proof),
                _ => None,
            };
            let is_proved = proof.is_some();
            if is_proved || self.best.is_none() {
                self.best = Some(self.repair(correction, patched, proof));
            }
            if is_proved {
                return Some(End::Repaired);
            }
        }
        None
    }

    /// An input that breaks the contract becomes a test. With contracts instead of callees it may
    /// break it only there; then it says nothing about a run.
    fn learn(&mut self, side: &check::Side, mut example: check::Example) {
        example.nondet.truncate(self.task.program.given.len());
        let test = Test { name: "found by the check".into(), example, expected: Expected::nothing() };
        if run_test(side, &test).is_failing() {
            self.tests.push(test);
            self.learnt += 1;
        }
    }

    fn verdict(&self, side: &check::Side, text: &[u8]) -> Verdict {
        let mut task = self.wanted.proving.as_ref().unwrap_or(self.task).clone();
        task.options.timeout = self.left().max(LEAST_PROOF);
        match &self.wanted.proving {
            None => check::check_side(&task, side),
            Some(proving) => match proving.program.with_text(text) {
                Ok(side) => check::check_side(&task, &side),
                Err(error) => Verdict::OutOfTime(error.to_string()),
            },
        }
    }

    fn repair(&self, correction: &Correction, patched: Patched, proof: Option<Proof>) -> Repair {
        let line = self.source.line(correction.span.start);
        let what = format!("line {line}: `{}` to `{}`", self.source.text(correction.span), correction.text);
        Repair {
            what,
            evidence: correction.reason.clone(),
            patched,
            tests: self.tests.len(),
            proof,
            after: self.started.elapsed(),
        }
    }
}
