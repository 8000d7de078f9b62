//! The regular files of a tar archive.
//!
//! The library would read the headers that hold long names into memory, whatever their size. This
//! module reads them itself, within a limit.

use std::io::{self, Read};

use appstitch_budget::Budget;
use tar::EntryType;

use crate::parsed_file::FileError;

/// The size limit of a header with a long name or with extensions. Paths have at most 4096 bytes.
const MAX_HEADER_BYTES: u64 = 64 << 10;

/// The steps of a file besides those of its content.
const FILE_STEPS: u64 = 16;

pub(crate) struct TarFile<'a> {
    pub(crate) path: String,
    pub(crate) size: u64,
    content: &'a mut dyn Read,
}

impl TarFile<'_> {
    /// The content. The caller checks the size first.
    pub(crate) fn read(self) -> Result<Vec<u8>, FileError> {
        let mut content = Vec::new();
        self.content.read_to_end(&mut content).map_err(unreadable)?;
        Ok(content)
    }
}

type EachFile<'f> = dyn FnMut(TarFile<'_>, &mut Budget) -> Result<(), FileError> + 'f;

pub(crate) fn each_file(
    archive: &mut dyn Read,
    budget: &mut Budget,
    each: &mut EachFile<'_>,
) -> Result<(), FileError> {
    let mut tar = tar::Archive::new(archive);
    let mut long_path: Option<String> = None;
    for entry in tar.entries().map_err(unreadable)?.raw(true) {
        let mut entry = entry.map_err(unreadable)?;
        let size = entry.size();
        budget.step(FILE_STEPS + size / 512)?;
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match entry.header().entry_type() {
            EntryType::GNULongName => {
                let name = header(&mut entry, size)?;
                let name = name.strip_suffix(b"\0").unwrap_or(&name);
                long_path = Some(String::from_utf8_lossy(name).into_owned());
            }
            EntryType::XHeader => {
                let extensions = header(&mut entry, size)?;
                if extension(&extensions, "size").is_some() {
                    let why = "not a tar archive: sizes in extended headers are not supported";
                    return Err(FileError::unreadable(why));
                }
                if let Some(path) = extension(&extensions, "path") {
                    long_path = Some(path.to_owned());
                }
            }
            EntryType::XGlobalHeader | EntryType::GNULongLink => {}
            kind => {
                let path = long_path.take().unwrap_or(path);
                if kind.is_file() {
                    each(TarFile { path, size, content: &mut entry }, budget)?;
                }
            }
        }
    }
    Ok(())
}

fn header(entry: &mut dyn Read, size: u64) -> Result<Vec<u8>, FileError> {
    if size > MAX_HEADER_BYTES {
        let why = format!("not a tar archive: a header is larger than {MAX_HEADER_BYTES} bytes");
        return Err(FileError::unreadable(why));
    }
    let mut content = Vec::new();
    entry.read_to_end(&mut content).map_err(unreadable)?;
    Ok(content)
}

/// The value of an extension. Each has the form `LENGTH NAME=VALUE` and ends with a line end.
fn extension<'a>(mut extensions: &'a [u8], name: &str) -> Option<&'a str> {
    let mut found = None;
    while let Some(space) = extensions.iter().position(|byte| *byte == b' ') {
        let length: usize = std::str::from_utf8(&extensions[..space]).ok()?.parse().ok()?;
        let (record, rest) = extensions.split_at_checked(length)?;
        let text = std::str::from_utf8(record.get(space + 1..)?.strip_suffix(b"\n")?).ok();
        if let Some((key, value)) = text.and_then(|text| text.split_once('='))
            && key == name
        {
            found = Some(value);
        }
        extensions = rest;
    }
    found
}

fn unreadable(error: io::Error) -> FileError {
    FileError::unreadable(format!("not a tar archive: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn append(archive: &mut tar::Builder<Vec<u8>>, kind: EntryType, content: &[u8]) {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_path("short").unwrap();
        header.set_size(content.len() as u64);
        header.set_cksum();
        archive.append(&header, content).unwrap();
    }

    fn files(archive: tar::Builder<Vec<u8>>) -> Result<Vec<(String, Vec<u8>)>, FileError> {
        let archive = archive.into_inner().unwrap();
        let mut files = Vec::new();
        each_file(&mut &archive[..], &mut Budget::default(), &mut |file, _| {
            let path = file.path.clone();
            files.push((path, file.read()?));
            Ok(())
        })?;
        Ok(files)
    }

    #[test]
    fn long_names_of_both_kinds_count_for_the_next_file() {
        let mut archive = tar::Builder::new(Vec::new());
        let long = "folder/".repeat(40) + "file";
        append(&mut archive, EntryType::XGlobalHeader, b"15 comment=abcd\n");
        let record = format!(" path={long}\n");
        let record = format!("{}{record}", record.len() + 3);
        append(&mut archive, EntryType::XHeader, record.as_bytes());
        append(&mut archive, EntryType::Regular, b"1");
        append(&mut archive, EntryType::GNULongName, format!("{long}\0").as_bytes());
        append(&mut archive, EntryType::Regular, b"2");
        append(&mut archive, EntryType::Regular, b"3");
        append(&mut archive, EntryType::Directory, b"");
        let found = files(archive).unwrap();
        let expected = [(&long, b"1"), (&long, b"2"), (&"short".to_owned(), b"3")];
        let expected = expected.map(|(path, content)| (path.clone(), content.to_vec()));
        assert_eq!(found, expected);
    }

    #[test]
    fn huge_headers_and_sizes_in_headers_are_rejected() {
        let huge = vec![b'x'; 65 << 10];
        for (kind, content) in [
            (EntryType::GNULongName, &huge[..]),
            (EntryType::XHeader, &huge),
            (EntryType::XHeader, b"10 size=1\n"),
        ] {
            let mut archive = tar::Builder::new(Vec::new());
            append(&mut archive, kind, content);
            append(&mut archive, EntryType::Regular, b"1");
            assert!(files(archive).is_err());
        }
    }

    #[test]
    fn broken_extensions_are_left_out() {
        for broken in ["", "x", "99 path=a\n", "0 path=a\n", "9 pathaaa\n", "10 path=a\n x"] {
            let found = extension(broken.as_bytes(), "path");
            assert!(found.is_none() || found == Some("a"), "{broken}");
        }
        assert_eq!(extension(b"10 path=a\n10 path=b\n", "path"), Some("b"));
    }
}
