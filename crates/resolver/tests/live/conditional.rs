//! Answers that are kept in the store and asked for again only if they changed.

use appstitch_resolver::{LiveOptions, Secret, with_last_runs};
use appstitch_sources::label_tool::fingerprint;
use appstitch_store::{Change, Store, StoredRecord};

use crate::{
    address, label, options, run,
    server::{Request, Response, Server},
    version, version_at,
};

fn with_etag(request: &Request) -> Response {
    match request.header("if-none-match") {
        Some("\"1\"") => Response::status("304 Not Modified", "etag: \"1\"\r\n", ""),
        _ => Response::status("200 OK", "etag: \"1\"\r\nset-cookie: session=secret\r\n", "1.0"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_run_asks_for_changes_only() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(with_etag).await;
    let labels = || vec![version_at("app", &server.base)];
    for expected in [0, 1, 1] {
        let store = Store::open(&address(folder.path())).await.unwrap();
        let report = run(labels(), options(), Some(store)).await;
        assert_eq!(version(&report.runs[0]), "1.0");
        assert_eq!(report.network.not_modified, expected);
        assert_eq!(report.network.cache_error, None);
    }
    let conditions: Vec<bool> =
        server.requests().iter().map(|request| request.header("if-none-match").is_some()).collect();
    assert_eq!(conditions, [false, true, true]);
    let file = std::fs::read(folder.path().join("catalog.db")).unwrap();
    let log = std::fs::read(folder.path().join("catalog.db-wal")).unwrap_or_default();
    let stored = String::from_utf8_lossy(&[file, log].concat()).into_owned();
    assert!(stored.contains(&server.base) && !stored.contains("session=secret"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_answer_replaces_the_kept_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&address(folder.path())).await.unwrap();
    let changed = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::start(move |_| {
        let number = changed.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let header = "last-modified: Thu, 05 Mar 2026 06:07:08 GMT\r\n";
        Response::status("200 OK", header, &format!("{number}.0"))
    })
    .await;
    for expected in ["0.0", "1.0"] {
        let labels = vec![version_at("app", &server.base)];
        let report = run(labels, options(), Some(store.clone())).await;
        assert_eq!(version(&report.runs[0]), expected);
    }
    let condition = server.requests()[1].header("if-modified-since").map(str::to_owned);
    assert_eq!(condition.as_deref(), Some("Thu, 05 Mar 2026 06:07:08 GMT"));
}

#[tokio::test(flavor = "multi_thread")]
async fn other_requests_have_no_condition() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&address(folder.path())).await.unwrap();
    let server = Server::start(with_etag).await;
    let base = &server.base;
    let labels = || {
        vec![
            label("agent", &format!("appNewVersion=$(curl -s -A mine {base}/a)")),
            label("head", &format!("appNewVersion=$(curl -sI {base}/b)")),
            label("post", &format!("appNewVersion=$(curl -s -d x=y {base}/c)")),
        ]
    };
    for _ in 0..2 {
        run(labels(), options(), Some(store.clone())).await;
    }
    for request in server.requests().iter().skip(3) {
        let expected = request.path == "/a";
        assert_eq!(request.header("if-none-match").is_some(), expected, "{request:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_are_told_and_neither_stored_nor_part_of_the_catalog() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&address(folder.path())).await.unwrap();
    let record = StoredRecord { slug: "ant".into(), body: "{}".into(), is_sample: false };
    store.commit(Change { put_records: vec![record], ..Change::default() }).await.unwrap();
    // Another process, such as a server, has the store open.
    let elsewhere = Store::open(&address(folder.path())).await.unwrap();
    let server = Server::start(with_etag).await;
    let labels =
        vec![version_at("good", &server.base), version_at("bad", "http://appstitch.invalid/")];
    let before = jiff::Timestamp::now();
    let runs = run(labels.clone(), options(), Some(store)).await.last_runs;
    assert_eq!(elsewhere.edition().await.unwrap().number, 1);
    assert_eq!(elsewhere.label_runs().await.unwrap(), [], "their findings are not published yet");
    let [bad, good] = &runs[..] else { panic!("two runs, in the order of files: {runs:?}") };
    assert_eq!((good.file.as_str(), good.outcome.as_str()), ("good.sh", "resolved"));
    assert_eq!(good.fragment, fingerprint(&labels[0].text));
    assert_eq!((bad.file.as_str(), bad.outcome.as_str()), ("bad.sh", "no_answer"));
    assert!(bad.why.as_ref().unwrap().contains("appstitch.invalid"));
    assert!(good.run_at.as_second() >= before.as_second());
    let labels = with_last_runs(labels, &runs);
    assert!(labels.iter().all(|label| label.last_run.is_some()));
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_run_without_a_store_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(&address(folder.path())).await.unwrap());
    let store = Store::open_to_read(&address(folder.path())).await.unwrap();
    let server = Server::start(with_etag).await;
    let labels = vec![version_at("app", &server.base)];
    let report = run(labels, LiveOptions { ..options() }, Some(store)).await;
    assert_eq!(version(&report.runs[0]), "1.0");
    assert!(report.network.cache_error.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_repeats_the_token_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&address(folder.path())).await.unwrap();
    let token = "abc123abc123abc123";
    let server = Server::start(|request| {
        let sent = request.header("authorization").unwrap_or_default();
        Response::status("200 OK", "etag: \"1\"\r\n", &format!("1.0 {sent}"))
    })
    .await;
    for _ in 0..2 {
        let options = LiveOptions {
            github_token: Secret::new(token),
            api_host: server.base.clone(),
            ..options()
        };
        let labels = vec![version_at("app", &server.base)];
        let report = run(labels, options, Some(store.clone())).await;
        assert_eq!(version(&report.runs[0]), format!("1.0 Bearer {token}"));
    }
    assert_eq!(server.requests()[1].header("if-none-match"), None);
}
