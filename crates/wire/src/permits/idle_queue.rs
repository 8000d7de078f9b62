//! The connections that have been idle for longest.
//!
//! Looking at all connections takes too long to do it for every one that arrives. So the oldest few
//! are found together and used one after the other. They stay the oldest: a connection that becomes
//! idle later has been idle for less time.

/// How many are found together.
const TOGETHER: usize = 64;

/// If no connection was idle, how long that is taken for granted, in microseconds.
const PAUSE: u64 = 10_000;

/// Since when a connection has been idle, and its slot.
pub(super) type Idle = (u64, u32);

#[derive(Debug, Default)]
pub(super) struct IdleQueue {
    /// The oldest at the end.
    found: Vec<Idle>,
    none_until: u64,
}

impl IdleQueue {
    /// Uses up the oldest ones until one is accepted. `all` are the idle connections, in any order.
    pub(super) fn take<All: Iterator<Item = Idle>>(
        &mut self,
        now: u64,
        all: impl FnOnce() -> All,
        mut accept: impl FnMut(Idle) -> bool,
    ) -> Option<u32> {
        while let Some(oldest) = self.found.pop() {
            if accept(oldest) {
                return Some(oldest.1);
            }
        }
        if now < self.none_until {
            return None;
        }
        self.found.extend(all());
        if self.found.len() > TOGETHER {
            self.found.select_nth_unstable(TOGETHER);
            self.found.truncate(TOGETHER);
            self.found.shrink_to(TOGETHER);
        }
        self.found.sort_unstable_by(|one, other| other.cmp(one));
        while let Some(oldest) = self.found.pop() {
            if accept(oldest) {
                return Some(oldest.1);
            }
        }
        self.none_until = now + PAUSE;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_come_first_and_are_found_together() {
        let mut queue = IdleQueue::default();
        let mut looks = 0;
        let mut order = Vec::new();
        for _ in 0..TOGETHER {
            let all = || {
                looks += 1;
                (0..200).map(|slot| (u64::from(1000 - slot), slot))
            };
            order.extend(queue.take(2000, all, |(since, _)| since != 801));
        }
        assert_eq!(order[..3], [198, 197, 196]);
        assert_eq!(looks, 2);
    }

    #[test]
    fn looking_in_vain_is_not_repeated_at_once() {
        let mut queue = IdleQueue::default();
        let none = || std::iter::empty();
        assert_eq!(queue.take(0, none, |_| true), None);
        assert_eq!(queue.take(PAUSE - 1, || [(0, 1)].into_iter(), |_| true), None);
        assert_eq!(queue.take(PAUSE, || [(0, 1)].into_iter(), |_| true), Some(1));
    }
}
