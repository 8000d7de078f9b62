//! Puts several servers under load in turn, so that a slow moment of the machine affects all of
//! them.

use std::time::Duration;

use super::{
    effort::Effort,
    figures::median,
    load::{Load, Target, Workload},
};
use crate::run::Failure;

/// One side of a comparison: a server and its requests.
pub(super) type Side<'a> = (Target<'a>, &'a Workload);

/// The results of each turn of both sides.
#[derive(Default)]
pub(super) struct Runs([Vec<Load>; 2]);

impl Runs {
    pub(super) fn add(&mut self, effort: Effort, sides: [Side<'_>; 2]) -> Result<(), Failure> {
        for (runs, new) in self.0.iter_mut().zip(take_turns(effort, &sides)?) {
            runs.extend(new);
        }
        Ok(())
    }

    pub(super) fn medians(&self) -> [Load; 2] {
        self.0.each_ref().map(|runs| Load::median(runs))
    }

    /// The ratio of a figure of the first side to that of the second: the median over pairs of
    /// turns, because adjacent turns ran at the same speed of the machine.
    pub(super) fn ratio(&self, figure: impl Fn(&Load) -> f64) -> f64 {
        let [first, second] = &self.0;
        median(first.iter().zip(second).map(|(first, second)| figure(first) / figure(second)))
    }

    /// The busy share of the less busy server, in its median turn.
    pub(super) fn least_busy(&self) -> f64 {
        self.medians().map(|load| load.busy).into_iter().fold(f64::INFINITY, f64::min)
    }
}

pub(super) fn take_turns(effort: Effort, sides: &[Side<'_>]) -> Result<Vec<Vec<Load>>, Failure> {
    for (target, workload) in sides {
        warm_up(*target, workload)?;
    }
    let mut runs = vec![Vec::new(); sides.len()];
    let mut order: Vec<usize> = (0..sides.len()).collect();
    for _ in 0..effort.turns {
        for &side in &order {
            let (target, workload) = sides[side];
            runs[side].push(workload.run(target, effort.turn)?);
        }
        // No side is always first.
        order.reverse();
    }
    Ok(runs)
}

/// Not measured: caches fill, and bodies that are compressed only once get compressed.
pub(super) fn warm_up(target: Target<'_>, workload: &Workload) -> Result<(), Failure> {
    workload.run(target, Duration::from_millis(500)).map(drop)
}
