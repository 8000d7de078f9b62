//! The response to a request that fails.

use appstitch_bodies::Slices;
use appstitch_snapshot::{ReadError, SinceError};

use crate::{
    http_error::HttpError,
    message::{FAILURE, FixedField, JSON, Policy, ReadResponse, fixed_field},
    route::{CachePolicy, Route},
};

/// Identifies an unknown app. Most other errors are identified by their status alone.
const APP_NOT_FOUND: &FixedField = fixed_field!("x-error-code", "app_not_found");
/// What a program tells an unknown name by.
const NAME_NOT_FOUND: &FixedField = fixed_field!("x-error-code", "name_not_found");
/// What a program tells by that it has to read everything again.
const CHANGES_GONE: &FixedField = fixed_field!("x-error-code", "changes_gone");
/// What a program tells by that a file would be half true.
const EXPORT_REFUSED: &FixedField = fixed_field!("x-error-code", "export_refused");
/// What a program tells an unknown vendor by.
const VENDOR_NOT_FOUND: &FixedField = fixed_field!("x-error-code", "vendor_not_found");

pub(crate) fn failure(error: HttpError, route: Option<&Route>, policy: Policy) -> ReadResponse {
    let status = error.status();
    let policy = if status.is_server_error() { policy.cached(FAILURE) } else { policy };
    let about = match &error {
        HttpError::MethodNotAllowed => route.and_then(Route::allowed),
        HttpError::NoRoom
        | HttpError::ShareUsed
        | HttpError::Busy
        | HttpError::Stopping
        | HttpError::NotYet => Some(fixed_field!("retry-after", "1")),
        HttpError::Read(ReadError::UnknownSlug(_)) => Some(APP_NOT_FOUND),
        HttpError::Read(ReadError::UnknownName(_)) => Some(NAME_NOT_FOUND),
        HttpError::Refused(_) => Some(EXPORT_REFUSED),
        HttpError::Since(SinceError::Gone(_)) => Some(CHANGES_GONE),
        HttpError::Read(ReadError::UnknownVendor(_)) => Some(VENDOR_NOT_FOUND),
        _ => None,
    };
    let mut response = ReadResponse::with_body(status, policy, JSON, Slices::one(error.body()));
    if let Some(field) = about {
        response.add(field);
    }
    if route.is_some_and(|route| route.policy == CachePolicy::Journal) {
        response.add(FAILURE);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_other_origins_may_read_the_code_of_an_error() {
        let error = HttpError::Read(ReadError::UnknownSlug("x".to_owned()));
        let response = failure(error, None, Policy::Public);
        assert!(response.fixed.contains(&APP_NOT_FOUND));
        let exposed = response.policy.fields().find(|(name, _)| name.ends_with("expose-headers"));
        let (_, exposed) = exposed.unwrap();
        assert!(exposed.split(", ").any(|name| name == APP_NOT_FOUND.name), "{exposed}");
    }
}
