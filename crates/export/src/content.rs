//! The content of a file: its hash, and its compressed forms.

use appstitch_snapshot::{Encoding, WORTHWHILE};
use ring::digest::{SHA256, digest};

/// What the files beside a plain one end with.
pub(crate) const PACKED: [(Encoding, &str); 2] =
    [(Encoding::Gzip, ".gz"), (Encoding::Zstd, ".zst")];

/// Names a content: its hash, and whether compressed files are beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ContentId {
    hash: [u8; 32],
    pub(crate) is_packed: bool,
}

impl ContentId {
    /// Names a body. `varies` says whether a live server would compress it on request.
    pub(crate) fn of(body: &[u8], varies: bool) -> Self {
        let hash = digest(&SHA256, body);
        let hash = std::array::from_fn(|position| hash.as_ref()[position]);
        Self { hash, is_packed: varies && body.len() >= WORTHWHILE }
    }

    /// Reads a name as the manifest has it.
    pub(crate) fn read(text: &str, is_packed: bool) -> Option<Self> {
        let mut hash = [0; 32];
        let digits = text.as_bytes();
        if digits.len() != 2 * hash.len() || !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        for (number, byte) in hash.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * number..2 * number + 2)?, 16).ok()?;
        }
        Some(Self { hash, is_packed })
    }

    pub(crate) fn sha256(&self) -> String {
        let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
        self.hash.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_is_named_by_its_hash() {
        let empty = ContentId::of(b"", true);
        let text = empty.sha256();
        assert_eq!(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(ContentId::read(&text, false), Some(empty));
        for text in ["", "e3b0", &"z".repeat(64), &"ä".repeat(32)] {
            assert_eq!(ContentId::read(text, false), None, "{text}");
        }
    }

    #[test]
    fn only_long_bodies_that_a_server_would_compress_are_packed() {
        let long = [b'x'; WORTHWHILE];
        assert!(ContentId::of(&long, true).is_packed);
        assert!(!ContentId::of(&long, false).is_packed);
        assert!(!ContentId::of(&long[1..], true).is_packed);
    }
}
