//! The external patch source for Jamf Pro.

use std::{path::Path, process::Command};

use appstitch_setup::{PYTHON, installed};
use serde_json::{Value, json};

use crate::{
    real_data::{data, upload_with},
    support::{TestServer, record, succeed},
};

fn title(slug: &str, version: &str) -> Value {
    let mut record = record(slug);
    record["app"]["bundle_id"] = json!(format!("com.example.{slug}"));
    record["app"]["current_version"] = json!(version);
    record["app"]["vendor"] = json!("Example");
    record
}

fn versions(definition: &Value) -> Vec<&str> {
    let patches = definition["patches"].as_array().unwrap();
    patches.iter().map(|patch| patch["version"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn unknown_identifiers_and_a_trailing_comma_are_harmless() {
    let records = [title("a", "1.0"), title("b@beta", "2.0"), record("without")];
    let server = TestServer::with_records(&records).await;
    let ids = |answer: &Value| -> Vec<String> {
        let summaries = answer.as_array().unwrap();
        summaries.iter().map(|each| each["id"].as_str().unwrap().to_owned()).collect()
    };
    let all = server.get("/jamf/v1/software").await;
    assert_eq!((all.status.as_u16(), all.header("content-type")), (200, "application/json"));
    assert_eq!(ids(&all.json()), ["a", "b-at-beta"]);
    for (path, expected) in [
        ("b-at-beta,a,nope", vec!["b-at-beta", "a"]),
        ("a,", vec!["a"]),
        ("a,a,%20a", vec!["a"]),
        (",", vec![]),
        ("without,b@beta,%FF", vec![]),
    ] {
        let answer = server.get(&format!("/jamf/v1/software/{path}")).await;
        assert_eq!(
            (answer.status.as_u16(), ids(&answer.json())),
            (200, expected.iter().map(|id| (*id).to_owned()).collect()),
            "{path}"
        );
    }
    let omitted = server.get("/jamf/v1/omitted").await.json();
    assert_eq!(
        (omitted[0]["slug"].as_str(), omitted[0]["reason"].as_str()),
        (Some("without"), Some("no_bundle_id"))
    );
    for path in ["without", "b@beta", "nope", "%FF"] {
        assert_eq!(server.get(&format!("/jamf/v1/patch/{path}")).await.status, 404, "{path}");
    }
    let etag = server.etag().await;
    for path in ["software", "software/a", "patch/a", "omitted", "of/example/software"] {
        let path = format!("/jamf/v1/{path}");
        assert_eq!(server.get(&path).await.header("etag"), etag, "{path}");
        assert_eq!(server.get_with(&path, "if-none-match", &etag).await.status, 304, "{path}");
    }
}

#[tokio::test]
async fn a_part_has_only_its_titles() {
    let mut other = title("b", "1.0");
    other["app"]["vendor"] = json!("Other, Inc.");
    let server = TestServer::with_records(&[title("a", "1.0"), other]).await;
    let part = async |path: &str| server.get(&format!("/jamf/v1/of/{path}")).await;
    assert_eq!(part("EXAMPLE/software").await.json().as_array().unwrap().len(), 1);
    let some = part("Other,%20Inc./software/a,b,").await.json();
    assert_eq!((some[0]["id"].as_str(), some.as_array().unwrap().len()), (Some("b"), 1));
    assert_eq!(part("example/patch/a").await.status, 200);
    assert_eq!(part("example/omitted").await.json(), json!([]));
    for path in
        ["example/patch/b", "nobody/software", "nobody/patch/a", "nobody/omitted", "example"]
    {
        assert_eq!(part(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn versions_stay_and_only_a_changed_definition_is_newer() {
    let mut server = TestServer::with_records(&[title("a", "1.0"), title("b", "1.0")]).await;
    let read = async |server: &TestServer, id: &str| {
        server.get(&format!("/jamf/v1/patch/{id}")).await.json()
    };
    let (a, b) = (read(&server, "a").await, read(&server, "b").await);
    // Times are whole seconds.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    server.replace_records(&[title("a", "1.2"), title("b", "1.0"), title("c", "1.0")]).await;
    let changed = read(&server, "a").await;
    assert_eq!(
        (versions(&changed), changed["currentVersion"].as_str()),
        (vec!["1.2", "1.0"], Some("1.2"))
    );
    assert!(changed["lastModified"].as_str() > a["lastModified"].as_str());
    assert_eq!(changed["patches"][1], a["patches"][0], "a published version does not change");
    assert_eq!(read(&server, "b").await, b);
    server.replace_records(&[title("b", "1.0")]).await;
    assert_eq!(server.get("/jamf/v1/patch/a").await.status, 404);
    server.replace_records(&[title("a", "1.1"), title("b", "1.0")]).await;
    let back = read(&server, "a").await;
    assert_eq!(versions(&back), ["1.2", "1.1", "1.0"], "also after the app was gone");
    // A release whose version Jamf would not find waits; the title stays as it was.
    server.replace_records(&[title("a", "1.3-77"), title("b", "1.0")]).await;
    assert_eq!(read(&server, "a").await, back);
    assert_eq!(server.get("/jamf/v1/omitted").await.json(), json!([]));
    // Another server on the same store says the same, and so does this one after a restart.
    let again = TestServer::on_store(&server.store());
    for id in ["a", "b"] {
        assert_eq!(read(&again, id).await, read(&server, id).await);
    }
    server.kill();
    drop(again);
    let restarted = TestServer::on_store(&server.store());
    assert_eq!((read(&restarted, "a").await, read(&restarted, "b").await), (back, b));
}

/// The whole real catalog of two days: every answer is valid, and who reads only the summaries finds
/// every definition that changed.
#[tokio::test]
async fn a_reader_like_jamf_finds_exactly_what_changed() {
    let Some(data) = data() else { return };
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let server = TestServer::empty();
    let state = tempfile::tempdir().unwrap();
    let walk = || -> Value {
        let mut command = Command::new(installed(PYTHON));
        command.arg(crates.join("cli/tests/clients/patch_source.py"));
        command.arg(crates.join("patch_source/schema")).arg(format!("{}/jamf/v1", server.base));
        serde_json::from_str(&succeed(command.arg(state.path().join("state.json")))).unwrap()
    };
    upload_with(&server, &data, "cask.2026-08-08.json.gz").await;
    let first = walk();
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    upload_with(&server, &data, "cask.json.gz").await;
    let second = walk();
    println!("{first}\n{second}");
    let number = |walk: &Value, key: &str| walk[key].as_u64().unwrap();
    assert_eq!(number(&first, "changed"), number(&first, "titles"), "everything is new");
    assert!(number(&second, "titles") >= 3_200);
    assert!((500..1_500).contains(&number(&second, "changed")));
    assert!(number(&second, "several") >= number(&second, "changed") / 2);
    assert_eq!(number(&walk(), "changed"), 0);
}
