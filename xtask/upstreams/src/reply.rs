//! Answers, and the ways in which they arrive.

use std::{
    io::{self, Write},
    net::TcpStream,
    time::Duration,
};

use flate2::{Compression, write::GzEncoder};
use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    Whole,
    /// In pieces, without a length.
    Chunked,
    /// The connection ends in the middle of the body.
    Truncated,
    /// One byte after the other, with this pause between.
    Dripping(Duration),
}

#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub delivery: Delivery,
}

impl Reply {
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into(), delivery: Delivery::Whole }
    }

    pub fn json(body: &Value) -> Self {
        Self::new(200, body.to_string()).with("content-type", "application/json")
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    #[must_use]
    pub fn delivered(self, delivery: Delivery) -> Self {
        Self { delivery, ..self }
    }

    /// Compresses the body as a content encoding.
    #[must_use]
    pub fn encoded(self) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        let packed = encoder.write_all(&self.body).and_then(|()| encoder.finish());
        Self { body: packed.unwrap_or_default(), ..self }.with("content-encoding", "gzip")
    }

    pub(crate) fn send(&self, stream: &mut TcpStream, with_body: bool) -> io::Result<()> {
        write!(stream, "HTTP/1.1 {} Status\r\nconnection: close\r\n", self.status)?;
        for (name, value) in &self.headers {
            write!(stream, "{name}: {value}\r\n")?;
        }
        if self.delivery == Delivery::Chunked && self.status != 304 {
            stream.write_all(b"transfer-encoding: chunked\r\n")?;
        } else if self.status != 304 {
            write!(stream, "content-length: {}\r\n", self.body.len())?;
        }
        stream.write_all(b"\r\n")?;
        if !with_body || self.status == 304 {
            return Ok(());
        }
        match self.delivery {
            Delivery::Whole => stream.write_all(&self.body),
            Delivery::Truncated => stream.write_all(&self.body[..self.body.len() / 2]),
            Delivery::Chunked => {
                for piece in self.body.chunks(10_000) {
                    write!(stream, "{:x}\r\n", piece.len())?;
                    stream.write_all(piece)?;
                    stream.write_all(b"\r\n")?;
                }
                stream.write_all(b"0\r\n\r\n")
            }
            Delivery::Dripping(pause) => {
                for byte in &self.body {
                    stream.write_all(std::slice::from_ref(byte))?;
                    std::thread::sleep(pause);
                }
                Ok(())
            }
        }
    }
}
