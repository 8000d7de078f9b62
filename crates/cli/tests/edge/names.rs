//! Names that strangers chose.

use std::fs;

use serde_json::{Value, json};

use crate::{
    exported::Exported,
    nginx::Nginx,
    service::support::{TestServer, app, ndjson, record},
};

fn of_vendor(number: usize, vendor: &str) -> Value {
    let mut app = app(&format!("app-{number}"));
    app["vendor"] = json!(vendor);
    json!({"app": app, "sources": null})
}

#[tokio::test]
async fn names_that_lead_elsewhere_are_skipped_and_reported() {
    let long = "long ".repeat(60);
    let hostile = ["..", "../../outside", "/etc/passwd", "@index.html", "a\\b", long.trim()];
    let odd = ["Ä & B?", "100%41", "a#b", "con", "…", "-rf", "$HOME", "{}", "a  b", "~", "x.json"];
    let vendors = hostile.iter().chain(&odd).enumerate();
    let mut records: Vec<Value> =
        vendors.map(|(number, vendor)| of_vendor(number, vendor)).collect();
    // Slugs with the names of files.
    records.extend(["index.json", "app-0.svg", "app-0.json", "jamf-index.json"].map(record));
    // Names that break a rule are omitted by the catalog itself.
    let live = TestServer::empty();
    assert_eq!(live.upload(&ndjson(&records)).await.status, 200);
    let exported = Exported::of_file(&live.store());
    let printed = exported.run().await;
    let apps = live.get("/apps").await.json();
    let vendors = apps.as_array().unwrap().iter().filter_map(|app| app["vendor"].as_str());
    let served: Vec<&str> = vendors.collect();
    let odd_ones = odd.iter().filter(|vendor| served.contains(*vendor)).count();
    assert!(odd_ones >= 8, "{served:?}");
    assert!(printed.contains("/vendors/..%2F..%2Foutside is skipped"), "{printed}");
    let place = exported.path();
    let beside: Vec<_> = fs::read_dir(place.parent().unwrap()).unwrap().collect();
    assert_eq!(beside.len(), 1, "nothing outside of the folder");
    let edge = Nginx::start(&place);
    for entry in exported.entries() {
        let found = edge.get(&entry.address).await;
        let expected = live.get(&entry.address).await;
        assert_eq!(found.status, 200, "{}", entry.address);
        if !entry.is_for_browsers() {
            assert!(found.body == expected.body, "{}", entry.address);
        }
    }
    for address in
        ["/vendors/..%2f..%2foutside", "/vendors/%2e%2e/%2e%2e/etc/passwd", "/a/..%2fmanifest.json"]
    {
        // nginx rejects paths that lead out of the root.
        let status = edge.get(address).await.status.as_u16();
        assert!(matches!(status, 400 | 404), "{status} {address}");
    }
}
