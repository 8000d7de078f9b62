//! The files in `deploy/`, held against a running server.

use std::{collections::BTreeSet, path::PathBuf};

use crate::support::{Program, TestServer, succeed};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn file(name: &str) -> String {
    let path = path(name);
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The names of metrics in a text, without the endings that a histogram adds.
fn metric_names(text: &str) -> BTreeSet<String> {
    let is_part = |part: char| part.is_ascii_alphanumeric() || part == '_';
    let names = text.split(|part: char| !is_part(part));
    let is_metric = |name: &&str| name.starts_with("appstitch_") || name.starts_with("process_");
    let names = names.filter(is_metric).filter(|name| !name.ends_with('_'));
    let plain = |name: &str| {
        let endings = ["_bucket", "_sum", "_count"];
        let plain = endings.iter().find_map(|ending| name.strip_suffix(ending));
        plain.unwrap_or(name).to_owned()
    };
    names.map(plain).collect()
}

/// The metrics that a server with everything turned on has.
async fn served() -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("none.toml");
    std::fs::write(&config, "[sources]\n").unwrap();
    let arguments = ["--refresh-every", "6h", "--config", config.to_str().unwrap()];
    let server = TestServer::with(&arguments);
    let response = server.get("/metrics").await;
    let help = response.text().lines().filter_map(|line| line.strip_prefix("# TYPE "));
    help.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[tokio::test]
async fn dashboard_and_alerts_use_metrics_that_are_served_and_documented() {
    let served = served().await;
    assert!(served.len() > 15, "{served:?}");
    for name in ["deploy/grafana-dashboard.json", "deploy/prometheus-rules.yml"] {
        let used = metric_names(&file(name));
        assert!(used.len() > 5, "{name}: {used:?}");
        let unknown: Vec<&String> = used.difference(&served).collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}");
    }
    let manual = file("docs/run-it.md");
    let begins =
        |line: &&str| ["| `appstitch_", "| `process_"].iter().any(|row| line.starts_with(row));
    let rows = manual.lines().filter(begins);
    let documented: BTreeSet<String> =
        rows.flat_map(|row| metric_names(row.split('|').nth(1).unwrap())).collect();
    assert_eq!(documented, served, "the table of metrics in docs/run-it.md");
}

#[test]
fn every_alert_is_explained() {
    let manual = file("docs/run-it.md");
    let rules = file("deploy/prometheus-rules.yml");
    let alerts: Vec<&str> =
        rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(alerts.len() >= 8, "{alerts:?}");
    for alert in alerts {
        assert!(manual.contains(&format!("| `{alert}` |")), "{alert}");
    }
}

/// The arguments of the program in the files that start it as a service.
fn service_arguments() -> Vec<(&'static str, Vec<String>)> {
    let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    let unit = file("deploy/appstitch.service");
    let unit = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let image = file("deploy/Containerfile");
    let image = image.lines().find_map(|line| line.strip_prefix("CMD [")).unwrap();
    let formula = file("deploy/appstitch.rb");
    let formula =
        formula.lines().find_map(|line| line.trim().strip_prefix("run [opt_bin/")).unwrap();
    let quoted = |text: &str| -> Vec<String> {
        text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
    };
    // Python's reader of property lists is the one that knows the format best on this machine.
    let read = "import json, plistlib, sys; json.dump(plistlib.load(sys.stdin.buffer), sys.stdout)";
    let mut python =
        std::process::Command::new(appstitch_setup::installed(appstitch_setup::PYTHON));
    let plist = std::fs::File::open(path("deploy/org.appstitch.serve.plist")).unwrap();
    let plist = succeed(python.args(["-c", read]).stdin(plist));
    let plist: serde_json::Value = serde_json::from_str(&plist).unwrap();
    assert_eq!(plist["Label"], "org.appstitch.serve", "the name of the file");
    let folder = plist["WorkingDirectory"].as_str().unwrap();
    let store = plist["EnvironmentVariables"]["APPSTITCH_STORE"].as_str().unwrap();
    assert_eq!(store, format!("sqlite:{folder}/appstitch.db"));
    let launchd: Vec<String> = serde_json::from_value(plist["ProgramArguments"].clone()).unwrap();
    vec![
        ("appstitch.service", words(unit)[1..].to_vec()),
        ("Containerfile", quoted(image)),
        ("appstitch.rb", quoted(formula)[1..].to_vec()),
        ("org.appstitch.serve.plist", launchd[1..].to_vec()),
    ]
}

#[test]
fn services_are_started_with_options_that_exist() {
    for (name, arguments) in service_arguments() {
        assert_eq!(arguments[..2], ["serve", "--no-sample"], "{name}");
        // With --help, everything before it is checked and nothing runs.
        let help = succeed(Program::command().args(&arguments).arg("--help"));
        assert!(help.contains("Usage: appstitch serve"), "{name}: {help}");
    }
}

#[test]
fn the_dashboard_is_json_and_asks_for_every_panel() {
    let dashboard: serde_json::Value =
        serde_json::from_str(&file("deploy/grafana-dashboard.json")).unwrap();
    for panel in dashboard["panels"].as_array().unwrap() {
        let targets = panel["targets"].as_array().unwrap();
        assert!(targets.iter().all(|target| target["expr"].is_string()), "{panel}");
        assert!(!targets.is_empty() && panel["title"].is_string(), "{panel}");
    }
}
