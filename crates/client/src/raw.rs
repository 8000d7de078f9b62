use appstitch_types::Slug;
use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::{ErrorKind, ResponseError, transport::decode};

/// A successful response with its undecoded body.
#[derive(Debug, Clone)]
pub struct RawResponse {
    /// The body.
    pub body: Bytes,
    /// The total number of matching entries, for listings (`x-total-count`).
    pub total_count: Option<u64>,
    /// The slug of the app, if it was requested by another of its names.
    pub canonical_slug: Option<Slug>,
    pub(crate) url: String,
}

impl RawResponse {
    /// Decodes the body.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, ResponseError> {
        decode(&self.url, &self.body)
    }

    /// The body as text.
    pub fn text(&self) -> Result<String, ResponseError> {
        String::from_utf8(self.body.to_vec()).map_err(|error| {
            ResponseError::new(ErrorKind::InvalidBody, &self.url, "the body is not UTF-8 text")
                .with_cause(error)
        })
    }
}
