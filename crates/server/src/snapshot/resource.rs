//! What can be read from a snapshot, and its body.

use bytes::Bytes;

use super::{Selection, Snapshot};
use crate::http::ReadyBody;

/// Something below `/apps` that exists in a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Resource {
    Apps(Page),
    Drift(Page),
    App(u32),
    Sources(u32),
    AppDrift(u32),
    TitleCodes,
}

/// A page of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Page {
    pub(crate) selection: Selection,
    pub(crate) offset: usize,
    pub(crate) limit: usize,
    /// For drift: how many apps were scanned; follows the vendor filter alone.
    pub(crate) scanned: u64,
}

impl Snapshot {
    /// The body of a resource, as slices of what is there wherever that is possible.
    pub(crate) fn body(&self, resource: Resource) -> ReadyBody {
        match resource {
            Resource::Apps(page) => ReadyBody::new([
                Bytes::from_static(b"["),
                self.apps.page(page.selection, page.offset, page.limit),
                Bytes::from_static(b"]"),
            ]),
            Resource::Drift(page) => ReadyBody::new([
                self.drift_head(page),
                self.drift.page(page.selection, page.offset, page.limit),
                Bytes::from_static(b"]}"),
            ]),
            Resource::App(position) => one_row(&self.apps, position),
            Resource::Sources(position) => {
                let position = position as usize;
                ReadyBody::one(self.sources.slice(position, position + 1))
            }
            Resource::AppDrift(position) => match self.drift_of_app.get(&position) {
                Some(entry) => one_row(&self.drift, *entry),
                None => ReadyBody::one(Bytes::from_static(b"null")),
            },
            Resource::TitleCodes => ReadyBody::one(self.title_codes.clone()),
        }
    }

    fn drift_head(&self, page: Page) -> Bytes {
        let (scanned, found) = (page.scanned, self.drift.count(page.selection));
        let head = format!(r#"{{"total_scanned":{scanned},"total_with_drift":{found},"entries":["#);
        head.into()
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

fn one_row(listing: &super::Listing, position: u32) -> ReadyBody {
    let position = position as usize;
    ReadyBody::one(listing.rows().slice(position, position + 1))
}
