//! Tests made up from the precondition: small arrays, boundary values, and
//! values drawn at random, with a fixed seed so that they are the same each time.

use crate::confirm::{Example, Ran, run};
use crate::task::Task;
use crate::vary::Random;

use super::{Expected, Test};

/// Values that programs often get wrong.
const BOUNDARY: [i128; 9] = [0, 1, -1, 2, 3, 7, -5, 10, 100];
/// Draws for one test that is wanted, at most.
const DRAWS: usize = 60;

/// Up to `most` tests whose inputs the contract allows, without two that are the same.
pub fn generate(task: &Task, most: usize, seed: u64) -> Vec<Test> {
    let mut random = Random(seed);
    let mut found: Vec<Test> = vec![];
    for draw in 0..most * DRAWS {
        if found.len() >= most {
            break;
        }
        let example = propose(task, &mut random, draw);
        if found.iter().any(|test| test.example == example) || !is_allowed(task, &example) {
            continue;
        }
        let name = format!("made up {}", found.len() + 1);
        found.push(Test { name, example, expected: Expected::nothing() });
    }
    found
}

/// Whether the contract allows these inputs.
fn is_allowed(task: &Task, example: &Example) -> bool {
    !matches!(run(&task.program, example), Ran::Ignored | Ran::Impossible(_))
}

/// Inputs: scalars are mostly lengths and indices, cells small numbers that differ.
fn propose(task: &Task, random: &mut Random, draw: usize) -> Example {
    let length = task.options.contract_length as i128;
    let style = draw % 4;
    let mut last = 0i128;
    let mut nondet = vec![];
    for given in &task.program.given {
        let is_cell = given.name.contains('[') || given.name.contains("->");
        let value = match (given.ty.as_str(), is_cell, style) {
            ("_Bool", ..) => random.below(2) as i128,
            // Sorted cells: many preconditions want them.
            (_, true, 0) => last + 1 + random.below(4) as i128,
            (_, true, 1) => random.below(21) as i128 - 10,
            (_, true, 2) => BOUNDARY[random.below(BOUNDARY.len() as u64) as usize],
            (_, true, _) => last + random.below(2) as i128,
            (_, false, 3) => random.below(13) as i128 - 3,
            (_, false, _) => random.below(length as u64 + 1) as i128,
        };
        let value = if given.ty.contains("unsigned") { value.max(0) } else { value };
        if is_cell {
            last = value;
        }
        nondet.push(value);
    }
    Example { nondet, ..Example::default() }
}
