//! Drift in the real files: labels are resolved to generated versions with known disagreements, and
//! exactly these must be reported.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::{Method, multipart};
use serde_json::{Value, json};

use crate::{
    real_data::{all_apps, data, upload_all},
    support::TestServer,
};

/// A version that resolving a label could find, and whether it differs from the cask's version.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    version: String,
    drifts: bool,
}

/// The plausible versions that a label could find for a cask's version, and whether each is another
/// release. That is known because each is derived in one step.
fn plausible(cask: &str) -> Vec<Finding> {
    let (main, build) = match cask.split_once(',') {
        Some((main, build)) => (main, Some(build)),
        None => (cask, None),
    };
    let same = |version: String| Finding { version, drifts: false };
    let other = |version: String| Finding { version, drifts: true };
    let mut found =
        vec![same(main.to_owned()), same(cask.to_owned()), other("2026-13-45".to_owned())];
    let numbers: Option<Vec<u64>> = main.split('.').map(|part| part.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() > 1) else { return found };
    let dotted = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(".");
    let changed = |position: usize, by: i64| {
        let mut numbers = numbers.clone();
        numbers[position] = numbers[position].checked_add_signed(by)?;
        Some(dotted(&numbers))
    };
    let last = numbers.len() - 1;
    found.push(same(format!("v{main}")));
    found.push(same(format!("{main}.0")));
    if build != Some("1") {
        found.push(other(format!("{main}.1")));
    }
    found.extend(changed(last, 1).map(other));
    found.extend(changed(last, -1).map(other));
    // A later major version than a label's name has is not the label's.
    found.extend(changed(0, -1).map(other));
    let number = build.and_then(|build| build.parse::<u64>().ok());
    if let Some(number) = number {
        found.push(same(format!("{main} ({number})")));
        found.push(other(format!("{main} ({})", number + 1)));
        if number > 1000 {
            found.push(same(format!("{main}.{number}")));
            found.push(same(number.to_string()));
        }
    }
    if build.is_none() && numbers.iter().all(|part| *part < 50_000) {
        found.push(same(format!("{main}.56009")));
    }
    found
}

/// The label name and the cask version of each app that has both, by slug.
async fn versioned_casks(server: &TestServer) -> BTreeMap<String, (String, String)> {
    let mut file = BTreeMap::new();
    let both = ["label_tool", "cask_catalog"].map(Value::from);
    for app in all_apps(server).await {
        let sources = app["sources"].as_array().unwrap();
        if !both.iter().all(|token| sources.contains(token)) {
            continue;
        }
        let slug = app["slug"].as_str().unwrap();
        let detail = server.get(&format!("/apps/{slug}/sources")).await.json();
        let version = detail["cask_catalog"]["entry_json"]["version"].as_str().unwrap();
        if version == "latest" {
            continue;
        }
        // Such a label repeats the cask, and such a release is for some Macs only: not compared.
        let url = detail["cask_catalog"]["entry_json"]["url"].as_str().unwrap();
        if detail["label_tool"]["raw"].to_string().contains("formulae.brew.sh")
            || url.contains("-percent/")
        {
            continue;
        }
        let label = detail["label_tool"]["label_name"].as_str().unwrap().to_owned();
        file.insert(slug.to_owned(), (label, version.to_owned()));
    }
    file
}

#[tokio::test]
async fn with_the_versions_of_the_tracker_more_than_600_apps_are_compared() {
    let Some(data) = data() else { return };
    let server = TestServer::empty();
    let file = |name: &str| multipart::Part::bytes(std::fs::read(data.join(name)).unwrap());
    let form = multipart::Form::new()
        .part("label_tool", file("label_tool/labels.tar.gz"))
        .part("cask_catalog", file("cask_catalog/cask.json.gz"))
        .part("label_versions", file("label_tool/resolved.tar.gz"));
    let summary = server.send(server.admin(Method::PUT, "/admin/sources").multipart(form)).await;
    let summary = summary.json();
    for problem in summary["problems"].as_array().unwrap() {
        println!("{}: {}", problem["what"], problem["why"]);
    }
    let rejected = summary["rejected"].as_u64().unwrap();
    assert!((5..15).contains(&rejected), "junk is rejected, and only junk: {rejected}");
    let drift = server.get("/apps/drift?limit=1000").await.json();
    println!("compared {}, drift {}", drift["total_scanned"], drift["total_with_drift"]);
    assert!(drift["total_scanned"].as_u64().unwrap() > 600, "{}", drift["total_scanned"]);
    let sources = server.get("/sources").await.json();
    println!("{}", sources["sources"][5]);
    assert!(sources["sources"][5]["apps"].as_u64().unwrap() > 900, "{sources}");
    for app in all_apps(&server).await {
        let version = app["current_version"].as_str().unwrap_or("0");
        let is_version = version.contains(|c: char| c.is_ascii_digit());
        assert!(is_version && !version.contains(['/', '<', '$', '"']), "{app}");
    }
}

#[tokio::test]
async fn exactly_the_known_disagreements_are_drift() {
    let Some(data) = data() else { return };
    let server = TestServer::empty();
    upload_all(&server, &data).await;
    let casks = versioned_casks(&server).await;
    // In each turn, a label finds another version.
    for turn in [0, 3, 5, 8, 11] {
        check(&server, &casks, turn).await;
    }
}

/// The apps with a version that is not compared.
async fn left_out(
    server: &TestServer,
    file: &BTreeMap<String, (String, Finding)>,
) -> BTreeSet<String> {
    let mut left_out = BTreeSet::new();
    for slug in file.keys() {
        let details = server.get(&format!("/apps/{slug}/details")).await.json();
        let versions = details["version_agreement"]["versions"].as_array().unwrap().iter();
        if versions.filter(|stated| stated["left_out"].is_null()).count() < 2 {
            left_out.insert(slug.clone());
        }
    }
    left_out
}

/// Resolves each label to one of the plausible versions, and checks the reported drift.
async fn check(server: &TestServer, casks: &BTreeMap<String, (String, String)>, turn: usize) {
    let mut file: BTreeMap<String, (String, Finding)> = BTreeMap::new();
    for (number, (slug, (label, version))) in casks.iter().enumerate() {
        let choices = plausible(version);
        let choice = choices[(number + turn) % choices.len()].clone();
        file.insert(slug.clone(), (label.clone(), choice));
    }
    // Every turn is later than the one before. Some versions are lower than in the turn before, so
    // they have to be found twice.
    let times = [2 * turn, 2 * turn + 1].map(|hour| format!("2026-08-23T{hour:02}:00:00Z"));
    let line = |(label, found): &(String, Finding), time: &String| {
        json!({"label": label, "ok": true, "appNewVersion": found.version, "found_at": time})
            .to_string()
    };
    let lines = times.iter().flat_map(|time| file.values().map(|found| line(found, time)));
    let lines: Vec<String> = lines.collect();
    let post = server.admin(Method::POST, "/admin/labels/resolved").body(lines.join("\n"));
    let response = server.send(post).await;
    assert_eq!(response.json()["rejected"], 0, "{response:?}");

    let mut found = BTreeMap::new();
    let page = server.get("/apps/drift?limit=1000").await.json();
    for entry in page["entries"].as_array().unwrap() {
        found.insert(entry["slug"].as_str().unwrap().to_owned(), entry.clone());
    }
    assert_eq!(page["total_with_drift"], found.len(), "one page has all entries");
    let scanned = usize::try_from(page["total_scanned"].as_u64().unwrap()).unwrap();
    let left_out =
        if scanned == file.len() { BTreeSet::new() } else { left_out(server, &file).await };
    assert!(
        left_out.len() <= 8,
        "a few versions look as if they were of another kind: {left_out:?}"
    );
    assert_eq!(scanned + left_out.len(), file.len(), "{left_out:?}");
    let truth: BTreeSet<&String> = file
        .iter()
        .filter(|(slug, (_, found))| found.drifts && !left_out.contains(*slug))
        .map(|(slug, _)| slug)
        .collect();
    let reported: BTreeSet<&String> = found.keys().collect();
    let describe = |slugs: Vec<&&String>| {
        slugs
            .iter()
            .map(|slug| format!("{slug}: {:?} {:?}", file[**slug], found.get(**slug)))
            .collect::<Vec<_>>()
    };
    let false_alarms = describe(reported.difference(&truth).collect());
    let mut missed = Vec::new();
    for slug in truth.difference(&reported) {
        let sources = server.get(&format!("/apps/{slug}/sources")).await.json();
        // A label with exactly the version of the beta is one of the beta.
        if sources["cask_catalog"]["entry_json"]["version"] == casks[*slug].1.as_str() {
            missed.push(slug);
        }
    }
    let missed = describe(missed);
    println!(
        "compared {}, drift {}, false alarms {}, missed {}",
        file.len(),
        reported.len(),
        false_alarms.len(),
        missed.len()
    );
    assert_eq!(false_alarms, Vec::<String>::new(), "precision");
    assert_eq!(missed, Vec::<String>::new(), "recall");
    assert!(truth.len() > 200 && file.len() - truth.len() > 200, "both kinds must occur");
}
