//! What makes two requests the same.

use std::fmt::Write as _;

use appstitch_labels::Request;
use ring::digest::{Context, SHA256};

/// A hash over everything that a label sends. The order of headers does not matter. The text is
/// written to the store.
pub(crate) fn request_key(request: &Request) -> String {
    let mut headers: Vec<(&str, &str)> =
        request.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    headers.sort_unstable();
    let texts = [request.method.as_str(), &request.url, &request.body];
    let headers = headers.iter().flat_map(|(name, value)| [*name, *value]);
    let mut hash = Context::new(&SHA256);
    for text in texts.into_iter().chain(headers) {
        // The lengths keep neighbors apart.
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.finish().as_ref().iter().fold(String::new(), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(method: &str, url: &str, headers: &[(&str, &str)], body: &str) -> String {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        request_key(&Request {
            method: method.to_owned(),
            url: url.to_owned(),
            headers: headers.iter().map(owned).collect(),
            body: body.to_owned(),
        })
    }

    #[test]
    fn everything_that_is_sent_counts_but_not_the_order_of_headers() {
        let one = [("a", "1"), ("b", "2")];
        let same = key("GET", "https://example.com/", &one, "");
        assert_eq!(same, key("GET", "https://example.com/", &[("b", "2"), ("a", "1")], ""));
        for other in [
            key("HEAD", "https://example.com/", &one, ""),
            key("GET", "https://example.com/x", &one, ""),
            key("GET", "https://example.com/", &[("a", "1")], ""),
            key("GET", "https://example.com/", &[("a", "1b"), ("", "2")], ""),
            key("GET", "https://example.com/", &one, "x"),
        ] {
            assert_ne!(same, other);
        }
    }
}
