//! Servers that mean no good. Each costs only the value that asks it.

use std::time::{Duration, Instant};

use appstitch_resolver::LiveOptions;

use crate::{
    options, run,
    server::{Response, Server},
    version, version_at, why,
};

#[tokio::test(flavor = "multi_thread")]
async fn hostile_servers_cost_only_their_own_labels() {
    let server = Server::start(|request| match request.path.as_str() {
        "/good" => Response::page("1.0"),
        "/drip_body" => {
            Response::Endless("HTTP/1.1 200 OK\r\n\r\n", "1", Duration::from_millis(200))
        }
        "/drip_head" => Response::Endless("HTTP/1.1 200 OK\r\n", "x", Duration::from_millis(200)),
        "/endless_headers" => Response::Endless(
            "HTTP/1.1 200 OK\r\n",
            "x-header: 0123456789012345678901234567890123456789\r\n",
            Duration::ZERO,
        ),
        "/endless_line" => {
            Response::Endless("HTTP/1.1 200 OK\r\nx: ", "0123456789abcdef0123", Duration::ZERO)
        }
        "/silent" => Response::page("late").after(Duration::from_mins(5)),
        "/garbage" => Response::Bytes(vec![0xff, 0x00, 0x1b, b'\r', b'\n', b'\r', b'\n']),
        "/early_close" => {
            Response::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n1.0".to_vec())
        }
        "/two_lengths" => Response::Bytes(
            b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 9\r\n\r\n1.0".to_vec(),
        ),
        "/bad_chunks" => Response::Bytes(
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzzzz\r\n1.0".to_vec(),
        ),
        other => Response::status("404 Not Found", "", other),
    })
    .await;
    let hostile = [
        "drip_body", "drip_head", "endless_headers", "endless_line", "silent", "garbage",
        "early_close", "two_lengths", "bad_chunks",
    ];
    let all = hostile.into_iter().chain(["good"]);
    let labels = all.map(|name| version_at(name, &format!("{}/{name}", server.base)));
    let options =
        LiveOptions { request_timeout: Duration::from_secs(2), per_host: 16, ..options() };
    let start = Instant::now();
    let report = run(labels.collect(), options, None).await;
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
    assert_eq!(report.runs.len(), hostile.len() + 1);
    for run in &report.runs {
        if run.name == "good" {
            assert_eq!(version(run), "1.0");
        } else {
            assert!(why(run).contains(&server.base), "{}: {}", run.name, why(run));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_that_takes_too_long_ends_without_the_others() {
    let server = Server::start(|request| match request.path.as_str() {
        "/slow" => Response::page("2.0").after(Duration::from_mins(5)),
        _ => Response::page("1.0"),
    })
    .await;
    let labels = vec![
        version_at("good", &server.base),
        version_at("slow", &format!("{}/slow", server.base)),
    ];
    let options = LiveOptions { label_time: Duration::from_secs(5), ..options() };
    let report = run(labels, options, None).await;
    assert_eq!(version(&report.runs[0]), "1.0");
    assert_eq!(why(&report.runs[1]), "the label takes too long");
}
