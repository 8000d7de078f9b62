//! A short run of the proof by faults (`cargo xtask faults`): servers and their database are killed and
//! paused while uploads run. Nothing here depends on how long anything takes.

#![cfg(target_os = "linux")]

use std::{path::PathBuf, time::Duration};

use appstitch_faults::{
    FailoverPlan, KillPlan, ReplicaPlan, disturb_mirrors, disturb_replicas, fail_over, fill_disk,
    kill_during_uploads,
};

fn program() -> PathBuf {
    env!("CARGO_BIN_EXE_appstitch").into()
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_lose_nothing_while_they_and_their_database_are_killed_and_paused() {
    let time = Duration::from_secs(20);
    let plan = ReplicaPlan { program: program(), seed: 1, time, prints: true };
    let report = disturb_replicas(&plan).await.unwrap();
    println!("{report}");
    assert!(report.counts.acknowledged > 0 && report.counts.responses > 0, "{report}");
    assert!(!report.counts.faults.is_empty(), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn mirrors_serve_the_bytes_of_their_origin_after_all_were_killed_and_paused() {
    let time = Duration::from_secs(20);
    let plan = ReplicaPlan { program: program(), seed: 1, time, prints: true };
    let report = disturb_mirrors(&plan).await.unwrap();
    println!("{report}");
    assert!(report.counts.acknowledged > 0 && report.counts.responses > 0, "{report}");
    assert!(!report.counts.faults.is_empty(), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_agree_after_a_standby_took_over_with_or_without_the_last_uploads() {
    let plan = FailoverPlan { program: program(), seed: 1, rounds: 4 };
    println!("{}", fail_over(&plan).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_has_the_old_or_the_new_revision_after_a_kill() {
    let plan = KillPlan { program: program(), seed: 1, kills: 20 };
    println!("{}", kill_during_uploads(&plan).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_uploads_and_loses_nothing() {
    let plan = KillPlan { program: program(), seed: 1, kills: 0 };
    println!("{}", fill_disk(&plan, 4).await.unwrap());
}
