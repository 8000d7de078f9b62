//! The shares of clients in the memory for messages to the tools, inventories, and responses to reads.
//!
//! A client that sends bodies slowly, or reads answers slowly, keeps their memory. So it can have
//! only a part of each pool. Nothing is kept about clients without messages.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use appstitch_budget::Pool;

use crate::client_address::ClientAddress;

/// A client may have one of this many parts of a pool.
const CLIENT_PARTS: u64 = 8;

/// The same of the memory for responses to reads, which are larger.
const CLIENT_READ_PARTS: u64 = 4;

/// Room for any single response of the tools, which has its result twice: as text and as structure.
const LARGEST_RESPONSE: u64 = 2 << 20;

#[derive(Debug, Clone)]
pub struct ClientPools {
    /// For messages of the usual size.
    pub small: Pool,
    /// For other messages.
    pub large: Pool,
    /// For large responses until they are sent.
    pub responses: Pool,
    /// For inventories: bodies, rows, and responses until they are sent.
    pub inventories: Pool,
    /// For answers to reads that were made for one request, until they are sent.
    pub reads: Pool,
}

#[derive(Debug, Default)]
pub(crate) struct ClientShares {
    clients: Mutex<HashMap<ClientAddress, Weak<ClientShare>>>,
}

/// What one client may have of each pool. It must live as long as what is reserved in it.
#[derive(Debug)]
pub struct ClientShare {
    /// Its part of each.
    pub pools: ClientPools,
    listed: Option<(Arc<ClientShares>, ClientAddress)>,
}

impl ClientShares {
    /// The share of a client. Whoever is not known has no share, and uses the pools as they are.
    pub(crate) fn of(
        self: &Arc<Self>,
        client: Option<ClientAddress>,
        pools: &ClientPools,
    ) -> Arc<ClientShare> {
        let Some(client) = client else {
            return Arc::new(ClientShare { pools: pools.clone(), listed: None });
        };
        let mut clients = self.lock();
        if let Some(share) = clients.get(&client).and_then(Weak::upgrade) {
            return share;
        }
        let share = Arc::new(ClientShare {
            pools: pools.for_one_client(),
            listed: Some((Arc::clone(self), client)),
        });
        clients.insert(client, Arc::downgrade(&share));
        share
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ClientAddress, Weak<ClientShare>>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClientPools {
    fn for_one_client(&self) -> Self {
        let part = |pool: &Pool, least: u64| pool.part((pool.size() / CLIENT_PARTS).max(least));
        Self {
            small: part(&self.small, 0),
            large: part(&self.large, 0),
            responses: part(&self.responses, LARGEST_RESPONSE),
            // A large inventory needs most of the memory, and there are few at a time.
            inventories: part(&self.inventories, self.inventories.size() / 4 * 3),
            reads: part(&self.reads, (self.reads.size() / CLIENT_READ_PARTS).max(LARGEST_RESPONSE)),
        }
    }
}

impl Drop for ClientShare {
    fn drop(&mut self) {
        let Some((shares, client)) = &self.listed else { return };
        let mut clients = shares.lock();
        // Another message of the client may have begun a new share meanwhile.
        if clients.get(client).is_some_and(|share| share.strong_count() == 0) {
            clients.remove(client);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pools_of(bytes: u64) -> ClientPools {
        let pool = || Pool::new(bytes);
        ClientPools {
            small: pool(),
            large: pool(),
            responses: pool(),
            inventories: pool(),
            reads: pool(),
        }
    }

    #[test]
    fn a_client_has_a_part_however_many_messages_it_sends() {
        let (shares, pools) = (Arc::new(ClientShares::default()), pools_of(64 << 20));
        let one = Some(ClientAddress::V4(1));
        let (first, second) = (shares.of(one, &pools), shares.of(one, &pools));
        let reserved = first.pools.small.reserve(8 << 20).unwrap();
        assert!(second.pools.small.reserve(1).is_err(), "its part is used");
        assert!(second.pools.large.reserve(1).is_ok(), "the other pools are not");
        let other = shares.of(Some(ClientAddress::V4(2)), &pools);
        assert!(other.pools.small.reserve(8 << 20).is_ok());
        let inventories = first.pools.inventories.reserve(48 << 20).unwrap();
        assert!(second.pools.inventories.reserve(1).is_err(), "a client cannot have it all");
        assert!(other.pools.inventories.reserve(16 << 20).is_ok());
        drop(inventories);
        assert!(shares.of(None, &pools).pools.small.reserve(56 << 20).is_ok());
        drop((reserved, first, second, other));
        assert!(shares.lock().is_empty(), "nothing is kept about clients that have gone");
        assert_eq!(pools.small.free(), pools.small.size());
    }

    #[test]
    fn any_single_response_fits_into_a_part() {
        let pools = pools_of(3 << 20);
        let share = Arc::new(ClientShares::default()).of(Some(ClientAddress::V4(1)), &pools);
        assert!(share.pools.responses.reserve(LARGEST_RESPONSE).is_ok());
        assert!(share.pools.small.reserve(LARGEST_RESPONSE).is_err());
    }
}
