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
}

impl<'a> Judge<'a> {
    pub fn new(program: &'a Program, baseline: &'a Baseline) -> Judge<'a> {
        Judge { program, baseline, known: HashMap::new() }
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

    fn read_and_run(&self, text: &[u8]) -> Verdict {
        // The path stays, as the text may include files beside it.
        let source = Source::new(self.program.source.path.clone(), text.to_vec());
        match ir::load_text(Arc::new(source)) {
            Err(_) => Verdict::NotC,
            Ok(program) => match self.baseline.observe(&Arc::new(program)) {
                Some(observed) => Verdict::Observed(observed),
                None => Verdict::Unobservable,
            },
        }
    }
}
