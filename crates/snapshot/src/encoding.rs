//! The content encodings of response bodies.

use std::io::{self, Write};

/// The minimum length in bytes for compression. A shorter body fits into one packet either way.
pub const WORTHWHILE: usize = 1024;

/// A supported content encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `br`.
    Brotli,
    /// `zstd`.
    Zstd,
    /// `gzip`.
    Gzip,
}

impl Encoding {
    /// Every encoding, smallest output first: a body is compressed once and sent many times.
    pub const ALL: [Self; 3] = [Self::Brotli, Self::Zstd, Self::Gzip];

    /// The name in HTTP headers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    /// Compresses a body. This is CPU-bound; do not call it on an async thread.
    pub fn compress(self, plain: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Brotli => {
                let mut compressed = Vec::new();
                let mut writer = brotli::CompressorWriter::new(&mut compressed, 1 << 16, 7, 22);
                writer.write_all(plain)?;
                writer.flush()?;
                drop(writer);
                Ok(compressed)
            }
            Self::Zstd => zstd::bulk::compress(plain, 9),
            Self::Gzip => {
                let mut writer =
                    flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(7));
                writer.write_all(plain)?;
                writer.finish()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn every_coding_can_be_undone() {
        let plain = "one record after another, ".repeat(500).into_bytes();
        for encoding in Encoding::ALL {
            let packed = encoding.compress(&plain).unwrap();
            assert!(packed.len() < plain.len() / 4, "{encoding:?} compresses too little");
            let mut unpacked = Vec::new();
            match encoding {
                Encoding::Brotli => {
                    brotli::Decompressor::new(&packed[..], 4096).read_to_end(&mut unpacked)
                }
                Encoding::Zstd => {
                    zstd::Decoder::new(&packed[..]).unwrap().read_to_end(&mut unpacked)
                }
                Encoding::Gzip => {
                    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut unpacked)
                }
            }
            .unwrap();
            assert_eq!(unpacked, plain, "{encoding:?}");
        }
    }
}
