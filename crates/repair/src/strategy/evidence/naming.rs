//! Sums over cells as C text, as the variables of one moment allow: the cell
//! `a[2]` is `a[i]` where `i` is 2.

use localize::evidence::{Atom, Cell, Instance, Kind, Linear, Trace};
use memory::{Object, Value};

/// Texts for one sum, at most.
const MOST: usize = 14;

/// The names of a moment.
pub(super) struct Names {
    /// Numbers: name, key, value.
    numbers: Vec<(String, String, i128)>,
    /// Pointers and arrays: name, key of the object, first element.
    arrays: Vec<(String, String, i64)>,
    /// What each cell is, over the cells at the start of the run.
    symbolic: Vec<(Cell, Linear)>,
}

impl Names {
    /// Those before an instance.
    pub(super) fn at(trace: &Trace, number: usize) -> Names {
        let instance = &trace.instances[number];
        let mut names = Names { numbers: vec![], arrays: vec![], symbolic: symbolic(&trace.instances[..number]) };
        let frame = instance.state.frames.get(instance.frame);
        let locals = frame.map_or(&[][..], |frame| &frame.variables).iter().map(|variable| (variable, false));
        let globals = instance.state.globals.iter().map(|variable| (variable, true));
        for (variable, is_global) in locals.chain(globals) {
            let key = if is_global {
                format!("g:{}", variable.name)
            } else {
                format!("{}:{}", instance.frame, variable.name)
            };
            let name = variable.name.to_string();
            match &variable.value {
                Value::Int(_) => {
                    let value = instance.values.get(key.as_str()).copied().unwrap_or_default();
                    names.numbers.push((name, key, value));
                }
                Value::Uninitialised => names.numbers.push((name, key, i128::MIN)),
                Value::Array(..) => names.arrays.push((name, key, 0)),
                Value::Pointer(place) => {
                    let object = match &place.object {
                        Object::Local { frame: Some(frame), name, .. } => format!("{frame}:{name}"),
                        Object::Global(name) => format!("g:{name}"),
                        _ => continue,
                    };
                    // The path of a place in an array is `[3]`, whatever its elements are.
                    let index = place.path.strip_prefix('[').and_then(|path| path.strip_suffix(']'));
                    let first =
                        if place.path.is_empty() { Some(0) } else { index.and_then(|index| index.parse().ok()) };
                    names.arrays.extend(first.map(|first| (name, object, first)));
                }
                _ => {}
            }
        }
        names
    }

    /// Variables with numbers, as name and cell.
    pub(super) fn variables(&self) -> Vec<(String, Cell)> {
        self.numbers.iter().map(|(name, key, _)| (name.clone(), Cell::variable(key.as_str(), name.as_str()))).collect()
    }

    /// Indices that have this value: variables first, then sums with 1, then the number.
    fn indices(&self, value: i128) -> Vec<String> {
        let with = |shift: i128, sign: &str| {
            let fits = self.numbers.iter().filter(move |(_, _, found)| found.checked_add(shift) == Some(value));
            fits.map(|(name, ..)| format!("{name}{sign}")).collect::<Vec<_>>()
        };
        let mut found = with(0, "");
        found.push(value.to_string());
        found.extend(with(1, " + 1"));
        found.extend(with(-1, " - 1"));
        found
    }

    /// Ways to write a cell.
    pub(super) fn cell(&self, cell: &Cell) -> Vec<String> {
        if let Some((name, ..)) = self.numbers.iter().find(|(_, key, _)| **key == *cell.key) {
            return vec![name.clone()];
        }
        let key = cell.key.strip_prefix("old:").unwrap_or(&cell.key);
        let Some((object, element)) = key.strip_suffix(']').and_then(|key| key.rsplit_once('[')) else { return vec![] };
        let Ok(element) = element.parse::<i128>() else { return vec![] };
        let mut found = vec![];
        for (name, _, start) in self.arrays.iter().filter(|(_, key, _)| key == object) {
            found
                .extend(self.indices(element - i128::from(*start)).into_iter().map(|index| format!("{name}[{index}]")));
        }
        found
    }

    /// Elements of all arrays by all variables: `a[i]`.
    pub(super) fn elements(&self) -> Vec<String> {
        let mut found = vec![];
        for (array, ..) in &self.arrays {
            found.extend(
                self.numbers
                    .iter()
                    .filter(|(_, _, value)| (0..64).contains(value))
                    .map(|(name, ..)| format!("{array}[{name}]")),
            );
        }
        found
    }

    fn atom(&self, atom: &Atom) -> Vec<String> {
        match atom {
            Atom::Cell(cell) => self.cell(cell),
            Atom::Apply(op, parts) => {
                let (a, b) = (self.sum(&parts[0]), self.sum(&parts[1]));
                let join = |a: &String| b.iter().take(2).map(|b| format!("({a}) {op} ({b})")).collect::<Vec<_>>();
                a.iter().take(3).flat_map(join).collect()
            }
        }
    }

    /// Ways to write a sum, without using what variables stand for.
    pub(super) fn sum(&self, sum: &Linear) -> Vec<String> {
        let mut found = vec![String::new()];
        for (atom, factor) in &sum.terms {
            let texts = self.atom(atom);
            let (sign, count) = (if *factor < 0 { " - " } else { " + " }, factor.abs());
            let one = |text: &String| if count == 1 { text.clone() } else { format!("{count} * {text}") };
            let join =
                |before: &String| texts.iter().map(|text| format!("{before}{sign}{}", one(text))).collect::<Vec<_>>();
            found = found.iter().flat_map(join).take(MOST).collect();
        }
        if sum.constant != 0 || sum.terms.is_empty() {
            let sign = if sum.constant < 0 { " - " } else { " + " };
            found.iter_mut().for_each(|text| *text += &format!("{sign}{}", sum.constant.abs()));
        }
        let trim = |text: String| match text.strip_prefix(" + ") {
            Some(rest) => rest.to_string(),
            None => text.replacen(" - ", "-", 1),
        };
        found.into_iter().map(trim).collect()
    }

    /// Ways to write a value: as a sum, and with variables that hold a part of it.
    pub(super) fn value(&self, value: &Linear) -> Vec<String> {
        let mut found = vec![];
        let full = self.at_start(value);
        for (name, cell) in self.variables() {
            let own = self.at_start(&Linear::cell(cell));
            let rest = full.plus(&own, -1);
            let is_shorter = rest.terms.len() < full.terms.len();
            let is_near = rest.terms.is_empty() && rest.constant.abs() <= 2;
            if rest.terms.is_empty() && rest.constant == 0 {
                found.push(name);
            } else if is_shorter || is_near {
                found.extend(self.sum(&rest).into_iter().take(3).map(|rest| match rest.strip_prefix('-') {
                    Some(rest) => format!("{name} - {rest}"),
                    None => format!("{name} + {rest}"),
                }));
            }
        }
        let plain = self.sum(value);
        let mut all: Vec<String> = vec![];
        for text in plain.into_iter().chain(found) {
            if !all.contains(&text) {
                all.push(text);
            }
        }
        all.truncate(MOST * 2);
        all
    }

    /// A sum over the cells at the start of the run.
    fn at_start(&self, sum: &Linear) -> Linear {
        let mut out = Linear::number(sum.constant);
        for (atom, factor) in &sum.terms {
            let known = match atom {
                Atom::Cell(cell) => {
                    self.symbolic.iter().find(|(found, _)| found == cell).map(|(_, value)| value.clone())
                }
                Atom::Apply(..) => None,
            };
            let part = known.unwrap_or_else(|| Linear { terms: vec![(atom.clone(), 1)], constant: 0 });
            out = out.plus(&part, *factor);
        }
        out
    }
}

/// What each cell that was written is, over the cells at the start.
fn symbolic(instances: &[Instance]) -> Vec<(Cell, Linear)> {
    let mut found: Vec<(Cell, Linear)> = vec![];
    let set = |cell: &Cell, value: Linear, found: &mut Vec<(Cell, Linear)>| {
        found.retain(|(known, _)| known != cell);
        found.push((cell.clone(), value));
    };
    for instance in instances {
        match &instance.kind {
            Kind::Assign { target, value, .. } => {
                let mut known = Linear::number(value.constant);
                for (atom, factor) in &value.terms {
                    let part = match atom {
                        Atom::Cell(cell) => {
                            found.iter().find(|(known, _)| known == cell).map(|(_, value)| value.clone())
                        }
                        Atom::Apply(..) => None,
                    };
                    known =
                        known.plus(&part.unwrap_or(Linear { terms: vec![(atom.clone(), 1)], constant: 0 }), *factor);
                }
                set(target, known, &mut found);
            }
            Kind::Opaque(changed) => {
                changed.iter().for_each(|(cell, value)| set(cell, Linear::number(*value), &mut found))
            }
            Kind::Branch { .. } => {}
        }
    }
    found
}
