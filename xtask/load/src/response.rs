//! Parses the head of a response.

use std::io;

use httparse::{EMPTY_HEADER, Response, Status};

/// More header fields than any measured server sends.
const MOST_FIELDS: usize = 64;

/// The length of a response with its body; `None` while its head is incomplete. A status other
/// than success or 304 is an error, except 404 if it is expected.
pub(crate) fn whole_length(bytes: &[u8], expects_missing: bool) -> io::Result<Option<usize>> {
    let mut fields = [EMPTY_HEADER; MOST_FIELDS];
    let mut response = Response::new(&mut fields);
    let Status::Complete(head) = response.parse(bytes).map_err(io::Error::other)? else {
        return Ok(None);
    };
    match response.code {
        Some(304) => return Ok(Some(head)),
        Some(200..300) => {}
        Some(404) if expects_missing => {}
        code => {
            let status = code.unwrap_or_default();
            return Err(io::Error::other(format!("unexpected status {status}")));
        }
    }
    let body = response
        .headers
        .iter()
        .find(|field| field.name.eq_ignore_ascii_case("content-length"))
        .and_then(|field| str::from_utf8(field.value).ok()?.parse::<usize>().ok())
        .ok_or_else(|| io::Error::other("response without content-length"))?;
    Ok(Some(head + body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_is_that_of_head_and_body() {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n";
        assert_eq!(whole_length(head.as_bytes(), false).unwrap(), Some(head.len() + 300));
        assert_eq!(whole_length(&head.as_bytes()[..30], false).unwrap(), None);
        let unchanged = "HTTP/1.1 304 Not Modified\r\netag: x\r\n\r\n";
        assert_eq!(whole_length(unchanged.as_bytes(), false).unwrap(), Some(unchanged.len()));
    }

    #[test]
    fn missing_is_an_answer_where_it_is_expected() {
        let head = "HTTP/1.1 404 Not Found\r\ncontent-length: 9\r\n\r\n";
        assert_eq!(whole_length(head.as_bytes(), true).unwrap(), Some(head.len() + 9));
    }

    #[test]
    fn a_failure_is_an_error() {
        for head in [
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
            "SSH-2.0-OpenSSH\r\n\r\n",
        ] {
            assert!(whole_length(head.as_bytes(), false).is_err(), "{head}");
        }
    }
}
