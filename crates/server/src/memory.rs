//! The memory for work on what clients send.
//!
//! Request bodies, and everything that is made of them until they are answered, are counted before
//! they are kept. What does not fit is rejected. Uploads, inventories and messages to the tools have
//! separate parts, so that nobody without the deploy token can stop uploads, and large messages cannot
//! stop small ones. Of the parts but the first, a client has a share, so that one cannot stop the others.

mod shares;

use std::sync::Arc;

use appstitch_budget::Pool;

pub(crate) use shares::MessageShare;
use shares::{MessagePools, MessageShares};

use crate::client_address::ClientAddress;

/// Messages to the tools get one of this many parts each: small ones, and large ones with answers.
const MESSAGE_PARTS: u64 = 16;
/// Inventories that are checked get one of this many parts.
const INVENTORY_PARTS: u64 = 16;

/// The memory for what clients send.
#[derive(Debug)]
pub(crate) struct Memory {
    /// For uploads: bodies, files, documents, the plan of the change.
    pub(crate) uploads: Pool,
    /// For messages to the tools, and for inventories.
    messages: MessagePools,
    shares: Arc<MessageShares>,
}

impl Memory {
    /// Divides this many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let messages = bytes / MESSAGE_PARTS;
        let inventories = bytes / INVENTORY_PARTS;
        Self {
            uploads: Pool::new(bytes - 2 * messages - inventories),
            messages: MessagePools {
                inventories: Pool::new(inventories),
                small: Pool::new(messages),
                large: Pool::new(messages / 2),
                answers: Pool::new(messages - messages / 2),
            },
            shares: Arc::default(),
        }
    }

    /// What a client may have for its messages to the tools, and for its inventories.
    pub(crate) fn messages_of(&self, client: Option<ClientAddress>) -> Arc<MessageShare> {
        self.shares.of(client, &self.messages)
    }

    /// The memory of all clients for what is made of a large message while it is read, which takes
    /// no longer because a client is slow.
    pub(crate) fn reading(&self) -> &Pool {
        &self.messages.large
    }

    /// The parts by name, for the metrics.
    pub(crate) fn parts(&self) -> [(&'static str, &Pool); 5] {
        [
            ("uploads", &self.uploads),
            ("inventories", &self.messages.inventories),
            ("small_messages", &self.messages.small),
            ("large_messages", &self.messages.large),
            ("answers", &self.messages.answers),
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
