//! The app as files for other tools, and why some of them cannot be made.

use appstitch_exports::{Export, ExportFormat, Reason, Subject, export};

use super::{app_file::AppFile, block::Block, extent::Extent, known::Known};

pub(super) struct Exports(Vec<(ExportFormat, Result<Export, Vec<Reason>>)>);

impl Exports {
    /// Everything but the label, which has its own tab.
    pub(super) fn of(known: &Known<'_>) -> Self {
        let Known { app, details, provenance, parsed, .. } = known;
        let subject = Subject::new(app, details, provenance, parsed);
        let formats = ExportFormat::ALL.into_iter();
        let others = formats.filter(|format| *format != ExportFormat::Installomator);
        Self(others.map(|format| (format, export(&subject, format))).collect())
    }

    /// What is shown of a file; `None` if it cannot be made. A long one can be downloaded.
    pub(super) fn block(
        &self,
        known: &Known<'_>,
        format: ExportFormat,
        extent: Extent,
    ) -> Option<Block> {
        let (_, made) = self.0.iter().find(|(other, _)| *other == format)?;
        let made = made.as_ref().ok()?;
        let shown = made.text.len() <= extent.export;
        let text = if shown { made.text.trim_end().to_owned() } else { String::new() };
        let file = AppFile::Export(format).name();
        let mut block =
            Block::new(format.title(), text).with_file(known, file, made.file_name.clone());
        block.notes.clone_from(&made.warnings);
        Some(block)
    }

    /// What cannot be made, with the reasons.
    pub(super) fn refused(&self) -> Vec<(&'static str, String)> {
        let refused = self.0.iter().filter_map(|(format, made)| {
            let reasons = made.as_ref().err()?;
            let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
            Some((format.title(), reasons.join("; ")))
        });
        refused.collect()
    }
}
