//! Documents for browsers, kept once they were requested.
//!
//! Whoever makes a document knows what it depends on, and has to name that in its key.

use bytes::Bytes;

use crate::{Snapshot, kept_texts::KeptTexts};

/// The room for the documents of one snapshot, in bytes. A page has at most 30 kB, so this is room for
/// at least five hundred of them; those that are asked for most stay.
const BUDGET: u64 = 16 << 20;

/// The documents of one snapshot by a hash of everything that they depend on.
pub(crate) type KeptDocuments = KeptTexts<DocumentKey, BUDGET>;

/// A hash of everything that a document depends on.
pub type DocumentKey = [u8; 16];

impl Snapshot {
    /// A document, if it was made before and is still kept.
    #[must_use]
    pub fn kept_document(&self, key: &DocumentKey) -> Option<Bytes> {
        self.contents.documents.get(key)
    }

    /// Keeps a document for the next request.
    pub fn keep_document(&self, key: DocumentKey, text: Bytes) {
        self.contents.documents.keep(key, text);
    }
}
