//! `x-request-id`: the client's own, or one of ours.

use std::{
    hash::{BuildHasher, RandomState},
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const MAX_LENGTH: usize = 128;

/// The id under which a request is logged and answered. A client's own id is kept when it is
/// short and printable, so that a trace can be followed through us.
pub(crate) fn request_id(headers: &HeaderMap) -> HeaderValue {
    match headers.get(&X_REQUEST_ID) {
        Some(id) if is_printable(id.as_bytes()) => id.clone(),
        _ => new_id(),
    }
}

fn is_printable(id: &[u8]) -> bool {
    !id.is_empty() && id.len() <= MAX_LENGTH && id.iter().all(u8::is_ascii_graphic)
}

/// A number that differs between processes and a count within one.
fn new_id() -> HeaderValue {
    static PROCESS: LazyLock<u32> = LazyLock::new(|| {
        let [a, b, c, d, ..] = RandomState::new().hash_one(std::process::id()).to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    });
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let id = format!("{:08x}-{count:08x}", *PROCESS);
    // Hex digits and a dash are always a header value.
    HeaderValue::try_from(id).unwrap_or_else(|_| HeaderValue::from_static("0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_for(sent: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(X_REQUEST_ID, HeaderValue::from_bytes(sent.as_bytes()).unwrap());
        request_id(&headers).to_str().unwrap().to_owned()
    }

    #[test]
    fn a_printable_id_is_kept_and_any_other_replaced() {
        assert_eq!(id_for("trace-17/a"), "trace-17/a");
        for sent in ["", "two words", "ä", &"x".repeat(129)] {
            assert_ne!(id_for(sent), sent);
        }
    }

    #[test]
    fn no_id_is_given_twice() {
        assert_ne!(request_id(&HeaderMap::new()), request_id(&HeaderMap::new()));
    }
}
