//! Recorded responses give the same values when they are played again.

use appstitch_labels::{Architecture, Budget, Mac, Network as _, NoTrace, Replay, Request};
use appstitch_resolver::{LiveNetwork, LiveOptions, Secret, run_on};

use crate::{
    label, options, run_one,
    server::{Response, Server},
    version,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_recorded_run_can_be_played_again() {
    let server = Server::start(|request| match request.path.as_str() {
        "/start" => Response::status("302 Found", "location: /page\r\nset-cookie: s=1\r\n", ""),
        "/page" => Response::page("version 4.5.6 for abc123abc123abc123"),
        _ => Response::status("404 Not Found", "", "none"),
    })
    .await;
    let base = &server.base;
    let lines = format!(
        "page=$(curl -fsL {base}/start)\nappNewVersion=$(echo $page | awk '{{print $2}}')\nif [[ $(arch) == i386 ]]; then\ndownloadURL=$(curl -sI {base}/intel | head -1)\nelse\ndownloadURL=$(curl -s {base}/arm)\nfi"
    );
    let recording = LiveOptions {
        record: true,
        github_token: Secret::new("abc123abc123abc123"),
        api_host: server.base.clone(),
        ..options()
    };
    let label = label("app", &lines);
    let run = run_one(label.clone(), recording).await;
    assert_eq!(version(&run), "4.5.6");
    let mut requests: Vec<(&str, &str)> =
        run.exchanges.iter().map(|one| (one.method.as_str(), one.url.as_str())).collect();
    requests.sort_unstable();
    let url = |path: &str| format!("{base}{path}");
    let [arm, intel, page, start] = ["/arm", "/intel", "/page", "/start"].map(url);
    assert_eq!(requests, [("GET", &*arm), ("GET", &*page), ("GET", &*start), ("HEAD", &*intel)]);
    let text = format!("{:?}", run.exchanges);
    assert!(!text.contains("abc123abc123abc123") && !text.contains("cookie"), "{text}");

    let mut replay = Replay::new(run.exchanges.clone());
    for (architecture, live) in
        [(Architecture::Arm64, &run.arm64), (Architecture::I386, run.intel())]
    {
        let mac = Mac::new(architecture);
        let budget = Budget::default();
        let played = run_on(&mac, &label.name, &label.text, &mut replay, budget, &mut NoTrace);
        assert_eq!(played, *live, "{architecture:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_recorded_unless_told_so() {
    let server = Server::start(|_| Response::page("1.0")).await;
    let run = run_one(crate::version_at("app", &server.base), options()).await;
    assert_eq!(run.exchanges, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_for_recorded_answers_is_bounded() {
    let server = Server::start(|_| Response::page(&"1".repeat(1000))).await;
    let options =
        LiveOptions { record: true, recorded_bytes: 2500, labels_at_once: 1, ..options() };
    let labels = ["a", "b", "c"].map(|name| crate::version_at(name, &server.base)).to_vec();
    let report = crate::run(labels, options, None).await;
    assert_eq!(report.runs.iter().map(|run| run.exchanges.len()).collect::<Vec<_>>(), [1, 1, 0]);
    assert_eq!(report.unrecorded, ["c"], "it is reported, because its record is incomplete");
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_that_still_run_share_the_memory_for_recorded_answers() {
    let server = Server::start(|_| Response::page(&"1".repeat(1000))).await;
    let options = LiveOptions { record: true, recorded_bytes: 3000, ..options() };
    let network = LiveNetwork::new(options, None).unwrap();
    let (mut one, mut other) = (network.for_label(), network.for_label());
    let base = server.base.clone();
    let get = move |path: &str| Request {
        method: "GET".to_owned(),
        url: format!("{base}{path}"),
        headers: Vec::new(),
        body: String::new(),
    };
    let task = tokio::task::spawn_blocking(move || {
        other.fetch(&get("/a")).unwrap();
        one.fetch(&get("/b")).unwrap();
        // The third thousand bytes, with addresses and headers, are too many.
        other.fetch(&get("/c")).unwrap();
        // What the other label gave back can be used again.
        one.fetch(&get("/d")).unwrap();
        (one.into_exchanges(), other.into_exchanges())
    });
    let (one, other) = task.await.unwrap();
    assert_eq!((one.map(|records| records.len()), other), (Some(2), None));
}
