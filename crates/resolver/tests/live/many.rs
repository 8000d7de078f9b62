//! As many labels and hosts as there are in practice.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use appstitch_resolver::LiveOptions;
use appstitch_store::Store;

use crate::{
    address, label, options, run,
    server::{Load, Request, Response, Server},
    version,
};

const LABELS: usize = 1200;
const HOSTS: usize = 600;

/// A page of 20 kB that a second run finds unchanged.
fn page(request: &Request) -> Response {
    if request.header("if-none-match").is_some() {
        return Response::status("304 Not Modified", "", "");
    }
    let body = format!("{}\nversion {}.0\n", "<p>filling</p>\n".repeat(1400), &request.path[1..]);
    Response::status("200 OK", "etag: \"1\"\r\n", &body).after(Duration::from_millis(5))
}

#[tokio::test(flavor = "multi_thread")]
async fn all_labels_of_the_world_are_run() {
    let folder = tempfile::tempdir().unwrap();
    let load: Arc<Load> = Arc::default();
    let server = Server::with_load(load.clone(), page).await;
    let server_address = SocketAddr::from(([127, 0, 0, 1], server.port));
    let host = |number: usize| format!("host{}.example", number % HOSTS);
    let fixed_addresses = (0..HOSTS).map(|number| (host(number), server_address)).collect();
    let options = LiveOptions { fixed_addresses, ..options() };
    let labels: Vec<_> = (0..LABELS)
        .map(|number| {
            let url = format!("http://{}:{}/{number}", host(number), server.port);
            let lines = format!(
                "appNewVersion=$(curl -fs {url} | grep version | awk '{{print $2}}')\ndownloadURL=$(curl -fs {url} | grep -c filling)"
            );
            label(&format!("label{number:04}"), &lines)
        })
        .collect();
    for not_modified in [0, LABELS as u64] {
        let store = Store::open(&address(folder.path())).await.unwrap();
        let start = Instant::now();
        let report = run(labels.clone(), options.clone(), Some(store)).await;
        println!("{LABELS} labels of {HOSTS} hosts in {:?}", start.elapsed());
        assert_eq!((report.runs.len(), report.left.len()), (LABELS, 0));
        for (number, run) in report.runs.iter().enumerate() {
            assert_eq!(version(run), format!("{number}.0"));
            assert_eq!(run.arm64.download_url, Ok(Some("1400".to_owned())));
        }
        assert_eq!(report.network.requests_sent, LABELS as u64);
        assert_eq!(report.network.not_modified, not_modified);
        assert_eq!(report.last_runs.len(), LABELS);
    }
    assert!(load.most() <= options.total_concurrency, "{}", load.most());
}
