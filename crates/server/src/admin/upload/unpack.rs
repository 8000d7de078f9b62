//! Decompressing an upload within its memory.

use std::io::{self, Read};

use appstitch_budget::Exceeded;

use super::BodyEncoding;
use crate::admin::{refusal::UploadRefusal, resources::Resources};

/// How much is decompressed at a time.
const PIECE: usize = 64 << 10;

/// The largest window of zstd, as a power of two: 32 MiB, as for the files of the sources.
const LARGEST_WINDOW: u32 = 25;

/// Decompresses a body of at most `limit` bytes.
pub(super) fn unpack(
    packed: &[u8],
    encoding: BodyEncoding,
    limit: usize,
    resources: &mut Resources,
) -> Result<Vec<u8>, UploadRefusal> {
    let broken = |error: io::Error| {
        UploadRefusal::Unreadable(format!("Cannot decompress the body: {error}"))
    };
    let mut window = 0;
    let mut reader: Box<dyn Read + '_> = match encoding {
        BodyEncoding::None => Box::new(packed),
        BodyEncoding::Gzip => Box::new(flate2::read::MultiGzDecoder::new(packed)),
        BodyEncoding::Zstd => {
            let mut decoder = zstd::Decoder::with_buffer(packed).map_err(broken)?;
            // A quarter of the memory, so that there is room for what is in the window.
            let log = (resources.size() / 4).max(1 << 10).ilog2().min(LARGEST_WINDOW);
            decoder.window_log_max(log).map_err(broken)?;
            window = 1 << log;
            Box::new(decoder)
        }
    };
    resources.hold(window)?;
    let mut unpacked = Vec::new();
    let mut piece = vec![0; PIECE];
    loop {
        let length = match reader.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(broken(error)),
        };
        if unpacked.len() + length > limit {
            return Err(UploadRefusal::TooLarge { limit, is_unpacked: true });
        }
        make_room(&mut unpacked, length, limit, resources)?;
        unpacked.extend_from_slice(&piece[..length]);
    }
    // The rest of the room was never touched.
    resources.release(window + unpacked.capacity() - unpacked.len());
    Ok(unpacked)
}

/// Makes room for more bytes in a list whose capacity is held.
fn make_room(
    bytes: &mut Vec<u8>,
    more: usize,
    limit: usize,
    resources: &mut Resources,
) -> Result<(), Exceeded> {
    let (held, length) = (bytes.capacity(), bytes.len() + more);
    if length <= held {
        return Ok(());
    }
    // Both are held while the bytes move, so the last move starts from a third.
    let most = usize::try_from(resources.size() / 3 * 2).unwrap_or(usize::MAX).min(limit);
    if length > most {
        return Err(Exceeded::Bytes(resources.size()));
    }
    let capacity = if length > most / 3 { most } else { length.max(held + held / 2) };
    resources.hold(capacity)?;
    bytes.reserve_exact(capacity - bytes.len());
    resources.release(held);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use appstitch_budget::Pool;

    use super::*;

    fn resources(pool: &Pool) -> Resources {
        Resources::new(pool.reserve_nothing(), Instant::now() + Duration::from_hours(1))
    }

    fn size(packed: &[u8], encoding: BodyEncoding, limit: usize) -> Result<usize, UploadRefusal> {
        let pool = Pool::new(64 << 20);
        unpack(packed, encoding, limit, &mut resources(&pool)).map(|unpacked| unpacked.len())
    }

    #[test]
    fn unpacking_stops_at_the_limit() {
        let bomb = zstd::bulk::compress(&vec![0; 1 << 20], 19).unwrap();
        let stopped = size(&bomb, BodyEncoding::Zstd, (1 << 20) - 1);
        assert!(matches!(stopped, Err(UploadRefusal::TooLarge { is_unpacked: true, .. })));
        assert_eq!(size(&bomb, BodyEncoding::Zstd, 1 << 20).unwrap(), 1 << 20);
    }

    #[test]
    fn what_is_not_packed_as_it_says_is_an_error() {
        for encoding in [BodyEncoding::Gzip, BodyEncoding::Zstd] {
            let broken = size(b"plain text", encoding, 100);
            assert!(matches!(broken, Err(UploadRefusal::Unreadable(_))));
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
        assert!(matches!(refused, Err(UploadRefusal::TooMuch(Exceeded::Bytes(_)))));
        assert_eq!(pool.free(), pool.size());
    }
}
