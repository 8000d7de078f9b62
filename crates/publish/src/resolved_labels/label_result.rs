//! What became of one resolved label.

use std::fmt;

use appstitch_sources::label_tool::{HeldValue, HeldValues, Resolution};
use appstitch_versions::is_lower_version;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelReport {
    /// The label as the line names it; empty if the line could not be read.
    pub label: String,
    #[serde(flatten)]
    pub result: LabelResult,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum LabelResult {
    /// Another version or download URL holds now.
    Changed {
        before: Option<String>,
        /// The version now, which is the same if only the URL changed.
        after: Option<String>,
    },
    /// The same values hold as before.
    Unchanged,
    /// The version is lower than the known one and waits to be found again.
    Pending {
        version: String,
        known: String,
        /// When the version may be published if it is found again.
        settles_at: Timestamp,
    },
    /// The line is not used.
    Rejected { why: String },
}

pub(super) struct Finding<'a> {
    pub(super) version: Option<&'a str>,
    pub(super) found_at: Timestamp,
    /// What its finder has found, with this finding.
    pub(super) resolution: &'a Resolution,
}

impl LabelResult {
    /// Compares what holds before and after a finding.
    pub(super) fn compare(before: &HeldValues, after: &HeldValues, finding: &Finding<'_>) -> Self {
        let text = |held: &Option<HeldValue>| held.as_ref().map(|held| held.value.clone());
        let known = text(&after.version);
        if let (Some(version), Some(held)) = (finding.version, &after.version)
            && held.seen_at <= Some(finding.found_at)
            && is_lower_version(version, &held.value)
            && let Some(settles_at) = finding.resolution.version_settles_at(held.seen_at)
        {
            let (version, known) = (version.to_owned(), held.value.clone());
            return Self::Pending { version, known, settles_at };
        }
        let is_same = text(&before.version) == known
            && text(&before.download_url) == text(&after.download_url);
        if is_same {
            Self::Unchanged
        } else {
            Self::Changed { before: text(&before.version), after: known }
        }
    }
}

impl fmt::Display for LabelResult {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed { before, after } => {
                let shown = |version: &Option<String>| version.clone().unwrap_or("none".to_owned());
                write!(formatter, "version {} replaces {}", shown(after), shown(before))
            }
            Self::Unchanged => formatter.write_str("unchanged"),
            Self::Pending { version, known, settles_at } => write!(
                formatter,
                "version {version} is lower than the known {known}; it is published if it is \
                 found again at {settles_at} or later"
            ),
            Self::Rejected { why } => formatter.write_str(why),
        }
    }
}
