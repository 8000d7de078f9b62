//! What can be read from a snapshot, and its body.

use bytes::Bytes;

use super::{Listing, Selection, Snapshot};
use crate::http::ReadyBody;

/// Something below `/apps` that exists in a snapshot.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Resource {
    Apps(Page),
    Drift(Page),
    App(u32),
    Sources(u32),
    AppDrift(u32),
    Provenance(u32),
    TitleCodes,
}

/// A page of a listing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page {
    pub(crate) selection: Selection,
    pub(crate) offset: usize,
    pub(crate) limit: usize,
    /// How many rows the selection has.
    pub(crate) total: usize,
    /// For drift: how many apps were scanned; follows the vendor filter alone.
    pub(crate) scanned: u64,
}

impl Page {
    /// The rows that are there, as a range within the selection.
    fn window(self) -> (usize, usize) {
        let from = self.offset.min(self.total);
        (from, from.saturating_add(self.limit).min(self.total))
    }
}

/// Names a body that may be compressed: equal for equal bytes, however they were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BodyKey {
    Apps(Selection, usize, usize),
    Drift(Selection, usize, usize, u64),
    Sources(u32),
    Provenance(u32),
    TitleCodes,
}

impl Resource {
    /// The name of the body; `None` for bodies that are too short to gain anything.
    pub(crate) fn key(self) -> Option<BodyKey> {
        match self {
            Self::Apps(page) => {
                let (from, to) = page.window();
                Some(BodyKey::Apps(page.selection, from, to))
            }
            Self::Drift(page) => {
                let (from, to) = page.window();
                Some(BodyKey::Drift(page.selection, from, to, page.scanned))
            }
            Self::Sources(position) => Some(BodyKey::Sources(position)),
            Self::Provenance(position) => Some(BodyKey::Provenance(position)),
            Self::TitleCodes => Some(BodyKey::TitleCodes),
            Self::App(_) | Self::AppDrift(_) => None,
        }
    }
}

impl Snapshot {
    /// The body of a resource, as slices of what is there wherever that is possible.
    pub(crate) fn body(&self, resource: Resource) -> ReadyBody {
        match resource {
            Resource::Apps(page) => ReadyBody::new([
                Bytes::from_static(b"["),
                rows(&self.rows.apps, page),
                Bytes::from_static(b"]"),
            ]),
            Resource::Drift(page) => ReadyBody::new([
                drift_head(page).into(),
                rows(&self.rows.drift, page),
                Bytes::from_static(b"]}"),
            ]),
            Resource::App(position) => ReadyBody::one(self.rows.apps.rows().one(position)),
            Resource::Sources(position) => ReadyBody::one(self.rows.sources.one(position)),
            Resource::Provenance(position) => ReadyBody::one(self.rows.provenance.one(position)),
            Resource::AppDrift(position) => {
                let drift = self.rows.drift_of(position);
                ReadyBody::one(drift.unwrap_or(Bytes::from_static(b"null")))
            }
            Resource::TitleCodes => ReadyBody::one(self.title_codes.clone()),
        }
    }

    /// How many apps with at least two versioned sources a vendor has, or all have.
    pub(crate) fn scanned(&self, vendor: Option<&str>) -> u64 {
        match vendor {
            None => self.scanned.total,
            Some(vendor) => {
                let folded = appstitch_catalog::fold_case(vendor);
                self.scanned.by_vendor.get(folded.as_str()).copied().unwrap_or_default()
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
