//! Large answers keep their memory reserved until they are sent: clients may read them slowly, or
//! not at all.

use appstitch_budget::{Pool, Reserved};
use axum::{body::Body, http::Response, response::IntoResponse};
use bytes::Bytes;
use http_body::Body as _;
use http_body_util::BodyExt;

use crate::{http_error::HttpError, response::busy};

/// Bytes and their memory.
struct HeldBytes {
    bytes: Bytes,
    _reserved: Reserved,
}

impl AsRef<[u8]> for HeldBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reserves the memory of an answer of more than `small` bytes, which is complete in memory.
pub(super) async fn hold(response: Response<Body>, small: u64, pool: &Pool) -> Response<Body> {
    let size = response.body().size_hint().exact().unwrap_or_default();
    if size <= small {
        return response;
    }
    let Ok(reserved) = pool.reserve(size) else {
        return busy();
    };
    let (parts, body) = response.into_parts();
    match body.collect().await {
        Ok(body) => {
            let held = HeldBytes { bytes: body.to_bytes(), _reserved: reserved };
            Response::from_parts(parts, Body::from(Bytes::from_owner(held)))
        }
        Err(_) => HttpError::Internal.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;

    use super::*;

    #[tokio::test]
    async fn a_large_answer_is_reserved_until_its_bytes_are_gone() {
        let pool = Pool::new(1000);
        let answer = |size: usize| Response::new(Body::from(vec![7; size]));
        let small = hold(answer(100), 100, &pool).await;
        assert_eq!(pool.free(), 1000);
        let large = hold(answer(600), 100, &pool).await;
        assert_eq!(pool.free(), 400);
        let refused = hold(answer(600), 100, &pool).await;
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        let mut body = large.into_body();
        let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
        drop((body, small));
        assert_eq!((frame.len(), pool.free()), (600, 400), "it is not sent yet");
        drop(frame);
        assert_eq!(pool.free(), 1000);
    }
}
