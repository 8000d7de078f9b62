//! Answers that are kept until the catalog changes.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use bytes::Bytes;

/// How much is kept; the oldest answers go first.
const MAX_BYTES: usize = 64 << 20;

/// Answers by address, each with its entity tag.
#[derive(Default)]
pub(crate) struct Cache(Mutex<Shelf>);

#[derive(Default)]
struct Shelf {
    answers: HashMap<String, (String, Bytes)>,
    order: VecDeque<String>,
    bytes: usize,
}

impl Cache {
    pub(crate) fn get(&self, url: &str) -> Option<(String, Bytes)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).answers.get(url).cloned()
    }

    pub(crate) fn put(&self, url: &str, etag: &str, body: &Bytes) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = (etag.to_owned(), body.clone());
        match shelf.answers.insert(url.to_owned(), kept) {
            Some((_, old)) => shelf.bytes -= old.len(),
            None => shelf.order.push_back(url.to_owned()),
        }
        shelf.bytes += body.len();
        while shelf.bytes > MAX_BYTES
            && let Some(oldest) = shelf.order.pop_front()
        {
            if let Some((_, gone)) = shelf.answers.remove(&oldest) {
                shelf.bytes -= gone.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_answers_make_room() {
        let cache = Cache::default();
        let large = Bytes::from(vec![0; MAX_BYTES / 2]);
        cache.put("a", "1", &large);
        cache.put("a", "2", &large);
        cache.put("b", "1", &large);
        assert_eq!(cache.get("a").unwrap().0, "2");
        cache.put("c", "1", &Bytes::from_static(b"x"));
        assert!(cache.get("a").is_none() && cache.get("b").is_some() && cache.get("c").is_some());
    }
}
