//! Several sides under load, turn by turn, so that a slow moment of the machine hits all of them.

use std::time::Duration;

use super::{
    effort::Effort,
    figures::median,
    load::{Asking, Load, Target},
};
use crate::run::Failure;

/// A side: who is asked, and what.
pub(super) type Side<'a> = (Target<'a>, &'a Asking);

/// What each turn of both sides showed.
#[derive(Default)]
pub(super) struct Runs([Vec<Load>; 2]);

impl Runs {
    /// Lets both sides take their turns of one round.
    pub(super) fn add(&mut self, effort: Effort, sides: [Side<'_>; 2]) -> Result<(), Failure> {
        for (runs, new) in self.0.iter_mut().zip(take_turns(effort, &sides)?) {
            runs.extend(new);
        }
        Ok(())
    }

    /// The median of each side.
    pub(super) fn medians(&self) -> [Load; 2] {
        self.0.each_ref().map(|runs| Load::median(runs))
    }

    /// The median of what a figure of the first side is to that of the second, turn by turn: what
    /// ran side by side ran on a machine of the same speed.
    pub(super) fn ratio(&self, figure: impl Fn(&Load) -> f64) -> f64 {
        let [first, second] = &self.0;
        median(first.iter().zip(second).map(|(first, second)| figure(first) / figure(second)))
    }

    /// How busy the server was that was less busy, in the median of its turns.
    pub(super) fn least_busy(&self) -> f64 {
        self.medians().map(|load| load.busy).into_iter().fold(f64::INFINITY, f64::min)
    }
}

/// Lets all sides take their turns, and returns what each showed.
pub(super) fn take_turns(effort: Effort, sides: &[Side<'_>]) -> Result<Vec<Vec<Load>>, Failure> {
    for (target, asking) in sides {
        warm_up(*target, asking)?;
    }
    let mut runs = vec![Vec::new(); sides.len()];
    let mut order: Vec<usize> = (0..sides.len()).collect();
    for _ in 0..effort.turns {
        for &side in &order {
            let (target, asking) = sides[side];
            runs[side].push(asking.run(target, effort.turn)?);
        }
        // Nobody is always the first.
        order.reverse();
    }
    Ok(runs)
}

/// The first moments do not count: caches fill, and what is packed once gets packed.
pub(super) fn warm_up(target: Target<'_>, asking: &Asking) -> Result<(), Failure> {
    asking.run(target, Duration::from_millis(500)).map(drop)
}
