//! Extracts the label fragments from the upstream archive.

use std::{collections::BTreeMap, io::Read};

use appstitch_budget::{Budget, Exceeded};

use super::{MAX_FRAGMENT_BYTES, MAX_FRAGMENTS, MAX_FRAGMENTS_BYTES};
use crate::{parsed_file::FileError, tar_files::each_file};

/// The content of a label file, or why it cannot be used.
pub(super) type Content = Result<Vec<u8>, String>;

/// The label files under `fragments/labels` by name. All other files in the archive are skipped.
pub(super) fn fragments(
    archive: &mut dyn Read,
    budget: &mut Budget,
) -> Result<BTreeMap<String, Content>, FileError> {
    let mut fragments: BTreeMap<String, Content> = BTreeMap::new();
    let mut bytes = 0;
    each_file(archive, budget, &mut |file, budget| {
        let Some(name) = label_file(&file.path) else { return Ok(()) };
        let name = name.to_owned();
        if fragments.len() == MAX_FRAGMENTS {
            return Err(Exceeded::Rows(MAX_FRAGMENTS as u64).into());
        }
        budget.hold(name.len())?;
        if let Some(taken) = fragments.get_mut(&name) {
            // Which of the two is right is unknown.
            *taken = Err("the archive contains this label twice".to_owned());
            return Ok(());
        }
        let content = if file.size > MAX_FRAGMENT_BYTES as u64 {
            Err(format!("the file is larger than {MAX_FRAGMENT_BYTES} bytes"))
        } else {
            Ok(file.read()?)
        };
        bytes += content.as_ref().map_or(0, Vec::len);
        if bytes > MAX_FRAGMENTS_BYTES {
            return Err(Exceeded::Bytes(MAX_FRAGMENTS_BYTES as u64).into());
        }
        fragments.insert(name, content);
        Ok(())
    })?;
    if fragments.is_empty() {
        return Err(FileError::unreadable("contains no label file under fragments/labels"));
    }
    Ok(fragments)
}

fn label_file(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    let in_labels = folder == "fragments/labels" || folder.ends_with("/fragments/labels");
    (in_labels && name.strip_suffix(".sh").is_some()).then_some(name)
}
