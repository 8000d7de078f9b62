//! Decompressing an upload within its memory.
//!
//! A body is decompressed twice: the first time to learn its size. That takes less than making room
//! for a list that grows, which needs almost twice the memory.

use std::io::{self, Read};

use super::BodyEncoding;
use crate::admin::{rejection::UploadRejection, resources::Resources};

/// The largest window of zstd, as a power of two: 32 MiB, as for the files of the sources.
const LARGEST_WINDOW: u32 = 25;

/// Decompresses a body of at most `limit` bytes.
pub(super) fn unpack(
    packed: &[u8],
    encoding: BodyEncoding,
    limit: usize,
    resources: &mut Resources,
) -> Result<Vec<u8>, UploadRejection> {
    let broken = |error: io::Error| {
        UploadRejection::Unreadable(format!("Cannot decompress the body: {error}"))
    };
    // A quarter of the memory, so that there is room for what is in the window.
    let window_log = (resources.size() / 4).max(1 << 10).ilog2().min(LARGEST_WINDOW);
    let window = if encoding == BodyEncoding::Zstd { 1 << window_log } else { 0 };
    resources.hold(window)?;
    let read = || reader(packed, encoding, window_log).map_err(broken);
    // One byte more shows that the limit is exceeded.
    let mut start = read()?.take(limit as u64 + 1);
    let size = io::copy(&mut start, &mut io::sink()).map_err(broken)?;
    drop(start);
    let size = usize::try_from(size).ok().filter(|size| *size <= limit);
    let size = size.ok_or(UploadRejection::TooLarge { limit, is_unpacked: true })?;
    resources.hold(size)?;
    let mut unpacked = Vec::with_capacity(size);
    read()?.read_to_end(&mut unpacked).map_err(broken)?;
    resources.release(window);
    Ok(unpacked)
}

fn reader(
    packed: &[u8],
    encoding: BodyEncoding,
    window_log: u32,
) -> io::Result<Box<dyn Read + '_>> {
    Ok(match encoding {
        BodyEncoding::None => Box::new(packed),
        BodyEncoding::Gzip => Box::new(flate2::read::MultiGzDecoder::new(packed)),
        BodyEncoding::Zstd => {
            let mut decoder = zstd::Decoder::with_buffer(packed)?;
            decoder.window_log_max(window_log)?;
            Box::new(decoder)
        }
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use appstitch_budget::{Exceeded, Pool};

    use super::*;

    fn resources(pool: &Pool) -> Resources {
        Resources::new(pool.reserve_nothing(), Instant::now() + Duration::from_hours(1))
    }

    fn size(packed: &[u8], encoding: BodyEncoding, limit: usize) -> Result<usize, UploadRejection> {
        let pool = Pool::new(64 << 20);
        unpack(packed, encoding, limit, &mut resources(&pool)).map(|unpacked| unpacked.len())
    }

    #[test]
    fn unpacking_stops_at_the_limit() {
        let bomb = zstd::bulk::compress(&vec![0; 1 << 20], 19).unwrap();
        let stopped = size(&bomb, BodyEncoding::Zstd, (1 << 20) - 1);
        assert!(matches!(stopped, Err(UploadRejection::TooLarge { is_unpacked: true, .. })));
        assert_eq!(size(&bomb, BodyEncoding::Zstd, 1 << 20).unwrap(), 1 << 20);
    }

    #[test]
    fn what_is_not_packed_as_it_says_is_an_error() {
        for encoding in [BodyEncoding::Gzip, BodyEncoding::Zstd] {
            let broken = size(b"plain text", encoding, 100);
            assert!(matches!(broken, Err(UploadRejection::Unreadable(_))));
        }
    }

    #[test]
    fn what_is_unpacked_is_held_and_nothing_else() {
        let packed = zstd::bulk::compress(&vec![7; 10 << 20], 3).unwrap();
        let pool = Pool::new(64 << 20);
        let mut resources = resources(&pool);
        let unpacked = unpack(&packed, BodyEncoding::Zstd, 512 << 20, &mut resources).unwrap();
        assert_eq!(resources.held(), unpacked.len() as u64);
        drop(resources);
        let pool = Pool::new(8 << 20);
        let refused = unpack(&packed, BodyEncoding::Zstd, 512 << 20, &mut self::resources(&pool));
        assert!(matches!(refused, Err(UploadRejection::TooMuch(Exceeded::Bytes(_)))));
        assert_eq!(pool.free(), pool.size());
    }
}
