//! The wire over real sockets, with endpoints that are slow or large on purpose.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "wire/fairness.rs"]
mod fairness;
#[path = "wire/memory.rs"]
mod memory;

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use appstitch_bodies::{Payload, Slices};
use appstitch_wire::{
    Attempt, BoxFuture, ConnectionCounts, Endpoints, FixedField, Limits, Memory, Policy, Read,
    ReadRequest, ReadResponse, Rejection, RequestId, Verb, Wire, fixed_field, listen,
};
use axum::{
    body::Body,
    http::{Request, Response, StatusCode},
};
use bytes::Bytes;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    sync::oneshot,
    time::timeout,
};

/// Longer than anything here takes, shorter than anybody's patience.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long `/slow` takes. A busy machine does everything else in less.
const SLOW: Duration = Duration::from_secs(3);

/// The size of a large response.
const LARGE: usize = 512 << 10;

const TEXT: &FixedField = fixed_field!("content-type", "text/plain");

/// Endpoints that count the bytes of their responses.
#[derive(Default)]
struct TestEndpoints {
    live: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

/// Bytes of a response that is not sent.
struct LiveBytes(Vec<u8>, Arc<AtomicUsize>);

impl AsRef<[u8]> for LiveBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for LiveBytes {
    fn drop(&mut self) {
        self.1.fetch_sub(self.0.len(), Ordering::Relaxed);
    }
}

impl TestEndpoints {
    fn large(&self) -> ReadResponse {
        let live = self.live.fetch_add(LARGE, Ordering::Relaxed) + LARGE;
        self.most.fetch_max(live, Ordering::Relaxed);
        let bytes = Bytes::from_owner(LiveBytes(vec![b'x'; LARGE], Arc::clone(&self.live)));
        response(Payload::Made(Slices::one(bytes)))
    }
}

fn response(payload: Payload) -> ReadResponse {
    ReadResponse::with_body(StatusCode::OK, Policy::Public, TEXT, payload)
}

fn short(status: StatusCode, text: &'static str) -> ReadResponse {
    let body = Payload::Memory(Slices::one(Bytes::from_static(text.as_bytes())));
    ReadResponse::with_body(status, Policy::Public, TEXT, body)
}

impl Endpoints for TestEndpoints {
    fn read(&self, asked: &ReadRequest<'_>, attempt: Attempt) -> Read {
        match asked.path {
            "/slow" | "/large-on-demand" if !attempt.is_on_worker => Read::OnDemand,
            "/slow" => {
                thread::sleep(SLOW);
                Read::Ready(short(StatusCode::OK, "slow"))
            }
            "/waits" => match attempt.waited {
                None => Read::After(Box::pin(async { true })),
                Some(waited) => {
                    Read::Ready(short(StatusCode::OK, if waited { "there" } else { "gone" }))
                }
            },
            "/waits-again" => Read::After(Box::pin(async { false })),
            "/large-later" => {
                let large = self.large();
                Read::Later(Box::pin(async move { large }))
            }
            path if path.starts_with("/large") => Read::Ready(self.large()),
            _ => Read::Ready(short(StatusCode::OK, "ready")),
        }
    }

    fn is_read(&self, _: Verb, _: &str) -> bool {
        true
    }

    fn route<'a>(
        &'a self,
        _: Request<Body>,
        _: &'a RequestId<'_>,
    ) -> BoxFuture<'a, Response<Body>> {
        Box::pin(async { Response::new(Body::empty()) })
    }

    fn rejection(&self, _: Rejection, _: &str) -> ReadResponse {
        let mut response = short(StatusCode::SERVICE_UNAVAILABLE, "refused");
        response.add(fixed_field!("retry-after", "1"));
        response
    }

    fn note(&self, _: &ReadRequest<'_>, _: &ReadResponse) {}

    fn note_routed(&self, _: &ReadRequest<'_>, _: &str, _: StatusCode) {}
}

struct Running {
    address: SocketAddr,
    endpoints: Arc<TestEndpoints>,
    counts: Arc<ConnectionCounts>,
    _stop: oneshot::Sender<()>,
}

fn start(limits: Limits) -> Running {
    let listener = listen("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = listener.local_addr().unwrap();
    let endpoints = Arc::new(TestEndpoints::default());
    let counts = Arc::new(ConnectionCounts::default());
    let wire = Wire {
        endpoints: Arc::clone(&endpoints) as Arc<dyn Endpoints>,
        memory: Arc::new(Memory::new(limits.memory_bytes)),
        counts: Arc::clone(&counts),
        limits,
    };
    let (stop, stopped) = oneshot::channel::<()>();
    tokio::spawn(wire.serve(listener, async {
        let _ = stopped.await;
    }));
    Running { address, endpoints, counts, _stop: stop }
}

impl Running {
    /// Connects as a client of this machine: from `127.0.0.number`.
    async fn connect_as(&self, number: u8) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from(([127, 0, 0, number], 0))).unwrap();
        // A client that reads nothing takes nothing.
        socket.set_recv_buffer_size(4096).unwrap();
        socket.connect(self.address).await.unwrap()
    }

    /// The whole response on a connection of its own.
    async fn ask_as(&self, number: u8, path: &str) -> String {
        let mut stream = self.connect_as(number).await;
        let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.unwrap().unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

fn request(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n")
}
