//! Standard input and output as the protocol requires: one message per line, and a response even
//! to an invalid line.

use std::{io, sync::Arc};

use appstitch_tools::message_fault;
use tokio::{
    io::{
        AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, Stdin, Stdout,
        duplex, stdin, stdout,
    },
    sync::Mutex,
    task::{JoinHandle, JoinSet},
};

use super::relay::Relay;

/// In bytes; far more than any valid message.
const LONGEST_LINE: u64 = 4 << 20;
const BUFFER: usize = 64 << 10;
/// How many messages may wait for their response from a server.
const MAX_FORWARDED: usize = 16;

/// The streams for the SDK, and the task that copies its output.
pub(super) struct Lines {
    pub(super) messages: DuplexStream,
    pub(super) answers: DuplexStream,
    pub(super) written: JoinHandle<()>,
}

/// Reads standard input line by line. Valid messages go to the SDK; other lines get an error
/// response at once.
pub(super) fn open() -> Lines {
    let (mut to_sdk, messages) = duplex(BUFFER);
    let (answers, from_sdk) = duplex(BUFFER);
    let output = Output::default();
    let mut input = Input::new(output.clone());
    tokio::spawn(async move {
        while let Some(line) = input.next().await {
            if to_sdk.write_all(&line).await.is_err() {
                return;
            }
        }
    });
    let written = tokio::spawn(write(from_sdk, output));
    Lines { messages, answers, written }
}

/// Sends every valid message to a server until the input ends, and writes its responses.
pub(super) async fn forward(relay: Arc<Relay>) {
    let output = Output::default();
    let mut input = Input::new(output.clone());
    let mut forwarded = JoinSet::new();
    while let Some(line) = input.next().await {
        let Ok(message) = serde_json::from_slice(&line) else { continue };
        let (relay, output) = (Arc::clone(&relay), output.clone());
        forwarded.spawn(async move {
            if let Some(response) = relay.forward(message).await {
                // Fails if the client has closed the stream, which then also ends the input.
                let _ = output.put(format!("{response}\n").as_bytes()).await;
            }
        });
        while forwarded.len() >= MAX_FORWARDED {
            forwarded.join_next().await;
        }
    }
    while forwarded.join_next().await.is_some() {}
}

/// The messages of standard input. Lines that are not a message get an error response.
struct Input {
    lines: BufReader<Stdin>,
    output: Output,
}

impl Input {
    fn new(output: Output) -> Self {
        Self { lines: BufReader::new(stdin()), output }
    }

    async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let mut line = Vec::new();
            let length = (&mut self.lines).take(LONGEST_LINE).read_until(b'\n', &mut line).await;
            if length.is_err() || line.is_empty() {
                return None;
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            let Some(fault) = message_fault(&line) else { return Some(line) };
            self.output.put(format!("{fault}\n").as_bytes()).await.ok()?;
        }
    }
}

async fn write(from_sdk: DuplexStream, output: Output) {
    let mut answers = BufReader::new(from_sdk);
    let mut line = Vec::new();
    while answers.read_until(b'\n', &mut line).await.is_ok_and(|length| length > 0) {
        if output.put(&line).await.is_err() {
            return;
        }
        line.clear();
    }
}

#[derive(Clone)]
struct Output(Arc<Mutex<Stdout>>);

impl Default for Output {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(stdout())))
    }
}

impl Output {
    /// Writes a whole line, so that the lines of two writers never mix.
    async fn put(&self, line: &[u8]) -> io::Result<()> {
        let mut output = self.0.lock().await;
        output.write_all(line).await?;
        output.flush().await
    }
}
