//! Tests the client against a server that fails in various ways.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::Write as _,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use appstitch_client::{AppsQuery, Client, DriftQuery, ErrorKind, ResponseError};
use futures_util::TryStreamExt;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

const APP: &str = r#"{"slug":"a","bundle_id":null,"name":"A","vendor":null,"current_version":"1","latest_release_date":null,"download_url":null,"install_method":null,"expected_team_id":null,"sha256":null,"sources":[]}"#;

/// How the server handles a request.
#[derive(Clone)]
enum Act {
    /// Responds with an entity tag, or with 304 if the request already has it.
    Say(u16, String),
    /// Responds like `Say`, with additional header lines.
    SayWith(u16, String, String),
    /// Responds with these bytes as a gzip body, if the request accepts one.
    Pack(Vec<u8>),
    /// Closes the connection without a response.
    Hang,
    /// Closes the connection in the middle of the body.
    Break,
    /// Responds after a delay.
    Wait(Duration),
    /// Responds when so many requests were there at once, and a little later: one more would be seen.
    Gather(usize),
}

struct Faulty {
    base: String,
    asked: Arc<AtomicUsize>,
    most_at_once: Arc<AtomicUsize>,
}

/// A server that performs these acts in order and repeats the last one.
async fn server(acts: Vec<Act>) -> Faulty {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let (asked, now, most) = <(Arc<AtomicUsize>, Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
    let faulty = Faulty { base, asked: Arc::clone(&asked), most_at_once: Arc::clone(&most) };
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let number = asked.fetch_add(1, Ordering::SeqCst);
            let act = acts[number.min(acts.len() - 1)].clone();
            let (now, most) = (Arc::clone(&now), Arc::clone(&most));
            tokio::spawn(async move {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                while matches!(act, Act::Gather(count) if most.load(Ordering::SeqCst) < count) {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                perform(stream, act).await;
                now.fetch_sub(1, Ordering::SeqCst);
            });
        }
    });
    faulty
}

async fn perform(mut stream: TcpStream, act: Act) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).await.is_ok_and(|read| read == 1) {
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).to_lowercase();
    let answer = match act {
        Act::Hang => return,
        Act::Wait(time) => {
            tokio::time::sleep(time).await;
            full(200, APP)
        }
        Act::Gather(_) => {
            tokio::time::sleep(Duration::from_millis(40)).await;
            full(200, APP)
        }
        Act::Break => {
            let half = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"slug\":";
            let _ = stream.write_all(half.as_bytes()).await;
            return;
        }
        Act::Pack(body) => {
            if head.contains("accept-encoding: gzip\r\n") {
                let start =
                    "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n";
                let _ = stream.write_all(&[start.as_bytes(), &body].concat()).await;
            }
            return;
        }
        Act::Say(200, _) | Act::SayWith(200, _, _) if head.contains("if-none-match: w/\"one\"") => {
            "HTTP/1.1 304 Not Modified\r\netag: W/\"one\"\r\nconnection: close\r\n\r\n".to_owned()
        }
        Act::Say(status, body) => full(status, &body),
        Act::SayWith(status, headers, body) => {
            full(status, &body).replacen("\r\n", &format!("\r\n{headers}\r\n"), 1)
        }
    };
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
}

fn full(status: u16, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} X\r\netag: W/\"one\"\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn say(status: u16, body: &str) -> Act {
    Act::Say(status, body.to_owned())
}

fn say_with(status: u16, headers: &str, body: &str) -> Act {
    Act::SayWith(status, headers.to_owned(), body.to_owned())
}

fn gzip(content: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

async fn get(base: &str) -> Result<Option<appstitch_client::App>, ResponseError> {
    Client::new(base).unwrap().get_app("a").await
}

#[tokio::test]
async fn a_server_that_is_away_for_a_moment_is_asked_again() {
    for first in [say(502, ""), say(503, ""), say(504, ""), Act::Hang] {
        let server = server(vec![first, say(503, ""), say(200, APP)]).await;
        assert_eq!(get(&server.base).await.unwrap().unwrap().name, "A");
        assert_eq!(server.asked.load(Ordering::SeqCst), 3);
    }
}

#[tokio::test]
async fn it_is_asked_only_so_often_and_never_after_a_refusal() {
    let gone = server(vec![say(503, r#"{"detail":"later"}"#)]).await;
    let error = get(&gone.base).await.unwrap_err();
    assert_eq!(error.status.unwrap(), 503);
    assert_eq!((error.detail.as_str(), gone.asked.load(Ordering::SeqCst)), ("later", 4));
    assert!(error.url.ends_with("/apps/a"), "{error}");
    for (status, detail) in [(500, "no details"), (401, "no details")] {
        let refusing = server(vec![say(status, "<html>")]).await;
        let error = get(&refusing.base).await.unwrap_err();
        assert_eq!((error.status.unwrap().as_u16(), error.detail.as_str()), (status, detail));
        assert_eq!(refusing.asked.load(Ordering::SeqCst), 1);
    }
    let nobody = Client::builder("http://127.0.0.1:9").retries(1).build().unwrap();
    let error = nobody.get_app("a").await.unwrap_err();
    assert!(error.is_unreachable() && error.detail.contains("refused"), "{error}");
}

#[tokio::test]
async fn only_the_services_own_404_means_that_there_is_no_such_app() {
    const CODE: &str = "X-Error-Code: app_not_found";
    let unknown = |status, body: &str| say_with(status, CODE, body);
    // Only the header counts, not the body.
    for body in [r#"{"detail":"App with slug 'a' not found"}"#, r#"{"detail":"anything"}"#, ""] {
        let server = server(vec![unknown(404, body)]).await;
        assert!(get(&server.base).await.unwrap().is_none(), "{body}");
    }
    for act in [
        say(404, "<html>not here</html>"),
        say(404, r#"{"detail":"Not Found"}"#),
        say(404, r#"{"detail":"App with slug 'a' not found"}"#),
        say_with(404, "x-error-code: another", ""),
    ] {
        let elsewhere = server(vec![act]).await;
        assert_eq!(get(&elsewhere.base).await.unwrap_err().status.unwrap(), 404);
    }
    let refused = server(vec![unknown(410, "")]).await;
    assert_eq!(get(&refused.base).await.unwrap_err().status.unwrap(), 410);
    let no_drift = server(vec![say(200, "null")]).await;
    assert!(Client::new(&no_drift.base).unwrap().get_app_drift("a").await.unwrap().is_none());
}

/// The answer to an unknown slug, with a link.
fn linked(link: &str) -> Act {
    say_with(404, &format!("x-error-code: app_not_found\r\nlink: {link}"), "")
}

#[tokio::test]
async fn a_link_to_the_canonical_slug_is_followed_once() {
    let canonical = linked("</apps/b>; rel=\"canonical\"");
    let other = server(vec![canonical.clone(), say(200, APP)]).await;
    assert_eq!(get(&other.base).await.unwrap().unwrap().name, "A");
    assert_eq!(other.asked.load(Ordering::SeqCst), 2);
    // Behind a path of a proxy, too: only the slug is taken from the link.
    let other = server(vec![canonical.clone(), say(503, ""), say(200, APP)]).await;
    let client = Client::new(&format!("{}/catalog", other.base)).unwrap();
    let raw = client.get_app_raw("a", "", &[]).await.unwrap().unwrap();
    assert_eq!(raw.canonical_slug.unwrap().as_str(), "b");
    assert_eq!(other.asked.load(Ordering::SeqCst), 3);

    let round = server(vec![canonical.clone()]).await;
    assert!(get(&round.base).await.unwrap().is_none(), "a chain ends after one step");
    assert_eq!(round.asked.load(Ordering::SeqCst), 2);
    let broken = server(vec![canonical.clone(), say(500, "")]).await;
    let error = get(&broken.base).await.unwrap_err();
    assert!(error.status.unwrap() == 500 && error.url.ends_with("/apps/b"), "{error}");
    let exact = server(vec![canonical]).await;
    let client = Client::builder(&exact.base).follow_canonical(false).build().unwrap();
    assert!(client.get_app("a").await.unwrap().is_none());
    assert_eq!(exact.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_link_that_leads_elsewhere_is_ignored() {
    for link in [
        "<http://example.com/apps/b>; rel=\"canonical\"",
        "<//example.com/apps/b>; rel=\"canonical\"",
        "<apps/b>; rel=\"canonical\"",
        "</admin/records>; rel=\"canonical\"",
        "</apps/../admin/records>; rel=\"canonical\"",
        "</apps/%2e%2e>; rel=\"canonical\"",
        "</apps/drift>; rel=\"canonical\"",
        "</apps/b/sources>; rel=\"canonical\"",
        "</apps/b?x=y>; rel=\"canonical\"",
        "</apps/b>; rel=\"next\"",
        "</apps/b>",
        "</apps/b; rel=canonical",
        "canonical",
        "",
    ] {
        let server = server(vec![linked(link)]).await;
        assert!(get(&server.base).await.unwrap().is_none(), "{link}");
        assert_eq!(server.asked.load(Ordering::SeqCst), 1, "{link}");
    }
    // Without the service's own code it is not an unknown app, and not our link.
    let link = "link: </apps/b>; rel=\"canonical\"";
    for status in [404, 410, 500] {
        let server = server(vec![say_with(status, link, "")]).await;
        assert_eq!(get(&server.base).await.unwrap_err().status.unwrap(), status);
        assert_eq!(server.asked.load(Ordering::SeqCst), 1, "{status}");
    }
    // A link in a successful response means something else.
    let found = server(vec![say_with(200, link, APP)]).await;
    assert!(get(&found.base).await.unwrap().is_some());
    assert_eq!(found.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn only_the_services_own_404_means_that_there_is_no_such_name() {
    let find = async |act: Act| {
        let server = server(vec![act]).await;
        Client::new(&server.base).unwrap().find_alias("a").await
    };
    let unknown = say_with(404, "x-error-code: name_not_found", "");
    assert!(find(unknown).await.unwrap().is_none());
    for act in [say(404, r#"{"detail":"No app is known as 'a'"}"#), say(404, ""), say(500, "")] {
        assert!(find(act).await.unwrap_err().status.is_some());
    }
    let found = find(say(200, r#"{"matches":[{"slug":"b","kind":"token"}]}"#)).await.unwrap();
    assert_eq!(found.unwrap().matches[0].slug, "b");
    for body in [r#"{"matches":[{"slug":"b","kind":"nickname"}]}"#, "null", "[]"] {
        assert_eq!(find(say(200, body)).await.unwrap_err().kind, ErrorKind::InvalidBody, "{body}");
    }
}

#[tokio::test]
async fn broken_and_unreadable_answers_are_errors() {
    for act in [Act::Break, say(200, "{"), say(200, r#"{"slug":"a"}"#), say(200, "<html>")] {
        let server = server(vec![act]).await;
        let error = get(&server.base).await.unwrap_err();
        assert_eq!(error.status.unwrap(), 200, "{error}");
        assert!(error.to_string().contains(&server.base), "{error}");
    }
    let slow = server(vec![Act::Wait(Duration::from_secs(20))]).await;
    let hasty = Client::builder(&slow.base).timeout(Duration::from_millis(200)).build().unwrap();
    let error = hasty.get_app("a").await.unwrap_err();
    assert!(error.detail.contains("timed out"), "{error}");
    for base in ["ftp://example.com", "no address", ""] {
        let error = Client::new(base).err().unwrap();
        assert_eq!(error.kind, ErrorKind::InvalidUrl, "{base}");
    }
}

#[tokio::test]
async fn an_error_says_once_what_failed_and_where() {
    let nobody = Client::builder("http://127.0.0.1:9").retries(0).build().unwrap();
    let error = nobody.get_app("a").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unreachable);
    assert!(error.cause.is_some() && std::error::Error::source(&error).is_none());
    let text = error.to_string();
    assert!(text.starts_with("server unavailable at http://127.0.0.1:9/apps/a: "), "{text}");
    for once in ["127.0.0.1:9", "efused"] {
        assert_eq!(text.matches(once).count(), 1, "'{once}' in {text}");
    }
}

#[tokio::test]
async fn a_listing_has_its_total_count_from_the_cache_too() {
    let list = format!("[{APP}]");
    let server = server(vec![say_with(200, "x-total-count: 5273", &list)]).await;
    let client = Client::builder(&server.base).cache(true).build().unwrap();
    for _ in 0..2 {
        let raw = client.get_raw("apps", &[]).await.unwrap().unwrap();
        assert_eq!((raw.total_count, &raw.body[..]), (Some(5273), list.as_bytes()));
        assert_eq!(raw.decode::<Vec<appstitch_client::App>>().unwrap().len(), 1);
    }
    assert_eq!(server.asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_compressed_body_is_unpacked() {
    let whole = server(vec![Act::Pack(gzip(APP))]).await;
    assert_eq!(get(&whole.base).await.unwrap().unwrap().name, "A");
    let cut = server(vec![Act::Pack(gzip(APP)[..40].to_vec())]).await;
    let error = get(&cut.base).await.unwrap_err();
    assert_eq!((error.kind, error.status.unwrap().as_u16()), (ErrorKind::InvalidBody, 200));
}

#[tokio::test]
async fn no_more_requests_are_on_their_way_than_allowed() {
    for (client, allowed) in [(None, 5), (Some(2), 2), (Some(0), 1)] {
        let server = server(vec![Act::Gather(allowed)]).await;
        let builder = Client::builder(&server.base);
        let builder = match client {
            Some(most) => builder.max_concurrency(most),
            None => builder,
        };
        let client = builder.build().unwrap();
        let requests = (0..20).map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.get_app("a").await })
        });
        for request in requests.collect::<Vec<_>>() {
            request.await.unwrap().unwrap();
        }
        assert_eq!(server.most_at_once.load(Ordering::SeqCst), allowed);
    }
}

#[tokio::test]
async fn an_unchanged_catalog_costs_an_empty_answer() {
    let server = server(vec![say(200, APP)]).await;
    let client = Client::builder(&server.base).cache(true).build().unwrap();
    let first = client.get_app("a").await.unwrap();
    // The second response is a 304 without a body.
    assert_eq!(client.get_app("a").await.unwrap(), first);
    assert_eq!(server.asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_walk_ends_with_an_error_when_the_catalog_changes_on_the_way() {
    let page = format!("[{}]", vec![APP; 1000].join(","));
    let changed = full(200, &format!("[{APP}]")).replace("W/\"one\"", "W/\"two\"");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        for answer in [full(200, &page), changed] {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = [0; 4096];
            let _ = stream.read(&mut head).await;
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    let client = Client::new(&base).unwrap();
    let mut walk = std::pin::pin!(client.all_apps(AppsQuery::default()));
    let mut seen = 0;
    let error = loop {
        match walk.try_next().await {
            Ok(Some(_)) => seen += 1,
            Ok(None) => panic!("the walk ended without an error"),
            Err(error) => break error,
        }
    };
    assert_eq!(seen, 1000);
    assert_eq!(error.kind, ErrorKind::CatalogChanged, "{error}");
    assert!(!error.is_unreachable(), "the server responded");
    let _ = client.all_drift(DriftQuery::default());
}

#[tokio::test]
async fn an_upload_is_sent_once() {
    for act in [Act::Hang, Act::Say(503, "{}".to_owned()), Act::Break] {
        let faulty = server(vec![act]).await;
        let client = Client::builder(&faulty.base).deploy_token("token").build().unwrap();
        assert!(client.delete_record("a").await.is_err());
        assert_eq!(faulty.asked.load(Ordering::SeqCst), 1);
    }
}
