//! Writes results as JSON.
//!
//! A list has many results with the same keys and mostly plain texts, so they are written by hand: it
//! takes a third of the time of the derived form, which is the same byte for byte.

use appstitch_types::{
    Uri,
    inventory::{Confidence, MatchedBy},
};

use super::CheckedRow;

impl CheckedRow<'_> {
    /// Adds the JSON of the result to a buffer, the same bytes as serialization gives.
    pub fn write_json(&self, json: &mut Vec<u8>) {
        write_text("{\"host\":\"", self.host, json);
        write_text(",\"name\":\"", self.name, json);
        write_text(",\"bundle_id\":\"", self.bundle_id, json);
        write_text(",\"path\":\"", self.path, json);
        write_word(",\"verdict\":\"", Some(self.verdict.word()), json);
        write_text(",\"slug\":\"", self.slug, json);
        write_list(",\"slugs\":[", &self.slugs, json);
        write_text(",\"installed_version\":\"", self.installed_version, json);
        write_text(",\"newest_version\":\"", self.newest_version, json);
        write_text(",\"download_url\":\"", self.download_url.map(Uri::as_str), json);
        write_word(",\"matched_by\":\"", self.matched_by.map(MatchedBy::word), json);
        write_word(",\"confidence\":\"", self.confidence.map(Confidence::word), json);
        write_word(",\"rule\":\"", Some(self.rule.word()), json);
        write_list(",\"did_you_mean\":[", &self.did_you_mean, json);
        let deprecated: &[u8] =
            if self.deprecated { b",\"deprecated\":true}" } else { b",\"deprecated\":false}" };
        json.extend_from_slice(deprecated);
    }
}

/// Writes a key, which is given as JSON up to the quote of the value, and a value that needs no
/// escapes.
fn write_word(key: &str, value: Option<&str>, json: &mut Vec<u8>) {
    if let Some(word) = value {
        json.extend_from_slice(key.as_bytes());
        json.extend_from_slice(word.as_bytes());
        json.push(b'"');
    } else {
        json.extend_from_slice(&key.as_bytes()[..key.len() - 1]);
        json.extend_from_slice(b"null");
    }
}

/// Writes a key, which is given as JSON up to the quote of the value, and any value.
fn write_text(key: &str, value: Option<&str>, json: &mut Vec<u8>) {
    match value {
        Some(text) if is_escaped(text) => {
            json.extend_from_slice(&key.as_bytes()[..key.len() - 1]);
            write_escaped(text, json);
        }
        _ => write_word(key, value, json),
    }
}

/// Writes a key, which is given as JSON up to the bracket of the list, and texts.
fn write_list(key: &str, list: &[&str], json: &mut Vec<u8>) {
    json.extend_from_slice(key.as_bytes());
    for (number, text) in list.iter().enumerate() {
        if number > 0 {
            json.push(b',');
        }
        write_escaped(text, json);
    }
    json.push(b']');
}

/// Whether JSON writes some of the characters in another way.
fn is_escaped(text: &str) -> bool {
    // Eight bytes at a time; the last ones may overlap those before them.
    let bytes = text.as_bytes();
    let Some(last) = bytes.last_chunk::<8>() else {
        return bytes.iter().any(|byte| *byte < b' ' || matches!(byte, b'"' | b'\\'));
    };
    let (words, _) = bytes[..bytes.len() - 1].as_chunks::<8>();
    words.iter().chain([last]).any(|word| has_escaped(u64::from_le_bytes(*word)))
}

/// Whether one of eight bytes is a control character, a quote or a backslash.
const fn has_escaped(word: u64) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    // The highest bit of a byte that is less, which may carry over to bytes above it.
    const fn less(word: u64, limit: u8) -> u64 {
        word.wrapping_sub(ONES * limit as u64) & !word
    }
    let quote = less(word ^ (ONES * b'"' as u64), 1);
    let backslash = less(word ^ (ONES * b'\\' as u64), 1);
    (less(word, b' ') | quote | backslash) & HIGH > 0
}

fn write_escaped(text: &str, json: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(json, text);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use appstitch_types::inventory::{CheckRule, CheckedApp, Verdict};

    fn text() -> impl Strategy<Value = Option<String>> {
        proptest::option::of(prop_oneof![".{0,12}", "[a-z\"\\\\\n\u{1}\u{7f}é]{0,6}"])
    }

    proptest! {
        #[test]
        fn answers_are_written_as_their_derived_form(
            texts in proptest::array::uniform7(text()),
            lists in proptest::array::uniform2(proptest::collection::vec(".{0,5}", 0..3)),
            number in 0_usize..44,
        ) {
            let [host, name, bundle_id, path, slug, installed_version, newest_version] = texts;
            let [slugs, did_you_mean] = lists;
            let app = CheckedApp {
                host, name, bundle_id, path, slug, slugs, installed_version, newest_version, did_you_mean,
                verdict: Verdict::ALL[number % Verdict::ALL.len()],
                download_url: Uri::parse("https://example.com/a?b=%22").ok().filter(|_| number % 2 == 0),
                matched_by: MatchedBy::ALL.get(number % 5).copied(),
                confidence: [None, Some(Confidence::Low), Some(Confidence::High)][number % 3],
                rule: CheckRule::ALL[number % CheckRule::ALL.len()],
                deprecated: number % 3 == 1,
            };
            let mut written = Vec::new();
            CheckedRow::from(&app).write_json(&mut written);
            prop_assert_eq!(String::from_utf8(written).unwrap(), serde_json::to_string(&app).unwrap());
        }
    }
}
