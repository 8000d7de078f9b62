//! The table of drift, with a column for each compared source.

use std::collections::HashSet;

use appstitch_client::{DriftEntry, DriftScope, Source, SourceVersion};
use appstitch_types::DriftRole;
use appstitch_versions::Version;

use crate::exit::Failure;
use crate::table::{Cell, Column, Look, bad, cell, deprecation, good, unsure};

/// `deprecated` has the slugs of the apps that are deprecated.
pub(super) fn show(
    entries: &[DriftEntry],
    deprecated: &HashSet<String>,
    scope: DriftScope,
    look: Look,
) -> Result<(), Failure> {
    let sources = compared(entries, scope);
    let has_deprecated = !deprecated.is_empty();
    let columns = [Column::whole("SLUG"), Column::optional("NAME", 1)]
        .into_iter()
        .chain(sources.iter().map(|source| Column::whole(source.to_ascii_uppercase())))
        .chain([Column::optional("BEHIND", 2)])
        .chain(has_deprecated.then(|| Column::whole("DEPRECATION")));
    let mut table = look.table(columns);
    for entry in entries {
        let versions = sources.iter().map(|source| version(entry, source));
        let start = [cell(Some(&entry.slug)), cell(Some(&entry.name))];
        let end = cell(entry.laggard.as_deref());
        let mark = has_deprecated.then(|| deprecation(deprecated.contains(&entry.slug)));
        table.add_row(start.into_iter().chain(versions).chain([end]).chain(mark));
    }
    table.print()
}

/// The compared sources, and any others in the entries, which a newer server may have.
fn compared(entries: &[DriftEntry], scope: DriftScope) -> Vec<&str> {
    let is_always = |source: &Source| source.describe().drift == DriftRole::Always;
    let always = Source::ALL.into_iter().filter(is_always).map(Source::token);
    let mut sources: Vec<&str> = always.chain(scope.further()).collect();
    for stated in entries.iter().flat_map(|entry| &entry.versions) {
        if !sources.contains(&stated.source.as_str()) {
            sources.push(&stated.source);
        }
    }
    sources
}

/// The version of a source: good if it is the highest, bad if it is the lowest.
fn version(entry: &DriftEntry, source: &str) -> Cell {
    let of = |source: &str| entry.versions.iter().find(|stated| stated.source == source);
    let Some(stated) = of(source) else { return cell(None) };
    let text = stated.version.as_str();
    let (Some(leader), Some(laggard)) = (&entry.leader, &entry.laggard) else {
        return unsure(text);
    };
    let is_at = |place: &str| of(place).is_some_and(|other| is_same(stated, other));
    if is_at(leader) {
        good(text)
    } else if is_at(laggard) {
        bad(text)
    } else {
        cell(Some(text))
    }
}

/// Whether two sources state the same version. Of several, the server names only one as the leader.
fn is_same(left: &SourceVersion, right: &SourceVersion) -> bool {
    let (left, right) = (left.version.as_str(), right.version.as_str());
    left == right || Version::parse(left).is_some_and(|left| Some(left) == Version::parse(right))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(versions: &[(&str, &str)], order: Option<(&str, &str)>) -> DriftEntry {
        let stated = |(source, version): &(&str, &str)| json!({"source": source, "version": version, "parsed_ok": true});
        serde_json::from_value(json!({"slug": "a", "name": "A", "vendor": null,
            "versions": versions.iter().map(stated).collect::<Vec<_>>(),
            "leader": order.map(|order| order.0), "laggard": order.map(|order| order.1)}))
        .unwrap()
    }

    #[test]
    fn every_compared_source_has_a_column() {
        let entries = [entry(&[("cask_catalog", "1"), ("of_a_newer_server", "2")], None)];
        let always = ["label_tool", "cask_catalog"];
        assert_eq!(compared(&[], DriftScope::default()), always);
        let all = DriftScope::ALL[3];
        let expected = [&always[..], &["mdm_installer", "store_listing", "of_a_newer_server"]];
        assert_eq!(compared(&entries, all), expected.concat());
    }

    #[test]
    fn versions_equal_to_the_highest_or_the_lowest_have_its_color() {
        let versions = [
            ("label_tool", "2.0"),
            ("cask_catalog", "v2"),
            ("mdm_installer", "1.5"),
            ("store_listing", "1.0"),
        ];
        let ordered = entry(&versions, Some(("label_tool", "store_listing")));
        let shown = |entry: &DriftEntry, source: &str| format!("{:?}", version(entry, source));
        assert_eq!(shown(&ordered, "label_tool"), format!("{:?}", good("2.0")));
        assert_eq!(shown(&ordered, "cask_catalog"), format!("{:?}", good("v2")));
        assert_eq!(shown(&ordered, "mdm_installer"), format!("{:?}", cell(Some("1.5"))));
        assert_eq!(shown(&ordered, "store_listing"), format!("{:?}", bad("1.0")));
        assert_eq!(shown(&ordered, "recipe_index"), format!("{:?}", cell(None)));
        let open = entry(&versions, None);
        assert_eq!(shown(&open, "label_tool"), format!("{:?}", unsure("2.0")));
    }
}
