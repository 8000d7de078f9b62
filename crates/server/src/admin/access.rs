//! Who may upload: clients that send the deploy token.

use axum::http::{HeaderMap, header};

use super::rejection::UploadRejection;
use crate::parts::ServiceParts;

/// Checks the bearer token of a request.
pub(super) fn check(service: &ServiceParts, headers: &HeaderMap) -> Result<(), UploadRejection> {
    let token = service.deploy_token.as_ref().ok_or(UploadRejection::UploadsOff)?;
    // Two readers may use different ones.
    if headers.get_all(header::AUTHORIZATION).iter().count() > 1 {
        return Err(UploadRejection::TwoTokens);
    }
    let given = headers.get(header::AUTHORIZATION).map(axum::http::HeaderValue::as_bytes);
    match given.and_then(bearer) {
        Some(guess) if token.is(guess) => Ok(()),
        _ => Err(UploadRejection::Unauthorized),
    }
}

/// The token after the name of the scheme, which is case-insensitive.
fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = value.split_at_checked("bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| token.trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_is_bearer_in_any_case() {
        assert_eq!(bearer(b"Bearer secret"), Some(&b"secret"[..]));
        assert_eq!(bearer(b"bearer  secret "), Some(&b"secret"[..]));
        assert_eq!(bearer(b"Basic secret"), None);
        assert_eq!(bearer(b"secret"), None);
        assert_eq!(bearer(b""), None);
    }
}
