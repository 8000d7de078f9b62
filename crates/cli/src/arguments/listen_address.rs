//! The address that the service listens on.

use std::net::{SocketAddr, ToSocketAddrs};

/// Reads `ADDRESS:PORT` or `NAME:PORT`. Of several addresses of a name, the first of version 4 is used:
/// clients that try version 6 first go on to it.
pub(super) fn parse(text: &str) -> Result<SocketAddr, String> {
    let text = text.trim();
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let expected = || "expected an address and a port, such as 127.0.0.1:8000".to_owned();
    let (host, port) = text.rsplit_once(':').ok_or_else(expected)?;
    if host.is_empty() || port.parse::<u16>().is_err() {
        return Err(expected());
    }
    let found = text.to_socket_addrs();
    let found: Vec<SocketAddr> =
        found.map_err(|error| format!("cannot look up '{host}': {error}"))?.collect();
    let first = found.iter().find(|address| address.is_ipv4()).or(found.first());
    first.copied().ok_or_else(|| format!("'{host}' has no address"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_or_a_name_has_a_port() {
        assert_eq!(parse("0.0.0.0:80").unwrap().to_string(), "0.0.0.0:80");
        assert_eq!(parse("[::1]:0").unwrap().to_string(), "[::1]:0");
        let local = parse("localhost:8000").unwrap();
        assert!(local.ip().is_loopback() && local.port() == 8000, "{local}");
        for text in ["", "localhost", ":8000", "localhost:", "localhost:http", "localhost:99999"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
