//! The content encodings of response bodies.

use std::io::{self, Write};

/// The minimum length in bytes for compression. A shorter body fits into one packet either way.
pub const WORTHWHILE: usize = 1024;

struct Levels {
    brotli: u32,
    zstd: i32,
    gzip: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    Brotli,
    Zstd,
    Gzip,
}

impl Encoding {
    /// Every encoding, smallest output first: a body is compressed once and sent many times.
    pub const ALL: [Self; 3] = [Self::Brotli, Self::Zstd, Self::Gzip];

    /// Every encoding, the best one for [`Self::compress_quickly`] first: there Zstandard takes a
    /// quarter of the time of Brotli for about the same size.
    pub const QUICKEST: [Self; 3] = [Self::Zstd, Self::Gzip, Self::Brotli];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    /// Compresses a body that is sent many times. This is CPU-bound; do not call it on an async
    /// thread.
    pub fn compress(self, plain: &[u8]) -> io::Result<Vec<u8>> {
        self.compress_with(plain, Levels { brotli: 7, zstd: 9, gzip: 7 })
    }

    /// The same for a body that is sent once or that a client waits for: a little larger, in a fraction of the time.
    pub fn compress_quickly(self, plain: &[u8]) -> io::Result<Vec<u8>> {
        self.compress_with(plain, Levels { brotli: 4, zstd: 3, gzip: 4 })
    }

    /// The same for a file that is written once and sent very often: the smallest that takes a
    /// reasonable time.
    pub fn compress_fully(self, plain: &[u8]) -> io::Result<Vec<u8>> {
        self.compress_with(plain, Levels { brotli: 11, zstd: 15, gzip: 9 })
    }

    fn compress_with(self, plain: &[u8], levels: Levels) -> io::Result<Vec<u8>> {
        match self {
            Self::Brotli => {
                let mut compressed = Vec::new();
                let mut writer =
                    brotli::CompressorWriter::new(&mut compressed, 1 << 16, levels.brotli, 22);
                writer.write_all(plain)?;
                writer.flush()?;
                drop(writer);
                Ok(compressed)
            }
            Self::Zstd => zstd::bulk::compress(plain, levels.zstd),
            Self::Gzip => {
                let level = flate2::Compression::new(levels.gzip);
                let mut writer = flate2::write::GzEncoder::new(Vec::new(), level);
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
        let both = |encoding: Encoding| {
            let made = [Encoding::compress, Encoding::compress_quickly, Encoding::compress_fully];
            made.map(|compress| compress(encoding, &plain).unwrap())
        };
        let all = Encoding::ALL.into_iter();
        for (encoding, packed) in all.flat_map(|one| both(one).map(|packed| (one, packed))) {
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
