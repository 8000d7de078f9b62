//! JSON rows in one contiguous buffer, so that consecutive rows are one slice.

use bytes::Bytes;

/// Rows of JSON, each followed by a comma, so that any run of rows can be sent as it is, without
/// the last comma.
pub struct Rows {
    bytes: Bytes,
    /// The start of each row, and the end of the last one.
    starts: Box<[usize]>,
}

impl Default for Rows {
    fn default() -> Self {
        RowsBuilder::new().finish()
    }
}

impl Rows {
    #[expect(clippy::len_without_is_empty, reason = "not needed")]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The sizes of the rows and of their offsets, in bytes.
    pub fn sizes(&self) -> (usize, usize) {
        (self.bytes.len(), size_of_val(&*self.starts))
    }

    #[inline]
    pub fn row(&self, position: u32) -> &[u8] {
        let position = position as usize;
        &self.bytes[self.starts[position]..self.starts[position + 1] - 1]
    }

    /// One row; shares the buffer.
    #[inline]
    pub fn one(&self, position: u32) -> Bytes {
        let position = position as usize;
        self.slice(position, position + 1)
    }

    /// Consecutive rows with commas between them; shares the buffer.
    #[inline]
    pub fn slice(&self, from: usize, to: usize) -> Bytes {
        if from >= to {
            return Bytes::new();
        }
        self.bytes.slice(self.starts[from]..self.starts[to] - 1)
    }

    /// A copy of the selected rows with commas between them.
    pub fn gather(&self, positions: &[u32]) -> Bytes {
        // Each row is pushed with a comma, so the buffer needs room for the last one as well.
        let length = positions.iter().map(|position| self.row(*position).len() + 1).sum();
        let mut gathered = Vec::with_capacity(length);
        for position in positions {
            gathered.extend_from_slice(self.row(*position));
            gathered.push(b',');
        }
        gathered.pop();
        gathered.into()
    }
}

pub(crate) struct RowsBuilder {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl RowsBuilder {
    pub(crate) fn new() -> Self {
        Self::with_capacity(0, 0)
    }

    /// Preallocates space for this many rows and this many bytes in total, commas excluded.
    pub(crate) fn with_capacity(rows: usize, bytes: usize) -> Self {
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        Self { bytes: Vec::with_capacity(bytes + rows), starts }
    }

    /// Adds the row that `write` writes and returns its bytes.
    pub(crate) fn push<E>(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<&[u8], E> {
        let start = self.bytes.len();
        write(&mut self.bytes)?;
        self.bytes.push(b',');
        let end = self.bytes.len();
        self.starts.push(end);
        Ok(&self.bytes[start..end - 1])
    }

    pub(crate) fn finish(mut self) -> Rows {
        self.bytes.shrink_to_fit();
        Rows { bytes: self.bytes.into(), starts: self.starts.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_choices_of_rows_are_joined_by_commas() {
        let mut builder = RowsBuilder::new();
        for word in ["a", "bb", "ccc"] {
            builder.push(|buffer| serde_json::to_writer(buffer, &word)).unwrap();
        }
        let rows = builder.finish();
        assert_eq!(rows.len(), 3);
        assert_eq!(rows.row(1), b"\"bb\"");
        assert_eq!(rows.slice(0, 3), "\"a\",\"bb\",\"ccc\"");
        assert_eq!(rows.slice(2, 2), "");
        assert_eq!(rows.gather(&[0, 2]), "\"a\",\"ccc\"");
        assert_eq!(rows.gather(&[]), "");
    }
}
