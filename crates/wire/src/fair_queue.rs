//! A queue in which clients take turns, however much each of them has in it.

use std::collections::{HashMap, VecDeque};

use crate::client_address::ClientAddress;

/// All clients whose address is unknown count as one.
pub type QueueClient = Option<ClientAddress>;

#[derive(Debug)]
pub struct FairQueue<T> {
    of_client: HashMap<QueueClient, VecDeque<T>>,
    /// The clients with entries, next first.
    order: VecDeque<QueueClient>,
    length: usize,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self { of_client: HashMap::new(), order: VecDeque::new(), length: 0 }
    }
}

impl<T> FairQueue<T> {
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    #[must_use]
    pub fn length_of(&self, client: QueueClient) -> usize {
        self.of_client.get(&client).map_or(0, VecDeque::len)
    }

    pub fn push(&mut self, client: QueueClient, entry: T) {
        let entries = self.of_client.entry(client).or_default();
        if entries.is_empty() {
            self.order.push_back(client);
        }
        entries.push_back(entry);
        self.length += 1;
    }

    /// The oldest entry of the next client that may have a turn.
    pub fn pop(&mut self, may: impl Fn(&QueueClient) -> bool) -> Option<(QueueClient, T)> {
        let client = self.order.remove(self.order.iter().position(may)?)?;
        let entries = self.of_client.get_mut(&client)?;
        let entry = entries.pop_front()?;
        self.length -= 1;
        if entries.is_empty() {
            self.of_client.remove(&client);
        } else {
            self.order.push_back(client);
        }
        Some((client, entry))
    }

    /// The newest entry of the client that has the most, if it has more than `others`.
    pub fn pop_newest_of_most(&mut self, others: usize) -> Option<T> {
        let (client, entries) =
            self.of_client.iter_mut().max_by_key(|(_, entries)| entries.len())?;
        if entries.len() <= others {
            return None;
        }
        let client = *client;
        let newest = entries.pop_back();
        self.length -= usize::from(newest.is_some());
        if entries.is_empty() {
            self.of_client.remove(&client);
            self.order.retain(|other| *other != client);
        }
        newest
    }

    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        self.of_client.retain(|_, entries| {
            entries.retain(&keep);
            !entries.is_empty()
        });
        self.order.retain(|client| self.of_client.contains_key(client));
        self.length = self.of_client.values().map(VecDeque::len).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_take_turns() {
        let client = |number| Some(ClientAddress::V4(number));
        let mut queue = FairQueue::default();
        for number in 0..5 {
            queue.push(client(1), (1, number));
        }
        queue.push(client(2), (2, 0));
        queue.push(None, (0, 0));
        queue.push(client(2), (2, 1));
        let order: Vec<_> = std::iter::from_fn(|| Some(queue.pop(|_| true)?.1)).collect();
        let expected = [(1, 0), (2, 0), (0, 0), (1, 1), (2, 1), (1, 2), (1, 3), (1, 4)];
        assert_eq!(order, expected);
        assert!(queue.of_client.is_empty() && queue.order.is_empty() && queue.length() == 0);
    }

    #[test]
    fn an_entry_that_is_removed_leaves_no_turn_behind() {
        let client = |number| Some(ClientAddress::V4(number));
        let mut queue = FairQueue::default();
        queue.push(client(1), 1);
        assert_eq!(queue.pop_newest_of_most(1), None);
        assert_eq!(queue.pop_newest_of_most(0), Some(1));
        queue.push(client(2), 2);
        queue.push(client(3), 3);
        queue.retain(|entry| *entry == 3);
        assert_eq!((queue.order.len(), queue.length()), (1, 1));
        assert_eq!(queue.pop(|_| true), Some((client(3), 3)));
    }
}
