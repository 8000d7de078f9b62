//! Uploads while many connections read: no response mixes two revisions.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::{Value, json};

use crate::support::{TestServer, app, ndjson};

const APPS: usize = 300;

/// A catalog in which every app contains its generation.
fn generation(number: usize) -> String {
    let records: Vec<Value> = (0..APPS)
        .map(|position| {
            let mut app = app(&format!("app-{position:03}"));
            app["vendor"] = json!(format!("generation {number}"));
            app["current_version"] = json!(number.to_string());
            app["sources"] = json!(["cask_catalog"]);
            let entry = json!({"generation": number.to_string()});
            json!({"app": app, "sources": {"cask_catalog": {"token": "x", "entry_json": entry}}})
        })
        .collect();
    ndjson(&records)
}

/// The generations in a response; one entry for a run of equal ones.
fn shown(response: &Value) -> Vec<String> {
    let mut generations: Vec<String> = response
        .as_array()
        .unwrap()
        .iter()
        .map(|app| app["current_version"].as_str().unwrap().to_owned())
        .collect();
    generations.dedup();
    generations
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_mixes_two_revisions() {
    let server = Arc::new(TestServer::empty());
    assert_eq!(server.upload(&generation(0)).await.status, 200);
    let done = Arc::new(AtomicBool::new(false));
    // The generation of each entity tag, as seen by any reader.
    let seen: Arc<Mutex<HashMap<String, String>>> = Arc::default();

    let readers: Vec<_> = (0..16)
        .map(|reader: usize| {
            let (server, done, seen) = (Arc::clone(&server), Arc::clone(&done), Arc::clone(&seen));
            tokio::spawn(async move {
                let mut responses = 0;
                while !done.load(Ordering::Relaxed) {
                    let encoding = ["identity", "gzip"][reader % 2];
                    let path = ["/apps?limit=1000", "/apps?limit=1000&source=cask_catalog"]
                        [reader / 2 % 2];
                    let page = server.get_with(path, "accept-encoding", encoding).await;
                    let body = if page.header("content-encoding") == "gzip" {
                        serde_json::from_reader(flate2::read::GzDecoder::new(&page.body[..]))
                            .unwrap()
                    } else {
                        page.json()
                    };
                    let generations = shown(&body);
                    assert_eq!(generations.len(), 1, "one generation per response");
                    assert_eq!(body.as_array().unwrap().len(), APPS);
                    let tag = page.header("etag").to_owned();
                    let known =
                        seen.lock().unwrap().entry(tag).or_insert(generations[0].clone()).clone();
                    assert_eq!(known, generations[0], "each tag belongs to one generation");

                    let sources = server.get("/apps/app-150/sources").await;
                    let generation =
                        sources.json()["cask_catalog"]["entry_json"]["generation"].clone();
                    let tag = sources.header("etag").to_owned();
                    if let Some(known) = seen.lock().unwrap().get(&tag) {
                        assert_eq!(generation, known.as_str(), "the same tag, the same generation");
                    }
                    responses += 1;
                }
                responses
            })
        })
        .collect();

    for number in 1..=20 {
        let summary = server.upload(&generation(number)).await.json();
        assert_eq!(summary["apps"]["updated"], APPS, "{summary}");
    }
    done.store(true, Ordering::Relaxed);
    let mut responses = 0;
    for reader in readers {
        responses += reader.await.unwrap();
    }
    assert!(responses >= 16, "only {responses} responses were read");
    assert!(seen.lock().unwrap().len() > 1, "readers saw several revisions");
}
