//! Answers as they may be written down: without secrets.

use appstitch_labels::{Exchange, Request, Response};

use crate::secret::Secret;

const SECRET_HEADERS: [&str; 5] = [
    "authorization", "proxy-authenticate", "proxy-authorization", "set-cookie", "www-authenticate",
];

/// The answer without cookies, and without the token if a server repeats it.
pub(crate) fn without_secrets(response: &Response, token: Option<&Secret>) -> Response {
    let clean = |text: &str| match token {
        Some(token) if text.contains(token.reveal()) => text.replace(token.reveal(), "[secret]"),
        _ => text.to_owned(),
    };
    let is_open = |name: &str| !SECRET_HEADERS.contains(&name.to_ascii_lowercase().as_str());
    let headers = response.headers.iter().filter(|(name, _)| is_open(name));
    Response {
        status: response.status,
        headers: headers.map(|(name, value)| (name.clone(), clean(value))).collect(),
        body: clean(&response.body),
    }
}

pub(crate) fn repeats(response: &Response, token: &Secret) -> bool {
    let token = token.reveal();
    response.body.contains(token) || response.headers.iter().any(|(_, value)| value.contains(token))
}

/// Adds an answer, unless the same request is recorded already. Returns about the memory it takes.
pub(crate) fn record(
    records: &mut Vec<Exchange>,
    request: &Request,
    response: &Response,
    token: Option<&Secret>,
) -> usize {
    let (method, url) = (&request.method, &request.url);
    if records.iter().any(|known| known.method == *method && known.url == *url) {
        return 0;
    }
    let response = without_secrets(response, token);
    let headers = response.headers.iter().map(|(name, value)| name.len() + value.len());
    let bytes = url.len() + response.body.len() + headers.sum::<usize>();
    records.push(Exchange { method: method.clone(), url: url.clone(), response });
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_never_recorded() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let response = Response {
            status: 200,
            headers: vec![
                header("Set-Cookie", "session=1"),
                header("x-echo", "bearer abc123abc123abc123"),
                header("etag", "\"1\""),
            ],
            body: "you sent abc123abc123abc123".to_owned(),
        };
        let request = Request {
            method: "GET".to_owned(),
            url: "https://example.com/".to_owned(),
            headers: vec![header("authorization", "abc123abc123abc123")],
            body: String::new(),
        };
        let mut records = Vec::new();
        let token = Secret::new("abc123abc123abc123");
        for _ in 0..2 {
            record(&mut records, &request, &response, token.as_ref());
        }
        assert_eq!(records.len(), 1, "each request once");
        let text = format!("{records:?}");
        assert!(!text.contains("abc123abc123abc123") && !text.contains("session"), "{text}");
        assert_eq!(records[0].response.headers.len(), 2);
    }
}
