//! A publisher with its own store, and small upstream files.

use std::{path::PathBuf, sync::Arc};

use appstitch_budget::Budget;
use appstitch_network::Validators;
use appstitch_publish::{
    BackgroundPriority, CatalogChange, PublishError, Published, Publisher, SourceUpload,
    StayingOrigin, Tally,
};
use appstitch_sources::Upstream;
use appstitch_store::{Store, StoreAddress};
use appstitch_types::{SourceStatus, SourceStatusResponse};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The time to which [`Catalog::make_older`] sets everything back.
pub(crate) const LONG_AGO: &str = "2026-03-05T06:07:08Z";

/// A catalog in a temporary directory.
pub(crate) struct Catalog {
    pub(crate) publisher: Arc<Publisher>,
    folder: TempDir,
}

impl Catalog {
    pub(crate) async fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = StoreAddress::Sqlite(folder.path().join("catalog.db"));
        let store = Store::open(&address).await.unwrap();
        let publisher = Publisher::open(store, BackgroundPriority::Normal);
        Self { publisher: Arc::new(publisher.await.unwrap()), folder }
    }

    pub(crate) async fn publish(
        &self,
        uploads: Vec<SourceUpload>,
        staying: &[StayingOrigin],
        allow_shrink: bool,
    ) -> Result<Published, PublishError> {
        let staying = staying.to_vec();
        self.publisher.publish(CatalogChange::Sources { uploads, staying, allow_shrink }).await
    }

    pub(crate) fn slugs(&self) -> Vec<String> {
        self.publisher.current().slugs_starting_with("", 1000).0
    }

    /// The keys of a source's stored documents.
    pub(crate) async fn keys(&self, source: &str) -> Vec<String> {
        let documents = self.store().await.load().await.unwrap().documents;
        let documents = documents.into_iter().filter(|document| document.source == source);
        documents.map(|document| document.key).collect()
    }

    /// The URLs with usable validators.
    pub(crate) async fn validated(&self) -> Vec<String> {
        let fetched = self.publisher.fetched().await.unwrap();
        fetched.into_iter().map(|row| row.address).collect()
    }

    /// Another connection to the store.
    pub(crate) async fn store(&self) -> Store {
        Store::open(&StoreAddress::Sqlite(self.file())).await.unwrap()
    }

    pub(crate) fn edition(&self) -> i64 {
        let connection = Connection::open(self.file()).unwrap();
        connection.query_row("SELECT number FROM edition", [], |row| row.get(0)).unwrap()
    }

    /// Changes the store without the publisher.
    pub(crate) fn sql(&self, statements: &str) {
        Connection::open(self.file()).unwrap().execute_batch(statements).unwrap();
    }

    /// Lets no publisher write until the result is dropped.
    pub(crate) fn locked(&self) -> Connection {
        let writer = Connection::open(self.file()).unwrap();
        writer.execute_batch("BEGIN IMMEDIATE").unwrap();
        writer
    }

    /// As if every source had been received and changed [`LONG_AGO`].
    pub(crate) fn make_older(&self) {
        self.sql(&format!(
            "UPDATE source_state SET received_at = '{LONG_AGO}';
             UPDATE source_state SET changed_at = '{LONG_AGO}' WHERE changed_at IS NOT NULL;
             UPDATE edition SET number = number + 1"
        ));
    }

    /// Makes every write to these tables fail; returns the statements that allow them again.
    pub(crate) fn forbid_writes(&self, tables: &[&str]) -> String {
        let operations = ["INSERT", "UPDATE", "DELETE"];
        let pairs = tables.iter().flat_map(|table| operations.map(|operation| (operation, table)));
        let forbid = pairs.map(|(operation, table)| {
            let trigger = format!("no_{operation}_{table}");
            self.sql(&format!(
                "CREATE TRIGGER {trigger} BEFORE {operation} ON {table}
                 BEGIN SELECT raise(ABORT, '{trigger}'); END"
            ));
            format!("DROP TRIGGER {trigger};")
        });
        forbid.collect()
    }

    /// The state of one source.
    pub(crate) fn status(&self, source: &str) -> SourceStatus {
        status_of(&self.publisher, source)
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("catalog.db")
    }
}

/// The state of one source, as a publisher serves it.
pub(crate) fn status_of(publisher: &Publisher, source: &str) -> SourceStatus {
    let response: SourceStatusResponse =
        serde_json::from_slice(&publisher.source_status()).unwrap();
    response.sources.into_iter().find(|status| status.source == source).unwrap()
}

pub(crate) fn read(upstream: Upstream, origin: &str, file: &str) -> SourceUpload {
    let mut tally = Tally::default();
    let (origin, file) = (origin.to_owned(), file.as_bytes());
    let upload =
        SourceUpload::read(upstream, origin, file, 1 << 20, &mut tally, &mut Budget::default());
    assert_eq!(tally.problems, []);
    upload.unwrap()
}

pub(crate) fn fetched(upstream: Upstream, address: &str, file: &str, etag: &str) -> SourceUpload {
    let validators = Validators { etag: Some(etag.to_owned()), last_modified: None };
    SourceUpload { validators, ..read(upstream, address, file) }
}

/// A URL whose server reported no change.
pub(crate) fn unchanged(upstream: Upstream, address: &str) -> StayingOrigin {
    StayingOrigin { source: upstream.token(), origin: address.to_owned(), is_current: true }
}

pub(crate) fn casks(tokens: &[&str]) -> String {
    let cask = |token: &&str| json!({"token": token, "name": [token.to_uppercase()], "version": "1.0", "artifacts": [{"app": [format!("{token}.app")]}]});
    tokens.iter().map(cask).collect::<Value>().to_string()
}

pub(crate) fn listing(bundle_ids: &[&str]) -> String {
    let entry = |id: &&str| json!({"kind": "mac-software", "bundleId": id});
    json!({"results": bundle_ids.iter().map(entry).collect::<Value>()}).to_string()
}
