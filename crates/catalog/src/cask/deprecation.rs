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
        let text = |key: &str| {
            let text = entry.get(key)?.as_str()?;
            served::check_text("deprecation", text).is_ok().then_some(text)
        };
        let replacement =
            |cask: &str, formula: &str| text(cask).or_else(|| text(formula)).map(str::to_owned);
        if is_set("disabled") {
            return Some(Self {
                status: DeprecationStatus::Disabled,
                date: date("disable_date"),
                reason: text("disable_reason").map(in_words),
                replacement: replacement("disable_replacement_cask", "disable_replacement_formula"),
                disabled_from: None,
            });
        }
        is_set("deprecated").then(|| Self {
            status: DeprecationStatus::Deprecated,
            date: date("deprecation_date"),
            reason: text("deprecation_reason").or_else(|| text("disable_reason")).map(in_words),
            replacement: replacement(
                "deprecation_replacement_cask",
                "deprecation_replacement_formula",
            ),
            disabled_from: date("disable_date"),
        })
    }
}

/// The words for a reason that the cask catalog writes as a code; other reasons are words already.
fn in_words(reason: &str) -> String {
    match reason {
        "discontinued" => "it is discontinued upstream",
        "moved_to_mas" => "it is now distributed only in the Mac App Store",
        "no_longer_available" => "it is no longer available upstream",
        "no_longer_meets_criteria" => "it no longer meets the criteria of the cask catalog",
        "unmaintained" => "it is not maintained upstream",
        "fails_gatekeeper_check" => "it does not pass the macOS Gatekeeper check",
        "unreachable" => "its download is no longer reachable",
        "unsigned" => "it is not signed or has no valid signature",
        other => return other.to_owned(),
    }
    .to_owned()
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
                "reason": "it does not pass the macOS Gatekeeper check",
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
    fn junk_is_left_out() {
        let found = read(&json!({"deprecated": true, "deprecation_date": "soon",
            "deprecation_reason": "<b>"}))
        .unwrap();
        assert_eq!((&found["date"], &found["status"]), (&Value::Null, &json!("deprecated")));
    }
}
