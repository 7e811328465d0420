//! Random arguments in the shape of those that a program's comments name.
//!
//! From `//~ INPUT: 2 3 1 4` and `//~ INPUT: 0 1 2` come lists such as `2 3 1`,
//! `2 3 3 1 4`, `0 7 2` and `3 2 1 4`: a given list with one to three arguments
//! added, removed, swapped or changed, or a new list whose first arguments are
//! often such as stand first, as programs read a number or a key there.

use fastrand::Rng;

/// Arguments of a list, at most: a head of two or three, and a list of up to seven.
const LONGEST: usize = 9;

/// The shape of a program's arguments.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The given lists.
    given: Vec<Vec<String>>,
    /// All arguments of them.
    pool: Vec<String>,
    /// Whether all of them are numbers.
    numbers: bool,
}

impl Shape {
    /// The shape of these lists.
    pub fn new(given: &[Vec<String>]) -> Shape {
        let pool: Vec<String> = given.iter().flatten().cloned().collect();
        let numbers = pool.iter().all(|word| word.parse::<i64>().is_ok());
        Shape { given: given.to_vec(), pool, numbers }
    }

    /// Another list.
    pub fn draw(&self, random: &mut Rng) -> Vec<String> {
        if self.given.is_empty() || random.u8(..3) == 0 {
            return self.fresh(random);
        }
        let mut list = self.given[random.usize(..self.given.len())].clone();
        for _ in 0..random.u8(1..=3) {
            self.mutate(&mut list, random);
        }
        list
    }

    fn fresh(&self, random: &mut Rng) -> Vec<String> {
        let mut list = Vec::new();
        for at in 0..random.usize(..=LONGEST) {
            let like = random.choice(&self.given).and_then(|other| other.get(at)).filter(|_| random.bool());
            list.push(like.cloned().unwrap_or_else(|| self.value(&list, random)));
        }
        list
    }

    fn mutate(&self, list: &mut Vec<String>, random: &mut Rng) {
        let length = list.len();
        match random.u8(..4) {
            0 if length < LONGEST => list.insert(random.usize(..=length), self.value(list, random)),
            _ if length == 0 => {}
            1 => drop(list.remove(random.usize(..length))),
            2 => list.swap(random.usize(..length), random.usize(..length)),
            _ => list[random.usize(..length)] = self.value(list, random),
        }
    }

    /// One that is there already, one that a given list has, its neighbour, or a small number.
    fn value(&self, list: &[String], random: &mut Rng) -> String {
        let small = |random: &mut Rng| random.i64(-2..=9).to_string();
        let pooled = random.choice(&self.pool).cloned();
        match random.u8(..4) {
            0 if !list.is_empty() => list[random.usize(..list.len())].clone(),
            1 if self.numbers => small(random),
            2 if self.numbers => pooled.and_then(|word| neighbour(&word, random)).unwrap_or_else(|| small(random)),
            _ => pooled.unwrap_or_else(|| small(random)),
        }
    }
}

fn neighbour(word: &str, random: &mut Rng) -> Option<String> {
    let number: i64 = word.parse().ok()?;
    Some(number.saturating_add(if random.bool() { 1 } else { -1 }).to_string())
}

/// All lists of at most `longest` of these values, the short ones first.
pub(super) fn all_lists(values: &[&str], longest: usize) -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    let mut first = 0;
    for _ in 0..longest {
        let last = found.len();
        for at in first..last {
            let longer = values.iter().map(|value| [found[at].as_slice(), &[value.to_string()]].concat());
            found.extend(longer.collect::<Vec<_>>());
        }
        first = last;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_short_lists() {
        let lists = all_lists(&["0", "1"], 2);
        let joined: Vec<String> = lists.iter().map(|list| list.join("")).collect();
        assert_eq!(joined, ["", "0", "1", "00", "01", "10", "11"]);
        assert_eq!(all_lists(&["0", "1", "2"], 4).len(), 1 + 3 + 9 + 27 + 81);
    }

    #[test]
    fn numbers_stay_numbers_and_words_stay_words() {
        let list = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        let mut random = Rng::with_seed(3);
        let (numbers, words) = (Shape::new(&[list("3 1 4"), list("-7")]), Shape::new(&[list("push pop"), list("pop")]));
        for _ in 0..1_000 {
            assert!(numbers.draw(&mut random).iter().all(|word| word.parse::<i64>().is_ok()));
            assert!(words.draw(&mut random).iter().all(|word| ["push", "pop"].contains(&word.as_str())));
        }
    }

    #[test]
    fn a_program_without_arguments_gets_numbers() {
        let (shape, mut random) = (Shape::new(&[Vec::new()]), Rng::with_seed(5));
        assert!((0..100).any(|_| shape.draw(&mut random).len() > 1));
    }
}
