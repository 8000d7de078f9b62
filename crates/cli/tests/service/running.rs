//! Operation: logs, request ids, metrics, shutdown, following the store.

use std::{
    io::{Read, Write},
    net::TcpStream,
    process::Stdio,
    time::Duration,
};

use reqwest::Method;
use serde_json::Value;
use tokio::time::timeout;

use crate::support::{TOKEN, TestServer, ndjson, record, run_ok, series};

/// How long something may take that is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test]
async fn every_answer_has_a_request_id_and_a_clients_own_is_kept() {
    let server = TestServer::with_sample();
    for path in ["/apps", "/apps/zoom", "/stats", "/nowhere", "/apps?limit=x"] {
        let first = server.get(path).await.header("x-request-id").to_owned();
        assert!(!first.is_empty(), "{path}");
        assert_ne!(server.get(path).await.header("x-request-id"), first, "{path}");
        assert_eq!(
            server.get_with(path, "x-request-id", "mine-1").await.header("x-request-id"),
            "mine-1"
        );
        assert_ne!(
            server.get_with(path, "x-request-id", "not mine").await.header("x-request-id"),
            "not mine"
        );
    }
}

#[tokio::test]
async fn metrics_count_requests_uploads_and_apps() {
    let server = TestServer::empty();
    for _ in 0..3 {
        server.get("/apps/nobody").await;
    }
    server.upload(&ndjson(&[record("a"), record("b")])).await;
    server.upload(&ndjson(&[record("a"), record("b")])).await;
    server.upload("garbage").await;
    server.get("/apps/a").await;
    server.get("/apps/b").await;
    server.get_with("/apps/a", "if-none-match", "*").await;
    server.get("/some/odd/path").await;

    let response = server.get("/metrics").await;
    assert!(response.header("content-type").starts_with("text/plain"));
    let metrics = response.text();
    for (name, expected) in [
        (r#"appstitch_requests_total{route="/apps/{slug}",status="404"}"#, 3.0),
        (r#"appstitch_requests_total{route="/apps/{slug}",status="200"}"#, 2.0),
        (r#"appstitch_requests_total{route="/apps/{slug}",status="304"}"#, 1.0),
        (r#"appstitch_requests_total{route="/admin/records",status="200"}"#, 2.0),
        (r#"appstitch_requests_total{route="/admin/records",status="422"}"#, 1.0),
        (r#"appstitch_requests_total{route="unknown",status="404"}"#, 1.0),
        (r#"appstitch_request_duration_seconds_count{route="/apps/{slug}"}"#, 6.0),
        (r#"appstitch_request_duration_seconds_bucket{route="/apps/{slug}",le="+Inf"}"#, 6.0),
        (r#"appstitch_uploads_total{result="changed"}"#, 1.0),
        (r#"appstitch_uploads_total{result="unchanged"}"#, 1.0),
        (r#"appstitch_uploads_total{result="refused"}"#, 1.0),
        ("appstitch_apps", 2.0),
    ] {
        assert!((series(metrics, name) - expected).abs() < 0.5, "{name} in\n{metrics}");
    }
    assert!((0.0..60.0).contains(&series(metrics, "appstitch_snapshot_age_seconds")));
    assert!(metrics.contains("\nappstitch_build_info{version=\"0.1.0\","), "{metrics}");
    assert!(series(metrics, "process_start_time_seconds") > 1e9);
    #[cfg(target_os = "linux")]
    assert!(series(metrics, "process_resident_memory_bytes") > 1e6);
    assert!(metrics.contains("# TYPE appstitch_request_duration_seconds histogram"));
}

#[tokio::test]
async fn every_status_is_counted_as_itself() {
    let server = TestServer::empty();
    let send = |text: &str| {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response.lines().next().unwrap_or_default().to_owned()
    };
    let message = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let notify = |host: &str| {
        format!(
            "POST /mcp HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n{message}",
            message.len()
        )
    };
    assert!(send("GET /apps HTTP/1.1\r\nconnection: close\r\n\r\n").contains(" 400 "));
    assert!(send(&notify("localhost")).contains(" 202 "));
    assert!(send(&notify("evil.example")).contains(" 403 "));
    let metrics = server.get("/metrics").await;
    for (route, status) in [("/apps", 400), ("/mcp", 202), ("/mcp", 403)] {
        let name = format!(r#"appstitch_requests_total{{route="{route}",status="{status}"}}"#);
        assert!((series(metrics.text(), &name) - 1.0).abs() < 0.5, "{}", metrics.text());
    }
    assert!(!metrics.text().contains("other"), "{}", metrics.text());
}

#[tokio::test]
async fn it_stops_on_a_signal_with_code_0() {
    for signal in ["-TERM", "-INT"] {
        let mut server = TestServer::with_sample();
        assert_eq!(server.get("/health").await.status, 200);
        server.signal(signal);
        assert_eq!(server.wait().code(), Some(0), "{signal}");
    }
}

#[tokio::test]
async fn a_request_in_flight_is_finished_before_it_stops() {
    let mut server = TestServer::empty();
    let body = record("late").to_string();
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let head = format!(
        "PUT /admin/records HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {TOKEN}\r\nexpect: 100-continue\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    // Once the server sends `100 Continue`, the request is in progress.
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(&body.as_bytes()[..5]).unwrap();
    server.signal("-TERM");
    let closed = async {
        // It takes no more connections once it stops.
        while TcpStream::connect(server.address()).is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, closed).await.expect("it does not stop");
    stream.write_all(&body.as_bytes()[5..]).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    assert_eq!(server.wait().code(), Some(0));
}

#[tokio::test]
async fn logs_are_structured_and_never_hold_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let mut server =
        TestServer::start(&folder.path().join("catalog.db"), &["--log-json"], |command| {
            command
                .env("APPSTITCH_DEPLOY_TOKEN", TOKEN)
                .env("APPSTITCH_LOG", "info,appstitch_server=debug")
                .stderr(Stdio::piped());
        });
    server.get_with("/apps/zoom", "x-request-id", "trace-me").await;
    server
        .send(
            server
                .admin(Method::DELETE, "/admin/records/quicksilver")
                .header("x-request-id", "upload-1"),
        )
        .await;
    server.signal("-TERM");
    server.wait();
    let logs = server.stderr();
    let lines: Vec<Value> = logs.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let traced = lines.iter().find(|line| line["request_id"] == "trace-me");
    let traced = traced.unwrap_or_else(|| panic!("request not found in\n{logs}"));
    assert_eq!(
        (traced["status"].as_u64(), traced["path"].as_str()),
        (Some(200), Some("/apps/zoom"))
    );
    let upload = lines.iter().find(|line| line["message"] == "accepted an upload").unwrap();
    assert_eq!(upload["span"]["id"], "upload-1", "{logs}");
    assert!(!logs.contains(TOKEN));
}

#[tokio::test]
async fn a_running_server_takes_over_what_another_process_publishes() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let server = TestServer::on_store(&store);
    let before = server.etag().await;
    let file = folder.path().join("records.ndjson");
    std::fs::write(&file, ndjson(&[record("from-outside")])).unwrap();
    let store = format!("sqlite:{}", store.display());
    run_ok(&["records", "import", file.to_str().unwrap(), "--store", &store]);
    server.serves(&["from-outside"]).await;
    assert_ne!(server.etag().await, before);
    // The server can still publish on top of it.
    let summary = server.upload(&ndjson(&[record("from-outside"), record("more")])).await.json();
    assert_eq!(
        (summary["apps"]["added"].as_u64(), summary["apps"]["total"].as_u64()),
        (Some(1), Some(2))
    );
}

#[tokio::test]
async fn reads_go_on_while_the_store_is_locked_and_uploads_say_so() {
    let server = TestServer::empty();
    let store = server.store();
    assert_eq!(server.upload(&ndjson(&[record("a")])).await.status, 200);
    // Another connection holds the write lock for longer than the server waits.
    let blocker = rusqlite::Connection::open(&store).unwrap();
    blocker.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let next = ndjson(&[record("a"), record("b")]);
    let upload = server.upload(&next);
    let (response, read) = tokio::join!(upload, async {
        let in_progress = async {
            let gauge = "appstitch_uploads_in_progress";
            while series(server.get("/metrics").await.text(), gauge) < 0.5 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(PATIENCE, in_progress).await.expect("the upload does not begin");
        server.get("/apps").await
    });
    assert_eq!(read.slugs(), ["a"]);
    assert_eq!(response.status, 503);
    assert!(response.detail().contains("Nothing was changed"), "{}", response.detail());
    blocker.execute_batch("ROLLBACK").unwrap();
    assert_eq!(server.upload(&ndjson(&[record("a"), record("b")])).await.status, 200);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn one_core_is_enough_for_everything() {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    // A process inherits the CPU affinity of the thread that starts it.
    let allowed = sched_getaffinity(None).unwrap();
    let mut one = CpuSet::new();
    one.set((0..CpuSet::MAX_CPU).find(|core| allowed.is_set(*core)).unwrap());
    sched_setaffinity(None, &one).unwrap();
    let mut server = TestServer::with_sample();
    sched_setaffinity(None, &allowed).unwrap();

    let records = ndjson(&[record("a"), record("b")]);
    let (upload, first, second, third) = tokio::join!(
        server.upload(&records),
        server.get("/apps"),
        server.get("/stats"),
        server.get_with("/apps?limit=1000", "accept-encoding", "gzip"),
    );
    assert_eq!([upload.status, first.status, second.status, third.status], [200; 4]);
    assert_eq!(server.get("/apps").await.slugs(), ["a", "b"]);
    server.signal("-TERM");
    assert!(server.wait().success());
}

#[cfg(target_os = "linux")]
#[test]
fn refreshes_step_back_by_default() {
    for (priority, expected) in [("idle", "5"), ("normal", "0")] {
        let server = TestServer::with(&["--no-sample", "--refresh-priority", priority]);
        let mut tries = 0;
        // The thread sets its name and scheduling class only when it runs.
        while class_of_background(server.process_id()).as_deref() != Some(expected) {
            tries += 1;
            // For at most a minute.
            assert!(tries < 1200, "{:?}", class_of_background(server.process_id()));
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The kernel's number of the scheduling class of the publishing thread.
#[cfg(target_os = "linux")]
fn class_of_background(process: u32) -> Option<String> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
    threads.flatten().find_map(|thread| {
        let line = std::fs::read_to_string(thread.path().join("stat")).ok()?;
        let (start, rest) = line.rsplit_once(')')?;
        // The class is field 41; the first two, process id and name, end at the parenthesis.
        let class = rest.split_whitespace().nth(38)?.to_owned();
        start.ends_with("(background").then_some(class)
    })
}
