//! A file without a name, for bodies that are too large to copy per request.
//!
//! What is in memory must be copied into the socket; what is in a file the kernel sends by
//! itself. That is how file servers are fast with large bodies, so ours are in a file, too: a
//! temporary one that is gone with the process, and is never more than the kernel's cache as long
//! as that has room. Only Linux can send like this; elsewhere there is no file, and bodies are
//! sent from memory.

use std::{io, sync::Arc};

use bytes::Bytes;

/// Ranges start where the kernel's pages do, so that none is sent for two bodies' sake.
const PAGE: usize = 4096;

/// Bodies one behind the other. What is written once is never written again, so a range stays
/// what it was for as long as somebody holds it.
#[derive(Debug)]
pub(crate) struct BodyFile {
    #[cfg(target_os = "linux")]
    file: std::fs::File,
    #[cfg(target_os = "linux")]
    end: std::sync::atomic::AtomicU64,
    /// Set when something could not be written: a disk that is full stays full for a while.
    #[cfg(target_os = "linux")]
    failed: std::sync::atomic::AtomicBool,
}

/// A body in a file.
#[derive(Debug, Clone)]
pub(crate) struct FileRange {
    file: Arc<BodyFile>,
    offset: u64,
    length: usize,
}

impl FileRange {
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// How much of the file it takes.
    pub(crate) fn size(&self) -> usize {
        self.length.next_multiple_of(PAGE)
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        fs::File,
        os::{fd::AsFd, unix::fs::FileExt},
        sync::atomic::{AtomicBool, AtomicU64, Ordering},
    };

    use rustix::fs::{MemfdFlags, memfd_create, sendfile};

    use super::{Arc, BodyFile, Bytes, FileRange, PAGE, io};

    impl BodyFile {
        /// A file in the folder for temporary ones, whose pages the kernel sends in larger pieces,
        /// or one in memory where that folder cannot be written to.
        pub(crate) fn create() -> Option<Self> {
            let in_memory = |_| memfd_create("appstitch-bodies", MemfdFlags::CLOEXEC);
            let file =
                tempfile::tempfile().or_else(|error| in_memory(error).map(File::from)).ok()?;
            Some(Self { file, end: AtomicU64::new(0), failed: AtomicBool::new(false) })
        }

        /// Writes a body, given in parts. Once that has failed it is not tried again.
        pub(crate) fn append(self: &Arc<Self>, parts: &[Bytes]) -> io::Result<FileRange> {
            if self.failed.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.write(parts).inspect_err(|error| {
                tracing::warn!(%error, "large bodies are sent from memory until the next revision");
                self.failed.store(true, Ordering::Relaxed);
            })
        }

        fn write(self: &Arc<Self>, parts: &[Bytes]) -> io::Result<FileRange> {
            let length: usize = parts.iter().map(Bytes::len).sum();
            let size = length.next_multiple_of(PAGE);
            let offset = self.end.fetch_add(size as u64, Ordering::Relaxed);
            let mut position = offset;
            for part in parts {
                self.file.write_all_at(part, position)?;
                position += part.len() as u64;
            }
            Ok(FileRange { file: Arc::clone(self), offset, length })
        }
    }

    impl FileRange {
        /// The body, copied into memory.
        pub(crate) fn read(&self) -> io::Result<Bytes> {
            let mut bytes = vec![0; self.length];
            self.file.file.read_exact_at(&mut bytes, self.offset)?;
            Ok(bytes.into())
        }

        /// Hands what is behind the first bytes to a socket, as far as it takes them.
        pub(crate) fn send(&self, socket: impl AsFd, already: usize) -> io::Result<usize> {
            let mut from = self.offset + already as u64;
            Ok(sendfile(socket, &self.file.file, Some(&mut from), self.length - already)?)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::{Arc, BodyFile, Bytes, FileRange, io};

    impl BodyFile {
        pub(crate) fn create() -> Option<Self> {
            None
        }

        pub(crate) fn append(self: &Arc<Self>, _: &[Bytes]) -> io::Result<FileRange> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    impl FileRange {
        pub(crate) fn read(&self) -> io::Result<Bytes> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(crate) fn send<S>(&self, _: S, _: usize) -> io::Result<usize> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_kept_apart_and_come_back_whole() {
        let file = Arc::new(BodyFile::create().unwrap());
        let parts = |text: &[&'static str]| -> Vec<Bytes> {
            text.iter().map(|part| Bytes::from_static(part.as_bytes())).collect()
        };
        let first = file.append(&parts(&["[", "one", "]"])).unwrap();
        let long = "two ".repeat(5000);
        let second = file.append(&[Bytes::from(long.clone())]).unwrap();
        let third = file.append(&parts(&["three"])).unwrap();
        assert_eq!(first.read().unwrap(), "[one]");
        assert_eq!(second.read().unwrap(), long);
        assert_eq!(third.read().unwrap(), "three");
        assert_eq!(second.length(), long.len());
    }

    #[test]
    fn a_socket_gets_what_it_has_not_had_yet() {
        use std::io::Read;
        let file = Arc::new(BodyFile::create().unwrap());
        let range = file.append(&[Bytes::from_static(b"0123456789")]).unwrap();
        let (mut reader, writer) = std::os::unix::net::UnixStream::pair().unwrap();
        assert_eq!(range.send(&writer, 0).unwrap(), 10);
        assert_eq!(range.send(&writer, 7).unwrap(), 3);
        drop(writer);
        let mut all = String::new();
        reader.read_to_string(&mut all).unwrap();
        assert_eq!(all, "0123456789789");
    }
}
