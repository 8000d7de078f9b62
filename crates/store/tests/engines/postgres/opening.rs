//! Which databases are opened, and what is created in them.

use appstitch_cluster::{database, execute, query};
use appstitch_store::{Change, Edition, Store, StoreAddress, StoreError};

use crate::catalog::{first_change, record};

fn address(url: &str) -> StoreAddress {
    url.parse().unwrap()
}

const TABLES: &str = "SELECT count(*) FROM pg_tables WHERE schemaname NOT LIKE 'pg\\_%' AND schemaname <> 'information_schema'";

#[tokio::test]
async fn a_store_of_a_newer_schema_is_rejected_and_left_alone() {
    let url = database();
    drop(Store::open(&address(&url)).await.unwrap());
    execute(
        &url,
        "INSERT INTO appstitch_schema_history VALUES (999, 'future', '2030-01-01T00:00:00Z', '0')",
    );
    for opened in [Store::open(&address(&url)).await, Store::open_to_read(&address(&url)).await] {
        let error = opened.unwrap_err();
        assert!(matches!(error, StoreError::TooNew { found: 999, .. }), "{error}");
        assert!(!error.is_temporary());
    }
}

#[tokio::test]
async fn a_process_that_is_older_than_the_schema_writes_nothing_more() {
    let url = database();
    let store = Store::open(&address(&url)).await.unwrap();
    let edition = store.commit(first_change()).await.unwrap();
    execute(
        &url,
        "INSERT INTO appstitch_schema_history VALUES (999, 'future', '2030-01-01T00:00:00Z', '0')",
    );
    let change = Change { base_edition: edition.clone(), ..first_change() };
    let error = store.commit(change).await.unwrap_err();
    assert!(matches!(error, StoreError::TooNew { found: 999, .. }), "{error}");
    assert_eq!(store.edition().await.unwrap(), edition);
    assert_eq!(store.load().await.unwrap().documents.len(), 2, "it still reads");
}

#[tokio::test]
async fn a_database_of_another_program_is_rejected_and_left_alone() {
    let url = database();
    execute(&url, "CREATE TABLE notes (text TEXT)");
    let error = Store::open(&address(&url)).await.unwrap_err();
    assert!(matches!(&error, StoreError::ForeignSchema(schema) if schema == "public"), "{error}");
    assert_eq!(query(&url, TABLES), "1");
}

#[tokio::test]
async fn a_database_without_a_store_is_not_created_by_reading() {
    let url = database();
    let error = Store::open_to_read(&address(&url)).await.unwrap_err();
    assert!(matches!(error, StoreError::NoStore), "{error}");
    assert_eq!(query(&url, TABLES), "0");
    let missing = url.replace("appstitch_test", "missing");
    let error = Store::open(&address(&missing)).await.unwrap_err();
    assert!(matches!(&error, StoreError::Postgres(why) if why.contains("3D000")), "{error}");
}

#[tokio::test]
async fn a_schema_in_the_search_path_is_a_store_of_its_own() {
    let url = database();
    let in_schema = |schema: &str| address(&format!("{url}&options=-c%20search_path%3D{schema}"));
    let error = Store::open(&in_schema("one")).await.unwrap_err();
    assert!(matches!(error, StoreError::NoSchema), "{error}");
    execute(&url, "CREATE SCHEMA one; CREATE SCHEMA two");
    let (one, two) = (
        Store::open(&in_schema("one")).await.unwrap(),
        Store::open(&in_schema("two")).await.unwrap(),
    );
    one.commit(first_change()).await.unwrap();
    assert_eq!((one.edition().await.unwrap().number, two.edition().await.unwrap().number), (1, 0));
    assert_eq!(query(&url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0");
}

#[tokio::test]
async fn a_database_that_cannot_hold_every_text_is_rejected() {
    let url = database();
    let name = format!(
        "{}_latin",
        url.split(['/', '?']).find(|part| part.starts_with("appstitch_test")).unwrap()
    );
    execute(
        &url,
        &format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'"),
    );
    let latin = url.replace(name.trim_end_matches("_latin"), &name);
    let error = Store::open(&address(&latin)).await.unwrap_err();
    assert!(matches!(&error, StoreError::Encoding(found) if found == "SQL_ASCII"), "{error}");
}

#[tokio::test]
async fn many_processes_create_one_store() {
    let url = database();
    let opened: Vec<_> = (0..8)
        .map(|_| address(&url))
        .map(|address| tokio::spawn(async move { Store::open(&address).await }))
        .collect();
    for store in opened {
        assert_eq!(store.await.unwrap().unwrap().edition().await.unwrap().number, 0);
    }
    assert_eq!(query(&url, "SELECT count(*) FROM appstitch_schema_history"), "4");
}

#[tokio::test]
async fn many_operations_share_a_few_connections() {
    let url = database();
    let store = Store::open(&address(&url)).await.unwrap();
    let reads: Vec<_> = (0..40)
        .map(|_| store.clone())
        .map(|store| tokio::spawn(async move { store.load().await }))
        .collect();
    for read in reads {
        read.await.unwrap().unwrap();
    }
    let count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let connections: u32 = query(&url, count).parse().unwrap();
    assert!(connections <= 4, "{connections} connections");
    // A failed operation leaves nothing behind.
    let base_edition = Edition { number: 7, mark: String::new() };
    let late = Change { base_edition, put_records: vec![record("late")], ..Change::default() };
    assert!(store.commit(late).await.is_err());
    assert_eq!(store.edition().await.unwrap().number, 0);
}
