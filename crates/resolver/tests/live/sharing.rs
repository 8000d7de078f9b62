//! One answer for all labels that ask the same.

use std::time::Duration;

use crate::{
    label, options, run,
    server::{Response, Server},
    version, version_at,
};

#[tokio::test(flavor = "multi_thread")]
async fn ten_labels_that_ask_the_same_make_one_request() {
    // The answer is slow, so that all labels ask while the request is under way.
    let server = Server::start(|_| Response::page("1.2.3").after(Duration::from_millis(200))).await;
    let address = format!("{}/version", server.base);
    let labels = (0..10).map(|number| version_at(&format!("label{number}"), &address)).collect();
    let report = run(labels, options(), None).await;
    assert_eq!(report.runs.len(), 10);
    assert!(report.runs.iter().all(|run| version(run) == "1.2.3" && run.arm64.requests == 1));
    assert_eq!(server.paths(), ["/version"]);
    assert_eq!(report.network.requests_sent, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn both_architectures_share_answers_and_differ_where_the_label_does() {
    let server = Server::start(|request| Response::page(&request.path)).await;
    let base = &server.base;
    let lines = format!(
        "both=$(curl -fs {base}/both)\nif [[ $(arch) == arm64 ]]; then\nappNewVersion=$(curl -fs {base}/arm)\nelse\nappNewVersion=$(curl -fs {base}/intel)\nfi\ndownloadURL=https://example.com$both"
    );
    let report = run(vec![label("app", &lines), version_at("plain", base)], options(), None).await;
    let [app, plain] = &report.runs[..] else { panic!("two runs, in the order of names") };
    assert_eq!(version(app), "/arm");
    assert_eq!(app.intel().app_new_version, Ok(Some("/intel".to_owned())));
    assert_eq!(app.arm64.download_url, Ok(Some("https://example.com/both".to_owned())));
    assert_eq!(app.arm64.download_url, app.intel().download_url);
    assert!(plain.i386.is_none() && plain.intel() == &plain.arm64);
    assert_eq!(plain.arm64.download_url, Ok(None), "it does not set one");
    let mut paths = server.paths();
    paths.sort();
    assert_eq!(paths, ["/", "/arm", "/both", "/intel"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_that_send_something_else_ask_for_themselves() {
    let server =
        Server::start(|request| Response::page(request.header("user-agent").unwrap_or_default()))
            .await;
    let base = &server.base;
    let one = label("one", &format!("appNewVersion=$(curl -fs -A 1.1 {base})"));
    let two = label("two", &format!("appNewVersion=$(curl -fs -A 2.2 {base})"));
    let report = run(vec![one, two], options(), None).await;
    assert_eq!(report.runs.iter().map(version).collect::<Vec<_>>(), ["1.1", "2.2"]);
}
