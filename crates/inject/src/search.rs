//! Draws versions until there are enough of them, or no more are found.

use std::collections::HashSet;
use std::sync::Arc;

use ir::Program;

use crate::draw::{Draw, Pick};
use crate::judge::{Judge, Verdict};
use crate::observe::Baseline;
use crate::options::Options;
use crate::place::Places;
use crate::version::{Version, describe, rewrite};

/// Draws in a row that gave nothing new, after which no more are made.
const REPEATED: usize = 3_000;
/// With one fault, all that are left are tried in turn after this many of them.
const REPEATED_SINGLE: usize = 30;
/// New texts in a row that are no versions, after which no more are drawn.
const UNFIT: usize = 500;

/// Draws whose texts are read together, at most.
const AHEAD: usize = 12;

/// The versions that were made.
#[derive(Clone, Debug)]
pub struct Injected {
    /// The versions, as many as were asked for or as there are.
    pub versions: Vec<Version>,
    /// How many texts were drawn, each counted once.
    pub drawn: usize,
    /// How many of them the compiler does not take.
    pub not_c: usize,
    /// How many of them do nothing wrong on the inputs, or would be as wrong without one of their faults.
    pub unobservable: usize,
    /// Whether there are fewer versions than were asked for.
    pub exhausted: bool,
}

/// Makes versions.
pub(crate) fn search(
    program: &Arc<Program>,
    options: &Options,
    places: &Places,
    baseline: &Baseline,
    progress: &mut dyn FnMut(usize),
) -> Injected {
    let mut search = Search {
        program,
        judge: Judge::new(program, baseline),
        seen: HashSet::from([program.source.bytes.clone()]),
        injected: Injected { versions: Vec::new(), drawn: 0, not_c: 0, unobservable: 0, exhausted: false },
        progress,
    };
    let mut draw = Draw::new(places, options);
    search.draw_random(&mut draw, options);
    if search.injected.versions.len() < options.count {
        search.draw_rest(&mut draw, options.count);
    }
    search.injected.exhausted = search.injected.versions.len() < options.count;
    search.injected
}

struct Search<'a> {
    program: &'a Program,
    judge: Judge<'a>,
    /// The texts that were drawn, and the original.
    seen: HashSet<Vec<u8>>,
    injected: Injected,
    progress: &'a mut dyn FnMut(usize),
}

/// What came of a draw.
enum Drawn {
    Version,
    Unfit,
    Repeated,
}

impl Search<'_> {
    fn draw_random(&mut self, draw: &mut Draw, options: &Options) {
        let single = options.change + options.delete == 1;
        let most_repeated = if single { REPEATED_SINGLE } else { REPEATED };
        let (mut repeated, mut unfit, mut ahead) = (0, 0, 0);
        while self.injected.versions.len() < options.count && repeated < most_repeated && unfit < UNFIT {
            if ahead == 0 {
                ahead = self.ahead(options.count);
                let mut draw = draw.clone();
                let draws: Vec<Vec<Pick>> = (0..ahead).filter_map(|_| draw.draw()).collect();
                self.read_ahead(&draws);
            }
            ahead -= 1;
            match draw.draw().map_or(Drawn::Repeated, |picks| self.consider(&picks)) {
                Drawn::Version => (repeated, unfit) = (0, 0),
                Drawn::Unfit => (repeated, unfit) = (0, unfit + 1),
                Drawn::Repeated => repeated += 1,
            }
        }
    }

    /// Tries every single fault that was not drawn yet, so that none is missed.
    fn draw_rest(&mut self, draw: &mut Draw, count: usize) {
        let all = draw.all_single().unwrap_or_default();
        let mut rest = &all[..];
        while !rest.is_empty() {
            let (some, others) = rest.split_at(self.ahead(count).min(rest.len()));
            self.read_ahead(some);
            for picks in some {
                if self.injected.versions.len() == count {
                    return;
                }
                self.consider(picks);
            }
            rest = others;
        }
    }

    /// How many draws to look ahead: about half of them are versions.
    fn ahead(&self, count: usize) -> usize {
        (2 * count.saturating_sub(self.injected.versions.len())).clamp(1, AHEAD)
    }

    /// Reads the texts of draws that will be considered next.
    fn read_ahead(&mut self, draws: &[Vec<Pick>]) {
        let is_new = |picks: &&Vec<Pick>| {
            rewrite(&self.program.source, picks).is_ok_and(|patched| !self.seen.contains(&patched.text))
        };
        let draws: Vec<Vec<Pick>> = draws.iter().filter(is_new).cloned().collect();
        self.judge.read_ahead(&draws);
    }

    fn consider(&mut self, picks: &[Pick]) -> Drawn {
        let Ok(patched) = rewrite(&self.program.source, picks) else { return Drawn::Repeated };
        if !self.seen.insert(patched.text.clone()) {
            return Drawn::Repeated;
        }
        self.injected.drawn += 1;
        match self.judge.judge(picks) {
            Verdict::NotC => self.injected.not_c += 1,
            Verdict::Unobservable => self.injected.unobservable += 1,
            Verdict::Observed(observed) => {
                let faults = picks.iter().map(|pick| describe(&self.program.source, &patched, pick)).collect();
                self.injected.versions.push(Version { text: patched.text, faults, observed });
                (self.progress)(self.injected.versions.len());
                return Drawn::Version;
            }
        }
        Drawn::Unfit
    }
}
