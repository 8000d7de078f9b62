//! What may stand in a `Host` field.

/// Whether each byte may be a part of a host and its port (RFC 3986): letters, digits, percent signs,
/// and the marks of names and addresses.
static IN_HOST: [bool; 256] = {
    let mut allowed = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        #[expect(clippy::cast_possible_truncation, reason = "the index is less than 128")]
        let is_letter_or_digit = (byte as u8).is_ascii_alphanumeric();
        allowed[byte] = is_letter_or_digit;
        byte += 1;
    }
    let marks = b"-._~%!$&'()*+,;=:[]";
    let mut mark = 0;
    while mark < marks.len() {
        allowed[marks[mark] as usize] = true;
        mark += 1;
    }
    allowed
};

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
