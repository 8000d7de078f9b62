//! An app as a file for another tool, made on request.

use appstitch_exports::{
    Archive, Export, ExportFormat, Reason, Subject, describe, export, refusal,
};
use appstitch_stitching::ParsedSources;
use appstitch_types::{App, AppExports};
use bytes::Bytes;

use crate::{
    cache::ExportForm,
    listing::Filter,
    snapshot::{ReadError, Snapshot},
};

/// A file, or the JSON of the reasons why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exported {
    File(Bytes),
    Refused(Bytes),
}

/// Stands for the position of an app in the key of what is made of all apps.
const EVERY_APP: u32 = u32::MAX;

impl Snapshot {
    /// The export of an app, if it was asked for before.
    pub fn cached_export(
        &self,
        slug: &str,
        format: ExportFormat,
    ) -> Result<Option<Exported>, ReadError> {
        let position = self.find(slug)?;
        let kept = |form| self.contents.exports.get(&(position, form));
        Ok(kept(ExportForm::File(format))
            .map(Exported::File)
            .or_else(|| kept(ExportForm::Refusal(format)).map(Exported::Refused)))
    }

    /// The export of an app. It is made on first request and kept.
    pub fn export(&self, slug: &str, format: ExportFormat) -> Result<Exported, ReadError> {
        if let Some(kept) = self.cached_export(slug, format)? {
            return Ok(kept);
        }
        let position = self.find(slug)?;
        let (_, made) = self.make_export(position, format)?;
        let (form, text) = match made {
            Ok(made) => (ExportForm::File(format), made.text.into_bytes()),
            Err(reasons) => {
                let refusal = refusal(slug, format, &reasons);
                let text = serde_json::to_vec(&refusal).map_err(|_| ReadError::Internal)?;
                (ExportForm::Refusal(format), text)
            }
        };
        // Without spare room, which would be kept as well.
        let text = Bytes::from(text.into_boxed_slice());
        self.contents.exports.insert((position, form), text.clone());
        Ok(match form {
            ExportForm::Refusal(_) => Exported::Refused(text),
            _ => Exported::File(text),
        })
    }

    /// Which formats fit an app, as JSON, if it was asked for before.
    pub fn cached_exports(&self, slug: &str) -> Result<Option<Bytes>, ReadError> {
        Ok(self.contents.exports.get(&(self.find(slug)?, ExportForm::List)))
    }

    /// The same, made on first request.
    pub fn exports(&self, slug: &str) -> Result<Bytes, ReadError> {
        let position = self.find(slug)?;
        self.contents.exports.get_or_make((position, ExportForm::List), || {
            let exports = self.describe_exports(position)?;
            let json = serde_json::to_vec(&exports).map_err(|_| ReadError::Internal)?;
            Ok(json.into_boxed_slice().into())
        })
    }

    pub fn describe_exports(&self, position: u32) -> Result<AppExports, ReadError> {
        self.with_subject(position, describe)
    }

    /// A file of an app that the caller has already read, with what to check before it is used.
    pub fn make_export(
        &self,
        position: u32,
        format: ExportFormat,
    ) -> Result<(App, Result<Export, Vec<Reason>>), ReadError> {
        self.with_subject(position, |subject| (subject.app().clone(), export(subject, format)))
    }

    /// The files of every app, if they were asked for before.
    pub fn cached_export_archive(&self, format: ExportFormat) -> Option<Bytes> {
        self.contents.exports.get(&(EVERY_APP, ExportForm::File(format)))
    }

    /// The files of the apps that a filter selects, or of those of them with these slugs, as a `tar.gz`.
    /// Only the compressed bytes are held.
    pub fn export_archive(
        &self,
        format: ExportFormat,
        filter: &Filter,
        slugs: Option<&[&str]>,
    ) -> Result<Bytes, ReadError> {
        let apps = self.apps();
        let selection = apps.select(filter);
        let mut positions: Vec<u32> = match slugs {
            Some(slugs) => slugs.iter().filter_map(|slug| self.find(slug).ok()).collect(),
            None => (0..).take(apps.rows().len()).collect(),
        };
        positions.retain(|position| apps.contains(selection, *position));
        // Positions are in slug order.
        positions.sort_unstable();
        positions.dedup();
        let mut archive = Archive::new(format, Vec::new());
        for position in &positions {
            let (app, made) = self.make_export(*position, format)?;
            archive.add(&app, made).map_err(failed)?;
        }
        let bytes = Bytes::from(archive.finish().map_err(failed)?.into_boxed_slice());
        if positions.len() == apps.rows().len() {
            self.contents.exports.insert((EVERY_APP, ExportForm::File(format)), bytes.clone());
        }
        Ok(bytes)
    }

    fn with_subject<T>(
        &self,
        position: u32,
        run: impl FnOnce(&Subject<'_>) -> T,
    ) -> Result<T, ReadError> {
        let read = || {
            let (app, sources) = (self.read_app(position)?, self.source_detail(position)?);
            let provenance = self.read_provenance(position)?;
            let parsed = ParsedSources::of(&sources);
            let details = self.details_from(position, &app, &parsed, &provenance)?;
            Ok(run(&Subject::new(&app, &details, &provenance, &parsed, self.token())))
        };
        read().map_err(|error: serde_json::Error| {
            // This crate wrote the rows, so they can always be parsed.
            tracing::error!(%error, position, "cannot parse the rows of an app");
            ReadError::Internal
        })
    }
}

fn failed(error: appstitch_exports::ArchiveError) -> ReadError {
    tracing::error!(%error, "cannot write an archive of exports");
    ReadError::Internal
}
