//! One line of an upload of resolved labels.

use appstitch_catalog::{FoundBy, check_found_address, check_found_version};
use appstitch_sources::{
    CLOCK_TOLERANCE,
    label_tool::{RunValues, fingerprint},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The result of running one label: a line of `POST /admin/labels/resolved`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ResolvedLabel {
    /// The label: any of its names.
    pub label: String,
    /// Whether the run succeeded. A failed run changes nothing.
    pub ok: bool,
    /// The values on a Mac with Apple silicon.
    #[serde(flatten)]
    pub values: ResolvedValues,
    /// Who ran the label: `run` for a run of this program; `posted` by default.
    #[serde(default)]
    pub found_by: FoundBy,
    /// When the label was run; the time of the upload by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_at: Option<Timestamp>,
    /// The fingerprint of the text that was run. A line for another text is rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fragment: Option<String>,
    /// The values on an Intel Mac, if the label was run for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub i386: Option<ResolvedValues>,
}

/// The values of one run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ResolvedValues {
    /// The download URL.
    #[serde(rename = "downloadURL", default, skip_serializing_if = "Option::is_none")]
    pub download_url: Option<String>,
    /// The newest version.
    #[serde(rename = "appNewVersion", default, skip_serializing_if = "Option::is_none")]
    pub app_new_version: Option<String>,
}

/// A line whose values can be stored.
pub(super) struct CheckedLine {
    pub(super) found_by: FoundBy,
    pub(super) found_at: Timestamp,
    pub(super) run: RunValues,
    pub(super) i386: Option<RunValues>,
    /// Why values were left out.
    pub(super) problems: Vec<String>,
}

pub(super) fn parse(line: &[u8]) -> Result<ResolvedLabel, String> {
    serde_json::from_slice(line).map_err(|error| error.to_string())
}

impl CheckedLine {
    /// Checks a line for the label with this text; an error if nothing of it can be used.
    pub(super) fn check(line: ResolvedLabel, text: &str, now: Timestamp) -> Result<Self, String> {
        if !line.ok {
            return Err("the run failed; the stored values are kept".to_owned());
        }
        if line.found_by == FoundBy::Tracker {
            return Err("found_by is 'tracker', expected 'run' or 'posted'; upload the tracker's \
                        archive as label_versions"
                .to_owned());
        }
        if line.fragment.is_some_and(|fragment| fragment != fingerprint(text)) {
            return Err("another text of the label was run; run the stored one".to_owned());
        }
        let found_at = line.found_at.unwrap_or(now);
        if found_at.duration_since(now) > CLOCK_TOLERANCE {
            return Err(format!("found_at {found_at} is in the future"));
        }
        let mut problems = Vec::new();
        let run = checked(line.values, "", &mut problems);
        if run == RunValues::default() {
            let why = if problems.is_empty() {
                "neither downloadURL nor appNewVersion is given".to_owned()
            } else {
                problems.join("; ")
            };
            return Err(why);
        }
        let i386 = line.i386.map(|values| checked(values, "i386.", &mut problems));
        // Served times have whole seconds.
        let found_at = Timestamp::from_second(found_at.as_second()).unwrap_or(found_at);
        Ok(Self { found_by: line.found_by, found_at, run, i386, problems })
    }
}

/// The values that are no junk. An empty value was not found, which is no problem.
fn checked(values: ResolvedValues, prefix: &str, problems: &mut Vec<String>) -> RunValues {
    let mut keep =
        |name: &str, value: Option<String>, check: fn(&str) -> Result<String, String>| {
            let value = value.filter(|value| !value.trim().is_empty())?;
            check(&value)
                .map_err(|why| {
                    let shown: String = value.trim().chars().take(60).collect();
                    problems.push(format!("{prefix}{name} {shown:?} is rejected: {why}"));
                })
                .ok()
        };
    RunValues {
        download_url: keep("downloadURL", values.download_url, |url| {
            check_found_address(url).map(|_| url.trim().to_owned()).map_err(|junk| junk.to_string())
        }),
        app_new_version: keep("appNewVersion", values.app_new_version, |version| {
            check_found_version(version).map(str::to_owned).map_err(|junk| junk.to_string())
        }),
    }
}
