//! A run without a network ends early.

use appstitch_resolver::{LabelToRun, LiveOptions};
use tokio::net::TcpSocket;

use crate::{
    options, run,
    server::{Response, Server},
    version_at,
};

/// Addresses of servers that are down, on different ports, and what keeps these from everybody else.
fn nobody(count: usize) -> (Vec<String>, Vec<TcpSocket>) {
    let silent = |_| {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        socket
    };
    let bound: Vec<TcpSocket> = (0..count).map(silent).collect();
    let address = |socket: &TcpSocket| format!("http://{}/", socket.local_addr().unwrap());
    (bound.iter().map(address).collect(), bound)
}

fn labels(addresses: &[String]) -> Vec<LabelToRun> {
    let numbered = addresses.iter().enumerate();
    numbered.map(|(number, address)| version_at(&format!("l{number:02}"), address)).collect()
}

fn few_at_once() -> LiveOptions {
    LiveOptions { labels_at_once: 2, total_concurrency: 2, offline_hosts: 5, ..options() }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_hosts_that_fail_end_the_run() {
    let (addresses, _bound) = nobody(40);
    let report = run(labels(&addresses), few_at_once(), None).await;
    assert!(report.network.is_offline());
    assert!(report.left.len() >= 30, "{} labels are left", report.left.len());
    // The same host again and again says nothing about the network.
    let one = vec![addresses[0].clone(); 20];
    let own_paths = one.iter().enumerate().map(|(number, base)| format!("{base}{number}"));
    let report = run(labels(&own_paths.collect::<Vec<_>>()), few_at_once(), None).await;
    assert_eq!((report.runs.len(), report.left.len()), (20, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_answer_shows_that_there_is_a_network() {
    let server = Server::start(|_| Response::page("1.0")).await;
    let (mut addresses, _bound) = nobody(20);
    addresses.insert(0, format!("{}/", server.base));
    let report = run(labels(&addresses), few_at_once(), None).await;
    assert_eq!((report.runs.len(), report.left.len()), (21, 0));
    assert!(!report.network.is_offline());
}
