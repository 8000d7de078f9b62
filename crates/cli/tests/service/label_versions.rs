//! The versions of the public tracker: `label_versions` as an upload, in `refresh`, in provenance
//! and in `GET /sources`.

use reqwest::multipart;
use serde_json::{Value, json};

use crate::{
    sources::{SAMPLE_LABEL, cask, label_archive, server},
    support::{TOKEN, TestServer, Upstream, run, run_ok, write_config},
};

/// A gzipped tar of the tracker: the findings of each label.
pub(crate) fn version_archive(labels: &[(&str, Value)]) -> Vec<u8> {
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut archive = tar::Builder::new(gzip);
    for (name, findings) in labels {
        let text = findings.to_string();
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_cksum();
        let path = format!("Tracker-main/TrackedLabelDetails/{name}.json");
        archive.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

pub(crate) fn findings(found: &[(&str, &str)]) -> Value {
    let finding = |(version, time): &(&str, &str)| {
        json!({"label": "sample", "appNewVersion": version, "timeStamp": time,
            "downloadURL": "https://example.com/found.dmg", "type": "dmg"})
    };
    found.iter().map(finding).collect()
}

#[tokio::test]
async fn an_old_finding_is_marked_and_nobody_is_asked_to_report_it() {
    let server = server().await;
    let old = version_archive(&[("sample", findings(&[("1.0", "2026-08-01T10:00:00Z")]))]);
    assert_eq!(server.put(ROUTE, old).await.status, 200);
    let page = server.get("/a/sample").await;
    for part in [
        "<strong>Installomator</strong> is behind",
        "<span class=\"badge-neutral\">old finding</span> The version was found on <time datetime=\"2026-08-01\">",
        "href=\"https://github.com/Installomator/Installomator/issues/new\"",
    ] {
        assert!(page.text().contains(part), "{part} in {}", page.text());
    }
    let drift = server.get("/drift").await;
    let mark = "today\">found <time datetime=\"2026-08-01\">";
    assert!(drift.text().contains(mark), "{}", drift.text());
    let now = jiff::Timestamp::now().to_string();
    let fresh = version_archive(&[("sample", findings(&[("1.1", &now)]))]);
    assert_eq!(server.put(ROUTE, fresh).await.status, 200);
    let page = server.get("/a/sample").await;
    assert!(!page.text().contains("old finding"), "{}", page.text());
    assert!(!server.get("/drift").await.text().contains("today\">found"));
    assert!(page.text().contains("Installomator/issues/new?title="), "{}", page.text());
}

const ROUTE: &str = "/admin/sources/label_versions";

async fn names(server: &TestServer) -> Vec<String> {
    let sources = server.get("/sources").await.json();
    let names = sources["sources"].as_array().unwrap().iter();
    names.map(|version| version["source"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_newest_version_of_a_label_is_served_with_its_finder_and_time() {
    let server = server().await;
    assert_eq!(names(&server).await.len(), 5, "not listed before it is received");
    let archive = version_archive(&[
        ("sample", findings(&[("2.4", "2026-08-01T10:00:00Z"), ("2.5", "2026-08-02T10:00:00Z")])),
        ("gone", findings(&[("1.0", "2026-08-01T10:00:00Z")])),
    ]);
    let summary = server.put(ROUTE, archive.clone()).await.json();
    assert_eq!((&summary["accepted"], &summary["rejected"]), (&json!(2), &json!(0)), "{summary}");
    assert_eq!(server.get("/apps/sample").await.json()["current_version"], "2.5");
    let payload = server.get("/apps/sample/sources").await.json();
    assert_eq!(payload["label_tool"]["raw"]["resolved"], json!({"appNewVersion": "2.5"}));
    let recorded = json!({"downloadURL": "https://example.com/found.dmg"});
    assert_eq!(payload["label_tool"]["raw"]["recorded"], recorded);
    let provenance = server.get("/apps/sample/provenance").await.json();
    assert_eq!(
        provenance["label_values"],
        json!({"version": {"found_by": "tracker", "found_at": "2026-08-02T10:00:00Z"},
            "download_url": {"found_by": "tracker", "found_at": "2026-08-02T10:00:00Z"}})
    );
    assert_eq!(server.get("/apps/other/provenance").await.json()["label_values"], Value::Null);
    assert_eq!(server.get("/apps/sample/drift").await.json()["leader"], "label_tool");

    let sources = server.get("/sources").await.json();
    let row = &sources["sources"][5];
    assert_eq!(
        (&row["source"], &row["documents"], &row["apps"], &row["rejected"]),
        (&json!("label_versions"), &json!(2), &json!(1), &json!(0)),
        "{row}"
    );
    assert!(row["received_at"].is_string() && row["changed_at"].is_string(), "{row}");

    let etag = server.etag().await;
    let again = server.put(ROUTE, archive).await.json();
    assert_eq!((&again["changed"], server.etag().await), (&json!(false), etag));
}

#[tokio::test]
async fn a_changed_fragment_keeps_its_tracked_version() {
    let server = server().await;
    let archive = version_archive(&[("sample", findings(&[("2.5", "2026-08-01T10:00:00Z")]))]);
    server.put(ROUTE, archive).await;
    let changed = SAMPLE_LABEL.replace("/v)", "/version)");
    server.put("/admin/sources/label_tool", label_archive(&[("sample", &changed)])).await;
    assert_eq!(server.get("/apps/sample").await.json()["current_version"], "2.5");
    let literal = SAMPLE_LABEL.replace("$(curl -fs https://example.com/v)", "\"2.3\"");
    server.put("/admin/sources/label_tool", label_archive(&[("sample", &literal)])).await;
    let provenance = server.get("/apps/sample/provenance").await.json();
    assert_eq!(provenance["label_values"], Value::Null, "a literal version is certain");
    let reason = provenance["reasons"]["current_version"].as_str().unwrap();
    assert!(reason.contains("Installomator states 2.3, which is newer, but no "), "{reason}");
    assert_eq!(server.get("/apps/sample").await.json()["current_version"], "2.0");
}

#[tokio::test]
async fn junk_and_bad_files_are_reported_and_bad_archives_refused() {
    let server = server().await;
    let archive = version_archive(&[
        ("sample", findings(&[("2.5", "2026-08-01T10:00:00Z"), ("and", "2026-08-02T10:00:00Z")])),
        ("broken", json!({"no": "list"})),
        ("fine", findings(&[("1.0", "2026-08-01T10:00:00Z")])),
    ]);
    let summary = server.put(ROUTE, archive).await.json();
    // The address of the finding is good, even if its version is junk.
    assert_eq!((&summary["accepted"], &summary["rejected"]), (&json!(2), &json!(1)), "{summary}");
    let problems = summary["problems"].to_string();
    assert!(problems.contains("label_versions, sample") && problems.contains("no digit"));
    assert_eq!(
        server.get("/apps/sample").await.json()["current_version"],
        "2.0",
        "the version before the junk is outdated"
    );
    let before = server.etag().await;
    for body in [b"".to_vec(), b"no archive".to_vec(), label_archive(&[("a", "name=\"A\"")])] {
        assert_eq!(server.put(ROUTE, body).await.status, 422);
    }
    let cut = version_archive(&[("fine", findings(&[("1.0", "2026-08-01T10:00:00Z")]))]);
    assert_eq!(server.put(ROUTE, cut[..cut.len() / 2].to_vec()).await.status, 422);
    assert_eq!(server.etag().await, before);
}

#[tokio::test]
async fn a_finding_in_the_future_is_reported_and_ignored() {
    let server = server().await;
    let archive = version_archive(&[(
        "sample",
        findings(&[("2.5", "2026-08-01T10:00:00Z"), ("9.9", "2999-01-01T00:00:00Z")]),
    )]);
    let summary = server.put(ROUTE, archive).await.json();
    let problems = summary["problems"].to_string();
    assert!(problems.contains("2999-01-01T00:00:00Z, in the future"), "{summary}");
    assert_eq!(server.get("/apps/sample").await.json()["current_version"], "2.5");
}

#[tokio::test]
async fn an_archive_that_lost_its_labels_is_refused() {
    let server = server().await;
    let names = ["a", "b", "c", "sample"];
    let archive = |names: &[&str]| {
        version_archive(
            &names
                .iter()
                .map(|name| (*name, findings(&[("2.5", "2026-08-01T10:00:00Z")])))
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(server.put(ROUTE, archive(&names)).await.status, 200);
    let refused = server.put(ROUTE, archive(&["a"])).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json()["source"]),
        (409, &json!("label_versions"))
    );
    assert_eq!(server.get("/apps/sample").await.json()["current_version"], "2.5");
    let allowed = server.put(&format!("{ROUTE}?allow_shrink=true"), archive(&["a"])).await;
    assert_eq!(allowed.status, 200);
    assert_eq!(server.get("/apps/sample").await.json()["current_version"], "2.0");
}

#[tokio::test]
async fn a_version_that_goes_backwards_waits_for_a_later_archive() {
    let server = server().await;
    let back = findings(&[("2.5", "2026-08-01T10:00:00Z"), ("2.4", "2026-08-02T10:00:00Z")]);
    let archive = |newest: &str| {
        version_archive(&[("sample", back.clone()), ("other", findings(&[("1.0", newest)]))])
    };
    let summary = server.put(ROUTE, archive("2026-08-02T10:10:00Z")).await.json();
    assert_eq!(summary["rejected"], 0, "{summary}");
    let why = summary["problems"][0]["why"].as_str().unwrap();
    assert!(why.contains("version 2.4 is lower than the known 2.5"), "{why}");
    assert_eq!(server.get("/apps/sample").await.json()["current_version"], "2.5");
    let summary = server.put(ROUTE, archive("2026-08-02T11:00:00Z")).await.json();
    assert_eq!(summary["problems"], json!([]));
    assert_eq!(server.get("/apps/sample").await.json()["current_version"], "2.4");
}

#[tokio::test]
async fn it_can_be_a_part_of_a_form_a_command_and_an_address_of_a_refresh() {
    let archive = version_archive(&[("sample", findings(&[("2.5", "2026-08-01T10:00:00Z")]))]);
    let labels = label_archive(&[("sample", SAMPLE_LABEL)]);
    let casks = json!([cask("sample", "2.0")]).to_string();
    let folder = tempfile::tempdir().unwrap();

    let server = TestServer::empty();
    let form = multipart::Form::new()
        .part("label_versions", multipart::Part::bytes(archive.clone()))
        .part("label_tool", multipart::Part::bytes(labels.clone()));
    let request = server.admin(reqwest::Method::PUT, "/admin/sources").multipart(form);
    assert_eq!(server.send(request).await.json()["accepted"], 2);
    assert_eq!(server.get("/apps/sample").await.json()["current_version"], "2.5");

    let other = TestServer::empty();
    other.put("/admin/sources/label_tool", labels.clone()).await;
    let (file, token) = (folder.path().join("versions.tar.gz"), folder.path().join("token"));
    std::fs::write(&file, &archive).unwrap();
    std::fs::write(&token, TOKEN).unwrap();
    let (file, token) = (file.display().to_string(), token.display().to_string());
    let upload = ["upload", "label_versions", &file, "--server", &other.base];
    run_ok(&[&upload[..], &["--deploy-token-file", &token]].concat());
    assert_eq!(other.get("/apps/sample").await.json()["current_version"], "2.5");
    let (_, help, _) = run(&["upload", "--help"]);
    assert!(help.contains("label_versions"), "{help}");

    let upstream = Upstream::start(casks);
    upstream.serve("/labels", labels);
    upstream.serve("/versions", archive);
    let address = |path: &str| vec![format!("{}{path}", upstream.base)];
    let config = write_config(
        folder.path(),
        &[
            ("label_tool", address("/labels")),
            ("cask_catalog", address("/casks")),
            ("label_versions", address("/versions")),
        ],
    );
    let store = folder.path().join("catalog.db");
    let url = format!("sqlite:{}", store.display());
    let refresh = ["refresh", "--store", &url, "--config", &config, "--allow-private"];
    let stdout = run_ok(&refresh);
    assert!(stdout.contains("label_versions"), "{stdout}");
    let server = TestServer::on_store(&store);
    assert_eq!(server.get("/apps/sample").await.json()["current_version"], "2.5");
    assert_eq!(names(&server).await[5], "label_versions");
}
