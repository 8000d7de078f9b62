//! One app in the table of drift.

use appstitch_stitching::Standing;
use appstitch_text::fold_case;
use appstitch_types::DriftEntry;
use jiff::Timestamp;

use super::{VersionGap, since::LaggingSince};

#[derive(Debug)]
pub struct DriftLine {
    pub app: u32,
    pub entry: DriftEntry,
    /// How each version of the entry stands to the others, in the order of the versions.
    pub standings: Vec<Standing>,
    /// How far the lowest version is behind the highest; `None` if the order is unknown.
    pub gap: Option<VersionGap>,
    /// Since when the source lags; `None` if the journal does not go back so far.
    pub since: Option<Timestamp>,
    /// The same for each version of the entry, in their order.
    pub lagging_since: Vec<Option<Timestamp>>,
    pub(super) folded_name: String,
    pub(super) folded_vendor: Option<String>,
    /// Slug, name and vendor in folded case, a line each.
    pub(super) searched: String,
}

impl DriftLine {
    pub(crate) fn new(app: u32, entry: DriftEntry, since: &LaggingSince) -> Self {
        let stated = |source: Option<&String>| {
            let stated = entry.versions.iter().find(|stated| Some(&stated.source) == source)?;
            Some(stated.version.as_str())
        };
        let (newest, oldest) = (stated(entry.leader.as_ref()), stated(entry.laggard.as_ref()));
        let standings = Standing::of_all(&entry.versions);
        let gap = newest.zip(oldest).and_then(|(new, old)| VersionGap::between(new, old));
        let folded_name = fold_case(&entry.name);
        let folded_vendor = entry.vendor.as_deref().map(fold_case);
        let vendor = folded_vendor.as_deref().unwrap_or_default();
        Self {
            app,
            standings,
            gap,
            lagging_since: entry
                .versions
                .iter()
                .map(|stated| since.find(&entry.slug, &stated.source))
                .collect(),
            since: entry.laggard.as_deref().and_then(|source| since.find(&entry.slug, source)),
            searched: format!("{}\n{folded_name}\n{vendor}", fold_case(&entry.slug)),
            folded_name,
            folded_vendor,
            entry,
        }
    }
}
