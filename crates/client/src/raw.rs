//! Responses as the server sent them.

use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::{ResponseError, transport::decode};

/// A successful response with its undecoded body.
#[derive(Debug, Clone)]
pub struct RawResponse {
    /// The body.
    pub body: Bytes,
    /// The total number of matching entries, for listings (`x-total-count`).
    pub total_count: Option<u64>,
    pub(crate) url: String,
}

impl RawResponse {
    /// Decodes the body.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, ResponseError> {
        decode(&self.url, &self.body)
    }
}
