//! The memory for what clients send, and for what is made for them until they have received it.
//!
//! Request bodies, and everything that is made of them until they are answered, are counted before
//! they are kept. What does not fit is rejected. Uploads, inventories, messages to the tools and the
//! answers to reads have separate parts, so that clients without the deploy token cannot stop uploads, and
//! large messages cannot stop small ones. Of the parts but the first, a client has a share, so that one
//! cannot stop the others.

mod held;
mod shares;

use std::sync::Arc;

use appstitch_budget::Pool;

pub(crate) use held::Patience;
pub use held::{Held, ResponseMemory};
use shares::ClientShares;
pub use shares::{ClientPools, ClientShare};

use crate::client_address::ClientAddress;

/// Messages to the tools get one of this many parts each: small ones, and large ones with responses.
const MESSAGE_PARTS: u64 = 16;
/// Inventories that are checked get one of this many parts.
const INVENTORY_PARTS: u64 = 16;

/// Responses to reads get one of this many parts.
const READ_PARTS: u64 = 16;

#[derive(Debug)]
pub struct Memory {
    /// For uploads: bodies, files, documents, the plan of the change.
    pub uploads: Pool,
    /// For messages to the tools, inventories, and responses to reads.
    messages: ClientPools,
    shares: Arc<ClientShares>,
}

impl Memory {
    /// Divides this many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let messages = bytes / MESSAGE_PARTS;
        let inventories = bytes / INVENTORY_PARTS;
        let reads = bytes / READ_PARTS;
        Self {
            uploads: Pool::new(bytes - 2 * messages - inventories - reads),
            messages: ClientPools {
                inventories: Pool::new(inventories),
                small: Pool::new(messages),
                large: Pool::new(messages / 2),
                responses: Pool::new(messages - messages / 2),
                reads: Pool::new(reads),
            },
            shares: Arc::default(),
        }
    }

    /// What a client may have for its messages to the tools, its inventories, and responses to its reads.
    #[must_use]
    pub fn of_client(&self, client: Option<ClientAddress>) -> Arc<ClientShare> {
        self.shares.of(client, &self.messages)
    }

    /// The memory of all clients for what is made of a large message while it is read, which takes
    /// no longer because a client is slow.
    #[must_use]
    pub fn reading(&self) -> &Pool {
        &self.messages.large
    }

    /// The parts by name, for the metrics.
    #[must_use]
    pub fn parts(&self) -> [(&'static str, &Pool); 6] {
        [
            ("uploads", &self.uploads),
            ("inventories", &self.messages.inventories),
            ("small_messages", &self.messages.small),
            ("large_messages", &self.messages.large),
            ("answers", &self.messages.responses),
            ("reads", &self.messages.reads),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_make_up_the_whole() {
        for bytes in [0, 15, 64 << 20, (1 << 30) + 7] {
            let memory = Memory::new(bytes);
            assert_eq!(memory.parts().iter().map(|(_, pool)| pool.size()).sum::<u64>(), bytes);
        }
    }
}
