//! Taking the label fragments out of the upstream archive.

use std::io::Read;

use crate::Unreadable;

/// A label file is a few kilobytes; anything near this is something else.
const MAX_FRAGMENT: u64 = 1 << 20;

/// The files under `fragments/labels`, by name. Whatever else is in the archive is left out.
pub(super) fn fragments(archive: &mut dyn Read) -> Result<Vec<(String, Vec<u8>)>, Unreadable> {
    let unreadable =
        |error: std::io::Error| Unreadable(format!("it is not a tar archive: {error}"));
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
        return Err(Unreadable("it holds no file under fragments/labels".to_owned()));
    }
    fragments.sort();
    Ok(fragments)
}

fn label_file(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    let in_labels = folder == "fragments/labels" || folder.ends_with("/fragments/labels");
    (in_labels && name.strip_suffix(".sh").is_some()).then_some(name)
}
