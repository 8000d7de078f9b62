//! Uploads that were made to take as much memory and time as possible. Each is rejected or taken
//! without its bad entries; reads go on, and the next good upload works.

use std::time::Duration;

use reqwest::Method;
use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::support::peak_memory;
use crate::support::{
    Response, TestServer, append, casks, label_archive, ndjson, packed, record, run, write_config,
};

/// Long enough for a debug build on a busy machine. Nothing depends on it but the end of a test that
/// would otherwise hang.
const PATIENCE: Duration = Duration::from_mins(5);

async fn put(server: &TestServer, path: &str, body: Vec<u8>) -> Response {
    server.send(server.admin(Method::PUT, path).body(body).timeout(PATIENCE)).await
}

async fn put_source(server: &TestServer, source: &str, body: Vec<u8>) -> Response {
    put(server, &format!("/admin/sources/{source}?allow_shrink=true"), body).await
}

/// Checks that the server is well: it took less than 1 GB so far, answers reads and takes uploads.
async fn is_well(server: &TestServer) {
    #[cfg(target_os = "linux")]
    {
        let peak = peak_memory(server.process_id());
        assert!(peak < 1 << 30, "the server took {peak} bytes");
    }
    assert_eq!(server.get("/health").await.status, 200);
    let good = put_source(server, "store_listing", listing("com.example.good")).await;
    assert_eq!(good.status, 200, "{good:?}");
}

fn listing(id: &str) -> Vec<u8> {
    format!(r#"{{"results":[{{"kind":"mac-software","bundleId":"{id}"}}]}}"#).into_bytes()
}

/// Counts of an accepted upload: received and rejected entries, and problems.
fn counts(response: &Response) -> (u64, u64, usize) {
    assert_eq!(response.status, 200, "{response:?}");
    let summary = response.json();
    let number = |name: &str| summary[name].as_u64().unwrap();
    (number("received"), number("rejected"), summary["problems"].as_array().unwrap().len())
}

fn is_rejected(response: &Response, status: u16, why: &str) {
    assert_eq!(response.status, status, "{response:?}");
    assert!(response.detail().contains(why), "'{}' should say '{why}'", response.detail());
}

#[tokio::test]
async fn huge_and_countless_json_entries_do_not_affect_the_good_ones() {
    let server = TestServer::empty();
    let good = r#"{"token":"good","name":["Good"]}"#;
    let file = packed(&[("[", 1), (good, 1), (",\"", 1), ("x", 300 << 20), ("\",7]", 1)]);
    let response = put_source(&server, "cask_catalog", file).await;
    assert_eq!(counts(&response), (3, 2, 2));
    assert!(response.text().contains("larger than 4194304 bytes"), "{}", response.text());

    let file = packed(&[("[", 1), ("1,", 200_000), (good, 1), ("]", 1)]);
    assert_eq!(counts(&put_source(&server, "cask_catalog", file).await), (200_001, 200_000, 100));

    let long = "k".repeat(1 << 20);
    let deep = format!("{}{}", "[".repeat(1 << 20), "]".repeat(1 << 20));
    let digits = "9".repeat(1 << 20);
    let file = format!(
        r#"[{{"token":"{long}"}},{{"token":"a","x":{deep}}},{{"token":"b","token":"b"}},
            {{"token":{digits}}},{{"token":"c","n":{digits}e{digits}}},{good}]"#
    );
    let response = put_source(&server, "cask_catalog", file.into_bytes()).await;
    let (received, rejected, _) = counts(&response);
    assert_eq!(received, 6, "{response:?}");
    assert!(rejected >= 3 && response.text().len() < 10_000, "{}", response.text().len());
    assert_eq!(server.get("/apps/good").await.status, 200);

    let file = packed(&[("[", 1), ("{\"token\":\"good\"},", 1), ("{", 20 << 20)]);
    is_rejected(&put_source(&server, "cask_catalog", file).await, 422, "ends too early");
    let nested = packed(&[("{\"identifiers\":{\"a\":", 1), ("[", 100 << 20)]);
    is_rejected(&put_source(&server, "recipe_index", nested).await, 422, "ends too early");
    let blank = packed(&[("{\"results\":[", 1), (" ", 300 << 20), ("]}", 1)]);
    assert_eq!(counts(&put_source(&server, "mdm_installer", blank).await), (0, 0, 0));
    is_well(&server).await;
}

#[tokio::test]
async fn too_many_entries_reject_the_file() {
    let server = TestServer::empty();
    let entries: Vec<String> = (0..100_001).map(|n| format!(r#"{{"token":"{n}"}}"#)).collect();
    let file = format!("[{}]", entries.join(","));
    let response = put_source(&server, "cask_catalog", file.into_bytes()).await;
    is_rejected(&response, 413, "more than 100000 entries");
    let recipe = format!(r#""path":"{}","repo":"r""#, "p".repeat(450));
    let recipes: Vec<String> = (0..60_000).map(|n| format!(r#""{n}":{{{recipe}}}"#)).collect();
    let file = format!(r#"{{"identifiers":{{{}}}}}"#, recipes.join(","));
    let file = zstd::bulk::compress(file.as_bytes(), 1).unwrap();
    is_rejected(&put_source(&server, "recipe_index", file).await, 413, "bytes of memory");
    is_well(&server).await;
}

#[tokio::test]
async fn pages_of_any_shape_are_read_in_one_pass() {
    let server = TestServer::empty();
    let row = "<tr><td headers='r__1'>Good</td><td headers='r__2'>Jamf</td></tr>";
    let rows: String = (0..300_000).map(|n| row.replace("Good", &format!("Title {n}"))).collect();
    let response =
        put_source(&server, "mdm_installer", format!("<table>{rows}").into_bytes()).await;
    is_rejected(&response, 413, "more than 100000 entries");
    let deep = packed(&[("<div>", 2_000_000), ("<table>", 1), (row, 1)]);
    assert_eq!(counts(&put_source(&server, "mdm_installer", deep).await), (1, 0, 0));
    let wide = packed(&[("<td ", 1), ("a=1 ", 1_000_000), (">", 1), (row, 20_000)]);
    let (received, rejected, problems) = counts(&put_source(&server, "mdm_installer", wide).await);
    assert_eq!((received, rejected, problems), (20_000, 19_999, 100));
    let huge = packed(&[("<p>", 1), ("x", 40 << 20), (row, 1)]);
    is_rejected(&put_source(&server, "mdm_installer", huge).await, 413, "33554432 bytes");
    is_well(&server).await;
}

/// The labels of the issue that once aborted the server or never ended.
fn hostile_labels() -> Vec<(&'static str, String)> {
    let doubled = |statement: &str, count: usize| {
        format!("x=aaaaaaaaaaaaaaaa\n{}", format!("{statement}\n").repeat(count))
    };
    let parentheses = "$(".to_owned() + &"(".repeat(1000);
    [
        ("doubling", doubled("x=\"$x$x\"", 26)),
        ("record", doubled("x=\"$x$x\"", 22)),
        ("appending", doubled("x+=\"$x\"", 26)),
        ("replacing", doubled("x=$(echo \"$x\" | sed 's/a/aaaaaaaa/g')", 12)),
        ("pattern", format!("x={}\nx=${{x//*b*b*b*b*c/z}}", "ab".repeat(5_000))),
        ("arithmetic", format!("x={parentheses}1{})", ")".repeat(1000))),
        ("endless", "while true; do x=$(echo a); done".to_owned()),
    ]
    .map(|(name, text)| (name, format!("{name})\nname=\"Name {name}\"\n{text}\n;;\n")))
    .into()
}

#[tokio::test]
async fn labels_that_never_end_or_grow_without_end_are_served_as_written() {
    let server = TestServer::empty();
    let mut labels = hostile_labels();
    labels.push(("good", "good)\nname=\"Good\"\nv=2\nappNewVersion=\"1.$v\"\n;;\n".to_owned()));
    let huge = format!("huge)\nname=\"{}\"\n;;\n", "x".repeat(256 << 10));
    labels.push(("huge", huge));
    let archive = label_archive(labels);
    // The client leaves, and the work ends nevertheless.
    let request = server.admin(Method::PUT, "/admin/sources/label_tool").body(archive.clone());
    let _ = request.timeout(Duration::from_millis(300)).send().await;
    let response = put_source(&server, "label_tool", archive).await;
    let (received, rejected, _) = counts(&response);
    assert_eq!(received, 9, "{response:?}");
    assert!(rejected <= 2 && response.text().contains("larger than 262144 bytes"), "{response:?}");
    assert_eq!(server.get("/apps/good").await.json()["current_version"], "1.2");
    let listed = server.get("/apps?limit=50").await;
    for slug in listed.slugs() {
        let sources = server.get(&format!("/apps/{slug}/sources")).await;
        assert!(sources.text().len() < 200_000, "{slug} has {} bytes", sources.text().len());
    }
    is_well(&server).await;
}

#[tokio::test]
async fn archives_with_huge_headers_and_countless_files_are_bounded() {
    let server = TestServer::empty();
    let good = "good)\nname=\"Good\"\n;;\n".to_owned();
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_size(200 << 20);
    header.set_cksum();
    let mut long_name = zstd::Encoder::new(Vec::new(), 1).unwrap();
    std::io::Write::write_all(&mut long_name, header.as_bytes()).unwrap();
    std::io::copy(&mut std::io::Read::take(std::io::repeat(b'x'), 200 << 20), &mut long_name)
        .unwrap();
    let response = put_source(&server, "label_tool", long_name.finish().unwrap()).await;
    is_rejected(&response, 422, "a header is larger than 65536 bytes");

    let names: Vec<String> = (0..3_001).map(|n| format!("label{n}")).collect();
    let many = label_archive(names.iter().map(|name| (name.as_str(), good.clone())));
    is_rejected(&put_source(&server, "label_tool", many).await, 413, "more than 3000 entries");

    let mut tracked = tar::Builder::new(Vec::new());
    for n in 0..20_000 {
        append(&mut tracked, &format!("main/TrackedLabelDetails/ {n}.json"), b"[]");
    }
    let finding = br#"[{"appNewVersion":"1.0","timeStamp":"2026-11-15T10:00:00Z"}]"#;
    append(&mut tracked, "main/TrackedLabelDetails/good.json", finding);
    let response = put_source(&server, "label_versions", tracked.into_inner().unwrap()).await;
    assert_eq!(counts(&response), (20_001, 20_000, 100));
    is_well(&server).await;
}

#[tokio::test]
async fn records_of_any_size_do_not_affect_the_good_ones() {
    let server = TestServer::empty();
    let put_records = async |body: Vec<u8>| {
        let request = server.admin(Method::PUT, "/admin/records?allow_shrink=true");
        let request = request.header("content-encoding", "zstd").body(body).timeout(PATIENCE);
        server.send(request).await
    };
    let good = ndjson(&[record("good")]);
    let file = packed(&[("{\"app\":\"", 1), ("x", 200 << 20), ("\"}\n", 1), (&good, 1)]);
    let response = put_records(file).await;
    assert_eq!(counts(&response).1, 1, "{response:?}");
    assert!(response.text().contains("larger than 8388608 bytes"), "{}", response.text());

    let keys = "\"a\":0,".repeat(500_000);
    let noted = good.replacen('{', &format!("{{{keys}"), 1);
    let file = zstd::bulk::compress(format!("{noted}\n").as_bytes(), 1).unwrap();
    let (received, _, problems) = counts(&put_records(file).await);
    assert_eq!((received, problems), (1, 100));
    let file = packed(&[("x\n", 200_000), (&good, 1)]);
    assert_eq!(counts(&put_records(file).await), (200_001, 200_000, 100));
    assert_eq!(server.get("/apps/good").await.status, 200);
    is_well(&server).await;
}

#[test]
fn one_hostile_file_does_not_stop_a_refresh() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let file = |name: &str, content: Vec<u8>| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        vec![format!("file://{}", path.display())]
    };
    let config = write_config(
        folder.path(),
        &[
            ("label_tool", file("labels.tar", label_archive(hostile_labels()))),
            ("cask_catalog", file("cask.json", casks(&["a", "b"]).into_bytes())),
            (
                "recipe_index",
                file("deep.json", packed(&[("{\"identifiers\":", 1), ("[", 50 << 20)])),
            ),
        ],
    );
    let (code, stdout, stderr) = run(&["refresh", "--store", &store, "--config", &config]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("recipe_index") && stderr.contains("not a recipe index"), "{stderr}");
    assert!(stdout.contains("8 apps (8 added") || stdout.contains("9 apps (9 added"), "{stdout}");
    let (_, exported, _) = run(&["records", "export", "--store", &store, "-"]);
    let records = exported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert!(records.count() >= 8, "{exported}");
}
