//! Lookups of store listings with all the faults of the store.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use appstitch_network::{GuardedClient, NetworkAccess};
use appstitch_refresh::{
    EarlierListings, FetchFailure, FetchPlan, FileReport, FileResult, ListingMemory, LookedUp,
    LookupError, Remembered, RequestLimits, StoreLookup, TimeLimit, UpstreamConfig, fetch, look_up,
};
use appstitch_upstreams::{LookupServer, LookupState, TooMany};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json, value::RawValue};

const XCODE: &str = "com.apple.dt.Xcode";

fn id(number: usize) -> String {
    format!("com.example.App-{number}")
}

fn listing(id: &str) -> Value {
    json!({"kind": "mac-software", "bundleId": id, "version": "1.0", "trackViewUrl": "https://apps.example.com/1"})
}

/// A store in which every tenth app is listed, and Xcode.
fn store() -> LookupServer {
    let listed = (0..400).step_by(10).map(|number| listing(&id(number)));
    LookupServer::start(LookupState::new(listed.chain([listing(XCODE)]))).unwrap()
}

fn wanted(count: usize) -> Vec<String> {
    (0..count).map(id).collect()
}

fn hours(hours: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours)
}

fn limits() -> RequestLimits {
    RequestLimits {
        time: Duration::from_secs(30),
        gap: Duration::from_millis(1),
        retry_pause: Duration::from_millis(1),
        limited_pause: Duration::from_millis(1),
        ..RequestLimits::lookup()
    }
}

/// A catalog that looks up its listings and keeps what it gets.
struct Catalog {
    lookup: StoreLookup,
    limits: RequestLimits,
    memory: ListingMemory,
    listings: EarlierListings,
    wanted: Vec<String>,
}

impl Catalog {
    fn new(server: &LookupServer, wanted: Vec<String>) -> Self {
        let lookup = StoreLookup::of_country("US").unwrap();
        let lookup = StoreLookup { address: server.address().parse().unwrap(), ..lookup };
        let (memory, listings) = (ListingMemory::default(), EarlierListings::new());
        Self { lookup, limits: limits(), memory, listings, wanted }
    }

    async fn look_up(&mut self, now: Timestamp) -> LookedUp {
        let access = NetworkAccess { allow_private: true, ..NetworkAccess::default() };
        let client = GuardedClient::new(&access).unwrap();
        // The memory is kept as JSON.
        let memory = serde_json::to_string(&self.memory).unwrap();
        let memory = serde_json::from_str(&memory).unwrap();
        let (lookup, limits) = (&self.lookup, &self.limits);
        let result =
            look_up(&client, lookup, limits, memory, &self.listings, &self.wanted, now).await;
        self.memory = result.memory.clone();
        self.listings = result.listings.iter().map(|raw| (bundle_id(raw), raw.clone())).collect();
        let file: Value = serde_json::from_slice(&result.file()).unwrap();
        let count = result.listings.len() + result.refused.len();
        assert_eq!(file["resultCount"], count);
        assert_eq!(file["results"].as_array().unwrap().len(), count);
        result
    }
}

fn bundle_id(listing: &RawValue) -> String {
    let listing: Value = serde_json::from_str(listing.get()).unwrap();
    listing["bundleId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn all_are_asked_for_150_at_a_time() {
    let server = store();
    let mut catalog = Catalog::new(&server, wanted(400));
    let first = catalog.look_up(hours(0)).await;
    assert!(first.problem.is_none(), "{:?}", first.problem);
    assert_eq!((first.asked, first.left, first.listings.len()), (400, 0, 40));
    let asked = server.take_asked();
    assert_eq!(asked.iter().map(Vec::len).collect::<Vec<_>>(), [150, 150, 103]);
    let request = server.host.requests().remove(0);
    assert_eq!(request.query("country").as_deref(), Some("us"));

    // The next day only those with a listing, a week later all.
    let second = catalog.look_up(hours(24)).await;
    assert_eq!((second.asked, second.listings.len()), (40, 40));
    assert_eq!(catalog.look_up(hours(7 * 24)).await.asked, 400);
}

#[tokio::test]
async fn requests_keep_their_distance() {
    let server = store();
    let mut catalog = Catalog::new(&server, wanted(400));
    catalog.limits.gap = Duration::from_millis(400);
    let started = std::time::Instant::now();
    assert_eq!(catalog.look_up(hours(0)).await.requests, 3);
    assert!(started.elapsed() >= Duration::from_millis(800), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_run_that_is_too_short_goes_on_next_time() {
    let server = store();
    let mut catalog = Catalog::new(&server, wanted(400));
    // Time for two requests, also on a busy machine.
    catalog.limits.gap = Duration::from_secs(2);
    catalog.limits.time = Duration::from_secs(3);
    let first = catalog.look_up(hours(0)).await;
    assert!(first.problem.is_none() && first.left > 0, "{first:?}");
    assert!(first.asked >= 149, "{first:?}");
    let second = catalog.look_up(hours(24)).await;
    assert!(second.listings.len() > first.listings.len(), "those that were left come first");
    catalog.limits = limits();
    assert_eq!(catalog.look_up(hours(48)).await.listings.len(), 40);
}

#[tokio::test]
async fn a_store_that_takes_fewer_is_asked_for_fewer() {
    for too_many in [TooMany::Status(414), TooMany::Status(400), TooMany::Empty, TooMany::FirstOnly]
    {
        for at_a_time in [40, 2, 1] {
            let server = store();
            server.change(|state| (state.at_a_time, state.too_many) = (at_a_time, too_many));
            let mut catalog = Catalog::new(&server, wanted(120));
            let result = catalog.look_up(hours(0)).await;
            let case = format!("{too_many:?} {at_a_time}");
            assert!(result.problem.is_none(), "{case}: {:?}", result.problem);
            assert_eq!((result.asked, result.listings.len()), (120, 12), "{case}");
            assert!(result.requests < 150, "{case}: {}", result.requests);
            // The next run knows it.
            let again = catalog.look_up(hours(7 * 24)).await;
            assert_eq!((again.asked, again.listings.len()), (120, 12), "{case}");
        }
    }
}

#[tokio::test]
async fn an_empty_answer_is_believed_only_if_it_is_complete() {
    // Without Xcode, and with nothing known.
    let server =
        LookupServer::start(LookupState::new([listing(&id(0)), listing(&id(60))])).unwrap();
    let mut catalog = Catalog::new(&server, wanted(100));
    let result = catalog.look_up(hours(0)).await;
    assert_eq!((result.asked, result.listings.len()), (100, 2));
    server.change(|state| (state.at_a_time, state.too_many) = (10, TooMany::Empty));
    let result = catalog.look_up(hours(7 * 24)).await;
    assert_eq!((result.asked, result.listings.len()), (100, 2), "the known ones tell");
    // A store in which nothing is listed ends as well.
    let empty = LookupServer::start(LookupState::new([])).unwrap();
    let mut catalog = Catalog::new(&empty, wanted(400));
    let result = catalog.look_up(hours(0)).await;
    assert_eq!((result.asked, result.listings.len()), (400, 0));
    assert!(result.requests < 10, "{}", result.requests);
}

#[tokio::test]
async fn a_listing_that_disappears_is_removed_after_a_second_look_a_day_later() {
    let server = store();
    let mut catalog = Catalog::new(&server, wanted(20));
    assert_eq!(catalog.look_up(hours(0)).await.listings.len(), 2);
    let gone = id(10);
    server.change(|state| drop(state.listings.remove(&gone.to_lowercase())));
    let first = catalog.look_up(hours(24)).await;
    assert_eq!((first.listings.len(), first.removed.len()), (2, 0));
    let soon = catalog.look_up(hours(30)).await;
    assert_eq!((soon.listings.len(), soon.asked), (2, 1), "too soon for the second look");
    let second = catalog.look_up(hours(48)).await;
    assert_eq!((second.listings.len(), second.removed), (1, vec![gone.to_lowercase()]));
    server.change(|state| drop(state.listings.insert(gone.to_lowercase(), listing(&gone))));
    assert_eq!(catalog.look_up(hours(72)).await.listings.len(), 1, "asked for weekly now");
    assert_eq!(catalog.look_up(hours(48 + 7 * 24)).await.listings.len(), 2);
}

#[tokio::test]
async fn all_listings_at_once_do_not_disappear_by_one_answer() {
    let server = store();
    let mut catalog = Catalog::new(&server, wanted(100));
    assert_eq!(catalog.look_up(hours(0)).await.listings.len(), 10);
    server.change(|state| state.listings.clear());
    assert_eq!(catalog.look_up(hours(24)).await.listings.len(), 10);
    assert_eq!(catalog.look_up(hours(48)).await.listings.len(), 0);
}

#[tokio::test]
async fn apps_for_phones_are_refused() {
    let server = store();
    let phone = id(10);
    server.change(|state| {
        let listing = json!({"kind": "software", "bundleId": phone, "version": "1.0"});
        state.listings.insert(phone.to_lowercase(), listing);
    });
    let mut catalog = Catalog::new(&server, wanted(20));
    let result = catalog.look_up(hours(0)).await;
    assert_eq!((result.listings.len(), result.refused.len()), (1, 1));
}

#[tokio::test]
async fn a_store_that_had_enough_is_left_alone() {
    for status in [403, 429] {
        let server = store();
        server.change(|state| (state.limited, state.limited_status) = (2, status));
        let mut catalog = Catalog::new(&server, wanted(400));
        let result = catalog.look_up(hours(0)).await;
        assert_eq!((result.asked, result.requests), (400, 5), "two refused, then all");
        server.change(|state| state.limited = usize::MAX);
        let result = catalog.look_up(hours(24)).await;
        assert!(matches!(result.problem, Some(LookupError::Limited { .. })), "{result:?}");
        assert_eq!((result.requests, result.listings.len()), (3, 40), "nothing is lost");
        server.change(|state| state.retry_after = Some("3600".to_owned()));
        let problem = catalog.look_up(hours(48)).await.problem.unwrap();
        assert_eq!(FetchFailure::from(problem).wait, Some(Duration::from_hours(1)));
    }
}

#[tokio::test]
async fn a_store_that_refuses_everything_is_not_received() {
    let server = store();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("upstreams.toml");
    let address = server.address();
    std::fs::write(&file, format!("[sources]\n[store_listings]\naddress = \"{address}\"\n"))
        .unwrap();
    let config = UpstreamConfig::read(Some(&file)).unwrap();
    let remembered = Remembered::wanting(wanted(20));
    let access = NetworkAccess { allow_private: true, ..NetworkAccess::default() };
    let refreshed = async || {
        let plan = FetchPlan {
            config: &config,
            only: &[],
            known: &[],
            remembered: Some(&remembered),
            limit: TimeLimit::start(None),
            other_parts: 0,
            all_problems: false,
        };
        fetch(plan, &access, &()).await.unwrap()
    };
    server.change(|state| (state.limited, state.limited_status) = (usize::MAX, 404));
    let fetched = refreshed().await;
    assert!(matches!(fetched.reports[..], [FileReport { result: FileResult::Failed(_), .. }]));
    assert!(!fetched.staying[0].is_current, "it keeps the time when it arrived");
    assert!(fetched.memory.is_some());
    server.change(|state| state.limited = 0);
    let fetched = refreshed().await;
    assert_eq!(fetched.files.len(), 1);
}

#[tokio::test]
async fn errors_end_the_run_and_the_others_come_first_next_time() {
    let server = store();
    let mut catalog = Catalog::new(&server, wanted(400));
    for body in ["<html>Sorry</html>", "", "{}"] {
        server.change(|state| state.body = Some(body.to_owned()));
        let result = catalog.look_up(hours(0)).await;
        assert!(matches!(result.problem, Some(LookupError::Shape { .. })), "{result:?}");
        assert_eq!((result.asked, result.left), (0, 400));
    }
    let first_asked: Vec<String> =
        server.take_asked().iter().map(|request| request[0].clone()).collect();
    assert_eq!(first_asked.len(), 3);
    assert!(first_asked.iter().enumerate().all(|(index, id)| !first_asked[..index].contains(id)));
    server.change(|state| {
        (state.body, state.limited, state.limited_status) = (None, usize::MAX, 503);
    });
    let result = catalog.look_up(hours(1)).await;
    assert!(matches!(result.problem, Some(LookupError::Status { .. })), "{result:?}");
    server.change(|state| state.limited = 0);
    assert_eq!(catalog.look_up(hours(2)).await.listings.len(), 40);
}

#[tokio::test]
async fn odd_identifiers_are_not_asked_for() {
    let server = store();
    let odd = ["", "a,b", "a&country=de", "ä", "two words", "$(ID)"].map(str::to_owned);
    let mut catalog = Catalog::new(&server, odd.into_iter().chain([id(0)]).collect());
    let result = catalog.look_up(hours(0)).await;
    assert_eq!((result.asked, result.listings.len()), (1, 1));
    assert_eq!(server.take_asked(), [[id(0)]]);
}

#[tokio::test]
async fn another_country_is_another_store() {
    let server = store();
    let mut catalog = Catalog::new(&server, wanted(20));
    catalog.look_up(hours(0)).await;
    catalog.lookup = StoreLookup { country: "de".to_owned(), ..catalog.lookup };
    let result = catalog.look_up(hours(24)).await;
    assert_eq!((result.asked, result.listings.len()), (20, 2));
    assert!(StoreLookup::of_country("usa").is_none() && StoreLookup::of_country("u&").is_none());
}
