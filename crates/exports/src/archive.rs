//! The files of many apps as one `tar.gz`, with a report. The same files give the same bytes.

use std::io::{self, Write};

use flate2::{Compression, GzBuilder, write::GzEncoder};
use tar::{Builder, Header};
use thiserror::Error;

use crate::{Export, ExportFormat, Reason};

/// What is written after the last app.
const REPORT: &str = "REPORT.csv";

/// A file in the middle of being written. Only the compressed bytes are kept, wherever `W` keeps them, and a
/// line of the report for each app.
pub struct Archive<W: Write> {
    builder: Builder<GzEncoder<W>>,
    format: ExportFormat,
    report: String,
}

#[derive(Debug, Error)]
#[error("cannot write the archive: {0}")]
pub struct ArchiveError(#[from] io::Error);

impl<W: Write> Archive<W> {
    pub fn new(format: ExportFormat, output: W) -> Self {
        // Without a time, which would differ each time.
        let output = GzBuilder::new().mtime(0).write(output, Compression::new(6));
        let report = "slug,name,version,file,reasons,warnings\n".to_owned();
        Self { builder: Builder::new(output), format, report }
    }

    pub fn add(
        &mut self,
        app: &appstitch_types::App,
        made: Result<Export, Vec<Reason>>,
    ) -> Result<(), ArchiveError> {
        let (file, reasons, warnings) = match made {
            Ok(made) => {
                self.append(&made.file_name, made.text.as_bytes())?;
                (made.file_name, String::new(), made.warnings.join("; "))
            }
            Err(reasons) => {
                let texts: Vec<String> = reasons.iter().map(ToString::to_string).collect();
                (String::new(), texts.join("; "), String::new())
            }
        };
        let version = app.current_version.as_deref().unwrap_or_default();
        let cells = [app.slug.as_str(), &app.name, version, &file, &reasons, &warnings];
        let cells: Vec<String> = cells.into_iter().map(cell).collect();
        self.report.push_str(&cells.join(","));
        self.report.push('\n');
        Ok(())
    }

    /// Writes the report, and gives back what the archive was written to.
    pub fn finish(mut self) -> Result<W, ArchiveError> {
        let report = std::mem::take(&mut self.report);
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

/// A cell of a table. Spreadsheets must not take a value for a formula.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}
