//! A server that is behind another one on the same database.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    os::unix::net::UnixStream,
    path::PathBuf,
    sync::{Arc, Mutex},
    thread,
};

use appstitch_cluster::Cluster;
use reqwest::Method;

use crate::support::{TestServer, record};

/// A port that leads to a database, until it is cut.
struct Line {
    port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    is_cut: bool,
    open: Vec<(TcpStream, UnixStream)>,
}

impl Line {
    fn to(socket: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let mut state = shared.lock().unwrap();
                let Ok(server) = UnixStream::connect(&socket) else { continue };
                if state.is_cut {
                    continue;
                }
                let ends = (client.try_clone().unwrap(), server.try_clone().unwrap());
                let (from_client, to_server) = (client.try_clone().unwrap(), server.try_clone());
                pass(from_client, to_server.unwrap());
                pass(server, client);
                state.open.push(ends);
            }
        });
        Self { port, state }
    }

    /// Ends all connections, and accepts no more.
    fn cut(&self) {
        let mut state = self.state.lock().unwrap();
        state.is_cut = true;
        for (client, server) in state.open.drain(..) {
            let _ = client.shutdown(Shutdown::Both);
            let _ = server.shutdown(Shutdown::Both);
        }
    }

    fn mend(&self) {
        self.state.lock().unwrap().is_cut = false;
    }
}

fn pass(mut from: impl Read + Send + 'static, mut to: impl Write + Send + 'static) {
    thread::spawn(move || io::copy(&mut from, &mut to));
}

async fn put(server: &TestServer, slug: &str) {
    assert_eq!(server.put_record(&record(slug)).await.status, 200);
}

/// The newest position that a server knows.
async fn newest(server: &TestServer) -> String {
    server.get("/changes").await.json()["next"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_position_of_another_server_is_waited_for_and_never_gone() {
    let cluster = Cluster::start();
    let url = cluster.database("catalog");
    let line = Line::to(cluster.socket());
    let ahead = TestServer::on_address(&url);
    put(&ahead, "a").await;
    let behind_url =
        format!("postgres://appstitch@127.0.0.1:{}/catalog?sslmode=disable", line.port);
    let behind = TestServer::on_address(&behind_url);
    let known = newest(&ahead).await;
    assert_eq!(newest(&behind).await, known);

    line.cut();
    put(&ahead, "b").await;
    let (position, etag) = (newest(&ahead).await, ahead.etag().await);
    let token = etag.trim_start_matches("W/").trim_matches('"').to_owned();
    let number = position.split('-').nth(1).unwrap().to_owned();
    for since in [&position, &token, &number] {
        let response = behind.get(&format!("/changes?since={since}")).await;
        assert_eq!(
            (response.status.as_u16(), response.header("retry-after")),
            (503, "1"),
            "{since}"
        );
        assert_eq!(response.header("cache-control"), "no-store");
        assert!(response.detail().contains("try again"), "{}", response.detail());
    }
    assert_eq!(behind.get(&format!("/changes?since={known}")).await.status, 200);

    line.mend();
    for since in [&position, &token, &number] {
        let path = format!("/changes?since={since}");
        let mut response = behind.get(&path).await;
        while response.status == 503 {
            response = behind.get(&path).await;
        }
        assert_eq!(response.status, 200, "{since}: {response:?}");
        assert_eq!(response.json()["next"], *position);
    }
}

#[tokio::test]
async fn a_position_that_the_store_does_not_have_is_reported() {
    let server = TestServer::with_records(&[record("a")]).await;
    let known = newest(&server).await;
    let epoch = known.split('-').next().unwrap();
    for since in [format!("{epoch}-99-0123ab"), "20991231T000000Z-0123456789ab".to_owned()] {
        let path = format!("/changes?since={since}");
        // A body makes the HTTP library read the request.
        let with_body = server.request(Method::GET, &path).body("unused");
        for response in [server.get(&path).await, server.send(with_body).await] {
            assert_eq!(response.status, 410, "{since}: {response:?}");
            assert_eq!(response.header("x-error-code"), "changes_gone");
        }
    }
    assert_eq!(server.get("/changes?since=99").await.status, 400);
}
