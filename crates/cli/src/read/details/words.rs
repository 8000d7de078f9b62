//! Details in words.

use appstitch_client::{Alias, AppDetails, Deprecation, DeprecationStatus, Variant};

use crate::{read::alias::kind_in_words, words::any_of};

pub(super) const fn of_status(status: DeprecationStatus) -> &'static str {
    match status {
        DeprecationStatus::Deprecated => "deprecated",
        DeprecationStatus::Disabled => "disabled",
    }
}

/// Since when and why, what to use instead, and when it ends.
pub(super) fn of_deprecation(deprecation: &Deprecation) -> String {
    let since = deprecation.date.map(|date| format!("since {date}"));
    let why = match (since, deprecation.reason.clone()) {
        (Some(since), Some(reason)) => Some(format!("{since}: {reason}")),
        (since, reason) => since.or(reason),
    };
    let replacement = deprecation.replacement.as_ref().map(|token| format!("use {token} instead"));
    let end = deprecation.disabled_from.map(|date| format!("disabled from {date}"));
    let parts: Vec<String> = [why, replacement, end].into_iter().flatten().collect();
    match parts.as_slice() {
        [] => "according to the cask catalog".to_owned(),
        parts => parts.join("; "),
    }
}

/// The requirements; `None` if none is known.
pub(super) fn of_needs(details: &AppDetails) -> Option<String> {
    let system = details.minimum_macos.as_ref().map(|version| format!("macOS {version} or later"));
    let processors = details.architectures.as_ref().filter(|names| !names.is_empty());
    let processors = processors.map(|names| {
        let names = names.iter().map(|name| match name.as_str() {
            "arm64" => "Apple silicon",
            "x86_64" => "Intel",
            other => other,
        });
        any_of(&names.collect::<Vec<_>>())
    });
    match (system, processors) {
        (Some(system), Some(processors)) => Some(format!("{system}, {processors}")),
        (system, processors) => system.or(processors),
    }
}

pub(super) fn of_alias(alias: &Alias) -> String {
    format!("{} ({})", alias.name, kind_in_words(alias.kind))
}

/// What distinguishes a variant from the main one; `None` if the sources do not say.
pub(super) fn of_difference(variant: &Variant) -> Option<String> {
    let named = |value: &Option<String>, name: &str| Some(format!("{} {name}", value.as_ref()?));
    let parts: Vec<String> = [
        variant.is_main.then(|| "main record".to_owned()),
        named(&variant.channel, "channel"),
        named(&variant.edition, "edition"),
        variant.language.as_ref().map(|language| format!("language {language}")),
        variant.major_version.as_ref().map(|version| format!("only version {version}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn deprecation(given: &Value) -> String {
        let mut whole = json!({"status": "deprecated", "date": null, "reason": null,
            "replacement": null, "disabled_from": null});
        whole.as_object_mut().unwrap().extend(given.as_object().unwrap().clone());
        of_deprecation(&serde_json::from_value(whole).unwrap())
    }

    #[test]
    fn a_deprecation_is_a_sentence_of_what_is_known() {
        assert_eq!(
            deprecation(&json!({"date": "2026-01-02", "reason": "it is discontinued upstream",
                "replacement": "other", "disabled_from": "2027-01-02"})),
            "since 2026-01-02: it is discontinued upstream; use other instead; \
             disabled from 2027-01-02"
        );
        assert_eq!(deprecation(&json!({"date": "2026-01-02"})), "since 2026-01-02");
        assert_eq!(deprecation(&json!({"reason": "it is gone"})), "it is gone");
        assert_eq!(deprecation(&json!({})), "according to the cask catalog");
    }

    #[test]
    fn requirements_are_the_system_and_the_processors() {
        let needs = |system: Option<&str>, processors: Value| {
            let mut details = json!({"slug": "a", "minimum_macos": system});
            details["architectures"] = processors;
            of_needs(&serde_json::from_value(details).unwrap())
        };
        let both = needs(Some("13"), json!(["arm64", "x86_64"]));
        assert_eq!(both.unwrap(), "macOS 13 or later, Apple silicon or Intel");
        assert_eq!(needs(None, json!(["arm64"])).unwrap(), "Apple silicon");
        assert_eq!(needs(Some("11"), json!([])).unwrap(), "macOS 11 or later");
        assert_eq!(needs(None, Value::Null), None);
    }

    #[test]
    fn a_variant_is_told_apart_by_everything_that_is_known() {
        let difference =
            |is_main: bool, [channel, edition, language, version]: [Option<&str>; 4]| {
                let variant = json!({"slug": "a", "name": "A", "is_main": is_main, "channel": channel,
                "edition": edition, "language": language, "major_version": version});
                of_difference(&serde_json::from_value(variant).unwrap())
            };
        assert_eq!(difference(true, [None; 4]).unwrap(), "main record");
        assert_eq!(difference(false, [None; 4]), None);
        let all = [Some("beta"), Some("enterprise"), Some("da"), Some("8")];
        assert_eq!(
            difference(false, all).unwrap(),
            "beta channel, enterprise edition, language da, only version 8"
        );
    }
}
