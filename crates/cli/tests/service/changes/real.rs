//! Two real states of the casks, two weeks apart.

use std::collections::BTreeMap;

use serde_json::Value;

use super::replay::Copy;
use crate::{
    real_data::{all_apps, data, upload_all, upload_with},
    support::TestServer,
};

#[tokio::test]
async fn two_weeks_of_real_casks_are_reported_and_replayed() {
    let Some(data) = data() else { return };
    let server = TestServer::empty();
    upload_with(&server, &data, "cask.2026-08-08.json.gz").await;
    let first = Copy::of(&server).await;
    upload_all(&server, &data).await;
    let since = server.get("/changes?limit=1").await.json()["next"].as_str().unwrap().to_owned();

    let today = all_apps(&server).await;
    let today: Vec<String> = today.iter().map(Value::to_string).collect();
    let mut replayed = first.clone();
    replayed.follow(&server, false, 1000).await;
    assert_eq!(replayed.bytes(), today);
    let mut squashed = first.clone();
    squashed.follow(&server, true, 300).await;
    assert_eq!(squashed.bytes(), today);
    let mut from_nothing = Copy::empty();
    from_nothing.follow(&server, false, 1000).await;
    assert_eq!(from_nothing.bytes(), today);

    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut since_first = first.since.clone();
    loop {
        let page = server.get(&format!("/changes?since={since_first}&limit=1000")).await.json();
        for change in page["changes"].as_array().unwrap() {
            *counts.entry(change["kind"].as_str().unwrap().to_owned()).or_default() += 1;
            for field in change["fields"].as_object().unwrap().keys() {
                *counts
                    .entry(format!("{}.{field}", change["kind"].as_str().unwrap()))
                    .or_default() += 1;
            }
        }
        since_first = page["next"].as_str().unwrap().to_owned();
        if page["more"] == false {
            break;
        }
    }
    println!("{counts:#?}");
    let count = |kind: &str| counts.get(kind).copied().unwrap_or_default();
    assert!((1_050..1_150).contains(&count("changed")), "{counts:?}");
    assert!((15..=25).contains(&count("added")), "{counts:?}");
    assert_eq!(count("added") + count("renamed"), 25, "{counts:?}");
    assert_eq!(count("removed") + count("renamed"), 6, "{counts:?}");

    upload_all(&server, &data).await;
    let after = server.get(&format!("/changes?since={since}")).await.json();
    assert_eq!(after["changes"], serde_json::json!([]), "the same files again");
}
