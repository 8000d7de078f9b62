//! An app in the table of drift.

use appstitch_snapshot::{DriftLine, Standing, VersionGap};

use crate::{
    Day, app_page,
    short::{self, short},
    vendor_page,
};

/// An app in the table.
pub(super) struct Row {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) vendor: Option<VendorLink>,
    /// The version of each source, in the order of the columns.
    pub(super) cells: Vec<Option<Cell>>,
    pub(super) gap: Option<&'static str>,
    pub(super) since: Option<Day>,
}

/// The vendor of an app.
pub(super) struct VendorLink {
    pub(super) path: String,
    pub(super) name: String,
}

/// What a source states.
pub(super) struct Cell {
    pub(super) version: String,
    pub(super) class: &'static str,
    pub(super) word: &'static str,
}

impl Row {
    pub(super) fn of(line: &DriftLine, sources: &[&'static str]) -> Self {
        let entry = &line.entry;
        let stated = entry.versions.iter().zip(&line.standings);
        let cell = |source: &&'static str| {
            let mut own = stated.clone().filter(|(stated, _)| stated.source == *source);
            own.next().map(|(stated, standing)| {
                let (class, word) = chip(*standing);
                Cell { version: short(&stated.version, short::VERSION), class, word }
            })
        };
        Self {
            path: app_page(&entry.slug),
            name: short(&entry.name, short::NAME),
            vendor: entry.vendor.as_deref().map(|vendor| VendorLink {
                path: vendor_page(vendor),
                name: short(vendor, short::NAME),
            }),
            cells: sources.iter().map(cell).collect(),
            gap: line.gap.map(VersionGap::word),
            since: line.since.map(Day::of),
        }
    }
}

/// The class and the word of a chip.
fn chip(standing: Standing) -> (&'static str, &'static str) {
    match standing {
        Standing::Newest => ("ok", "newest"),
        Standing::Behind => ("behind", "behind"),
        Standing::Differs => ("neutral", "differs"),
    }
}
