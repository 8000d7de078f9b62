//! What each source covers, and how old its data is.

use crate::{
    display::{Count, Moment},
    site::Site,
    source_names::{source_noun, source_title},
};

pub(super) struct SourceRow {
    pub(super) title: String,
    pub(super) noun: &'static str,
    pub(super) documents: Count,
    pub(super) apps: Count,
    pub(super) received_at: Option<Moment>,
    pub(super) changed_at: Option<Moment>,
}

/// The sources in the order in which they are served.
pub(super) fn rows(site: &Site<'_>) -> Vec<SourceRow> {
    let row = |status: &appstitch_types::SourceStatus| SourceRow {
        title: source_title(&status.source).to_owned(),
        noun: source_noun(&status.source),
        documents: Count(status.documents),
        apps: Count(status.apps),
        received_at: status.received_at.map(Moment),
        changed_at: status.changed_at.map(Moment),
    };
    site.sources().iter().map(row).collect()
}

/// The length of a bar that covers all apps.
const FULL: u64 = 400;
/// The shortest bar that can be seen.
const LEAST: u64 = 4;
/// From one bar to the next.
const STEP: usize = 44;

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
    let bar = |(number, status): (usize, &&appstitch_types::SourceStatus)| Bar {
        title: source_title(&status.source).to_owned(),
        apps: Count(status.apps),
        percent: (status.apps * 100 + total / 2) / total,
        y: number * STEP,
        length: (status.apps * FULL / total).clamp(LEAST, FULL),
    };
    sources.iter().enumerate().map(bar).collect()
}
