//! Folders and stores that cannot be used.

use std::{fs, process::Command};

use crate::{
    exported::{Exported, code_and_text, output},
    service::support::{Program, TestServer, ndjson, record},
};

#[tokio::test]
async fn a_folder_of_somebody_else_is_not_touched() {
    let live = TestServer::with_records(&[record("a")]).await;
    let exported = Exported::of_file(&live.store());
    fs::create_dir(exported.path()).unwrap();
    fs::write(exported.path().join("thesis.txt"), "years of work").unwrap();
    let (code, printed) = code_and_text(&output(exported.command()).await);
    assert_eq!(code, Some(2), "{printed}");
    assert!(
        printed.starts_with("error: ") && printed.contains("neither empty nor an export"),
        "{printed}"
    );
    assert_eq!(fs::read_dir(exported.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn two_exports_do_not_mix() {
    let live = TestServer::with_records(&[record("a")]).await;
    let exported = Exported::of_file(&live.store());
    exported.run().await;
    let served = exported.current();
    live.upload(&ndjson(&[record("a"), record("b")])).await;
    let lock = fs::File::open(exported.path().join(".appstitch-export")).unwrap();
    lock.lock().unwrap();
    let (code, said) = code_and_text(&output(exported.command()).await);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("another export into") && said.contains("is running"), "{said}");
    assert_eq!(exported.current(), served);
    drop(lock);
    exported.run().await;
    assert_ne!(exported.current(), served);
}

#[tokio::test]
async fn a_disk_without_room_leaves_the_old_export() {
    let live = TestServer::with_records(&[record("a")]).await;
    let exported = Exported::of_file(&live.store());
    exported.run().await;
    let served = exported.current();
    live.upload(&ndjson(&[record("a"), record("b")])).await;
    let (code, said) = code_and_text(&output(exported.command_after("ulimit -f 8")).await);
    assert_eq!(code, Some(3), "{said}");
    let error: Vec<&str> = said.lines().filter(|line| line.starts_with("error: ")).collect();
    assert!(matches!(error[..], [error] if error.contains("File too large")), "{said}");
    assert_eq!(exported.current(), served);
    let releases = fs::read_dir(exported.path().join("releases")).unwrap();
    assert_eq!(releases.count(), 1, "what was written is removed");
    exported.run().await;
    assert_ne!(exported.current(), served);
}

#[tokio::test]
async fn a_store_that_does_not_exist_is_reported_before_a_folder_is_made() {
    let exported = Exported::new("sqlite:/nonexistent/catalog.db");
    let (code, printed) = code_and_text(&output(exported.command()).await);
    assert_eq!(code, Some(3), "{printed}");
    assert!(printed.starts_with("error: cannot open sqlite:/nonexistent/catalog.db"), "{printed}");
    assert!(!exported.path().exists());
    let mut command: Command = Program::command();
    let without_folder = command.arg("export").output().unwrap();
    assert_eq!(without_folder.status.code(), Some(2));
}
