//! Reads a text line by line, within limits.

use std::io::{self, BufRead, BufReader, Read};

use appstitch_budget::{Budget, Limits};

use super::{BackupError, MOST_ROW_BYTES};

/// The first bytes of every file that zstd wrote.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The largest window, as a power of two: what unpacking holds in memory. The writer uses less.
const MOST_WINDOW: u32 = 23;

const BYTES_PER_STEP: usize = 1 << 10;

/// The limits of a whole backup: 64 GiB of text, in lines of up to 256 MiB, of which one is in memory.
const LIMITS: Limits =
    Limits { bytes: MOST_ROW_BYTES as u64, steps: 64 << 20, rows: 200_000_000, ..Limits::NONE };

/// The file, with the bytes that were looked at.
pub(super) type Looked<R> = BufReader<io::Chain<io::Cursor<[u8; 4]>, R>>;

/// A compressed file, unpacked.
pub(super) type Unpacked<R> = BufReader<zstd::Decoder<'static, Looked<R>>>;

pub(super) struct Lines<T> {
    text: T,
    line: Vec<u8>,
    budget: Budget,
    /// Makes sure that nothing follows the text.
    end: fn(T) -> Result<(), BackupError>,
}

impl<R: Read> Lines<Unpacked<R>> {
    pub(super) fn packed(mut file: R) -> Result<Self, BackupError> {
        let mut start = [0; 4];
        match file.read_exact(&mut start) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(BackupError::NotABackup);
            }
            read => read.map_err(BackupError::Read)?,
        }
        if start != ZSTD {
            return Err(BackupError::NotABackup);
        }
        let file = BufReader::new(io::Cursor::new(start).chain(file));
        let mut decoder = zstd::Decoder::with_buffer(file).map_err(BackupError::Read)?;
        decoder.window_log_max(MOST_WINDOW).map_err(BackupError::Read)?;
        let text = BufReader::with_capacity(1 << 16, decoder.single_frame());
        Ok(Self { text, line: Vec::new(), budget: Budget::new(LIMITS), end: ends_packed })
    }
}

impl<'a> Lines<&'a [u8]> {
    pub(super) fn plain(text: &'a [u8]) -> Self {
        Self { text, line: Vec::new(), budget: Budget::new(LIMITS), end: ends }
    }
}

impl<T: BufRead> Lines<T> {
    /// The next line with its end. `most` is the most bytes that it may have.
    pub(super) fn next(&mut self, most: usize) -> Result<&[u8], BackupError> {
        self.budget.release(self.line.len());
        // A long line is rare, and its memory is needed for what is made of the next ones.
        if self.line.capacity() > 1 << 20 {
            self.line = Vec::new();
        }
        self.line.clear();
        self.budget.row()?;
        loop {
            let part = self.text.fill_buf().map_err(unpacking)?;
            if part.is_empty() {
                return Err(BackupError::Incomplete);
            }
            let end = part.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(part.len(), |end| end + 1);
            if self.line.len() + length > most {
                return Err(BackupError::Damaged(format!("a line has more than {most} bytes")));
            }
            self.budget.hold(length)?;
            self.budget.step(1 + (length / BYTES_PER_STEP) as u64)?;
            self.line.extend_from_slice(&part[..length]);
            self.text.consume(length);
            if end.is_some() {
                return Ok(&self.line);
            }
        }
    }

    /// Makes sure that nothing follows.
    pub(super) fn end(self) -> Result<(), BackupError> {
        (self.end)(self.text)
    }
}

/// The text, and then the file after it.
fn ends_packed<R: Read>(mut text: Unpacked<R>) -> Result<(), BackupError> {
    ends(&mut text)?;
    ends(text.into_inner().finish())
}

fn ends(mut text: impl BufRead) -> Result<(), BackupError> {
    let is_over = text.fill_buf().map_err(unpacking)?.is_empty();
    let more = || BackupError::Damaged("something follows its end".to_owned());
    if is_over { Ok(()) } else { Err(more()) }
}

/// An error while unpacking: of the system, or in the file.
fn unpacking(error: io::Error) -> BackupError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => BackupError::Incomplete,
        _ if error.raw_os_error().is_some() => BackupError::Read(error),
        _ => BackupError::Damaged(error.to_string()),
    }
}
