//! How much of the journal a feed holds.

use jiff::{SignedDuration, Timestamp};

/// The size of a feed: at least some entries, and everything of the last two days, so that a reader
/// who looks once a day misses nothing. The days count from the newest entry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    least: usize,
    most: usize,
}

/// How far back a feed is complete.
const RECENT: SignedDuration = SignedDuration::from_hours(48);

impl Size {
    /// For feeds of many apps.
    pub(crate) const CATALOG: Self = Self { least: 100, most: MOST };
    pub(crate) const APP: Self = Self { least: 20, most: MOST };
    /// For archives, which have as many as fit.
    pub(crate) const ALL: Self = Self { least: MOST, most: MOST };

    /// Whether it leaves nothing out.
    pub(crate) fn is_whole(self) -> bool {
        self.least == self.most
    }

    /// Whether an entry of a time follows this many.
    pub(crate) fn has_room(self, count: usize, newest: Timestamp, at: Timestamp) -> bool {
        count < self.least || (count < self.most && newest.duration_since(at) <= RECENT)
    }
}

/// The most entries of a feed, and of one part of an archive. What a feed leaves out for it is in the
/// archive, because a part is complete as soon as it has this many.
pub(crate) const MOST: usize = 2000;

pub(crate) fn newest<T>(
    items: impl Iterator<Item = T>,
    size: Size,
    at: impl Fn(&T) -> Timestamp,
) -> Vec<T> {
    let mut chosen: Vec<T> = Vec::new();
    for item in items {
        let newest = chosen.first().map_or_else(|| at(&item), &at);
        if !size.has_room(chosen.len(), newest, at(&item)) {
            break;
        }
        chosen.push(item);
    }
    chosen
}
