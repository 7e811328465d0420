//! One diagnosis and its templates.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use check::{Example, Side, Task};
use encode::program::{Inputs, Unknown as Given};
use localize::diagnosis::{
    Component, Diagnoses, Instrument, Piece, Question, converted, instrument, not_zero, question, unknowns,
};
use patch::Edit;
use solver::{Answer, Limits, Model, Solver, Term, Terms};

use super::candidate::{Move, Unknown, propose, refute};
use super::{Counts, Wanted};
use crate::scheme::template::{Build, ParameterKind, Template, Values, templates};

/// What came of a template.
pub(super) enum Tried {
    /// A proposal that no input refutes.
    Right(Candidate),
    /// There is no further one; perhaps the input that refuted the last.
    Over(Option<Example>),
    OutOfTime,
    /// There is no formula.
    Failed(String),
}

/// A proposal that no input refutes.
pub(super) struct Candidate {
    pub(super) components: Vec<usize>,
    pub(super) what: Vec<String>,
    pub(super) templates: Vec<String>,
    pub(super) rank: usize,
    /// Whether it has a large number that is not in the program.
    pub(super) is_strange: bool,
    pub(super) edits: Vec<Edit>,
}

pub(super) struct Attempt<'a> {
    task: &'a Task,
    side: &'a Side,
    wanted: &'a Wanted,
    components: Vec<usize>,
    places: Vec<&'a Component>,
    /// For each component, simple ones first.
    templates: Vec<Vec<Template>>,
    /// For each rank, which template of each component.
    combinations: Vec<Vec<usize>>,
    formula: Option<Formula>,
    /// The template that is being tried.
    current: Option<Current>,
    /// The ranks that need not be looked at again.
    done: HashSet<usize>,
    /// Repairs so far, without strange ones.
    pub(super) found: usize,
    /// Whether there is one with a strange number.
    pub(super) is_strange: bool,
}

/// Templates of several components are combined as long as there are not more combinations than this.
const MOST_COMBINATIONS: usize = 60;

impl<'a> Attempt<'a> {
    pub(super) fn new(task: &'a Task, side: &'a Side, found: &'a Diagnoses, number: usize, wanted: &'a Wanted) -> Self {
        let components = found.found[number].components.clone();
        let places: Vec<&Component> = components.iter().map(|number| &found.components[*number]).collect();
        let unit = &side.unit;
        let templates: Vec<Vec<Template>> =
            places.iter().map(|place| templates(unit, place, &wanted.templates)).collect();
        let combinations = combinations(&templates);
        Attempt {
            task,
            side,
            wanted,
            components,
            places,
            templates,
            combinations,
            formula: None,
            current: None,
            done: HashSet::new(),
            found: 0,
            is_strange: false,
        }
    }

    /// How many templates, or combinations of templates, there are.
    pub(super) fn ranks(&self) -> usize {
        self.combinations.len()
    }

    /// Whether it can take long to find out that the template of a rank fits nowhere.
    pub(super) fn is_hard(&self, rank: usize) -> bool {
        let Some(combination) = self.combinations.get(rank) else { return false };
        combination.iter().zip(&self.templates).any(|(number, templates)| templates[*number].is_hard)
    }

    /// Whether there is nothing left to do, if so many repairs are wanted.
    pub(super) fn is_over(&self, repairs: usize) -> bool {
        self.found >= repairs || (0..self.combinations.len()).all(|rank| self.is_done(rank))
    }

    /// Whether all that the template of a rank can be was looked at.
    pub(super) fn is_done(&self, rank: usize) -> bool {
        rank >= self.combinations.len() || self.done.contains(&rank)
    }

    /// The next proposal with the template of a rank that no input refutes. Inputs that refute others are added.
    ///
    /// Solving takes `time` at most, and making the formula what is left.
    pub(super) fn next(
        &mut self,
        rank: usize,
        known: &mut Vec<Example>,
        (time, left): (Duration, Duration),
        counts: &mut Counts,
    ) -> Tried {
        let Some(combination) = self.combinations.get(rank).cloned() else { return Tried::Over(None) };
        let is_hard = self.is_hard(rank);
        if self.formula.as_ref().is_none_or(|formula| is_hard && !formula.is_hard) {
            self.current = None;
            match Formula::new(self, is_hard, left, known.first()) {
                Ok(formula) => self.formula = Some(formula),
                // One that cannot be written has no template: it is no expression by itself.
                Err(Trouble::Unreadable) => {
                    self.combinations.clear();
                    return Tried::Over(None);
                }
                Err(Trouble::TooLarge(why)) => return Tried::Failed(why),
            }
        }
        let limits = Limits::none().and_until(Instant::now() + time.min(left));
        let formula = self.formula.as_mut().expect("it was made above");
        if self.current.as_ref().is_none_or(|current| current.rank != rank) {
            counts.tried += 1;
            self.current = Some(Current::new(formula, rank, &combination));
        }
        let current = self.current.as_mut().expect("it was made above");
        let heuristics = self.wanted.heuristics;
        let mut refuting = None;
        while current.proposed < self.wanted.iterations {
            for example in &known[current.known..] {
                current.learn(formula, example);
            }
            current.known = known.len();
            let Formula { terms, inputs, constants, .. } = formula;
            let proposal =
                propose(&mut current.solver, terms, &current.unknowns, constants, heuristics.simple, &limits);
            let model = match proposal {
                Move::Model(model) => model,
                Move::None => {
                    self.done.insert(rank);
                    return Tried::Over(refuting);
                }
                Move::OutOfTime => return Tried::OutOfTime,
            };
            current.proposed += 1;
            counts.proposed += 1;
            let values: Model =
                current.unknowns.iter().map(|one| (one.term, model.get(one.term).unwrap_or(0))).collect();
            let wrong = terms.specialize(current.wrong, &values);
            match refute(terms, inputs, wrong, heuristics.nasty, &limits, known.len() as u64) {
                Ok(Some(example)) => {
                    counts.inputs += 1;
                    refuting = Some(example.clone());
                    known.push(example);
                }
                Ok(None) => {
                    current.block(terms, &values);
                    if !formula.is_reached(&current.fixed, &values, &limits) {
                        counts.vacuous += 1;
                        continue;
                    }
                    let numbers: Values = current.unknowns.iter().map(|one| one.value(&values)).collect();
                    let is_strange = current.unknowns.iter().any(|one| one.is_strange(&values, &formula.constants));
                    let candidate = self.candidate(rank, &combination, &numbers);
                    return Tried::Right(Candidate { is_strange, ..candidate });
                }
                Err(()) => return Tried::OutOfTime,
            }
        }
        self.done.insert(rank);
        Tried::Over(refuting)
    }

    fn candidate(&self, rank: usize, combination: &[usize], numbers: &Values) -> Candidate {
        let source = task_source(self.task);
        let (mut edits, mut what, mut names) = (vec![], vec![], vec![]);
        let mut numbers = numbers.as_slice();
        for (at, place) in self.places.iter().enumerate() {
            let template = &self.templates[at][combination[at]];
            let (own, rest) = numbers.split_at(template.parameters.len());
            numbers = rest;
            let new = template.tree.written(&own.to_vec());
            let old = source.text(place.span).split_whitespace().collect::<Vec<_>>().join(" ");
            what.push(format!("line {}: `{old}` to `{new}`", source.line(place.span.start)));
            names.push(template.name.clone());
            edits.push(Edit::Replace { span: place.span, text: in_place(&source, place, new) });
        }
        Candidate { components: self.components.clone(), what, templates: names, rank, is_strange: false, edits }
    }
}

fn task_source(task: &Task) -> c_syntax::Source {
    c_syntax::Source::new(task.program.path.clone(), task.program.text().to_vec())
}

/// A new expression in the place of an old one: in parentheses, where something is next to it.
fn in_place(source: &c_syntax::Source, place: &Component, new: String) -> String {
    let before = source.bytes[..place.span.start as usize].iter().rev().find(|byte| !byte.is_ascii_whitespace());
    let end = c_syntax::skip_space(&source.bytes, place.span.end as usize);
    let after = source.bytes.get(end);
    let is_alone = matches!(before, Some(b'(' | b'=' | b',' | b'[' | b'{' | b';'))
        && matches!(after, Some(b')' | b';' | b',' | b']' | b'}'));
    let is_returned = source.bytes[..place.span.start as usize].trim_ascii_end().ends_with(b"return");
    let is_simple = new.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_simple || is_alone || (is_returned && after == Some(&b';')) { new } else { format!("({new})") }
}

/// Which templates are taken together, simple ones first.
fn combinations(templates: &[Vec<Template>]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![vec![]];
    for of_one in templates {
        all = all.iter().flat_map(|begun| (0..of_one.len()).map(|next| [begun.as_slice(), &[next]].concat())).collect();
    }
    all.sort_by_key(|numbers| numbers.iter().sum::<usize>());
    all.truncate(MOST_COMBINATIONS.max(templates.first().map_or(0, Vec::len)));
    all
}

enum Trouble {
    Unreadable,
    TooLarge(String),
}

/// The program with all templates of a diagnosis.
struct Formula {
    /// Whether it has the hard templates too.
    is_hard: bool,
    terms: Terms,
    inputs: Inputs,
    wrong: Term,
    reached: Vec<Term>,
    /// For each component: which template it becomes.
    chosen: Vec<Term>,
    /// For each component and template: its parameters.
    parameters: Vec<Vec<Vec<Term>>>,
    kinds: Vec<Vec<Vec<ParameterKind>>>,
    /// Numbers that the program has.
    constants: Vec<i64>,
}

impl Formula {
    fn new(attempt: &Attempt<'_>, is_hard: bool, left: Duration, first: Option<&Example>) -> Result<Formula, Trouble> {
        let mut terms = Terms::new();
        let (mut chosen, mut parameters, mut kinds, mut named) = (vec![], vec![], vec![], vec![]);
        for (at, of_one) in attempt.templates.iter().enumerate() {
            let which = terms.bits_variable(&names::which(at), 8);
            named.push((names::which(at), Given::Fixed(which)));
            chosen.push(which);
            let mut of_templates = vec![];
            for (number, template) in of_one.iter().enumerate() {
                let mut of_template = vec![];
                for (parameter, kind) in template.parameters.iter().enumerate() {
                    let name = names::parameter(at, number, parameter);
                    let term = terms.bits_variable(&name, kind.width());
                    named.push((name, Given::Fixed(term)));
                    of_template.push(term);
                }
                of_templates.push(of_template);
            }
            parameters.push(of_templates);
            kinds.push(of_one.iter().map(|template| template.parameters.clone()).collect());
        }
        let side = if attempt.wanted.templates.is_empty() { in_tree(attempt, is_hard) } else { in_text(attempt) };
        let side = side.ok_or(Trouble::Unreadable)?;
        let unknowns = unknowns(&side, named);
        let mut task = attempt.task.clone();
        task.options.timeout = left;
        let analysis = attempt.wanted.diagnosis.analysis;
        let Question { terms, inputs, wrong, reached, .. } = question(&task, &side, terms, &unknowns, analysis, first)
            .map_err(|error| Trouble::TooLarge(error.to_string()))?;
        let constants = constants(&attempt.task.program);
        let is_hard = is_hard || !attempt.wanted.templates.is_empty();
        Ok(Formula { is_hard, terms, inputs, wrong, reached, chosen, parameters, kinds, constants })
    }

    /// Whether assertions are still come to.
    fn is_reached(&mut self, fixed: &Model, values: &Model, limits: &Limits) -> bool {
        self.reached.clone().into_iter().all(|here| {
            let here = self.terms.specialize(here, fixed);
            let here = self.terms.specialize(here, values);
            let mut solver: Solver<()> = Solver::embedded();
            solver.assert(&self.terms, here);
            !matches!(solver.check(&self.terms, &[], limits), Answer::Unsat(_))
        })
    }
}

/// The names of the new variables.
mod names {
    pub(super) fn which(component: usize) -> String {
        format!("wolverine_template_{component}")
    }

    pub(super) fn parameter(component: usize, template: usize, parameter: usize) -> String {
        format!("wolverine_k_{component}_{template}_{parameter}")
    }
}

/// The program with templates, in its syntax tree; without the hard ones, if they are not wanted.
fn in_tree(attempt: &Attempt<'_>, is_hard: bool) -> Option<Side> {
    let mut instrument = Instrument::new(attempt.side);
    let types = &mut instrument.unit.types;
    let (int, long) = (types.int(4, true), types.int(8, true));
    let (signed_byte, byte) = (types.int(1, true), types.int(1, false));
    for (at, place) in attempt.places.iter().enumerate() {
        let which = instrument.unknown(&names::which(at), byte);
        let mut build = Build { instrument: &mut instrument, int, long, span: place.span, parameters: vec![] };
        let mut items = vec![];
        for (template, one) in attempt.templates[at].iter().enumerate() {
            if one.is_hard && !is_hard {
                items.push(build.number(0));
                continue;
            }
            build.parameters.clear();
            for (parameter, kind) in one.parameters.iter().enumerate() {
                let ty = match kind {
                    ParameterKind::Number => int,
                    ParameterKind::Coefficient => signed_byte,
                    ParameterKind::Which(_) => byte,
                };
                let name = names::parameter(at, template, parameter);
                build.parameters.push(build.instrument.unknown(&name, ty));
            }
            items.push(build.expr(&one.tree)?);
        }
        build.parameters = vec![which];
        let chosen = build.one_of(0, items);
        let new = if place.role.is_truth() { not_zero(chosen, int) } else { converted(chosen, place.expr.ty) };
        instrument.replace(place.span, move |_| new.clone());
    }
    Some(instrument.finish())
}

/// The program with templates, in its text.
fn in_text(attempt: &Attempt<'_>) -> Option<Side> {
    let (mut declarations, mut pieces) = (String::new(), vec![]);
    for (at, place) in attempt.places.iter().enumerate() {
        let which = names::which(at);
        declarations += &format!("unsigned char {which}; ");
        let of_one = &attempt.templates[at];
        let mut text = String::from("(");
        for (number, template) in of_one.iter().enumerate() {
            let name = |parameter: usize| names::parameter(at, number, parameter);
            for (parameter, kind) in template.parameters.iter().enumerate() {
                declarations += &format!("{} {}; ", kind.type_name(), name(parameter));
            }
            let searched = template.tree.searched(&name);
            match number + 1 == of_one.len() {
                true => text += &format!("{searched})"),
                false => text += &format!("{which} == {number} ? {searched} : "),
            }
        }
        pieces.push(Piece { span: place.span, before: text, after: String::new(), replaces: true });
    }
    declarations.push('\n');
    instrument(attempt.side, &declarations, &pieces).ok()
}

/// The integers that are written in a program.
fn constants(side: &Side) -> Vec<i64> {
    let text = String::from_utf8_lossy(side.text()).into_owned();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.');
    let mut found: Vec<i64> = words.filter_map(|word| word.parse().ok()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// A template that is being tried.
struct Current {
    rank: usize,
    wrong: Term,
    unknowns: Vec<Unknown>,
    /// Which templates are chosen.
    fixed: Model,
    solver: Solver<()>,
    /// How many of the known inputs the solver knows.
    known: usize,
    proposed: usize,
}

impl Current {
    fn new(formula: &mut Formula, rank: usize, combination: &[usize]) -> Current {
        let fixed: Model =
            formula.chosen.iter().copied().zip(combination.iter().map(|number| *number as u64)).collect();
        let wrong = formula.terms.specialize(formula.wrong, &fixed);
        let mut unknowns = vec![];
        for (at, number) in combination.iter().enumerate() {
            let terms = formula.parameters[at][*number].iter();
            let kinds = formula.kinds[at][*number].iter();
            unknowns.extend(terms.zip(kinds).map(|(term, kind)| Unknown { kind: *kind, term: *term }));
        }
        let mut solver = Solver::embedded();
        for unknown in &unknowns {
            if let Some(range) = unknown.range(&mut formula.terms) {
                solver.assert(&formula.terms, range);
            }
        }
        Current { rank, wrong, unknowns, fixed, solver, known: 0, proposed: 0 }
    }

    /// From now on, proposals are right for this input.
    fn learn(&mut self, formula: &mut Formula, example: &Example) {
        let input = example.model(&formula.terms, &formula.inputs);
        let wrong = formula.terms.specialize(self.wrong, &input);
        let right = formula.terms.not(wrong);
        self.solver.assert(&formula.terms, right);
    }

    /// From now on, proposals are others.
    fn block(&mut self, terms: &mut Terms, values: &Model) {
        let over: Vec<Term> = self.unknowns.iter().map(|unknown| unknown.term).collect();
        let other = terms.differs_from(&over, values);
        self.solver.assert(terms, other);
    }
}
