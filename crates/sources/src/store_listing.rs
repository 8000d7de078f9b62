//! `store_listing`: lookup responses, for Mac software only.

use std::io::BufRead;

use appstitch_budget::Budget;
use appstitch_stitching::CheckedEntry;
use appstitch_types::{RawObject, StoreListingSource, Uri};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    json_stream::JsonStream,
    parsed_file::{FileError, KeyedEntries, ParsedFile, UpstreamEntry},
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListingFields {
    kind: Option<String>,
    bundle_id: Option<String>,
    track_view_url: Option<String>,
}

/// Splits a lookup response into one document per app. The key is the bundle identifier.
pub fn read(json: &mut dyn BufRead, budget: &mut Budget) -> Result<ParsedFile, FileError> {
    let mut entries = KeyedEntries::default();
    let mut stream = JsonStream::new(json);
    let mut each = |text: Result<&str, String>, budget: &mut Budget| {
        let entry = text.and_then(|text| Ok((key(text)?, Bytes::copy_from_slice(text.as_bytes()))));
        Ok(entries.take(entry, budget)?)
    };
    stream
        .results(budget, &mut each)
        .and_then(|()| stream.end(budget))
        .map_err(|error| error.not_a("a lookup response"))?;
    Ok(entries.parsed)
}

fn key(entry: &str) -> Result<String, String> {
    let listing: ListingFields = serde_json::from_str(entry).map_err(|error| error.to_string())?;
    match listing.kind.as_deref() {
        Some("mac-software") => listing
            .bundle_id
            .filter(|id| !id.is_empty())
            .ok_or_else(|| "bundleId is missing".to_owned()),
        Some(kind) => Err(format!("kind is '{kind}', expected 'mac-software'")),
        None => Err("kind is missing".to_owned()),
    }
}

pub fn parse(document: &UpstreamEntry) -> Result<StoreListingSource, String> {
    let text = std::str::from_utf8(&document.body).map_err(|error| error.to_string())?;
    let listing: ListingFields = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let raw = RawValue::from_string(text.to_owned()).map_err(|error| error.to_string())?;
    let listing = StoreListingSource {
        bundle_id: document.key.clone(),
        store_url: listing.track_view_url.and_then(|url| Uri::parse(&url).ok()),
        raw: RawObject::new(raw).map_err(|broken| broken.to_string())?,
    };
    listing.admit().map_err(|broken| broken.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_mac_software_is_taken() {
        let json = br#"{"resultCount":4,"results":[
            {"kind":"mac-software","bundleId":"com.example.mac","trackViewUrl":"https://apps.example.com/1"},
            {"kind":"software","bundleId":"com.example.phone"},
            {"bundleId":"com.example.what"},
            {"kind":"mac-software"}]}"#;
        let parsed = read(&mut &json[..], &mut Budget::default()).unwrap();
        assert_eq!((parsed.entries.len(), parsed.refused.len()), (1, 3));
        let listing = parse(&parsed.entries[0]).unwrap();
        assert_eq!(listing.bundle_id, "com.example.mac");
        assert_eq!(listing.store_url.unwrap().as_str(), "https://apps.example.com/1");
        for broken in
            [&b"[]"[..], b"{}", br#"{"results":[],"results":[]}"#, br#"{"a":@,"results":[]}"#]
        {
            assert!(read(&mut &broken[..], &mut Budget::default()).is_err());
        }
    }
}
