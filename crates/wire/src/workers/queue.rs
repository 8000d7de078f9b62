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

    /// Adds a job, if there is room.
    pub(super) fn push(&mut self, owner: Owner, job: Job) -> bool {
        let own = self.jobs.get(&owner).map_or(0, VecDeque::len);
        if self.length >= self.room || own >= self.room_of_client || self.is_closed {
            return false;
        }
        if own == 0 {
            self.turns.push_back(owner);
        }
        self.jobs.entry(owner).or_default().push_back(job);
        self.length += 1;
        true
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
            assert!(queue.push(Some(client(1)), (1, number)));
        }
        assert!(queue.push(Some(client(2)), (2, 0)));
        assert!(queue.push(None, (0, 0)));
        assert!(queue.push(Some(client(2)), (2, 1)));
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        let expected = [(1, 0), (2, 0), (0, 0), (1, 1), (2, 1), (1, 2), (1, 3), (1, 4)];
        assert_eq!(order, expected);
        assert!(queue.jobs.is_empty() && queue.turns.is_empty() && queue.len() == 0);
    }

    #[test]
    fn one_client_leaves_room_for_others() {
        let mut queue = Queue::new(3, 2);
        assert!(queue.push(Some(client(1)), 1) && queue.push(Some(client(1)), 2));
        assert!(!queue.push(Some(client(1)), 3), "its share waits");
        assert!(queue.push(Some(client(2)), 4));
        assert!(!queue.push(Some(client(3)), 5), "there is no more room");
        assert_eq!(queue.pop(), Some(1));
        assert!(queue.push(Some(client(3)), 5));
        queue.close();
        queue.pop();
        assert!(!queue.push(Some(client(4)), 6), "it is closed");
    }
}
