//! Which apps have drift, and who leads.

use serde_json::json;

use appstitch_types::{AppSources, DriftScope};
use appstitch_versions::Version;

use super::*;
use crate::agreement::Agreement;

fn drift_between(label: &str, cask: &str) -> (Vec<SourceVersion>, Option<DriftEntry>) {
    let app = json!({"slug":"a","name":"A","sources":["label_tool","cask_catalog"]});
    let sources = json!({
        "label_tool": {"label_name":"a","label_url":"https://example.com/a.sh","raw":{"appNewVersion":label}},
        "cask_catalog": {"token":"a","entry_json":{"version":cask}},
    });
    let app = serde_json::from_value(app).unwrap();
    let sources: AppSources = serde_json::from_str(&sources.to_string()).unwrap();
    let versions = Agreement::of(&sources).versions;
    let drift = find_drift(&app, DriftScope::default().of(&versions));
    (versions, drift)
}

#[test]
fn the_source_with_the_higher_version_leads() {
    let (_, drift) = drift_between("1.9", "1.10");
    let drift = drift.expect("1.9 and 1.10 differ");
    assert_eq!(drift.leader.as_deref(), Some("cask_catalog"));
    assert_eq!(drift.laggard.as_deref(), Some("label_tool"));
    assert!(drift.versions.iter().all(|version| version.parsed_ok));
}

#[test]
fn an_unparsed_version_leaves_leader_and_laggard_open() {
    let (_, drift) = drift_between("2026-03-05", "1.10");
    let drift = drift.expect("a date and a version differ");
    assert_eq!((drift.leader, drift.laggard), (None, None));
    assert_eq!(drift.versions.iter().map(|v| v.parsed_ok).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn equal_versions_in_other_spellings_agree() {
    for (label, cask) in [
        ("4.32", "4.32.0"),
        ("v1.2", "1.2"),
        ("5.0.4", "5.0.4,1234"),
        ("2026-03-05", "2026-03-05"),
        ("Release A", "release a"),
    ] {
        let (versions, drift) = drift_between(label, cask);
        assert_eq!(versions.len(), 2, "{label} and {cask}");
        assert_eq!(drift, None, "{label} and {cask}");
    }
}

#[test]
fn shell_expressions_and_sentinels_state_no_version() {
    for (label, cask) in [("$(curl x)", "1"), ("a | b", "1"), ("`date`", "1"), ("1", "latest")] {
        let (versions, drift) = drift_between(label, cask);
        assert_eq!(versions.len(), 1, "{label} and {cask}");
        assert_eq!(drift, None, "{label} and {cask}");
    }
}

fn stated(source: &str, version: &str) -> SourceVersion {
    let parsed_ok = Version::parse(version).is_some();
    SourceVersion { source: source.to_owned(), version: version.to_owned(), parsed_ok }
}

#[test]
fn titles_and_listings_are_compared_on_request() {
    let app = serde_json::from_value(json!({"slug": "a", "name": "A", "sources": []})).unwrap();
    let versions = [
        stated("label_tool", "2.0"),
        stated("cask_catalog", "2.0"),
        stated("mdm_installer", "1.9"),
        stated("store_listing", "2.1"),
    ];
    let found = |list: &str| {
        let scope = DriftScope::read(list).unwrap();
        let drift = find_drift(&app, scope.of(&versions))?;
        Some((drift.leader.unwrap(), drift.laggard.unwrap(), drift.versions.len()))
    };
    let expected =
        |leader: &str, laggard: &str, count| Some((leader.to_owned(), laggard.to_owned(), count));
    assert_eq!(found(""), None);
    assert_eq!(found("label_tool"), None, "always compared");
    assert_eq!(found("mdm_installer"), expected("label_tool", "mdm_installer", 3));
    assert_eq!(found("store_listing"), expected("store_listing", "label_tool", 3));
    assert_eq!(
        found("store_listing, mdm_installer"),
        expected("store_listing", "mdm_installer", 4)
    );
    assert_eq!(DriftScope::read("mdm_installer,recipe_index"), Err("recipe_index"));
    for (number, scope) in DriftScope::ALL.into_iter().enumerate() {
        assert_eq!(scope.number(), number);
        let list = scope.further().collect::<Vec<_>>().join(",");
        assert_eq!(DriftScope::read(&list), Ok(scope), "{list}");
    }
}

#[test]
fn one_unparsed_version_leaves_the_order_of_all_open() {
    let app = serde_json::from_value(json!({"slug": "a", "name": "A", "sources": []})).unwrap();
    let versions = [
        stated("label_tool", "2.0"),
        stated("cask_catalog", "1.0"),
        stated("mdm_installer", "2026-03-05"),
    ];
    let drift = find_drift(&app, &versions).unwrap();
    assert_eq!((drift.leader, drift.laggard, drift.versions.len()), (None, None, 3));
}

#[test]
fn a_label_that_asks_the_casks_service_is_not_compared() {
    let compared = |expression: &str, cask: Option<&str>| {
        let cask = cask.map(|version| json!({"token": "a", "entry_json": {"version": version}}));
        let sources = json!({
            "label_tool": {"label_name": "a", "label_url": "https://example.com/a.sh", "raw": {
                "answer": expression, "appNewVersion": "$(getJSONValue \"$answer\" version)",
                "resolved": {"appNewVersion": "1.0"},
            }},
            "cask_catalog": cask,
        });
        let sources: AppSources = serde_json::from_str(&sources.to_string()).unwrap();
        let agreement = Agreement::of(&sources);
        assert_eq!(agreement.versions.len(), 1 + usize::from(sources.cask_catalog.is_some()));
        agreement.compared().map(|stated| stated.source.clone()).collect::<Vec<_>>()
    };
    let curl = "$(curl https://example.com/a.json)";
    let casks = "$(curl https://formulae.brew.sh/api/cask/a.json)";
    assert_eq!(compared(curl, Some("1.1")), ["label_tool", "cask_catalog"]);
    assert_eq!(compared(casks, Some("1.1")), ["cask_catalog"]);
    assert_eq!(compared(casks, None), ["label_tool"], "nothing else tells the cask's version");
}
