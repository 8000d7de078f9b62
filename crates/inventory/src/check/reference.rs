//! The versions of an app that installed versions are compared with.

use appstitch_stitching::newest::{Newest, VersionedSources};
use appstitch_versions::stated::Stated;

/// The newest version of an app, and other ways in which its sources count.
#[derive(Default)]
pub(super) struct References {
    /// The newest version with its build, as its source writes it.
    pub(super) newest: Option<Box<str>>,
    /// The same release as the record writes it.
    pub(super) shown: Option<Box<str>>,
    /// Whether the label compares its version with the build of the installed app.
    pub(super) counts_builds: bool,
    /// The same release as other sources write it. Their order says nothing.
    pub(super) spellings: Vec<Box<str>>,
    /// Versions of sources that count differently.
    pub(super) schemes: Vec<Box<str>>,
    /// The cask's version, if the cask is maintained and another source states a newer one. Labels
    /// sometimes find the version of a beta or of another app, so only what is older than the cask
    /// is outdated for sure.
    pub(super) cask: Option<Box<str>>,
}

impl References {
    /// The versions of an app's sources. A pre-release counts only if the record is for one, or if
    /// there is nothing else: an app that is installed in its newest release is up to date.
    pub(super) fn of(
        sources: VersionedSources<'_>,
        is_channel: bool,
        of_record: Option<&str>,
    ) -> Self {
        let sources = if is_channel { sources } else { sources.without_stages() };
        let Some(newest) = Newest::choose(sources) else { return Self::default() };
        let is_same = |version: &&str| Stated::compare(version, newest.full()).is_same();
        let mut found = Self {
            newest: Some(newest.full().into()),
            shown: of_record.filter(is_same).map(Into::into),
            ..Self::default()
        };
        let cask = sources.cask.filter(|cask| cask.deprecation.is_none());
        if let Some(version) = cask.and_then(|cask| cask.full_version.as_deref())
            && Stated::compare(version, newest.full()).is_older()
            && Stated::are_counted_alike(version, newest.full())
        {
            found.cask = Some(version.into());
        }
        for version in sources.full_versions() {
            if version == newest.full() {
                continue;
            }
            match Stated::compare(version, newest.full()) {
                Stated::Same(_) => found.spellings.push(version.into()),
                // Another release in the same scheme: the source lags.
                Stated::Different(Some(_)) if Stated::are_counted_alike(version, newest.full()) => {
                }
                Stated::Different(_) => found.schemes.push(version.into()),
            }
        }
        found
    }
}
