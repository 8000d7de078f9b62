//! A schedule with a real store and files as upstreams.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{path::Path, sync::Arc, time::Duration};

use appstitch_network::NetworkAccess;
use appstitch_publish::{BackgroundPriority, Publisher};
use appstitch_refresh::{RefreshPhase, RefreshResult, Schedule, ScheduleStatus, UpstreamConfig};
use appstitch_store::{Store, StoreAddress};
use tokio::time::{sleep, timeout};

fn write_casks(folder: &Path, tokens: &[&str]) {
    let casks: Vec<String> = tokens
        .iter()
        .map(|token| format!(r#"{{"token":"{token}","name":["{token}"],"version":"1.0"}}"#))
        .collect();
    std::fs::write(folder.join("cask.json"), format!("[{}]", casks.join(","))).unwrap();
}

fn schedule(folder: &Path, every: Duration) -> Schedule {
    let config = folder.join("upstreams.toml");
    let address = format!("file://{}", folder.join("cask.json").display());
    std::fs::write(&config, format!("[sources]\ncask_catalog = [\"{address}\"]\n")).unwrap();
    Schedule {
        every: Some(every),
        config: UpstreamConfig::read(Some(&config)).unwrap(),
        access: NetworkAccess::default(),
        time_limit: None,
        labels: None,
        told_missing_table: Arc::default(),
    }
}

struct Process {
    publisher: Arc<Publisher>,
    status: Arc<ScheduleStatus>,
    task: tokio::task::JoinHandle<()>,
}

impl Process {
    async fn start(folder: &Path, every: Duration) -> Self {
        let store = Store::open(&StoreAddress::Sqlite(folder.join("catalog.db"))).await.unwrap();
        let publisher = Publisher::open(store.clone(), BackgroundPriority::Normal).await.unwrap();
        let publisher = Arc::new(publisher);
        let status = Arc::new(ScheduleStatus::default());
        let run = schedule(folder, every).run(store, Arc::clone(&publisher), Arc::clone(&status));
        Self { publisher, task: tokio::spawn(run), status }
    }

    async fn wait(&self, wanted: impl Fn(&Self) -> bool) {
        let wait = async {
            while !wanted(self) {
                sleep(Duration::from_millis(20)).await;
            }
        };
        let state = || self.status.now();
        timeout(Duration::from_mins(1), wait).await.unwrap_or_else(|_| panic!("{:?}", state()));
    }

    fn slugs(&self) -> usize {
        usize::try_from(self.publisher.current().stats().total_apps).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_refreshes_at_once_and_again_and_tells_what_failed() {
    let folder = tempfile::tempdir().unwrap();
    write_casks(folder.path(), &["a", "b", "c", "d", "e"]);
    let process = Process::start(folder.path(), Duration::from_millis(200)).await;
    process.wait(|process| process.slugs() == 5).await;
    write_casks(folder.path(), &["a", "b", "c", "d", "e", "f"]);
    process.wait(|process| process.slugs() == 6).await;
    process.wait(|process| process.status.now().counts[0] >= 2).await;
    assert_eq!(process.status.now().last.unwrap().result, RefreshResult::Complete);

    write_casks(folder.path(), &["a"]);
    let failed = |process: &Process| {
        process.status.now().last.is_some_and(|last| last.result == RefreshResult::Failed)
    };
    process.wait(failed).await;
    let why = process.status.now().last.unwrap().why.unwrap();
    assert_eq!(why, "not refreshed: cask_catalog; see the log");
    assert_eq!(process.slugs(), 6, "a source that shrinks keeps its data");
    write_casks(folder.path(), &["a", "b", "c", "d", "e", "g", "h"]);
    process.wait(|process| process.slugs() == 7).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_is_fresh_waits_for_its_time() {
    let folder = tempfile::tempdir().unwrap();
    write_casks(folder.path(), &["a"]);
    let hours = Duration::from_hours(6);
    let first = Process::start(folder.path(), hours).await;
    first.wait(|process| process.status.now().counts[0] == 1).await;
    first.task.abort();
    let _ = first.task.await;

    let second = Process::start(folder.path(), hours).await;
    second.wait(|process| process.status.now().phase == RefreshPhase::Waiting).await;
    let state = second.status.now();
    let ahead = state.next_at.unwrap().duration_since(jiff::Timestamp::now()).as_hours();
    assert!((5..=7).contains(&ahead), "{state:?}");
    assert_eq!(state.counts, [0, 0, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_process_refreshes_and_another_takes_over() {
    let folder = tempfile::tempdir().unwrap();
    write_casks(folder.path(), &["a"]);
    let every = Duration::from_millis(100);
    let first = Process::start(folder.path(), every).await;
    first.wait(|process| process.status.now().counts[0] > 0).await;
    let second = Process::start(folder.path(), every).await;
    first.wait(|process| process.status.now().counts[0] > 3).await;
    second.wait(|process| process.status.now().phase == RefreshPhase::Elsewhere).await;
    assert_eq!(second.status.now().counts, [0, 0, 0]);
    // Both report how the last refresh of either ended.
    write_casks(folder.path(), &[]);
    let failed = |process: &Process| {
        process.status.now().last.is_some_and(|last| last.result == RefreshResult::Failed)
    };
    first.wait(failed).await;
    second.wait(failed).await;
    write_casks(folder.path(), &["a"]);
    first.task.abort();
    let _ = first.task.await;
    second.wait(|process| process.status.now().counts[0] > 0).await;
}
