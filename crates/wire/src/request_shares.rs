//! The shares of clients behind trusted proxies.
//!
//! One connection of a proxy carries the requests of many clients, so a share of connections means
//! nothing there. Instead, a client behind a proxy may have as many requests in progress as another
//! client may have connections. Only requests that can take long are counted: those that the HTTP
//! library answers, such as tool calls. A read is answered at once.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::client_address::ClientAddress;

#[derive(Debug)]
pub struct RequestShares {
    share: usize,
    in_progress: Mutex<HashMap<ClientAddress, usize>>,
}

#[derive(Debug)]
pub struct CountedRequest<'a> {
    shares: &'a RequestShares,
    client: ClientAddress,
}

impl RequestShares {
    #[must_use]
    pub fn new(share: usize) -> Self {
        Self { share, in_progress: Mutex::default() }
    }

    /// Counts a request until the result is dropped. None if the client has its share.
    #[must_use]
    pub fn count(&self, client: ClientAddress) -> Option<CountedRequest<'_>> {
        let mut in_progress = self.lock();
        let count = in_progress.entry(client).or_default();
        // A client without requests has not used its share, so no empty entry is left behind.
        if *count >= self.share {
            return None;
        }
        *count += 1;
        Some(CountedRequest { shares: self, client })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ClientAddress, usize>> {
        self.in_progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CountedRequest<'_> {
    fn drop(&mut self) {
        let mut in_progress = self.shares.lock();
        if let Some(count) = in_progress.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                in_progress.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_its_share_and_no_more() {
        let shares = RequestShares::new(2);
        let (one, other) = (ClientAddress::V4(1), ClientAddress::V4(2));
        let first = shares.count(one).unwrap();
        let second = shares.count(one).unwrap();
        assert!(shares.count(one).is_none());
        assert!(shares.count(other).is_some());
        drop(first);
        assert!(shares.count(one).is_some());
        drop(second);
        assert!(shares.lock().is_empty(), "nothing is kept about clients that have gone");
    }
}
