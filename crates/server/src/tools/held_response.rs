//! Large responses keep their memory reserved until they are sent: clients may read them slowly, or
//! not at all.

use std::sync::Arc;

use appstitch_budget::Reserved;
use appstitch_wire::{ClientShare, ResponseMemory};
use axum::{body::Body, http::Response, response::IntoResponse};
use bytes::Bytes;
use http_body::Body as _;
use http_body_util::BodyExt;

use crate::{http_error::HttpError, response::busy};

struct HeldBytes {
    bytes: Bytes,
    _reserved: Reserved,
    _share: Arc<ClientShare>,
}

impl AsRef<[u8]> for HeldBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reserves the memory of a response of more than `small` bytes, which is complete in memory.
pub(super) async fn hold(
    response: Response<Body>,
    small: u64,
    share: Arc<ClientShare>,
) -> Response<Body> {
    let size = response.body().size_hint().exact().unwrap_or_default();
    if size <= small {
        return response;
    }
    let Ok(reserved) = share.pools.responses.reserve(size) else {
        return busy();
    };
    let (mut parts, body) = response.into_parts();
    parts.extensions.insert(ResponseMemory(share.pools.responses.clone()));
    match body.collect().await {
        Ok(body) => {
            let held = HeldBytes { bytes: body.to_bytes(), _reserved: reserved, _share: share };
            Response::from_parts(parts, Body::from(Bytes::from_owner(held)))
        }
        Err(_) => HttpError::Internal.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use appstitch_wire::{ClientAddress, Memory};
    use axum::http::StatusCode;

    use super::*;

    #[tokio::test]
    async fn a_large_response_is_reserved_until_its_bytes_are_gone() {
        // A client has an eighth of half of a sixteenth, and room for one response at least.
        let memory = Memory::new(64 << 20);
        let client = Some(ClientAddress::V4(1));
        let share = || memory.of_client(client);
        let used = || {
            let parts = memory.parts();
            let (_, pool) = parts.iter().find(|(name, _)| *name == "answers").unwrap();
            pool.size() - pool.free()
        };
        let response = |size: usize| Response::new(Body::from(vec![7; size]));
        let small = hold(response(100), 100, share()).await;
        assert_eq!(used(), 0);
        let large = hold(response(1_500_000), 100, share()).await;
        assert_eq!(used(), 1_500_000);
        let refused = hold(response(1_500_000), 100, share()).await;
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        let mut body = large.into_body();
        let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
        drop((body, small));
        assert_eq!((frame.len(), used()), (1_500_000, 1_500_000), "it is not sent yet");
        drop(frame);
        assert_eq!(used(), 0);
    }

    #[tokio::test]
    async fn unsent_responses_of_a_client_leave_room_for_others() {
        let memory = Memory::new(1 << 30);
        let mut unsent = Vec::new();
        for client in 1..4 {
            let before = unsent.len();
            for _ in 0..1000 {
                let share = memory.of_client(Some(ClientAddress::V4(client)));
                let response = hold(Response::new(Body::from(vec![7; 500_000])), 100, share).await;
                if response.status() != StatusCode::OK {
                    break;
                }
                unsent.push(response);
            }
            assert_eq!(unsent.len() - before, 8, "an eighth of 32 MiB");
        }
    }
}
