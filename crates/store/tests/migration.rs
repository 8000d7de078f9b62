//! Stores of older versions of the program.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use appstitch_store::{ServedSizes, Store, StoreAddress, StoreError};
use rusqlite::Connection;

const V1: &str = include_str!("../migrations/sqlite/V1__catalog.sql");
const V2: &str = include_str!("../migrations/sqlite/V2__fetched.sql");
const V3: &str = include_str!("../migrations/sqlite/V3__served.sql");
const V4: &str = include_str!("../migrations/sqlite/V4__origin.sql");

/// An empty store with the schema of these migrations.
async fn older_store(folder: &Path, migrations: &[&str]) -> Connection {
    drop(Store::open(&address(folder)).await.unwrap());
    let connection = Connection::open(file(folder)).unwrap();
    let tables: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'refinery_schema_history'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for table in tables {
        connection.execute_batch(&format!("DROP TABLE {table}")).unwrap();
    }
    for migration in migrations {
        connection.execute_batch(migration).unwrap();
    }
    let forget = "DELETE FROM refinery_schema_history WHERE version > ?1";
    connection.execute(forget, [i64::try_from(migrations.len()).unwrap()]).unwrap();
    connection
}

fn file(folder: &Path) -> PathBuf {
    folder.join("catalog.db")
}

fn address(folder: &Path) -> StoreAddress {
    StoreAddress::Sqlite(file(folder))
}

const CONTENT: &str = "INSERT INTO document VALUES ('cask_catalog', 'a', x'00ff');
    INSERT INTO record VALUES ('ant', '{}'), ('zebra', '{}');";

#[tokio::test]
async fn the_first_schema_is_migrated_and_keeps_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    older_store(folder.path(), &[V1]).await.execute_batch(CONTENT).unwrap();
    let contents = Store::open(&address(folder.path())).await.unwrap().load().await.unwrap();
    let slugs: Vec<_> = contents.records.iter().map(|record| record.slug.as_str()).collect();
    assert_eq!(slugs, ["ant", "zebra"]);
    assert_eq!(contents.documents.len(), 1);
    assert_eq!(contents.documents[0].body[..], [0, 255]);
    assert_eq!(contents.documents[0].origin, "", "the origin is unknown");
}

#[tokio::test]
async fn validators_without_an_origin_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let connection = older_store(folder.path(), &[V1, V2, V3]).await;
    connection
        .execute("INSERT INTO fetched VALUES ('https://a.example', '\"1\"', NULL)", [])
        .unwrap();
    drop(connection);
    let store = Store::open(&address(folder.path())).await.unwrap();
    assert_eq!(store.fetched().await.unwrap(), []);
}

#[tokio::test]
async fn an_older_store_can_be_read_without_migrating_it() -> Result<(), StoreError> {
    for migrations in [&[V1][..], &[V1, V2], &[V1, V2, V3]] {
        let folder = tempfile::tempdir().unwrap();
        older_store(folder.path(), migrations).await.execute_batch(CONTENT).unwrap();
        let store = Store::open_to_read(&address(folder.path())).await?;
        let contents = store.load().await?;
        assert_eq!((contents.records.len(), contents.documents.len()), (2, 1));
        assert_eq!(store.fetched().await?, []);
        assert!(store.journal().await?.head.epoch.is_empty(), "there is no journal");
        let prepare = |_: ServedSizes| Vec::new();
        assert!(store.served("ours", "resolution/", prepare, Vec::push).await?.is_none());
        let sources = store.summary("resolution/").await?.sources;
        assert_eq!(sources.states, []);
        assert_eq!(sources.documents["cask_catalog"], 1);
    }
    Ok(())
}

#[tokio::test]
async fn a_journal_without_patch_titles_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(&address(folder.path())).await.unwrap());
    let older = "DROP TABLE patch_title;
        DELETE FROM refinery_schema_history WHERE version = 11;
        UPDATE journal SET epoch = '0a1b2c3d'";
    Connection::open(file(folder.path())).unwrap().execute_batch(older).unwrap();
    let store = Store::open_to_read(&address(folder.path())).await.unwrap();
    let journal = store.journal().await.unwrap();
    assert_eq!((journal.head.epoch.as_str(), journal.patch_titles.len()), ("0a1b2c3d", 0));
}

/// A store of the fourth schema with a label, its resolution, and a cask of two origins.
async fn fourth(folder: &Path) {
    let content = "INSERT INTO document (source, key, origin, body) VALUES
            ('cask_catalog', 'a', 'https://a.example', x'00'),
            ('cask_catalog', 'a', 'https://b.example', x'01'),
            ('label_tool', 'fragment/zoom.sh', 'upload', x'00'),
            ('label_tool', 'resolution/zoom.sh', 'resolved', x'00');
        INSERT INTO fetched VALUES ('cask_catalog', 'https://a.example', '\"1\"', NULL, 'reader');
        INSERT INTO revision VALUES (7, 'token', '2026-03-05T06:07:08Z', 'hash', 1, 1, 1, 0, 0);
        UPDATE edition SET number = 9";
    older_store(folder, &[V1, V2, V3, V4]).await.execute_batch(content).unwrap();
}

#[tokio::test]
async fn nothing_is_claimed_about_files_that_an_older_version_received() {
    let folder = tempfile::tempdir().unwrap();
    fourth(folder.path()).await;
    let store = Store::open(&address(folder.path())).await.unwrap();
    let contents = store.load().await.unwrap();
    assert_eq!(contents.source_states, []);
    assert_eq!(
        (contents.documents.len(), contents.fetched.len(), contents.edition.number),
        (4, 1, 9)
    );
    let summary = store.summary("resolution/").await.unwrap();
    assert_eq!(summary.edition.number, 9);
    assert_eq!(summary.revision.unwrap().number, 7);
    let counts = [("cask_catalog".to_owned(), 1), ("label_tool".to_owned(), 1)];
    assert_eq!(summary.sources.documents, counts.into(), "a key of two origins counts once");
}

#[tokio::test]
async fn the_fourth_schema_can_be_read_without_migrating_it() {
    let folder = tempfile::tempdir().unwrap();
    fourth(folder.path()).await;
    let store = Store::open_to_read(&address(folder.path())).await.unwrap();
    assert_eq!(store.load().await.unwrap().source_states, []);
    assert_eq!(store.summary("resolution/").await.unwrap().sources.documents.len(), 2);
}

/// Inserts a stand-in for the sample, with the same number of documents and bytes per source.
fn sample(connection: &Connection) {
    for (source, documents, bytes) in SAMPLE {
        for number in 0..documents {
            // The last document makes up the total size.
            let length = if number + 1 == documents { bytes - (documents - 1) } else { 1 };
            let insert = "INSERT INTO document VALUES (?1, ?2, zeroblob(?3))";
            connection.execute(insert, (source, format!("key {number}"), length)).unwrap();
        }
    }
    let record = include_str!("data/sample_record.json").trim_end();
    connection.execute("INSERT INTO record VALUES ('quicksilver', ?1)", [record]).unwrap();
    connection
        .execute_batch(
            "INSERT INTO record VALUES ('mine', '{}');
             INSERT INTO document VALUES ('label_tool', 'resolution/zoom.sh', x'00')",
        )
        .unwrap();
}

const SAMPLE: [(&str, i64, i64); 5] = [
    ("cask_catalog", 20, 8159),
    ("label_tool", 15, 3152),
    ("mdm_installer", 21, 3323),
    ("recipe_index", 9, 1590),
    ("store_listing", 2, 577),
];

#[tokio::test]
async fn the_sample_of_an_older_store_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    sample(&older_store(folder.path(), &[V1, V2, V3]).await);
    let contents = Store::open(&address(folder.path())).await.unwrap().load().await.unwrap();
    for document in &contents.documents {
        let expected = if document.key.starts_with("resolution/") { "" } else { "sample" };
        assert_eq!(document.origin, expected, "{document:?}");
    }
    let flags: Vec<_> =
        contents.records.iter().map(|record| (record.slug.as_str(), record.is_sample)).collect();
    assert_eq!(flags, [("mine", false), ("quicksilver", true)]);
}

#[tokio::test]
async fn other_data_is_never_taken_for_the_sample() {
    for change in [
        "DELETE FROM document WHERE source = 'cask_catalog' AND key = 'key 0'",
        "UPDATE document SET body = x'0000' WHERE source = 'cask_catalog' AND key = 'key 0'",
        "INSERT INTO document VALUES ('cask_catalog', 'more', x'00')",
        "INSERT INTO document VALUES ('another_source', 'more', x'00')",
        "DELETE FROM document WHERE source = 'store_listing'",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let connection = older_store(folder.path(), &[V1, V2, V3]).await;
        sample(&connection);
        connection.execute_batch(change).unwrap();
        drop(connection);
        let contents = Store::open(&address(folder.path())).await.unwrap().load().await.unwrap();
        assert!(contents.documents.iter().all(|document| document.origin.is_empty()), "{change}");
        assert!(contents.records.iter().all(|record| !record.is_sample), "{change}");
    }
}
