//! Discarding the rest of a request body, so that its sender receives the response.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http_body_util::BodyExt;

const DRAIN_BYTES: usize = 256 << 20;
const DRAIN_TIME: Duration = Duration::from_secs(10);

/// Reads and discards the rest of a body, within bounds. Closing on a client that is still sending
/// would reset its connection, and it would never see the response.
pub async fn drain(body: &mut Body) {
    drain_for(body, DRAIN_TIME).await;
}

pub async fn drain_for(body: &mut Body, time: Duration) {
    let rest = async {
        let mut discarded = 0;
        while let Some(Ok(frame)) = body.frame().await {
            discarded += frame.data_ref().map_or(0, Bytes::len);
            if discarded > DRAIN_BYTES {
                return;
            }
        }
    };
    // It makes no difference whether the body ended or the time was up.
    let _ = tokio::time::timeout(time, rest).await;
}
