//! The meanings of keys that were looked up before.
//!
//! Entries of a file usually have the same keys in the same order, so the next key is known before it
//! is read.

use crate::{format::InventoryFormat, slot::Slot};

/// What a key means, and which format it is typical of.
type Meaning = Option<(Slot, Option<InventoryFormat>)>;

const MOST_KEYS: usize = 32;

const LONGEST: usize = 64;

/// The keys in the order in which they occurred first.
#[derive(Default)]
pub(crate) struct KnownKeys {
    keys: Vec<(Box<str>, Meaning)>,
    next: usize,
}

impl KnownKeys {
    pub(crate) fn meaning(&mut self, key: &str) -> Meaning {
        // If it is not the expected one, it may be the first one of the next entry.
        for number in [self.next, 0] {
            if let Some((known, meaning)) = self.keys.get(number)
                && **known == *key
            {
                self.next = number + 1;
                return *meaning;
            }
        }
        let meaning = Slot::of(key);
        if let Some(number) = self.keys.iter().position(|(known, _)| **known == *key) {
            self.next = number + 1;
        } else if self.keys.len() < MOST_KEYS && key.len() <= LONGEST {
            self.keys.push((key.into(), meaning));
            self.next = self.keys.len();
        }
        meaning
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_means_the_same_however_often_and_wherever_it_occurs() {
        let mut known = KnownKeys::default();
        let others: Vec<String> = (0..200).map(|number| format!("key{number}")).collect();
        let long = "name".repeat(100);
        let keys = ["name", "version", "path", "name", "path", "é", "", "Bundle ID", &long];
        for _ in 0..3 {
            for key in keys.into_iter().chain(others.iter().map(String::as_str)) {
                assert_eq!(known.meaning(key), Slot::of(key), "{key}");
            }
        }
        assert_eq!(known.keys.len(), MOST_KEYS);
    }
}
