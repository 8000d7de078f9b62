//! What changed between two catalogs, app by app.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use appstitch_stitching::Agreement;
use appstitch_store::ServedApp;
use appstitch_types::{
    App, AppSources, ChangeKind, DriftEntry, DriftEventKind, DriftScope, RecordFields,
    SourceVersion, changed_fields,
};
use bytes::Bytes;
use serde_json::Value;

use crate::{
    app_rows::AppRows,
    build::Draft,
    journal::{Comparison, NewChange, NewDrift},
    snapshot::Snapshot,
};

/// The most changes of one publication that are recorded one by one.
const MOST_TOUCHED: usize = 100_000;

/// The numbers of apps that differ between a snapshot and its replacement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    pub added: usize,
    /// Apps whose record or sources differ.
    pub updated: usize,
    pub removed: usize,
}

impl Difference {
    pub fn between(old: &Snapshot, new: &Draft) -> Self {
        let mut difference = Self::default();
        let (old, new) = (&old.contents.rows, &new.rows);
        for pair in old.paired(new) {
            match pair {
                (Some(gone), Some(here)) => {
                    let same = old.apps.rows().row(gone) == new.apps.rows().row(here)
                        && old.sources.row(gone) == new.sources.row(here);
                    difference.updated += usize::from(!same);
                }
                (Some(_), None) => difference.removed += 1,
                _ => difference.added += 1,
            }
        }
        difference
    }
}

pub enum Previous<'a> {
    /// Nothing was published before.
    Nothing,
    Served(&'a Snapshot),
    /// The one in a store, by slug. Other rules may have made it.
    Stored(&'a [ServedApp]),
    /// There was one, but it is not known.
    Unknown,
}

#[derive(Clone, Copy)]
struct Old<'a> {
    slug: &'a str,
    app: &'a [u8],
    sources: Option<&'a [u8]>,
    drift: Drift<'a>,
}

#[derive(Clone, Copy)]
enum Drift<'a> {
    Stored(Option<&'a Bytes>),
    Row(&'a AppRows, u32),
}

impl Drift<'_> {
    fn bytes(self) -> Option<Bytes> {
        match self {
            Self::Stored(bytes) => bytes.cloned(),
            Self::Row(rows, position) => rows.drift_of(position),
        }
    }
}

impl Previous<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Served(snapshot) => snapshot.contents.rows.slugs.len(),
            Self::Stored(apps) => apps.len(),
            Self::Nothing | Self::Unknown => 0,
        }
    }

    fn app(&self, number: usize) -> Option<Old<'_>> {
        match self {
            Self::Served(snapshot) => {
                let rows = &snapshot.contents.rows;
                let position = u32::try_from(number).ok().filter(|_| number < rows.slugs.len())?;
                Some(Old {
                    slug: rows.slug(position),
                    app: rows.apps.rows().row(position),
                    sources: Some(rows.sources.row(position)),
                    drift: Drift::Row(rows, position),
                })
            }
            Self::Stored(apps) => apps.get(number).map(|stored| Old {
                slug: &stored.slug,
                app: &stored.app,
                sources: None,
                drift: Drift::Stored(stored.drift.as_ref()),
            }),
            Self::Nothing | Self::Unknown => None,
        }
    }
}

impl Draft {
    /// Compares the catalog with the one before, value by value.
    pub fn compared_with(&self, previous: &Previous<'_>) -> Result<Comparison, serde_json::Error> {
        if matches!(previous, Previous::Unknown) {
            return Ok(Comparison::NewEpoch);
        }
        let Pairs { removed, added, differing } = self.pairs(previous);
        if removed.len().max(added.len()) > MOST_TOUCHED {
            return Ok(Comparison::NewEpoch);
        }
        let renamed = self.renamed(&removed, &added)?;
        let mut rows = Rows { draft: self, changes: Vec::new(), drift: Vec::new() };
        for (old, new) in differing {
            rows.compare(Some(old), Some(new), ChangeKind::Changed)?;
            if rows.changes.len() > MOST_TOUCHED {
                return Ok(Comparison::NewEpoch);
            }
        }
        for old in &removed {
            match renamed.get(old.slug) {
                Some(new) => rows.compare(Some(*old), Some(*new), ChangeKind::Renamed)?,
                None => rows.compare(Some(*old), None, ChangeKind::Removed)?,
            }
        }
        let taken: HashSet<u32> = renamed.values().copied().collect();
        for new in added.iter().filter(|new| !taken.contains(new)) {
            rows.compare(None, Some(*new), ChangeKind::Added)?;
        }
        let Rows { mut changes, mut drift, .. } = rows;
        if changes.len() > MOST_TOUCHED {
            return Ok(Comparison::NewEpoch);
        }
        changes.sort_by(|left, right| left.slug.cmp(&right.slug));
        drift.sort_by(|left, right| left.slug.cmp(&right.slug));
        Ok(Comparison::Rows { changes, drift })
    }

    /// The apps that left, those that came, and those that stay but differ in their bytes.
    fn pairs<'a>(&self, previous: &'a Previous<'_>) -> Pairs<'a> {
        let mut pairs = Pairs::default();
        let mut news = self.rows.slugs.positions().peekable();
        let mut number = 0;
        loop {
            let old = previous.app(number);
            let order = match (&old, news.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => old.slug.cmp(self.rows.slug(*new)),
            };
            let old = old.filter(|_| order.is_le());
            number += usize::from(old.is_some());
            match (old, news.next_if(|_| order.is_ge())) {
                (Some(old), Some(new)) => {
                    let same = old.app == self.rows.apps.rows().row(new)
                        && old.drift.bytes() == self.rows.drift_of(new);
                    pairs.differing.extend((!same).then_some((old, new)));
                }
                (Some(old), None) => pairs.removed.push(old),
                (None, new) => pairs.added.extend(new),
            }
        }
        debug_assert_eq!(number, previous.len());
        pairs
    }

    /// The new apps that are old ones under another slug, by old slug. Of two candidates on either side
    /// none counts.
    fn renamed<'a>(
        &self,
        removed: &[Old<'a>],
        added: &[u32],
    ) -> Result<HashMap<&'a str, u32>, serde_json::Error> {
        if removed.is_empty() || added.is_empty() {
            return Ok(HashMap::new());
        }
        let new_apps: HashSet<u32> = added.iter().copied().collect();
        let mut pairs: Vec<(&str, u32)> = Vec::new();
        for old in removed {
            // The old slug is a name of the new app, and of no other app.
            let named = self.aliases.only_by_name(old.slug, &self.rows.slugs);
            pairs.extend(named.filter(|new| new_apps.contains(new)).map(|new| (old.slug, new)));
        }
        let named: HashSet<&str> = pairs.iter().map(|(slug, _)| *slug).collect();
        let others = removed.iter().filter(|old| !named.contains(old.slug));
        let mut by_identity: HashMap<Identity, Vec<u32>> = HashMap::new();
        for new in added {
            let rows = &self.rows;
            let identities = identities(rows.apps.rows().row(*new), rows.sources.row(*new))?;
            for identity in identities {
                by_identity.entry(identity).or_default().push(*new);
            }
        }
        for old in others {
            let Some(sources) = old.sources else { continue };
            let found: Vec<u32> = identities(old.app, sources)?
                .into_iter()
                .filter_map(|identity| by_identity.get(&identity))
                .flatten()
                .copied()
                .collect();
            if let [new, rest @ ..] = &found[..]
                && rest.iter().all(|other| other == new)
            {
                pairs.push((old.slug, *new));
            }
        }
        let mut claims: HashMap<u32, usize> = HashMap::new();
        for (_, new) in &pairs {
            *claims.entry(*new).or_default() += 1;
        }
        Ok(pairs.into_iter().filter(|(_, new)| claims[new] == 1).collect())
    }
}

#[derive(Default)]
struct Pairs<'a> {
    removed: Vec<Old<'a>>,
    added: Vec<u32>,
    differing: Vec<(Old<'a>, u32)>,
}

/// A bundle identifier together with the label or the cask.
type Identity = (String, &'static str, String);

/// What an app is recognized by under another slug.
fn identities(app: &[u8], sources: &[u8]) -> Result<Vec<Identity>, serde_json::Error> {
    let app: App = serde_json::from_slice(app)?;
    let Some(bundle_id) = app.bundle_id else { return Ok(Vec::new()) };
    let sources: AppSources = serde_json::from_slice(sources)?;
    let label = sources.label_tool.map(|label| (bundle_id.clone(), "label", label.label_name));
    let cask = sources.cask_catalog.map(|cask| (bundle_id, "cask", cask.token));
    Ok(label.into_iter().chain(cask).collect())
}

struct Rows<'a> {
    draft: &'a Draft,
    changes: Vec<NewChange>,
    drift: Vec<NewDrift>,
}

impl Rows<'_> {
    fn compare(
        &mut self,
        old: Option<Old<'_>>,
        new: Option<u32>,
        kind: ChangeKind,
    ) -> Result<(), serde_json::Error> {
        let rows = &self.draft.rows;
        let read = |bytes: &[u8]| serde_json::from_slice::<RecordFields>(bytes);
        let before = old.map(|old| read(old.app)).transpose()?;
        let after = new.map(|new| read(rows.apps.rows().row(new))).transpose()?;
        let fields = changed_fields(before.as_ref(), after.as_ref());
        let Some(shown) = after.as_ref().or(before.as_ref()) else { return Ok(()) };
        let text = |name: &str| shown.get(name).and_then(Value::as_str).map(str::to_owned);
        let (slug, vendor) = (text("slug").unwrap_or_default(), text("vendor"));
        let lagging = |bytes: Option<Bytes>| {
            let entry = bytes.map(|bytes| serde_json::from_slice::<DriftEntry>(&bytes)).transpose();
            entry.map(|entry| entry.and_then(|entry| entry.laggard))
        };
        let lagged = lagging(old.and_then(|old| old.drift.bytes()))?;
        let lags = lagging(new.and_then(|new| rows.drift_of(new)))?;
        if lagged != lags {
            let versions = self.versions(new)?;
            let name = text("name").unwrap_or_default();
            let stopped = lagged.map(|source| (DriftEventKind::Stopped, source));
            let started = lags.map(|source| (DriftEventKind::Started, source));
            for (kind, source) in stopped.into_iter().chain(started) {
                let (slug, name, vendor) = (slug.clone(), name.clone(), vendor.clone());
                let versions = versions.clone();
                self.drift.push(NewDrift { slug, name, vendor, kind, source, versions });
            }
        }
        if !fields.is_empty() {
            self.changes.push(NewChange { slug, kind, vendor, fields });
        }
        Ok(())
    }

    /// What the compared sources of an app state.
    fn versions(&self, position: Option<u32>) -> Result<Vec<SourceVersion>, serde_json::Error> {
        let Some(position) = position else { return Ok(Vec::new()) };
        let sources: AppSources = serde_json::from_slice(self.draft.rows.sources.row(position))?;
        let stated = Agreement::of(&sources).versions;
        Ok(DriftScope::default().of(&stated).cloned().collect())
    }
}
