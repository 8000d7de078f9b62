//! Extracts the files of the tracked labels from the upstream archive.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    io::Read,
};

use appstitch_budget::Budget;
use appstitch_types::Slug;

use crate::{
    parsed_file::{FileError, ParsedFile},
    tar_files::each_file,
};

/// The size limit of a label's file. The largest real one has 13 kilobytes.
const MAX_FILE: u64 = 1 << 20;

const FOLDER: &str = "TrackedLabelDetails";

type Content = Result<Vec<u8>, String>;

const FILE_OVERHEAD: usize = 256;

/// The label files by name. All other files in the archive are skipped. A file whose name cannot be
/// the name of a label is rejected in `parsed`.
pub(super) fn tracked_files(
    archive: &mut dyn Read,
    parsed: &mut ParsedFile,
    budget: &mut Budget,
) -> Result<BTreeMap<String, Content>, FileError> {
    let mut files: BTreeMap<String, Content> = BTreeMap::new();
    each_file(archive, budget, &mut |file, budget| {
        let Some(name) = label_name(&file.path) else { return Ok(()) };
        let name = name.to_owned();
        if let Err(broken) = Slug::parse(&name) {
            parsed.refuse(&name, &broken.to_string(), budget);
            return Ok(());
        }
        match files.entry(name) {
            Entry::Occupied(mut taken) => {
                // Which of the two is right is unknown.
                *taken.get_mut() = Err("the archive contains this label twice".to_owned());
            }
            Entry::Vacant(vacant) => {
                let content = if file.size > MAX_FILE {
                    Err(format!("the file is larger than {MAX_FILE} bytes"))
                } else {
                    Ok(file.read()?)
                };
                budget.row()?;
                let size = content.as_ref().map_or(0, Vec::len);
                budget.hold(FILE_OVERHEAD + vacant.key().len() + size)?;
                vacant.insert(content);
            }
        }
        Ok(())
    })?;
    if files.is_empty() && parsed.rejected == 0 {
        return Err(FileError::unreadable(format!("contains no label file under {FOLDER}")));
    }
    Ok(files)
}

fn label_name(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    let is_tracked = folder.rsplit('/').next() == Some(FOLDER);
    name.strip_suffix(".json").filter(|_| is_tracked)
}
