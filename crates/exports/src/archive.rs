//! The files of many apps as one `tar.gz`, with a report. The same files give the same bytes.

use std::io::{self, Write};

use flate2::{Compression, GzBuilder, write::GzEncoder};
use tar::{Builder, Header};
use thiserror::Error;

use crate::{
    Export, ExportFormat, Reason,
    report::{REPORT, Report},
};

/// A file in the middle of being written. Only the compressed bytes are kept, wherever `W` keeps them, and a
/// line of the report for each app.
pub struct Archive<W: Write> {
    builder: Builder<GzEncoder<W>>,
    format: ExportFormat,
    report: Report,
}

#[derive(Debug, Error)]
#[error("cannot write the archive: {0}")]
pub struct ArchiveError(#[from] io::Error);

impl<W: Write> Archive<W> {
    pub fn new(format: ExportFormat, output: W) -> Self {
        // Without a time, which would differ each time.
        let output = GzBuilder::new().mtime(0).write(output, Compression::new(6));
        Self { builder: Builder::new(output), format, report: Report::new() }
    }

    pub fn add(
        &mut self,
        app: &appstitch_types::App,
        made: Result<Export, Vec<Reason>>,
    ) -> Result<(), ArchiveError> {
        let (slug, name) = (app.slug.as_str(), app.name.as_str());
        let version = app.current_version.as_deref().unwrap_or_default();
        match made {
            Ok(made) => {
                self.append(&made.file_name, made.text.as_bytes())?;
                let warnings = made.warnings.join("; ");
                self.report.push([slug, name, version, &made.file_name, "", &warnings, ""]);
            }
            Err(reasons) => {
                let texts: Vec<String> = reasons.iter().map(ToString::to_string).collect();
                let codes: Vec<&str> = reasons.iter().map(Reason::code).collect();
                let (texts, codes) = (texts.join("; "), codes.join(" "));
                self.report.push([slug, name, version, "", &texts, "", &codes]);
            }
        }
        Ok(())
    }

    /// A slug that was asked for and that no app has.
    pub fn add_unknown(&mut self, slug: &str) {
        self.report.push([slug, "", "", "", "no app has this slug", "", "unknown_slug"]);
    }

    /// Writes the report, and gives back what the archive was written to.
    pub fn finish(mut self) -> Result<W, ArchiveError> {
        let report = std::mem::replace(&mut self.report, Report::new()).into_text();
        self.append(REPORT, report.as_bytes())?;
        Ok(self.builder.into_inner()?.finish()?)
    }

    fn append(&mut self, name: &str, text: &[u8]) -> Result<(), ArchiveError> {
        let mut header = Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        let path = format!("{}/{name}", self.format.name());
        Ok(self.builder.append_data(&mut header, path, text)?)
    }
}
