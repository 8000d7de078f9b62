//! The index of a catalog that somebody else made, and what signs it.

use serde::{Deserialize, Serialize};

use crate::{
    KEY, SIGNATURE,
    index::{Index, IndexError},
    keys::PublicKey,
};

/// What a mirror keeps beside the catalog, so that it can hand both on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// The URL of the catalog; `None` if it came from a folder.
    pub origin: Option<String>,
    /// The entity tag of the index.
    pub etag: Option<String>,
    /// The index as it was received.
    pub index: String,
    /// The signatures and the public key, by the names of their files.
    pub beside: Vec<(String, String)>,
}

impl Received {
    pub fn index(&self) -> Result<Index, IndexError> {
        Index::read(self.index.as_bytes())
    }

    pub fn is_signed(&self) -> bool {
        self.beside.iter().any(|(name, _)| name == SIGNATURE)
    }

    /// The public keys of those who sign the catalog: the one that signs now, then the next one.
    pub fn keys(&self) -> Vec<PublicKey> {
        let current = self.beside.iter().find(|(name, _)| name == KEY);
        let next = self.index().ok().and_then(|index| index.next_key);
        let texts = current.map(|(_, text)| text.as_str()).into_iter().chain(next.as_deref());
        texts.filter_map(|text| PublicKey::read(text).ok()).collect()
    }
}
