//! Long lists are folded in the middle: a box stands for the nodes there.
//!
//! ```text
//! n1 ──▶ n2 ──▶ n3 ──▶ n4 ──▶ ⋯ 90 nodes ⋯ ──▶ n95 ──▶ n96
//! ```
//!
//! What a variable points to, what has just changed, and their neighbours are
//! never hidden, nor is a node that more than its list hangs on.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use memory::Object;

use crate::cells::{Cell, Content, Kind};
use crate::graph::{Block, Edge, Goal, Graph, Standing};
use crate::layout::Positions;
use crate::roles::Role;

/// Lists up to this length are shown whole.
const SHORT: usize = 20;
/// Nodes that are always shown at the beginning and at the end.
const FIRST: usize = 4;
const LAST: usize = 2;
/// Fewer nodes than this are not worth a box of their own.
const LEAST: usize = 4;

/// What the folded lists show, by their first node: the boxes of each.
pub(crate) type Folds = BTreeMap<Object, Vec<Object>>;

/// Folds the long lists of a graph that none of `unfolded` is part of.
///
/// A list that shows other nodes than in the picture before is arranged anew,
/// so `pins` forgets where all but its first node were.
pub(crate) fn fold(graph: Graph, unfolded: &BTreeSet<Object>, pins: &mut Positions) -> Graph {
    let chains = chains(&graph);
    let busy = busy(&graph);
    let mut hidden: HashMap<usize, usize> = HashMap::new();
    let mut folds = Folds::new();
    for chain in &chains {
        let is_wanted = !chain.iter().any(|block| unfolded.contains(&graph.blocks[*block].object));
        let runs = if is_wanted { runs(chain, &busy) } else { Vec::new() };
        for run in &runs {
            hidden.extend(run.iter().map(|block| (*block, run[0])));
        }
        let first = graph.blocks[chain[0]].object.clone();
        let is_shown = |block: &&usize| hidden.get(block).is_none_or(|first| first == *block);
        let shown = chain.iter().filter(is_shown).map(|block| graph.blocks[*block].object.clone()).collect();
        let shown = if runs.is_empty() { None } else { Some(shown) };
        if pins.folds.get(&first) != shown.as_ref() {
            let rest = chain[1..].iter().map(|block| &graph.blocks[*block].object);
            rest.for_each(|object| _ = pins.pins.remove(object));
        }
        folds.extend(shown.map(|shown| (first, shown)));
    }
    pins.folds = folds;
    if hidden.is_empty() { graph } else { hide(graph, &hidden) }
}

/// The long lists: boxes that follow each other by their only pointer to a next one.
fn chains(graph: &Graph) -> Vec<Vec<usize>> {
    let mut next: HashMap<usize, usize> = HashMap::new();
    let mut before: HashMap<usize, usize> = HashMap::new();
    for edge in graph.edges.iter().filter(|edge| edge.role == Role::Next && edge.to.cell.is_none()) {
        next.entry(edge.from).or_insert(edge.to.block);
        *before.entry(edge.to.block).or_default() += 1;
    }
    let starts = (0..graph.blocks.len()).filter(|block| before.get(block) != Some(&1));
    let mut taken = BTreeSet::new();
    let mut chains = Vec::new();
    for start in starts {
        let chain: Vec<usize> = std::iter::successors(Some(start), |block| next.get(block).copied())
            .take_while(|&block| taken.insert(block))
            .collect();
        if chain.len() > SHORT {
            chains.push(chain);
        }
    }
    chains
}

/// The boxes that must be seen: new, changed, or with pointers from or to something else than a list.
fn busy(graph: &Graph) -> BTreeSet<usize> {
    let is_new = |block: &Block| block.changed || block.cells.iter().any(|cell| cell.changed);
    let is_odd = |block: &Block| is_new(block) || block.standing == Standing::Gone;
    let odd = (0..graph.blocks.len()).filter(|&block| is_odd(&graph.blocks[block]));
    let pointed = graph.flags.iter().map(|flag| flag.to.block);
    let is_list = |edge: &&Edge| matches!(edge.role, Role::Next | Role::Prev) && edge.to.cell.is_none();
    let hung = graph.edges.iter().filter(|edge| !is_list(edge)).flat_map(|edge| [edge.from, edge.to.block]);
    odd.chain(pointed).chain(hung).collect()
}

/// The parts of a list that are hidden.
fn runs(chain: &[usize], busy: &BTreeSet<usize>) -> Vec<Vec<usize>> {
    let is_near =
        |index: usize| (index.saturating_sub(1)..=index + 1).any(|i| chain.get(i).is_some_and(|b| busy.contains(b)));
    let is_hidden = |index: usize| index >= FIRST && index + LAST < chain.len() && !is_near(index);
    let indexes: Vec<usize> = (0..chain.len()).filter(|&index| is_hidden(index)).collect();
    let runs = indexes.chunk_by(|a, b| a + 1 == *b).filter(|run| run.len() >= LEAST);
    runs.map(|run| run.iter().map(|&index| chain[index]).collect()).collect()
}

/// Puts a box in the place of the hidden ones; `hidden` leads from each of them to the first of its run.
fn hide(graph: Graph, hidden: &HashMap<usize, usize>) -> Graph {
    let mut lengths: HashMap<usize, usize> = HashMap::new();
    hidden.values().for_each(|first| *lengths.entry(*first).or_default() += 1);
    let (mut numbers, mut blocks) = (HashMap::new(), Vec::new());
    for (old, block) in graph.blocks.into_iter().enumerate() {
        match (hidden.get(&old), lengths.get(&old)) {
            (None, _) => {
                numbers.insert(old, blocks.len());
                blocks.push(block);
            }
            (Some(_), Some(&length)) => {
                numbers.insert(old, blocks.len());
                blocks.push(stand_in(block, length));
            }
            (Some(_), None) => {}
        }
    }
    let number = |old: usize| numbers[hidden.get(&old).unwrap_or(&old)];
    let mut edges: Vec<Edge> = Vec::new();
    for edge in graph.edges {
        let (from, to) = (number(edge.from), number(edge.to.block));
        let is_hidden = hidden.contains_key(&edge.from);
        if from == to && is_hidden && edge.from != edge.to.block {
            continue;
        }
        let cell = match is_hidden {
            true => usize::from(edge.role.is_back()),
            false => edge.cell,
        };
        edges.push(Edge { from, cell, to: Goal { block: to, ..edge.to }, ..edge });
    }
    let flags = graph.flags.into_iter().map(|mut flag| {
        flag.to.block = number(flag.to.block);
        flag
    });
    let entries = graph.entries.iter().map(|&old| number(old)).collect();
    Graph { blocks, edges, flags: flags.collect(), entries, ..graph }
}

/// The box in the place of hidden nodes. It has the name of the first of them.
fn stand_in(first: Block, length: usize) -> Block {
    let text = Content::Text(format!("⋯ {length} nodes ⋯"));
    // Arrows on leave the first cell, arrows back the second.
    let cells = [text, Content::Text(String::new())].map(|content| Cell::new(String::new(), String::new(), content));
    let cells = cells.into();
    Block { title: String::new(), kind: Kind::Plain, cells, changed: false, folded: length, ..first }
}
