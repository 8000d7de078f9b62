use appstitch_text::{Junk, check_found_address, check_found_version};
use appstitch_types::SeenVersion;
use appstitch_versions::is_lower_version;
use jiff::Timestamp;
use serde::Deserialize;

use super::{CLOCK_TOLERANCE, SETTLING_TIME, TrackedVersion};

/// The most versions of a label that are kept.
const MOST_SEEN: usize = 100;

/// The findings for one label, oldest first; never empty.
pub(super) struct History {
    older: Vec<TrackedEntry>,
    newest: TrackedEntry,
}

#[derive(Debug, Deserialize)]
struct TrackedEntry {
    #[serde(rename = "appNewVersion", default)]
    app_new_version: Option<String>,
    #[serde(rename = "timeStamp")]
    found_at: Timestamp,
    #[serde(rename = "downloadURL", default)]
    download_url: Option<String>,
    #[serde(rename = "downloadURLi386", default)]
    intel_download_url: Option<String>,
}

impl TrackedEntry {
    fn version(&self) -> Result<&str, Junk> {
        check_found_version(self.app_new_version.as_deref().unwrap_or_default())
    }

    fn tracked(&self, version: &str, is_settled: bool) -> TrackedVersion {
        TrackedVersion {
            app_new_version: version.to_owned(),
            found_at: self.found_at,
            is_settled,
            download_url: not_junk(self.download_url.as_deref()),
            intel_download_url: not_junk(self.intel_download_url.as_deref()),
            seen: Vec::new(),
        }
    }
}

impl History {
    /// Reads a label's file, and why some of its findings are ignored.
    pub(super) fn read(
        json: &[u8],
        received_at: Timestamp,
    ) -> Result<(Self, Option<String>), String> {
        let mut entries: Vec<TrackedEntry> =
            serde_json::from_slice(json).map_err(|error| error.to_string())?;
        let mut ahead = None;
        entries.retain(|entry| {
            let is_ahead = entry.found_at.duration_since(received_at) > CLOCK_TOLERANCE;
            ahead = ahead.max(is_ahead.then_some(entry.found_at));
            !is_ahead
        });
        let ignored = ahead.map(|time| format!("a finding of {time}, in the future, is ignored"));
        // The sort is stable: of two entries with the same time, the later one counts.
        entries.sort_by_key(|entry| entry.found_at);
        match entries.pop() {
            Some(newest) => Ok((Self { older: entries, newest }, ignored)),
            None => Err(ignored.unwrap_or_else(|| "it has no finding".to_owned())),
        }
    }

    pub(super) fn newest_at(&self) -> Timestamp {
        self.newest.found_at
    }

    /// The last of the versions that were found and are not junk, oldest first, each once.
    pub(super) fn seen(&self) -> Vec<SeenVersion> {
        let mut seen: Vec<SeenVersion> = Vec::new();
        for entry in self.older.iter().chain([&self.newest]) {
            let Ok(version) = entry.version() else { continue };
            if seen.iter().all(|known| known.version != version) {
                seen.push(SeenVersion { version: version.to_owned(), at: entry.found_at });
            }
            if seen.len() > MOST_SEEN {
                seen.remove(0);
            }
        }
        seen
    }

    /// The current version, and a note if the newest one has to wait. `now` is the newest time in
    /// the archive: an entry that is older by an hour was not replaced since. If the newest
    /// version is junk, the address of its file can still be good. If that is junk, too, the one
    /// before counts if its address names it: an old version can be outdated, but this one can be had.
    pub(super) fn current(
        &self,
        now: Timestamp,
    ) -> Result<(TrackedVersion, Option<String>), String> {
        let is_settled = |entry: &TrackedEntry| now.duration_since(entry.found_at) >= SETTLING_TIME;
        let newest = match self.newest.version() {
            Ok(newest) => newest,
            Err(junk) => {
                let why = self.rejection(&junk);
                let without_version = self.newest.tracked("", is_settled(&self.newest));
                let has_file = without_version.download_url.as_deref().is_some_and(is_file);
                return match self.latest_file() {
                    _ if has_file => Ok((without_version, Some(why))),
                    Some((version, entry)) => {
                        let note = format!("{why}; {version} is kept, whose file is known");
                        Ok((entry.tracked(version, is_settled(entry)), Some(note)))
                    }
                    None => Err(why),
                };
            }
        };
        let mut held: Option<(&str, &TrackedEntry)> = None;
        let entries = self.older.iter().chain([&self.newest]);
        for (version, entry) in entries.filter_map(|entry| Some((entry.version().ok()?, entry))) {
            let is_lower = held.is_some_and(|(known, _)| is_lower_version(version, known));
            if !is_lower || is_settled(entry) {
                held = Some((version, entry));
            }
        }
        let (version, entry) = held.unwrap_or((newest, &self.newest));
        let pending = !std::ptr::eq(entry, &raw const self.newest);
        let note = pending.then(|| {
            format!(
                "version {newest} is lower than the known {version}; it is published if the \
                 archive still has it an hour later"
            )
        });
        Ok((entry.tracked(version, is_settled(entry)), note))
    }

    /// The latest version whose address names it.
    fn latest_file(&self) -> Option<(&str, &TrackedEntry)> {
        self.older.iter().rev().find_map(|entry| {
            let version = entry.version().ok()?;
            let address = not_junk(entry.download_url.as_deref())?;
            (is_file(&address) && address.contains(version)).then_some((version, entry))
        })
    }

    fn rejection(&self, junk: &Junk) -> String {
        let text: String =
            self.newest.app_new_version.as_deref().unwrap_or_default().chars().take(60).collect();
        format!("the newest version {text:?} is not a version: {junk}")
    }
}

fn not_junk(address: Option<&str>) -> Option<String> {
    address.filter(|address| check_found_address(address).is_ok()).map(str::to_owned)
}

/// Whether an address is that of a file to install, or of one behind a redirect of a release.
fn is_file(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    [".dmg", ".pkg", ".zip", ".tbz"].iter().any(|ending| path.ends_with(ending))
        || address.contains("filename%3D")
}
