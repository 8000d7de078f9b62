//! An app as a file for another tool.

use appstitch_exports::{ExportFormat, refusal};
use appstitch_snapshot::Snapshot;
use appstitch_types::ExportedFile;

use crate::definition::ToolOutput;

pub(super) fn export(
    snapshot: &Snapshot,
    slug: &str,
    format: &str,
    max_bytes: usize,
) -> Result<ToolOutput, String> {
    let Some(format) = ExportFormat::of(format) else {
        return Err(format!("format: expected one of {}, got '{format}'", ExportFormat::names()));
    };
    let position = snapshot.find(slug).map_err(|error| error.to_string())?;
    let (_, made) = snapshot.make_export(position, format).map_err(|error| error.to_string())?;
    let made = made.map_err(|reasons| refusal(slug, format, &reasons).detail)?;
    let file = ExportedFile {
        slug: slug.to_owned(),
        format: format.name().to_owned(),
        file_name: made.file_name,
        text: made.text,
        warnings: made.warnings,
    };
    let json = serde_json::to_vec(&file).map_err(|error| error.to_string())?;
    super::whole(json.into(), max_bytes)
}
