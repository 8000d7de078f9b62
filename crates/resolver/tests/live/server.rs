//! A small HTTP server with scripted answers. Each connection gets one answer.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
    pub(crate) at: Instant,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find_map(|line| {
            let (header, value) = line.split_once(": ")?;
            header.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

pub(crate) enum Response {
    Bytes(Vec<u8>),
    Late(Duration, Vec<u8>),
    /// This start, and then this piece again and again, with pauses.
    Endless(&'static str, &'static str, Duration),
}

impl Response {
    pub(crate) fn page(body: &str) -> Self {
        Self::status("200 OK", "", body)
    }

    /// Any answer. Each header ends with a line end.
    pub(crate) fn status(status: &str, headers: &str, body: &str) -> Self {
        let length = body.len();
        Self::Bytes(
            format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
                .into_bytes(),
        )
    }

    pub(crate) fn after(self, pause: Duration) -> Self {
        match self {
            Self::Bytes(bytes) => Self::Late(pause, bytes),
            other => other,
        }
    }
}

/// How many answers are under way at the same time, and at most were. Servers can share it.
#[derive(Debug, Default)]
pub(crate) struct Load {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Load {
    pub(crate) fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }

    fn enter(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
    }

    fn leave(&self) {
        self.now.fetch_sub(1, Ordering::SeqCst);
    }
}

pub(crate) struct Server {
    pub(crate) base: String,
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(crate) async fn start(
        answer: impl Fn(&Request) -> Response + Send + Sync + 'static,
    ) -> Self {
        Self::with_load(Arc::default(), answer).await
    }

    pub(crate) async fn with_load(
        load: Arc<Load>,
        answer: impl Fn(&Request) -> Response + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let (log, answer) = (Arc::clone(&requests), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (log, answer, load) = (log.clone(), answer.clone(), load.clone());
                tokio::spawn(async move {
                    let Some(request) = receive(&mut stream).await else { return };
                    log.lock().unwrap().push(request.clone());
                    load.enter();
                    send(&mut stream, answer(&request), &load).await;
                });
            }
        });
        Self { base: format!("http://127.0.0.1:{port}"), port, requests }
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.path).collect()
    }
}

async fn receive(stream: &mut TcpStream) -> Option<Request> {
    let at = Instant::now();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers = lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let mut request = Request { method, path, headers, body: String::new(), at };
    let length = request.header("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    request.body = String::from_utf8(body).unwrap();
    Some(request)
}

async fn send(stream: &mut TcpStream, response: Response, load: &Load) {
    let bytes = match response {
        Response::Bytes(bytes) => bytes,
        Response::Late(pause, bytes) => {
            tokio::time::sleep(pause).await;
            bytes
        }
        Response::Endless(start, piece, pause) => {
            let mut written = stream.write_all(start.as_bytes()).await;
            while written.is_ok() {
                tokio::time::sleep(pause).await;
                written = stream.write_all(piece.as_bytes()).await;
            }
            return load.leave();
        }
    };
    // The answer counts as done before the client can see its end.
    load.leave();
    let _ = stream.write_all(&bytes).await;
    let _ = stream.shutdown().await;
}
