//! The token goes to the API host and nowhere else.

use appstitch_resolver::{LiveOptions, ResolverError, Secret, run_labels};

use crate::{
    label, options, run, run_one,
    server::{Request, Response, Server},
    version, version_at,
};

fn with_token(api_host: String) -> LiveOptions {
    LiveOptions { github_token: Secret::new("abc123abc123abc123"), api_host, ..options() }
}

fn authorization(request: &Request) -> Option<&str> {
    request.header("authorization")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_is_sent_to_the_api_host_only() {
    let api = Server::start(|_| Response::page("1.0")).await;
    let site = Server::start(|_| Response::page("2.0")).await;
    let same_address = format!("http://localhost:{}", api.port);
    let labels = vec![
        version_at("api", &api.base),
        version_at("site", &site.base),
        // Another name for the same server is another host.
        version_at("other_name", &format!("{same_address}/other")),
    ];
    run(labels, with_token(api.base.clone()), None).await;
    for request in api.requests() {
        let expected = (request.path == "/").then_some("Bearer abc123abc123abc123");
        assert_eq!(authorization(&request), expected, "{request:?}");
    }
    assert_eq!(site.requests().iter().find_map(authorization), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_does_not_follow_a_redirect() {
    let site = Server::start(|_| Response::page("2.0")).await;
    let location = format!("location: {}/download\r\n", site.base);
    let api = Server::start(move |_| Response::status("302 Found", &location, "")).await;
    let run = run_one(version_at("app", &api.base), with_token(api.base.clone())).await;
    assert_eq!(version(&run), "2.0");
    assert!(authorization(&api.requests()[0]).is_some());
    assert_eq!(site.requests().iter().find_map(authorization), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_is_for_https_unless_told_otherwise() {
    let api = Server::start(|_| Response::page("1.0")).await;
    let https = api.base.replace("http:", "https:");
    run_one(version_at("app", &api.base), with_token(https)).await;
    assert_eq!(api.requests().iter().find_map(authorization), None);
    assert_eq!(LiveOptions::default().api_host, "https://api.github.com");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_token_is_reported_and_not_sent_again() {
    let api = Server::start(|request| match authorization(request) {
        Some(_) => Response::status("401 Unauthorized", "", ""),
        None => Response::page("1.0"),
    })
    .await;
    let labels: Vec<_> = (0..3)
        .map(|number| version_at(&format!("l{number}"), &format!("{}/{number}", api.base)))
        .collect();
    let options = LiveOptions { labels_at_once: 1, ..with_token(api.base.clone()) };
    let report = run(labels, options, None).await;
    assert!(report.network.token_rejected);
    assert!(report.runs.iter().all(|run| version(run) == "1.0"));
    assert_eq!(api.requests().iter().filter_map(authorization).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_with_credentials_of_its_own_gets_no_token() {
    let api = Server::start(|_| Response::page("1.0")).await;
    let lines = format!("appNewVersion=$(curl -fs -H 'Authorization: mine' {})", api.base);
    run_one(label("app", &lines), with_token(api.base.clone())).await;
    assert_eq!(authorization(&api.requests()[0]), Some("mine"));
}

#[tokio::test]
async fn an_invalid_api_host_is_an_error() {
    for host in ["", "api.github.com", "data:text/plain,x"] {
        let result = run_labels(Vec::new(), with_token(host.to_owned()), None, &|_| {}).await;
        assert!(matches!(result, Err(ResolverError::ApiHost(_))), "{host:?}");
    }
}
