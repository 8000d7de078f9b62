//! Two sides under the same load, turn by turn, so that a slow moment of the machine hits both.

use super::{
    effort::Effort,
    load::{Asking, Load, Target},
};
use crate::run::Failure;

/// A side: who is asked, and what.
pub(super) type Side<'a> = (Target<'a>, &'a Asking);

/// Runs both sides in turn and takes the median of each.
pub(super) fn compare(effort: Effort, sides: [Side<'_>; 2]) -> Result<[Load; 2], Failure> {
    for (target, asking) in sides {
        warm_up(target, asking)?;
    }
    let mut runs: [Vec<Load>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..effort.turns {
        for (runs, (target, asking)) in runs.iter_mut().zip(sides) {
            runs.push(asking.run(target, effort.seconds)?);
        }
    }
    Ok(runs.map(|runs| Load::median(&runs)))
}

/// The first second does not count: caches fill, and what is packed once gets packed.
pub(super) fn warm_up(target: Target<'_>, asking: &Asking) -> Result<(), Failure> {
    asking.run(target, 1).map(drop)
}
