//! Servers that send slowly, and proxies.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket},
};

use super::*;
use crate::{Outgoing, ProxyAddress};

/// Starts a server that sends `start`, and then `piece` again and again. Returns its URL and its
/// request counter.
async fn endless(start: &'static str, piece: &'static [u8]) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                let mut head = [0; 4096];
                let _ = stream.read(&mut head).await;
                let mut sent = stream.write_all(start.as_bytes()).await;
                while sent.is_ok() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    sent = stream.write_all(piece).await;
                }
            });
        }
    });
    (base, count)
}

static LARGE_PIECE: [u8; 100_000] = [b'a'; 100_000];

const BODY: &str = "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n";

fn fetcher(least_bytes: u64, period: Duration) -> Fetcher {
    let access = NetworkAccess { allow_private: true, ..NetworkAccess::default() };
    let client = GuardedClient::new(&access).unwrap();
    Fetcher { client, pace: Pace { least_bytes, period }, left: u64::MAX.into() }
}

#[tokio::test]
async fn a_file_that_takes_too_long_is_given_up() {
    let any = fetcher(0, Duration::from_mins(1));
    // A server that drips its body, and one that drips its head.
    for start in [BODY, "HTTP/1.1 200 OK\r\nx-a: "] {
        let (base, count) = endless(start, b"a").await;
        // Long enough to be asked on a busy machine.
        let limit = Duration::from_secs(1);
        let result = any.fetch(&base, &Validators::default(), limit, &|_, _| {}).await;
        assert!(matches!(result, Err(FetchError::OutOfTime { .. })), "{result:?}");
        assert_eq!(count.load(Ordering::SeqCst), 1, "a slow server would be slow again");
    }
}

#[tokio::test]
async fn a_server_that_drips_is_given_up_before_the_time_is_over() {
    // A busy machine sends and reads the pieces later than it should.
    let strict = fetcher(1000, Duration::from_secs(2));
    let limit = Duration::from_mins(1);
    let (base, count) = endless(BODY, b"a").await;
    let result = strict.fetch(&base, &Validators::default(), limit, &|_, _| {}).await;
    assert!(matches!(result, Err(FetchError::TooSlow { received: 1.., .. })), "{result:?}");
    assert_eq!(count.load(Ordering::SeqCst), 1, "a slow server would be slow again");
    // A server with the same number of pieces, but enough bytes.
    let (base, _) = endless(BODY, &LARGE_PIECE).await;
    let result = strict.fetch(&base, &Validators::default(), limit, &|_, _| {}).await;
    assert!(matches!(result, Ok(Fetched::File { bytes, .. }) if bytes.len() == 1_000_000));
}

/// A proxy that answers every request itself and counts them.
async fn proxy() -> (String, Arc<AtomicUsize>) {
    endless("HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\ndata", b"").await
}

#[tokio::test]
async fn with_a_proxy_private_hosts_are_still_refused() {
    let (base, count) = proxy().await;
    let address = base.replace("http://", "http://user:sesame@");
    let proxy = Some(ProxyAddress::new(&address).unwrap());
    let access = NetworkAccess { proxy, ..NetworkAccess::default() };
    let fetcher = Fetcher::new(&access).unwrap();
    let limit = Duration::from_mins(1);
    for private in ["http://localhost:1/", "http://127.0.0.1:1/", "http://[::1]:1/", "http://10.1/"]
    {
        let result = fetcher.fetch(private, &Validators::default(), limit, &|_, _| {}).await;
        assert!(matches!(result, Err(FetchError::Private(_))), "{private}: {result:?}");
    }
    assert_eq!(count.load(Ordering::SeqCst), 0);
    // The proxy answers, so nothing leaves this machine.
    let result = fetcher.fetch("http://1.1.1.1/", &Validators::default(), limit, &|_, _| {}).await;
    assert!(matches!(result, Ok(Fetched::File { bytes, .. }) if bytes == b"data"));
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_proxy_that_cannot_be_reached_is_told_without_its_password() {
    // Nobody listens there, and nobody else can get the port.
    let silent = TcpSocket::new_v4().unwrap();
    silent.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = format!("http://user:sesame@{}", silent.local_addr().unwrap());
    let proxy = Some(ProxyAddress::new(&address).unwrap());
    let client = GuardedClient::new(&NetworkAccess { proxy, ..NetworkAccess::default() }).unwrap();
    for target in ["http://1.1.1.1/", "https://1.1.1.1/"] {
        let request = Outgoing {
            method: "GET",
            address: target,
            headers: &[],
            bearer: None,
            body: "",
            timeout: Duration::from_mins(1),
            max_bytes: 10,
        };
        let error = client.exchange(request).await.unwrap_err();
        assert!(error.is_unsent(), "{error}");
        assert!(
            !format!("{error} {error:?} {client:?}").contains("sesame"),
            "{error:?} {client:?}"
        );
    }
}

#[tokio::test]
async fn addresses_with_a_password_are_refused_without_printing_it() {
    let fetcher = fetcher(0, Duration::from_mins(1));
    for address in [
        "http://user:sesame@127.0.0.1:1/",
        "http://user:sesame@:bad",
        "ftp://user:sesame@example.com/",
    ] {
        let limit = Duration::from_mins(1);
        let error = fetcher.fetch(address, &Validators::default(), limit, &|_, _| {}).await;
        let error = error.unwrap_err();
        assert!(matches!(error, FetchError::Credentials(_) | FetchError::Address(_)));
        assert!(!format!("{error} {error:?}").contains("sesame"), "{error}");
    }
}
