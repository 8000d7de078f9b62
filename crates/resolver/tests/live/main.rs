//! Runs labels against real local servers.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod conditional;
mod credentials;
mod hostile;
mod limits;
mod many;
mod offline;
mod private;
mod recording;
mod requests;
mod retries;
mod server;
mod sharing;
mod time_limit;

use std::{path::Path, time::Duration};

use appstitch_resolver::{LabelRun, LabelToRun, LiveOptions, RunReport, run_labels};
use appstitch_store::{Store, StoreAddress};

/// Options for local servers, without pauses.
fn options() -> LiveOptions {
    LiveOptions {
        allow_private: true,
        host_pause: Duration::ZERO,
        retry_pause: Duration::from_millis(10),
        request_timeout: Duration::from_secs(20),
        ..LiveOptions::default()
    }
}

fn label(name: &str, lines: &str) -> LabelToRun {
    LabelToRun {
        file: format!("{name}.sh"),
        name: name.to_owned(),
        text: format!("{name})\nname=\"{name}\"\n{lines}\n;;"),
        last_run: None,
    }
}

fn version_at(name: &str, address: &str) -> LabelToRun {
    label(name, &format!("appNewVersion=$(curl -gfsL \"{address}\")"))
}

async fn run(labels: Vec<LabelToRun>, options: LiveOptions, store: Option<Store>) -> RunReport {
    run_labels(labels, options, store, &|_| {}).await.unwrap()
}

async fn run_one(label: LabelToRun, options: LiveOptions) -> LabelRun {
    let mut report = run(vec![label], options, None).await;
    assert_eq!(report.left, [""; 0]);
    report.runs.pop().unwrap()
}

fn version(run: &LabelRun) -> &str {
    run.arm64.app_new_version.as_ref().unwrap().as_deref().unwrap()
}

fn why(run: &LabelRun) -> String {
    run.arm64.app_new_version.as_ref().unwrap_err().to_string()
}

fn address(folder: &Path) -> StoreAddress {
    StoreAddress::Sqlite(folder.join("catalog.db"))
}
