//! The query of a listing.

use std::collections::BTreeMap;

use appstitch_server::inspect;

use super::sample_service::SampleService;
use crate::target::{Target, TargetEntry, ensure, is_one_in};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 256,
    ..TargetEntry::new("query_strings", || Ok(Box::new(QueryStrings(SampleService::open()?))))
};

const DICTIONARY: &[&str] = &[
    "limit=", "offset=", "vendor=", "source=", "exclude_source=", "deprecated=", "include=",
    "bundle_id=", "team_id=", "install_method=", "slugs=", "q=", "&", "=", "&&", ";", "%", "%20",
    "+", "%2B", "%00", "%ff", "%C3%A9", "1_000", "1.0", "-1", "99999999999999999999", "true",
    "off", "label_tool", "cask_catalog", "mdm_installer", "Mozilla", "?", "#",
];

const NAMES: [&str; 12] = [
    "vendor", "source", "exclude_source", "deprecated", "include", "bundle_id", "team_id",
    "install_method", "slugs", "q", "limit", "offset",
];

struct QueryStrings(SampleService);

impl Target for QueryStrings {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let query = String::from_utf8_lossy(input);
        // The reference is the library, for every query; of a repeated parameter the last is used.
        let expected: BTreeMap<String, String> = form_urlencoded::parse(query.as_bytes())
            .filter(|(name, _)| NAMES.contains(&name.as_ref()))
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        let read = inspect::read_query(&query);
        let read: BTreeMap<String, String> =
            read.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        ensure(read == expected, || {
            format!("a query is read as the library reads it: {query:?}: {read:?}, {expected:?}")
        })?;
        let path = match input.len() % 4 {
            0 | 1 => "/search",
            2 => "/apps",
            _ => "/apps/drift",
        };
        // What is not plain is for the library.
        let Some(answer) = self.0.get(&format!("{path}?{query}")) else { return Ok(()) };
        ensure(matches!(answer.status, 200 | 422), || {
            format!("a query is answered or rejected: {query:?}: {answer:?}")
        })?;
        ensure(!is_one_in(16, input) || answer.is_json(), || {
            format!("a listing is JSON: {query:?}: {answer:?}")
        })
    }
}
