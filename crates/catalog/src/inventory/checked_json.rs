//! Writes answers as JSON.
//!
//! A list has many answers with the same keys and mostly plain texts, so they are written by hand: it
//! takes a third of the time of the derived form, which is the same byte for byte.

use super::{CheckedApp, Confidence, MatchedBy};
use crate::Uri;

impl CheckedApp {
    /// Adds the JSON of the answer to a buffer.
    ///
    /// ```
    /// # use appstitch_catalog::inventory::CheckedApp;
    /// # let json = r#"{"host":null,"name":"Sample","bundle_id":null,"path":null,"verdict":"unmatched","slug":null,"slugs":[],"installed_version":null,"newest_version":null,"download_url":null,"matched_by":null,"confidence":null,"rule":"unknown_name","did_you_mean":[]}"#;
    /// # let app: CheckedApp = serde_json::from_str(json)?;
    /// let mut written = Vec::new();
    /// app.write_json(&mut written);
    /// assert_eq!(written, serde_json::to_vec(&app)?);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn write_json(&self, json: &mut Vec<u8>) {
        let texts = |list: &[String], json: &mut Vec<u8>| {
            json.push(b'[');
            for (number, text) in list.iter().enumerate() {
                if number > 0 {
                    json.push(b',');
                }
                write_text(text, json);
            }
            json.push(b']');
        };
        write_member("{\"host\":", self.host.as_deref(), json);
        write_member(",\"name\":", self.name.as_deref(), json);
        write_member(",\"bundle_id\":", self.bundle_id.as_deref(), json);
        write_member(",\"path\":", self.path.as_deref(), json);
        write_member(",\"verdict\":", Some(self.verdict.word()), json);
        write_member(",\"slug\":", self.slug.as_deref(), json);
        json.extend_from_slice(b",\"slugs\":");
        texts(&self.slugs, json);
        write_member(",\"installed_version\":", self.installed_version.as_deref(), json);
        write_member(",\"newest_version\":", self.newest_version.as_deref(), json);
        write_member(",\"download_url\":", self.download_url.as_ref().map(Uri::as_str), json);
        write_member(",\"matched_by\":", self.matched_by.map(MatchedBy::word), json);
        write_member(",\"confidence\":", self.confidence.map(Confidence::word), json);
        write_member(",\"rule\":", Some(self.rule.word()), json);
        json.extend_from_slice(b",\"did_you_mean\":");
        texts(&self.did_you_mean, json);
        json.push(b'}');
    }
}

/// Writes a key, which is given as JSON, and its value.
fn write_member(key: &str, value: Option<&str>, json: &mut Vec<u8>) {
    json.extend_from_slice(key.as_bytes());
    match value {
        Some(text) => write_text(text, json),
        None => json.extend_from_slice(b"null"),
    }
}

/// Writes a text in quotes.
fn write_text(text: &str, json: &mut Vec<u8>) {
    // Looks at all bytes, because a loop that stops at the first one is slower for short texts.
    let escaped = text.as_bytes().iter().fold(0, |escaped, byte| {
        escaped | u8::from(*byte < b' ') | u8::from(*byte == b'"') | u8::from(*byte == b'\\')
    });
    if escaped > 0 {
        // Writing to memory does not fail.
        let _ = serde_json::to_writer(json, text);
        return;
    }
    json.push(b'"');
    json.extend_from_slice(text.as_bytes());
    json.push(b'"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{CheckRule, Verdict};
    use super::*;

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
            };
            let mut written = Vec::new();
            app.write_json(&mut written);
            prop_assert_eq!(String::from_utf8(written).unwrap(), serde_json::to_string(&app).unwrap());
        }
    }
}
