//! One lookup response.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Debug, Default)]
pub(super) struct LookupAnswer {
    /// The listings of Mac apps, by bundle identifier in lower case.
    pub(super) listings: BTreeMap<String, Box<RawValue>>,
    /// Anything else.
    pub(super) refused: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Response {
    results: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Identified {
    kind: Option<String>,
    bundle_id: Option<String>,
}

impl LookupAnswer {
    /// Reads a response. Its content type does not matter: the store calls it JavaScript.
    pub(super) fn read(body: &[u8]) -> Result<Self, serde_json::Error> {
        let response: Response = serde_json::from_slice(body)?;
        let mut answer = Self::default();
        for record in response.results {
            match mac_app(&record) {
                Some(key) => drop(answer.listings.entry(key).or_insert(record)),
                None => answer.refused.push(record),
            }
        }
        Ok(answer)
    }
}

fn mac_app(record: &RawValue) -> Option<String> {
    let listing: Identified = serde_json::from_str(record.get()).ok()?;
    let is_mac_app = listing.kind.as_deref() == Some("mac-software");
    listing.bundle_id.filter(|_| is_mac_app).map(|id| id.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_mac_apps_are_listings() {
        let body = br#"

            {"resultCount":3,"results":[
            {"kind":"mac-software","bundleId":"com.Example.Mac"},
            {"kind":"software","bundleId":"com.example.phone"},
            7]}"#;
        let answer = LookupAnswer::read(body).unwrap();
        assert_eq!(answer.listings.keys().collect::<Vec<_>>(), ["com.example.mac"]);
        assert_eq!(answer.refused.len(), 2);
        for broken in ["", "[]", "{}", "<html>", r#"{"results":{}}"#] {
            assert!(LookupAnswer::read(broken.as_bytes()).is_err(), "{broken}");
        }
    }
}
