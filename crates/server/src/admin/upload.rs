//! Reading an upload's body: bounded as sent, bounded as unpacked.

use std::io::{self, Read};

use axum::{
    extract::Request,
    http::{HeaderMap, header},
};
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};

use super::{blocking, refusal::Refusal};
use crate::Limits;

/// How a body is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    None,
    Gzip,
    Zstd,
}

/// The body, unpacked.
pub(super) async fn read(request: Request, limits: &Limits) -> Result<Bytes, Refusal> {
    let coding = coding(request.headers())?;
    let too_large = || Refusal::TooLarge { limit: limits.upload_bytes, unpacked: false };
    // What says beforehand that it is too large need not be sent.
    let announced = request.headers().get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limits.upload_bytes) {
        return Err(too_large());
    }
    let body = Limited::new(request.into_body(), limits.upload_bytes).collect();
    let packed = match tokio::time::timeout(limits.upload_time, body).await {
        Err(_) => return Err(Refusal::Slow),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(too_large()),
        Ok(Err(error)) => return Err(Refusal::Unreadable(format!("The body broke off: {error}"))),
        Ok(Ok(collected)) => collected.to_bytes(),
    };
    if coding == Coding::None {
        return Ok(packed);
    }
    let limit = limits.unpacked_bytes;
    match blocking(move || unpack(&packed, coding, limit)).await? {
        Ok(Some(unpacked)) => Ok(unpacked.into()),
        Ok(None) => Err(Refusal::TooLarge { limit, unpacked: true }),
        Err(error) => Err(Refusal::Unreadable(format!("The body cannot be unpacked: {error}"))),
    }
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
