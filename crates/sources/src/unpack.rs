//! Unpacks an upstream's file while it is read, up to a limit.
//!
//! Mirrors often store the files compressed. The compression is detected from the first bytes,
//! not from the file name.

use std::io::{self, BufRead, BufReader, Read};

use flate2::read::MultiGzDecoder;

use crate::parsed_file::{FileError, Unreadable};

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The largest window of a zstd file, as a power of two: 32 MiB of memory. `zstd --ultra -22` and
/// `--long` use more for files that are larger than that.
const MAX_WINDOW_LOG: u32 = 25;

/// The default size limit of an unpacked upstream file. The largest real file is 19 MB.
pub const MAX_UNPACKED_BYTES: usize = 512 << 20;

/// How many bytes of a file are read at a time. A small file gets a smaller buffer, which is filled
/// with zeros first.
const BUFFER: usize = 64 << 10;
const SMALL_BUFFER: usize = 4 << 10;

/// Reads a file that has at most `limit` bytes when unpacked.
pub(crate) fn read_unpacked<T>(
    file: &[u8],
    limit: usize,
    read: impl FnOnce(&mut dyn BufRead) -> Result<T, FileError>,
) -> Result<T, FileError> {
    let unpacked = Unpacked::new(file, limit)
        .map_err(|error| Unreadable(format!("cannot unpack the file: {error}")))?;
    let buffer = file.len().clamp(SMALL_BUFFER, BUFFER);
    let mut reader = BufReader::with_capacity(buffer, unpacked);
    let result = read(&mut reader);
    // The reader may have taken the error for the end of the file.
    if reader.get_ref().exceeded { Err(FileError::TooLarge { limit }) } else { result }
}

/// The content of a small file, unpacked as a whole.
pub fn unpacked(file: &[u8], limit: usize) -> Result<Vec<u8>, FileError> {
    read_unpacked(file, limit, |reader| {
        let mut content = Vec::new();
        let read = reader.read_to_end(&mut content);
        read.map_err(|error| FileError::unreadable(format!("cannot unpack the file: {error}")))?;
        Ok(content)
    })
}

/// A file's unpacked content. Reading more than `limit` bytes is an error.
struct Unpacked<'a> {
    reader: Box<dyn Read + 'a>,
    left: usize,
    exceeded: bool,
}

impl<'a> Unpacked<'a> {
    fn new(file: &'a [u8], limit: usize) -> io::Result<Self> {
        let reader: Box<dyn Read + 'a> = if file.starts_with(&GZIP) {
            Box::new(MultiGzDecoder::new(file))
        } else if file.starts_with(&ZSTD) {
            let mut decoder = zstd::Decoder::with_buffer(file)?;
            decoder.window_log_max(MAX_WINDOW_LOG)?;
            Box::new(decoder)
        } else {
            Box::new(file)
        };
        Ok(Self { reader, left: limit, exceeded: false })
    }
}

impl Read for Unpacked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.left == 0 {
            // The content may end exactly at the limit.
            if self.reader.read(&mut [0])? == 0 {
                return Ok(0);
            }
            self.exceeded = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let room = buffer.len().min(self.left);
        let read = self.reader.read(&mut buffer[..room])?;
        self.left -= read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(content).unwrap();
        gzip.finish().unwrap()
    }

    fn zstd(content: &[u8]) -> Vec<u8> {
        zstd::bulk::compress(content, 3).unwrap()
    }

    /// The content, and whether it was larger than the limit.
    fn unpack(file: &[u8], limit: usize) -> (Vec<u8>, bool) {
        let mut unpacked = Unpacked::new(file, limit).unwrap();
        let mut content = Vec::new();
        let result = unpacked.read_to_end(&mut content);
        assert_eq!(result.is_err(), unpacked.exceeded, "{result:?}");
        (content, unpacked.exceeded)
    }

    #[test]
    fn content_tells_how_a_file_is_packed() {
        let two_members = [gzip(b"con"), gzip(b"tent")].concat();
        for file in [b"content".to_vec(), gzip(b"content"), two_members, zstd(b"content")] {
            assert_eq!(unpack(&file, 100), (b"content".to_vec(), false));
        }
        assert_eq!(unpack(b"", 100), (Vec::new(), false));
    }

    #[test]
    fn the_limit_is_never_exceeded() {
        let content = vec![7; 1 << 20];
        for file in [content.clone(), gzip(&content), zstd(&content)] {
            assert_eq!(unpack(&file, 1 << 20), (content.clone(), false));
            let (cut, exceeded) = unpack(&file, (1 << 20) - 1);
            assert!(exceeded && cut.len() < 1 << 20, "{}", cut.len());
            assert_eq!(unpack(&file, 0), (Vec::new(), true));
        }
    }

    #[test]
    fn a_damaged_file_is_an_error_and_not_too_large() {
        for packed in [gzip(&[1; 1000]), zstd(&[1; 1000])] {
            let mut unpacked = Unpacked::new(&packed[..packed.len() - 5], 10_000).unwrap();
            assert!(unpacked.read_to_end(&mut Vec::new()).is_err());
            assert!(!unpacked.exceeded);
        }
    }
}
