//! Hashes of files, as text.

use std::fmt::Write;

/// The SHA-256 hash in lower-case hexadecimal digits, as `sha256sum` prints it.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    let mut text = String::with_capacity(64);
    for byte in digest.as_ref() {
        // A text can always be written to.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

pub(crate) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
