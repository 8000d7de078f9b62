//! The paths whose cost is guarded, each done a fixed number of times.
//!
//! `cargo xtask guard` runs this under callgrind, which counts the instructions inside
//! [`measured`] and nothing else. Counts are the same on a busy machine and on an idle one.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::{convert::Infallible, fs, hint::black_box, path::Path, sync::Arc};

use appstitch_catalog::{Documents, Record, Version, stitch};
use appstitch_server::{
    BackgroundPriority, CatalogChange, InMemoryReads, Keep, Limits, Publisher, RecordsChange,
    Service, ToolAccess,
};
use appstitch_sources::{Document, Upstream};
use appstitch_store::Store;
use serde_json::json;

const APPS: usize = 1000;

fn main() {
    let case = std::env::args().nth(1).unwrap_or_default();
    match case.as_str() {
        "record" => reads("200", |number| format!("/apps/app-{number:04}"), ""),
        "page" => reads("200", |number| format!("/apps?limit=100&offset={}", number % 3 * 100), ""),
        "filter" => reads("200", |number| format!("/apps?vendor=vendor%20{}", number % 50), ""),
        "if-none-match" => reads("304", |number| format!("/apps/app-{number:04}"), "*"),
        "stitch" => stitching(),
        "version-compare" => versions(),
        _ => println!("cases: record page filter if-none-match stitch version-compare"),
    }
}

/// What is counted. It must not become a part of its callers.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

/// Reads as a connection answers them: from the bytes of the request to those of the answer.
fn reads(status: &str, path: impl Fn(usize) -> String, if_none_match: &str) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let service = runtime.block_on(service(folder.path()));
    let mut reads = InMemoryReads::new(&service);
    let field = match if_none_match {
        "" => String::new(),
        tag => format!("if-none-match: {tag}\r\n"),
    };
    let requests: Vec<String> = (0..APPS)
        .map(|number| format!("GET {} HTTP/1.1\r\nhost: localhost\r\n{field}\r\n", path(number)))
        .collect();
    // Once before: what is made on first demand is not what is counted.
    for request in &requests {
        let (answered, _) = reads.answer(request.as_bytes()).unwrap();
        assert_eq!(answered.as_str(), status, "{request}");
    }
    measured(|| {
        for request in &requests {
            black_box(reads.answer(request.as_bytes()));
        }
    });
}

async fn service(folder: &Path) -> Service {
    let address = format!("sqlite:{}", folder.join("catalog.db").display());
    let store = Store::open(&address.parse().unwrap()).await.unwrap();
    let publisher = Arc::new(Publisher::open(store, BackgroundPriority::Normal).await.unwrap());
    let records = (0..APPS).map(|number| {
        let record = json!({"app": {
            "slug": format!("app-{number:04}"), "name": format!("App {number}"),
            "vendor": format!("Vendor {}", number % 50),
            "bundle_id": format!("com.example.app{number}"), "current_version": "1.2.3",
            "download_url": format!("https://example.com/download/app-{number}.dmg"),
            "sources": ["label_tool"],
        }, "sources": null});
        Record::admit(record.to_string().as_bytes()).unwrap().record
    });
    let change = RecordsChange::Replace {
        records: records.collect(),
        keep: Keep::Slugs(Vec::new()),
        allow_shrink: true,
    };
    publisher.publish(CatalogChange::Records(change)).await.unwrap();
    Service::new(publisher, None, Limits::default(), ToolAccess::default())
}

/// Records from documents: the sample's labels, and casks with and without one.
fn stitching() {
    let mut documents = Documents::default();
    let labels = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample/labels");
    let mut names: Vec<_> =
        fs::read_dir(labels).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let labels: Vec<Document> = names
        .iter()
        .map(|path| Document {
            key: format!("fragment/{}", path.file_name().unwrap().to_string_lossy()),
            body: fs::read(path).unwrap().into(),
        })
        .collect();
    Upstream::LabelTool.decode(&labels, &mut documents);
    let sample = include_str!("../sample/cask.json").trim().trim_start_matches('[');
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
    Upstream::CaskCatalog.decode(&casks.documents, &mut documents);
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
fn versions() {
    let texts = [
        "1.2.3",
        "1.2.3-beta.1",
        "1.2.3b1",
        "v2.0",
        "2024.1.1",
        "2024.01.01",
        "1.2.3,456",
        "10.15",
        "4.0.0-rc.2+build7",
        "125.0.6422.142",
        "7.0.1 (12345)",
        "r1234",
        "1.0.0a",
        "3",
        "2.10",
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
