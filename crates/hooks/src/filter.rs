//! Which changes a hook gets.

use std::collections::HashSet;

use appstitch_snapshot::ChangeRow;
use appstitch_text::fold_case;
use appstitch_types::{ChangeKind, RECORD_FIELDS};
use serde::{Deserialize, Serialize};

/// The most entries of a list, and the most characters of an entry.
const MOST_ENTRIES: usize = 500;
const LONGEST_ENTRY: usize = 200;

/// Which changes are sent. An empty list allows everything; a change has to pass every list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HookFilter {
    /// Slugs of apps. A renamed app passes with either slug.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slugs: Vec<String>,
    /// Vendors, in any case. An app that changes its vendor passes with either.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vendors: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<ChangeKind>,
    /// Fields of the record of which at least one changed. Apps that were added or removed pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
}

impl HookFilter {
    /// Checks the sizes and the names of fields. The error says what is wrong.
    pub(crate) fn check(&self) -> Result<(), String> {
        let lists = [("slugs", &self.slugs), ("vendors", &self.vendors), ("fields", &self.fields)];
        for (name, entries) in lists {
            if entries.len() > MOST_ENTRIES {
                return Err(format!("filter.{name} has more than {MOST_ENTRIES} entries"));
            }
            let is_long = |entry: &String| entry.chars().count() > LONGEST_ENTRY;
            if entries.iter().any(is_long) {
                return Err(format!(
                    "filter.{name} has an entry of more than {LONGEST_ENTRY} characters"
                ));
            }
        }
        if self.kinds.len() > MOST_ENTRIES {
            return Err(format!("filter.kinds has more than {MOST_ENTRIES} entries"));
        }
        match self.fields.iter().find(|field| !RECORD_FIELDS.contains(&field.as_str())) {
            Some(_) => {
                Err(format!("filter.fields has an unknown field; use {}", RECORD_FIELDS.join(", ")))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn prepared(&self) -> PreparedFilter<'_> {
        let number = |name: &String| RECORD_FIELDS.iter().position(|field| field == name);
        PreparedFilter {
            slugs: self.slugs.iter().map(String::as_str).collect(),
            kinds: &self.kinds,
            vendors: self.vendors.iter().map(|vendor| fold_case(vendor)).collect(),
            fields: self.fields.iter().filter_map(number).collect(),
        }
    }
}

/// A filter in the form that changes are compared with.
pub(crate) struct PreparedFilter<'a> {
    slugs: HashSet<&'a str>,
    kinds: &'a [ChangeKind],
    vendors: Vec<String>,
    /// The numbers of the fields.
    fields: Vec<usize>,
}

impl PreparedFilter<'_> {
    pub(crate) fn passes(&self, row: ChangeRow<'_>) -> bool {
        let Self { slugs, kinds, vendors, fields } = self;
        let has_slug = || {
            let former = row.former_slug();
            slugs.contains(row.slug()) || former.is_some_and(|former| slugs.contains(former))
        };
        let is_whole = matches!(row.kind(), ChangeKind::Added | ChangeKind::Removed);
        (kinds.is_empty() || kinds.contains(&row.kind()))
            && (fields.is_empty() || is_whole || fields.iter().any(|number| row.has_field(*number)))
            && (slugs.is_empty() || has_slug())
            && (vendors.is_empty() || vendors.iter().any(|vendor| row.is_of_vendor(vendor)))
    }
}

#[cfg(test)]
mod tests {
    use appstitch_snapshot::Journal;
    use serde_json::json;

    use super::*;
    use crate::test_journal::firefox;

    fn passes(filter: serde_json::Value, journal: &Journal) -> bool {
        let filter: HookFilter = serde_json::from_value(filter).unwrap();
        assert_eq!(filter.check(), Ok(()));
        filter.prepared().passes(journal.change(1).unwrap())
    }

    #[test]
    fn a_change_has_to_pass_every_list() {
        let changed = firefox("changed", r#"{"current_version":{"from":"1","to":"2"}}"#);
        assert!(passes(json!({}), &changed));
        assert!(passes(json!({"slugs": ["zoom", "firefox"], "vendors": ["MOZILLA"]}), &changed));
        assert!(!passes(json!({"slugs": ["zoom"], "vendors": ["mozilla"]}), &changed));
        assert!(!passes(json!({"vendors": ["zoom"]}), &changed));
        assert!(passes(json!({"kinds": ["changed"], "fields": ["current_version"]}), &changed));
        assert!(!passes(json!({"fields": ["sha256"]}), &changed));
        assert!(!passes(json!({"kinds": ["removed"]}), &changed));
        let removed = firefox("removed", r#"{"name":{"from":"Firefox","to":null}}"#);
        assert!(passes(json!({"fields": ["sha256"]}), &removed));
        let renamed = firefox("renamed", r#"{"slug":{"from":"fire","to":"firefox"}}"#);
        assert!(passes(json!({"slugs": ["fire"]}), &renamed));
    }

    #[test]
    fn lists_are_limited_and_fields_are_known() {
        let many = HookFilter { slugs: vec![String::new(); 501], ..HookFilter::default() };
        let long = HookFilter { vendors: vec!["a".repeat(201)], ..HookFilter::default() };
        let unknown = HookFilter { fields: vec!["color".to_owned()], ..HookFilter::default() };
        for filter in [many, long, unknown] {
            assert!(filter.check().is_err(), "{filter:?}");
        }
        assert!(serde_json::from_value::<HookFilter>(json!({"slug": []})).is_err());
        assert!(serde_json::from_value::<HookFilter>(json!({"kinds": ["moved"]})).is_err());
    }
}
