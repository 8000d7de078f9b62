//! A badge as the JSON that the Shields service reads at its `endpoint` route.

use serde::Serialize;

use super::picture::Badge;

/// How long the service keeps it, in seconds; less is not allowed.
const CACHE_SECONDS: u32 = 300;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Endpoint<'a> {
    schema_version: u8,
    label: &'a str,
    message: &'a str,
    color: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
    cache_seconds: u32,
}

pub(super) fn endpoint(badge: &Badge) -> String {
    let endpoint = Endpoint {
        schema_version: 1,
        label: &badge.label,
        message: &badge.message,
        color: badge.color.name(),
        is_error: badge.is_error,
        cache_seconds: CACHE_SECONDS,
    };
    // Text and numbers can always be written.
    serde_json::to_string(&endpoint).unwrap_or_default()
}
