//! Since when sources lag, as far as the journal goes back.

use std::collections::HashMap;

use appstitch_types::DriftEventKind;
use jiff::Timestamp;

use crate::journal::Journal;

/// The start of every lag that has not stopped, by slug and source.
#[derive(Default)]
pub(crate) struct LaggingSince<'a>(HashMap<(&'a str, &'a str), Timestamp>);

impl<'a> LaggingSince<'a> {
    pub(crate) fn of(journal: &'a Journal) -> Self {
        let mut starts = HashMap::new();
        for event in journal.drift_after(0) {
            let key = (event.slug.as_str(), event.source.as_str());
            match event.kind {
                DriftEventKind::Started => starts.insert(key, event.at),
                DriftEventKind::Stopped => starts.remove(&key),
            };
        }
        Self(starts)
    }

    pub(super) fn find(&self, slug: &str, source: &str) -> Option<Timestamp> {
        self.0.get(&(slug, source)).copied()
    }
}
