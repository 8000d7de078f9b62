//! The inputs that are about to run, in a file: if one of them ends the process, such as by a stack
//! that overflows, they are all that is left to tell which.

use std::{
    fs::File,
    io::{self, Read, Seek, Write},
    path::Path,
};

/// The file of a process that runs inputs.
pub(crate) struct BatchFile {
    file: File,
    buffer: Vec<u8>,
}

impl BatchFile {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::create(path)?, buffer: Vec::new() })
    }

    /// Replaces what is in the file.
    pub(crate) fn write(&mut self, inputs: &[Vec<u8>]) -> io::Result<()> {
        self.buffer.clear();
        let count = u32::try_from(inputs.len()).unwrap_or(0);
        self.buffer.extend(count.to_le_bytes());
        for input in inputs {
            self.buffer.extend(u32::try_from(input.len()).unwrap_or(0).to_le_bytes());
            self.buffer.extend(input);
        }
        // What is left of a longer batch is behind the number of inputs.
        self.file.rewind()?;
        self.file.write_all(&self.buffer)
    }
}

/// The inputs in a file that [`BatchFile`] wrote.
pub(crate) fn read(path: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut file = File::open(path)?;
    let count = read_number(&mut file)?;
    let input = |_| {
        let mut bytes = vec![0; read_number(&mut file)?];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    };
    (0..count).map(input).collect()
}

fn read_number(file: &mut File) -> io::Result<usize> {
    let mut bytes = [0; 4];
    file.read_exact(&mut bytes)?;
    Ok(usize::try_from(u32::from_le_bytes(bytes)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_batch_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("batch");
        let mut file = BatchFile::create(&path).unwrap();
        file.write(&[b"one".to_vec(), b"a longer one".to_vec()]).unwrap();
        file.write(&[b"two".to_vec(), Vec::new()]).unwrap();
        assert_eq!(read(&path).unwrap(), [b"two".to_vec(), Vec::new()]);
    }
}
