//! Single repairs out of the sets that a search found, the closest to the
//! user's text first.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use encode::{
    Comparison, Edit, EditSpot, Model, NewCondition, NewStatement, Place, PlaceSpace, Scope, Space, Term, TypedTerm,
    Variable,
};
use patch::{Edit as TextEdit, Patched, Patcher};

use crate::invariant::{compares_the_same, goes_nowhere};
use crate::render::Renderer;
use crate::strategy::bits::Bits;
use crate::strategy::replay::wide::ALWAYS;
use crate::strategy::replay::{Mode, ORIGINAL, Part, Solution};

/// A repair.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What is changed.
    pub edits: Vec<Edit>,
    /// The same as text.
    pub text_edits: Vec<TextEdit>,
    /// The text with the changes made.
    pub patched: Patched,
    /// What it takes to write it, in tokens; the least comes first.
    pub effort: usize,
    /// Whether it loses nodes on further inputs.
    pub loses: bool,
    /// Edits that a search counted and that change nothing: what it put in the place of a condition can be what is
    /// written there already, once another edit made that right. They are not among the others.
    pub idle: u32,
}

impl Candidate {
    /// How many tokens differ.
    pub fn tokens(&self) -> usize {
        self.patched.tokens_changed()
    }

    /// The repair that consists of these edits, if it can be written.
    pub fn of(model: &Model, edits: &[Edit]) -> Option<Candidate> {
        let renderer = Renderer::new(model);
        let texts: Option<Vec<(Edit, Vec<TextEdit>)>> =
            edits.iter().map(|edit| Some((*edit, renderer.edit(edit)?))).collect();
        let texts = texts?;
        let effort = texts.iter().map(|(edit, text)| effort(&renderer, edit, text)).sum();
        make(&Patcher::new(&model.program.source), &texts, effort)
    }
}

/// The edits that are taken of each place.
const BEST_OF_PLACE: usize = 12;

/// The closest repairs, at most `most`.
pub fn candidates(model: &Model, space: &Space, solutions: &[Solution], most: usize) -> Vec<Candidate> {
    if solutions.is_empty() {
        return Vec::new();
    }
    let mut rater = Rater { renderer: Renderer::new(model), known: HashMap::new() };
    let mut found: Vec<(usize, usize, Written)> = Vec::new();
    for solution in solutions {
        for parts in single_parts(solution) {
            let lists: Vec<Vec<Choice>> = parts.iter().map(|part| rater.choices(space, part)).collect();
            combine(&lists, most.max(8), &mut found);
        }
    }
    found.sort_by_key(|(effort, strange, _)| (*effort, *strange));
    let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut candidates = Vec::new();
    let patcher = Patcher::new(&model.program.source);
    for (effort, _, edits) in found {
        if candidates.len() == most {
            break;
        }
        if let Some(candidate) = make(&patcher, &edits, effort)
            && seen.insert(candidate.patched.text.clone())
        {
            candidates.push(candidate);
        }
    }
    candidates
}

/// The parts of a set of repairs, where what is changed together stands apart.
/// A moved statement is written where it was.
fn single_parts(solution: &Solution) -> Vec<Vec<Part>> {
    let mut found: Vec<Vec<Part>> = vec![Vec::new()];
    for part in solution.parts.iter().filter(|part| !matches!(*part.mode, Mode::MovedHere(_))) {
        let Mode::Pair(spots, products) = &*part.mode else {
            found.iter_mut().for_each(|parts| parts.push(part.clone()));
            continue;
        };
        let single = |spot: &EditSpot, set: Bits| {
            let mode = match *spot {
                EditSpot::Operand(action, operand, _) => Mode::Operand(action, operand, set),
                EditSpot::Target(_) => Mode::Retarget(set),
            };
            Part { place: part.place, mode: Arc::new(mode) }
        };
        let both = products.iter().map(|(one, other)| [single(&spots[0], *one), single(&spots[1], *other)]);
        let both: Vec<[Part; 2]> = both.collect();
        let with = |parts: &Vec<Part>, two: &[Part; 2]| parts.iter().chain(two).cloned().collect();
        found = found.iter().flat_map(|parts| both.iter().map(|two| with(parts, two))).collect();
    }
    found
}

/// Edits with their text.
type Written = Vec<(Edit, Vec<TextEdit>)>;

fn make(patcher: &Patcher<'_>, written: &[(Edit, Vec<TextEdit>)], effort: usize) -> Option<Candidate> {
    let is_idle = |text: &[TextEdit]| !text.is_empty() && text.iter().all(|edit| patcher.is_written(edit));
    let changes = |(_, text): &&(Edit, Vec<TextEdit>)| !is_idle(text);
    let edits: Vec<Edit> = written.iter().filter(changes).map(|(edit, _)| *edit).collect();
    if edits.is_empty() {
        return None;
    }
    let text_edits: Vec<TextEdit> = written.iter().filter(changes).flat_map(|(_, text)| text.iter().cloned()).collect();
    let patched = patcher.apply(&text_edits).ok()?;
    Some(Candidate { idle: (written.len() - edits.len()) as u32, edits, text_edits, patched, effort, loses: false })
}

#[derive(Clone)]
struct Choice {
    effort: usize,
    /// Of equal effort: how strange the edit would look to a programmer.
    strange: usize,
    edit: Edit,
    text: Rc<[TextEdit]>,
}

/// Writes edits and says what that takes. The same edit is in many sets.
struct Rater<'a> {
    renderer: Renderer<'a>,
    /// Those that were written already; none if an edit cannot be.
    known: HashMap<Edit, Option<Choice>>,
}

impl Rater<'_> {
    /// The best edits of a place, the closest first.
    fn choices(&mut self, space: &Space, part: &Part) -> Vec<Choice> {
        let mut found: Vec<Choice> =
            edits(&space.places[&part.place], part).into_iter().filter_map(|edit| self.choice(edit)).collect();
        found.sort_by_key(|choice| (choice.effort, choice.strange));
        found.truncate(BEST_OF_PLACE);
        found
    }

    fn choice(&mut self, edit: Edit) -> Option<Choice> {
        let renderer = &self.renderer;
        let new = || {
            let text = renderer.edit(&edit)?;
            let (effort, strange) = (effort(renderer, &edit, &text), strange(renderer, &edit, &text));
            Some(Choice { effort, strange, edit, text: text.into() })
        };
        self.known.entry(edit).or_insert_with(new).clone()
    }
}

/// What it takes to write an edit, in tokens.
fn effort(renderer: &Renderer<'_>, edit: &Edit, texts: &[TextEdit]) -> usize {
    // Where sides are only exchanged, nothing new is written.
    if matches!(edit, Edit::Condition { new: NewCondition::Swapped(_), .. }) {
        return 3;
    }
    let one = |text: &TextEdit| match text {
        TextEdit::Replace { span, text: new } => {
            effort_of_change(&renderer.text(*span), new) + 2 * new_numbers(renderer, edit, text)
        }
        TextEdit::Delete { span } => patch::tokens(&renderer.text(*span)).len() + 1,
        TextEdit::InsertBefore { lines, .. }
        | TextEdit::InsertAfter { lines, .. }
        | TextEdit::InsertAtEnd { lines, .. } => lines.iter().map(|line| patch::tokens(line).len()).sum(),
        TextEdit::Guard { condition, .. } => patch::tokens(condition).len() + 3,
    };
    let odd = if goes_nowhere(renderer.model, edit) { 2 } else { 0 };
    texts.iter().map(one).sum::<usize>() + odd
}

/// A changed token counts as one removed and one added. Nobody likes longer
/// ways than there are: `p->a->b->c` counts for more.
fn effort_of_change(old: &str, new: &str) -> usize {
    let longest = |text: &str| -> usize {
        let tokens = patch::tokens(text);
        let ways = tokens.split(|token| !is_name(token) && *token != "->" && *token != ".");
        ways.map(|way| way.iter().filter(|token| !is_name(token)).count()).max().unwrap_or(0)
    };
    let usual = longest(old).max(2);
    patch::token_distance(old, new) + 2 * longest(new).saturating_sub(usual)
}

fn is_name(token: &&str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// A number that is compared with, where there was none.
fn new_numbers(renderer: &Renderer<'_>, edit: &Edit, text: &TextEdit) -> usize {
    let (Edit::Condition { .. }, TextEdit::Replace { span, text }) = (edit, text) else { return 0 };
    let numbers = |text: &str| -> usize {
        let is_number = |token: &&&str| token.starts_with(|c: char| c.is_ascii_digit());
        patch::tokens(text).iter().filter(is_number).count()
    };
    numbers(text).saturating_sub(numbers(&renderer.text(*span)))
}

/// `temp = fast->next` instead of `temp = fast` looks more likely than `temp = prev`
/// or `temp = NULL`: it has no name that was not there. A changed target looks
/// less likely than a changed source, and an insertion less than a change.
fn strange(renderer: &Renderer<'_>, edit: &Edit, texts: &[TextEdit]) -> usize {
    let step = match edit.place() {
        Place::Step(step) => step,
        Place::Slot(_) => return 2 * (8 + strange_exit(edit)),
    };
    let old = renderer.statement_text(step);
    let old: BTreeSet<&str> = patch::tokens(&old).into_iter().collect();
    let replaced = texts.iter().filter_map(|text| match text {
        TextEdit::Replace { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let mut strange = 0;
    for text in replaced {
        let tokens = patch::tokens(text);
        let after_arrow = |i: usize| i > 0 && tokens[i - 1] == "->";
        for (i, token) in tokens.iter().enumerate().filter(|(_, token)| is_name(token) && !old.contains(*token)) {
            strange += if after_arrow(i) { 1 } else { 2 };
            // A null or constant where there was none hides what is meant.
            let is_constant = *token == "NULL" || token.starts_with(|c: char| c.is_ascii_digit());
            let is_compared = matches!(edit, Edit::Condition { .. }) && *token != "NULL";
            strange += usize::from(is_constant && (tokens.len() == 1 || is_compared));
        }
    }
    // Who compares with null means it.
    let loses_null = |text: &TextEdit| match text {
        TextEdit::Replace { span, text } => renderer.text(*span).contains("NULL") && !text.contains("NULL"),
        _ => false,
    };
    strange += 2 * usize::from(matches!(edit, Edit::Condition { .. }) && texts.iter().any(loses_null));
    strange += match edit {
        Edit::Condition { new: NewCondition::Before(_, comparison) | NewCondition::After(_, comparison), .. } => {
            strange_comparison(comparison)
        }
        Edit::Choose { condition, .. } => strange_comparison(condition),
        Edit::Condition { .. } => 2 * usize::from(texts.iter().any(|text| turns_operator(renderer, text))),
        _ => 0,
    };
    strange += 2 * usize::from(texts.iter().any(|text| replaces_comparison(renderer, text)));
    strange += usize::from(compares_the_same(renderer.model, edit));
    strange += match edit {
        Edit::Assign { target: Some(_), .. } => 2,
        Edit::Guard { .. } | Edit::Delete { .. } => 4,
        _ => 0,
    };
    // Of two that are as strange, the shorter one.
    let longer = |text: &TextEdit| match text {
        TextEdit::Replace { span, text } => patch::tokens(text).len() > patch::tokens(&renderer.text(*span)).len(),
        _ => false,
    };
    2 * strange + usize::from(texts.iter().any(longer))
}

/// Whether an operator becomes another one that does not mean nearly the same: `<` and `<=` do, `<` and `==` do not.
fn turns_operator(renderer: &Renderer<'_>, text: &TextEdit) -> bool {
    const KINDS: [&[&str]; 3] = [&["<", "<="], &[">", ">="], &["==", "!="]];
    let TextEdit::Replace { span, text } = text else { return false };
    let operators = |text: &str| -> Vec<usize> {
        let kind = |token: &&str| KINDS.iter().position(|kind| kind.contains(token));
        patch::tokens(text).iter().filter_map(kind).collect()
    };
    let (old, new) = (operators(&renderer.text(*span)), operators(text));
    old.len() == new.len() && old != new
}

/// Whether a comparison gets two other sides: who compares keeps one of them.
fn replaces_comparison(renderer: &Renderer<'_>, text: &TextEdit) -> bool {
    matches!(text, TextEdit::Replace { span, text } if has_other_sides(&renderer.text(*span), text))
}

fn has_other_sides(old: &str, new: &str) -> bool {
    let sides = |text: &str| -> Option<[String; 2]> {
        let tokens = patch::tokens(text);
        let is_operator = |token: &&str| ["==", "!=", "<", "<=", ">", ">="].contains(token);
        let mut operators = tokens.iter().enumerate().filter(|(_, token)| is_operator(token));
        let (Some((at, _)), None) = (operators.next(), operators.next()) else { return None };
        Some([tokens[..at].concat(), tokens[at + 1..].concat()])
    };
    match (sides(old), sides(new)) {
        (Some(old), Some(new)) => !new.iter().any(|side| old.contains(side)),
        _ => false,
    }
}

/// How strange an early exit is.
fn strange_exit(edit: &Edit) -> usize {
    let Edit::Insert { guard, statement, .. } = edit else { return 0 };
    let is_global = match statement {
        NewStatement::Return(Some(term)) => matches!(term.term, Term::Variable(Variable::Global(_))),
        _ => false,
    };
    match statement.is_exit() {
        true => usize::from(is_global) + guard.as_ref().map_or(1, strange_comparison),
        false => 0,
    }
}

/// Null checks are what is missing most often, comparisons with odd constants least.
fn strange_comparison(comparison: &Comparison) -> usize {
    let is_pointer = comparison.left.scalar == encode::Scalar::Pointer;
    match (comparison.right.term, is_pointer) {
        (Term::Number(0), true) => 0,
        (Term::Number(_), _) => 4,
        (_, true) => 2,
        (_, false) => 1,
    }
}

/// All edits of a set.
fn edits(known: &PlaceSpace, part: &Part) -> Vec<Edit> {
    let scope = &*known.scope;
    let term = |i: usize| (i != ORIGINAL).then(|| scope.terms[i]);
    match (&*part.mode, part.place) {
        (Mode::Assign(products), Place::Step(step)) => pairs(scope, products)
            .into_iter()
            .map(|(target, source)| Edit::Assign { step, target: term(target), source: term(source) })
            .collect(),
        (Mode::Delete, Place::Step(step)) => vec![Edit::Delete { step }],
        (Mode::Guard(list), Place::Step(step)) => {
            let guard = |&i: &u32| Edit::Guard { step, condition: scope.comparisons[i as usize] };
            list.iter().map(guard).collect()
        }
        (Mode::Condition(list), Place::Step(step)) => {
            let all = known.conditions();
            list.iter().map(|&number| Edit::Condition { step, new: all[number as usize].new }).collect()
        }
        (Mode::Operand(action, operand, with), Place::Step(step)) => {
            single(scope, with, |with| Edit::Operand { step, action: *action, operand: *operand, with })
        }
        (Mode::Target(target), Place::Step(step)) => {
            vec![Edit::Assign { step, target: Some(scope.terms[*target as usize]), source: None }]
        }
        (Mode::Retarget(targets), Place::Step(step)) => {
            single(scope, targets, |term| Edit::Assign { step, target: Some(term), source: None })
        }
        (Mode::Exit(guards, statements), Place::Slot(slot)) => {
            let exits = |&statement: &NewStatement| {
                let guard = |&guard: &u32| (guard != ALWAYS).then(|| scope.comparisons[guard as usize]);
                guards.iter().map(move |i| Edit::Insert { slot, guard: guard(i), statement })
            };
            statements.iter().flat_map(exits).take(20_000).collect()
        }
        (Mode::MovedAway(slot), Place::Step(step)) => vec![Edit::Move { step, slot: *slot }],
        (Mode::Choose(guards, yes, no), Place::Step(step)) => {
            let sides = |products: &[(Bits, Bits)]| -> Vec<_> {
                let targets: BTreeSet<usize> = products.iter().flat_map(|(targets, _)| targets.iter()).collect();
                targets.into_iter().map(|target| (term(target), None)).collect()
            };
            let (yes, no) = (sides(yes), sides(no));
            let pairs = yes.iter().flat_map(|yes| no.iter().map(move |no| (*yes, *no))).filter(|(yes, no)| yes != no);
            let pairs: Vec<_> = pairs.collect();
            let cases = |&guard: &u32| {
                let condition = scope.comparisons[guard as usize];
                pairs.iter().map(move |&(yes, no)| Edit::Choose { step, condition, yes, no })
            };
            guards.iter().flat_map(cases).take(20_000).collect()
        }
        (Mode::Return(with), Place::Step(step)) => vec![Edit::Return { step, with: scope.terms[*with as usize] }],
        (Mode::Insert(products), Place::Slot(slot)) => {
            let statements = assignments(scope, products);
            statements.into_iter().map(|statement| Edit::Insert { slot, guard: None, statement }).collect()
        }
        (Mode::InsertGuarded(guards, products), Place::Slot(slot)) => {
            let statements = assignments(scope, products);
            let guarded = |&guard: &u32| {
                let guard = Some(scope.comparisons[guard as usize]);
                statements.iter().map(move |&statement| Edit::Insert { slot, guard, statement })
            };
            guards.iter().flat_map(guarded).take(20_000).collect()
        }
        (Mode::Allocate(targets), Place::Slot(slot)) => {
            single(scope, targets, |term| Edit::Insert { slot, guard: None, statement: NewStatement::Allocate(term) })
        }
        (Mode::Free(terms), Place::Slot(slot)) => {
            single(scope, terms, |term| Edit::Insert { slot, guard: None, statement: NewStatement::Free(term) })
        }
        _ => Vec::new(),
    }
}

fn single(scope: &Scope, terms: &Bits, make: impl Fn(TypedTerm) -> Edit) -> Vec<Edit> {
    terms.iter().map(|i| make(scope.terms[i])).collect()
}

fn assignments(scope: &Scope, products: &[(Bits, Bits)]) -> Vec<NewStatement> {
    let assign = |(target, source): (usize, usize)| NewStatement::Assign(scope.terms[target], scope.terms[source]);
    pairs(scope, products).into_iter().filter(|pair| pair.0 != ORIGINAL && pair.1 != ORIGINAL).map(assign).collect()
}

/// The pairs of targets and sources that have the same type and are not both as they are now.
fn pairs(scope: &Scope, products: &[(Bits, Bits)]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (targets, sources) in products {
        for target in targets.iter() {
            let fits = |source: &usize| match (target, *source) {
                (ORIGINAL, ORIGINAL) => false,
                (ORIGINAL, _) | (_, ORIGINAL) => true,
                (target, source) => target != source && scope.terms[target].ty == scope.terms[source].ty,
            };
            pairs.extend(sources.iter().filter(fits).map(|source| (target, source)));
        }
    }
    pairs
}

/// The combinations of one edit per place that take the least to write.
fn combine(lists: &[Vec<Choice>], most: usize, found: &mut Vec<(usize, usize, Written)>) {
    let mut combined: Vec<(usize, usize, Vec<usize>)> = vec![(0, 0, Vec::new())];
    for list in lists {
        let mut longer: Vec<(usize, usize, Vec<usize>)> = Vec::new();
        for (effort, strange, chosen) in &combined {
            for (i, choice) in list.iter().enumerate() {
                let mut chosen = chosen.clone();
                chosen.push(i);
                longer.push((effort + choice.effort, strange + choice.strange, chosen));
            }
        }
        longer.sort();
        longer.truncate(most);
        combined = longer;
    }
    for (effort, strange, chosen) in combined {
        let edits = chosen.iter().zip(lists).map(|(&i, list)| (list[i].edit, list[i].text.to_vec())).collect();
        found.push((effort, strange, edits));
    }
}

#[cfg(test)]
mod tests {
    use super::{effort_of_change, has_other_sides};

    #[test]
    fn who_compares_keeps_a_side() {
        assert!(has_other_sides("x == curr->data", "curr == curr->next"));
        assert!(!has_other_sides("x == curr->data", "x == y"));
        assert!(!has_other_sides("x == curr->data", "curr->data != y"));
        assert!(!has_other_sides("p", "q == NULL"));
    }

    #[test]
    fn ways_that_are_longer_than_there_are_count_for_more() {
        assert_eq!(effort_of_change("x == y", "x == z"), 2);
        assert_eq!(effort_of_change("temp = fast", "temp = fast->next"), 2);
        assert_eq!(effort_of_change("temp = fast", "temp = fast->next->next"), 4);
        assert_eq!(effort_of_change("temp = fast->next->next", "temp = fast->next->next->next"), 4);
        assert_eq!(effort_of_change("x == y->left->up->left", "x == x->up->left"), 4);
        assert_eq!(effort_of_change("x == y->left->up->left", "x == y->up->left->up->left"), 4);
    }
}
