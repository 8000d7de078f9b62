//! What waits for a worker, in turns of clients.

use std::collections::{HashMap, VecDeque};

use crate::client_address::ClientAddress;

/// Whose work it is. All that are not known count as one.
type Owner = Option<ClientAddress>;

pub(super) struct Queue<Job> {
    /// How many may wait, of everybody and of one client.
    room: usize,
    room_of_client: usize,
    jobs: HashMap<Owner, VecDeque<Job>>,
    /// The clients with work, next first.
    turns: VecDeque<Owner>,
    length: usize,
    is_closed: bool,
}

impl<Job> Queue<Job> {
    pub(super) fn new(room: usize, room_of_client: usize) -> Self {
        Self {
            room,
            room_of_client,
            jobs: HashMap::new(),
            turns: VecDeque::new(),
            length: 0,
            is_closed: false,
        }
    }

    /// Adds a job. Returns the one for which there is no room: this one, or the newest of the client that
    /// has the most if that is more than this client would have. So a few clients cannot shut out the
    /// others.
    pub(super) fn push(&mut self, owner: Owner, job: Job) -> Option<Job> {
        let own = self.jobs.get(&owner).map_or(0, VecDeque::len);
        if own >= self.room_of_client || self.is_closed {
            return Some(job);
        }
        let mut displaced = None;
        if self.length >= self.room {
            match self.newest_of_most(own + 1) {
                None => return Some(job),
                newest => displaced = newest,
            }
        }
        if own == 0 {
            self.turns.push_back(owner);
        }
        self.jobs.entry(owner).or_default().push_back(job);
        self.length += 1;
        displaced
    }

    /// Takes the newest job of the client that has the most, if it has more than so many.
    fn newest_of_most(&mut self, others: usize) -> Option<Job> {
        let (_, jobs) = self.jobs.iter_mut().max_by_key(|(_, jobs)| jobs.len())?;
        // More than one, so the client keeps its turn.
        let newest = if jobs.len() > others { jobs.pop_back() } else { None };
        self.length -= usize::from(newest.is_some());
        newest
    }

    /// The oldest job of the client whose turn it is.
    pub(super) fn pop(&mut self) -> Option<Job> {
        let owner = self.turns.pop_front()?;
        let jobs = self.jobs.get_mut(&owner)?;
        let job = jobs.pop_front()?;
        self.length -= 1;
        if jobs.is_empty() {
            self.jobs.remove(&owner);
        } else {
            self.turns.push_back(owner);
        }
        Some(job)
    }

    pub(super) fn len(&self) -> usize {
        self.length
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

    fn client(number: u32) -> ClientAddress {
        ClientAddress::V4(number)
    }

    #[test]
    fn clients_take_turns() {
        let mut queue = Queue::new(100, 100);
        for number in 0..5 {
            assert_eq!(queue.push(Some(client(1)), (1, number)), None);
        }
        assert_eq!(queue.push(Some(client(2)), (2, 0)), None);
        assert_eq!(queue.push(None, (0, 0)), None);
        assert_eq!(queue.push(Some(client(2)), (2, 1)), None);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        let expected = [(1, 0), (2, 0), (0, 0), (1, 1), (2, 1), (1, 2), (1, 3), (1, 4)];
        assert_eq!(order, expected);
        assert!(queue.jobs.is_empty() && queue.turns.is_empty() && queue.len() == 0);
    }

    #[test]
    fn one_client_leaves_room_for_others() {
        let mut queue = Queue::new(3, 2);
        assert_eq!(queue.push(Some(client(1)), 1), None);
        assert_eq!(queue.push(Some(client(1)), 2), None);
        assert_eq!(queue.push(Some(client(1)), 3), Some(3), "its share waits");
        assert_eq!(queue.push(Some(client(2)), 4), None);
        assert_eq!(queue.push(Some(client(2)), 5), Some(5), "there is no more room");
        assert_eq!(queue.pop(), Some(1));
        assert_eq!(queue.push(Some(client(2)), 5), None);
        queue.close();
        queue.pop();
        assert_eq!(queue.push(Some(client(4)), 6), Some(6), "it is closed");
    }

    #[test]
    fn a_full_queue_has_room_for_who_has_less_than_the_others() {
        let mut queue = Queue::new(6, 4);
        for job in 0..3 {
            assert_eq!(queue.push(Some(client(1)), (1, job)), None);
        }
        for job in 0..3 {
            assert_eq!(queue.push(Some(client(2)), (2, job)), None);
        }
        let displaced = queue.push(Some(client(3)), (3, 0)).unwrap();
        assert_eq!(displaced.1, 2, "the newest of one of the others");
        assert_eq!(queue.len(), 6);
        let displaced = queue.push(Some(client(3)), (3, 1)).unwrap();
        assert_eq!(displaced.1, 2, "the newest of the other");
        assert_eq!(queue.push(Some(client(3)), (3, 2)), Some((3, 2)), "all have as much");
        let mut jobs: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        jobs.sort_unstable();
        assert_eq!(jobs, [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1)]);
        assert!(queue.jobs.is_empty() && queue.turns.is_empty());
    }
}
