//! The paths whose cost is guarded, each done a fixed number of times.
//!
//! `cargo xtask guard` runs these tests one by one under callgrind, which counts the instructions
//! inside [`measured`] and nothing else. Counts are the same on a busy machine and on an idle one.

use std::{convert::Infallible, fs, hint::black_box, path::Path, sync::Arc};

use appstitch_sources::{Upstream, UpstreamEntry};
use appstitch_stitching::{Documents, publishers, stitch};
use appstitch_versions::Version;
use appstitch_wire::{Attempt, inspect::Inspected};
use serde_json::json;

use crate::{endpoints::ServiceEndpoints, fixture};

const APPS: usize = 1000;

/// Only a few bodies are made at a time.
const WARM_UPS: usize = 4;

#[test]
#[ignore = "run by cargo xtask guard"]
fn record() {
    reads("200", |number| format!("/apps/app-{number:04}"), "");
}

#[test]
#[ignore = "run by cargo xtask guard"]
fn page() {
    reads("200", |number| format!("/apps?limit=100&offset={}", number % 3 * 100), "");
}

#[test]
#[ignore = "run by cargo xtask guard"]
fn filter() {
    reads("200", |number| format!("/apps?vendor=vendor%20{}", number % 50), "");
}

#[test]
#[ignore = "run by cargo xtask guard"]
fn if_none_match() {
    reads("304", |number| format!("/apps/app-{number:04}"), "*");
}

#[test]
#[ignore = "run by cargo xtask guard"]
fn unknown_slug() {
    reads("404", |number| format!("/apps/nobody-{number:04}"), "");
}

/// What is counted. It must not be inlined into its callers.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

/// Reads as a connection answers them: from the bytes of the request to those of the response.
fn reads(status: &str, path: impl Fn(usize) -> String, if_none_match: &str) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let service = runtime.block_on(fixture::service(folder.path(), APPS));
    let field = match if_none_match {
        "" => String::new(),
        tag => format!("if-none-match: {tag}\r\n"),
    };
    let requests: Vec<String> = (0..APPS)
        .map(|number| format!("GET {} HTTP/1.1\r\nhost: localhost\r\n{field}\r\n", path(number)))
        .collect();
    let _context = runtime.enter();
    let mut connection =
        Inspected::new(Arc::new(ServiceEndpoints::new(Arc::new(service)))).unwrap();
    // Bodies are made on first demand, on other threads: that is not what is counted.
    for _ in 0..WARM_UPS {
        for request in &requests {
            let response = connection.answer(request.as_bytes(), Attempt::FIRST);
            let (head, _) = response.unwrap_or_else(|| panic!("no answer to {request}"));
            let head = String::from_utf8_lossy(head);
            assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{request}{head}");
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    measured(|| {
        for request in &requests {
            black_box(connection.answer(request.as_bytes(), Attempt::FIRST));
        }
    });
}

/// Records from documents: the sample's labels, and casks with and without one.
#[test]
#[ignore = "run by cargo xtask guard"]
fn stitching() {
    let mut documents = Documents::default();
    let labels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../publish/sample/labels");
    let mut names: Vec<_> =
        fs::read_dir(labels).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let labels: Vec<UpstreamEntry> = names
        .iter()
        .map(|path| UpstreamEntry {
            key: format!("fragment/{}", path.file_name().unwrap().to_string_lossy()),
            body: fs::read(path).unwrap().into(),
        })
        .collect();
    Upstream::LabelTool.decode(&labels, &mut documents);
    let sample = include_str!("../../publish/sample/cask.json").trim().trim_start_matches('[');
    let casks: Vec<String> = (0..300)
        .map(|number| {
            json!({
                "token": format!("made-up-{number}"), "name": [format!("Made Up {number}")],
                "homepage": format!("https://vendor{number}.example/"),
                "url": format!("https://vendor{number}.example/made-up-{number}-1.{number}.dmg"),
                "version": format!("1.{number}"), "sha256": format!("{number:064x}"),
                "artifacts": [{"app": [format!("Made Up {number}.app")]}],
            })
            .to_string()
        })
        .collect();
    let file = format!("[{},{sample}", casks.join(","));
    let casks = Upstream::CaskCatalog.read(file.as_bytes()).unwrap();
    Upstream::CaskCatalog.decode(&casks.entries, &mut documents);
    // It is read once in the life of a process.
    black_box(publishers::directory());
    let mut count = 0;
    measured(|| {
        let stitched = stitch(&documents, |stitched| {
            black_box(stitched);
            count += 1;
            Ok::<(), Infallible>(())
        });
        stitched.unwrap();
    });
    assert!(count > 300, "{count} records");
}

/// Versions as the sources write them, read and compared, each with every other.
#[test]
#[ignore = "run by cargo xtask guard"]
fn version_compare() {
    let texts = [
        "1.2.3", "1.2.3-beta.1", "1.2.3b1", "v2.0", "2024.1.1", "2024.01.01", "1.2.3,456", "10.15",
        "4.0.0-rc.2+build7", "125.0.6422.142", "7.0.1 (12345)", "r1234", "1.0.0a", "3", "2.10",
        "20240101120000",
    ];
    measured(|| {
        for left in texts {
            for right in texts {
                black_box(Version::parse(black_box(left)).cmp(&Version::parse(black_box(right))));
            }
        }
    });
    assert!(Version::parse(texts[0]).is_some(), "versions are not read any more");
}
