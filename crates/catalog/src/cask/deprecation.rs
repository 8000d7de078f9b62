//! The end of a cask: when and why it is no longer maintained, and what replaces it.

use serde_json::{Map, Value};

/// How far the end has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It can still be installed.
    Deprecated,
    /// The cask catalog no longer installs it.
    Disabled,
}

/// What takes the cask's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Replacement {
    Cask(String),
    Formula(String),
}

/// The deprecation of one cask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Deprecation {
    pub(crate) stage: Stage,
    /// Since when, as the cask writes it.
    pub(crate) date: Option<String>,
    /// When a deprecated cask will be disabled.
    pub(crate) disabled_from: Option<String>,
    /// A code such as `unmaintained`, or a text.
    pub(crate) reason: Option<String>,
    pub(crate) replacement: Option<Replacement>,
}

/// The reason codes of the cask catalog, in words that follow "it".
const REASONS: [(&str, &str); 9] = [
    ("discontinued", "is discontinued"),
    ("fails_gatekeeper_check", "does not pass the Gatekeeper check of macOS"),
    ("moved_to_mas", "is only available in the App Store"),
    ("no_longer_available", "is no longer available for download"),
    ("no_longer_meets_criteria", "no longer meets the criteria of the cask catalog"),
    ("unmaintained", "is no longer maintained"),
    ("unreachable", "can no longer be reached for download"),
    ("unsigned", "is not signed"),
    ("unsigned_or_unnotarized", "is not signed or not notarized"),
];

impl Deprecation {
    /// Reads the keys of a cask entry; `None` if the cask is neither deprecated nor disabled.
    pub(super) fn read(entry: &Map<String, Value>) -> Option<Self> {
        let is = |key: &str| entry.get(key).and_then(Value::as_bool).unwrap_or_default();
        let text = |key: &str| entry.get(key)?.as_str().map(str::to_owned);
        let replacement = |stage: &str| {
            let cask = text(&format!("{stage}_replacement_cask")).map(Replacement::Cask);
            cask.or_else(|| text(&format!("{stage}_replacement_formula")).map(Replacement::Formula))
        };
        if is("disabled") {
            return Some(Self {
                stage: Stage::Disabled,
                date: text("disable_date"),
                disabled_from: None,
                reason: text("disable_reason").or_else(|| text("deprecation_reason")),
                replacement: replacement("disable").or_else(|| replacement("deprecation")),
            });
        }
        is("deprecated").then(|| Self {
            stage: Stage::Deprecated,
            date: text("deprecation_date"),
            disabled_from: text("disable_date"),
            reason: text("deprecation_reason"),
            replacement: replacement("deprecation"),
        })
    }

    /// The facts as one sentence without a period.
    pub(crate) fn sentence(&self) -> String {
        let mut sentence = match self.stage {
            Stage::Deprecated => "the cask is deprecated".to_owned(),
            Stage::Disabled => "the cask is disabled".to_owned(),
        };
        if let Some(date) = &self.date {
            sentence.push_str(&[" since ", date].concat());
        }
        if let Some(reason) = &self.reason {
            let known = REASONS.iter().find(|(code, _)| code == reason);
            let told = known.map_or_else(|| reason.clone(), |(_, words)| format!("it {words}"));
            sentence.push_str(&[": ", &told].concat());
        }
        if let Some(date) = &self.disabled_from {
            sentence.push_str(&["; it will be disabled on ", date].concat());
        }
        match &self.replacement {
            Some(Replacement::Cask(token)) => {
                sentence.push_str(&["; replacement ", token].concat());
            }
            Some(Replacement::Formula(name)) => {
                sentence.push_str(&["; replacement ", name, " (a formula)"].concat());
            }
            None => {}
        }
        sentence
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sentence(entry: &Value) -> Option<String> {
        Deprecation::read(entry.as_object().unwrap()).map(|deprecation| deprecation.sentence())
    }

    #[test]
    fn the_reason_is_told_in_words() {
        let entry = json!({"deprecated": true, "deprecation_date": "2025-06-11",
            "deprecation_reason": "unmaintained", "deprecation_replacement_cask": "sample-next",
            "disabled": false, "disable_date": "2026-06-11", "disable_reason": null});
        assert_eq!(
            sentence(&entry).as_deref(),
            Some(
                "the cask is deprecated since 2025-06-11: it is no longer maintained; it will be \
                 disabled on 2026-06-11; replacement sample-next"
            )
        );
        let bare = json!({"deprecated": true, "deprecation_reason": "the download needs a login"});
        assert_eq!(
            sentence(&bare).as_deref(),
            Some("the cask is deprecated: the download needs a login")
        );
    }

    #[test]
    fn a_disabled_cask_tells_its_own_date_and_falls_back_to_the_deprecation() {
        let entry = json!({"deprecated": true, "deprecation_date": "2025-06-11",
            "deprecation_reason": "discontinued", "deprecation_replacement_formula": "sample",
            "disabled": true, "disable_date": "2026-06-11", "disable_reason": null});
        assert_eq!(
            sentence(&entry).as_deref(),
            Some(
                "the cask is disabled since 2026-06-11: it is discontinued; replacement sample \
                 (a formula)"
            )
        );
    }

    #[test]
    fn a_living_cask_has_nothing_to_tell() {
        assert_eq!(sentence(&json!({"deprecated": false, "disabled": false})), None);
        assert_eq!(sentence(&json!({"disable_date": "2026-06-11"})), None);
    }
}
