//! Whether the cask catalog advises against a cask, and why.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::served;

/// How strongly the cask catalog advises against an app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeprecationStatus {
    /// It can still be installed, with a warning.
    Deprecated,
    /// It can no longer be installed from the cask catalog.
    Disabled,
}

/// Why an app should no longer be deployed, according to the cask catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Deprecation {
    /// Whether the app is deprecated or already disabled.
    pub status: DeprecationStatus,
    /// Since when.
    #[schema(value_type = Option<String>, format = Date)]
    pub date: Option<Date>,
    /// The reason, in words.
    pub reason: Option<String>,
    /// The token of the cask, or the name of the formula, to use instead.
    pub replacement: Option<String>,
    /// When a deprecated app will be disabled.
    #[schema(value_type = Option<String>, format = Date)]
    pub disabled_from: Option<Date>,
}

impl Deprecation {
    /// Reads a cask's entry; `None` if the cask is neither deprecated nor disabled.
    pub(crate) fn read(entry: &Map<String, Value>) -> Option<Self> {
        let is_set = |key: &str| entry.get(key).and_then(Value::as_bool).unwrap_or_default();
        let date = |key: &str| entry.get(key)?.as_str()?.parse::<Date>().ok();
        let text = |key: &str| served::text("deprecation", entry.get(key)?.as_str()?).ok();
        let replacement = |stage: &str| {
            let named = |kind: &str| text(&format!("{stage}_replacement_{kind}"));
            named("cask").or_else(|| named("formula"))
        };
        if is_set("disabled") {
            return Some(Self {
                status: DeprecationStatus::Disabled,
                date: date("disable_date"),
                reason: text("disable_reason").or_else(|| text("deprecation_reason")).map(in_words),
                replacement: replacement("disable").or_else(|| replacement("deprecation")),
                disabled_from: None,
            });
        }
        is_set("deprecated").then(|| Self {
            status: DeprecationStatus::Deprecated,
            date: date("deprecation_date"),
            reason: text("deprecation_reason").or_else(|| text("disable_reason")).map(in_words),
            replacement: replacement("deprecation"),
            disabled_from: date("disable_date"),
        })
    }

    /// The facts as one sentence without a period.
    pub(crate) fn sentence(&self) -> String {
        let status = match self.status {
            DeprecationStatus::Deprecated => "the cask is deprecated",
            DeprecationStatus::Disabled => "the cask is disabled",
        };
        let date = self.date.map(|date| format!(" since {date}"));
        let reason = self.reason.as_ref().map(|reason| format!(": {reason}"));
        let end = self.disabled_from.map(|date| format!("; it will be disabled on {date}"));
        let replacement = self.replacement.as_ref().map(|name| format!("; replacement {name}"));
        let parts = [date, reason, end, replacement].into_iter().flatten();
        std::iter::once(status.to_owned()).chain(parts).collect()
    }
}

/// The words for a reason that the cask catalog writes as a code; other reasons are words already.
fn in_words(reason: String) -> String {
    let words = match reason.as_str() {
        "discontinued" => "it is discontinued",
        "fails_gatekeeper_check" => "it does not pass the Gatekeeper check of macOS",
        "moved_to_mas" => "it is only available in the App Store",
        "no_longer_available" => "it is no longer available for download",
        "no_longer_meets_criteria" => "it no longer meets the criteria of the cask catalog",
        "unmaintained" => "it is no longer maintained",
        "unreachable" => "it can no longer be reached for download",
        "unsigned" => "it is not signed",
        "unsigned_or_unnotarized" => "it is not signed or not notarized",
        _ => return reason,
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(entry: &Value) -> Option<Value> {
        Deprecation::read(entry.as_object().unwrap())
            .map(|deprecation| serde_json::to_value(deprecation).unwrap())
    }

    #[test]
    fn a_cask_in_good_standing_has_no_deprecation() {
        assert_eq!(read(&json!({"deprecated": false, "disabled": false})), None);
        assert_eq!(read(&json!({"disable_date": "2030-01-01"})), None);
    }

    #[test]
    fn deprecated_and_disabled_casks_say_since_when_and_why() {
        let deprecated = read(&json!({"deprecated": true, "deprecation_date": "2026-01-02",
            "deprecation_reason": "fails_gatekeeper_check", "disable_date": "2026-09-01",
            "deprecation_replacement_cask": "other"}));
        assert_eq!(
            deprecated.unwrap(),
            json!({"status": "deprecated", "date": "2026-01-02", "replacement": "other",
                "reason": "it does not pass the Gatekeeper check of macOS",
                "disabled_from": "2026-09-01"})
        );
        let disabled = read(&json!({"deprecated": true, "disabled": true,
            "disable_date": "2025-12-01", "disable_reason": "requires a login to download",
            "disable_replacement_formula": "tool"}));
        assert_eq!(
            disabled.unwrap(),
            json!({"status": "disabled", "date": "2025-12-01", "replacement": "tool",
                "reason": "requires a login to download", "disabled_from": null})
        );
    }

    #[test]
    fn a_sentence_tells_everything() {
        let entry = json!({"deprecated": true, "deprecation_date": "2025-06-11",
            "deprecation_reason": "unmaintained", "deprecation_replacement_cask": "sample-next",
            "disabled": false, "disable_date": "2026-06-11", "disable_reason": null});
        let deprecation = Deprecation::read(entry.as_object().unwrap()).unwrap();
        assert_eq!(
            deprecation.sentence(),
            "the cask is deprecated since 2025-06-11: it is no longer maintained; it will be \
             disabled on 2026-06-11; replacement sample-next"
        );
        let disabled = json!({"disabled": true, "deprecation_reason": "discontinued",
            "deprecation_replacement_formula": "sample"});
        let deprecation = Deprecation::read(disabled.as_object().unwrap()).unwrap();
        assert_eq!(
            deprecation.sentence(),
            "the cask is disabled: it is discontinued; replacement sample"
        );
    }

    #[test]
    fn junk_is_left_out() {
        let found = read(&json!({"deprecated": true, "deprecation_date": "soon",
            "deprecation_reason": "<b>"}))
        .unwrap();
        assert_eq!((&found["date"], &found["status"]), (&Value::Null, &json!("deprecated")));
    }
}
