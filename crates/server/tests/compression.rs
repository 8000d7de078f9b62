//! Compression for everybody, whatever one client reads.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{net::SocketAddr, sync::Arc, time::Duration};

use appstitch_publish::{BackgroundPriority, CatalogChange, Keep, Publisher, RecordsChange};
use appstitch_server::{Limits, Service, ToolAccess, serve};
use appstitch_stitching::Record;
use appstitch_store::{Store, StoreAddress};
use serde_json::json;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

/// Only prevents a test from hanging.
const PATIENCE: Duration = Duration::from_mins(2);

const APPS: usize = 800;

/// A server with many apps. Stopping waits for nothing.
async fn start() -> (SocketAddr, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&StoreAddress::Sqlite(folder.path().join("catalog.db"))).await.unwrap();
    let publisher = Arc::new(Publisher::open(store, BackgroundPriority::Normal).await.unwrap());
    let records = (0..APPS).map(|number| {
        let record = json!({"app": {"slug": format!("app-{number:04}"),
            "name": format!("App {number}"), "vendor": "Example", "current_version": "1.0",
            "sources": ["cask_catalog"]}, "sources": {"cask_catalog":
            {"token": format!("app-{number:04}"), "entry_json": {"version": "1.0"}}}});
        Record::admit(record.to_string().as_bytes()).unwrap().record
    });
    let (records, keep) = (records.collect(), Keep::Slugs(Vec::new()));
    let change = RecordsChange::Replace { records, keep, allow_shrink: true };
    publisher.publish(CatalogChange::Records(change)).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    // A busy machine must not decide what this tests.
    let limits = Limits { compression_time: PATIENCE, request_time: PATIENCE, ..Limits::default() };
    let service = Service::new(publisher, None, limits, ToolAccess::default());
    tokio::spawn(serve(listener, service, std::future::pending()));
    (address, folder)
}

/// Sends requests on one connection, one after the other without waiting, and returns everything
/// that is answered.
async fn ask(address: SocketAddr, heads: &[String]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let (mut reader, mut writer) = stream.split();
    let mut all = heads.join("\r\n\r\n");
    all.push_str("\r\nconnection: close\r\n\r\n");
    let mut responses = Vec::new();
    let both = async {
        let (sent, received) =
            tokio::join!(writer.write_all(all.as_bytes()), reader.read_to_end(&mut responses));
        sent.unwrap();
        received.unwrap();
    };
    timeout(PATIENCE, both).await.unwrap();
    responses
}

fn page(number: usize, encoding: &str) -> String {
    format!("GET /apps?limit=10&offset={number} HTTP/1.1\r\nhost: x\r\naccept-encoding: {encoding}")
}

fn count(responses: &[u8], field: &str) -> usize {
    String::from_utf8_lossy(responses).matches(field).count()
}

#[tokio::test]
async fn a_client_that_reads_every_page_leaves_compression_on_for_others() {
    let (address, _folder) = start().await;
    // Eight connections of one client, with 781 different pages.
    let reading: Vec<_> = (0..8)
        .map(|connection| {
            let encoding = ["gzip", "zstd"][connection % 2];
            let pages: Vec<String> =
                (connection..781).step_by(8).map(|number| page(number, encoding)).collect();
            tokio::spawn(async move {
                let all = ask(address, &pages).await;
                (pages.len(), count(&all, "\r\ncontent-encoding: "))
            })
        })
        .collect();
    // Meanwhile others read pages that nobody has read before.
    for number in 0..20 {
        let path = format!("/apps?limit={}", 20 + number);
        let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip");
        let response = ask(address, &[head]).await;
        assert_eq!(count(&response, "\r\ncontent-encoding: gzip"), 1, "{path} came uncompressed");
    }
    for client in reading {
        let (asked, compressed) = client.await.unwrap();
        assert_eq!(compressed, asked, "pages came uncompressed");
    }
    // And afterwards, each page again and an ordinary one.
    let again: Vec<String> = (0..781).map(|number| page(number, "zstd")).collect();
    assert_eq!(count(&ask(address, &again).await, "\r\ncontent-encoding: zstd"), 781);
    let ordinary = "GET /apps HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip".to_owned();
    assert_eq!(count(&ask(address, &[ordinary]).await, "\r\ncontent-encoding: gzip"), 1);
}

#[tokio::test]
async fn a_label_that_is_asked_for_again_and_again_is_the_same() {
    let (address, _folder) = start().await;
    let head = |accept: &str| {
        format!(
            "POST /apps/app-0007/generate-label HTTP/1.1\r\nhost: x\r\n\
             content-length: 0\r\naccept: {accept}"
        )
    };
    for (accept, start) in
        [("application/json", "{\"label_name\":\"app-0007\""), ("text/x-shellscript", "app-0007)")]
    {
        let heads = vec![head(accept); 1000];
        let responses = ask(address, &heads).await;
        assert_eq!(count(&responses, "HTTP/1.1 200 OK"), 1000, "{accept}");
        assert_eq!(count(&responses, &format!("\r\n\r\n{start}")), 1000, "{accept}");
    }
}
