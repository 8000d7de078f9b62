//! The memory for work on what clients send.
//!
//! Request bodies, and everything that is made of them until they are answered, are counted before
//! they are kept. What does not fit is rejected. Uploads, inventories and messages to the tools have
//! separate parts, so that nobody without the deploy token can stop uploads, and large messages cannot
//! stop small ones.

use appstitch_budget::Pool;

/// Messages to the tools get one of this many parts each: small ones, and large ones with answers.
const MESSAGE_PARTS: u64 = 16;
/// Inventories that are checked get one of this many parts.
const INVENTORY_PARTS: u64 = 16;

/// The memory for what clients send.
#[derive(Debug)]
pub(crate) struct Memory {
    /// For uploads: bodies, files, documents, the plan of the change.
    pub(crate) uploads: Pool,
    /// For inventories: bodies, rows, and answers until they are sent.
    pub(crate) inventories: Pool,
    /// For messages to the tools of the usual size.
    pub(crate) small_messages: Pool,
    /// For other messages to the tools.
    pub(crate) large_messages: Pool,
    /// For large answers of the tools until they are sent.
    pub(crate) answers: Pool,
}

impl Memory {
    /// Divides this many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let messages = bytes / MESSAGE_PARTS;
        let inventories = bytes / INVENTORY_PARTS;
        Self {
            uploads: Pool::new(bytes - 2 * messages - inventories),
            inventories: Pool::new(inventories),
            small_messages: Pool::new(messages),
            large_messages: Pool::new(messages / 2),
            answers: Pool::new(messages - messages / 2),
        }
    }

    /// The parts by name, for the metrics.
    pub(crate) fn parts(&self) -> [(&'static str, &Pool); 5] {
        [
            ("uploads", &self.uploads),
            ("inventories", &self.inventories),
            ("small_messages", &self.small_messages),
            ("large_messages", &self.large_messages),
            ("answers", &self.answers),
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
