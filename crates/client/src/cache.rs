//! Responses that are reused until the catalog changes.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use bytes::Bytes;

/// The size limit in bytes. The oldest responses are removed first.
const MAX_BYTES: usize = 64 << 20;

#[derive(Debug, Clone)]
pub(crate) struct Cached {
    pub(crate) etag: String,
    pub(crate) body: Bytes,
    /// Cached because a 304 does not have to repeat the header.
    pub(crate) total_count: Option<u64>,
}

#[derive(Default)]
pub(crate) struct Cache(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    responses: HashMap<String, Cached>,
    order: VecDeque<String>,
    bytes: usize,
}

impl Cache {
    pub(crate) fn get(&self, url: &str) -> Option<Cached> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).responses.get(url).cloned()
    }

    pub(crate) fn put(&self, url: &str, response: Cached) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.bytes += response.body.len();
        match entries.responses.insert(url.to_owned(), response) {
            Some(old) => entries.bytes -= old.body.len(),
            None => entries.order.push_back(url.to_owned()),
        }
        while entries.bytes > MAX_BYTES
            && let Some(oldest) = entries.order.pop_front()
        {
            if let Some(removed) = entries.responses.remove(&oldest) {
                entries.bytes -= removed.body.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(etag: &str, body: &Bytes) -> Cached {
        Cached { etag: etag.to_owned(), body: body.clone(), total_count: None }
    }

    #[test]
    fn the_oldest_responses_are_removed_first() {
        let cache = Cache::default();
        let large = Bytes::from(vec![0; MAX_BYTES / 2]);
        cache.put("a", response("1", &large));
        cache.put("a", response("2", &large));
        cache.put("b", response("1", &large));
        assert_eq!(cache.get("a").unwrap().etag, "2");
        cache.put("c", response("1", &Bytes::from_static(b"x")));
        assert!(cache.get("a").is_none() && cache.get("b").is_some() && cache.get("c").is_some());
    }
}
