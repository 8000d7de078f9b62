//! How many requests are made at the same time, how soon after each other, and how large answers
//! may be.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use appstitch_resolver::{Event, LabelToRun, LiveOptions, run_labels};

use crate::{
    options, run, run_one,
    server::{Load, Response, Server},
    version, version_at, why,
};

fn labels(servers: &[&Server], count: usize) -> Vec<LabelToRun> {
    let server = |number: usize| &servers[number % servers.len()].base;
    let label =
        |number| version_at(&format!("label{number:02}"), &format!("{}/{number}", server(number)));
    (0..count).map(label).collect()
}

fn slow() -> Response {
    // So long that requests of the same time overlap, also on a busy machine.
    Response::page("1.0").after(Duration::from_millis(500))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_gets_so_many_requests_at_a_time() {
    let load: Arc<Load> = Arc::default();
    let server = Server::with_load(load.clone(), |_| slow()).await;
    let report = run(labels(&[&server], 12), options(), None).await;
    assert_eq!((report.runs.len(), server.requests().len()), (12, 12));
    assert_eq!(load.most(), 2, "as many as allowed, and no more");
}

#[tokio::test(flavor = "multi_thread")]
async fn so_many_requests_are_made_at_a_time_in_total() {
    let load: Arc<Load> = Arc::default();
    let one = Server::with_load(load.clone(), |_| slow()).await;
    let two = Server::with_load(load.clone(), |_| slow()).await;
    let three = Server::with_load(load.clone(), |_| slow()).await;
    let options = LiveOptions { total_concurrency: 3, ..options() };
    let report = run(labels(&[&one, &two, &three], 18), options, None).await;
    assert_eq!(report.runs.len(), 18);
    assert_eq!(load.most(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_is_given_a_pause_between_requests() {
    let server = Server::start(|_| Response::page("1.0")).await;
    let options = LiveOptions { host_pause: Duration::from_millis(300), ..options() };
    run(labels(&[&server], 5), options, None).await;
    let requests = server.requests();
    let first = requests.iter().map(|request| request.at).min().unwrap();
    let last = requests.iter().map(|request| request.at).max().unwrap();
    // Four pauses. The server may see the first request well after its start.
    assert!(last - first >= Duration::from_millis(600), "{:?}", last - first);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_so_many_labels_run_at_once_and_progress_is_told() {
    let server = Server::start(|_| slow()).await;
    let options = LiveOptions { labels_at_once: 3, per_host: 9, ..options() };
    let events = Mutex::new(Vec::new());
    let observer = |event: Event<'_>| {
        let (is_start, counts) = match event {
            Event::Started { counts, .. } => (true, counts),
            Event::Finished { counts, .. } => (false, counts),
        };
        events.lock().unwrap().push((is_start, counts));
    };
    let report = run_labels(labels(&[&server], 7), options, None, &observer).await.unwrap();
    assert_eq!(report.runs.len(), 7);
    let events = events.into_inner().unwrap();
    assert_eq!(events.iter().filter(|(is_start, _)| *is_start).count(), 7);
    assert!(events.iter().all(|(_, counts)| counts.running <= 3 && counts.total == 7));
    let last = events.last().unwrap().1;
    assert_eq!((last.running, last.finished, last.requests_sent), (0, 7, 7));
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_of_zero_do_not_stop_everything() {
    let server = Server::start(|_| Response::page("1.0")).await;
    let options = LiveOptions { total_concurrency: 0, per_host: 0, labels_at_once: 0, ..options() };
    assert_eq!(run(labels(&[&server], 2), options, None).await.runs.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_over_the_limit_is_an_error_of_that_value_only() {
    let server = Server::start(|request| match request.path.as_str() {
        "/fits" => Response::page(&"1".repeat(1000)),
        "/large" => Response::page(&"1".repeat(1001)),
        // Without a length, the limit is noticed while reading.
        _ => Response::Endless("HTTP/1.1 200 OK\r\n\r\n", "0123456789abcdef", Duration::ZERO),
    })
    .await;
    let small = || LiveOptions { max_body_bytes: 1000, ..options() };
    let get = |path: &str| version_at("app", &format!("{}{path}", server.base));
    assert_eq!(version(&run_one(get("/fits"), small()).await).len(), 1000);
    for path in ["/large", "/endless"] {
        let run = run_one(get(path), small()).await;
        assert!(why(&run).contains("larger than 1000 bytes"), "{}", why(&run));
    }
    assert_eq!(server.requests().len(), 3, "an answer that is too large is not asked for again");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_for_shared_answers_is_bounded() {
    let server = Server::start(|_| Response::page("1.0")).await;
    let options = LiveOptions { shared_bytes: 0, labels_at_once: 1, ..options() };
    let address = format!("{}/same", server.base);
    let labels = ["a", "b"].map(|name| version_at(name, &address)).to_vec();
    assert_eq!(run(labels, options, None).await.runs.len(), 2);
    assert_eq!(server.requests().len(), 2, "the first answer was dropped");
}
