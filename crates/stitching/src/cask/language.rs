//! The files of a cask for one language.

use appstitch_types::{RawObject, Sha256};
use serde_json::{Map, Value};

use super::{CaskFacts, download_address, strings};

const VARIATIONS: &str = "language_variations";

impl CaskFacts {
    /// The cask with its file for a language; without a file if it has files for other languages
    /// only. `None` if its file does not depend on the language.
    pub(crate) fn in_language(&self, entry: &RawObject, language: &str) -> Option<Self> {
        let entry = entry.read_keys(|key| key == VARIATIONS);
        let all = entry.get(VARIATIONS)?.as_array()?;
        let mut all = all.iter().filter_map(Value::as_object).peekable();
        all.peek()?;
        let is_spoken = |variation: &&Map<String, Value>| {
            strings(variation.get("languages")).iter().any(|other| other == language)
        };
        let found = all.find(is_spoken);
        let text = |key: &str| found?.get(key)?.as_str();
        let url = text("url").and_then(|text| download_address(text).ok());
        let sha256 = text("sha256").and_then(|text| Sha256::parse(text).ok());
        Some(Self { sha256: sha256.filter(|_| url.is_some()), url, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_language_has_its_own_file_or_none() {
        let hash = "b".repeat(64);
        let entry = json!({"token": "sample", "version": "1", "sha256": "a".repeat(64),
            "url": "https://example.com/en/Sample.dmg",
            "language_variations": [{"languages": ["da", "nb"], "sha256": hash,
                "url": "https://example.com/da/Sample.dmg"}]});
        let raw: RawObject = serde_json::from_str(&entry.to_string()).unwrap();
        let facts = CaskFacts::read(&raw);
        let file = |language: &str| {
            let facts = facts.in_language(&raw, language).unwrap();
            (facts.url.map(|url| url.to_string()), facts.sha256.map(|hash| hash.to_string()))
        };
        let danish = "https://example.com/da/Sample.dmg".to_owned();
        assert_eq!(file("da"), (Some(danish), Some(hash)));
        assert_eq!(file("sv"), (None, None));
        let plain: RawObject = serde_json::from_str(r#"{"token": "sample"}"#).unwrap();
        assert!(facts.in_language(&plain, "da").is_none());
    }
}
