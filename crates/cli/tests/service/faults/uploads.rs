//! Failures while a server publishes an upload.

use std::collections::BTreeSet;

use reqwest::{Method, RequestBuilder};
use serde_json::json;

use super::{Failure, FaultyServer, POINTS, Step, served};
use crate::{
    changes::check_replay,
    sources::{SAMPLE_LABEL, cask, label_archive},
    support::{TestServer, label_and_cask, ndjson, record},
};

/// More than the number of failures.
const CHANGES: usize = 40;

/// Sends a series of changes to two servers, and lets each fail once on one of them. Returns the
/// steps that were taken.
async fn survives(
    prepare: &[&dyn Fn(&TestServer) -> RequestBuilder],
    change: impl Fn(&TestServer, usize) -> RequestBuilder,
) -> BTreeSet<&'static str> {
    let sound = FaultyServer::start();
    let mut faulty = FaultyServer::start();
    for request in prepare {
        for server in [&sound.server, &faulty.server] {
            let response = server.send(request(server)).await;
            assert_eq!(response.status, 200, "{response:?}");
        }
    }
    let mut taken = BTreeSet::new();
    let mut number = 0;
    for step in POINTS {
        for failure in Failure::ALL {
            number += 1;
            let old = served(&sound.server).await;
            let response = sound.server.send(change(&sound.server, number)).await;
            assert_eq!(response.status, 200, "{response:?}");
            let new = served(&sound.server).await;
            assert_ne!(old, new, "every change changes something");

            faulty.points.arm(step, failure);
            let response = change(&faulty.server, number).send().await;
            if !faulty.points.has_failed() {
                assert_eq!(response.unwrap().status(), 200, "{step:?} is no step of this change");
                assert_eq!(served(&faulty.server).await, new);
                continue;
            }
            taken.insert(step.name);
            if failure == Failure::Crash {
                assert!(response.is_err(), "{step:?}: nobody is left to answer");
                faulty.restart();
                let expected = if step.is_committed { &new } else { &old };
                assert_eq!(&served(&faulty.server).await, expected, "{step:?} {failure:?}");
            } else {
                check_refusal(response.unwrap(), step, failure).await;
                let now = served(&faulty.server).await;
                assert!(now == new || now == old, "{step:?} {failure:?}: {now:?}");
                assert!(step.is_committed || now == old, "{step:?} {failure:?}: {now:?}");
            }
            assert_eq!(faulty.server.get("/health").await.status, 200);

            let again = faulty.server.send(change(&faulty.server, number)).await;
            // What was removed cannot be removed again.
            let is_done = step.is_committed && again.status == 404;
            assert!(again.status == 200 || is_done, "{step:?} {failure:?}: {again:?}");
            assert_eq!(served(&faulty.server).await, new, "{step:?} {failure:?}");
            // Whatever failed, the journal tells the way to what is served.
            check_replay(&faulty.server).await;
        }
    }
    taken
}

/// The answer says that the upload failed, but nothing internal, and promises nothing that may not
/// be true.
async fn check_refusal(response: reqwest::Response, step: Step, failure: Failure) {
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    let expected = match failure {
        Failure::Error if !step.is_committed && step.name != "parse" => {
            (503, r#"{"detail":"Cannot write to the store. Nothing was changed; try again"}"#)
        }
        _ => (500, r#"{"detail":"Internal Server Error"}"#),
    };
    assert_eq!((status, text.as_str()), expected, "{step:?} {failure:?}");
}

fn names(steps: &BTreeSet<&str>) -> Vec<&'static str> {
    POINTS.map(|step| step.name).into_iter().filter(|name| steps.contains(name)).collect()
}

const ALL: [&str; 9] =
    ["parse", "read", "stitch", "begin", "write", "commit", "committed", "swap", "swapped"];

#[tokio::test]
async fn a_failed_upload_of_records_leaves_one_whole_revision() {
    let taken = survives(&[], |server, number| {
        let records = ["alpha", "beta", "gamma"]
            .map(|slug| label_and_cask(slug, Some("Acme"), "1.0", &format!("1.{number}")));
        server.admin(Method::PUT, "/admin/records").body(ndjson(&records))
    })
    .await;
    assert_eq!(names(&taken), ALL);
}

#[tokio::test]
async fn a_failed_upload_of_a_source_leaves_one_whole_revision() {
    let taken = survives(&[], |server, number| {
        let casks = json!([cask("sample", &format!("2.{number}")), cask("other", "1.0")]);
        server.admin(Method::PUT, "/admin/sources/cask_catalog").body(casks.to_string())
    })
    .await;
    assert_eq!(names(&taken), ALL);
}

#[tokio::test]
async fn a_failed_removal_leaves_one_whole_revision() {
    let records: Vec<_> = (0..CHANGES).map(|number| record(&format!("app-{number:02}"))).collect();
    let records = ndjson(&records);
    let fill =
        |server: &TestServer| server.admin(Method::PUT, "/admin/records").body(records.clone());
    let taken = survives(&[&fill], |server, number| {
        server.admin(Method::DELETE, &format!("/admin/records/app-{number:02}"))
    })
    .await;
    assert_eq!(names(&taken), ALL[1..], "a removal has nothing to parse");
}

#[tokio::test]
async fn a_failed_upload_of_resolved_labels_leaves_one_whole_revision() {
    let label = |server: &TestServer| {
        let archive = label_archive(&[("sample", SAMPLE_LABEL)]);
        server.admin(Method::PUT, "/admin/sources/label_tool").body(archive)
    };
    let taken = survives(&[&label], |server, number| {
        let line = json!({"label": "sample", "ok": true, "appNewVersion": format!("3.{number}"),
            "found_by": "posted", "found_at": format!("2026-08-01T10:{number:02}:00Z")});
        server.admin(Method::POST, "/admin/labels/resolved").body(line.to_string())
    })
    .await;
    assert_eq!(names(&taken), ALL);
}
