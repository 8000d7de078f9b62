//! An app in the table of drift.

use appstitch_snapshot::{DriftLine, VersionGap};
use appstitch_stitching::Standing;

use crate::{
    address::{app_page, vendor_page},
    chip::Chip,
    display::Day,
    namesakes::Namesakes,
    short::{self, short},
};

pub(super) struct Row {
    pub(super) path: String,
    pub(super) name: String,
    /// Set if another app in the table has the same name.
    pub(super) slug: Option<String>,
    pub(super) vendor: Option<VendorLink>,
    /// The version of each source, in the order of the columns.
    pub(super) cells: Vec<Option<Cell>>,
    pub(super) gap: Option<&'static str>,
    pub(super) since: Option<Day>,
}

pub(super) struct VendorLink {
    pub(super) path: String,
    pub(super) name: String,
}

pub(super) struct Cell {
    pub(super) version: String,
    pub(super) chip: Option<Chip>,
    /// When its version was found, if that is so long ago that it may be outdated.
    pub(super) old_finding: Option<Day>,
}

impl Row {
    pub(super) fn of(
        line: &DriftLine,
        sources: &[&'static str],
        namesakes: &Namesakes<'_>,
        is_main: bool,
        old_finding: impl Fn(&str) -> Option<Day>,
    ) -> Self {
        let entry = &line.entry;
        let stated = entry.versions.iter().zip(&line.standings);
        let cell = |source: &&'static str| {
            let mut versions = stated.clone().filter(|(stated, _)| stated.source == *source);
            versions.next().map(|(stated, standing)| Cell {
                version: short(&stated.version, short::VERSION),
                chip: Chip::of(*standing),
                old_finding: (*standing == Standing::Behind)
                    .then(|| old_finding(&stated.source))
                    .flatten(),
            })
        };
        Self {
            path: app_page(&entry.slug),
            name: short(&entry.name, short::NAME),
            // The main variant, which is often not in the table, has the same name as the others.
            slug: namesakes
                .slug(&entry.name, &entry.slug)
                .or_else(|| (!is_main).then(|| entry.slug.clone())),
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
