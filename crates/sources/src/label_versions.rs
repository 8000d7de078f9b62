//! `label_versions`: the versions that a Mac found by running the labels.
//!
//! The upstream file is a tar archive of the public tracker. Each file under `TrackedLabelDetails`
//! lists what one label gave, with a time: a new entry whenever the version changes. The newest
//! version of each label is kept, with the address that was found with it, and when each of its last
//! versions was found.

mod address;
mod archive;
mod history;

use std::{collections::HashMap, io::Read};

use appstitch_budget::Budget;
use appstitch_types::SeenVersion;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::parsed_file::{FileError, ParsedFile, UpstreamEntry};
use history::History;

/// How far the clock of a finder may be ahead.
pub const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_mins(5);

/// How long after the first time a lower version must be found again, to be believed.
pub(crate) const SETTLING_TIME: SignedDuration = SignedDuration::from_hours(1);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackedVersion {
    /// Empty if it was junk, and only the address is good.
    #[serde(rename = "appNewVersion")]
    pub(crate) app_new_version: String,
    pub(crate) found_at: Timestamp,
    /// Whether the tracker went on for long enough without finding another one.
    pub(crate) is_settled: bool,
    /// Where the redirects of the download ended.
    #[serde(rename = "downloadURL", default, skip_serializing_if = "Option::is_none")]
    download_url: Option<String>,
    /// The same on an Intel Mac, if the label asks for the architecture.
    #[serde(rename = "downloadURLi386", default, skip_serializing_if = "Option::is_none")]
    intel_download_url: Option<String>,
    /// Every version that was found, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) seen: Vec<SeenVersion>,
}

impl TrackedVersion {
    /// The address to serve for a label with this text.
    pub(crate) fn download_url(&self, fragment: &str) -> Option<String> {
        address::permanent(self.download_url.as_deref()?, fragment)
    }

    /// [`Self::download_url`] for an Intel Mac.
    pub(crate) fn intel_download_url(&self, fragment: &str) -> Option<String> {
        address::permanent(self.intel_download_url.as_deref()?, fragment)
    }
}

/// Splits the upstream archive into one document per label. The key is the label's name. Findings
/// later than `received_at` are ignored: one of them would be the newest for years, and the time by
/// which all others settle.
pub fn read(
    archive: &mut dyn Read,
    received_at: Timestamp,
    budget: &mut Budget,
) -> Result<ParsedFile, FileError> {
    let mut parsed = ParsedFile::default();
    let mut histories: Vec<(String, History)> = Vec::new();
    for (name, content) in archive::tracked_files(archive, &mut parsed, budget)? {
        budget.step(content.as_ref().map_or(1, Vec::len) as u64)?;
        match content.and_then(|body| History::read(&body, received_at)) {
            Ok((history, ignored)) => {
                if let Some(why) = ignored {
                    parsed.note(&name, &why, budget);
                }
                histories.push((name, history));
            }
            Err(why) => parsed.refuse(&name, &why, budget),
        }
    }
    let newest = histories.iter().map(|(_, history)| history.newest_at()).max();
    for (name, history) in histories {
        match history.current(newest.unwrap_or_default()) {
            Err(why) => parsed.refuse(&name, &why, budget),
            Ok((version, pending)) => {
                let version = TrackedVersion { seen: history.seen(), ..version };
                if let Some(why) = pending {
                    parsed.note(&name, &why, budget);
                }
                match serde_json::to_vec(&version) {
                    Ok(body) => {
                        parsed.take(UpstreamEntry { key: name, body: body.into() }, budget)?;
                    }
                    Err(error) => parsed.refuse(&name, &error.to_string(), budget),
                }
            }
        }
    }
    Ok(parsed)
}

#[derive(Debug, Clone, Default)]
pub struct TrackedVersions(HashMap<String, TrackedVersion>);

impl TrackedVersions {
    /// Reads the documents. A document that this version rejects is skipped.
    pub fn decode<'a>(documents: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let read =
            |(key, body): (&str, &[u8])| Some((key.to_owned(), serde_json::from_slice(body).ok()?));
        Self(documents.into_iter().filter_map(read).collect())
    }

    /// The newest version of a label with these names, the main one first. Another name that is
    /// the main name of a different label (`is_other`) does not count.
    pub fn of_label(
        &self,
        names: &[String],
        is_other: impl Fn(&str) -> bool,
    ) -> Option<&TrackedVersion> {
        let tracked =
            names.iter().enumerate().filter(|(position, name)| *position == 0 || !is_other(name));
        tracked.filter_map(|(_, name)| self.0.get(name)).max_by_key(|tracked| tracked.found_at)
    }
}

#[cfg(test)]
mod tests;
