//! A file that an index names, checked and unpacked.

use thiserror::Error;

use crate::{
    codec::{Codec, CodecError},
    digest::sha256,
    index::PackedFile,
};

#[derive(Debug, Error)]
pub enum FileError {
    #[error("{0} is not the file that the index names: its size or hash differs")]
    Changed(String),
    #[error("{name}: {error}")]
    Unpack { name: String, error: CodecError },
}

impl PackedFile {
    /// The text in the file, if its bytes are those that the index names.
    pub fn unpack(&self, bytes: &[u8]) -> Result<Vec<u8>, FileError> {
        let changed = || FileError::Changed(self.path.clone());
        if bytes.len() as u64 != self.size || sha256(bytes) != self.sha256 {
            return Err(changed());
        }
        let codec = Codec::of(&self.path).ok_or_else(changed)?;
        let raw = codec.unpack(bytes, self.raw_size);
        let raw = raw.map_err(|error| FileError::Unpack { name: self.path.clone(), error })?;
        if self.is_text(&raw) { Ok(raw) } else { Err(changed()) }
    }

    /// Whether this is the text in the file, however it was made.
    pub fn is_text(&self, raw: &[u8]) -> bool {
        raw.len() as u64 == self.raw_size && sha256(raw) == self.raw_sha256
    }
}
