//! Whether a text is a version: it is C, its faults show, and each of them matters.
//!
//! With the faults `a` and `b`: the text with both must show something, and so
//! must those with only `a` and only `b`. Otherwise one of them would be no
//! fault at all, or taking back one would repair both. Verdicts are remembered,
//! as reading a text takes far longer than running it.

use std::collections::HashMap;
use std::sync::Arc;

use c_syntax::Source;
use ir::Program;

use crate::draw::Pick;
use crate::note::Observed;
use crate::observe::Baseline;
use crate::version::rewrite;

/// What is known of a text.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// The compiler does not take it.
    NotC,
    /// It does the same as the original on all inputs, or one of its faults does not matter.
    Unobservable,
    /// It is a version.
    Observed(Observed),
}

/// Judges texts.
pub(crate) struct Judge<'a> {
    program: &'a Program,
    baseline: &'a Baseline,
    known: HashMap<Vec<u8>, Verdict>,
    /// Texts that were read and not judged yet; none of those that are not C.
    read: HashMap<Vec<u8>, Option<Program>>,
}

impl<'a> Judge<'a> {
    pub fn new(program: &'a Program, baseline: &'a Baseline) -> Judge<'a> {
        Judge { program, baseline, known: HashMap::new(), read: HashMap::new() }
    }

    /// Reads together what judging these faults will need. No verdict depends on that.
    pub fn read_ahead(&mut self, draws: &[Vec<Pick>]) {
        self.read.clear();
        let mut texts: Vec<Vec<u8>> = Vec::new();
        for picks in draws.iter().flat_map(|picks| needed(picks)) {
            let Ok(patched) = rewrite(&self.program.source, picks) else { continue };
            if !self.known.contains_key(&patched.text) && !texts.contains(&patched.text) {
                texts.push(patched.text);
            }
        }
        if texts.is_empty() {
            return;
        }
        let sources: Vec<Arc<Source>> = texts.iter().map(|text| self.source(text)).collect();
        let programs = ir::load_texts(&sources).into_iter().map(Result::ok);
        self.read = texts.into_iter().zip(programs).collect();
    }

    /// Whether the program with these faults is a version.
    pub fn judge(&mut self, picks: &[Pick]) -> Verdict {
        if picks.len() > 1 {
            // The single faults first: there are few of them, so most of their verdicts are known.
            for pick in picks {
                match self.verdict(std::slice::from_ref(pick)) {
                    Verdict::Observed(_) => {}
                    other => return other,
                }
            }
        }
        match self.verdict(picks) {
            Verdict::Observed(_) if !self.each_matters(picks) => Verdict::Unobservable,
            verdict => verdict,
        }
    }

    /// Whether the program is still wrong when any one of several faults is taken back.
    fn each_matters(&mut self, picks: &[Pick]) -> bool {
        // Of two, what is left is a single fault that was judged before.
        picks.len() < 3
            || (0..picks.len()).all(|left_out| {
                let mut rest = picks.to_vec();
                rest.remove(left_out);
                matches!(self.verdict(&rest), Verdict::Observed(_))
            })
    }

    fn verdict(&mut self, picks: &[Pick]) -> Verdict {
        let Ok(patched) = rewrite(&self.program.source, picks) else { return Verdict::NotC };
        if let Some(verdict) = self.known.get(&patched.text) {
            return verdict.clone();
        }
        let verdict = self.read_and_run(&patched.text);
        self.known.insert(patched.text, verdict.clone());
        verdict
    }

    fn read_and_run(&mut self, text: &[u8]) -> Verdict {
        let program = self.read.remove(text).unwrap_or_else(|| ir::load_text(self.source(text)).ok());
        match program.map(|program| self.baseline.observe(&Arc::new(program))) {
            None => Verdict::NotC,
            Some(None) => Verdict::Unobservable,
            Some(Some(observed)) => Verdict::Observed(observed),
        }
    }

    /// A text in the place of the program's. The path stays, as the text may include files beside it.
    fn source(&self, text: &[u8]) -> Arc<Source> {
        Arc::new(Source::new(self.program.source.path.clone(), text.to_vec()))
    }
}

/// The sets of faults that are judged to judge one: the single ones, and all of them.
fn needed<'p, 'a>(picks: &'p [Pick<'a>]) -> impl Iterator<Item = &'p [Pick<'a>]> {
    picks.chunks(1).chain((picks.len() > 1).then_some(picks))
}
