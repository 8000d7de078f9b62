//! Sweeps of a titles server with all its faults.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeMap, time::Duration};

use appstitch_network::{GuardedClient, NetworkAccess};
use appstitch_refresh::{
    Asked, EarlierTitles, FetchFailure, RequestLimits, Secret, Sweep, SweepError, TitlesServer,
    sweep,
};
use appstitch_upstreams::{Delivery, JamfServer, JamfState, Reply, TestHost};
use serde_json::{Value, json, value::RawValue};

fn title(number: usize) -> Value {
    json!({
        "id": format!("{number:03X}"), "bundleId": format!("com.example.app{number}"),
        "titleName": format!("App {number}"), "publisher": "Example", "iconUrl": null,
        "version": "1.0", "installationPathShared": false, "architecture": "universal",
        "minimumOsVersion": "12", "originalMediaSources": [{"url": "https://example.com/1.0.pkg"}],
    })
}

fn server(count: usize) -> JamfServer {
    JamfServer::start(JamfState::new((0..count).map(title).collect())).unwrap()
}

fn limits() -> RequestLimits {
    RequestLimits {
        time: Duration::from_mins(5),
        retry_pause: Duration::from_millis(10),
        limited_pause: Duration::from_millis(10),
        ..RequestLimits::titles()
    }
}

fn settings(base: &str) -> TitlesServer {
    let JamfState { client_id, secret, .. } = JamfState::new(Vec::new());
    let secret = Secret::new(&secret).unwrap();
    TitlesServer { address: base.parse().unwrap(), client_id, secret }
}

const BOTH: Asked = Asked { titles: true, patch_titles: true };

fn client() -> GuardedClient {
    let access = NetworkAccess { allow_private: true, ..NetworkAccess::default() };
    GuardedClient::new(&access).unwrap()
}

async fn swept(server: &JamfServer, earlier: &EarlierTitles) -> Result<Sweep, SweepError> {
    sweep(&client(), &settings(&server.host.base()), &limits(), BOTH, earlier).await
}

/// The titles of a sweep that must succeed, by id.
async fn titles(server: &JamfServer, earlier: &EarlierTitles) -> BTreeMap<String, Value> {
    let titles = swept(server, earlier).await.unwrap().titles.unwrap().unwrap();
    let file: Value = serde_json::from_slice(&titles.file()).unwrap();
    assert_eq!(file["totalCount"], titles.records.len());
    let results = file["results"].as_array().unwrap();
    let by_id =
        results.iter().map(|title| (title["id"].as_str().unwrap().to_owned(), title.clone()));
    let by_id: BTreeMap<String, Value> = by_id.collect();
    assert_eq!(by_id.len(), results.len(), "each title once");
    by_id
}

fn none() -> EarlierTitles {
    EarlierTitles::new()
}

fn earlier(titles: impl IntoIterator<Item = Value>) -> EarlierTitles {
    let entry = |title: Value| {
        let id = title["id"].as_str().unwrap().to_owned();
        (id, RawValue::from_string(title.to_string()).unwrap())
    };
    titles.into_iter().map(entry).collect()
}

#[tokio::test]
async fn all_titles_come_with_their_details_and_one_token() {
    let server = server(450);
    server.change(|state| {
        state.delay = Duration::from_millis(5);
        state.patch_titles_xml = Some(b"<?xml version=\"1.0\"?><patch_available_titles/>".to_vec());
    });
    let found = titles(&server, &none()).await;
    assert_eq!(found.len(), 450);
    assert!((0..450).all(|number| found[&format!("{number:03X}")] == title(number)));
    let seen = server.seen();
    assert_eq!(seen.tokens, 1);
    assert!((2..=10).contains(&seen.most_at_a_time), "{seen:?}");
    let pages: Vec<String> =
        server.host.requests().iter().filter_map(|request| request.query("page")).collect();
    assert_eq!(pages, ["0", "1", "2"], "the total ends the list");
    let secret = settings("http://localhost").secret;
    let no_secret =
        |request: &appstitch_upstreams::Request| !request.target.contains(secret.reveal());
    assert!(server.host.requests().iter().all(no_secret));
}

#[tokio::test]
async fn the_patch_catalog_comes_as_it_is_whatever_its_format() {
    let server = server(1);
    let patch = async || swept(&server, &none()).await.unwrap().patch_titles.unwrap();
    assert!(matches!(patch().await, Err(SweepError::Missing { .. })));
    let (xml, json) =
        (b"<?xml version=\"1.0\"?>\n<a/>".to_vec(), b" [{\"name_id\": \"1\"}]".to_vec());
    server.change(|state| state.patch_titles_xml = Some(xml.clone()));
    assert_eq!(patch().await.unwrap(), xml);
    server.change(|state| state.patch_titles_json = Some(json.clone()));
    assert_eq!(patch().await.unwrap(), json);
    server.change(|state| state.patch_titles_json = Some(b"sorry".to_vec()));
    assert!(matches!(patch().await, Err(SweepError::Shape { .. })));
}

#[tokio::test]
async fn only_what_is_asked_for_is_read() {
    let server = server(3);
    server.change(|state| state.patch_titles_json = Some(b"[]".to_vec()));
    let asked = async |asked| {
        let settings = settings(&server.host.base());
        let swept = sweep(&client(), &settings, &limits(), asked, &none()).await.unwrap();
        let titles = swept.titles.map(|titles| titles.unwrap().records.len());
        (titles, swept.patch_titles.map(Result::unwrap))
    };
    assert_eq!(asked(Asked { titles: true, patch_titles: false }).await, (Some(3), None));
    let patch_titles = asked(Asked { titles: false, patch_titles: true }).await;
    assert_eq!(patch_titles, (None, Some(b"[]".to_vec())));
    assert_eq!(server.seen().details.len(), 3);
}

#[tokio::test]
async fn a_token_that_expires_is_replaced() {
    let server = server(60);
    // Twenty requests each, while ten are under way.
    server.change(|state| {
        state.token_uses = 20;
        state.delay = Duration::from_millis(2);
    });
    let result = swept(&server, &none()).await.unwrap().titles.unwrap().unwrap();
    assert_eq!((result.records.len(), result.without_details.len()), (60, 0));
    assert!((3..=8).contains(&server.seen().tokens), "{:?}", server.seen());
}

#[tokio::test]
async fn a_token_that_never_works_is_replaced_once() {
    let server = server(3);
    server.change(|state| state.token_uses = 0);
    let sweep = swept(&server, &none()).await.unwrap();
    assert!(matches!(sweep.titles, Some(Err(SweepError::Token { .. }))), "{sweep:?}");
    assert_eq!(server.seen().tokens, 2);
}

#[tokio::test]
async fn wrong_credentials_are_told_without_printing_them() {
    let server = server(3);
    server.change(|state| state.secret = "another one".to_owned());
    let error = swept(&server, &none()).await.unwrap_err();
    assert!(matches!(error, SweepError::Credentials { status: 401, .. }), "{error}");
    let settings = settings(&server.host.base());
    let secret = settings.secret.reveal().to_owned();
    assert!(!format!("{error} {error:?} {settings:?}").contains(&secret));
    assert_eq!(server.host.requests().len(), 1);
}

#[tokio::test]
async fn a_server_without_the_api_is_told() {
    let server = server(3);
    for (status, text) in [(404, "does not offer it"), (403, "lacks a privilege"), (418, "418")] {
        server.change(|state| state.list_status = Some(status));
        let error = swept(&server, &none()).await.unwrap().titles.unwrap().unwrap_err().to_string();
        assert!(error.contains(text) && error.contains("/api/v1/app-installers/titles"), "{error}");
    }
    server.change(|state| state.list_status = None);
    for body in ["", "<html>", "[]", "{}", r#"{"totalCount":1,"results":{}}"#, r#"{"results":"#] {
        server.change(|state| state.list_body = Some(body.to_owned()));
        let error = swept(&server, &none()).await.unwrap().titles.unwrap().unwrap_err();
        assert!(matches!(error, SweepError::Shape { .. }), "{body}: {error}");
    }
    let nothing = TestHost::start(|_| Reply::new(404, "")).unwrap();
    let error =
        sweep(&client(), &settings(&nothing.base()), &limits(), BOTH, &none()).await.unwrap_err();
    assert!(matches!(error, SweepError::Missing { .. }), "{error}");
    let token = TestHost::start(|_| Reply::new(200, r#"{"access_token":"a\nb"}"#)).unwrap();
    let error =
        sweep(&client(), &settings(&token.base()), &limits(), BOTH, &none()).await.unwrap_err();
    assert!(matches!(error, SweepError::Shape { .. }), "{error}");
}

#[tokio::test]
async fn pages_end_and_a_moving_list_is_read_again() {
    // Smaller pages than asked for.
    let small = server(30);
    small.change(|state| state.page_limit = 7);
    assert_eq!(titles(&small, &none()).await.len(), 30);
    // No total that can be reached: an empty page ends the list, and nothing says it is whole.
    small.change(|state| state.total = Some(99));
    assert_eq!(titles(&small, &earlier([title(500)])).await.len(), 31);
    // The same page again and again.
    let stuck = server(30);
    stuck.change(|state| (state.page_limit, state.ignores_page) = (10, true));
    assert_eq!(titles(&stuck, &none()).await.len(), 10);
    let pages =
        stuck.host.requests().iter().filter(|request| request.query("page").is_some()).count();
    assert_eq!(pages, 6, "three times two");
    // New titles move the others to the next page while the list is read.
    let growing = server(30);
    growing.change(|state| (state.page_limit, state.growing_pages) = (10, 2));
    assert_eq!(titles(&growing, &none()).await.len(), 32);
    let keeps_growing = server(30);
    keeps_growing.change(|state| (state.page_limit, state.growing_pages) = (10, 1000));
    let known = earlier([title(500)]);
    let result = swept(&keeps_growing, &known).await.unwrap().titles.unwrap().unwrap();
    assert!(result.kept == 1 && result.records.len() > 31, "{}", result.records.len());
}

#[tokio::test]
async fn a_title_that_is_gone_is_gone() {
    let found = titles(&server(3), &earlier((0..5).map(title))).await;
    assert_eq!(found.keys().collect::<Vec<_>>(), ["000", "001", "002"]);
}

#[tokio::test]
async fn failed_details_lose_nothing() {
    let server = server(4);
    server.change(|state| {
        state.detail_statuses = [("001", 500), ("002", 404), ("003", 403)]
            .map(|(id, status)| (id.to_owned(), status))
            .into();
        state.titles[3]["version"] = json!("2.0");
    });
    let known = earlier([title(2), title(3)]);
    let sweep = swept(&server, &known).await.unwrap().titles.unwrap().unwrap();
    let failed: Vec<&str> = sweep.without_details.iter().map(|title| title.id.as_str()).collect();
    assert_eq!(failed, ["001", "002", "003"]);
    assert!(sweep.without_details[0].why.contains("500"), "{:?}", sweep.without_details[0]);
    let found = titles(&server, &known).await;
    assert_eq!(found["000"], title(0));
    assert_eq!(found["001"].get("architecture"), None, "the lean record");
    assert_eq!(found["001"]["version"], "1.0");
    assert_eq!(found["002"], title(2), "the details of the earlier sweep");
    let moved = &found["003"];
    assert_eq!((&moved["version"], &moved["architecture"]), (&json!("2.0"), &json!("universal")));
    assert_eq!(
        moved.get("originalMediaSources"),
        None,
        "the file of version 1.0 is not the file of 2.0"
    );
}

#[tokio::test]
async fn a_server_that_refuses_all_details_is_not_asked_for_all() {
    let server = server(300);
    server.change(|state| state.detail_statuses = [("*".to_owned(), 404)].into());
    let found = titles(&server, &earlier((0..300).map(title))).await;
    assert!((0..300).all(|number| found[&format!("{number:03X}")] == title(number)));
    assert!(server.seen().details.len() <= 30, "{}", server.seen().details.len());
}

#[tokio::test]
async fn odd_ids_lead_nowhere() {
    let odd = ["..", "a/b", "?x", "%2e%2e", " ", "ä"];
    let entry = |id: &str| json!({"id": id, "titleName": "Odd", "version": "1"});
    let mut all: Vec<Value> = odd.iter().map(|id| entry(id)).collect();
    all.push(json!({"titleName": "No id"}));
    all.push(json!(7));
    let server = JamfServer::start(JamfState::new(Vec::new())).unwrap();
    let body = json!({"totalCount": all.len(), "results": all}).to_string();
    server.change(|state| state.list_body = Some(body));
    let result = swept(&server, &none()).await.unwrap().titles.unwrap().unwrap();
    assert_eq!(result.records.len(), 8, "the reader of the source judges them");
    assert_eq!(server.seen().details.len(), 0);
}

#[tokio::test]
async fn a_busy_server_gets_the_pause_it_asks_for() {
    let server = server(40);
    server.change(|state| (state.limited, state.retry_after) = (3, "1".to_owned()));
    let started = std::time::Instant::now();
    assert_eq!(titles(&server, &none()).await.len(), 40);
    assert!(started.elapsed() >= Duration::from_secs(3), "{:?}", started.elapsed());
    // In the middle of the details, all of them wait.
    server.change(|state| state.seen.details.clear());
    let limit = async {
        while server.seen().details.len() < 5 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        server.change(|state| state.limited = 5);
    };
    let earlier = none();
    let (found, ()) = tokio::join!(titles(&server, &earlier), limit);
    assert!(found.values().all(|title| title.get("architecture").is_some()));
    // A pause that is too long is for the next sweep.
    server.change(|state| (state.limited, state.retry_after) = (1, "3600".to_owned()));
    let error = swept(&server, &none()).await.unwrap_err();
    assert!(matches!(error, SweepError::Status { status: 429, .. }), "{error}");
    assert_eq!(FetchFailure::from(error).wait, Some(Duration::from_hours(1)));
}

#[tokio::test]
async fn time_and_bytes_are_limited() {
    let server = server(40);
    server.change(|state| state.delay = Duration::from_millis(700));
    let settings = settings(&server.host.base());
    let short = RequestLimits { time: Duration::from_secs(2), ..limits() };
    let known = earlier((0..40).map(title));
    let started = std::time::Instant::now();
    let result = sweep(&client(), &settings, &short, BOTH, &known).await.unwrap();
    assert!(started.elapsed() < Duration::from_mins(1), "{:?}", started.elapsed());
    let titles = result.titles.unwrap().unwrap();
    assert_eq!(titles.records.len(), 40);
    assert!(!titles.without_details.is_empty());
    server.change(|state| state.delay = Duration::ZERO);
    let few = RequestLimits { bytes: 12_000, ..limits() };
    let result = sweep(&client(), &settings, &few, BOTH, &known).await.unwrap();
    let titles = result.titles.unwrap().unwrap();
    assert!((1..40).contains(&titles.without_details.len()), "{}", titles.without_details.len());
    let none_left = RequestLimits { bytes: 1000, ..limits() };
    let result = sweep(&client(), &settings, &none_left, BOTH, &known).await.unwrap();
    let error = result.titles.unwrap().unwrap_err();
    assert!(matches!(error, SweepError::Request { .. }), "{error}");
    assert_eq!(FetchFailure::from(error).public, "the answers of the titles server are too large");
    // A server that drips its token.
    let drip = Delivery::Dripping(Duration::from_millis(50));
    let dripping = TestHost::start(move |_| Reply::new(200, vec![b' '; 10_000]).delivered(drip));
    let dripping = self::settings(&dripping.unwrap().base());
    let error = sweep(&client(), &dripping, &short, BOTH, &known).await.unwrap_err();
    assert!(matches!(error, SweepError::Request { .. }), "{error}");
}

#[tokio::test]
async fn answers_arrive_in_every_way() {
    let state = JamfState::new((0..5).map(title).collect());
    let server = JamfServer::start(state).unwrap();
    let origin = server.host.base();
    let count = std::sync::atomic::AtomicUsize::new(0);
    // A server before it that compresses, sends without a length, and cuts some answers off.
    let front = TestHost::start(move |request| {
        let (target, origin) = (request.target.clone(), origin.clone());
        let reply = forwarded(request, &format!("{origin}{target}"));
        match count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) % 3 {
            0 => reply.encoded(),
            1 => reply.delivered(Delivery::Truncated),
            _ => reply.delivered(Delivery::Chunked),
        }
    })
    .unwrap();
    let result =
        sweep(&client(), &settings(&front.base()), &limits(), BOTH, &none()).await.unwrap();
    let titles = result.titles.unwrap().unwrap();
    assert_eq!((titles.records.len(), titles.without_details.len()), (5, 0), "{titles:?}");
}

#[tokio::test]
async fn limits_hold_for_what_is_unpacked() {
    let server = server(40);
    server.change(|state| state.titles[3]["notes"] = json!("a".repeat(2 << 20)));
    let origin = server.host.base();
    let front = TestHost::start(move |request| {
        forwarded(request, &format!("{origin}{}", request.target)).encoded()
    })
    .unwrap();
    let settings = settings(&front.base());
    let result = sweep(&client(), &settings, &limits(), BOTH, &none())
        .await
        .unwrap()
        .titles
        .unwrap()
        .unwrap();
    let failed: Vec<&str> = result.without_details.iter().map(|title| title.id.as_str()).collect();
    assert_eq!(failed, ["003"], "{:?}", result.without_details);
    // All answers together.
    server.change(|state| {
        for title in &mut state.titles {
            title["notes"] = json!("a".repeat(200_000));
        }
    });
    let few = RequestLimits { bytes: 1_000_000, ..limits() };
    let result =
        sweep(&client(), &settings, &few, BOTH, &none()).await.unwrap().titles.unwrap().unwrap();
    assert!(result.without_details.len() > 20, "{:?}", result.without_details);
}

fn forwarded(request: &appstitch_upstreams::Request, address: &str) -> Reply {
    use appstitch_network::Outgoing;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let outgoing = Outgoing {
            method: &request.method,
            address,
            headers: &request.headers,
            bearer: None,
            body: &request.body,
            timeout: Duration::from_secs(10),
            max_bytes: 4 << 20,
        };
        let answer = client().exchange(outgoing).await.unwrap();
        Reply::new(answer.status, answer.body)
    })
}

#[tokio::test]
async fn the_secret_is_not_sent_unencrypted() {
    let error =
        sweep(&client(), &settings("http://jamf.example.com"), &limits(), BOTH, &none()).await;
    assert!(matches!(error, Err(SweepError::NotEncrypted(_))), "{error:?}");
}

#[tokio::test]
async fn private_addresses_are_refused() {
    let server = server(1);
    let careful = GuardedClient::new(&NetworkAccess::default()).unwrap();
    let error = sweep(&careful, &settings(&server.host.base()), &limits(), BOTH, &none()).await;
    assert!(error.unwrap_err().to_string().contains("--allow-private"));
    assert!(server.host.requests().is_empty());
}
