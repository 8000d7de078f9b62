//! A process that is killed while it migrates a store, and two processes that migrate one at once.
//!
//! The killed process is this test's own program, which runs `opens_a_store` alone. It ends without
//! cleaning up before every single statement of every migration, from every earlier schema.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use appstitch_store::{Store, StoreAddress};

/// The address of the store that the other process opens.
const ADDRESS: &str = "APPSTITCH_TEST_STORE";

/// The files of an engine's migrations, oldest first.
fn migrations(engine: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(engine);
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let number = |file: &PathBuf| -> usize {
        let name = file.file_name().unwrap().to_str().unwrap();
        name[1..].split("__").next().unwrap().parse().unwrap()
    };
    files.sort_by_key(number);
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// Statements that make a store of an earlier schema, as the program of that time did.
fn earlier(engine: &str, history: &str, version: usize) -> String {
    let rows: Vec<String> = (1..=version)
        .map(|number| format!("({number}, 'name', '2026-01-01T00:00:00Z', '1')"))
        .collect();
    let tables = migrations(engine)[..version].concat();
    format!(
        "{tables} CREATE TABLE {history} (version INT4 PRIMARY KEY, name VARCHAR(255),
             applied_on VARCHAR(255), checksum VARCHAR(255));
         INSERT INTO {history} VALUES {};",
        rows.join(", ")
    )
}

/// What only the other process runs.
#[tokio::test]
async fn opens_a_store() {
    let Ok(address) = env::var(ADDRESS) else { return };
    let store = Store::open(&address.parse::<StoreAddress>().unwrap()).await.unwrap();
    assert!(store.hooks().await.unwrap().is_empty());
}

/// Another process that opens a store, and crashes after this many statements. Returns whether it
/// crashed.
fn killed(address: &str, statements: usize) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fail-point");
    fs::write(&file, format!("migrate:crash:{statements}")).unwrap();
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "opens_a_store", "--test-threads", "1"])
        .env(ADDRESS, address)
        .env("APPSTITCH_FAIL_POINT", &file)
        .output()
        .unwrap();
    if !output.status.success() {
        assert!(!file.exists(), "it failed: {}", String::from_utf8_lossy(&output.stdout));
    }
    !output.status.success()
}

/// Kills a process at every statement, from one schema. `make` gives the address of a new store of that
/// schema. Returns how often a process was killed.
async fn kill_everywhere(make: impl Fn() -> String) -> usize {
    let mut statements = 0;
    let mut address = make();
    while killed(&address, statements) {
        let store = Store::open(&address.parse().unwrap()).await;
        let store = store.unwrap_or_else(|error| panic!("after {statements}: {error}"));
        assert!(store.load().await.unwrap().records.is_empty());
        drop(store);
        address = make();
        statements += 1;
    }
    statements
}

#[tokio::test]
async fn a_kill_leaves_a_file_of_the_old_schema_or_the_new_one() {
    let mut kills = 0;
    for version in 1..migrations("sqlite").len() {
        let folder = tempfile::tempdir().unwrap();
        let schema = earlier("sqlite", "refinery_schema_history", version);
        let number = std::cell::Cell::new(0);
        kills += kill_everywhere(|| {
            number.set(number.get() + 1);
            let path = folder.path().join(format!("{}.db", number.get()));
            rusqlite::Connection::open(&path).unwrap().execute_batch(&schema).unwrap();
            format!("sqlite:{}", path.display())
        })
        .await;
    }
    assert!(kills > 100, "{kills}");
}

#[tokio::test]
async fn a_kill_leaves_a_database_of_the_old_schema_or_the_new_one() {
    let mut kills = 0;
    for version in 0..migrations("postgres").len() {
        let schema = earlier("postgres", "appstitch_schema_history", version);
        kills += kill_everywhere(|| {
            let url = appstitch_cluster::database();
            if version > 0 {
                appstitch_cluster::execute(&url, &schema);
            }
            url
        })
        .await;
    }
    assert!(kills > 20, "{kills}");
}

#[tokio::test]
async fn of_two_processes_that_migrate_at_once_one_waits() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catalog.db");
        let schema = earlier("sqlite", "refinery_schema_history", 1);
        rusqlite::Connection::open(&path).unwrap().execute_batch(&schema).unwrap();
        let open = |path: PathBuf| {
            let address = format!("sqlite:{}", path.display());
            std::thread::spawn(move || !killed(&address, 1_000_000))
        };
        let processes = [open(path.clone()), open(path.clone()), open(path)];
        assert!(processes.map(|process| process.join().unwrap()).iter().all(|opened| *opened));
    }
}
