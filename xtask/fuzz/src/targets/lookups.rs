//! Lookups of apps by slug and by any other name.

use appstitch_hostile::Chance;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::sample_service::{Response, SampleService};
use crate::target::{Target, TargetEntry, ensure, hash, is_one_in};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 192,
    ..TargetEntry::new("lookups", || Ok(Box::new(Lookups(SampleService::open()?))))
};

const DICTIONARY: &[&str] = &[
    "firefox", "google-chrome", "com.google.Chrome", "GOOGLE", "docker", "2C3", "/sources",
    "/drift", "/details", "/provenance", "%2F", "%00", "%ff", "%E2%84%AA", "K", "ſ", "İ", "ß", "ẞ",
    "é", "e\u{301}", "..", "/", "?", "jamf-index", "drift", "+", "@", "%25",
];

struct Lookups(SampleService);

impl Target for Lookups {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let name = String::from_utf8_lossy(input);
        let encoded = utf8_percent_encode(&name, NON_ALPHANUMERIC).to_string();
        // A name as it comes may be part of any path; encoded it is always one segment.
        match hash(input) % 4 {
            0 => self.check_app(&encoded),
            1 => self.check_alias(&encoded),
            2 => self.check_path(&format!("/apps/{name}")),
            _ => self.check_path(&format!("/aliases/{name}")),
        }
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let text: String = (0..chance.below(12)).map(|_| chance.character()).collect();
        Some([chance.pick(DICTIONARY), &text].concat().into_bytes())
    }
}

impl Lookups {
    fn get(&self, target: &str) -> Result<Response, String> {
        let response = self.0.get(target);
        let response =
            response.ok_or_else(|| format!("the fast path answers an encoded name: {target}"))?;
        check_response(target, &response)?;
        Ok(response)
    }

    fn check_path(&self, target: &str) -> Result<(), String> {
        self.0.get(target).map_or(Ok(()), |response| check_response(target, &response))
    }

    fn check_app(&self, encoded: &str) -> Result<(), String> {
        let response = self.get(&format!("/apps/{encoded}"))?;
        let is_expected = matches!(response.status, 200 | 307 | 404);
        ensure(is_expected, || format!("a lookup finds an app or none: {encoded}: {response:?}"))
    }

    /// Every app that a name leads to can be read, and the name leads to nothing else.
    fn check_alias(&self, encoded: &str) -> Result<(), String> {
        let response = self.get(&format!("/aliases/{encoded}"))?;
        if response.status != 200 {
            return Ok(());
        }
        let found: Value = serde_json::from_slice(response.body()).unwrap_or_default();
        let matches = found["matches"].as_array().cloned().unwrap_or_default();
        ensure(!matches.is_empty(), || format!("a known name leads somewhere: {encoded}"))?;
        for found in matches {
            let slug = found["slug"].as_str().unwrap_or_default();
            let app = self.get(&format!("/apps/{slug}"))?;
            ensure(app.status == 200, || format!("a name leads to an app: {encoded}: {slug}"))?;
        }
        Ok(())
    }
}

/// Whatever is asked, the answer is JSON and no error of ours.
fn check_response(target: &str, response: &Response) -> Result<(), String> {
    ensure((200..500).contains(&response.status), || {
        format!("no server error: {target}: {response:?}")
    })?;
    let is_json = response.content_type.starts_with("application/json");
    let is_checked = is_json && is_one_in(8, target.as_bytes());
    ensure(!is_checked || response.is_json(), || {
        format!("a JSON body is JSON: {target}: {response:?}")
    })
}
