//! Whether the cask catalog advises against a cask, and why.

use appstitch_text::served;
use appstitch_types::{Deprecation, DeprecationStatus};
use jiff::civil::Date;
use serde_json::{Map, Value};

/// Reads a cask's entry; `None` if the cask is neither deprecated nor disabled.
pub(crate) fn read_deprecation(entry: &Map<String, Value>) -> Option<Deprecation> {
    let is_set = |key: &str| entry.get(key).and_then(Value::as_bool).unwrap_or_default();
    let date = |key: &str| entry.get(key)?.as_str()?.parse::<Date>().ok();
    let text = |key: &str| served::text("deprecation", entry.get(key)?.as_str()?).ok();
    let replacement = |stage: &str| {
        let named = |kind: &str| text(&format!("{stage}_replacement_{kind}"));
        named("cask").or_else(|| named("formula"))
    };
    if is_set("disabled") {
        return Some(Deprecation {
            status: DeprecationStatus::Disabled,
            date: date("disable_date"),
            reason: text("disable_reason").or_else(|| text("deprecation_reason")).map(in_words),
            replacement: replacement("disable").or_else(|| replacement("deprecation")),
            disabled_from: None,
        });
    }
    is_set("deprecated").then(|| Deprecation {
        status: DeprecationStatus::Deprecated,
        date: date("deprecation_date"),
        reason: text("deprecation_reason").or_else(|| text("disable_reason")).map(in_words),
        replacement: replacement("deprecation"),
        disabled_from: date("disable_date"),
    })
}

/// The reasons for which a cask is disabled although its file can still be had.
const STANDING_REASONS: [&str; 6] = [
    "discontinued",
    "fails_gatekeeper_check",
    "no_longer_meets_criteria",
    "unmaintained",
    "unsigned",
    "unsigned_or_unnotarized",
];

/// Whether a cask is disabled because its file can no longer be had.
pub(super) fn is_gone(entry: &Map<String, Value>) -> bool {
    let reason = entry.get("disable_reason").and_then(Value::as_str);
    entry.get("disabled").and_then(Value::as_bool) == Some(true)
        && reason.is_some_and(|reason| !STANDING_REASONS.contains(&reason))
}

/// Whether the cask catalog says that macOS refuses to open the app as it was downloaded.
pub(crate) fn fails_gatekeeper(entry: &Map<String, Value>) -> bool {
    let stages = [("deprecated", "deprecation_reason"), ("disabled", "disable_reason")];
    stages.into_iter().any(|(stage, key)| {
        let reason = entry.get(key).and_then(Value::as_str).unwrap_or_default();
        entry.get(stage).and_then(Value::as_bool) == Some(true)
            && ["fails_gatekeeper_check", "unsigned", "unsigned_or_unnotarized"].contains(&reason)
    })
}

/// The facts as one sentence without a period.
pub(crate) fn describe_deprecation(deprecation: &Deprecation) -> String {
    let status = match deprecation.status {
        DeprecationStatus::Deprecated => "deprecated",
        DeprecationStatus::Disabled => "disabled",
    };
    let start = match deprecation.date {
        Some(date) => format!("the cask has been {status} since {date}"),
        None => format!("the cask is {status}"),
    };
    let reason = deprecation.reason.as_ref().map(|reason| format!(": {reason}"));
    let end = deprecation.disabled_from.map(|date| format!("; it will be disabled on {date}"));
    let replacement = deprecation.replacement.as_ref().map(|name| format!("; replacement {name}"));
    let parts = [reason, end, replacement].into_iter().flatten();
    std::iter::once(start).chain(parts).collect()
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
        read_deprecation(entry.as_object().unwrap())
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
        let deprecation = read_deprecation(entry.as_object().unwrap()).unwrap();
        assert_eq!(
            describe_deprecation(&deprecation),
            "the cask has been deprecated since 2025-06-11: it is no longer maintained; it will be \
             disabled on 2026-06-11; replacement sample-next"
        );
        let disabled = json!({"disabled": true, "deprecation_reason": "discontinued",
            "deprecation_replacement_formula": "sample"});
        let deprecation = read_deprecation(disabled.as_object().unwrap()).unwrap();
        assert_eq!(
            describe_deprecation(&deprecation),
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

    #[test]
    fn the_file_of_a_cask_is_gone_if_its_reason_says_so() {
        let gone = |entry: Value| is_gone(entry.as_object().unwrap());
        for reason in ["no_longer_available", "unreachable", "the download now requires a login"] {
            assert!(gone(json!({"disabled": true, "disable_reason": reason})), "{reason}");
            assert!(!gone(json!({"disabled": false, "disable_reason": reason})), "{reason}");
        }
        assert!(!gone(json!({"disabled": true, "disable_reason": "unmaintained"})));
        assert!(!gone(json!({"disabled": true})));
    }

    #[test]
    fn gatekeeper_counts_if_it_is_the_reason() {
        let fails = |entry: Value| fails_gatekeeper(entry.as_object().unwrap());
        let reason = "fails_gatekeeper_check";
        assert!(fails(json!({"deprecated": true, "deprecation_reason": reason})));
        assert!(fails(json!({"disabled": true, "disable_reason": "unsigned"})));
        assert!(!fails(json!({"disabled": false, "disable_reason": reason})));
        assert!(!fails(json!({"deprecated": true, "deprecation_reason": "unmaintained"})));
    }
}
