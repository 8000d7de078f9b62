//! The operations of a store, which every engine has with the same results.

use std::fmt::Debug;

use futures_util::future::{self, BoxFuture};
use jiff::Timestamp;

use crate::{
    backup::{Form, PieceReceiver, PieceSender},
    change::Change,
    contents::{
        Contents, FetchedFrom, Revision, ServedApp, ServedBy, ServedSizes, ServedState,
        StoreSummary,
    },
    duty::{Duty, DutyLock},
    edition::{Edition, Losses, LostEdition},
    error::StoreError,
    hook::{HookStep, HookWrite, StoredDelivery, StoredHook},
    journal::StoredJournal,
    label_run::{StoredLabelRun, StoredResponse},
    publish_permit::PublishPermit,
    source_state::{Remembered, SourceRefresh, StoredRefresh},
    watch::StoreWatch,
};

/// The result of an operation. It is boxed, so that a store can have any engine, and because the
/// states of all the statements in it are large.
pub type StoreFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// A part of the served catalog, on its way from a store.
#[derive(Debug)]
pub enum ServedPart {
    Sizes(ServedSizes),
    /// One app. The apps come in slug order.
    App(ServedApp),
}

/// Keeps the data of a [`Store`](crate::Store).
pub trait Engine: Debug + Send + Sync {
    /// Everything in the store, read in one transaction.
    fn load(&self) -> StoreFuture<'_, Contents>;

    /// Reads what [`Store::served`](crate::Store::served) returns, and gives the apps to `take`.
    fn read_served(
        &self,
        rules: String,
        uncounted: &'static str,
        take: Box<dyn FnMut(ServedPart) + Send>,
    ) -> StoreFuture<'_, Option<ServedState>>;

    /// What is known without reading documents, records or apps. Documents whose key starts with
    /// `uncounted` are not counted.
    fn summary(&self, uncounted: &'static str) -> StoreFuture<'_, StoreSummary>;

    /// The state of the store. Every commit that changes something changes it.
    fn edition(&self) -> StoreFuture<'_, Edition>;

    /// Writes the change in one transaction and returns the store's new edition.
    ///
    /// Fails with [`StoreError::Moved`] and changes nothing if the store is no longer at the
    /// change's base edition, and with [`StoreError::TooNew`] if a newer version has migrated it.
    fn commit(&self, change: Change) -> StoreFuture<'_, Edition>;

    fn fetched(&self) -> StoreFuture<'_, Vec<FetchedFrom>>;

    /// Every revision, oldest first.
    fn revisions(&self) -> StoreFuture<'_, Vec<Revision>>;

    fn journal(&self) -> StoreFuture<'_, StoredJournal>;

    /// The records and the drift of the stored copy of the served catalog, by slug, whatever rules
    /// made them. The other parts of the apps are empty. `None` if there is no copy.
    fn served_before(&self) -> StoreFuture<'_, Option<(ServedBy, Vec<ServedApp>)>>;

    /// The last run of each label, ordered by file.
    fn label_runs(&self) -> StoreFuture<'_, Vec<StoredLabelRun>>;

    /// Writes the last runs of these labels. The edition does not change.
    fn put_label_runs(&self, runs: Vec<StoredLabelRun>) -> StoreFuture<'_, ()>;

    /// The answer that was kept with this key.
    fn response(&self, key: String) -> StoreFuture<'_, Option<StoredResponse>>;

    /// Keeps new answers, and marks those with the keys in `used` as used now. The edition does not
    /// change.
    fn put_responses(
        &self,
        responses: Vec<StoredResponse>,
        used: Vec<String>,
        now: Timestamp,
    ) -> StoreFuture<'_, ()>;

    /// Removes runs and answers that were not used since a time, and then the longest unused answers
    /// until the rest has no more than `most_bytes`. The edition does not change.
    fn prune_label_runs(&self, unused_since: Timestamp, most_bytes: u64) -> StoreFuture<'_, ()>;

    /// All hooks, ordered by name. Writing hooks does not change the edition.
    fn hooks(&self) -> StoreFuture<'_, Vec<StoredHook>>;

    /// Writes the settings of a hook, and increments its generation. `read` is the
    /// generation that the operator's change is based on, and `None` for a new hook. No more than
    /// `most` hooks are kept.
    fn put_hook(
        &self,
        hook: StoredHook,
        read: Option<u64>,
        most: usize,
    ) -> StoreFuture<'_, HookWrite>;

    /// Removes a hook and its deliveries. Returns whether it existed.
    fn remove_hook(&self, id: String) -> StoreFuture<'_, bool>;

    /// Writes the progress of a hook, and the delivery that led to it, in one transaction. Only the
    /// last `keep` deliveries of the hook stay. If the hook is no longer where the step began, only the
    /// delivery is written. Returns whether the step was written.
    fn record_delivery(
        &self,
        id: String,
        step: Option<HookStep>,
        delivery: Option<StoredDelivery>,
        keep: usize,
    ) -> StoreFuture<'_, bool>;

    /// The last deliveries of a hook, newest first.
    fn deliveries(&self, id: String) -> StoreFuture<'_, Vec<StoredDelivery>>;

    /// Whether the store has seen a write. An edition that is too old to be remembered counts as seen.
    fn has_seen(&self, edition: Edition) -> StoreFuture<'_, bool>;

    /// Notes that the store lost an edition, if that is not noted yet. The numbers of its changes are not
    /// used again, and every webhook has to start again. The edition changes, so that every process
    /// reads the store again. Returns whether this is the first note of the loss.
    fn note_loss(&self, lost: LostEdition) -> StoreFuture<'_, bool>;

    fn losses(&self) -> StoreFuture<'_, Losses>;

    /// How the last scheduled refresh of any process ended.
    fn last_refresh(&self) -> StoreFuture<'_, Option<StoredRefresh>>;

    /// Notes how a scheduled refresh ended. The edition does not change.
    fn note_refresh(&self, refresh: StoredRefresh) -> StoreFuture<'_, ()>;

    /// How refreshing each source went, ordered by source.
    fn source_refreshes(&self) -> StoreFuture<'_, Vec<SourceRefresh>>;

    /// Writes how refreshing these sources went. The edition does not change.
    fn put_source_refreshes(&self, refreshes: Vec<SourceRefresh>) -> StoreFuture<'_, ()>;

    /// What the fetching of a source remembers.
    fn refresh_memory(&self, source: String) -> StoreFuture<'_, Option<String>>;

    /// The edition does not change.
    fn put_refresh_memory(&self, source: String, body: String) -> StoreFuture<'_, ()>;

    /// Makes this process the one that does a duty. `None` if another process does.
    fn lock(&self, duty: Duty) -> StoreFuture<'_, Option<DutyLock>>;

    /// Waits until no other process publishes, but not for long: the other one may hang. Processes
    /// seldom share a file, so an engine need not make them wait.
    fn publish_permit(&self) -> BoxFuture<'_, PublishPermit> {
        Box::pin(future::ready(PublishPermit::default()))
    }

    /// Notices when other processes may have changed the store. Needs a runtime.
    fn watch(&self) -> StoreWatch;

    /// Sends every row of a backup or a copy, as it is at one moment. A store of an older schema is an
    /// error.
    fn dump(&self, send: PieceSender, form: Form) -> StoreFuture<'_, ()>;

    /// Replaces what is served with a copy of another store, and remembers what goes with it, in one
    /// transaction. A store that has documents or manual records of its own is an error, and so is one that
    /// has moved on from its base.
    fn receive(
        &self,
        pieces: PieceReceiver,
        base: Edition,
        memory: Remembered,
    ) -> StoreFuture<'_, ()>;
}
