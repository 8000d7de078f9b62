//! A minimal HTTP client for single requests.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use crate::run::Failure;

#[derive(Clone)]
pub(super) struct Request {
    pub(super) path: String,
    pub(super) headers: Vec<(&'static str, String)>,
    /// If set, the request is a POST.
    pub(super) body: Option<String>,
}

pub(super) struct Response {
    pub(super) etag: String,
    pub(super) body: Vec<u8>,
}

impl Request {
    pub(super) fn get(path: &str) -> Self {
        Self { path: path.to_owned(), headers: Vec::new(), body: None }
    }

    /// A call of the tool that returns one record.
    pub(super) fn tool_call(slug: &str) -> Self {
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_app","arguments":{{"slug":"{slug}"}}}}}}"#
        );
        Self { path: "/mcp".to_owned(), headers: Vec::new(), body: Some(call) }
            .with("content-type", "application/json")
            .with("accept", "application/json, text/event-stream")
    }

    pub(super) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(super) fn text(&self) -> String {
        let method = if self.body.is_some() { "POST" } else { "GET" };
        let mut text = format!("{method} {} HTTP/1.1\r\nhost: 127.0.0.1\r\n", self.path);
        for (name, value) in &self.headers {
            text.extend([format!("{name}: {value}\r\n")]);
        }
        if let Some(body) = &self.body {
            text.extend([format!("content-length: {}\r\n", body.len())]);
        }
        format!("{text}\r\n{}", self.body.as_deref().unwrap_or_default())
    }
}

pub(super) fn ask(address: &str, request: &Request) -> Result<Response, Failure> {
    exchange(address, &[request.clone().with("connection", "close").text().as_bytes()])
}

/// Sends bytes and reads the whole response.
pub(super) fn exchange(address: &str, request: &[&[u8]]) -> Result<Response, Failure> {
    let send = || -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(address)?;
        for bytes in request {
            stream.write_all(bytes)?;
        }
        let mut response = Vec::new();
        stream.read_to_end(&mut response)?;
        Ok(response)
    };
    let response =
        send().map_err(|error| Failure(format!("no response from {address}: {error}")))?;
    let end = response.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(response.len());
    let head = String::from_utf8_lossy(&response[..end]).into_owned();
    let body = response.get(end + 4..).unwrap_or_default().to_vec();
    if !head.starts_with("HTTP/1.1 2") {
        let body = String::from_utf8_lossy(&body);
        return Err(Failure(format!("{address} answered {head}\n{body}")));
    }
    let etag = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("etag").then(|| value.to_owned())
    });
    Ok(Response { etag: etag.unwrap_or_default(), body })
}
