//! Writes the files of a release, or links to files that have the same content already.

use std::{
    collections::HashMap,
    fs, io,
    io::Write,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use crate::{
    content::{ContentId, PACKED},
    error::ExportError,
    manifest::Manifest,
};

/// Whether a file could get its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteResult {
    Done,
    /// Another file has the name, or one that differs from it only in what the file system ignores.
    NameTaken,
}

pub(super) struct Writer<'a> {
    release: &'a Path,
    /// Where contents are, in this release or in the last one.
    known: Mutex<HashMap<ContentId, PathBuf>>,
    files: AtomicUsize,
    bytes: AtomicU64,
}

impl<'a> Writer<'a> {
    pub(super) fn new(release: &'a Path, last: Option<(&Manifest, &Path)>) -> Self {
        let mut known = HashMap::new();
        if let Some((manifest, release)) = last {
            let entries = manifest.files.iter().filter_map(|entry| {
                let id = ContentId::read(&entry.sha256, entry.packed)?;
                Some((id, release.join(entry.content_file())))
            });
            known.extend(entries);
        }
        let (files, bytes) = (AtomicUsize::new(0), AtomicU64::new(0));
        Self { release, known: Mutex::new(known), files, bytes }
    }

    /// The number and the bytes of the files that were written.
    pub(super) fn written(&self) -> (usize, u64) {
        (self.files.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.release.join(file)
    }

    pub(super) fn put(
        &self,
        file: &str,
        id: ContentId,
        body: &[u8],
    ) -> Result<WriteResult, ExportError> {
        let path = self.path(file);
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        if let Some(known) = known {
            match link_all(&known, &path, id.is_packed) {
                Ok(()) => return Ok(WriteResult::Done),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Ok(WriteResult::NameTaken);
                }
                // The file is gone, or has as many names as the file system allows, or there are no
                // hard links at all. A separate file will do.
                Err(_) => remove_all(&path),
            }
        }
        match self.write(&path, body) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Ok(WriteResult::NameTaken);
            }
            Err(error) => return Err(ExportError::at(&path)(error)),
        }
        for (encoding, ending) in PACKED.iter().filter(|_| id.is_packed) {
            let path = with_ending(&path, ending);
            let packed = encoding.compress_fully(body).map_err(ExportError::at(&path))?;
            self.write(&path, &packed).map_err(ExportError::at(&path))?;
        }
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(id, path);
        Ok(WriteResult::Done)
    }

    /// Takes over a file of the last release. Returns whether it is still there.
    pub(super) fn keep(&self, last: &Path, file: &str) -> Result<bool, ExportError> {
        let (old, path) = (last.join(file), self.path(file));
        let take = || fs::hard_link(&old, &path).or_else(|_| fs::copy(&old, &path).map(drop));
        match in_folder(&path, take) {
            Ok(()) => Ok(true),
            Err(_) if !old.exists() => Ok(false),
            Err(error) => Err(ExportError::at(&path)(error)),
        }
    }

    /// Makes a file that is a link to another one of the release.
    pub(super) fn link(&self, file: &str, target: &str) -> Result<WriteResult, ExportError> {
        let path = self.path(file);
        let up = "../".repeat(file.matches('/').count());
        match in_folder(&path, || symlink(format!("{up}{target}"), &path)) {
            Ok(()) => Ok(WriteResult::Done),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Ok(WriteResult::NameTaken)
            }
            Err(error) => Err(ExportError::at(&path)(error)),
        }
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = in_folder(path, || fs::File::create_new(path))?;
        file.write_all(bytes)?;
        self.files.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}

/// Does something with a path; creates its folder if that is missing.
fn in_folder<T>(path: &Path, work: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match (work(), path.parent()) {
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(folder)?;
            work()
        }
        (done, _) => done,
    }
}

/// Gives a file and the compressed ones beside it another name.
fn link_all(known: &Path, path: &Path, is_packed: bool) -> io::Result<()> {
    in_folder(path, || fs::hard_link(known, path))?;
    for (_, ending) in PACKED.iter().filter(|_| is_packed) {
        fs::hard_link(with_ending(known, ending), with_ending(path, ending))?;
    }
    Ok(())
}

/// Removes what `link_all` made before it failed.
fn remove_all(path: &Path) {
    for ending in PACKED.iter().map(|(_, ending)| *ending).chain([""]) {
        // Most of them do not exist.
        let _ = fs::remove_file(with_ending(path, ending));
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn equal_contents_are_one_file_with_its_compressed_forms() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::new(folder.path(), None);
        let body = "long enough to be compressed, ".repeat(100);
        let id = ContentId::of(body.as_bytes(), true);
        for file in ["a/b/first.json", "second.json"] {
            assert_eq!(writer.put(file, id, body.as_bytes()).unwrap(), WriteResult::Done);
        }
        let node = |file: &str| fs::metadata(folder.path().join(file)).unwrap().ino();
        for ending in ["", ".gz", ".zst"] {
            let first = node(&format!("a/b/first.json{ending}"));
            assert_eq!(first, node(&format!("second.json{ending}")), "{ending}");
        }
        assert_eq!(writer.written().0, 3);
        let short = ContentId::of(b"short", true);
        assert_eq!(writer.put("second.json", short, b"short").unwrap(), WriteResult::NameTaken);
        assert_eq!(fs::read_to_string(folder.path().join("second.json")).unwrap(), body);
    }

    #[test]
    fn a_content_that_is_gone_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::new(folder.path(), None);
        let id = ContentId::of(b"short", false);
        writer.put("first", id, b"short").unwrap();
        fs::remove_file(folder.path().join("first")).unwrap();
        assert_eq!(writer.put("second", id, b"short").unwrap(), WriteResult::Done);
        assert_eq!(fs::read_to_string(folder.path().join("second")).unwrap(), "short");
    }

    #[test]
    fn a_link_leads_to_its_file_from_any_folder() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::new(folder.path(), None);
        let id = ContentId::of(b"svg", false);
        writer.put("@own/badge/ab/x.svg", id, b"svg").unwrap();
        for file in ["badge/drift/a.svg", "b.svg"] {
            assert_eq!(writer.link(file, "@own/badge/ab/x.svg").unwrap(), WriteResult::Done);
            assert_eq!(fs::read_to_string(folder.path().join(file)).unwrap(), "svg");
            assert_eq!(writer.link(file, "@own/other").unwrap(), WriteResult::NameTaken);
        }
    }
}
