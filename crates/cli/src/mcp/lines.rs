//! Standard input and output as the protocol requires: one message per line, and a response even
//! to an invalid line.

use std::sync::Arc;

use appstitch_tools::message_fault;
use tokio::{
    io::{
        AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, Stdout, duplex,
        stdin, stdout,
    },
    sync::Mutex,
    task::JoinHandle,
};

/// In bytes; far more than any valid message.
const LONGEST_LINE: u64 = 4 << 20;
const BUFFER: usize = 64 << 10;

/// The streams for the SDK, and the task that copies its output.
pub(super) struct Lines {
    pub(super) messages: DuplexStream,
    pub(super) answers: DuplexStream,
    pub(super) written: JoinHandle<()>,
}

/// Reads standard input line by line. Valid messages go to the SDK; other lines get an error
/// response at once.
pub(super) fn open() -> Lines {
    let (to_sdk, messages) = duplex(BUFFER);
    let (answers, from_sdk) = duplex(BUFFER);
    let output = Arc::new(Mutex::new(stdout()));
    tokio::spawn(read(to_sdk, Arc::clone(&output)));
    let written = tokio::spawn(write(from_sdk, output));
    Lines { messages, answers, written }
}

async fn read(mut to_sdk: DuplexStream, output: Arc<Mutex<Stdout>>) {
    let mut input = BufReader::new(stdin());
    loop {
        let mut line = Vec::new();
        let length = (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line).await;
        if length.is_err() || line.is_empty() {
            return;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let passed = match message_fault(&line) {
            Some(fault) => put(&output, format!("{fault}\n").as_bytes()).await,
            None => to_sdk.write_all(&line).await,
        };
        if passed.is_err() {
            return;
        }
    }
}

async fn write(from_sdk: DuplexStream, output: Arc<Mutex<Stdout>>) {
    let mut answers = BufReader::new(from_sdk);
    let mut line = Vec::new();
    while answers.read_until(b'\n', &mut line).await.is_ok_and(|length| length > 0) {
        if put(&output, &line).await.is_err() {
            return;
        }
        line.clear();
    }
}

/// Writes a whole line, so that the lines of two writers never mix.
async fn put(output: &Mutex<Stdout>, line: &[u8]) -> std::io::Result<()> {
    let mut output = output.lock().await;
    output.write_all(line).await?;
    output.flush().await
}
