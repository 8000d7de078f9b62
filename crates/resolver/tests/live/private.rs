//! Private addresses are not requested, in any way.

use std::net::SocketAddr;

use appstitch_resolver::LiveOptions;

use crate::{
    options, run, run_one,
    server::{Response, Server},
    version_at, why,
};

fn careful() -> LiveOptions {
    LiveOptions { allow_private: false, ..options() }
}

#[tokio::test(flavor = "multi_thread")]
async fn private_addresses_and_names_are_refused() {
    let inside = Server::start(|_| Response::page("secret")).await;
    let port = inside.port;
    let addresses = [
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://[::1]:{port}/"),
        format!("http://2130706433:{port}/"),
        "http://10.0.0.1/".to_owned(),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
    ];
    let labels = addresses.iter().enumerate();
    let labels = labels.map(|(number, address)| version_at(&format!("l{number}"), address));
    let report = run(labels.collect(), careful(), None).await;
    assert_eq!(report.runs.len(), addresses.len());
    for run in &report.runs {
        assert!(why(run).contains("private"), "{}: {}", run.name, why(run));
    }
    assert_eq!(inside.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_cannot_lead_inside() {
    let inside = Server::start(|_| Response::page("secret")).await;
    for host in ["127.0.0.1", "localhost", "[::1]"] {
        let location = format!("location: http://{host}:{}/\r\n", inside.port);
        let outside = Server::start(move |_| Response::status("302 Found", &location, "")).await;
        // A fixed address is not checked, so the name acts as a public host.
        let address = SocketAddr::from(([127, 0, 0, 1], outside.port));
        let fixed_addresses = vec![("site.example".to_owned(), address)];
        let start = format!("http://site.example:{}/", outside.port);
        let options = LiveOptions { fixed_addresses, ..careful() };
        let run = run_one(version_at("app", &start), options).await;
        assert_eq!(outside.requests().len(), 1);
        assert!(why(&run).contains("private"), "{host}: {}", why(&run));
    }
    assert_eq!(inside.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_with_a_user_name_is_refused() {
    let server = Server::start(|_| Response::page("1.0")).await;
    let address = server.base.replace("http://", "http://user:word@");
    let run = run_one(version_at("app", &address), options()).await;
    assert!(!why(&run).contains("word"), "{}", why(&run));
    assert_eq!(server.requests().len(), 0);
}
