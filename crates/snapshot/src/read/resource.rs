//! The resources of a snapshot and their bodies.

use appstitch_bodies::Slices;
use appstitch_types::{AliasMatches, DriftScope};
use bytes::Bytes;

use crate::{
    cache::BodyKey,
    listing::{Filter, Listing, Selection},
    snapshot::{ReadError, Snapshot},
};

/// A resource below `/apps` that exists in a snapshot.
#[derive(Debug, Clone, Copy)]
pub enum Resource {
    Apps(Page),
    Drift(DriftScope, Page),
    App(u32),
    Sources(u32),
    AppDrift(DriftScope, u32),
    Details(u32),
    Provenance(u32),
    TitleCodes,
    /// The summaries of all titles of the patch source.
    PatchSummaries,
}

#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub selection: Selection,
    pub offset: usize,
    pub limit: usize,
    pub total: usize,
    /// For drift: the number of apps scanned, which depends only on the vendor filter.
    pub scanned: u64,
}

impl Page {
    /// The existing rows of the page, as a range within the selection.
    fn window(self) -> (usize, usize) {
        let from = self.offset.min(self.total);
        (from, from.saturating_add(self.limit).min(self.total))
    }
}

impl Resource {
    /// The number of rows that have to be collected, or the payloads that have to be parsed, before the
    /// body can be sent; zero if it is a part of the snapshot.
    pub fn work(self) -> usize {
        match self {
            Self::Apps(page) | Self::Drift(_, page) if page.selection != Selection::EVERYTHING => {
                let (from, to) = page.window();
                to - from
            }
            // All payloads of the app.
            Self::Details(_) => usize::MAX,
            _ => 0,
        }
    }

    /// The cache key of the body; `None` for bodies that are too short to be worth caching.
    #[inline]
    pub fn key(self) -> Option<BodyKey> {
        match self {
            Self::Apps(page) => {
                let (from, to) = page.window();
                Some(BodyKey::Apps(page.selection, from, to))
            }
            Self::Drift(scope, page) => {
                let (from, to) = page.window();
                Some(BodyKey::Drift(scope, page.selection, from, to, page.scanned))
            }
            Self::Sources(position) => Some(BodyKey::Sources(position)),
            Self::Provenance(position) => Some(BodyKey::Provenance(position)),
            Self::Details(position) => Some(BodyKey::Details(position)),
            Self::TitleCodes => Some(BodyKey::TitleCodes),
            Self::PatchSummaries => Some(BodyKey::PatchSummaries),
            Self::App(_) | Self::AppDrift(..) => None,
        }
    }
}

impl Snapshot {
    #[inline]
    pub fn app(&self, slug: &str) -> Result<Resource, ReadError> {
        self.find(slug).map(Resource::App)
    }

    pub fn app_sources(&self, slug: &str) -> Result<Resource, ReadError> {
        self.find(slug).map(Resource::Sources)
    }

    pub fn app_drift(&self, slug: &str, scope: DriftScope) -> Result<Resource, ReadError> {
        self.find(slug).map(|position| Resource::AppDrift(scope, position))
    }

    pub fn app_details(&self, slug: &str) -> Result<Resource, ReadError> {
        self.find(slug).map(Resource::Details)
    }

    /// The apps that a name leads to, ignoring case.
    pub fn find_alias(&self, name: &str) -> Result<AliasMatches, ReadError> {
        let found = self.contents.aliases.find(name, &self.contents.rows.slugs);
        found.ok_or_else(|| ReadError::UnknownName(name.to_owned()))
    }

    /// Every name that leads to an app, in folded case, except slugs that are in it already.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.contents.aliases.names()
    }

    /// The app with this slug, else the only app that the name leads to, ignoring case.
    pub fn find_named(&self, name: &str) -> Option<u32> {
        let slugs = &self.contents.rows.slugs;
        slugs.find(name).or_else(|| self.contents.aliases.only(name, slugs))
    }

    /// The slug of the only app that a name leads to, ignoring case.
    pub fn canonical_slug(&self, name: &str) -> Option<&str> {
        let slugs = &self.contents.rows.slugs;
        self.contents.aliases.only(name, slugs).map(|position| slugs.slug(position))
    }

    pub fn app_provenance(&self, slug: &str) -> Result<Resource, ReadError> {
        self.find(slug).map(Resource::Provenance)
    }

    pub fn app_page(&self, filter: &Filter, limit: usize, offset: usize) -> Page {
        let apps = &self.contents.rows.apps;
        let selection = apps.select(filter);
        Page { selection, offset, limit, total: apps.count(selection), scanned: 0 }
    }

    /// A page of the apps with these slugs that a filter selects, as JSON, and the number of all.
    /// Unknown slugs are omitted.
    pub fn picked_apps(
        &self,
        slugs: &[&str],
        filter: &Filter,
        limit: usize,
        offset: usize,
    ) -> (Bytes, usize) {
        let rows = &self.contents.rows;
        let selection = rows.apps.select(filter);
        let found = slugs.iter().filter_map(|slug| rows.slugs.find(slug));
        let mut found: Vec<u32> =
            found.filter(|position| rows.apps.contains(selection, *position)).collect();
        // Positions are in slug order.
        found.sort_unstable();
        found.dedup();
        let total = found.len();
        let (from, to) = (offset.min(total), offset.saturating_add(limit).min(total));
        let page = rows.apps.rows().gather(&found[from..to]);
        ([b"[", &page[..], b"]"].concat().into(), total)
    }

    /// A page of the drift that a filter selects. Only its vendor and source are used.
    pub fn drift_page(
        &self,
        scope: DriftScope,
        filter: &Filter,
        limit: usize,
        offset: usize,
    ) -> Page {
        let drift = self.contents.rows.drift(scope);
        let selection = drift.entries.select(&Filter {
            vendor: filter.vendor.clone(),
            source: filter.source.clone(),
            ..Filter::default()
        });
        let scanned = drift.scanned.count(filter.vendor.as_deref());
        Page { selection, offset, limit, total: drift.entries.count(selection), scanned }
    }

    /// The body of a resource. Its slices share the snapshot's memory where possible.
    #[inline]
    pub fn body(&self, resource: Resource) -> Slices {
        match resource {
            Resource::Apps(page) => Slices::new([
                Bytes::from_static(b"["),
                rows(&self.contents.rows.apps, page),
                Bytes::from_static(b"]"),
            ]),
            Resource::Drift(scope, page) => Slices::new([
                drift_head(page).into(),
                rows(&self.contents.rows.drift(scope).entries, page),
                Bytes::from_static(b"]}"),
            ]),
            Resource::App(position) => Slices::one(self.contents.rows.apps.rows().one(position)),
            Resource::Sources(position) => Slices::one(self.contents.rows.sources.one(position)),
            Resource::Provenance(position) => {
                Slices::one(self.contents.rows.provenance.one(position))
            }
            Resource::AppDrift(scope, position) => {
                let drift = self.contents.rows.drift(scope).of(position);
                Slices::one(drift.unwrap_or(Bytes::from_static(b"null")))
            }
            Resource::Details(position) => Slices::one(self.details(position)),
            Resource::TitleCodes => Slices::one(self.contents.title_codes.clone()),
            Resource::PatchSummaries => {
                let summaries = &self.contents.patch.summaries;
                Slices::new([
                    Bytes::from_static(b"["),
                    summaries.slice(0, summaries.len()),
                    Bytes::from_static(b"]"),
                ])
            }
        }
    }
}

fn rows(listing: &Listing, page: Page) -> Bytes {
    let (from, to) = page.window();
    listing.page(page.selection, from, to)
}

fn drift_head(page: Page) -> String {
    let (scanned, found) = (page.scanned, page.total);
    format!(r#"{{"total_scanned":{scanned},"total_with_drift":{found},"entries":["#)
}
