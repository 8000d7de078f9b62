//! What one finder found by running a label: its version and download URL.
//!
//! A resolution is a document of the store, one per finder and label. A version that goes backwards
//! waits beside the held one until it is found again at least an hour later: one failing page or
//! one server of many with an old file must not take a version back.

use appstitch_types::FoundBy;
use appstitch_versions::is_lower_version;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::times::Times;
use crate::label_versions::SETTLING_TIME;

/// The values found by running one label. They are valid only for the fragment that was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    fragment: String,
    /// Who ran it. Earlier versions of the program knew only posted results.
    #[serde(default)]
    found_by: FoundBy,
    #[serde(rename = "downloadURL", default, skip_serializing_if = "Option::is_none")]
    download_url: Option<String>,
    #[serde(rename = "downloadURL_times", default, skip_serializing_if = "Option::is_none")]
    download_times: Option<Times>,
    #[serde(rename = "appNewVersion", default, skip_serializing_if = "Option::is_none")]
    app_new_version: Option<String>,
    #[serde(rename = "appNewVersion_times", default, skip_serializing_if = "Option::is_none")]
    version_times: Option<Times>,
    /// What an Intel Mac gets; `None` if the label was not run for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    i386: Option<RunValues>,
    /// A lower version that was found once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pending: Option<PendingVersion>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct PendingVersion {
    #[serde(rename = "appNewVersion")]
    app_new_version: String,
    found_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunValues {
    #[serde(rename = "downloadURL", default, skip_serializing_if = "Option::is_none")]
    pub download_url: Option<String>,
    #[serde(rename = "appNewVersion", default, skip_serializing_if = "Option::is_none")]
    pub app_new_version: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    Held,
    /// The version is lower than the held one and waits.
    Pending {
        known: String,
        /// From when on the version is held if it is found again.
        settles_at: Timestamp,
    },
    /// A later run found something else.
    Outdated,
}

impl Resolution {
    /// A finder's resolution of a fragment before its first run.
    pub fn new(fragment: &str, found_by: FoundBy) -> Self {
        Self {
            fragment: fingerprint(fragment),
            found_by,
            download_url: None,
            download_times: None,
            app_new_version: None,
            version_times: None,
            i386: None,
            pending: None,
        }
    }

    pub fn found_by(&self) -> FoundBy {
        self.found_by
    }

    pub fn is_of(&self, fragment: &str) -> bool {
        self.fragment == fingerprint(fragment)
    }

    /// Takes the values of a run. `i386` is what an Intel Mac gets, if the label was run for one.
    pub fn take(&mut self, run: RunValues, i386: Option<RunValues>, at: Timestamp) -> Taken {
        let is_new_version = match &run.app_new_version {
            None => false,
            Some(version) if Some(version) == self.app_new_version.as_ref() => {
                self.pending = None;
                Times::see(&mut self.version_times, at);
                false
            }
            Some(_) if is_later(self.version_times, at) => return Taken::Outdated,
            Some(version) => match self.admit(version, at) {
                Ok(times) => {
                    self.version_times = Some(times);
                    true
                }
                Err(pending) => return pending,
            },
        };
        self.take_address(run.download_url, run.app_new_version.as_deref(), at);
        if is_new_version {
            self.app_new_version = run.app_new_version;
        }
        if i386.is_some() || is_new_version {
            self.i386 = i386;
        }
        Taken::Held
    }

    /// The times of a version that may be held now, or why it may not.
    fn admit(&mut self, version: &str, at: Timestamp) -> Result<Times, Taken> {
        let lower_than =
            self.app_new_version.clone().filter(|held| is_lower_version(version, held));
        let pending = self.pending.take();
        let Some(known) = lower_than else {
            return Ok(Times::first(at));
        };
        let first = pending.filter(|pending| pending.app_new_version == version);
        let found_at = first.map_or(at, |first| first.found_at.min(at));
        if at.duration_since(found_at) >= SETTLING_TIME {
            return Ok(Times::twice(found_at, at));
        }
        let settles_at = found_at.saturating_add(SETTLING_TIME).unwrap_or(found_at);
        self.pending = Some(PendingVersion { app_new_version: version.to_owned(), found_at });
        Err(Taken::Pending { known, settles_at })
    }

    /// Takes the URL of a run that found `version`. If the run found only one of the two values,
    /// the other one is kept unless it belongs to another release: a URL that contains its version
    /// is valid only with that version.
    fn take_address(&mut self, url: Option<String>, version: Option<&str>, at: Timestamp) {
        if url.is_some() && url == self.download_url {
            Times::see(&mut self.download_times, at);
            return;
        }
        if is_later(self.download_times, at) {
            return;
        }
        let names_version = names(self.download_url.as_deref(), self.app_new_version.as_deref());
        match url {
            Some(url) => {
                if version.is_none() && names_version {
                    self.app_new_version = None;
                    self.version_times = None;
                    self.i386 = None;
                }
                self.download_url = Some(url);
                self.download_times = Some(Times::first(at));
            }
            None if names_version
                && version.is_some_and(|version| self.version() != Some(version)) =>
            {
                self.download_url = None;
                self.download_times = None;
            }
            None => {}
        }
    }

    pub(crate) fn version(&self) -> Option<&str> {
        self.app_new_version.as_deref()
    }

    pub(crate) fn download_url(&self) -> Option<&str> {
        self.download_url.as_deref()
    }

    /// When the version was found first; `None` if there is none or that is unknown.
    pub(crate) fn version_found_at(&self) -> Option<Timestamp> {
        self.version_times?.found_at()
    }

    pub(crate) fn version_seen_at(&self) -> Option<Timestamp> {
        self.version_times.map(|times| times.seen_at())
    }

    /// A time at which the version was found, and after which it was found again far enough apart.
    pub(crate) fn version_confirmed_at(&self) -> Option<Timestamp> {
        self.version_times?.confirmed_at()
    }

    /// From when on the version, if it is found again, replaces a higher one of another finder that
    /// was found last at `known`.
    pub fn version_settles_at(&self, known: Option<Timestamp>) -> Option<Timestamp> {
        self.version_times.map(|times| times.settles_at(known))
    }

    pub(crate) fn download_seen_at(&self) -> Option<Timestamp> {
        self.download_times.map(|times| times.seen_at())
    }

    pub(crate) fn download_found_at(&self) -> Option<Timestamp> {
        self.download_times?.found_at()
    }

    pub(crate) fn intel(&self) -> Option<&RunValues> {
        self.i386.as_ref()
    }

    /// Whether the URL contains the version that was found with it.
    pub(crate) fn address_names_version(&self) -> bool {
        names(self.download_url(), self.version())
    }
}

fn names(url: Option<&str>, version: Option<&str>) -> bool {
    url.zip(version).is_some_and(|(url, version)| url.contains(version))
}

fn is_later(times: Option<Times>, than: Timestamp) -> bool {
    times.is_some_and(|times| times.seen_at() > than)
}

/// A hash of a fragment's text. It is written to the store.
///
/// This is FNV-1a. Unlike the standard library's hashers, it gives the same result on every
/// machine and in every version. A cryptographic hash is not needed: the hash only has to
/// distinguish a fragment from its own earlier text, and anyone who could forge a fragment can
/// upload one anyway. Changing the function would invalidate every stored resolution.
pub fn fingerprint(fragment: &str) -> String {
    let hash = fragment.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}-{}", fragment.len())
}

#[cfg(test)]
mod tests;
