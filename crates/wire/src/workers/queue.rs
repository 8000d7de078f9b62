//! The jobs that wait for a worker: a bounded number, in total and per client.

use crate::fair_queue::{FairQueue, QueueClient};

pub(super) struct Queue<Job> {
    room: usize,
    room_of_client: usize,
    jobs: FairQueue<Job>,
    is_closed: bool,
}

impl<Job> Queue<Job> {
    pub(super) fn new(room: usize, room_of_client: usize) -> Self {
        Self { room, room_of_client, jobs: FairQueue::default(), is_closed: false }
    }

    /// Adds a job. Returns the one for which there is no room: this one, or the newest of the client that
    /// has the most if that is more than this client would have. So a few clients cannot shut out the
    /// others.
    pub(super) fn push(&mut self, client: QueueClient, job: Job) -> Option<Job> {
        let waiting = self.jobs.length_of(client);
        if waiting >= self.room_of_client || self.is_closed {
            return Some(job);
        }
        let mut displaced = None;
        if self.jobs.length() >= self.room {
            match self.jobs.pop_newest_of_most(waiting + 1) {
                None => return Some(job),
                newest => displaced = newest,
            }
        }
        self.jobs.push(client, job);
        displaced
    }

    /// The oldest job of the client whose turn it is.
    pub(super) fn pop(&mut self) -> Option<Job> {
        self.jobs.pop(|_| true).map(|(_, job)| job)
    }

    pub(super) fn len(&self) -> usize {
        self.jobs.length()
    }

    /// What waits is still done; nothing is added any more.
    pub(super) fn close(&mut self) {
        self.is_closed = true;
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client_address::ClientAddress;

    const ONE: QueueClient = Some(ClientAddress::V4(1));
    const TWO: QueueClient = Some(ClientAddress::V4(2));
    const THREE: QueueClient = Some(ClientAddress::V4(3));

    #[test]
    fn one_client_leaves_room_for_others() {
        let mut queue = Queue::new(3, 2);
        assert_eq!(queue.push(ONE, 1), None);
        assert_eq!(queue.push(ONE, 2), None);
        assert_eq!(queue.push(ONE, 3), Some(3), "its share waits");
        assert_eq!(queue.push(TWO, 4), None);
        assert_eq!(queue.push(TWO, 5), Some(5), "there is no more room");
        assert_eq!(queue.pop(), Some(1));
        assert_eq!(queue.push(TWO, 5), None);
        queue.close();
        queue.pop();
        assert_eq!(queue.push(THREE, 6), Some(6), "it is closed");
    }

    #[test]
    fn a_full_queue_has_room_for_who_has_less_than_the_others() {
        let mut queue = Queue::new(6, 4);
        for (number, client) in [(1, ONE), (2, TWO)] {
            for job in 0..3 {
                assert_eq!(queue.push(client, (number, job)), None);
            }
        }
        let displaced = queue.push(THREE, (3, 0)).unwrap();
        assert_eq!(displaced.1, 2, "the newest of one of the others");
        assert_eq!(queue.len(), 6);
        let displaced = queue.push(THREE, (3, 1)).unwrap();
        assert_eq!(displaced.1, 2, "the newest of the other");
        assert_eq!(queue.push(THREE, (3, 2)), Some((3, 2)), "all have as much");
        let mut jobs: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        jobs.sort_unstable();
        assert_eq!(jobs, [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1)]);
    }
}
