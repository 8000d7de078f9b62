//! What changed between two revisions: whole records to put, and slugs to drop, in the order of slugs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use thiserror::Error;

use crate::records::{Records, slug_of};

#[derive(Serialize, Deserialize)]
struct Line<'a> {
    slug: String,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    app: Option<&'a RawValue>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    removed: bool,
}

#[derive(Debug, Error)]
pub enum DeltaError {
    #[error("it is not UTF-8")]
    Encoding,
    #[error("line {0} neither puts nor drops a record")]
    Line(usize),
    #[error("line {0} is not in the order of slugs")]
    Order(usize),
}

/// The lines of a delta. Each slug comes with its record, or with none if it left.
pub(crate) fn write<'a>(changes: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> Vec<u8> {
    let mut text = Vec::new();
    for (slug, record) in changes {
        let app = record.and_then(|record| serde_json::from_str(record).ok());
        let line = Line { slug: slug.to_owned(), app, removed: record.is_none() };
        // Texts can always be written.
        text.extend(serde_json::to_vec(&line).unwrap_or_default());
        text.push(b'\n');
    }
    text
}

impl Records {
    /// These records with a delta applied, as records of its revision. Whether the result is right, only
    /// the hash of the whole tells.
    pub fn with_delta(self, delta: &[u8], revision: &str) -> Result<Self, DeltaError> {
        let text = str::from_utf8(delta).map_err(|_| DeltaError::Encoding)?;
        let mut lines: BTreeMap<String, Box<str>> = self.lines.into_iter().collect();
        let mut last = String::new();
        for (number, line) in (1..).zip(text.lines()) {
            let malformed = || DeltaError::Line(number);
            let Line { slug, app, removed } =
                serde_json::from_str(line).map_err(|_| malformed())?;
            if slug <= last {
                return Err(DeltaError::Order(number));
            }
            match app {
                Some(app) if !removed && slug_of(app.get()).as_deref() == Some(slug.as_str()) => {
                    lines.insert(slug.clone(), app.get().into());
                }
                None if removed => drop(lines.remove(&slug)),
                _ => return Err(malformed()),
            }
            last = slug;
        }
        Ok(Self { revision: revision.to_owned(), lines: lines.into_iter().collect() })
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::btree_map, prelude::*};

    use super::*;

    fn records(revision: &str, apps: &BTreeMap<String, u32>) -> Records {
        let line = |(slug, value): (&String, &u32)| {
            let record = format!(r#"{{"slug":"{slug}","value":{value}}}"#);
            (slug.clone(), record.into_boxed_str())
        };
        Records { revision: revision.to_owned(), lines: apps.iter().map(line).collect() }
    }

    proptest! {
        #[test]
        fn a_delta_leads_from_one_catalog_to_the_other(
            old in btree_map("[a-d]{1,2}", 0..3_u32, 0..12),
            new in btree_map("[a-d]{1,2}", 0..3_u32, 0..12),
        ) {
            let (older, newer) = (records("old", &old), records("new", &new));
            let slugs = old.keys().chain(new.keys()).collect::<std::collections::BTreeSet<_>>();
            let find = |slug: &str| newer.iter().find(|(known, _)| *known == slug);
            let changes = slugs.iter().map(|slug| (slug.as_str(), find(slug).map(|(_, text)| text)));
            let delta = write(changes);
            prop_assert_eq!(older.with_delta(&delta, "new").unwrap(), newer);
        }
    }

    #[test]
    fn lines_that_are_no_change_are_refused() {
        let none = Records::default;
        for (delta, why) in [
            ("{\"slug\":\"a\"}", "line 1 neither"),
            ("{\"slug\":\"a\",\"app\":{\"slug\":\"b\"}}", "line 1 neither"),
            ("{\"slug\":\"a\",\"app\":{\"slug\":\"a\"},\"removed\":true}", "line 1 neither"),
            (
                "{\"slug\":\"b\",\"removed\":true}\n{\"slug\":\"a\",\"removed\":true}",
                "line 2 is not",
            ),
            ("{\"slug\":\"\",\"removed\":true}", "line 1 is not"),
            ("text", "line 1 neither"),
        ] {
            let error = none().with_delta(delta.as_bytes(), "r").unwrap_err();
            assert!(error.to_string().starts_with(why), "{delta}: {error}");
        }
        assert!(matches!(none().with_delta(b"\xff", "r"), Err(DeltaError::Encoding)));
    }
}
