//! Whether edits can all be made: no two change the same text.
//!
//! Replacing `x` inside of `f(x);` goes with an insertion before `f(x);`, but
//! not with deleting it.

use c_syntax::{Source, Span};

use crate::error::{PatchError, Place};
use crate::plan::Plan;

/// What an edit does to a piece of text.
#[derive(Clone, Copy)]
struct Claim {
    span: Span,
    /// Whether nothing else may be done inside.
    whole: bool,
}

/// The first two edits that can not both be made, as an error.
pub(crate) fn check(source: &Source, plan: &Plan) -> Result<(), PatchError> {
    let mut claims = claims(plan);
    claims.sort_by_key(|claim| claim.span);
    for (i, &first) in claims.iter().enumerate() {
        for &second in &claims[i + 1..] {
            if conflict(first, second) {
                let place = |claim: Claim| Place::new(source, claim.span);
                return Err(PatchError::Overlap { first: place(first), second: place(second) });
            }
        }
    }
    Ok(())
}

fn claims(plan: &Plan) -> Vec<Claim> {
    let replaced = plan.replacements.iter().map(|(span, _)| Claim { span: *span, whole: true });
    let changed = plan.statements.iter().flat_map(|edits| {
        let span = Span::new(edits.statement.start, edits.statement.end);
        let also_guarded = edits.delete && !edits.guards.is_empty();
        std::iter::repeat_n(Claim { span, whole: edits.delete }, if also_guarded { 2 } else { 1 })
    });
    let ends = plan.ends.iter().map(|end| Claim { span: Span::new(end.close, end.close + 1), whole: false });
    replaced.chain(changed).chain(ends).collect()
}

/// Claims on apart spans never conflict. Otherwise one must lie within the
/// other, and the outer one must leave its inside open.
fn conflict(a: Claim, b: Claim) -> bool {
    let apart = a.span.end <= b.span.start || b.span.end <= a.span.start;
    let fits = |outer: Claim, inner: Claim| outer.span.covers(inner.span) && !outer.whole;
    !apart && !fits(a, b) && !fits(b, a)
}
