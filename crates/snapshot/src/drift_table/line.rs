//! One app in the table of drift.

use appstitch_catalog::{DriftEntry, VersionComparison, VersionOrder, fold_case};
use jiff::Timestamp;

use super::{VersionGap, since::LaggingSince};

/// How the version of a source stands to the highest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It is the highest.
    Newest,
    /// It is lower.
    Behind,
    /// The versions differ without a known order.
    Differs,
}

/// One app in the table of drift.
#[derive(Debug)]
pub struct DriftLine {
    /// The position of the app.
    pub app: u32,
    /// Its drift.
    pub entry: DriftEntry,
    /// How each version of the entry stands to the highest one, in the order of the versions.
    pub standings: Vec<Standing>,
    /// How far the lowest version is behind the highest; `None` if the order is unknown.
    pub gap: Option<VersionGap>,
    /// Since when the source lags; `None` if the journal does not tell.
    pub since: Option<Timestamp>,
    /// The name in folded case.
    pub(super) folded_name: String,
    pub(super) folded_vendor: Option<String>,
    /// Slug, name and vendor in folded case, a line each.
    pub(super) searched: String,
}

impl DriftLine {
    pub(super) fn new(app: u32, entry: DriftEntry, since: &LaggingSince) -> Self {
        let stated = |source: Option<&String>| {
            let own = entry.versions.iter().find(|stated| Some(&stated.source) == source)?;
            Some(own.version.as_str())
        };
        let (newest, oldest) = (stated(entry.leader.as_ref()), stated(entry.laggard.as_ref()));
        let standing = |version: &str| match newest {
            None => Standing::Differs,
            Some(newest) => match VersionComparison::of(version, newest).order {
                VersionOrder::Same | VersionOrder::Newer => Standing::Newest,
                VersionOrder::Older => Standing::Behind,
                VersionOrder::Unknown => Standing::Differs,
            },
        };
        let standings = entry.versions.iter().map(|stated| standing(&stated.version)).collect();
        let gap = newest.zip(oldest).and_then(|(new, old)| VersionGap::between(new, old));
        let folded_name = fold_case(&entry.name);
        let folded_vendor = entry.vendor.as_deref().map(fold_case);
        let vendor = folded_vendor.as_deref().unwrap_or_default();
        Self {
            app,
            standings,
            gap,
            since: entry.laggard.as_deref().and_then(|source| since.find(&entry.slug, source)),
            searched: format!("{}\n{folded_name}\n{vendor}", fold_case(&entry.slug)),
            folded_name,
            folded_vendor,
            entry,
        }
    }
}
