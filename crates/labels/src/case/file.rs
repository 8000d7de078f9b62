//! Reads and writes a file of cases.

use std::io::{self, BufRead, BufReader, Read, Write};

use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};
use thiserror::Error;

use super::Case;

const GZIP: [u8; 2] = [0x1f, 0x8b];

const MAX_BYTES: u64 = 512 << 20;

#[derive(Debug, Error)]
pub enum CaseError {
    #[error("line {line}: {error}")]
    Unreadable { line: usize, error: io::Error },
    #[error("line {line} is not a case: {error}")]
    NotACase { line: usize, error: serde_json::Error },
    #[error("the file is larger than {MAX_BYTES} bytes when unpacked")]
    TooLarge,
}

/// Reads all cases, in order.
///
/// ```
/// use appstitch_labels::read_cases;
///
/// let line = r#"{"case":"a","label":"a","arg":"a","expected":{},"fixtures":[]}"#;
/// assert_eq!(read_cases(line.as_bytes())?[0].name, "a");
/// # Ok::<(), appstitch_labels::CaseError>(())
/// ```
pub fn read_cases(file: &[u8]) -> Result<Vec<Case>, CaseError> {
    read_within(file, MAX_BYTES)
}

fn read_within(file: &[u8], limit: u64) -> Result<Vec<Case>, CaseError> {
    let reader: Box<dyn Read + '_> =
        if file.starts_with(&GZIP) { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    // One byte more, to see whether there is more.
    let mut reader = BufReader::new(reader.take(limit + 1));
    let mut cases = Vec::new();
    let mut text = String::new();
    let mut read = 0;
    for line in 1.. {
        text.clear();
        let count =
            reader.read_line(&mut text).map_err(|error| CaseError::Unreadable { line, error })?;
        if count == 0 {
            break;
        }
        read += count as u64;
        if read > limit {
            return Err(CaseError::TooLarge);
        }
        if !text.trim().is_empty() {
            let case = serde_json::from_str(&text);
            cases.push(case.map_err(|error| CaseError::NotACase { line, error })?);
        }
    }
    Ok(cases)
}

pub fn write_cases(cases: &[Case], compressed: bool) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for case in cases {
        serde_json::to_writer(&mut lines, case)?;
        lines.push(b'\n');
    }
    if !compressed {
        return Ok(lines);
    }
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&lines)?;
    gzip.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: usize) -> Vec<u8> {
        let cases: Vec<Case> =
            (0..count).map(|number| Case::new(&format!("label{number}"), "label")).collect();
        write_cases(&cases, false).unwrap()
    }

    #[test]
    fn empty_lines_and_a_missing_line_end_are_fine() {
        let file = [b"\n", lines(2).as_slice(), b"\n"].concat();
        assert_eq!(read_cases(&file).unwrap().len(), 2);
        assert_eq!(read_cases(lines(1).trim_ascii_end()).unwrap().len(), 1);
        assert_eq!(read_cases(b"").unwrap(), []);
    }

    #[test]
    fn a_broken_file_is_reported_with_its_line() {
        let broken = [lines(1).as_slice(), b"{}\n"].concat();
        let error = read_cases(&broken).unwrap_err().to_string();
        assert!(error.starts_with("line 2 is not a case: missing field"), "{error}");
        let packed = write_cases(&[Case::new("a", "a")], true).unwrap();
        let error = read_cases(&packed[..packed.len() - 9]).unwrap_err().to_string();
        assert!(error.starts_with("line 1"), "{error}");
        let error = read_cases(b"\xff\n").unwrap_err().to_string();
        assert!(error.starts_with("line 1: "), "{error}");
    }

    #[test]
    fn a_file_that_is_too_large_is_rejected() {
        let file = lines(3);
        let size = file.len() as u64;
        assert_eq!(read_within(&file, size).unwrap().len(), 3);
        assert!(matches!(read_within(&file, size - 1), Err(CaseError::TooLarge)));
    }
}
