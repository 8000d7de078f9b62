//! Upstreams that send so slowly that they would never end.

use std::{
    process::{Command, Stdio},
    sync::mpsc,
    time::Duration,
};

use appstitch_upstreams::{Delivery, Reply, TestHost};

use crate::support::{Program, Upstream, casks, run, write_config};

/// A server that sends one byte after the other. Returns its URL and a sign for each request.
fn dripping() -> (String, mpsc::Receiver<()>) {
    let (asked, requests) = mpsc::channel();
    let host = TestHost::start(move |_| {
        let _ = asked.send(());
        let delivery = Delivery::Dripping(Duration::from_millis(50));
        Reply::new(200, vec![b' '; 1_000_000]).delivered(delivery)
    });
    (host.unwrap().base(), requests)
}

#[test]
fn a_slow_source_fails_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let (slow, requests) = dripping();
    let good = Upstream::start(casks(&["a"]));
    // The slow source comes first and must leave time for the other.
    let sources = [("label_tool", vec![slow]), ("cask_catalog", vec![good.base.clone()])];
    let config = write_config(folder.path(), &sources);
    let refresh = ["refresh", "--store", &store, "--config", &config, "--allow-private"];
    let (code, stdout, stderr) = run(&[&refresh[..], &["--time-limit", "4s"]].concat());
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("1 app (1 added"), "{stdout}");
    assert!(stderr.contains("was not received within"), "{stderr}");
    assert_eq!(requests.try_iter().count(), 1, "a slow server is not asked again");
}

#[test]
fn an_interrupt_ends_a_refresh_and_publishes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let (slow, requests) = dripping();
    let config = write_config(folder.path(), &[("cask_catalog", vec![slow])]);
    for signal in ["-INT", "-TERM"] {
        let mut command = Program::command();
        command.args(["refresh", "--store", &store, "--config", &config, "--allow-private"]);
        let refresh = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        requests.recv_timeout(Duration::from_mins(1)).unwrap();
        let id = refresh.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let output = refresh.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{signal}: {stderr}");
        assert!(stderr.ends_with("error: interrupted; nothing is published\n"), "{stderr}");
    }
    let (code, stdout, stderr) = run(&["records", "export", "--store", &store]);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
}
