//! Where a request ends and whether its connection goes on.
//!
//! What decides that is an allowlist: the fields and values below are understood, and fields that
//! are known to be end to end have no say in it. A request with any other field goes to the HTTP
//! library, so that nothing we do not know can make us read a request differently than a proxy in
//! front of us does.

use httparse::Header;

use crate::host::is_host;

/// How a request is framed, as far as the fast path understands it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Framing {
    version: u8,
    hosts: u8,
    keep_alive: Option<bool>,
    is_understood: bool,
}

impl Framing {
    /// For a request of HTTP/1.`version`.
    pub(super) fn new(version: u8) -> Self {
        Self { version, hosts: 0, keep_alive: None, is_understood: true }
    }

    /// Takes a field into account; returns whether it is one that has a say.
    pub(super) fn take(&mut self, field: &Header<'_>) -> bool {
        match field.name.len() {
            4 if is(field, "host") => {
                // An invalid one is as bad as two.
                let count = if is_host(field.value) { 1 } else { 2 };
                self.hosts = self.hosts.saturating_add(count);
            }
            10 if is(field, "connection") => {
                let wish = match field.value {
                    value if value.eq_ignore_ascii_case(b"keep-alive") => Some(true),
                    value if value.eq_ignore_ascii_case(b"close") => Some(false),
                    _ => None,
                };
                // A repeated field is left to the HTTP library.
                self.is_understood &= wish.is_some() && self.keep_alive.is_none();
                self.keep_alive = wish;
            }
            14 if is(field, "content-length") => self.is_understood &= field.value == b"0",
            _ => return false,
        }
        true
    }

    pub(super) fn is_understood(self) -> bool {
        self.is_understood
    }

    /// A request has exactly one `Host`; only before HTTP/1.1 it may have none.
    pub(super) fn has_one_host(self) -> bool {
        self.hosts == 1 || (self.hosts == 0 && self.version == 0)
    }

    /// Whether the client wants to send another request.
    pub(super) fn keeps_alive(self) -> bool {
        self.keep_alive.unwrap_or(self.version > 0)
    }

    /// How the status line of the response begins.
    pub(super) fn version_text(self) -> &'static [u8] {
        if self.version == 0 { b"HTTP/1.0 " } else { b"HTTP/1.1 " }
    }

    /// What the response says about the connection, if that needs to be said: HTTP/1.1 keeps it by
    /// default, HTTP/1.0 closes it.
    pub(super) fn connection_line(self, keeps_alive: bool) -> &'static [u8] {
        match (self.version, keeps_alive) {
            (0, true) => b"connection: keep-alive\r\n",
            (0, false) | (_, true) => b"",
            (_, false) => b"connection: close\r\n",
        }
    }
}

/// Whether a field has a name, which is given in lower case. Proxies and newer clients write names
/// like that, too, and comparing them as they are costs less.
pub(super) fn is(field: &Header<'_>, name: &str) -> bool {
    field.name == name || field.name.eq_ignore_ascii_case(name)
}

/// Fields of requests that are passed from end to end, by their length.
const END_TO_END: [&[&str]; 31] = [
    &[],
    &[],
    &["b3"],
    &["dnt", "via"],
    &["date", "from"],
    &["range"],
    &["cookie", "origin", "pragma", "cf-ray"],
    &["baggage", "purpose", "referer"],
    &["cdn-loop", "if-match", "if-range", "priority"],
    &["forwarded", "save-data"],
    &["user-agent", "tracestate", "cf-visitor", "early-data"],
    &["traceparent"],
    &["content-type", "cf-ipcountry", "max-forwards"],
    &["authorization", "cache-control"],
    &["accept-charset", "true-client-ip"],
    &["accept-language"],
    &["cf-connecting-ip"],
    &["if-modified-since"],
    &[],
    &["if-unmodified-since"],
    &[],
    &[],
    &[],
    &[],
    &[],
    &["upgrade-insecure-requests"],
    &[],
    &[],
    &[],
    &["access-control-request-method"],
    &["access-control-request-headers"],
];

/// Whether a field is known to be end to end. Names that begin with `x-` and `sec-` are
/// applications' and browsers'.
pub(super) fn is_end_to_end(name: &str) -> bool {
    let starts = |start: &str| {
        name.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
    };
    let known = END_TO_END.get(name.len()).copied().unwrap_or_default();
    known.iter().any(|known| name.eq_ignore_ascii_case(known)) || starts("x-") || starts("sec-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framing(version: u8, fields: &[(&str, &str)]) -> Framing {
        let mut framing = Framing::new(version);
        for (name, value) in fields {
            assert!(framing.take(&Header { name, value: value.as_bytes() }), "{name}");
        }
        framing
    }

    #[test]
    fn every_known_field_is_listed_under_its_length() {
        for (length, names) in END_TO_END.iter().enumerate() {
            for name in *names {
                assert_eq!(name.len(), length, "{name}");
                assert!(is_end_to_end(&name.to_ascii_uppercase()));
            }
        }
        assert!(is_end_to_end("X-Forwarded-For") && is_end_to_end("Sec-CH-UA"));
    }

    #[test]
    fn fields_with_a_say_and_unknown_ones_are_not_end_to_end() {
        for name in [
            "connection", "content-length", "expect", "http2-settings", "keep-alive",
            "proxy-connection", "te", "trailer", "transfer-encoding", "transfer_encoding",
            "upgrade", "nobody-knows", "x", "",
        ] {
            assert!(!is_end_to_end(name), "{name}");
        }
    }

    #[test]
    fn connections_go_on_as_the_version_and_the_client_say() {
        let keeps = |version, fields: &[(&str, &str)]| framing(version, fields).keeps_alive();
        assert!(keeps(1, &[]) && !keeps(0, &[]));
        assert!(keeps(0, &[("Connection", "Keep-Alive")]));
        assert!(!keeps(1, &[("connection", "close")]));
        let understood = |fields: &[(&str, &str)]| framing(1, fields).is_understood();
        assert!(understood(&[("content-length", "0")]));
        for fields in [
            &[("connection", "upgrade")][..],
            &[("connection", "close, x")],
            &[("connection", "close"), ("connection", "keep-alive")],
            &[("content-length", "00")],
            &[("content-length", "1")],
            &[("content-length", "0"), ("content-length", "5")],
        ] {
            assert!(!understood(fields), "{fields:?}");
        }
    }

    #[test]
    fn one_host_it_is() {
        let host = ("Host", "x");
        assert!(framing(1, &[host]).has_one_host() && framing(0, &[]).has_one_host());
        assert!(!framing(1, &[]).has_one_host());
        assert!(!framing(1, &[host, host]).has_one_host());
        assert!(!framing(0, &[host, host]).has_one_host());
        assert!(!framing(1, &[("Host", "a b/c")]).has_one_host());
    }
}
