//! Fetches from a small test server with scripted responses.

use std::{
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use thiserror::Error as ThisError;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket},
};

use super::*;
use crate::{Outgoing, error::is_caused_by, guard::PrivateName};

/// Prevents that a broken test hangs.
const LONG: Duration = Duration::from_mins(1);

fn anywhere() -> NetworkAccess {
    NetworkAccess { allow_private: true, ..NetworkAccess::default() }
}

/// Starts a server that sends these responses in order and then repeats the last one. Returns its
/// base URL and its request counter.
async fn server(answers: Vec<String>) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let url = base.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n")
                && stream.read(&mut byte).await.is_ok_and(|read| read == 1)
            {
                head.push(byte[0]);
            }
            let number = counted.fetch_add(1, Ordering::SeqCst);
            let head = String::from_utf8_lossy(&head).to_lowercase();
            let answer = if head.contains("if-none-match: \"one\"") {
                "HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n".to_owned()
            } else {
                answers[number.min(answers.len() - 1)].replace("BASE", &url)
            };
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    (base, count)
}

fn ok(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\netag: \"one\"\r\nlast-modified: Thu, 05 Mar 2026 06:07:08 GMT\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn status(line: &str) -> String {
    format!("HTTP/1.1 {line}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

async fn fetch(base: &str, known: &Validators) -> Result<Fetched, FetchError> {
    Fetcher::new(&anywhere()).unwrap().fetch(base, known, LONG, &|_, _| {}).await
}

#[tokio::test]
async fn a_file_comes_with_what_to_ask_next_time_and_is_then_unchanged() {
    let (base, _) = server(vec![ok("data")]).await;
    let Ok(Fetched::File { bytes, validators }) = fetch(&base, &Validators::default()).await else {
        panic!("expected a file");
    };
    assert_eq!(bytes, b"data");
    assert_eq!(validators.etag.as_deref(), Some("\"one\""));
    assert!(validators.last_modified.is_some());
    assert!(matches!(fetch(&base, &validators).await, Ok(Fetched::Unchanged)));
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_what_will_not_is_not() {
    let (base, count) = server(vec![status("503 Busy"), String::new(), ok("data")]).await;
    assert!(matches!(fetch(&base, &Validators::default()).await, Ok(Fetched::File { .. })));
    assert_eq!(count.load(Ordering::SeqCst), 3, "an error and a broken connection, then the file");
    let (base, count) = server(vec![status("404 Not Found")]).await;
    assert!(matches!(fetch(&base, &Validators::default()).await, Err(FetchError::Status { .. })));
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn redirects_are_followed_so_far() {
    let redirect = "HTTP/1.1 302 Found\r\nlocation: BASE/next\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned();
    let (base, _) = server(vec![redirect.clone(), ok("data")]).await;
    assert!(matches!(fetch(&base, &Validators::default()).await, Ok(Fetched::File { .. })));
    let (base, _) = server(vec![redirect]).await;
    assert!(matches!(
        fetch(&base, &Validators::default()).await,
        Err(FetchError::TooManyRedirects { .. })
    ));
}

#[tokio::test]
async fn nothing_inside_the_network_is_asked_unless_told_so() {
    let (base, count) = server(vec![ok("secret")]).await;
    let careful = Fetcher::new(&NetworkAccess::default()).unwrap();
    for address in [
        base.clone(),
        base.replace("127.0.0.1", "localhost"),
        "ftp://example.com/".to_owned(),
        "nonsense".to_owned(),
    ] {
        let result = careful.fetch(&address, &Validators::default(), LONG, &|_, _| {}).await;
        assert!(
            matches!(result, Err(FetchError::Private(_) | FetchError::Address(_))),
            "{address}: {result:?}"
        );
    }
    assert_eq!(count.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_public_name_cannot_lead_inside_the_network() {
    let (inside, asked) = server(vec![ok("secret")]).await;
    let port = inside.rsplit_once(':').unwrap().1;
    for target in
        [inside.clone(), format!("http://localhost:{port}/"), format!("http://[::1]:{port}/")]
    {
        let redirect = format!(
            "HTTP/1.1 302 Found\r\nlocation: {target}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        let (public, _) = server(vec![redirect]).await;
        let address: std::net::SocketAddr =
            public.strip_prefix("http://").unwrap().parse().unwrap();
        // A fixed address bypasses the resolver, so the name acts as a public host.
        let fixed_addresses = vec![("upstream.example".to_owned(), address)];
        let access = NetworkAccess { fixed_addresses, ..NetworkAccess::default() };
        let fetcher = Fetcher::new(&access).unwrap();
        let start = format!("http://upstream.example:{}/", address.port());
        let answer = fetcher.fetch(&start, &Validators::default(), LONG, &|_, _| {}).await;
        assert!(matches!(answer, Err(FetchError::Private(_))), "{target}: {answer:?}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0, "no request reached the private server");
}

#[test]
fn the_type_of_an_error_counts_and_not_its_text() {
    #[derive(Debug, ThisError)]
    #[error("outer")]
    struct Outer(#[source] Box<dyn Error + Send + Sync>);
    assert!(is_caused_by::<PrivateName>(&Outer(PrivateName.into())));
    assert!(is_caused_by::<PrivateName>(&Outer(Outer(PrivateName.into()).into())));
    assert!(!is_caused_by::<PrivateName>(&Outer(PrivateName.to_string().into())));
}

fn get<'a>(address: &'a str, headers: &'a [(String, String)]) -> Outgoing<'a> {
    Outgoing {
        method: "GET",
        address,
        headers,
        bearer: None,
        body: "",
        timeout: Duration::from_secs(10),
        max_bytes: 10,
    }
}

#[tokio::test]
async fn an_exchange_gives_the_answer_as_it_is() {
    let redirect = "HTTP/1.1 302 Found\r\nLocation: /next\r\nX-A: 1\r\ncontent-length: 4\r\nconnection: close\r\n\r\ngone".to_owned();
    let (base, count) = server(vec![redirect]).await;
    let client = GuardedClient::new(&anywhere()).unwrap();
    let answer = client.exchange(get(&base, &[])).await.unwrap();
    assert_eq!((answer.status, &answer.body[..]), (302, &b"gone"[..]));
    let names: Vec<&str> = answer.headers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["location", "x-a", "content-length", "connection"]);
    assert_eq!(answer.header("location"), Some("/next"));
    assert_eq!(count.load(Ordering::SeqCst), 1, "redirects and retries are for the caller");
}

#[tokio::test]
async fn files_that_are_too_much_together_are_told_as_such() {
    let (base, _) = server(vec![ok("content")]).await;
    let known = Validators::default();
    let fetcher = Fetcher { left: 10.into(), ..Fetcher::new(&anywhere()).unwrap() };
    assert!(fetcher.fetch(&base, &known, LONG, &|_, _| {}).await.is_ok());
    let error = fetcher.fetch(&base, &known, LONG, &|_, _| {}).await.unwrap_err();
    assert_eq!(error.reason(), "has, with the files before it, more than 1024 MiB");
    let small = fetcher.fetch_at_most(&base, &known, LONG, 2, &|_, _| {}).await.unwrap_err();
    assert!(matches!(small, FetchError::TooLarge { limit: 2, .. }), "{small}");
}

#[tokio::test]
async fn an_exchange_is_guarded_and_bounded() {
    let (base, count) = server(vec![ok("more than ten bytes")]).await;
    let careful = GuardedClient::new(&NetworkAccess::default()).unwrap();
    let local = base.replace("127.0.0.1", "localhost");
    for address in [&base, &local] {
        let error = careful.exchange(get(address, &[])).await.unwrap_err();
        assert!(matches!(error, FetchError::Private(_)), "{error}");
    }
    assert_eq!(count.load(Ordering::SeqCst), 0);
    let client = GuardedClient::new(&anywhere()).unwrap();
    let error = client.exchange(get(&base, &[])).await.unwrap_err();
    assert!(matches!(error, FetchError::TooLarge { limit: 10, .. }), "{error}");
    let error = client.exchange(get("ftp://example.com/", &[])).await.unwrap_err();
    assert!(matches!(error, FetchError::Address(_)), "{error}");
    let delete = Outgoing { method: "DELETE", ..get(&base, &[]) };
    let error = client.exchange(delete).await.unwrap_err();
    assert!(matches!(error, FetchError::Method(_)), "{error}");
}

#[tokio::test]
async fn an_error_tells_whether_the_request_was_sent() {
    let client = GuardedClient::new(&anywhere()).unwrap();
    let (base, _) = server(vec![String::new()]).await;
    let closed = client.exchange(get(&base, &[])).await.unwrap_err();
    assert!(closed.may_pass() && !closed.is_unsent(), "{closed}");
    // Nobody listens there, and nobody else can get the port.
    let silent = TcpSocket::new_v4().unwrap();
    silent.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let nobody = format!("http://{}", silent.local_addr().unwrap());
    let refused = client.exchange(get(&nobody, &[])).await.unwrap_err();
    assert!(refused.may_pass() && refused.is_unsent() && !refused.is_timeout(), "{refused}");
}
