//! A vendor in a table.

use appstitch_feeds::encoded;
use appstitch_snapshot::VendorEntry;

use crate::{
    address::vendor_page,
    display::Count,
    short::{self, short},
};

pub(super) struct Row {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) apps: Count,
    pub(super) drifting: Count,
    pub(super) drift_path: String,
}

impl Row {
    pub(super) fn of(entry: &VendorEntry) -> Self {
        Self {
            path: vendor_page(&entry.name),
            name: short(&entry.name, short::NAME),
            apps: Count(entry.apps as u64),
            drifting: Count(entry.drifting as u64),
            drift_path: drift_path(&entry.name),
        }
    }
}

pub(super) fn drift_path(vendor: &str) -> String {
    format!("/apps?vendor={}&drift=yes", encoded(vendor))
}
