//! Extracts the files of the tracked labels from the upstream archive.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    io::Read,
};

use appstitch_catalog::Slug;

use crate::Unreadable;

/// The size limit of a label's file. The largest real one has 13 kilobytes.
const MAX_FILE: u64 = 1 << 20;

const FOLDER: &str = "TrackedLabelDetails";

/// The content of a file, or why it cannot be used.
type Content = Result<Vec<u8>, String>;

/// The label files by name. All other files in the archive are skipped.
pub(super) fn tracked_files(
    archive: &mut dyn Read,
) -> Result<BTreeMap<String, Content>, Unreadable> {
    let unreadable = |error: std::io::Error| Unreadable(format!("not a tar archive: {error}"));
    let mut tar = tar::Archive::new(archive);
    let mut files: BTreeMap<String, Content> = BTreeMap::new();
    for entry in tar.entries().map_err(unreadable)? {
        let mut entry = entry.map_err(unreadable)?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = entry.path().map_err(unreadable)?.to_string_lossy().into_owned();
        let Some(name) = label_name(&path) else { continue };
        match files.entry(name.to_owned()) {
            Entry::Occupied(mut taken) => {
                // Which of the two is right is unknown.
                *taken.get_mut() = Err("the archive contains this label twice".to_owned());
            }
            Entry::Vacant(vacant) => {
                let content = if entry.size() > MAX_FILE {
                    Err(format!("the file is larger than {MAX_FILE} bytes"))
                } else if let Err(broken) = Slug::parse(name) {
                    Err(broken.to_string())
                } else {
                    let mut body = Vec::new();
                    entry.read_to_end(&mut body).map_err(unreadable)?;
                    Ok(body)
                };
                vacant.insert(content);
            }
        }
    }
    if files.is_empty() {
        return Err(Unreadable(format!("contains no label file under {FOLDER}")));
    }
    Ok(files)
}

fn label_name(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    let is_tracked = folder.rsplit('/').next() == Some(FOLDER);
    name.strip_suffix(".json").filter(|_| is_tracked)
}
