//! A receiver that answers as a test wants it to.

use std::{
    collections::{HashMap, VecDeque},
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Barrier, Mutex},
    time::Duration,
};

use serde_json::Value;
use tokio::sync::mpsc;

/// How the receiver responds.
#[derive(Debug, Clone)]
pub(crate) enum PlannedResponse {
    /// A status and header lines, without a body.
    Status(u16, &'static str),
    /// 200 and a body that does not end.
    Endless,
    /// 204, as soon as the test waits, too.
    Late(Arc<Barrier>),
    /// Nothing.
    Silence,
}

/// A message as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) headers: HashMap<String, String>,
    pub(crate) text: String,
}

impl Received {
    pub(crate) fn id(&self) -> &str {
        &self.headers["webhook-id"]
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub(crate) fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }

    /// The numbers of the changes it tells.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let body = self.json();
        let changes = body["data"]["changes"].as_array().unwrap();
        changes.iter().map(|change| change["seq"].as_u64().unwrap()).collect()
    }

    pub(crate) fn signatures(&self) -> Vec<&str> {
        self.headers["webhook-signature"].split(' ').collect()
    }
}

/// A receiver on this machine.
pub(crate) struct Receiver {
    pub(crate) port: u16,
    responses: Arc<Mutex<VecDeque<PlannedResponse>>>,
    arrivals: mpsc::UnboundedReceiver<Received>,
}

impl Receiver {
    /// Confirms everything.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let responses = Arc::new(Mutex::new(VecDeque::new()));
        let (sender, arrivals) = mpsc::unbounded_channel();
        let planned = Arc::clone(&responses);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { continue };
                let (planned, sender) = (Arc::clone(&planned), sender.clone());
                std::thread::spawn(move || serve(stream, &planned, &sender));
            }
        });
        Self { port, responses, arrivals }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    /// Answers the next messages like this, and confirms all others.
    pub(crate) fn plan(&self, responses: impl IntoIterator<Item = PlannedResponse>) {
        self.responses.lock().unwrap().extend(responses);
    }

    /// Waits for the next message.
    pub(crate) async fn next(&mut self) -> Received {
        let arrival = tokio::time::timeout(Duration::from_mins(1), self.arrivals.recv()).await;
        arrival.unwrap_or_else(|_| panic!("no message arrived")).unwrap()
    }

    /// The messages that arrived and were not looked at.
    pub(crate) fn rest(&mut self) -> Vec<Received> {
        std::iter::from_fn(|| self.arrivals.try_recv().ok()).collect()
    }
}

fn serve(
    stream: TcpStream,
    planned: &Mutex<VecDeque<PlannedResponse>>,
    arrivals: &mpsc::UnboundedSender<Received>,
) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    while let Some(received) = read(&mut reader) {
        let response =
            planned.lock().unwrap().pop_front().unwrap_or(PlannedResponse::Status(204, ""));
        let _ = arrivals.send(received);
        match response {
            PlannedResponse::Status(status, headers) => {
                let head = format!("HTTP/1.1 {status} X\r\n{headers}content-length: 0\r\n\r\n");
                let _ = stream.write_all(head.as_bytes());
            }
            PlannedResponse::Late(barrier) => {
                barrier.wait();
                let _ = stream.write_all(b"HTTP/1.1 204 X\r\ncontent-length: 0\r\n\r\n");
            }
            PlannedResponse::Endless => {
                let head = "HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n";
                let _ = stream.write_all(head.as_bytes());
                while stream.write_all(&[b'x'; 8192]).is_ok() {}
                return;
            }
            PlannedResponse::Silence => {
                // Until the sender gives up.
                let _ = reader.read(&mut [0]);
                return;
            }
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Received> {
    let mut headers = HashMap::new();
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length: usize = headers.get("content-length")?.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Received { headers, text: String::from_utf8(body).unwrap() })
}
