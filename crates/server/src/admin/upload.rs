//! Receiving an upload: from whom it may come, bounded as sent, bounded as unpacked.

use std::io::{self, Read};

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, header},
};
use bytes::Bytes;
use http_body_util::BodyExt;

use super::{access, outcome::blocking, refusal::Refusal};
use crate::{parts::ServiceParts, response::drain};

/// How a body is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    None,
    Gzip,
    Zstd,
}

/// The body of a request that may upload, unpacked.
pub(super) async fn receive(service: &ServiceParts, request: Request) -> Result<Bytes, Refusal> {
    let limits = &service.limits;
    let (parts, mut body) = request.into_parts();
    let expects_word = parts.headers.contains_key(header::EXPECT);
    let coding = match look_at_head(service, &parts.headers) {
        Ok(coding) => coding,
        Err(refusal) => {
            // A client that waits for our word sends nothing once it has the refusal.
            if !expects_word {
                drain(&mut body).await;
            }
            return Err(refusal);
        }
    };
    let arrival = collect(&mut body, limits.upload_bytes);
    let packed = match tokio::time::timeout(limits.upload_time, arrival).await {
        Err(_) => return Err(Refusal::Slow),
        Ok(Ok(Some(packed))) => packed,
        Ok(Ok(None)) => {
            drain(&mut body).await;
            return Err(Refusal::TooLarge { limit: limits.upload_bytes, unpacked: false });
        }
        Ok(Err(error)) => return Err(Refusal::Unreadable(format!("The body broke off: {error}"))),
    };
    if coding == Coding::None {
        return Ok(packed.into());
    }
    let limit = limits.unpacked_bytes;
    match blocking(service, move || unpack(&packed, coding, limit)).await? {
        Ok(Some(unpacked)) => Ok(unpacked.into()),
        Ok(None) => Err(Refusal::TooLarge { limit, unpacked: true }),
        Err(error) => Err(Refusal::Unreadable(format!("The body cannot be unpacked: {error}"))),
    }
}

/// What can be refused before the body is read.
fn look_at_head(service: &ServiceParts, headers: &HeaderMap) -> Result<Coding, Refusal> {
    access::check(service, headers)?;
    let coding = coding(headers)?;
    let limit = service.limits.upload_bytes;
    let announced = headers.get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(Refusal::TooLarge { limit, unpacked: false });
    }
    Ok(coding)
}

/// The whole body; `None` as soon as it is over the limit.
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

fn coding(headers: &HeaderMap) -> Result<Coding, Refusal> {
    let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let Some(first) = codings.next() else {
        return Ok(Coding::None);
    };
    let name = String::from_utf8_lossy(first.as_bytes()).trim().to_ascii_lowercase();
    match (name.as_str(), codings.next()) {
        ("" | "identity", None) => Ok(Coding::None),
        ("gzip" | "x-gzip", None) => Ok(Coding::Gzip),
        ("zstd", None) => Ok(Coding::Zstd),
        _ => Err(Refusal::UnknownCoding(name.chars().take(100).collect())),
    }
}

/// Unpacks a body; `None` when it would grow over the limit.
fn unpack(packed: &[u8], coding: Coding, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let reader: Box<dyn Read + '_> = match coding {
        Coding::None => Box::new(packed),
        Coding::Gzip => Box::new(flate2::read::MultiGzDecoder::new(packed)),
        Coding::Zstd => Box::new(zstd::Decoder::with_buffer(packed)?),
    };
    let mut unpacked = Vec::new();
    // One byte over the limit is enough to know.
    reader.take(limit as u64 + 1).read_to_end(&mut unpacked)?;
    Ok((unpacked.len() <= limit).then_some(unpacked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacking_stops_at_the_limit() {
        let bomb = zstd::bulk::compress(&vec![0; 1 << 20], 19).unwrap();
        assert_eq!(unpack(&bomb, Coding::Zstd, (1 << 20) - 1).unwrap(), None);
        assert_eq!(unpack(&bomb, Coding::Zstd, 1 << 20).unwrap().unwrap().len(), 1 << 20);
    }

    #[test]
    fn what_is_not_packed_as_it_says_is_an_error() {
        assert!(unpack(b"plain text", Coding::Gzip, 100).is_err());
        assert!(unpack(b"plain text", Coding::Zstd, 100).is_err());
    }
}
