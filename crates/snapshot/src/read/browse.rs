//! The list of apps for people: the filters of the listing, and two that programs do not have.

use std::ops::Range;

use appstitch_types::{DriftScope, Source};

use crate::{
    listing::{Filter, Selection},
    snapshot::Snapshot,
};

/// Which apps somebody looks through.
#[derive(Debug, Clone, Default)]
pub struct Browsing {
    pub filter: Filter,
    /// Only apps whose sources disagree, whichever sources these are.
    pub drifting: bool,
    pub without_version: bool,
}

/// The apps that somebody looks through, in slug order.
pub struct Browsed<'a> {
    snapshot: &'a Snapshot,
    apps: Apps,
}

enum Apps {
    Selected(Selection),
    /// Few apps drift or have no version, so these are listed.
    Listed(Vec<u32>),
}

impl Snapshot {
    pub fn browse(&self, wanted: &Browsing) -> Browsed<'_> {
        let rows = &self.contents.rows;
        let selection = rows.apps.select(&wanted.filter);
        let apps = if wanted.drifting {
            let mut drifting = rows.drift(DriftScope::EVERYTHING).apps();
            drifting.retain(|position| {
                rows.apps.contains(selection, *position)
                    && !(wanted.without_version && rows.apps.has_version(*position))
            });
            Apps::Listed(drifting)
        } else if wanted.without_version {
            Apps::Listed(rows.apps.without_version(selection))
        } else {
            Apps::Selected(selection)
        };
        Browsed { snapshot: self, apps }
    }

    /// Every source with an entry of an app. The record of the app cannot name the store.
    pub fn sources_of(&self, position: u32) -> impl Iterator<Item = Source> {
        let sources = self.contents.rows.apps.sources(position);
        Source::ALL.into_iter().filter(move |source| sources.contains(*source))
    }

    /// Whether the cask catalog has deprecated or disabled an app.
    pub fn is_deprecated(&self, position: u32) -> bool {
        self.contents.rows.apps.is_deprecated(position)
    }
}

impl Browsed<'_> {
    pub fn total(&self) -> usize {
        match &self.apps {
            Apps::Selected(selection) => self.snapshot.contents.rows.apps.count(*selection),
            Apps::Listed(positions) => positions.len(),
        }
    }

    /// The positions of some of the apps. The range is within the total.
    pub fn page(&self, range: Range<usize>) -> Vec<u32> {
        match &self.apps {
            Apps::Selected(selection) => {
                self.snapshot.contents.rows.apps.positions(*selection, range.start, range.end)
            }
            Apps::Listed(positions) => positions.get(range).unwrap_or_default().to_vec(),
        }
    }
}
