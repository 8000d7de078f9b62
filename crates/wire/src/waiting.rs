//! Responds while there is nothing to serve yet: a replica that waits for its database says so, and a
//! load balancer asks another one.

use std::{convert::Infallible, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::timeout,
};

/// How many connections are answered at once. Others wait to be accepted.
const MOST_AT_ONCE: usize = 256;

/// How long a client may take for its request and for the response.
const PATIENCE: Duration = Duration::from_secs(5);

const LONGEST_HEAD: usize = 16 << 10;

/// The pause after a failure to accept, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

const ANSWER: &str = concat!(
    "HTTP/1.1 503 Service Unavailable\r\n",
    "content-type: application/json\r\n",
    "content-length: 74\r\n",
    "retry-after: 1\r\n",
    "cache-control: no-store\r\n",
    "connection: close\r\n\r\n",
    r#"{"status":"waiting","detail":"The service waits for its store; try again"}"#
);

/// Answers every request with 503 until it is dropped.
pub async fn answer_while_waiting(listener: &TcpListener) -> Infallible {
    let permits = Arc::new(Semaphore::new(MOST_AT_ONCE));
    loop {
        // It is never closed.
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { continue };
        let Ok((connection, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        tokio::spawn(async move {
            // A client that is gone or too slow gets no response.
            let _ = timeout(PATIENCE, answer(connection)).await;
            drop(permit);
        });
    }
}

async fn answer(mut connection: TcpStream) -> std::io::Result<()> {
    let mut head = Vec::new();
    let mut part = [0; 1024];
    while head.len() < LONGEST_HEAD && !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match connection.read(&mut part).await? {
            0 => break,
            read => head.extend_from_slice(&part[..read]),
        }
    }
    connection.write_all(ANSWER.as_bytes()).await?;
    connection.shutdown().await?;
    // What is left unread would turn the response into a reset.
    while connection.read(&mut part).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_response_has_the_length_that_it_tells() {
        let (head, body) = ANSWER.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{}", body.len());
        assert!(serde_json::from_str::<serde_json::Value>(body).is_ok());
    }

    #[tokio::test]
    async fn every_client_is_asked_to_retry() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let waiting = tokio::spawn(async move { answer_while_waiting(&listener).await });
        for request in [
            "GET /ready HTTP/1.1\r\nhost: a\r\n\r\n",
            "PUT /admin HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc",
        ] {
            let mut connection = TcpStream::connect(address).await.unwrap();
            connection.write_all(request.as_bytes()).await.unwrap();
            let mut response = String::new();
            connection.read_to_string(&mut response).await.unwrap();
            assert_eq!(response, ANSWER);
        }
        waiting.abort();
    }
}
