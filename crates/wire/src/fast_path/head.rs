//! Writing the head of a response.

use axum::http::StatusCode;
use tokio::time::Instant;

use super::{date::add_date_and_end, framing::Framing};
use crate::{
    message::{CONTENT_LENGTH, Content, Policy, ReadResponse, TOTAL_COUNT},
    request_id::RequestId,
};

/// The lines of everything public, and of the catalog as far as its entity tag.
const PUBLIC_LINES: &str = "access-control-allow-origin: *\r\n\
access-control-expose-headers: etag, link, x-error-code, x-request-id, x-total-count\r\n";
const CATALOG_LINES: &str = "access-control-allow-origin: *\r\n\
access-control-expose-headers: etag, link, x-error-code, x-request-id, x-total-count\r\netag: ";

/// Writes a head; its fields come in the order in which the HTTP library would send them.
pub(super) fn write_head(
    head: &mut Vec<u8>,
    response: &ReadResponse,
    id: &RequestId<'_>,
    framing: Framing,
    keeps_alive: bool,
    now: Instant,
) {
    head.clear();
    let mut write = |text: &[u8]| head.extend_from_slice(text);
    write(framing.version_text());
    write_status(&mut write, response.status);
    if let Some(Content { kind, payload }) = &response.content {
        write(kind.line.as_bytes());
        write(CONTENT_LENGTH.start.as_bytes());
        write(itoa::Buffer::new().format(payload.length()).as_bytes());
        write(b"\r\n");
    }
    for field in &response.fixed {
        write(field.line.as_bytes());
    }
    if let Some(count) = response.total_count {
        write(TOTAL_COUNT.start.as_bytes());
        write(itoa::Buffer::new().format(count).as_bytes());
        write(b"\r\n");
    }
    if let Some((name, text)) = &response.made {
        write(name.start.as_bytes());
        write(text.as_bytes());
        write(b"\r\n");
    }
    match &response.policy {
        Policy::Private => {}
        Policy::Public => write(PUBLIC_LINES.as_bytes()),
        Policy::Catalog { etag, cache_control } => {
            write(CATALOG_LINES.as_bytes());
            write(etag.as_bytes());
            write(b"\r\n");
            write(cache_control.line.as_bytes());
        }
        Policy::Document(fields) => fields.iter().for_each(|field| write(field.line.as_bytes())),
    }
    write(b"x-request-id: ");
    write(id.as_bytes());
    write(b"\r\n");
    write(framing.connection_line(keeps_alive));
    add_date_and_end(head, now);
}

fn write_status(write: &mut impl FnMut(&[u8]), status: StatusCode) {
    match status {
        StatusCode::OK => write(b"200 OK\r\n"),
        StatusCode::NOT_MODIFIED => write(b"304 Not Modified\r\n"),
        other => {
            write(other.as_str().as_bytes());
            write(b" ");
            write(other.canonical_reason().unwrap_or_default().as_bytes());
            write(b"\r\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::PUBLIC;

    #[test]
    fn the_public_lines_are_those_of_the_policy() {
        assert_eq!(PUBLIC.map(|field| field.line).concat(), PUBLIC_LINES);
        assert_eq!(format!("{PUBLIC_LINES}etag: "), CATALOG_LINES);
    }
}
