//! A small HTTP server on a free port of this machine. It answers side by side, closes each connection
//! after one answer, and remembers the requests.

use std::{
    io::{self, BufRead, BufReader, Read},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use url::form_urlencoded;

use crate::{Reply, state::locked};

#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    /// With the query.
    pub target: String,
    /// With names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Request {
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// A parameter of the query.
    pub fn query(&self, name: &str) -> Option<String> {
        let (_, query) = self.target.split_once('?')?;
        value_of(query, name)
    }

    /// A field of the form in the body.
    pub fn field(&self, name: &str) -> Option<String> {
        value_of(&self.body, name)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

fn value_of(pairs: &str, name: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(pairs.as_bytes());
    pairs.find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
}

#[derive(Debug)]
pub struct TestHost {
    port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl TestHost {
    /// Starts a server that answers with a function. It runs until the process ends.
    pub fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen) = (Arc::new(answer), Arc::clone(&requests));
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (answer, seen) = (Arc::clone(&answer), Arc::clone(&seen));
                thread::spawn(move || {
                    let Some(request) = read(&stream) else { return };
                    locked(&seen).push(request.clone());
                    let with_body = request.method != "HEAD";
                    // The other side may be gone, which is its right.
                    let _ = answer(&request).send(&mut stream, with_body);
                });
            }
        });
        Ok(Self { port, requests })
    }

    pub fn base(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The same server under another name, as another host.
    pub fn other_base(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    /// All requests up to now.
    pub fn requests(&self) -> Vec<Request> {
        locked(&self.requests).clone()
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut parts = line.split_whitespace().map(str::to_owned);
    let (method, target) = (parts.next()?, parts.next()?);
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Request { method, target, headers, body: String::new() };
    let length = request.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
    reader.take(length).read_to_string(&mut request.body).ok()?;
    Some(request)
}
