//! The files of labels, casks and recipes, from hosts with all the faults of the real ones.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{io::Write, time::Duration};

use appstitch_network::{FetchError, Fetched, Fetcher, NetworkAccess, Validators};
use appstitch_refresh::{FetchPlan, FileResult, Remembered, TimeLimit, UpstreamConfig};
use appstitch_sources::unpacked;
use appstitch_upstreams::{Delivery, Etag, Fault, FileHost, HostedFile};

const LIMIT: Duration = Duration::from_secs(30);
const BODY: &[u8] = &[b'x'; 50_000];

async fn fetch_within(
    address: &str,
    known: &Validators,
    limit: Duration,
) -> Result<Fetched, FetchError> {
    let access = NetworkAccess { allow_private: true, ..NetworkAccess::default() };
    Fetcher::new(&access).unwrap().fetch(address, known, limit, &|_, _| {}).await
}

async fn fetch(address: &str) -> Result<Fetched, FetchError> {
    fetch_within(address, &Validators::default(), LIMIT).await
}

/// A file that must arrive: its bytes and validators.
async fn file(address: &str) -> (Vec<u8>, Validators) {
    match fetch(address).await.unwrap() {
        Fetched::File { bytes, validators } => (bytes, validators),
        Fetched::Unchanged => panic!("unchanged"),
    }
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn an_archive_comes_from_another_host() {
    let host = FileHost::start().unwrap();
    host.serve("/codeload/main.tar.gz", HostedFile::new(BODY));
    let address = host.redirect("/archive/main.tar.gz", "/codeload/main.tar.gz");
    let (bytes, validators) = file(&address).await;
    assert_eq!(bytes, BODY);
    let again = fetch_within(&address, &validators, LIMIT).await.unwrap();
    assert!(matches!(again, Fetched::Unchanged), "the condition goes to the other host, too");
    let hosts: Vec<String> = host
        .host
        .requests()
        .iter()
        .map(|request| request.header("host").unwrap().split(':').next().unwrap().to_owned())
        .collect();
    assert_eq!(hosts, ["127.0.0.1", "localhost", "127.0.0.1", "localhost"]);
}

#[tokio::test]
async fn every_kind_of_validator_makes_the_next_request_conditional() {
    for etag in [Etag::Strong, Etag::Weak, Etag::None] {
        let host = FileHost::start().unwrap();
        let address = host.serve("/cask.json", HostedFile { etag, ..HostedFile::new(BODY) });
        let (_, validators) = file(&address).await;
        let again = fetch_within(&address, &validators, LIMIT).await.unwrap();
        assert!(matches!(again, Fetched::Unchanged), "{etag:?}");
        host.change("/cask.json", |file| file.body = b"new".to_vec());
        let changed = fetch_within(&address, &validators, LIMIT).await.unwrap();
        assert!(matches!(changed, Fetched::File { bytes, .. } if bytes == b"new"), "{etag:?}");
    }
}

#[tokio::test]
async fn compressed_files_are_the_same_files() {
    let host = FileHost::start().unwrap();
    let by_content = host.serve("/cask.json.gz", HostedFile::new(gzip(BODY)));
    let by_encoding =
        host.serve("/cask.json", HostedFile { is_encoded: true, ..HostedFile::new(BODY) });
    for address in [by_content, by_encoding] {
        let (bytes, _) = file(&address).await;
        assert_eq!(unpacked(&bytes, 1 << 20).unwrap(), BODY, "{address}");
        assert!(unpacked(&bytes, 1000).is_err(), "a limit holds for what is inside");
    }
}

#[tokio::test]
async fn a_body_may_have_no_length_but_must_be_whole() {
    let host = FileHost::start().unwrap();
    let chunked = HostedFile { delivery: Delivery::Chunked, ..HostedFile::new(BODY) };
    assert_eq!(file(&host.serve("/chunked", chunked)).await.0, BODY);
    let once = Fault::Delivered(Delivery::Truncated);
    let cut = HostedFile { faults: [once].into(), ..HostedFile::new(BODY) };
    assert_eq!(file(&host.serve("/cut", cut)).await.0, BODY, "the second attempt is whole");
    let always = HostedFile { delivery: Delivery::Truncated, ..HostedFile::new(BODY) };
    let error = fetch(&host.serve("/always-cut", always)).await.unwrap_err();
    assert!(matches!(error, FetchError::Network(_)), "{error}");
}

#[tokio::test]
async fn a_host_that_is_busy_is_asked_again_and_one_that_refuses_is_not() {
    let host = FileHost::start().unwrap();
    let busy = [Fault::status(503, &[]), Fault::status(429, &[("retry-after", "1")])];
    let busy = HostedFile { faults: busy.into(), ..HostedFile::new(BODY) };
    assert_eq!(file(&host.serve("/busy", busy)).await.0, BODY);
    let reset = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "4102444800")];
    let limited = vec![Fault::status(403, &reset); 10];
    let limited = HostedFile { faults: limited.into(), ..HostedFile::new(BODY) };
    let before = host.host.requests().len();
    let error = fetch(&host.serve("/limited", limited)).await.unwrap_err();
    assert!(matches!(error, FetchError::Status { .. }) && error.to_string().contains("403"));
    assert_eq!(host.host.requests().len(), before + 1);
}

#[tokio::test]
async fn a_page_without_a_table_is_nothing_only_if_the_titles_server_is_asked() {
    let host = FileHost::start().unwrap();
    let page = host.serve("/titles", HostedFile::new("<html><p>Enable JavaScript</p></html>"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("upstreams.toml");
    let text = format!(
        "[sources]\nmdm_installer = [\"{page}\"]\n[titles]\nserver = \"https://127.0.0.1:9\"\n\
         client_id = \"id\"\nclient_secret_file = \"secret\"\n"
    );
    std::fs::write(&file, text).unwrap();
    let config = UpstreamConfig::read(Some(&file)).unwrap();
    let access = NetworkAccess { allow_private: true, ..NetworkAccess::default() };
    let nothing_known = Remembered::default();
    for (remembered, is_nothing) in [(None, false), (Some(&nothing_known), true)] {
        let plan = FetchPlan {
            config: &config,
            only: &[],
            known: &[],
            remembered,
            limit: TimeLimit::start(None),
            other_parts: 0,
            all_problems: false,
        };
        let fetched = appstitch_refresh::fetch(plan, &access, &()).await.unwrap();
        let page = &fetched.reports[0].result;
        assert_eq!(matches!(page, FileResult::Nothing(_)), is_nothing, "{page:?}");
    }
}

#[tokio::test]
async fn a_slow_drip_ends() {
    let host = FileHost::start().unwrap();
    let delivery = Delivery::Dripping(Duration::from_millis(50));
    let address = host.serve("/slow", HostedFile { delivery, ..HostedFile::new(BODY) });
    let limit = Duration::from_millis(500);
    let error = fetch_within(&address, &Validators::default(), limit).await.unwrap_err();
    assert!(matches!(error, FetchError::OutOfTime { .. }), "{error}");
}
