//! Extracts the label fragments from the upstream archive.

use std::io::Read;

use crate::Unreadable;

/// The size limit of a label file. Real labels have a few kilobytes.
const MAX_FRAGMENT: u64 = 1 << 20;

/// The label files under `fragments/labels`, sorted by name. All other files in the archive are
/// skipped.
pub(super) fn fragments(archive: &mut dyn Read) -> Result<Vec<(String, Vec<u8>)>, Unreadable> {
    let unreadable = |error: std::io::Error| Unreadable(format!("not a tar archive: {error}"));
    let mut tar = tar::Archive::new(archive);
    let mut fragments = Vec::new();
    for entry in tar.entries().map_err(unreadable)? {
        let mut entry = entry.map_err(unreadable)?;
        let path = entry.path().map_err(unreadable)?.to_string_lossy().into_owned();
        let Some(name) = label_file(&path) else { continue };
        let name = name.to_owned();
        if !entry.header().entry_type().is_file() || entry.size() > MAX_FRAGMENT {
            continue;
        }
        let mut body = Vec::new();
        entry.read_to_end(&mut body).map_err(unreadable)?;
        fragments.push((name, body));
    }
    if fragments.is_empty() {
        return Err(Unreadable("contains no label file under fragments/labels".to_owned()));
    }
    fragments.sort();
    Ok(fragments)
}

fn label_file(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    let in_labels = folder == "fragments/labels" || folder.ends_with("/fragments/labels");
    (in_labels && name.strip_suffix(".sh").is_some()).then_some(name)
}
