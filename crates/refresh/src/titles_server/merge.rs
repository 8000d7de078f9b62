//! One record of a title from its lean record and its details.

use serde_json::{Map, Value, value::RawValue};

/// What belongs to one version of a title. With another version it would be wrong: a person would
/// install the old one, or look for the new one's file by the old one's hash.
const OF_A_VERSION: [&str; 8] = [
    "availabilityDate",
    "installerPackageHash",
    "installerPackageHashType",
    "minimumOsVersion",
    "originalMediaSources",
    "packageSigningIdentity",
    "shortVersion",
    "sizeInBytes",
];

/// The details, and what only the lean record has.
pub(super) fn with_details(lean: &RawValue, details: Box<RawValue>) -> Box<RawValue> {
    let (Some(lean), Some(mut merged)) = (object(lean), object(&details)) else { return details };
    let mut has_more = false;
    for (key, value) in lean {
        if !value.is_null() && merged.get(&key).is_none_or(Value::is_null) {
            merged.insert(key, value);
            has_more = true;
        }
    }
    if has_more { raw(merged).unwrap_or(details) } else { details }
}

/// The lean record, and what only an earlier record has. If the version is another one since, only
/// what does not depend on it.
pub(super) fn with_earlier_details(lean: &RawValue, earlier: &RawValue) -> Box<RawValue> {
    let (Some(lean_fields), Some(mut merged)) = (object(lean), object(earlier)) else {
        return lean.to_owned();
    };
    if lean_fields.get("version") != merged.get("version") {
        merged.retain(|key, _| !OF_A_VERSION.contains(&key.as_str()));
    }
    for (key, value) in lean_fields {
        if !value.is_null() || !merged.contains_key(&key) {
            merged.insert(key, value);
        }
    }
    raw(merged).unwrap_or_else(|| lean.to_owned())
}

fn object(record: &RawValue) -> Option<Map<String, Value>> {
    serde_json::from_str(record.get()).ok()
}

fn raw(record: Map<String, Value>) -> Option<Box<RawValue>> {
    serde_json::value::to_raw_value(&record).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn details_are_kept_as_they_are_unless_the_lean_record_has_more() {
        let details = r#"{ "id":"1", "version":"2", "architecture":null }"#;
        let lean = record(r#"{"id":"1","version":"1"}"#);
        assert_eq!(with_details(&lean, record(details)).get(), details);
        let lean = record(r#"{"id":"1","publisher":"Example","architecture":"arm64"}"#);
        let expected = r#"{"id":"1","version":"2","architecture":"arm64","publisher":"Example"}"#;
        assert_eq!(with_details(&lean, record(details)).get(), expected);
    }

    #[test]
    fn earlier_details_of_another_version_are_dropped() {
        let earlier = record(
            r#"{"id":"1","version":"1","architecture":"arm64","originalMediaSources":[{"url":"https://example.com/1"}],"minimumOsVersion":"12"}"#,
        );
        let same = with_earlier_details(&record(r#"{"id":"1","version":"1"}"#), &earlier);
        assert_eq!(same.get(), earlier.get());
        let newer = with_earlier_details(&record(r#"{"id":"1","version":"2"}"#), &earlier);
        assert_eq!(newer.get(), r#"{"id":"1","version":"2","architecture":"arm64"}"#);
        let known = record(r#"{"id":"1","version":"1","publisher":"Example"}"#);
        let lean = record(r#"{"id":"1","version":"1","publisher":null,"iconUrl":null}"#);
        let expected = r#"{"id":"1","version":"1","publisher":"Example","iconUrl":null}"#;
        assert_eq!(with_earlier_details(&lean, &known).get(), expected, "null says nothing");
        let lean = record(r#"{"id":"1"}"#);
        assert_eq!(with_earlier_details(&lean, &record("[]")).get(), lean.get());
    }
}
