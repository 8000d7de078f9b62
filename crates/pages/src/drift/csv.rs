//! The same apps for spreadsheets: all of them, without pages.

use appstitch_inventory::csv::write_line;
use appstitch_snapshot::VersionGap;
use appstitch_types::Source;

use super::request::DriftRequest;
use crate::site::{PageError, Site};

/// The columns. Every source has one, so that files of different scopes have the same.
const HEADER: &str = "slug,name,vendor,label_tool,cask_catalog,mdm_installer,store_listing,leader,laggard,gap,since\r\n";

const SOURCES: [Source; 4] =
    [Source::LabelTool, Source::CaskCatalog, Source::MdmInstaller, Source::StoreListing];

pub fn drift_csv(site: &Site<'_>, request: &DriftRequest) -> Result<String, PageError> {
    let table = site.snapshot.drift_table(request.scope);
    let mut text = HEADER.as_bytes().to_vec();
    for line in table.select(&request.selection) {
        let entry = &line.entry;
        let version = |source: Source| {
            let stated = entry.versions.iter().find(|stated| stated.source == source.token());
            stated.map(|stated| stated.version.as_str())
        };
        let since = line.since.map(|since| since.to_string());
        let [label, cask, title, listing] = SOURCES.map(version);
        write_line(
            &mut text,
            [
                Some(entry.slug.as_str()),
                Some(&entry.name),
                entry.vendor.as_deref(),
                label,
                cask,
                title,
                listing,
                entry.leader.as_deref(),
                entry.laggard.as_deref(),
                line.gap.map(VersionGap::word),
                since.as_deref(),
            ],
        );
    }
    // Every cell was text.
    Ok(String::from_utf8_lossy(&text).into_owned())
}
