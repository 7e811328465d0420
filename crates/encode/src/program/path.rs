//! One way through a program at a time (K §III-B): symbolic and concolic execution.
//!
//! Where the merged formula runs both sides of a branch, a path takes one and
//! notes the condition. The program `if (x > 0) y = 1; else y = 2;` has the two
//! paths `x > 0` and `!(x > 0)`. After each path, the last side that was not
//! yet taken is taken next. Few paths are cheap and say little: [`Paths`] tells
//! how many were left out.

use std::collections::VecDeque;
use std::time::Instant;

use solver::{Answer, Limits, Model, Solver, Term, Terms};

use super::run::Engine;
use super::{Inputs, Request, TooLarge, Unfolded};

/// How many paths are followed, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathBounds {
    /// So many paths.
    pub paths: usize,
    /// So many decisions on a path; what comes after is not looked at.
    pub depth: usize,
    /// Which side of a branch comes first.
    pub order: Order,
}

/// Which side of a branch comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// That where the condition holds, if it can: depth first.
    Symbolic,
    /// That which a concrete input takes; the next input takes the first branch that it can the other way.
    Concolic,
}

/// The paths of a program.
#[derive(Debug)]
pub struct Paths {
    /// In the order in which they were followed.
    pub followed: Vec<Path>,
    /// Sides of branches that were not taken because there were enough paths or time was up.
    pub left: usize,
}

impl Paths {
    /// Whether every run of the program follows one of the paths to its end.
    pub fn is_complete(&self) -> bool {
        self.left == 0 && !self.followed.iter().any(|path| path.is_cut)
    }
}

/// A way through a program.
#[derive(Debug)]
pub struct Path {
    /// Which inputs and unknowns lead along it.
    pub condition: Term,
    /// Whether it ends before the program does.
    pub is_cut: bool,
    /// What the program does on it.
    pub unfolded: Unfolded,
}

/// Follows paths that inputs with `assuming` can take. Concolic execution begins with `first`.
pub fn explore(
    request: &Request<'_>,
    bounds: PathBounds,
    assuming: Term,
    first: Model,
    terms: &mut Terms,
    inputs: &mut Inputs,
) -> Result<Paths, TooLarge> {
    let limits = request.until.map_or(Limits::none(), |until| Limits::none().and_until(until));
    let mut waiting = VecDeque::from([Prefix { taken: vec![], model: first }]);
    let mut followed = vec![];
    while let Some(mut prefix) = waiting.pop_back() {
        let is_over = request.until.is_some_and(|until| Instant::now() > until);
        if followed.len() >= bounds.paths || (is_over && !followed.is_empty()) {
            waiting.push_back(prefix);
            break;
        }
        if !prefix.taken.is_empty() {
            match feasible(terms, assuming, &prefix.taken, &limits) {
                Answer::Sat(model) => prefix.model = model,
                Answer::Unsat(_) => continue,
                // It may be one; then its conditions say so.
                Answer::Unknown(_) => {}
            }
        }
        let given = prefix.taken.len();
        let model = (bounds.order == Order::Concolic).then_some(prefix.model);
        let mut guide = Guide {
            taken: vec![],
            given: prefix.taken,
            model,
            assuming,
            depth: bounds.depth,
            limits: limits.clone(),
            is_cut: false,
        };
        let unfolded = c_syntax::with_deep_stack(|| Engine::new(request, terms, inputs).guided(&mut guide).run())?;
        let Guide { taken, is_cut, .. } = guide;
        let conditions: Vec<Term> = taken.iter().map(|step| step.literal(terms)).collect();
        let others = (given..taken.len()).map(|at| {
            let mut other = taken[..=at].to_vec();
            other[at].side = !other[at].side;
            Prefix { taken: other, model: Model::new() }
        });
        match bounds.order {
            // The last is taken next, so that the deepest comes first.
            Order::Symbolic => waiting.extend(others),
            Order::Concolic => others.for_each(|other| waiting.push_front(other)),
        }
        followed.push(Path { condition: terms.all(&conditions), is_cut, unfolded });
    }
    Ok(Paths { followed, left: waiting.len() })
}

fn feasible(terms: &mut Terms, assuming: Term, taken: &[Decision], limits: &Limits) -> Answer<()> {
    let mut solver = Solver::embedded();
    solver.assert(terms, assuming);
    for step in taken {
        let literal = step.literal(terms);
        solver.assert(terms, literal);
    }
    solver.check(terms, &[], limits)
}

/// The beginning of a path that is still to be followed.
struct Prefix {
    taken: Vec<Decision>,
    model: Model,
}

/// A side of a branch.
#[derive(Clone, Copy, Debug)]
struct Decision {
    condition: Term,
    side: bool,
}

impl Decision {
    fn literal(&self, terms: &mut Terms) -> Term {
        if self.side { self.condition } else { terms.not(self.condition) }
    }
}

/// Decides at branches that depend on the input.
pub(super) struct Guide {
    taken: Vec<Decision>,
    given: Vec<Decision>,
    model: Option<Model>,
    assuming: Term,
    depth: usize,
    limits: Limits,
    is_cut: bool,
}

impl Guide {
    /// The side to take; none if the path ends here.
    pub(super) fn decide(&mut self, terms: &mut Terms, condition: Term) -> Option<bool> {
        let at = self.taken.len();
        if at >= self.depth {
            self.is_cut = true;
            return None;
        }
        let side = match (self.given.get(at), &self.model) {
            (Some(given), _) => given.side,
            (None, Some(model)) => terms.evaluate(condition, model) == 1,
            (None, None) => {
                let wanted = [self.taken.as_slice(), &[Decision { condition, side: true }]].concat();
                !feasible(terms, self.assuming, &wanted, &self.limits).is_unsat()
            }
        };
        self.taken.push(Decision { condition, side });
        Some(side)
    }
}
