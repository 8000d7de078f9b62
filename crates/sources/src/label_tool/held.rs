//! Which of several findings for one label holds.
//!
//! The newest holds, for the version and the download URL separately. A newer version that is lower
//! than an older one of another finder must be settled: found at two times at least an hour apart.
//! There is no clock here: the same findings always give the same answer.

use std::cmp::Reverse;

use appstitch_catalog::{
    FoundBy, LabelFinding, LabelValues, check_found_address, check_found_version, is_lower_version,
};
use appstitch_labels::asks_architecture;
use jiff::Timestamp;
use serde_json::Value;

use super::resolution::{Resolution, RunValues};
use crate::label_versions::TrackedVersion;

/// The values that hold for a label.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeldValues {
    /// The version.
    pub version: Option<HeldValue>,
    /// The download URL.
    pub download_url: Option<HeldValue>,
}

/// A value that holds, and who found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldValue {
    /// The value.
    pub value: String,
    /// Who found it, and when.
    pub finding: LabelFinding,
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

/// A version that somebody found.
struct FoundVersion<'a> {
    version: &'a str,
    /// When it was last found.
    seen_at: Option<Timestamp>,
    finding: LabelFinding,
    is_settled: bool,
    intel: Option<&'a RunValues>,
}

impl HeldValues {
    /// Chooses between the findings for a fragment. Junk that an earlier version of the program
    /// stored is ignored.
    pub fn choose<'a>(
        own: impl IntoIterator<Item = &'a Resolution> + Clone,
        tracked: Option<&'a TrackedVersion>,
    ) -> Self {
        let version = newest_version(own.clone(), tracked);
        let download_url = newest_address(own, version.as_ref());
        Self { version, download_url }
    }

    /// The values by the names of their variables.
    pub(super) fn by_variable(&self) -> impl Iterator<Item = (&'static str, &HeldValue)> {
        let url = self.download_url.as_ref().map(|held| ("downloadURL", held));
        let version = self.version.as_ref().map(|held| ("appNewVersion", held));
        url.into_iter().chain(version)
    }
}

/// Notes who found the value of a variable.
pub(super) fn note(found: &mut LabelValues, variable: &str, finding: LabelFinding) {
    match variable {
        "downloadURL" => found.download_url = Some(finding),
        _ => found.version = Some(finding),
    }
}

fn newest_version<'a>(
    own: impl IntoIterator<Item = &'a Resolution>,
    tracked: Option<&'a TrackedVersion>,
) -> Option<HeldValue> {
    let of_resolution = |resolution: &'a Resolution| {
        let version = check_found_version(resolution.version()?).ok()?;
        let found_at = resolution.version_found_at();
        Some(FoundVersion {
            version,
            seen_at: resolution.version_seen_at(),
            finding: LabelFinding { found_by: resolution.found_by(), found_at },
            is_settled: resolution.is_settled(),
            intel: resolution.intel(),
        })
    };
    let of_tracker = |tracked: &'a TrackedVersion| {
        let found_at = Some(tracked.found_at);
        let version = check_found_version(&tracked.app_new_version).ok()?;
        Some(FoundVersion {
            version,
            // It is not known whether the tracker ran this label since.
            seen_at: found_at,
            finding: LabelFinding { found_by: FoundBy::Tracker, found_at },
            is_settled: tracked.is_settled,
            intel: None,
        })
    };
    let mut found: Vec<FoundVersion<'_>> =
        own.into_iter().filter_map(of_resolution).chain(tracked.and_then(of_tracker)).collect();
    found.sort_by_key(|found| newest_first(found.seen_at, found.finding.found_by));
    let position = (0..found.len()).find(|position| {
        let newer = &found[*position];
        let mut older = found[position + 1..].iter();
        newer.is_settled || !older.any(|older| is_lower_version(newer.version, older.version))
    })?;
    let FoundVersion { version, finding, intel, .. } = &found[position];
    Some(HeldValue {
        value: (*version).to_owned(),
        finding: *finding,
        intel: intel.and_then(|intel| intel.app_new_version.clone()),
    })
}

/// The newest URL. One that contains the version found with it is valid only with that version.
fn newest_address<'a>(
    own: impl IntoIterator<Item = &'a Resolution>,
    version: Option<&HeldValue>,
) -> Option<HeldValue> {
    let fits = |resolution: &&Resolution| {
        let is_other =
            version.is_some_and(|held| Some(held.value.as_str()) != resolution.version());
        !(is_other && resolution.address_names_version())
    };
    let held = |resolution: &'a Resolution| {
        let url = resolution.download_url()?;
        check_found_address(url).ok()?;
        let (found_by, found_at) = (resolution.found_by(), resolution.download_found_at());
        let held = HeldValue {
            value: url.to_owned(),
            finding: LabelFinding { found_by, found_at },
            intel: resolution.intel().and_then(|intel| intel.download_url.clone()),
        };
        Some((newest_first(resolution.download_seen_at(), found_by), held))
    };
    let found = own.into_iter().filter(fits).filter_map(held);
    found.min_by_key(|(age, _)| *age).map(|(_, held)| held)
}

/// An unknown time is older than any known one. At the same time, the finders have an order.
fn newest_first(
    seen_at: Option<Timestamp>,
    found_by: FoundBy,
) -> (Reverse<Option<Timestamp>>, FoundBy) {
    (Reverse(seen_at), found_by)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> Timestamp {
        format!("2026-11-15T{time}Z").parse().unwrap()
    }

    fn found(found_by: FoundBy, url: Option<&str>, version: &str, times: &[&str]) -> Resolution {
        let mut resolution = Resolution::new("one", found_by);
        for time in times {
            let run = RunValues {
                download_url: url.map(str::to_owned),
                app_new_version: Some(version.to_owned()),
            };
            resolution.take(run, None, at(time));
        }
        resolution
    }

    fn tracked(version: &str, time: &str, is_settled: bool) -> TrackedVersion {
        TrackedVersion { app_new_version: version.to_owned(), found_at: at(time), is_settled }
    }

    fn version(own: &[Resolution], tracked: Option<&TrackedVersion>) -> (String, FoundBy) {
        let held = HeldValues::choose(own, tracked).version.unwrap();
        (held.value, held.finding.found_by)
    }

    #[test]
    fn the_newest_finding_holds_in_any_order() {
        let run = found(FoundBy::Run, None, "1.1", &["11:00:00"]);
        let posted = found(FoundBy::Posted, None, "1.2", &["12:00:00"]);
        let newer = tracked("1.3", "13:00:00", false);
        let older = tracked("1.0", "10:00:00", true);
        for own in [[run.clone(), posted.clone()], [posted, run]] {
            assert_eq!(version(&own, None), ("1.2".to_owned(), FoundBy::Posted));
            assert_eq!(version(&own, Some(&newer)), ("1.3".to_owned(), FoundBy::Tracker));
            assert_eq!(version(&own, Some(&older)), ("1.2".to_owned(), FoundBy::Posted));
        }
    }

    #[test]
    fn a_finding_is_as_new_as_the_last_time_it_was_found() {
        let own = [found(FoundBy::Run, None, "1.2", &["10:00:00", "14:00:00"])];
        let later = tracked("1.1", "12:00:00", true);
        assert_eq!(version(&own, Some(&later)), ("1.2".to_owned(), FoundBy::Run));
    }

    #[test]
    fn a_finding_of_unknown_age_is_older_than_all_others() {
        let stored = r#"{"fragment":"x","appNewVersion":"9.0-beta"}"#;
        let unknown: Resolution = serde_json::from_str(stored).unwrap();
        let own = [unknown];
        assert_eq!(version(&own, None).0, "9.0-beta");
        assert_eq!(version(&own, Some(&tracked("9.0", "10:00:00", false))).0, "9.0");
    }

    #[test]
    fn a_newer_but_lower_version_must_be_settled() {
        let higher = tracked("1.2", "10:00:00", true);
        let once = [found(FoundBy::Run, None, "1.1", &["12:00:00"])];
        assert_eq!(version(&once, Some(&higher)), ("1.2".to_owned(), FoundBy::Tracker));
        let twice = [found(FoundBy::Run, None, "1.1", &["12:00:00", "13:00:00"])];
        assert_eq!(version(&twice, Some(&higher)), ("1.1".to_owned(), FoundBy::Run));

        let own = [found(FoundBy::Run, None, "1.2", &["10:00:00"])];
        assert_eq!(version(&own, Some(&tracked("1.1", "12:00:00", false))).0, "1.2");
        assert_eq!(version(&own, Some(&tracked("1.1", "12:00:00", true))).0, "1.1");
    }

    #[test]
    fn an_address_that_names_another_version_does_not_mix() {
        let naming =
            [found(FoundBy::Run, Some("https://example.com/a-1.1.dmg"), "1.1", &["10:00:00"])];
        let newer = tracked("1.2", "12:00:00", true);
        assert!(HeldValues::choose(&naming, None).download_url.is_some());
        assert_eq!(HeldValues::choose(&naming, Some(&newer)).download_url, None);
        let plain = [found(FoundBy::Run, Some("https://example.com/a.dmg"), "1.1", &["10:00:00"])];
        let held = HeldValues::choose(&plain, Some(&newer));
        assert_eq!(held.download_url.unwrap().finding.found_by, FoundBy::Run);
        assert_eq!(held.version.unwrap().value, "1.2");
    }

    #[test]
    fn junk_in_the_store_is_not_served() {
        let stored = r#"{"fragment":"x","appNewVersion":"and","downloadURL":"https://github.com"}"#;
        let junk: Resolution = serde_json::from_str(stored).unwrap();
        assert_eq!(HeldValues::choose(&[junk], None), HeldValues::default());
    }
}
