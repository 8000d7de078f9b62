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

/// A request as the server received it.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    /// The lines of the head after the first.
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
    pub(crate) at: Instant,
}

impl Asked {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find_map(|line| {
            let (own, value) = line.split_once(": ")?;
            own.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

/// How to answer.
pub(crate) enum Reply {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The same after a pause.
    Late(Duration, Vec<u8>),
    /// This start, and then this piece again and again, with pauses.
    Endless(&'static str, &'static str, Duration),
}

impl Reply {
    /// A page with status 200.
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

/// A running server.
pub(crate) struct Server {
    /// Its address, such as `http://127.0.0.1:1234`.
    pub(crate) base: String,
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub(crate) async fn start(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        Self::with_load(Arc::default(), answer).await
    }

    pub(crate) async fn with_load(
        load: Arc<Load>,
        answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let (log, answer) = (Arc::clone(&asked), Arc::new(answer));
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
        Self { base: format!("http://127.0.0.1:{port}"), port, asked }
    }

    /// The requests so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.path).collect()
    }
}

async fn receive(stream: &mut TcpStream) -> Option<Asked> {
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
    let mut asked = Asked { method, path, headers, body: String::new(), at };
    let length = asked.header("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    asked.body = String::from_utf8(body).unwrap();
    Some(asked)
}

async fn send(stream: &mut TcpStream, reply: Reply, load: &Load) {
    let bytes = match reply {
        Reply::Bytes(bytes) => bytes,
        Reply::Late(pause, bytes) => {
            tokio::time::sleep(pause).await;
            bytes
        }
        Reply::Endless(start, piece, pause) => {
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
