//! A gzipped tar archive that depends on nothing but the bytes and names of its files.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use flate2::{Compression, GzBuilder};

/// An archive whose files are all in one folder.
pub(super) struct Archive<'a> {
    /// The name of the folder.
    pub(super) name: &'a str,
    pub(super) entries: Vec<Entry>,
}

/// A file, and its path inside the folder.
pub(super) struct Entry {
    pub(super) inside: PathBuf,
    pub(super) file: PathBuf,
}

impl Archive<'_> {
    /// The bytes. Times, owners and the order of the files are fixed; of the permissions, only whether a
    /// file is a program is kept.
    pub(super) fn pack(&self, seconds: u64) -> io::Result<Vec<u8>> {
        let gzip = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
        let mut archive = tar::Builder::new(gzip);
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by(|left, right| left.inside.cmp(&right.inside));
        for Entry { inside, file } in entries {
            let bytes = fs::read(file)?;
            let is_program = fs::metadata(file)?.permissions().mode() & 0o100 != 0;
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mtime(seconds);
            header.set_mode(if is_program { 0o755 } else { 0o644 });
            let inside = Path::new(self.name).join(inside);
            archive.append_data(&mut header, inside, bytes.as_slice())?;
        }
        archive.into_inner()?.finish()
    }
}
