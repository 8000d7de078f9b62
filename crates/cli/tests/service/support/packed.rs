//! Large files that are small when packed.

use std::io::Write;

/// A file of repeated texts, compressed with zstd while it is written.
pub(crate) fn packed(parts: &[(&str, usize)]) -> Vec<u8> {
    let mut file = zstd::Encoder::new(Vec::new(), 1).unwrap();
    for (text, count) in parts {
        let block = text.repeat((1 + (1 << 16) / text.len()).min(*count));
        let per_block = block.len() / text.len();
        for _ in 0..count / per_block {
            file.write_all(block.as_bytes()).unwrap();
        }
        for _ in 0..count % per_block {
            file.write_all(text.as_bytes()).unwrap();
        }
    }
    file.finish().unwrap()
}

/// An archive of label files, given by name and text.
pub(crate) fn label_archive<'a>(labels: impl IntoIterator<Item = (&'a str, String)>) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, text) in labels {
        append(&mut archive, &format!("main/fragments/labels/{name}.sh"), text.as_bytes());
    }
    archive.into_inner().unwrap()
}

pub(crate) fn append(archive: &mut tar::Builder<Vec<u8>>, path: &str, content: &[u8]) {
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_cksum();
    archive.append_data(&mut header, path, content).unwrap();
}
