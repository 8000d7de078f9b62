//! Several findings for one label: the newest holds, junk and steps backwards wait at the door.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    label_versions::{findings, version_archive},
    sources::server,
    support::TestServer,
};

async fn post(server: &TestServer, lines: &[Value]) -> Value {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let request = server.admin(Method::POST, "/admin/labels/resolved").body(lines.join("\n"));
    server.send(request).await.json()
}

/// A line for the label of the test server.
fn line(version: &str, found_by: &str, found_at: &str) -> Value {
    json!({"label": "sample", "ok": true, "appNewVersion": version, "found_by": found_by,
        "found_at": found_at})
}

async fn track(server: &TestServer, version: &str, time: &str) {
    let mut found = findings(&[(version, time)]);
    // Its address would be another value that the tracker found.
    found[0]["downloadURL"] = Value::Null;
    let archive = version_archive(&[("sample", found)]);
    assert_eq!(server.put("/admin/sources/label_versions", archive).await.status, 200);
}

/// The version of the label, who found it and when.
async fn held(server: &TestServer) -> [Value; 3] {
    let payload = server.get("/apps/sample/sources").await.json();
    let found =
        server.get("/apps/sample/provenance").await.json()["label_values"]["version"].clone();
    let version = payload["label_tool"]["raw"]["resolved"]["appNewVersion"].clone();
    [version, found["found_by"].clone(), found["found_at"].clone()]
}

fn values(version: &str, found_by: &str, found_at: &str) -> [Value; 3] {
    [version, found_by, found_at].map(Value::from)
}

const FIRST: &str = "2026-08-01T10:00:00Z";
const SECOND: &str = "2026-08-02T10:00:00Z";
const THIRD: &str = "2026-08-03T10:00:00Z";

#[tokio::test]
async fn the_newest_of_three_finders_holds_in_any_order() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let server = server().await;
        for step in order {
            match step {
                0 => drop(post(&server, &[line("3.0", "run", FIRST)]).await),
                1 => track(&server, "3.1", SECOND).await,
                _ => drop(post(&server, &[line("3.2", "posted", THIRD)]).await),
            }
        }
        assert_eq!(held(&server).await, values("3.2", "posted", THIRD), "{order:?}");
        post(&server, &[line("3.3", "run", "2026-08-04T10:00:00Z")]).await;
        assert_eq!(held(&server).await, values("3.3", "run", "2026-08-04T10:00:00Z"));
    }
}

#[tokio::test]
async fn without_a_finder_and_a_time_it_is_posted_now() {
    let server = server().await;
    track(&server, "3.1", SECOND).await;
    let url = "https://example.com/new.dmg";
    let line = json!({"label": "sample", "ok": true, "appNewVersion": "3.2", "downloadURL": url});
    post(&server, &[line]).await;
    let provenance = server.get("/apps/sample/provenance").await.json();
    for value in ["version", "download_url"] {
        let found = &provenance["label_values"][value];
        assert_eq!(found["found_by"], "posted", "{provenance}");
        let time = found["found_at"].as_str().unwrap();
        assert!(time > SECOND && time.len() == SECOND.len(), "whole seconds: {time}");
    }
}

#[tokio::test]
async fn the_same_finding_again_never_moves_the_token() {
    let server = server().await;
    post(&server, &[line("3.0", "run", FIRST)]).await;
    let etag = server.etag().await;
    for time in [SECOND, THIRD] {
        let summary = post(&server, &[line("3.0", "run", time)]).await;
        assert_eq!((&summary["changed"], &summary["accepted"]), (&json!(false), &json!(1)));
    }
    assert_eq!(server.etag().await, etag);
    assert_eq!(held(&server).await, values("3.0", "run", FIRST));
}

#[tokio::test]
async fn junk_is_rejected_with_a_reason_whoever_found_it() {
    let server = server().await;
    let etag = server.etag().await;
    for junk in ["and", "agent", "/bin/205", "https://example.com/a-1.0.dmg", "<b>1.0</b>", "${v}1"]
    {
        for finder in ["run", "posted"] {
            let summary = post(&server, &[line(junk, finder, FIRST)]).await;
            assert_eq!(summary["rejected"], 1, "{summary}");
            let why = summary["problems"][0]["why"].as_str().unwrap();
            assert!(why.contains("appNewVersion") && why.contains("is rejected"), "{why}");
        }
    }
    for site in ["https://github.com", "https://github.com/owner/sample/releases/latest"] {
        let line = json!({"label": "sample", "ok": true, "downloadURL": site});
        assert_eq!(post(&server, &[line]).await["rejected"], 1, "{site}");
    }
    assert_eq!(server.etag().await, etag);
    let half = json!({"label": "sample", "ok": true, "downloadURL": "https://example.com/a.dmg",
        "appNewVersion": "agent"});
    let summary = post(&server, &[half]).await;
    assert_eq!(
        (&summary["accepted"], summary["problems"].as_array().unwrap().len()),
        (&json!(1), 1)
    );
    assert_eq!(server.get("/apps/sample").await.json()["current_version"], "2.0");
}

#[tokio::test]
async fn lines_of_the_tracker_the_future_and_another_text_are_rejected() {
    let server = server().await;
    let mut other_text = line("3.0", "run", FIRST);
    other_text["fragment"] = json!("0123456789abcdef-99");
    let lines = [
        line("3.0", "tracker", FIRST),
        line("3.0", "run", "2999-01-01T00:00:00Z"),
        line("3.0", "run", "yesterday"),
        other_text,
    ];
    let summary = post(&server, &lines).await;
    assert_eq!(
        (&summary["rejected"], &summary["changed"]),
        (&json!(4), &json!(false)),
        "{summary}"
    );
}

#[tokio::test]
async fn a_lower_version_is_published_when_it_is_found_again_an_hour_later() {
    let server = server().await;
    post(&server, &[line("3.2", "run", FIRST)]).await;
    for time in ["2026-08-01T11:00:00Z", "2026-08-01T11:59:59Z"] {
        let summary = post(&server, &[line("3.1", "run", time)]).await;
        assert_eq!((&summary["changed"], &summary["rejected"]), (&json!(false), &json!(0)));
        let why = summary["problems"][0]["why"].as_str().unwrap();
        assert!(why.contains("version 3.1 is lower than the known 3.2"), "{why}");
        assert!(why.contains("2026-08-01T12:00:00Z"), "{why}");
        assert_eq!(held(&server).await[0], "3.2");
    }
    let summary = post(&server, &[line("3.1", "run", "2026-08-01T12:00:00Z")]).await;
    assert_eq!((&summary["changed"], &summary["problems"]), (&json!(true), &json!([])));
    assert_eq!(held(&server).await, values("3.1", "run", "2026-08-01T11:00:00Z"));
}

#[tokio::test]
async fn a_version_below_that_of_another_finder_waits_too() {
    let server = server().await;
    track(&server, "3.2", FIRST).await;
    let summary = post(&server, &[line("3.1", "posted", SECOND)]).await;
    let why = summary["problems"][0]["why"].as_str().unwrap();
    assert!(why.contains("version 3.1 is lower than the known 3.2"), "{why}");
    assert_eq!(held(&server).await, values("3.2", "tracker", FIRST));
    post(&server, &[line("3.1", "posted", "2026-08-02T11:00:00Z")]).await;
    assert_eq!(held(&server).await, values("3.1", "posted", SECOND));
}

#[tokio::test]
async fn what_an_intel_mac_gets_is_in_the_payload() {
    let server = server().await;
    let line = json!({"label": "sample", "ok": true, "appNewVersion": "3.0",
        "downloadURL": "https://example.com/arm.dmg",
        "i386": {"appNewVersion": "3.0", "downloadURL": "https://example.com/intel.dmg"}});
    assert_eq!(post(&server, &[line]).await["problems"], json!([]));
    let payload = server.get("/apps/sample/sources").await.json();
    assert_eq!(
        payload["label_tool"]["raw"]["resolved_intel"],
        json!({"downloadURL": "https://example.com/intel.dmg"})
    );
}

#[tokio::test]
async fn finders_that_agree_in_turn_never_move_the_token() {
    let server = server().await;
    post(&server, &[line("3.0", "run", FIRST)]).await;
    let etag = server.etag().await;
    for (finder, time) in [("posted", SECOND), ("run", THIRD), ("posted", "2026-08-04T10:00:00Z")] {
        let summary = post(&server, &[line("3.0", finder, time)]).await;
        assert_eq!(summary["changed"], false, "{summary}");
    }
    track(&server, "3.0", "2026-08-05T10:00:00Z").await;
    assert_eq!(server.etag().await, etag);
    assert_eq!(held(&server).await, values("3.0", "run", FIRST));
}

#[tokio::test]
async fn one_stale_answer_takes_no_version_of_another_finder_back() {
    let server = server().await;
    post(&server, &[line("3.1", "run", FIRST), line("3.1", "run", SECOND)]).await;
    track(&server, "3.2", "2026-08-03T10:00:00Z").await;
    let summary = post(&server, &[line("3.1", "run", "2026-08-03T11:00:00Z")]).await;
    assert_eq!(summary["labels"][0]["result"], "pending", "{summary}");
    assert_eq!(summary["labels"][0]["settles_at"], "2026-08-03T12:00:00Z");
    assert_eq!(held(&server).await[0], "3.2");
    post(&server, &[line("3.1", "run", "2026-08-03T12:00:00Z")]).await;
    assert_eq!(held(&server).await, values("3.1", "run", FIRST));
}

#[tokio::test]
async fn a_resolved_upload_of_too_many_lines_is_rejected() {
    let server = server().await;
    let body = "{}\n".repeat(100_001);
    let request = server.admin(Method::POST, "/admin/labels/resolved").body(body);
    let reply = server.send(request).await;
    assert_eq!(reply.status, 413);
    let why = reply.json()["detail"].to_string();
    assert!(why.contains("more than 100000 lines"), "{why}");
}
