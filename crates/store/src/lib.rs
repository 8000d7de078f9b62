//! Persistent storage of the catalog: source documents, manual records, the order in which apps
//! were added, every revision, and what changed with it.
//!
//! A store is read as a whole ([`Engine::load`]) and changed in one transaction
//! ([`Engine::commit`]). It does not interpret the documents and records.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use appstitch_store::{Store, StoreAddress};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let address = format!("sqlite:{}", folder.path().join("catalog.db").display());
//! let store = Store::open(&address.parse::<StoreAddress>().unwrap()).await.unwrap();
//! assert_eq!(store.load().await.unwrap().edition.number, 0);
//! # });
//! ```

mod address;
mod backup;
mod change;
mod columns;
mod contents;
mod duty;
mod edition;
mod engine;
mod error;
mod fail_point;
mod hook;
mod journal;
mod label_run;
mod next_version;
mod postgres;
mod publish_permit;
mod rows;
mod schema;
mod source_state;
mod sqlite;
mod store;
mod watch;

pub use address::StoreAddress;
pub use backup::{
    BackupError, BackupKey, BackupSummary, COPY_RULES, Restored, StoreCopy, check_backup,
    check_copy, is_backup, read_backup,
};
pub use change::{Change, NewRevision, RevisionCounts, ServedChange};
pub use contents::{
    Contents, Document, DocumentName, FetchedFrom, Revision, ServedApp, ServedBy, ServedSizes,
    ServedState, StoreSummary, StoredRecord,
};
pub use duty::{Duty, DutyLock};
pub use edition::{Edition, Losses, LostEdition};
pub use engine::{Engine, ServedPart, StoreFuture};
pub use error::StoreError;
pub use fail_point::FailPoint;
pub use hook::{
    HookProgress, HookStep, HookWrite, JournalPosition, StoredDelivery, StoredHook, StoredSecret,
};
pub use journal::{
    JournalChange, JournalHead, JournalRevision, StoredChange, StoredDriftEvent, StoredJournal,
    StoredPatchTitle,
};
pub use label_run::{StoredLabelRun, StoredResponse};
pub use next_version::NextVersion;
pub use postgres::PostgresAddress;
pub use publish_permit::PublishPermit;
pub use source_state::{Remembered, SourceRefresh, SourceState, StoredRefresh, StoredSources};
pub use store::Store;
pub use watch::StoreWatch;
