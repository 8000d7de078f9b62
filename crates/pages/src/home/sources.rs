//! How old the data of each source is.

use crate::{Count, Moment, Site, source_noun, source_title};

/// A row of the table of sources.
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
    let row = |status: &appstitch_catalog::SourceStatus| SourceRow {
        title: source_title(&status.source).to_owned(),
        noun: source_noun(&status.source),
        documents: Count(status.documents),
        apps: Count(status.apps),
        received_at: status.received_at.map(Moment),
        changed_at: status.changed_at.map(Moment),
    };
    site.sources().iter().map(row).collect()
}
