//! What the reserved permits are for.

/// Whether bytes are the beginning of a request for `/health` or of an upload.
pub(super) fn is_for_reserved_place(received: &[u8]) -> bool {
    let mut words = received.split(|byte| *byte == b' ');
    let Some(target) = words.nth(1) else { return false };
    let path = target.split(|byte| *byte == b'?').next().unwrap_or_default();
    [&b"/health"[..], b"/ready", b"/metrics"].contains(&path) || path.starts_with(b"/admin/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn health_and_administration_have_reserved_places() {
        for request in [
            "GET /health HTTP/1.1\r\n",
            "GET /health?x HTTP",
            "GET /ready HTTP/1.1\r\n",
            "HEAD /metrics HTTP/1.0",
            "PUT /admin/records HTT",
        ] {
            assert!(is_for_reserved_place(request.as_bytes()), "{request}");
        }
        for request in
            ["", "GET", "GET ", "GET /apps HTTP/1.1", "GET /healthy HTTP/1.1", "POST /mcp HTTP/1.1"]
        {
            assert!(!is_for_reserved_place(request.as_bytes()), "{request}");
        }
    }
}
