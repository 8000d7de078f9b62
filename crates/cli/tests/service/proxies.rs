//! Proxies: only the one that is given is used, and private hosts stay out of reach.

use crate::support::{Program, Upstream, casks, run, write_config};

fn output(command: &mut std::process::Command) -> (i32, String) {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

/// A proxy that answers every request itself. Nothing leaves this machine.
fn proxy() -> Upstream {
    Upstream::start(casks(&["a"]))
}

#[test]
fn a_proxy_of_the_environment_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let proxy = proxy();
    // The proxy would connect to a host that is private here.
    let source = ("cask_catalog", vec!["http://localhost:9/cask.json".to_owned()]);
    let config = write_config(folder.path(), &[source]);
    let mut command = Program::command();
    command.args(["refresh", "--store", &store, "--config", &config]);
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env(name, &proxy.base);
    }
    command.env_remove("no_proxy").env_remove("NO_PROXY");
    let (code, text) = output(&mut command);
    assert_eq!((code, proxy.full_responses()), (1, 0), "{text}");
    assert!(text.contains("--allow-private"), "{text}");
}

#[test]
fn the_given_proxy_is_used_for_public_hosts_only_and_its_password_is_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let proxy = proxy();
    let secret = proxy.base.replace("http://", "http://user:sesame@");
    let refresh = |address: &str, proxy: &str| {
        let source = ("cask_catalog", vec![address.to_owned()]);
        let config = write_config(folder.path(), &[source]);
        let mut command = Program::command();
        command.args(["refresh", "--store", &store, "--config", &config]);
        let (code, text) = output(command.env("APPSTITCH_PROXY", proxy));
        assert!(!text.contains("sesame"), "{text}");
        (code, text)
    };
    for private in ["http://localhost:9/", "http://127.0.0.1:9/", "http://[fec0::1]/"] {
        let (code, text) = refresh(private, &secret);
        assert_eq!((code, proxy.full_responses()), (1, 0), "{private}: {text}");
    }
    let (code, text) = refresh("http://1.1.1.1/cask.json", &secret);
    assert_eq!((code, proxy.full_responses()), (0, 1), "{text}");
    let (code, text) = refresh("http://1.1.1.1/", "socks5://user:sesame@127.0.0.1");
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("invalid proxy"), "{text}");
    // A proxy that is down; the first of several attempts is enough to see the message.
    let down = "http://user:sesame@127.0.0.1:9";
    let (code, text) = refresh("http://1.1.1.1/", down);
    assert_eq!(code, 1, "{text}");
    let (code, _, stderr) = run(&["refresh", "--proxy", "user:sesame@host"]);
    assert_eq!((code, stderr.contains("sesame")), (2, false), "{stderr}");
}
