//! The versions of a title that were ever published, and when its definition last changed.

use appstitch_types::SeenVersion;
use appstitch_versions::{is_lower_version, stated::Stated};
use jiff::{Timestamp, tz::TimeZone};
use ring::digest::{SHA256, digest};

use crate::{
    DEFAULT_MINIMUM,
    candidate::Candidate,
    choose::Title,
    definition::Definition,
    published::{PublishedVersion, TitleHistory},
    version_form::is_shown,
};

/// The most versions of a definition.
pub const MOST_VERSIONS: usize = 100;

impl TitleHistory {
    /// The history of a title without a past.
    pub(crate) fn first(app: &Candidate, now: Timestamp) -> Self {
        let mut history = Self { state: String::new(), modified: now, versions: Vec::new() };
        history.learn(app, &[], now);
        history
    }

    /// The history after a revision; `None` if the revision changes nothing. `earlier` are versions that
    /// were seen before this one, oldest first, and which the history may not know yet.
    pub fn after(
        known: Option<&Self>,
        app: &Candidate,
        title: Title,
        earlier: &[SeenVersion],
        now: Timestamp,
    ) -> Option<Self> {
        let mut next = match known {
            Some(known) => known.clone(),
            None => Self { state: String::new(), modified: now, versions: Vec::new() },
        };
        next.learn(app, earlier, now);
        let state = next.fingerprint(app, title);
        if known.is_some_and(|known| known.state == state) {
            return None;
        }
        Some(Self { state, modified: now, ..next })
    }

    fn learn(&mut self, app: &Candidate, earlier: &[SeenVersion], now: Timestamp) {
        let Some(current) = app.version.as_deref() else { return };
        for seen in earlier {
            self.insert(&seen.version, seen.at, None);
        }
        for seen in &app.seen {
            // What is counted in another way would be in a wrong place, and no app would show it.
            let fits = is_shown(&seen.version) && Stated::are_counted_alike(&seen.version, current);
            if fits {
                self.insert(&seen.version, seen.at, None);
            }
        }
        let released = app.released.and_then(|day| day.to_zoned(TimeZone::UTC).ok());
        let released = released.map(|day| day.timestamp());
        self.insert(current, released.unwrap_or(now), app.minimum_macos.as_deref());
        if let Some(published) = self.versions.iter_mut().find(|known| known.version == current) {
            published.released = released.unwrap_or(published.released);
            published.minimum_macos.clone_from(&app.minimum_macos);
        }
        // The current version can be among the oldest ones, after a downgrade.
        while self.versions.len() > MOST_VERSIONS {
            match self.versions.iter().rposition(|known| known.version != current) {
                Some(oldest) => self.versions.remove(oldest),
                None => break,
            };
        }
    }

    /// Puts a new version before the first one that is not certainly newer. So a version without a known
    /// order counts as newer than those that were seen before it.
    fn insert(&mut self, version: &str, released: Timestamp, minimum_macos: Option<&str>) {
        if self.versions.iter().any(|known| known.version == version) {
            return;
        }
        let is_older = |known: &PublishedVersion| !is_lower_version(version, &known.version);
        let place = self.versions.iter().position(is_older).unwrap_or(self.versions.len());
        let minimum_macos = minimum_macos.map(str::to_owned);
        let version = version.to_owned();
        self.versions.insert(place, PublishedVersion { version, released, minimum_macos });
    }

    /// A hash of what is served, except when it changed. All versions are written in the same way, so one
    /// of them is written and the others are listed.
    fn fingerprint(&self, app: &Candidate, title: Title) -> String {
        let newest = Self {
            state: String::new(),
            modified: Timestamp::UNIX_EPOCH,
            versions: self.versions.iter().take(1).cloned().collect(),
        };
        let definition = Definition::new(app, title, &newest, DEFAULT_MINIMUM);
        // Writing these values to memory cannot fail.
        let text = serde_json::to_vec(&(definition, &self.versions)).unwrap_or_default();
        let hash = digest(&SHA256, &text);
        let (first, _) = hash.as_ref().split_at(8);
        let number = first.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        format!("{number:016x}")
    }
}

#[cfg(test)]
mod tests;
