//! Compressing a body within the time that a client would wait for it.

use std::{sync::Arc, time::Duration};

use appstitch_bodies::Slices;
use appstitch_snapshot::{BodyCache, BodyKey, CachedBody, Encoding};
use appstitch_wire::Limits;

use crate::message::{FixedField, fixed_field};

/// How long a client waits.
#[derive(Debug, Clone, Copy)]
pub(super) struct CompressionTimes {
    /// For its turn.
    patience: Duration,
    /// For everything.
    limit: Duration,
}

impl CompressionTimes {
    pub(super) fn of(limits: &Limits) -> Self {
        Self { patience: limits.compression_time, limit: limits.request_time }
    }
}

/// A compressed body; `None` if that takes too long.
pub(super) async fn compress(
    kept: &Arc<BodyCache>,
    key: BodyKey,
    encoding: Encoding,
    plain: &Slices,
    times: CompressionTimes,
) -> Option<CachedBody> {
    // A timer has a resolution of a millisecond, which is enough for a short body.
    if times.limit.is_zero() {
        return None;
    }
    let work = kept.compress(key, encoding, plain, times.patience);
    tokio::time::timeout(times.limit, work).await.ok().flatten()
}

pub(super) const fn content_encoding(encoding: Encoding) -> &'static FixedField {
    match encoding {
        Encoding::Brotli => fixed_field!("content-encoding", "br"),
        Encoding::Zstd => fixed_field!("content-encoding", "zstd"),
        Encoding::Gzip => fixed_field!("content-encoding", "gzip"),
    }
}
