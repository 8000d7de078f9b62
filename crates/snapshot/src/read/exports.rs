//! An app as a file for another tool, made on request.

use std::collections::BTreeSet;

use appstitch_exports::{
    Archive, Export, ExportFormat, Reason, Subject, describe, export, refusal,
};
use appstitch_stitching::ParsedSources;
use appstitch_types::{App, AppExports};
use bytes::Bytes;

use crate::{
    cache::{ExportFile, ExportKey},
    listing::Selection,
    snapshot::{ReadError, Snapshot},
};

/// A file, or the JSON of the reasons why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exported {
    File(ExportFile),
    Refused(Bytes),
}

impl Snapshot {
    /// The export of an app, if it was asked for before.
    pub fn cached_export(
        &self,
        slug: &str,
        format: ExportFormat,
    ) -> Result<Option<Exported>, ReadError> {
        let (position, exports) = (self.find(slug)?, &self.contents.exports);
        let refusal = || exports.get(&ExportKey::Refusal(position, format));
        Ok(exports
            .get(&ExportKey::File(position, format))
            .map(Exported::File)
            .or_else(|| refusal().map(|refusal| Exported::Refused(refusal.body))))
    }

    /// The export of an app. It is made on first request and kept.
    pub fn export(&self, slug: &str, format: ExportFormat) -> Result<Exported, ReadError> {
        if let Some(kept) = self.cached_export(slug, format)? {
            return Ok(kept);
        }
        let position = self.find(slug)?;
        let keep = |key, text: Vec<u8>| {
            let file = ExportFile::new(text);
            self.contents.exports.insert(key, file.clone());
            file
        };
        Ok(match self.make_export(position, format)?.1 {
            Ok(made) => Exported::File(keep(ExportKey::File(position, format), made.text.into())),
            Err(reasons) => {
                let refusal = refusal(slug, format, &reasons);
                let text = serde_json::to_vec(&refusal).map_err(|_| ReadError::Internal)?;
                Exported::Refused(keep(ExportKey::Refusal(position, format), text).body)
            }
        })
    }

    /// Which formats fit an app, as JSON, if it was asked for before.
    pub fn cached_exports(&self, slug: &str) -> Result<Option<ExportFile>, ReadError> {
        Ok(self.contents.exports.get(&ExportKey::List(self.find(slug)?)))
    }

    /// The same, made on first request.
    pub fn exports(&self, slug: &str) -> Result<ExportFile, ReadError> {
        let position = self.find(slug)?;
        self.contents.exports.get_or_make(ExportKey::List(position), || {
            let exports = self.describe_exports(position)?;
            let json = serde_json::to_vec(&exports).map_err(|_| ReadError::Internal)?;
            Ok(ExportFile::new(json))
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

    /// The files of the apps that a filter selects, or of those of them with these slugs, as a `tar.gz`.
    /// Only the compressed bytes are held.
    pub fn export_archive(
        &self,
        format: ExportFormat,
        selection: Selection,
        slugs: Option<&[&str]>,
    ) -> Result<ExportFile, ReadError> {
        let apps = self.apps();
        let (mut positions, mut unknown) = (Vec::new(), BTreeSet::new());
        match slugs {
            Some(slugs) => {
                for slug in slugs {
                    match self.find(slug) {
                        Ok(position) => positions.push(position),
                        Err(_) => drop(unknown.insert(*slug)),
                    }
                }
            }
            None => positions.extend((0..).take(apps.rows().len())),
        }
        positions.retain(|position| apps.contains(selection, *position));
        // Positions are in slug order.
        positions.sort_unstable();
        positions.dedup();
        let mut archive = Archive::new(format, Vec::new());
        for position in positions {
            let (app, made) = self.make_export(position, format)?;
            archive.add(&app, made).map_err(failed)?;
        }
        for slug in unknown {
            archive.add_unknown(slug);
        }
        Ok(ExportFile::new(archive.finish().map_err(failed)?))
    }

    /// Another app with the same bundle identifier and another version, such as a beta.
    fn other_of_bundle_id(
        &self,
        position: u32,
        app: &App,
    ) -> Result<Option<&str>, serde_json::Error> {
        let others = app.bundle_id.as_deref().map(|id| self.apps().of_bundle_id(id));
        for other in others.into_iter().flatten().filter(|other| **other != position) {
            let version = self.read_app(*other)?.current_version;
            if version.is_some() && version != app.current_version {
                return Ok(Some(self.slug(*other)));
            }
        }
        Ok(None)
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
            let subject = Subject::new(&app, &details, &provenance, &parsed);
            Ok(run(&subject.sharing(self.other_of_bundle_id(position, &app)?)))
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
