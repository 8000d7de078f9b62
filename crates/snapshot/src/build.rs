//! Builds a snapshot from records.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap as InsertionMap},
    hash::{DefaultHasher, Hash, Hasher},
};

use appstitch_patch_source::{Candidate, sample};
use appstitch_store::{NewRevision, RevisionCounts, ServedSizes};
use appstitch_text::fold_case;
use appstitch_types::{CatalogStats, DriftScope, FoundBy, Source, SourceCoverage, TeamId};
use jiff::Timestamp;
use ring::digest::{Context, SHA256};

use crate::{
    aliases::{AliasIndex, AliasIndexBuilder},
    app_rows::AppRows,
    categories::{CatalogSummary, Categories},
    drift_rows::DriftRowsBuilder,
    entry::Entry,
    listing::{ListingBuilder, RowValues},
    patch_titles::{PatchTitles, candidate},
    ranked::{RankedIndex, RankedIndexBuilder},
    recent,
    revision::{PublishedRevision, token, token_of},
    rows::{Rows, RowsBuilder},
    search::{SearchIndex, SearchIndexBuilder},
    slugs::SlugsBuilder,
    snapshot::{Snapshot, SnapshotContents},
    variants::{VariantIndex, VariantIndexBuilder},
};

/// Accepts records in slug order and serializes everything that can be requested about them.
pub struct SnapshotBuilder {
    slugs: SlugsBuilder,
    apps: ListingBuilder,
    sources: RowsBuilder,
    provenance: RowsBuilder,
    notes: RowsBuilder,
    note_hashes: Vec<u64>,
    /// In the order of [`DriftScope::ALL`].
    drift: [DriftRowsBuilder; DriftScope::ALL.len()],
    search: SearchIndexBuilder,
    ranked: RankedIndexBuilder,
    aliases: AliasIndexBuilder,
    variants: VariantIndexBuilder,
    categories: Categories,
    title_codes: BTreeMap<String, Vec<String>>,
    patch_candidates: Vec<Candidate>,
    coverage: SourceCoverage,
    listed_apps: u64,
    tracked_apps: u64,
    coded_apps: u64,
    manual_records: u64,
    total_apps: u64,
    hash: Context,
}

/// A snapshot without a revision. Whether it needs a new one depends on its content.
pub struct Draft {
    pub content_hash: String,
    pub counts: RevisionCounts,
    pub(crate) rows: AppRows,
    /// The index data that a store keeps with the served bytes, in the order of the apps.
    pub(crate) notes: Rows,
    search: SearchIndex,
    ranked: RankedIndex,
    pub(crate) aliases: AliasIndex,
    variants: VariantIndex,
    recent: Box<[u32]>,
    categories: Vec<u8>,
    title_codes: Vec<u8>,
    pub(crate) patch: PatchTitles,
    coverage: SourceCoverage,
    listed_apps: u64,
    tracked_apps: u64,
    coded_apps: u64,
    manual_records: u64,
}

impl SnapshotBuilder {
    pub fn empty() -> Self {
        Self::with_capacity(ServedSizes::default())
    }

    /// An empty catalog with preallocated buffers. Growing them step by step would use twice the
    /// memory and free half of it late.
    pub fn with_capacity(sizes: ServedSizes) -> Self {
        let apps = sizes.apps;
        Self {
            slugs: SlugsBuilder::with_capacity(apps),
            apps: ListingBuilder::with_capacity(apps, sizes.app_bytes),
            sources: RowsBuilder::with_capacity(apps, sizes.sources_bytes),
            provenance: RowsBuilder::with_capacity(apps, sizes.provenance_bytes),
            notes: RowsBuilder::new(),
            note_hashes: Vec::with_capacity(apps),
            drift: DriftScope::ALL.map(|scope| {
                DriftRowsBuilder::with_capacity(scope, sizes.drifts, sizes.drift_bytes)
            }),
            search: SearchIndexBuilder::new(),
            ranked: RankedIndexBuilder::new(),
            aliases: AliasIndexBuilder::default(),
            variants: VariantIndexBuilder::default(),
            categories: Categories::new(),
            title_codes: BTreeMap::new(),
            patch_candidates: Vec::with_capacity(apps),
            coverage: SourceCoverage::default(),
            listed_apps: 0,
            tracked_apps: 0,
            coded_apps: 0,
            manual_records: 0,
            total_apps: 0,
            hash: Context::new(&SHA256),
        }
    }

    /// Adds an app. Apps must be added in ascending slug order, each slug once.
    pub fn push(&mut self, entry: &impl Entry) -> Result<(), serde_json::Error> {
        let app = entry.app();
        let vendor = app.vendor.as_deref().map(fold_case);
        let vendor = vendor.as_deref();
        self.slugs.push(app.slug.as_str());
        let notes = entry.notes();
        let write = |buffer: &mut Vec<u8>| entry.write_app(buffer);
        // An app's list of sources cannot name the store, but a filter can.
        let sources =
            if notes.has_listing { app.sources.with(Source::StoreListing) } else { app.sources };
        let values = RowValues {
            bundle_id: app.bundle_id.as_deref(),
            team_id: app.expected_team_id.as_ref().map(TeamId::as_str),
            install_method: app.install_method,
            has_version: app.current_version.is_some(),
        };
        let (position, written) =
            self.apps.push(write, vendor, sources, notes.is_deprecated, values)?;
        hash_part(&mut self.hash, written);
        hash_part(&mut self.hash, self.sources.push(|buffer| entry.write_sources(buffer))?);
        hash_part(&mut self.hash, self.provenance.push(|buffer| entry.write_provenance(buffer))?);
        let [default, others @ ..] = &mut self.drift;
        if let Some(written) = default.push(position, entry, vendor)? {
            hash_part(&mut self.hash, written);
        }
        for scope in others {
            // These follow from the app and its notes, which are hashed.
            scope.push(position, entry, vendor)?;
        }
        let written = self.notes.push(|buffer| serde_json::to_writer(buffer, notes))?;
        hash_part(&mut self.hash, written);
        self.note_hashes.push(hash_of(written));
        self.search.push(app, &notes.other_names);
        self.ranked.push(app, notes);
        self.aliases.push(position, app.slug.as_str(), &notes.aliases);
        self.variants.push(position, notes.variant_of.as_deref());
        self.categories.add(app);
        self.total_apps += 1;
        self.coverage.count(app.sources);
        self.listed_apps += u64::from(notes.has_listing);
        self.tracked_apps += u64::from(notes.label_version_found_by == Some(FoundBy::Tracker));
        self.manual_records += u64::from(notes.is_manual);
        self.coded_apps += u64::from(!notes.patch_codes.is_empty());
        self.patch_candidates.push(candidate(app, notes));
        let codes: BTreeSet<&String> = notes.title_code.iter().chain(&notes.patch_codes).collect();
        for code in codes {
            self.title_codes.entry(code.clone()).or_default().push(app.slug.to_string());
        }
        Ok(())
    }

    /// Finishes the snapshot. The insertion numbers, by slug, determine which apps are the newest.
    pub fn finish(
        mut self,
        insertions: &InsertionMap<String, u64>,
    ) -> Result<Draft, serde_json::Error> {
        let coverage = self.coverage;
        let title_codes = serde_json::to_vec(&self.title_codes)?;
        // These are also served below `/apps` but are not part of the hashed rows.
        hash_part(&mut self.hash, &title_codes);
        // What the patch source serves follows from the notes and from how this program writes it.
        hash_part(&mut self.hash, &serde_json::to_vec(&sample())?);
        let scanned = &self.drift[DriftScope::default().number()].scanned;
        let by_vendor: BTreeMap<_, _> = scanned.by_vendor.iter().collect();
        hash_part(&mut self.hash, &serde_json::to_vec(&(scanned.total, by_vendor))?);
        let slugs = self.slugs.finish();
        let variants = self.variants.finish(&slugs);
        let aliases = self.aliases.finish(&variants, &slugs);
        Ok(Draft {
            content_hash: hex(self.hash.finish().as_ref()),
            counts: RevisionCounts {
                total_apps: self.total_apps,
                label_tool: coverage.label_tool,
                cask_catalog: coverage.cask_catalog,
                recipe_index: coverage.recipe_index,
                mdm_installer: coverage.mdm_installer,
            },
            recent: recent::newest(&slugs, insertions),
            search: self.search.finish(),
            ranked: self.ranked.finish(),
            aliases,
            variants,
            categories: serde_json::to_vec(&self.categories)?,
            rows: AppRows {
                slugs,
                apps: self.apps.finish(),
                sources: self.sources.finish(),
                provenance: self.provenance.finish(),
                drift: self.drift.map(DriftRowsBuilder::finish),
                note_hashes: self.note_hashes.into(),
            },
            notes: self.notes.finish(),
            title_codes,
            patch: PatchTitles::new(self.patch_candidates),
            coverage,
            listed_apps: self.listed_apps,
            tracked_apps: self.tracked_apps,
            coded_apps: self.coded_apps,
            manual_records: self.manual_records,
        })
    }
}

impl Draft {
    /// The revision of this content if it is published now.
    pub fn new_revision(&self, now: Timestamp) -> NewRevision {
        // Whole seconds, rounded down so that the time is never in the future.
        let changed_at = Timestamp::from_second(now.as_second()).unwrap_or(now);
        NewRevision {
            token: token(changed_at, &self.content_hash),
            changed_at,
            content_hash: self.content_hash.clone(),
            counts: self.counts,
        }
    }

    pub fn slugs(&self) -> impl Iterator<Item = &str> {
        self.rows.slugs.positions().map(|position| self.rows.slug(position))
    }

    pub fn into_snapshot(
        self,
        revision: Option<PublishedRevision>,
    ) -> Result<Snapshot, serde_json::Error> {
        let token = revision.as_ref().map(|revision| revision.token.clone());
        let stats = CatalogStats {
            total_apps: self.counts.total_apps,
            sources: self.coverage,
            last_refresh: revision.as_ref().map(|revision| revision.changed_at),
            catalog_sha: token.clone(),
            catalog_version: token,
            manual_records: self.manual_records,
        };
        let etag = format!("W/\"{}\"", token_of(revision.as_ref()));
        let summary = CatalogSummary { total_apps: self.counts.total_apps, sources: self.coverage };
        Ok(Snapshot {
            etag,
            content_hash: self.content_hash,
            contents: SnapshotContents {
                stats_body: serde_json::to_vec(&stats)?.into(),
                rows: self.rows,
                search: self.search,
                ranked: self.ranked,
                aliases: self.aliases,
                variants: self.variants,
                recent: self.recent,
                summary: serde_json::to_vec(&summary)?.into(),
                categories: self.categories.into(),
                title_codes: self.title_codes.into(),
                patch: self.patch,
                ..SnapshotContents::default()
            },
            stats,
            listed_apps: self.listed_apps,
            tracked_apps: self.tracked_apps,
            coded_apps: self.coded_apps,
            revision,
            disposal: None,
        })
    }
}

/// Hashes a part with its length, so that different lists of parts have different hashes.
fn hash_part(hash: &mut Context, part: &[u8]) {
    hash.update(&(part.len() as u64).to_le_bytes());
    hash.update(part);
}

/// A hash to compare bytes of this process with.
fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
impl Draft {
    /// A draft of manual records, given as JSON in slug order.
    pub(crate) fn of_records(records: impl IntoIterator<Item = serde_json::Value>) -> Self {
        use appstitch_stitching::{Record, manual_provenance};
        let mut builder = SnapshotBuilder::empty();
        for record in records {
            let record = Record::admit(record.to_string().as_bytes()).unwrap().record;
            let provenance = manual_provenance(&record);
            let entry = crate::entry::FreshEntry::new(&record, &provenance, None);
            builder.push(&entry).unwrap();
        }
        builder.finish(&InsertionMap::new()).unwrap()
    }
}
