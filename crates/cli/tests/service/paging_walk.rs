//! Following the pages returns every record once, in order.

use proptest::{prelude::*, test_runner::TestRunner};
use serde_json::{Value, json};

use crate::support::{TestServer, app};

/// Follows the `next` links from the first page and returns all slugs.
fn walk(runtime: &tokio::runtime::Runtime, server: &TestServer, start: &str) -> Vec<String> {
    let mut seen = Vec::new();
    let mut path = Some(start.to_owned());
    while let Some(page) = path.take() {
        let response = runtime.block_on(server.get(&page));
        seen.extend(response.slugs());
        let next = response.header("link").split(", ").find(|link| link.ends_with("rel=\"next\""));
        path = next.map(|link| link[1..link.find('>').unwrap()].to_owned());
    }
    seen
}

#[test]
fn every_walk_sees_every_record_once_and_in_order() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let records: Vec<Value> = (0..57)
        .map(|number| {
            let mut app = app(&format!("app-{number:02}"));
            app["vendor"] = json!(["Acme", "Other"][number % 2]);
            app["sources"] =
                json!([["label_tool"], ["cask_catalog"], ["recipe_index"]][number % 3]);
            json!({"app": app, "sources": null})
        })
        .collect();
    let server = runtime.block_on(TestServer::with_records(&records));
    let filters =
        ["", "vendor=acme&", "source=label_tool&", "vendor=other&exclude_source=cask_catalog&"];
    let cases = (1_usize..70, 0_usize..70, prop::sample::select(filters.to_vec()));
    let mut runner = TestRunner::new(ProptestConfig { cases: 48, ..ProptestConfig::default() });
    runner
        .run(&cases, |(limit, offset, filter)| {
            let all = runtime.block_on(server.get(&format!("/apps?{filter}limit=1000"))).slugs();
            let mut sorted = all.clone();
            sorted.sort();
            sorted.dedup();
            prop_assert_eq!(&sorted, &all, "the whole list is in order, each slug once");
            let seen =
                walk(&runtime, &server, &format!("/apps?{filter}limit={limit}&offset={offset}"));
            prop_assert_eq!(&seen[..], &all[offset.min(all.len())..]);
            Ok(())
        })
        .unwrap();
}
