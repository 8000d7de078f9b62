//! Connections that pause between requests.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    time::{Duration, Instant},
};

pub(crate) struct Pauses {
    average: Duration,
    waiting: BinaryHeap<Reverse<(Instant, usize)>>,
    random: u64,
}

impl Pauses {
    pub(crate) fn of(average: Duration) -> Self {
        Self { average, waiting: BinaryHeap::new(), random: 0x9e37_79b9_7f4a_7c15 }
    }

    /// Starts the pause of a connection. Pauses have random lengths: with equal ones, all
    /// connections would send at the same moment and wait for each other.
    pub(crate) fn begin(&mut self, number: usize, now: Instant) {
        // Xorshift with a fixed seed: the order need not differ between runs.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let thousandth = u32::try_from(self.random % 2000).unwrap_or_default();
        self.waiting.push(Reverse((now + self.average * thousandth / 1000, number)));
    }

    /// A connection whose pause is over.
    pub(crate) fn over(&mut self, now: Instant) -> Option<usize> {
        self.first().filter(|at| *at <= now)?;
        self.waiting.pop().map(|Reverse((_, number))| number)
    }

    /// When the next pause is over.
    pub(crate) fn first(&self) -> Option<Instant> {
        self.waiting.peek().map(|Reverse((at, _))| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_end_in_their_order_and_last_the_average() {
        let now = Instant::now();
        let average = Duration::from_millis(10);
        let mut pauses = Pauses::of(average);
        (0..1000).for_each(|number| pauses.begin(number, now));
        let mut ends = Vec::new();
        while let Some(at) = pauses.first() {
            ends.push(at - now);
            let before = at.checked_sub(Duration::from_nanos(1)).unwrap();
            assert_eq!(pauses.over(before), None, "no pause ends early");
            assert!(pauses.over(at).is_some());
        }
        assert!(ends.is_sorted());
        let mean = ends.iter().sum::<Duration>() / 1000;
        assert!((average * 9 / 10..average * 11 / 10).contains(&mean), "{mean:?}");
    }
}
