//! `cask_catalog`: the array of cask entries, kept verbatim.

use std::io::BufRead;

use appstitch_budget::Budget;
use appstitch_stitching::CheckedEntry;
use appstitch_types::{CaskCatalogSource, RawObject, Slug};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    json_stream::JsonStream,
    parsed_file::{FileError, KeyedEntries, ParsedFile, UpstreamEntry},
};

/// Splits the upstream array into one document per cask while the file is read. The key is the
/// cask's token.
pub fn read(json: &mut dyn BufRead, budget: &mut Budget) -> Result<ParsedFile, FileError> {
    read_array(json, budget).map_err(|error| error.not_a("a JSON array of casks"))
}

fn read_array(json: &mut dyn BufRead, budget: &mut Budget) -> Result<ParsedFile, FileError> {
    let mut entries = KeyedEntries::default();
    let mut stream = JsonStream::new(json);
    stream.elements(budget, &mut |stream, budget| {
        let entry = stream
            .value(budget)?
            .and_then(|text| Ok((key(text)?, Bytes::copy_from_slice(text.as_bytes()))));
        Ok(entries.take(entry, budget)?)
    })?;
    stream.end(budget)?;
    Ok(entries.parsed)
}

fn key(entry: &str) -> Result<String, String> {
    #[derive(Deserialize)]
    struct Token {
        token: String,
    }
    let Token { token } = serde_json::from_str(entry).map_err(|error| error.to_string())?;
    if token.is_empty() {
        return Err("the token is empty".to_owned());
    }
    match Slug::parse(&token) {
        Ok(_) => Ok(token),
        Err(broken) => Err(broken.to_string()),
    }
}

pub fn parse(document: &UpstreamEntry) -> Result<CaskCatalogSource, String> {
    let entry = std::str::from_utf8(&document.body).map_err(|error| error.to_string())?;
    let entry = RawValue::from_string(entry.to_owned()).map_err(|error| error.to_string())?;
    let entry_json = RawObject::new(entry).map_err(|broken| broken.to_string())?;
    let cask = CaskCatalogSource { token: document.key.clone(), entry_json };
    cask.admit().map_err(|broken| broken.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_kept_verbatim_and_bad_ones_left_out() {
        let json = br#"[{"token":"a","n":1.50},{"name":["no token"]},7,{"token":"b"},{"token":"a","twice":1}]"#;
        let parsed = read(&mut &json[..], &mut Budget::default()).unwrap();
        let keys: Vec<_> = parsed.entries.iter().map(|document| document.key.as_str()).collect();
        assert_eq!(keys, ["a", "b"]);
        assert_eq!(parsed.entries[0].body, r#"{"token":"a","n":1.50}"#);
        assert_eq!(parsed.refused.len(), 3);
        assert!(parsed.refused[0].why.contains("token"), "{:?}", parsed.refused);
        let cask = parse(&parsed.entries[0]).unwrap();
        assert_eq!(
            (cask.token.as_str(), cask.entry_json.as_json()),
            ("a", r#"{"token":"a","n":1.50}"#)
        );
    }

    #[test]
    fn what_is_no_array_is_unreadable() {
        for json in ["{}", "[] x", "[{\"token\":\"a\"}", "<html>"] {
            assert!(read(&mut json.as_bytes(), &mut Budget::default()).is_err(), "{json}");
        }
    }
}
