//! A publisher with its own store, and small upstream files.

use std::{path::PathBuf, sync::Arc};

use appstitch_publish::{
    BackgroundPriority, CatalogChange, PublishError, Published, Publisher, SourceUpload,
    StayingOrigin, Tally,
};
use appstitch_sources::{Upstream, fetch::Validators};
use appstitch_store::{Store, StoreAddress};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

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
        let own = documents.into_iter().filter(|document| document.source == source);
        own.map(|document| document.key).collect()
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

    fn file(&self) -> PathBuf {
        self.folder.path().join("catalog.db")
    }
}

pub(crate) fn read(upstream: Upstream, origin: &str, file: &str) -> SourceUpload {
    let mut tally = Tally::default();
    let (origin, file) = (origin.to_owned(), file.as_bytes());
    let upload = SourceUpload::read(upstream, origin, file, 1 << 20, &mut tally);
    assert_eq!(tally.problems, []);
    upload.unwrap()
}

pub(crate) fn fetched(upstream: Upstream, address: &str, file: &str, etag: &str) -> SourceUpload {
    let validators = Validators { etag: Some(etag.to_owned()), last_modified: None };
    SourceUpload { validators, ..read(upstream, address, file) }
}

pub(crate) fn casks(tokens: &[&str]) -> String {
    let cask = |token: &&str| json!({"token": token, "name": [token.to_uppercase()], "version": "1.0", "artifacts": [{"app": [format!("{token}.app")]}]});
    tokens.iter().map(cask).collect::<Value>().to_string()
}

pub(crate) fn listing(bundle_ids: &[&str]) -> String {
    let entry = |id: &&str| json!({"kind": "mac-software", "bundleId": id});
    json!({"results": bundle_ids.iter().map(entry).collect::<Value>()}).to_string()
}
