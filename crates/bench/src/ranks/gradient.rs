//! The rank that the gradient localizer gives a fault, from one failing call.
//!
//! What is asserted is what the automatic user asserts of the first call that
//! goes wrong on the inputs it may look at: the localizer needs no test suite.

use encode::{Model, Place, Prepared};
use ir::StepId;
use localize::{Ranking, gradient};

use super::versions::Version;
use crate::faults::{Debugging, Judge};
use crate::study::Study;
use crate::user::{Detail, Twin};

/// The rank of the faulty statement among the suspicious statements; those with
/// the same score share the average of their ranks, as they do for the other methods.
/// `None` if the fault shows in no call, or if its place is not suspicious.
pub(super) fn gradient_rank(study: &Study, version: &Version) -> Option<f64> {
    let judge = Judge::new(study).ok()?;
    let model = Model::new(version.model.program.clone());
    let live = ir::facts(&model.program);
    let twin = Twin { model, steps: version.steps.clone(), live };
    let options = repair::Options::default();
    let debugging = Debugging { judge: &judge, twin: &twin, detail: Detail::Loops, options };
    let (trace, _) = debugging.first_run().ok()??;
    let prepared = Prepared::new(&twin.model, trace, &|_| false).ok()?;
    rank_of(&gradient(&twin.model, std::slice::from_ref(&prepared)), version.place)
}

fn rank_of(ranking: &Ranking, place: StepId) -> Option<f64> {
    let steps: Vec<_> = ranking.places.iter().filter(|suspicious| matches!(suspicious.place, Place::Step(_))).collect();
    let score = steps.iter().find(|suspicious| suspicious.place == Place::Step(place))?.score;
    let better = steps.iter().filter(|suspicious| suspicious.score > score).count() as f64;
    let tied = steps.iter().filter(|suspicious| suspicious.score == score).count() as f64;
    Some(better + (tied + 1.0) / 2.0)
}
