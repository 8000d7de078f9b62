//! An app to add to a snapshot: either freshly stitched or read from a store.
//!
//! Both kinds write the same bytes; the hash of the snapshot verifies this.

use appstitch_stitching::{IndexedValues, InstalledFacts, Record, find_drift};
use appstitch_store::ServedApp;
use appstitch_types::{
    Alias, App, AppSources, DriftEntry, DriftScope, FoundBy, Provenance, SeenVersion, Slug,
    SourceVersion,
};
use serde::{Deserialize, Serialize};

type Written = Result<(), serde_json::Error>;

/// The bytes of an app and the values they are indexed by.
pub trait Entry {
    fn app(&self) -> &App;
    /// Its drift, if its sources disagree.
    fn drift(&self) -> Option<&DriftEntry>;
    fn notes(&self) -> &Notes;
    fn write_app(&self, buffer: &mut Vec<u8>) -> Written;
    fn write_sources(&self, buffer: &mut Vec<u8>) -> Written;
    fn write_provenance(&self, buffer: &mut Vec<u8>) -> Written;
    fn write_drift(&self, buffer: &mut Vec<u8>) -> Written;
}

/// Indexed values that are too expensive to derive from the served bytes again.
#[derive(Debug, Default, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the stored JSON")]
pub struct Notes {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) other_names: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title_code: Option<String>,
    /// The codes of the patch catalog that lead to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) patch_codes: Vec<String>,
    /// Whether at least two sources state a version.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) scanned: bool,
    /// The versions of all sources, if sources state one that are compared only on request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) versions: Vec<SourceVersion>,
    /// The app's names besides its slug.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) aliases: Vec<Alias>,
    /// What the sources call the app, besides its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) names: Vec<String>,
    /// The slug of the main record of the product, if there are several records for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) variant_of: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_deprecated: bool,
    /// Whether it has a store listing, which is not in the app's list of sources.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) has_listing: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) label_version_found_by: Option<FoundBy>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_manual: bool,
    /// The number of its recipes, which says how much it is managed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) recipes: usize,
    /// What of it is found on a Mac.
    #[serde(default)]
    pub(crate) installed: InstalledFacts,
    /// The earlier versions that the public tracker found, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) seen: Vec<SeenVersion>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// An app from stitching, or a manual record.
pub struct FreshEntry<'a> {
    record: &'a Record,
    provenance: &'a Provenance,
    drift: Option<DriftEntry>,
    notes: Notes,
}

impl<'a> FreshEntry<'a> {
    /// Computes the drift and the index values of a record. `variant_of` is the main record of its
    /// product, if there are several.
    pub fn new(record: &'a Record, provenance: &'a Provenance, variant_of: Option<&Slug>) -> Self {
        let IndexedValues { versions, aliases, names, is_deprecated, installed } =
            IndexedValues::of(record, &provenance.other_names, &provenance.title_codes);
        let compared: Vec<&SourceVersion> = DriftScope::default().of(&versions).collect();
        let (scanned, has_more) = (compared.len() >= 2, compared.len() < versions.len());
        let drift = find_drift(&record.app, compared);
        let title = record.sources.as_ref().and_then(|sources| sources.mdm_installer.as_ref());
        let code = title.and_then(|title| title.mgmt_id.as_ref());
        let notes = Notes {
            other_names: provenance.other_names.clone(),
            title_code: code.filter(|code| !code.trim().is_empty()).cloned(),
            patch_codes: provenance.title_codes.iter().map(|title| title.code.clone()).collect(),
            scanned,
            versions: if has_more { versions } else { Vec::new() },
            aliases,
            names,
            variant_of: variant_of.map(Slug::to_string),
            is_deprecated,
            has_listing: record
                .sources
                .as_ref()
                .is_some_and(|sources| sources.store_listing.is_some()),
            label_version_found_by: provenance
                .label_values
                .and_then(|values| Some(values.version?.found_by)),
            is_manual: provenance.manual_record,
            recipes: record
                .sources
                .as_ref()
                .and_then(|sources| sources.recipe_index.as_ref())
                .map_or(0, |index| index.recipes.len()),
            installed,
            seen: Vec::new(),
        };
        Self { record, provenance, drift, notes }
    }

    /// The same with the versions that the public tracker found, as far as the patch source can use
    /// them. That the tracker finds the current version, too, changes nothing that is served.
    #[must_use]
    pub fn with_seen(mut self, seen: Option<&Vec<SeenVersion>>) -> Self {
        let App { bundle_id, current_version, .. } = &self.record.app;
        let seen = seen.filter(|_| bundle_id.is_some()).into_iter().flatten();
        let is_earlier = |seen: &&SeenVersion| current_version.as_ref() != Some(&seen.version);
        self.notes.seen = seen.filter(is_earlier).cloned().collect();
        self
    }
}

impl Entry for FreshEntry<'_> {
    fn app(&self) -> &App {
        &self.record.app
    }

    fn drift(&self) -> Option<&DriftEntry> {
        self.drift.as_ref()
    }

    fn notes(&self) -> &Notes {
        &self.notes
    }

    fn write_app(&self, buffer: &mut Vec<u8>) -> Written {
        serde_json::to_writer(buffer, &self.record.app)
    }

    fn write_sources(&self, buffer: &mut Vec<u8>) -> Written {
        match &self.record.sources {
            Some(sources) => serde_json::to_writer(buffer, sources),
            None => serde_json::to_writer(buffer, &AppSources::default()),
        }
    }

    fn write_provenance(&self, buffer: &mut Vec<u8>) -> Written {
        serde_json::to_writer(buffer, self.provenance)
    }

    fn write_drift(&self, buffer: &mut Vec<u8>) -> Written {
        serde_json::to_writer(buffer, &self.drift)
    }
}

/// An app from a store. Its bytes are used unchanged; only the indexed values are parsed.
pub struct ServedEntry {
    bytes: ServedApp,
    app: App,
    drift: Option<DriftEntry>,
    notes: Notes,
}

impl ServedEntry {
    pub fn read(bytes: ServedApp) -> Result<Self, serde_json::Error> {
        Ok(Self {
            app: serde_json::from_slice(&bytes.app)?,
            drift: bytes.drift.as_deref().map(serde_json::from_slice).transpose()?,
            notes: serde_json::from_slice(&bytes.notes)?,
            bytes,
        })
    }
}

impl Entry for ServedEntry {
    fn app(&self) -> &App {
        &self.app
    }

    fn drift(&self) -> Option<&DriftEntry> {
        self.drift.as_ref()
    }

    fn notes(&self) -> &Notes {
        &self.notes
    }

    fn write_app(&self, buffer: &mut Vec<u8>) -> Written {
        buffer.extend_from_slice(&self.bytes.app);
        Ok(())
    }

    fn write_sources(&self, buffer: &mut Vec<u8>) -> Written {
        buffer.extend_from_slice(&self.bytes.sources);
        Ok(())
    }

    fn write_provenance(&self, buffer: &mut Vec<u8>) -> Written {
        buffer.extend_from_slice(&self.bytes.provenance);
        Ok(())
    }

    fn write_drift(&self, buffer: &mut Vec<u8>) -> Written {
        buffer.extend_from_slice(self.bytes.drift.as_deref().unwrap_or_default());
        Ok(())
    }
}
