//! The time for all labels, and what is left when it is over.

use std::time::{Duration, Instant};

use appstitch_labels::{Architecture, Mac, NoNetwork, resolve};
use appstitch_resolver::{
    Event, LabelToRun, LiveNetwork, LiveOptions, run_labels, run_labels_until, with_last_runs,
};
use appstitch_store::Store;

use crate::{
    address, options, run,
    server::{Response, Server},
    version, version_at,
};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_comes_first_in_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&address(folder.path())).await.unwrap();
    let hangs = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let still = hangs.clone();
    let server = Server::start(move |request| {
        let page = Response::page(&request.path);
        let hangs = request.path == "/c" && still.load(std::sync::atomic::Ordering::SeqCst);
        if hangs { page.after(Duration::from_mins(5)) } else { page }
    })
    .await;
    let labels: Vec<LabelToRun> = ["a", "b", "c", "d", "e"]
        .map(|name| version_at(name, &format!("{}/{name}", server.base)))
        .to_vec();
    let one_by_one = |time_limit| LiveOptions { labels_at_once: 1, time_limit, ..options() };
    let start = Instant::now();
    let report = run(labels.clone(), one_by_one(Duration::from_secs(5)), Some(store.clone())).await;
    assert!(start.elapsed() < Duration::from_mins(4), "the running label is stopped");
    assert_eq!(report.runs.iter().map(version).collect::<Vec<_>>(), ["/a", "/b"]);
    assert_eq!(report.left, ["c", "d", "e"], "the stopped label and those never started");
    hangs.store(false, std::sync::atomic::Ordering::SeqCst);
    let runs = report.last_runs;
    assert_eq!(runs.len(), 2, "labels that are left count as not run");

    let labels = with_last_runs(labels, &runs);
    let report = run(labels, one_by_one(Duration::from_mins(5)), Some(store)).await;
    assert_eq!((report.runs.len(), report.left.len()), (5, 0));
    assert_eq!(server.paths(), ["/a", "/b", "/c", "/c", "/d", "/e", "/a", "/b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_any_time_everything_is_left() {
    let server = Server::start(|_| Response::page("1.0")).await;
    let labels = vec![version_at("b", &server.base), version_at("a", &server.base)];
    let options = LiveOptions { time_limit: Duration::ZERO, ..options() };
    let report = run(labels, options, None).await;
    assert_eq!((report.runs.len(), report.left), (0, vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_given_up_stops_its_labels() {
    let server = Server::start(|request| {
        let page = Response::page("1.0");
        if request.path == "/0" { page.after(Duration::from_secs(4)) } else { page }
    })
    .await;
    let request = |number| format!("x=$(curl -fs {}/{number})", server.base);
    let lines: Vec<String> = (0..20).map(request).collect();
    let labels = vec![crate::label("app", &lines.join("\n"))];
    let running = run_labels(labels, options(), None, &|_| {});
    let given_up = tokio::time::timeout(Duration::from_millis(300), running).await;
    assert!(given_up.is_err());
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert!(server.requests().len() <= 1, "{:?}", server.paths());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_that_only_computes_is_stopped() {
    let busy = "while true; do\nx=$(echo a | sed s/a/b/)\ndone\nappNewVersion=$x";
    // Far less than its steps take, even on a fast machine.
    let options = LiveOptions { time_limit: Duration::from_millis(10), ..options() };
    let report = run(vec![crate::label("busy", busy)], options, None).await;
    assert_eq!(report.left, ["busy"], "it is left, not unresolved");
    assert_eq!((report.runs.len(), report.last_runs.len()), (0, 0));

    let network = LiveNetwork::new(LiveOptions::default(), None).unwrap();
    network.stop();
    let (mac, budget) = (Mac::new(Architecture::Arm64), network.budget());
    let label = format!("app)\n{busy}\n;;");
    let resolved = resolve(&label, "app", &mac, &mut NoNetwork, budget).unwrap();
    assert_eq!(resolved.used.steps, 0, "it does not go on until its steps are used up");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_early_end_keeps_what_is_done() {
    let server = Server::start(|request| {
        let page = Response::page(&request.path);
        if request.path == "/slow" { page.after(Duration::from_mins(5)) } else { page }
    })
    .await;
    let labels =
        ["quick", "slow"].map(|name| version_at(name, &format!("{}/{name}", server.base))).to_vec();
    let done = tokio::sync::Notify::new();
    let observer = |event: Event<'_>| {
        if matches!(event, Event::Finished { .. }) {
            done.notify_one();
        }
    };
    let report =
        run_labels_until(done.notified(), labels, options(), None, &observer).await.unwrap();
    assert_eq!(report.runs.len(), 1);
    assert_eq!(
        (report.runs[0].name.as_str(), report.left.as_slice()),
        ("quick", &["slow".to_owned()][..])
    );
}
