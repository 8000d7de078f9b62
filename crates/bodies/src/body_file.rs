//! An unnamed file for bodies that are too large to copy per request.
//!
//! A body in memory must be copied into the socket, but the kernel can send a file directly. This
//! is why file servers are fast with large bodies. The file is temporary, is deleted when the
//! process ends, and stays in the kernel's page cache as long as there is room. Only Linux
//! supports this; other systems have no file and send bodies from memory.
//!
//! The socket shares the pages of a file until the client has received them, so a range is never
//! overwritten. When the last reference to a range is dropped, its space is punched out of the
//! file instead.

use std::{io, sync::Arc};

use bytes::Bytes;

/// Ranges start on page boundaries, so that two bodies never share a page.
const PAGE: usize = 4096;

#[derive(Debug)]
pub struct BodyFile {
    #[cfg(target_os = "linux")]
    file: std::fs::File,
    #[cfg(target_os = "linux")]
    end: std::sync::atomic::AtomicU64,
    /// Set after a failed write or punch; a full disk is likely to stay full for a while.
    #[cfg(target_os = "linux")]
    failed: std::sync::atomic::AtomicBool,
}

/// A body in a file. Clones share it; dropping the last one frees its space.
#[derive(Debug, Clone)]
pub struct FileRange(Arc<Range>);

#[derive(Debug)]
struct Range {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no ranges"))]
    file: Arc<BodyFile>,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no ranges"))]
    offset: u64,
    length: usize,
}

impl FileRange {
    #[must_use]
    pub fn length(&self) -> usize {
        self.0.length
    }

    /// The space it occupies in the file, in bytes: whole pages.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.length.next_multiple_of(PAGE)
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        fs::File,
        os::{fd::AsFd, unix::fs::FileExt},
        sync::atomic::{AtomicBool, AtomicU64, Ordering},
    };

    use rustix::fs::{FallocateFlags, MemfdFlags, fallocate, memfd_create, sendfile};
    use tokio::runtime::Handle;

    use super::{Arc, BodyFile, Bytes, FileRange, PAGE, Range, io};

    impl BodyFile {
        /// Creates a file in the directory for temporary files, or in memory if that directory is
        /// not writable. The kernel sends the pages of a disk file in larger pieces.
        #[must_use]
        pub fn create() -> Option<Self> {
            let in_memory = |_| memfd_create("appstitch-bodies", MemfdFlags::CLOEXEC);
            let file =
                tempfile::tempfile().or_else(|error| in_memory(error).map(File::from)).ok()?;
            Some(Self { file, end: AtomicU64::new(0), failed: AtomicBool::new(false) })
        }

        /// Writes a body from its slices. After a failure, every later call fails at once.
        pub fn append(self: &Arc<Self>, slices: &[Bytes]) -> io::Result<FileRange> {
            if self.failed.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.write(slices).inspect_err(|error| self.give_up(error))
        }

        fn write(self: &Arc<Self>, slices: &[Bytes]) -> io::Result<FileRange> {
            let length: usize = slices.iter().map(Bytes::len).sum();
            let size = length.next_multiple_of(PAGE);
            let offset = self.end.fetch_add(size as u64, Ordering::Relaxed);
            // If a write fails, dropping the range punches out the part that was written.
            let range = FileRange(Arc::new(Range { file: Arc::clone(self), offset, length }));
            let mut position = offset;
            for slice in slices {
                self.file.write_all_at(slice, position)?;
                position += slice.len() as u64;
            }
            Ok(range)
        }

        /// Returns the space of a range to the file system. Pages that a socket is still sending
        /// keep their content.
        fn punch(&self, offset: u64, length: usize) {
            let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
            let size = length.next_multiple_of(PAGE) as u64;
            if let Err(error) = fallocate(&self.file, flags, offset, size.max(PAGE as u64)) {
                self.give_up(&error.into());
            }
        }

        fn give_up(&self, error: &io::Error) {
            if !self.failed.swap(true, Ordering::Relaxed) {
                tracing::warn!(
                    %error,
                    "cannot use the body file; sending large bodies from memory until the next revision"
                );
            }
        }
    }

    impl FileRange {
        /// Reads the body into memory. Blocks.
        pub fn read(&self) -> io::Result<Bytes> {
            let mut bytes = vec![0; self.0.length];
            self.0.file.file.read_exact_at(&mut bytes, self.0.offset)?;
            Ok(bytes.into())
        }

        /// Sends the body from the offset `already` to a socket and returns how many bytes the
        /// socket accepted.
        pub fn send(&self, socket: impl AsFd, already: usize) -> io::Result<usize> {
            let mut from = self.0.offset + already as u64;
            Ok(sendfile(socket, &self.0.file.file, Some(&mut from), self.0.length - already)?)
        }
    }

    impl Drop for Range {
        /// The last reference may belong to a connection, which must not wait for the file system.
        fn drop(&mut self) {
            let (file, offset, length) = (Arc::clone(&self.file), self.offset, self.length);
            match Handle::try_current() {
                Ok(runtime) => {
                    runtime.spawn_blocking(move || file.punch(offset, length));
                }
                Err(_) => file.punch(offset, length),
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::{Arc, BodyFile, Bytes, FileRange, io};

    impl BodyFile {
        #[must_use]
        pub fn create() -> Option<Self> {
            None
        }

        pub fn append(self: &Arc<Self>, _: &[Bytes]) -> io::Result<FileRange> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    impl FileRange {
        pub fn read(&self) -> io::Result<Bytes> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub fn send<S>(&self, _: S, _: usize) -> io::Result<usize> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    fn slices(text: &[&'static str]) -> Vec<Bytes> {
        text.iter().map(|slice| Bytes::from_static(slice.as_bytes())).collect()
    }

    #[test]
    fn bodies_are_kept_apart_and_read_back_whole() {
        let file = Arc::new(BodyFile::create().unwrap());
        let first = file.append(&slices(&["[", "one", "]"])).unwrap();
        let long = "two ".repeat(5000);
        let second = file.append(&[Bytes::from(long.clone())]).unwrap();
        let third = file.append(&slices(&["three"])).unwrap();
        assert_eq!(first.read().unwrap(), "[one]");
        assert_eq!(second.read().unwrap(), long);
        assert_eq!(third.read().unwrap(), "three");
        assert_eq!(second.length(), long.len());
    }

    #[test]
    fn a_socket_gets_the_rest_of_a_body() {
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

    #[test]
    fn the_last_holder_gives_the_space_back() {
        let file = Arc::new(BodyFile::create().unwrap());
        let blocks = || file.file.metadata().unwrap().blocks();
        let body = Bytes::from(vec![b'x'; 1 << 20]);
        let kept = file.append(std::slice::from_ref(&body)).unwrap();
        let dropped = file.append(std::slice::from_ref(&body)).unwrap();
        file.file.sync_all().unwrap();
        let both = blocks();
        drop(dropped.clone());
        assert_eq!(blocks(), both, "a clone still holds the range");
        drop(dropped);
        assert!(blocks() <= both / 2 + 8, "{} of {both} blocks left", blocks());
        assert_eq!(kept.read().unwrap(), body);
    }
}
