//! What may stand in a `Host` field.

use crate::byte_table::alphanumeric_or;

/// Whether each byte may be a part of a host and its port (RFC 3986): letters, digits, percent signs,
/// and the marks of names and addresses.
static IN_HOST: [bool; 256] = alphanumeric_or(b"-._~%!$&'()*+,;=:[]");

/// Whether a value is a host, as far as its characters tell. It may be empty.
pub(crate) fn is_host(value: &[u8]) -> bool {
    value.iter().all(|byte| IN_HOST[*byte as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_recognized_by_their_characters() {
        for host in ["", "localhost", "a-b.example:8000", "[::1]:80", "127.0.0.1", "a_b", "%41"] {
            assert!(is_host(host.as_bytes()), "{host}");
        }
        for host in ["a b", "a/c", "user@a", "a?b", "a#b", "a\"b", "\u{e9}", "<a>", "a\tb"] {
            assert!(!is_host(host.as_bytes()), "{host}");
        }
    }
}
