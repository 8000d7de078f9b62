//! What an upload accepts is served, or can be: entries that never could be are rejected.

use serde_json::{Value, json};

use crate::{
    sources::{cask, label_archive},
    support::TestServer,
};

/// Uploads a file of which some entries must be rejected, each with a reason.
async fn upload(source: &str, body: impl Into<reqwest::Body>, counts: [u64; 3], reasons: &[&str]) {
    let server = TestServer::empty();
    let response = server.put(&format!("/admin/sources/{source}"), body).await;
    assert_eq!(response.status, 200, "{response:?}");
    let summary = response.json();
    let counted = [&summary["received"], &summary["accepted"], &summary["rejected"]];
    assert_eq!(counted, counts.map(Value::from).each_ref(), "{summary}");
    let problems = summary["problems"].as_array().unwrap();
    assert_eq!(problems.len(), reasons.len(), "{summary}");
    for (problem, reason) in problems.iter().zip(reasons) {
        let why = problem["why"].as_str().unwrap();
        assert!(why.contains(reason), "'{why}' should say '{reason}'");
    }
    let status = server.get("/sources").await.json();
    let mut sources = status["sources"].as_array().unwrap().iter();
    let status = sources.find(|status| status["source"] == source).unwrap();
    assert_eq!((&status["documents"], &status["rejected"]), (&json!(counts[1]), &json!(counts[2])));
    if matches!(source, "cask_catalog" | "label_tool") {
        assert_eq!(summary["apps"]["total"], counts[1], "each accepted entry is an app");
    }
}

/// JSON that is nested too deeply to be served.
fn deep() -> Value {
    (0..110).fold(json!(1), |inner, _| json!([inner]))
}

#[tokio::test]
async fn casks_that_cannot_be_served_are_rejected() {
    let named = |token: &str| {
        let mut entry = cask("x", "1.0");
        entry["token"] = token.into();
        entry
    };
    let mut nested = cask("nested", "1.0");
    nested["nested"] = deep();
    let casks = json!([cask("good", "1.0"), named("two words"), nested, named(&"l".repeat(129))]);
    // Readers reject tokens before the nesting of the others is checked.
    let reasons = ["slug", "slug", "100"];
    upload("cask_catalog", casks.to_string(), [4, 1, 3], &reasons).await;
}

#[tokio::test]
async fn labels_of_one_name_are_rejected_but_for_the_first() {
    let names = format!("many|{}", (0..150).map(|n| format!("n{n}")).collect::<Vec<_>>().join("|"));
    let archive = archive_of(&[("a", "same"), ("b", "same"), ("c", "drift"), ("d", "drift-app")]);
    upload("label_tool", archive, [4, 2, 2], &["duplicate label 'same'", "'drift-app'"]).await;
    let archive = archive_of(&[("a", "good"), ("b", &names)]);
    upload("label_tool", archive, [2, 1, 1], &["151 names; the limit is 101"]).await;
}

/// An archive of labels whose files are not named after them.
fn archive_of(labels: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (file, name) in labels {
        let text = format!("{name})\n    name=\"Sample\"\n    ;;\n");
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_cksum();
        let path = format!("Tool-main/fragments/labels/{file}.sh");
        archive.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap()
}

#[tokio::test]
async fn listings_that_cannot_be_served_are_rejected() {
    let listing = |id: &str| json!({"kind": "mac-software", "bundleId": id});
    let mut nested = listing("com.example.nested");
    nested["nested"] = deep();
    let results =
        json!({"results": [listing("com.example.one"), listing("com.example.ONE"), nested]});
    let reasons = ["duplicate bundle identifier", "100"];
    upload("store_listing", results.to_string(), [3, 1, 2], &reasons).await;
}

/// A label that is called like the cask of another app, and one that is called like the name that
/// the cask gets instead.
#[tokio::test]
async fn a_cask_whose_slug_is_taken_is_still_served() {
    let server = TestServer::empty();
    let other = "    name=\"Another\"\n    appName=\"Another.app\"\n    type=\"dmg\"\n    \
                 downloadURL=\"https://another.example/a.dmg\"\n    \
                 appNewVersion=$(versionFromGit another repository)";
    let labels = label_archive(&[("tool", other), ("tool-cask", other)]);
    let mut tool = cask("tool", "1.0");
    tool["url"] = "https://github.com/maker/tool/releases/download/1.0/tool.dmg".into();
    let form = reqwest::multipart::Form::new()
        .part("label_tool", reqwest::multipart::Part::bytes(labels))
        .part("cask_catalog", reqwest::multipart::Part::text(json!([tool]).to_string()));
    let request = server.admin(reqwest::Method::PUT, "/admin/sources").multipart(form);
    let summary = server.send(request).await.json();
    assert_eq!((&summary["accepted"], &summary["apps"]["total"]), (&json!(3), &json!(3)));
    let served = server.get("/apps/tool-cask-cask/sources").await.json();
    assert_eq!(served["cask_catalog"]["token"], "tool");
}

#[tokio::test]
async fn an_address_with_a_password_is_reported_and_not_served() {
    let server = TestServer::empty();
    let private = "https://user:word@example.com/sample-2.0.dmg";
    let mut split = cask("split", "2.0");
    split["url"] = json!(private);
    split["variations"] = json!({"sonoma": {"url": "https://example.com/split-2.0-intel.dmg"}});
    let mut site = cask("site", "1.0");
    site["homepage"] = json!("https://user:word@example.com/");
    let casks = json!([split, site, cask("good", "1.0")]).to_string();
    let summary = server.put("/admin/sources/cask_catalog", casks).await.json();
    let refused = "the URL has a user name or a password: use one without";
    assert_eq!(
        summary["problems"],
        json!([
            {"what": "cask_catalog, split", "why": format!("url: {refused}")},
            {"what": "cask_catalog, site", "why": format!("homepage: {refused}")},
        ])
    );
    assert_eq!(summary["accepted"], 3, "{summary}");
    let label = label_archive(&[(
        "own",
        &format!("    name=\"Own\"\n    type=\"dmg\"\n    downloadURL=\"{private}\""),
    )]);
    let summary = server.put("/admin/sources/label_tool", label).await.json();
    let problem =
        json!({"what": "label_tool, fragment/own.sh", "why": format!("downloadURL: {refused}")});
    assert_eq!(summary["problems"], json!([problem]), "{summary}");

    assert_eq!(server.get("/apps/site/details").await.json()["homepage"], Value::Null);
    assert!(!server.get("/a/site").await.text().contains("user:word"));
    let request = server
        .request(reqwest::Method::POST, "/apps/split/generate-label")
        .header("accept", "text/x-shellscript");
    let fragment = server.send(request).await.text().to_owned();
    assert!(!fragment.contains("user:word"), "{fragment}");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("case $label in\n{fragment}esac\n")).unwrap();
    let checked = std::process::Command::new("bash").arg("-n").arg(file.path()).output().unwrap();
    assert!(checked.status.success(), "{fragment}\n{checked:?}");
}
