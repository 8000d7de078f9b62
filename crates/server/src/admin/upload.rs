//! Receiving an upload: checks who sends it, waits for its turn, and decompresses it.

mod unpack;

use std::time::Duration;

use appstitch_wire::{
    drain_for,
    request_body::{self, BodyLimits, HeldBody, Pace},
};
use axum::{
    extract::Request,
    http::{HeaderMap, header},
};
use bytes::Bytes;

use super::{access, rejection::UploadRejection, work::Work};
use crate::parts::ServiceParts;
use unpack::unpack;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyEncoding {
    None,
    Gzip,
    Zstd,
}

/// How long the body of a request without the token is read. Any client can send such requests, and they
/// may use the reserved permits meanwhile.
const ANONYMOUS_TIME: Duration = Duration::from_secs(2);

/// The body of an authorized request, uncompressed, when it is its turn.
pub(super) async fn receive(
    service: &ServiceParts,
    request: Request,
) -> Result<(Bytes, Work), UploadRejection> {
    let limits = &service.limits;
    let (parts, mut body) = request.into_parts();
    let expects_continue = parts.headers.contains_key(header::EXPECT);
    let encoding = match check_head(service, &parts.headers) {
        Ok(encoding) => encoding,
        Err(rejection) => {
            if rejection.is_anonymous() && !expects_continue {
                drain_for(&mut body, ANONYMOUS_TIME).await;
            } else {
                request_body::reject(&mut body, expects_continue).await;
            }
            return Err(rejection);
        }
    };
    let body_limits = BodyLimits {
        bytes: limits.upload_bytes,
        pace: Pace {
            grace: limits.body_grace,
            bytes_per_second: limits.body_rate,
            total: limits.upload_time,
        },
        memory: &service.memory.uploads,
        small: None,
    };
    let HeldBody { bytes, reserved } =
        request_body::receive(&mut body, expects_continue, body_limits).await?;
    let work = Work::begin(service, reserved).await?;
    if encoding == BodyEncoding::None {
        return Ok((bytes.into(), work));
    }
    let limit = limits.unpacked_bytes;
    let unpacking = work.step(service, move |resources| {
        let body = bytes.capacity();
        let unpacked = unpack(&bytes, encoding, limit, resources)?;
        drop(bytes);
        resources.release(body);
        Ok(unpacked)
    });
    let (unpacked, work) = unpacking.await?;
    Ok((unpacked.into(), work))
}

/// Checks what can be checked before the body is read.
fn check_head(
    service: &ServiceParts,
    headers: &HeaderMap,
) -> Result<BodyEncoding, UploadRejection> {
    access::check(service, headers)?;
    encoding(headers)
}

fn encoding(headers: &HeaderMap) -> Result<BodyEncoding, UploadRejection> {
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    let Some(first) = encodings.next() else {
        return Ok(BodyEncoding::None);
    };
    let name = String::from_utf8_lossy(first.as_bytes()).trim().to_ascii_lowercase();
    match (name.as_str(), encodings.next()) {
        ("" | "identity", None) => Ok(BodyEncoding::None),
        ("gzip" | "x-gzip", None) => Ok(BodyEncoding::Gzip),
        ("zstd", None) => Ok(BodyEncoding::Zstd),
        _ => Err(UploadRejection::UnknownEncoding(name.chars().take(100).collect())),
    }
}
