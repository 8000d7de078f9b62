//! How many apps each source covers, as the bars of a plot.

use crate::{Count, Site, source_title};

/// The length of a bar that covers all apps.
const FULL: u64 = 400;
/// The shortest bar that can be seen.
const LEAST: u64 = 4;
/// From one bar to the next.
const STEP: usize = 44;

/// A bar of the plot.
pub(super) struct Bar {
    pub(super) title: String,
    pub(super) apps: Count,
    /// In percent of all apps, rounded.
    pub(super) percent: u64,
    pub(super) y: usize,
    pub(super) length: u64,
}

/// The bars of the sources that have apps, most first.
pub(super) fn bars(site: &Site<'_>) -> Vec<Bar> {
    let total = site.snapshot.stats().total_apps.max(1);
    let mut sources: Vec<_> = site.sources().iter().filter(|status| status.apps > 0).collect();
    sources.sort_by_key(|status| std::cmp::Reverse(status.apps));
    let bar = |(number, status): (usize, &&appstitch_catalog::SourceStatus)| Bar {
        title: source_title(&status.source).to_owned(),
        apps: Count(status.apps),
        percent: (status.apps * 100 + total / 2) / total,
        y: number * STEP,
        length: (status.apps * FULL / total).clamp(LEAST, FULL),
    };
    sources.iter().enumerate().map(bar).collect()
}
