//! The numbers behind the gradient (Wolverine paper, definitions 5.1–5.6 and
//! Algorithm 4): forward states, backward states, distances.
//!
//! For `b = a->next; b = b->next; c = c->next;` with `b = n1` asserted at the
//! end (Table 3), going backward over the second statement leaves `b` with any
//! of the N values, as it was assigned before; going over the first gives it
//! its value of the start again. States are counted, never listed: each cell
//! is known, or any of N, or free because nothing is asserted about it.
//!
//! A cell that is not asserted stays free when it is walked over backward, so
//! it never shows a difference. That loses nothing: which places are suspicious
//! is decided by exploring changes, the gradient only ranks them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use encode::machine::ObjectKind;
use encode::{Cell, Machine, Model, Prepared};
use ir::StepId;
use spec::Relation;

use super::names::Names;
use super::segment::{End, Forward, forward, segment};

/// What is known of a cell when the asserted state is led back.
#[derive(Clone, Debug, PartialEq)]
pub enum Backward {
    /// It has this value.
    Known(String),
    /// It has any of the N values.
    Any,
    /// Nothing is asserted about it.
    Free,
}

/// The state after a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The statement; none before the first.
    pub step: Option<StepId>,
    /// Its line.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// The values in the run.
    pub forward: Vec<String>,
    /// What the asserted state leads back to.
    pub backward: Vec<Backward>,
    /// How often the backward states were split so far: there are N to the power of this many.
    pub splits: u32,
    /// The distance Γ, as a number of N-ths of all states at the start.
    pub distance: u64,
    /// Whether what it writes is written before and after it.
    pub sandwiched: bool,
}

/// Forward states, backward states and distances of one segment.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// N: the nodes at the end, and null.
    pub choices: u64,
    /// The names of the cells that are written or differ at the end.
    pub cells: Vec<String>,
    /// The start, then each statement.
    pub rows: Vec<Row>,
}

impl Explanation {
    /// M, the number of states when everything has been led back; `None` if that is very large.
    pub fn states(&self) -> Option<u128> {
        u128::from(self.choices).checked_pow(self.rows.first().map_or(0, |row| row.splits))
    }

    /// Γ of a row as definition 5.6 has it.
    pub fn distance(&self, row: usize) -> Option<u128> {
        self.states()?.checked_mul(u128::from(self.rows[row].distance)).map(|sum| sum / u128::from(self.choices))
    }

    /// How much Γ changes over the statement of a row, in N-ths of all states.
    pub fn gradient(&self, row: usize) -> i64 {
        match row.checked_sub(1) {
            Some(before) => self.rows[row].distance as i64 - self.rows[before].distance as i64,
            None => 0,
        }
    }
}

/// Explains the segment that ends at a demand; `None` if the run cannot be
/// followed to there.
pub fn explain(model: &Model, prepared: &Prepared, demand: usize) -> Option<Explanation> {
    let forward = forward(model, prepared, &segment(model, prepared, demand)?);
    matches!(forward.end, End::Asked(..)).then(|| explanation(model, prepared, demand, &forward))
}

/// The cells that a demand asserts to be equal to something.
pub(crate) fn asserted(model: &Model, prepared: &Prepared, demand: usize, last: &Machine) -> BTreeMap<u32, Cell> {
    let equal = prepared.checks[demand].iter().filter(|check| check.relation == Relation::Equal);
    equal
        .filter_map(|check| Some((last.cell_of_spot(model, &check.spot)?, last.expected_cell(&check.expected)?)))
        .collect()
}

pub(crate) fn explanation(model: &Model, prepared: &Prepared, demand: usize, forward: &Forward) -> Explanation {
    let last = &forward.last;
    let asserted = asserted(model, prepared, demand, last);
    let differs = asserted.iter().filter(|(at, value)| last.cells[**at as usize] != **value).map(|(at, _)| *at);
    let written = forward.instances.iter().flat_map(|instance| instance.writes.iter().map(|write| write.0));
    let cells: BTreeSet<u32> = written.chain(differs).filter(|at| (*at as usize) < last.cells.len()).collect();
    let cells: Vec<u32> = cells.into_iter().collect();
    let wanted = &prepared.trace.demands[demand];
    let names = Names::new(model, last, &wanted.state, &wanted.calls);
    let is_node = |object: &&encode::machine::Object| object.live && matches!(object.kind, ObjectKind::Node(_));
    let choices = last.objects.iter().filter(is_node).count() as u64 + 1;
    let mut rows = led_back(model, forward, &cells, &asserted, choices, &names);
    rows.reverse();
    Explanation { choices, cells: cells.iter().map(|at| names.cell(*at)).collect(), rows }
}

#[derive(Clone, Copy, PartialEq)]
enum Known {
    Value(Cell),
    Any,
    Free,
}

/// The rows, last first.
fn led_back(
    model: &Model,
    run: &Forward,
    cells: &[u32],
    asserted: &BTreeMap<u32, Cell>,
    choices: u64,
    names: &Names,
) -> Vec<Row> {
    let mut ahead: BTreeMap<u32, Cell> = cells.iter().map(|at| (*at, run.last.cells[*at as usize])).collect();
    let mut back: BTreeMap<u32, Known> =
        cells.iter().map(|at| (*at, asserted.get(at).map_or(Known::Free, |value| Known::Value(*value)))).collect();
    let is_pointer = pointers(&run.last, cells, &ahead, asserted);
    let mut written: BTreeMap<u32, u32> = BTreeMap::new();
    for write in run.instances.iter().flat_map(|instance| &instance.writes) {
        *written.entry(write.0).or_default() += 1;
    }
    let mut after: BTreeSet<u32> = BTreeSet::new();
    let mut splits = 0;
    let row = |step: Option<StepId>, ahead: &BTreeMap<u32, Cell>, back: &BTreeMap<u32, Known>, splits, sandwiched| {
        let far = |(at, known): (&u32, &Known)| match known {
            Known::Value(value) if *value != ahead[at] => choices,
            Known::Any => choices - 1,
            _ => 0,
        };
        let shown = |(at, known): (&u32, &Known)| match known {
            Known::Value(value) => Backward::Known(names.value(*value, is_pointer.contains(at))),
            Known::Any => Backward::Any,
            Known::Free => Backward::Free,
        };
        Row {
            step,
            line: step.map_or(0, |step| model.program.step(step).line),
            text: step.map_or_else(String::new, |step| text(model, step)),
            forward: ahead.iter().map(|(at, value)| names.value(*value, is_pointer.contains(at))).collect(),
            backward: back.iter().map(shown).collect(),
            splits,
            distance: back.iter().map(far).sum(),
            sandwiched,
        }
    };
    let mut rows = Vec::new();
    for instance in run.instances.iter().rev() {
        let writes = || instance.writes.iter().filter(|write| ahead.contains_key(&write.0));
        let sandwiched = writes().any(|write| written[&write.0] > 1 && after.contains(&write.0));
        rows.push(row(Some(instance.step), &ahead, &back, splits, sandwiched));
        for (at, before, _) in writes().copied().collect::<Vec<_>>() {
            let upward_exposed = written[&at] == 1;
            *written.entry(at).or_default() -= 1;
            after.insert(at);
            ahead.insert(at, before);
            match (upward_exposed, back[&at]) {
                (true, _) => drop(back.insert(at, Known::Value(before))),
                (false, Known::Free) => {}
                (false, _) => {
                    back.insert(at, Known::Any);
                    splits += 1;
                }
            }
        }
    }
    // Sandwiched needs a write before too: the last count left is that of the first write.
    rows.push(row(None, &ahead, &back, splits, false));
    rows
}

/// The cells that hold pointers, by what is seen in them.
fn pointers(
    last: &Machine,
    cells: &[u32],
    ahead: &BTreeMap<u32, Cell>,
    asserted: &BTreeMap<u32, Cell>,
) -> BTreeSet<u32> {
    let leaf = |at: u32| {
        last.objects.iter().any(|object| {
            let index = at.checked_sub(object.base).and_then(|index| object.cells.leaves.get(index as usize));
            index.is_some_and(|leaf| leaf.scalar == encode::Scalar::Pointer)
        })
    };
    let seen = |at: &u32| [ahead.get(at), asserted.get(at)].iter().any(|cell| matches!(cell, Some(Cell::Pointer(_))));
    cells.iter().copied().filter(|at| seen(at) || leaf(*at)).collect()
}

fn text(model: &Model, step: StepId) -> String {
    let span = model.program.step(step).span;
    let bytes = &model.program.source.bytes[span.start as usize..span.end as usize];
    String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let large = |count: Option<u128>, what: &str| count.map_or(what.into(), |count| count.to_string());
        let states = large(self.states(), "very many");
        writeln!(f, "{} values, {states} states when led back to the start", self.choices)?;
        for (i, row) in self.rows.iter().enumerate() {
            let statement = if row.step.is_some() { &row.text } else { "start" };
            let sandwiched = if row.sandwiched { ", sandwiched" } else { "" };
            let distance = large(self.distance(i), "very far");
            let gradient = if self.gradient(i) != 0 { ", gradient" } else { "" };
            writeln!(f, "{statement}")?;
            writeln!(f, "    forward  {}", pairs(&self.cells, &row.forward))?;
            let backward: Vec<String> = row.backward.iter().map(Backward::to_string).collect();
            writeln!(f, "    backward {}", pairs(&self.cells, &backward))?;
            let count = u128::from(self.choices).checked_pow(row.splits);
            writeln!(f, "    states {}, distance {distance}{gradient}{sandwiched}", large(count, "very many"))?;
        }
        Ok(())
    }
}

fn pairs(names: &[String], values: &[String]) -> String {
    names.iter().zip(values).map(|(name, value)| format!("{name}:{value}")).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Backward {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Backward::Known(value) => f.write_str(value),
            Backward::Any => f.write_str("any"),
            Backward::Free => f.write_str("free"),
        }
    }
}
