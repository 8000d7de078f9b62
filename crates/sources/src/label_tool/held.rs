//! Which of several findings for one label holds.
//!
//! The newest holds, for the version and the download URL separately. A newer version that is lower
//! than an older one of another finder must be found twice since, at least an hour apart. If
//! several found the value, the first one is named: finding it again changes nothing.
//! There is no clock here: the same findings always give the same answer.

use std::cmp::Reverse;

use appstitch_labels::asks_architecture;
use appstitch_text::{check_found_address, check_found_version};
use appstitch_types::{FoundBy, LabelFinding, LabelValues};
use appstitch_versions::is_lower_version;
use jiff::Timestamp;
use serde_json::Value;

use super::resolution::Resolution;
use crate::label_versions::TrackedVersion;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeldValues {
    pub version: Option<HeldValue>,
    pub download_url: Option<HeldValue>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldValue {
    pub value: String,
    pub finding: LabelFinding,
    /// When anyone found it last.
    pub seen_at: Option<Timestamp>,
    /// Whether only the tracker found it.
    pub(super) is_only_tracked: bool,
    /// The value for an Intel Mac, if the label was run for one and found one.
    pub(super) intel: Option<String>,
}

impl HeldValue {
    /// What differs on an Intel Mac; null if the value is unknown there. `computed` is the value
    /// that follows from the label's text.
    pub(super) fn on_intel(&self, fragment: &str, computed: Option<Value>) -> Option<Value> {
        let asks = asks_architecture(fragment);
        match &self.intel {
            Some(intel) => (*intel != self.value).then(|| Value::String(intel.clone())),
            // The label was run on one architecture only, or found nothing on the other one.
            None => asks.then(|| computed.unwrap_or(Value::Null)),
        }
    }
}

struct FoundValue<'a> {
    value: &'a str,
    seen_at: Option<Timestamp>,
    /// A time at which it was found, and after which it was found again far enough apart.
    confirmed_at: Option<Timestamp>,
    finding: LabelFinding,
    intel: Option<&'a String>,
}

impl FoundValue<'_> {
    /// An unknown time is older than any known one. At the same time, the finders have an order.
    fn newest_first(&self) -> impl Ord + use<> {
        (Reverse(self.seen_at), self.finding.found_by)
    }

    /// An unknown time counts as the last one.
    fn first_found_first(&self) -> impl Ord + use<> {
        let found_at = self.finding.found_at;
        (found_at.is_none(), found_at, self.finding.found_by)
    }

    /// Whether this version may replace one that was found before.
    fn replaces_version(&self, older: &Self) -> bool {
        let is_confirmed = self.confirmed_at.is_some() && self.confirmed_at >= older.seen_at;
        is_confirmed || !is_lower_version(self.value, older.value)
    }
}

/// A value with everything that its finders know of it. `found` has the newest finding first.
fn held(value: &str, found: &[FoundValue<'_>]) -> Option<HeldValue> {
    let same = || found.iter().filter(|found| found.value == value);
    let is_tracked = |found: &FoundValue<'_>| found.finding.found_by == FoundBy::Tracker;
    let is_only_tracked = same().all(is_tracked);
    // The tracker is named only if no one else found its version. Own runs and posts that agree
    // confirm each other all the time, so the first of them is named.
    let named = same().filter(|found| is_tracked(found) == is_only_tracked);
    let finding = named.min_by_key(|found| found.first_found_first())?.finding;
    Some(HeldValue {
        value: value.to_owned(),
        finding,
        seen_at: same().find_map(|found| found.seen_at),
        is_only_tracked,
        intel: same().find_map(|found| found.intel).cloned(),
    })
}

impl HeldValues {
    /// Chooses between the findings for a fragment. Junk that an earlier version of the program
    /// stored is ignored.
    pub fn choose<'a>(
        resolutions: impl IntoIterator<Item = &'a Resolution> + Clone,
        tracked: Option<&'a TrackedVersion>,
        fragment: &str,
    ) -> Self {
        let version = newest_version(resolutions.clone(), tracked);
        let tracked = tracked.and_then(|tracked| TrackedAddress::of(tracked, fragment));
        let download_url = newest_address(resolutions, tracked.as_ref(), version.as_ref());
        Self { version, download_url }
    }

    pub(super) fn by_variable(&self) -> impl Iterator<Item = (&'static str, &HeldValue)> {
        let url = self.download_url.as_ref().map(|held| ("downloadURL", held));
        let version = self.version.as_ref().map(|held| ("appNewVersion", held));
        url.into_iter().chain(version)
    }
}

pub(super) fn note(found: &mut LabelValues, variable: &str, finding: LabelFinding) {
    match variable {
        "downloadURL" => found.download_url = Some(finding),
        _ => found.version = Some(finding),
    }
}

fn newest_version<'a>(
    resolutions: impl IntoIterator<Item = &'a Resolution>,
    tracked: Option<&'a TrackedVersion>,
) -> Option<HeldValue> {
    let of_resolution = |resolution: &'a Resolution| {
        let found_at = resolution.version_found_at();
        Some(FoundValue {
            value: check_found_version(resolution.version()?).ok()?,
            seen_at: resolution.version_seen_at(),
            confirmed_at: resolution.version_confirmed_at(),
            finding: LabelFinding { found_by: resolution.found_by(), found_at },
            intel: resolution.intel().and_then(|intel| intel.app_new_version.as_ref()),
        })
    };
    let of_tracker = |tracked: &'a TrackedVersion| {
        let found_at = Some(tracked.found_at);
        Some(FoundValue {
            value: check_found_version(&tracked.app_new_version).ok()?,
            // It is not known whether the tracker ran this label since.
            seen_at: found_at,
            confirmed_at: found_at.filter(|_| tracked.is_settled),
            finding: LabelFinding { found_by: FoundBy::Tracker, found_at },
            intel: None,
        })
    };
    let mut found: Vec<FoundValue<'_>> = resolutions
        .into_iter()
        .filter_map(of_resolution)
        .chain(tracked.and_then(of_tracker))
        .collect();
    found.sort_by_key(FoundValue::newest_first);
    let position = (0..found.len()).find(|position| {
        let mut older = found[position + 1..].iter();
        older.all(|older| found[*position].replaces_version(older))
    })?;
    held(found[position].value, &found)
}

/// The address that the tracker found with a version.
struct TrackedAddress {
    url: String,
    intel: Option<String>,
    version: String,
    found_at: Timestamp,
}

impl TrackedAddress {
    fn of(tracked: &TrackedVersion, fragment: &str) -> Option<Self> {
        Some(Self {
            url: tracked.download_url(fragment)?,
            intel: tracked.intel_download_url(fragment),
            version: tracked.app_new_version.clone(),
            found_at: tracked.found_at,
        })
    }
}

/// The newest URL. One that contains the version found with it is valid only with that version.
fn newest_address<'a: 'b, 'b>(
    resolutions: impl IntoIterator<Item = &'a Resolution>,
    tracked: Option<&'b TrackedAddress>,
    version: Option<&HeldValue>,
) -> Option<HeldValue> {
    let is_other =
        |found: Option<&str>| version.is_some_and(|held| Some(held.value.as_str()) != found);
    let fits = |resolution: &&Resolution| {
        !(is_other(resolution.version()) && resolution.address_names_version())
    };
    // Nobody knows what a file of the newest release is called after the next one.
    let of_tracker = tracked.filter(|tracked| !is_other(Some(&tracked.version))).map(|tracked| {
        let found_at = Some(tracked.found_at);
        FoundValue {
            value: &tracked.url,
            seen_at: found_at,
            confirmed_at: None,
            finding: LabelFinding { found_by: FoundBy::Tracker, found_at },
            intel: tracked.intel.as_ref(),
        }
    });
    let of_resolution = |resolution: &'a Resolution| -> Option<FoundValue<'b>> {
        let url = resolution.download_url()?;
        check_found_address(url).ok()?;
        let (found_by, found_at) = (resolution.found_by(), resolution.download_found_at());
        Some(FoundValue {
            value: url,
            seen_at: resolution.download_seen_at(),
            confirmed_at: None,
            finding: LabelFinding { found_by, found_at },
            intel: resolution.intel().and_then(|intel| intel.download_url.as_ref()),
        })
    };
    let mut found: Vec<FoundValue<'b>> =
        resolutions.into_iter().filter(fits).filter_map(of_resolution).collect();
    found.sort_by_key(FoundValue::newest_first);
    // Others found the address before its redirects, which may lead elsewhere tomorrow.
    if found.is_empty() {
        found.extend(of_tracker);
    }
    held(found.first()?.value, &found)
}

#[cfg(test)]
mod tests;
