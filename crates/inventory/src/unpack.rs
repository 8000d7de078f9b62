//! Uncompresses a file if its first bytes are those of gzip or zstd.

use std::{
    borrow::Cow,
    io::{self, Read},
};

use appstitch_budget::Budget;
use flate2::read::MultiGzDecoder;

use crate::error::InventoryError;

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The largest window of a zstd file, as a power of two: 8 MiB of memory, which is what every
/// decoder has to support.
const MAX_WINDOW_LOG: u32 = 23;

const PIECE: usize = 64 << 10;

/// The content of a file, which takes bytes of the budget only if the file is compressed.
pub(crate) fn unpack<'a>(
    file: &'a [u8],
    limit: usize,
    budget: &mut Budget,
) -> Result<Cow<'a, [u8]>, InventoryError> {
    if file.starts_with(&GZIP) {
        let size = gzip_size(file);
        return collect(MultiGzDecoder::new(file), size, limit, budget).map(Cow::Owned);
    }
    if file.starts_with(&ZSTD) {
        let decoder = zstd::Decoder::with_buffer(file).and_then(|mut decoder| {
            decoder.window_log_max(MAX_WINDOW_LOG)?;
            Ok(decoder)
        });
        let decoder = decoder.map_err(|error| damaged(&error))?;
        return collect(decoder, 0, limit, budget).map(Cow::Owned);
    }
    if file.len() > limit {
        return Err(InventoryError::TooLarge(limit));
    }
    Ok(Cow::Borrowed(file))
}

/// The size that the end of a gzip file states. It is only a hint: anyone can write anything there,
/// and a file may have several parts.
fn gzip_size(file: &[u8]) -> usize {
    const MOST_SAVED: usize = 1032;
    let stated = file.last_chunk().map_or(0, |size| u32::from_le_bytes(*size));
    usize::try_from(stated).unwrap_or_default().min(file.len().saturating_mul(MOST_SAVED))
}

/// Uncompresses all of it. `size` is how much it probably is: without growing, it takes half of the
/// memory.
fn collect(
    mut reader: impl Read,
    size: usize,
    limit: usize,
    budget: &mut Budget,
) -> Result<Vec<u8>, InventoryError> {
    let mut content = Vec::new();
    if size <= limit && budget.hold(size).is_ok() {
        content.reserve_exact(size);
    }
    let mut piece = vec![0; PIECE];
    loop {
        let read = reader.read(&mut piece).map_err(|error| damaged(&error))?;
        if read == 0 {
            return Ok(content);
        }
        if content.len() + read > limit {
            return Err(InventoryError::TooLarge(limit));
        }
        if content.len() + read > content.capacity() {
            let more = (content.capacity() + content.capacity() / 2).max(content.len() + read);
            // Both are held while the bytes move.
            budget.hold(more)?;
            let old = content.capacity();
            content.reserve_exact(more - content.len());
            budget.release(old);
        }
        content.extend_from_slice(&piece[..read]);
    }
}

fn damaged(error: &io::Error) -> InventoryError {
    InventoryError::Damaged(error.to_string())
}
