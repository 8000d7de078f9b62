//! The versions of a title that were ever published, and when its definition last changed.

use appstitch_text::fold_case;
use appstitch_types::SeenVersion;
use appstitch_versions::{is_lower_version, shown::is_shown, stated::Stated};
use jiff::{Timestamp, tz::TimeZone};
use ring::digest::{SHA256, digest};

use crate::{
    DEFAULT_MINIMUM,
    candidate::Candidate,
    choose::Title,
    definition::Definition,
    published::{PublishedVersion, TitleHistory},
};

/// The most versions of a definition.
pub const MOST_VERSIONS: usize = 100;

impl TitleHistory {
    /// The history of a title without a past.
    pub(crate) fn first(app: &Candidate, now: Timestamp) -> Self {
        let mut history = Self::new(now);
        history.rename(app);
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
            None => Self::new(now),
        };
        next.rename(app);
        next.learn(app, earlier, now);
        let state = next.fingerprint(app, title);
        if known.is_some_and(|known| known.state == state) {
            return None;
        }
        Some(Self { state, modified: now, ..next })
    }

    fn new(now: Timestamp) -> Self {
        Self {
            state: String::new(),
            modified: now,
            bundle_id: None,
            current: None,
            versions: Vec::new(),
        }
    }

    /// Notes which identifier the versions had, if the app has another one now. Macs that still have them
    /// would not be found by the new one. If the current version had the former one, a release did not
    /// change it: it was wrong.
    fn rename(&mut self, app: &Candidate) {
        let Some(now) = &app.bundle_id else { return };
        let former = self.bundle_id.replace(now.clone());
        let is_current = |known: &PublishedVersion| app.version.as_ref() == Some(&known.version);
        let is_wrong =
            self.versions.iter().any(|known| is_current(known) && known.bundle_id.is_none());
        let former = former.filter(|_| !is_wrong);
        for published in &mut self.versions {
            let had = published.bundle_id.take().or_else(|| former.clone());
            published.bundle_id =
                had.filter(|had| !is_current(published) && fold_case(had) != fold_case(now));
        }
    }

    fn learn(&mut self, app: &Candidate, earlier: &[SeenVersion], now: Timestamp) {
        let Some(current) = app.version.as_deref() else { return };
        self.current = Some(current.to_owned());
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
        let published = PublishedVersion { version, released, minimum_macos, bundle_id: None };
        self.versions.insert(place, published);
    }

    /// A hash of what is served, except when it changed. All versions are written in the same way, so one
    /// of them is written and the others are listed.
    fn fingerprint(&self, app: &Candidate, title: Title) -> String {
        let newest = Self {
            versions: self.versions.iter().take(1).cloned().collect(),
            ..Self::new(Timestamp::UNIX_EPOCH)
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
