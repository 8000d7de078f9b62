//! Receiving an upload: checks who sends it, and limits its size as sent and uncompressed.

use std::io::{self, Read};

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, header},
};
use bytes::Bytes;
use http_body_util::BodyExt;

use super::{access, outcome::blocking, refusal::UploadRefusal};
use crate::{parts::ServiceParts, response::drain};

/// How a body is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyEncoding {
    None,
    Gzip,
    Zstd,
}

/// The body of an authorized request, uncompressed.
pub(super) async fn receive(
    service: &ServiceParts,
    request: Request,
) -> Result<Bytes, UploadRefusal> {
    let limits = &service.limits;
    let (parts, mut body) = request.into_parts();
    let expects_continue = parts.headers.contains_key(header::EXPECT);
    let encoding = match check_head(service, &parts.headers) {
        Ok(encoding) => encoding,
        Err(refusal) => {
            // A client that waits for `100 Continue` sends nothing after a rejection.
            if !expects_continue {
                drain(&mut body).await;
            }
            return Err(refusal);
        }
    };
    let arrival = collect(&mut body, limits.upload_bytes);
    let packed = match tokio::time::timeout(limits.upload_time, arrival).await {
        Err(_) => return Err(UploadRefusal::Slow),
        Ok(Ok(Some(packed))) => packed,
        Ok(Ok(None)) => {
            drain(&mut body).await;
            return Err(UploadRefusal::TooLarge { limit: limits.upload_bytes, is_unpacked: false });
        }
        Ok(Err(error)) => {
            return Err(UploadRefusal::Unreadable(format!("The body is incomplete: {error}")));
        }
    };
    if encoding == BodyEncoding::None {
        return Ok(packed.into());
    }
    let limit = limits.unpacked_bytes;
    match blocking(service, move || unpack(&packed, encoding, limit)).await? {
        Ok(Some(unpacked)) => Ok(unpacked.into()),
        Ok(None) => Err(UploadRefusal::TooLarge { limit, is_unpacked: true }),
        Err(error) => {
            Err(UploadRefusal::Unreadable(format!("Cannot decompress the body: {error}")))
        }
    }
}

/// Checks what can be checked before the body is read.
fn check_head(service: &ServiceParts, headers: &HeaderMap) -> Result<BodyEncoding, UploadRefusal> {
    access::check(service, headers)?;
    let encoding = encoding(headers)?;
    let limit = service.limits.upload_bytes;
    let announced = headers.get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(UploadRefusal::TooLarge { limit, is_unpacked: false });
    }
    Ok(encoding)
}

/// The whole body; `None` as soon as it exceeds the limit.
async fn collect(body: &mut Body, limit: usize) -> Result<Option<Vec<u8>>, axum::Error> {
    let mut collected = Vec::new();
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame?.into_data() {
            if collected.len() + data.len() > limit {
                return Ok(None);
            }
            collected.extend_from_slice(&data);
        }
    }
    Ok(Some(collected))
}

fn encoding(headers: &HeaderMap) -> Result<BodyEncoding, UploadRefusal> {
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    let Some(first) = encodings.next() else {
        return Ok(BodyEncoding::None);
    };
    let name = String::from_utf8_lossy(first.as_bytes()).trim().to_ascii_lowercase();
    match (name.as_str(), encodings.next()) {
        ("" | "identity", None) => Ok(BodyEncoding::None),
        ("gzip" | "x-gzip", None) => Ok(BodyEncoding::Gzip),
        ("zstd", None) => Ok(BodyEncoding::Zstd),
        _ => Err(UploadRefusal::UnknownEncoding(name.chars().take(100).collect())),
    }
}

/// Decompresses a body; `None` if it would exceed the limit.
fn unpack(packed: &[u8], encoding: BodyEncoding, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let reader: Box<dyn Read + '_> = match encoding {
        BodyEncoding::None => Box::new(packed),
        BodyEncoding::Gzip => Box::new(flate2::read::MultiGzDecoder::new(packed)),
        BodyEncoding::Zstd => Box::new(zstd::Decoder::with_buffer(packed)?),
    };
    let mut unpacked = Vec::new();
    // One byte more shows that the limit is exceeded.
    reader.take(limit as u64 + 1).read_to_end(&mut unpacked)?;
    Ok((unpacked.len() <= limit).then_some(unpacked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacking_stops_at_the_limit() {
        let bomb = zstd::bulk::compress(&vec![0; 1 << 20], 19).unwrap();
        assert_eq!(unpack(&bomb, BodyEncoding::Zstd, (1 << 20) - 1).unwrap(), None);
        assert_eq!(unpack(&bomb, BodyEncoding::Zstd, 1 << 20).unwrap().unwrap().len(), 1 << 20);
    }

    #[test]
    fn what_is_not_packed_as_it_says_is_an_error() {
        assert!(unpack(b"plain text", BodyEncoding::Gzip, 100).is_err());
        assert!(unpack(b"plain text", BodyEncoding::Zstd, 100).is_err());
    }
}
