//! Compressed files. Their plain length is known before they are unpacked, so no file can fill the memory.

use std::io::{self, Read, Write};

use thiserror::Error;

/// Each revision packs a delta from each of the last 30, so these must be quick: a higher level would save 2%,
/// and take five times as long.
const ZSTD_LEVEL: i32 = 9;
/// The whole catalog is longer than a delta, and must stay small for those who have nothing yet.
const WHOLE_CATALOG: usize = 1 << 20;
const ZSTD_LEVEL_OF_WHOLE: i32 = 12;
/// Longer files are usually replaced by patches.
const LONG_FILE: usize = 8 << 20;
const ZSTD_LEVEL_OF_LONG: i32 = 3;
const GZIP_LEVEL: u32 = 9;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Codec {
    Zstd,
    Gzip,
}

#[derive(Debug, Error)]
pub enum CodecError {
    #[error("it cannot be unpacked: {0}")]
    Broken(#[from] io::Error),
    #[error("unpacked, it is not {0} bytes long")]
    Length(u64),
}

impl Codec {
    /// The codec of a file by the ending of its name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1 {
            "zst" => Some(Self::Zstd),
            "gz" => Some(Self::Gzip),
            _ => None,
        }
    }

    pub(crate) fn pack(self, plain: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Zstd => {
                let level = match plain.len() {
                    LONG_FILE.. => ZSTD_LEVEL_OF_LONG,
                    WHOLE_CATALOG.. => ZSTD_LEVEL_OF_WHOLE,
                    _ => ZSTD_LEVEL,
                };
                zstd::bulk::compress(plain, level)
            }
            Self::Gzip => {
                let level = flate2::Compression::new(GZIP_LEVEL);
                let mut writer = flate2::write::GzEncoder::new(Vec::new(), level);
                writer.write_all(plain)?;
                writer.finish()
            }
        }
    }

    /// Unpacks a file of somebody else, whose plain form must have this length.
    pub(crate) fn unpack(self, packed: &[u8], length: u64) -> Result<Vec<u8>, CodecError> {
        match self {
            Self::Zstd => read(zstd::Decoder::new(packed)?, length),
            Self::Gzip => read(flate2::read::MultiGzDecoder::new(packed), length),
        }
    }
}

/// Reads at most one byte more than expected. The buffer grows with what really comes.
fn read(reader: impl Read, length: u64) -> Result<Vec<u8>, CodecError> {
    let mut plain = Vec::new();
    reader.take(length.saturating_add(1)).read_to_end(&mut plain)?;
    if plain.len() as u64 == length { Ok(plain) } else { Err(CodecError::Length(length)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_can_be_unpacked_to_its_length_only() {
        let plain = b"one line\n".repeat(1000);
        let length = plain.len() as u64;
        for codec in [Codec::Zstd, Codec::Gzip] {
            let packed = codec.pack(&plain).unwrap();
            assert_eq!(codec.unpack(&packed, length).unwrap(), plain);
            assert!(matches!(codec.unpack(&packed, length - 1), Err(CodecError::Length(_))));
            assert!(matches!(codec.unpack(&packed, length + 1), Err(CodecError::Length(_))));
            assert!(codec.unpack(&packed[..packed.len() / 2], length).is_err());
            assert!(codec.unpack(b"no archive", length).is_err());
        }
    }

    #[test]
    fn a_small_file_that_unpacks_to_a_large_one_is_read_only_to_its_length() {
        let bomb = Codec::Zstd.pack(&vec![0; 64 << 20]).unwrap();
        assert!(bomb.len() < 10_000);
        assert!(matches!(Codec::Zstd.unpack(&bomb, 1000), Err(CodecError::Length(1000))));
    }

    #[test]
    fn the_ending_of_a_name_tells_the_codec() {
        assert_eq!(Codec::of("x/catalog.ndjson.zst"), Some(Codec::Zstd));
        assert_eq!(Codec::of("catalog.ndjson.gz"), Some(Codec::Gzip));
        assert_eq!(Codec::of("catalog.ndjson"), None);
    }
}
