//! Compressing a body within the time that a client would wait for it.

use appstitch_snapshot::{BodyKey, Encoding, KeptBody, Slices, Snapshot};

use crate::{
    limits::Limits,
    message::{FixedField, fixed_field},
};

/// The maximum length in bytes of a body that is compressed on the spot if a quick encoding was chosen.
/// That takes a fraction of a millisecond, less than passing it to another thread and back.
pub(super) const SHORT: usize = 32 << 10;

/// A compressed body; `None` if that takes too long.
pub(super) async fn compress(
    snapshot: &Snapshot,
    key: BodyKey,
    encoding: Encoding,
    plain: &Slices,
    limits: &Limits,
) -> Option<KeptBody> {
    let Limits { compression_time: patience, request_time: limit, .. } = *limits;
    // A timer has a resolution of a millisecond, which is enough for a short body.
    if limit.is_zero() {
        return None;
    }
    let work = snapshot.kept().compress(key, encoding, plain, patience);
    tokio::time::timeout(limit, work).await.ok().flatten()
}

/// The field that names an encoding.
pub(super) const fn content_encoding(encoding: Encoding) -> &'static FixedField {
    match encoding {
        Encoding::Brotli => fixed_field!("content-encoding", "br"),
        Encoding::Zstd => fixed_field!("content-encoding", "zstd"),
        Encoding::Gzip => fixed_field!("content-encoding", "gzip"),
    }
}
