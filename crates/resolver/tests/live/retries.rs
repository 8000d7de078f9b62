//! Requests that fail and are made again, and hosts that want no more of them.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use appstitch_resolver::LiveOptions;
use appstitch_store::StoredLabelRun;
use tokio::net::TcpSocket;

use crate::{
    label, options, run, run_one,
    server::{Response, Server},
    version, version_at, why,
};

/// Gives these answers in turn, and then repeats the last.
async fn in_turn(responses: Vec<fn() -> Response>) -> Server {
    let count = AtomicUsize::new(0);
    Server::start(move |_| {
        let number = count.fetch_add(1, Ordering::SeqCst);
        responses[number.min(responses.len() - 1)]()
    })
    .await
}

fn busy() -> Response {
    Response::status("503 Busy", "retry-after: 0\r\n", "busy")
}

fn closed() -> Response {
    Response::Bytes(Vec::new())
}

fn good() -> Response {
    Response::page("1.0")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_pass_is_tried_again_until_it_does() {
    for failure in [busy, closed] {
        let server = in_turn(vec![failure, failure, good]).await;
        assert_eq!(version(&run_one(version_at("app", &server.base), options()).await), "1.0");
        assert_eq!(server.requests().len(), 3);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_last_attempt_the_answer_is_taken_as_it_is() {
    let server = in_turn(vec![busy]).await;
    let status = label("app", &format!("appNewVersion=$(curl -s {})", server.base));
    assert_eq!(version(&run_one(status, options()).await), "busy");
    assert_eq!(server.requests().len(), 3);
    let server = in_turn(vec![closed]).await;
    let run = run_one(version_at("app", &server.base), options()).await;
    assert!(why(&run).contains(&server.base), "{}", why(&run));
    assert_eq!(server.requests().len(), 3);
    let report = crate::run(vec![version_at("app", &server.base)], options(), None).await;
    assert!(report.network.is_offline(), "{:?}", report.network);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_will_not_pass_is_not_tried_again() {
    let server = in_turn(vec![|| Response::status("404 Not Found", "", "")]).await;
    assert_eq!(version(&run_one(version_at("app", &server.base), options()).await), "");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_never_sent_twice() {
    for failure in [busy, closed] {
        let server = in_turn(vec![failure, good]).await;
        let lines = format!("appNewVersion=$(curl -s --data a=b {})", server.base);
        run_one(label("app", &lines), options()).await;
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_without_a_server_is_an_error() {
    let server = Server::start(|_| good()).await;
    // Nobody listens there, and nobody else can get the port.
    let silent = TcpSocket::new_v4().unwrap();
    silent.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let nobody = silent.local_addr().unwrap();
    let labels = vec![
        version_at("dead", &format!("http://{nobody}/")),
        version_at("good", &server.base),
        version_at("nowhere", "http://appstitch.invalid/"),
    ];
    let report = run(labels, options(), None).await;
    let [dead, good, nowhere] = &report.runs[..] else { panic!("three runs") };
    assert_eq!(version(good), "1.0");
    assert!(why(dead).contains(&nobody.to_string()), "{}", why(dead));
    assert!(why(nowhere).contains("appstitch.invalid"), "{}", why(nowhere));
    assert!(report.network.answered == 1 && !report.network.is_offline());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_limit_ends_requests_to_that_host_and_labels_fall_back() {
    let api = Server::start(|_| {
        Response::status("403 Forbidden", "x-ratelimit-remaining: 0\r\n", "limited")
    })
    .await;
    let site = Server::start(|request| Response::page(request.path.trim_start_matches('/'))).await;
    let with_fallback = |number: usize| {
        let (api, site) = (&api.base, &site.base);
        label(
            &format!("label{number}"),
            &format!(
                "appNewVersion=$(curl -fs {api}/{number})\nif [[ -z $appNewVersion ]]; then\nappNewVersion=$(curl -fs {site}/{number}.0)\nfi"
            ),
        )
    };
    // One at a time, so that the limit is known before the second label asks.
    let options = LiveOptions { labels_at_once: 1, ..options() };
    let report = run((0..5).map(with_fallback).collect(), options, None).await;
    let versions: Vec<&str> = report.runs.iter().map(version).collect();
    assert_eq!(versions, ["0.0", "1.0", "2.0", "3.0", "4.0"]);
    assert_eq!(api.paths(), ["/0"], "the host is not asked again");
    assert_eq!(site.requests().len(), 5);
    assert!(report.last_runs.iter().all(|run| run.outcome == "resolved"), "nothing is missing");
    assert_eq!(report.network.limited_hosts, [format!("127.0.0.1:{}", api.port)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_wait_for_their_turn_notice_the_limit() {
    let limited = || {
        Response::status("429 Too Many Requests", "retry-after: 3600\r\n", "")
            .after(Duration::from_millis(100))
    };
    let api = Server::start(move |_| limited()).await;
    let label = |number| version_at(&format!("label{number}"), &format!("{}/{number}", api.base));
    let report = run((0..10).map(label).collect(), options(), None).await;
    assert_eq!(report.runs.len(), 10);
    for run in &report.last_runs {
        assert_eq!(run.outcome, StoredLabelRun::NO_ANSWER, "they are run again soon");
        assert_eq!(run.why.as_deref(), Some("a host limits the number of requests"));
    }
    assert!(api.requests().len() <= 2, "only those that were under way");
}
