//! What leads from the copy of one revision to the next: the newer text, compressed with the older one as
//! its dictionary.
//!
//! A patch is not named by the index, so that servers need not agree on which ones they have. It need not be
//! signed: whoever applies one compares the hash of the result, and reads the whole file if it differs.

use std::io::{self, Read, Write};

/// Fast: the older text finds nearly everything.
const LEVEL: i32 = 3;

/// The largest window, as a power of two. Both texts must fit into it.
const MOST_WINDOW: u32 = 27;

/// The path of the patch below the folder of the index.
pub fn patch_path(revision: &str, older: &str) -> String {
    format!("{revision}/{}", patch_name(older))
}

pub(crate) fn patch_name(older: &str) -> String {
    format!("with-sources-from-{older}.zst")
}

/// `None` if the texts are too long for one.
pub(crate) fn make(older: &[u8], newer: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let window = usize::BITS - (older.len() + newer.len()).leading_zeros();
    if window > MOST_WINDOW {
        return Ok(None);
    }
    let mut encoder = zstd::Encoder::with_ref_prefix(Vec::new(), LEVEL, older)?;
    encoder.window_log(window.max(10))?;
    encoder.long_distance_matching(true)?;
    encoder.write_all(newer)?;
    Ok(Some(encoder.finish()?))
}

/// The newer text, which must have this length. `None` if the patch does not fit.
pub fn apply_patch(older: &[u8], patch: &[u8], length: u64) -> Option<Vec<u8>> {
    let mut decoder = zstd::Decoder::with_ref_prefix(patch, older).ok()?;
    decoder.window_log_max(MOST_WINDOW).ok()?;
    let mut newer = Vec::new();
    decoder.take(length.saturating_add(1)).read_to_end(&mut newer).ok()?;
    (newer.len() as u64 == length).then_some(newer)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    fn text(changed: usize) -> Vec<u8> {
        let lines = (0..20_000_usize).fold(String::new(), |mut text, number| {
            let value = if number == changed { 0 } else { number.wrapping_mul(2_654_435_761) };
            writeln!(text, "{number} {value}").unwrap();
            text
        });
        lines.into_bytes()
    }

    #[test]
    fn a_patch_is_small_and_leads_to_the_newer_text() {
        let (older, newer) = (text(7), text(19_000));
        let patch = make(&older, &newer).unwrap().unwrap();
        assert!(patch.len() < 1000, "{} bytes", patch.len());
        let length = newer.len() as u64;
        assert!(apply_patch(&older, &patch, length).unwrap() == newer);
        assert!(apply_patch(&older, &patch, length - 1).is_none());
        assert!(apply_patch(&older, &patch[..patch.len() / 2], length).is_none());
        assert!(apply_patch(&older, b"nonsense", length).is_none());
        assert!(apply_patch(&newer, &patch, length).is_none_or(|other| other != newer));
    }
}
