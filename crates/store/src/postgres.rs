//! The PostgreSQL engine: one database for any number of processes.
//!
//! Each operation takes a connection from a small pool and runs in one transaction with a time limit.
//! Whatever fails because the server is not there, or not there yet, is [`StoreError::Unavailable`].

mod address;
mod batch;
mod columns;
mod commit;
mod connect;
mod dump;
mod failure;
mod hooks;
mod journal;
mod label_runs;
mod listen;
mod open;
mod password;
mod pool;
mod publish_permit;
mod read;
mod replace;
mod responses;
mod served;
mod session_lock;
mod shared_state;
mod source_refresh;
mod text;
mod tls;
mod write;

use std::{fmt, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use tokio::sync::mpsc;

use crate::{
    backup::{Form, Piece, PieceReceiver, PieceSender},
    change::Change,
    contents::{Contents, FetchedFrom, Revision, ServedApp, ServedBy, ServedState, StoreSummary},
    duty::{Duty, DutyLock},
    edition::{Edition, Losses, LostEdition},
    engine::{Engine, ServedPart, StoreFuture},
    error::StoreError,
    fail_point::FailPoint,
    hook::{HookStep, HookWrite, StoredDelivery, StoredHook},
    journal::StoredJournal,
    label_run::{StoredLabelRun, StoredResponse},
    publish_permit::PublishPermit,
    source_state::{Remembered, SourceRefresh, StoredRefresh},
    watch::StoreWatch,
};
pub use address::PostgresAddress;
use connect::Connector;
use failure::within;
use pool::Pool;
use session_lock::SessionLock;

/// The timeouts of reading or writing rows.
const FEW_ROWS: Duration = Duration::from_secs(15);
const MANY_ROWS: Duration = Duration::from_mins(2);

pub(crate) struct PostgresStore {
    pool: Arc<Pool>,
}

/// Runs work with a connection, within a time. Only a connection whose work succeeded is used again.
macro_rules! with_connection {
    ($store:expr, $time:expr, $client:ident => $work:expr) => {
        Box::pin(async move {
            let mut lease = $store.pool.lease().await?;
            let $client = &mut *lease;
            let result = within($time, $work).await?;
            lease.give_back();
            Ok(result)
        })
    };
}

impl PostgresStore {
    pub(crate) async fn open(address: PostgresAddress) -> Result<Self, StoreError> {
        let store = Self::new(address, false).await?;
        let mut lease = store.pool.lease().await?;
        open::migrate(&mut lease).await?;
        lease.give_back();
        Ok(store)
    }

    pub(crate) async fn open_to_read(address: PostgresAddress) -> Result<Self, StoreError> {
        let store = Self::new(address, true).await?;
        let lease = store.pool.lease().await?;
        open::check(&lease).await?;
        lease.give_back();
        Ok(store)
    }

    async fn new(address: PostgresAddress, is_read_only: bool) -> Result<Self, StoreError> {
        let connector = tokio::task::spawn_blocking(move || Connector::new(&address, is_read_only));
        let connector = connector.await.map_err(|_| StoreError::WorkerGone)??;
        Ok(Self { pool: Arc::new(Pool::new(connector)) })
    }

    /// Writes a backup to a database, which may be empty.
    pub(crate) async fn restore(
        address: PostgresAddress,
        receive: mpsc::Receiver<Piece>,
        replaces: bool,
    ) -> Result<Vec<String>, StoreError> {
        let store = Self::new(address, false).await?;
        Box::pin(replace::replace(&store.pool, receive, replaces)).await
    }
}

impl Engine for PostgresStore {
    fn load(&self) -> StoreFuture<'_, Contents> {
        with_connection!(self, MANY_ROWS, client => async {
            FailPoint::Read.reach()?;
            read::contents(client).await
        })
    }

    fn read_served(
        &self,
        rules: String,
        uncounted: &'static str,
        take: Box<dyn FnMut(ServedPart) + Send>,
    ) -> StoreFuture<'_, Option<ServedState>> {
        with_connection!(self, MANY_ROWS, client => async {
            FailPoint::Read.reach()?;
            served::served(client, &rules, uncounted, take).await
        })
    }

    fn summary(&self, uncounted: &'static str) -> StoreFuture<'_, StoreSummary> {
        with_connection!(self, FEW_ROWS, client => read::summary(client, uncounted))
    }

    fn edition(&self) -> StoreFuture<'_, Edition> {
        with_connection!(self, FEW_ROWS, client => read::edition(client))
    }

    fn fetched(&self) -> StoreFuture<'_, Vec<FetchedFrom>> {
        with_connection!(self, FEW_ROWS, client => read::fetched(client))
    }

    fn revisions(&self) -> StoreFuture<'_, Vec<Revision>> {
        with_connection!(self, MANY_ROWS, client => read::revisions(client))
    }

    fn journal(&self) -> StoreFuture<'_, StoredJournal> {
        with_connection!(self, MANY_ROWS, client => journal::read(client))
    }

    fn served_before(&self) -> StoreFuture<'_, Option<(ServedBy, Vec<ServedApp>)>> {
        with_connection!(self, MANY_ROWS, client => served::before(client))
    }

    fn commit(&self, change: Change) -> StoreFuture<'_, Edition> {
        Box::pin(async move { commit::commit(&self.pool, &change).await })
    }

    fn label_runs(&self) -> StoreFuture<'_, Vec<StoredLabelRun>> {
        with_connection!(self, FEW_ROWS, client => label_runs::all(client))
    }

    fn put_label_runs(&self, runs: Vec<StoredLabelRun>) -> StoreFuture<'_, ()> {
        with_connection!(self, FEW_ROWS, client => label_runs::put(client, &runs))
    }

    fn response(&self, key: String) -> StoreFuture<'_, Option<StoredResponse>> {
        with_connection!(self, FEW_ROWS, client => responses::find(client, key))
    }

    fn put_responses(
        &self,
        responses: Vec<StoredResponse>,
        used: Vec<String>,
        now: Timestamp,
    ) -> StoreFuture<'_, ()> {
        with_connection!(self, MANY_ROWS, client => responses::keep(client, &responses, &used, now))
    }

    fn prune_label_runs(&self, unused_since: Timestamp, most_bytes: u64) -> StoreFuture<'_, ()> {
        with_connection!(self, MANY_ROWS, client => async {
            label_runs::forget_before(client, unused_since).await?;
            responses::prune(client, unused_since, most_bytes).await
        })
    }

    fn hooks(&self) -> StoreFuture<'_, Vec<StoredHook>> {
        with_connection!(self, FEW_ROWS, client => hooks::all(client))
    }

    fn put_hook(
        &self,
        hook: StoredHook,
        read: Option<u64>,
        most: usize,
    ) -> StoreFuture<'_, HookWrite> {
        with_connection!(self, FEW_ROWS, client => hooks::put(client, &hook, read, most))
    }

    fn remove_hook(&self, id: String) -> StoreFuture<'_, bool> {
        with_connection!(self, FEW_ROWS, client => hooks::remove(client, &id))
    }

    fn record_delivery(
        &self,
        id: String,
        step: Option<HookStep>,
        delivery: Option<StoredDelivery>,
        keep: usize,
    ) -> StoreFuture<'_, bool> {
        with_connection!(self, FEW_ROWS, client => {
            hooks::record(client, &id, step.as_ref(), delivery.as_ref(), keep)
        })
    }

    fn deliveries(&self, id: String) -> StoreFuture<'_, Vec<StoredDelivery>> {
        with_connection!(self, FEW_ROWS, client => hooks::deliveries(client, &id))
    }

    fn has_seen(&self, edition: Edition) -> StoreFuture<'_, bool> {
        with_connection!(self, FEW_ROWS, client => shared_state::has_seen(client, &edition))
    }

    fn note_loss(&self, lost: LostEdition) -> StoreFuture<'_, bool> {
        with_connection!(self, FEW_ROWS, client => shared_state::note_loss(client, &lost))
    }

    fn losses(&self) -> StoreFuture<'_, Losses> {
        with_connection!(self, FEW_ROWS, client => shared_state::losses(client))
    }

    fn last_refresh(&self) -> StoreFuture<'_, Option<StoredRefresh>> {
        with_connection!(self, FEW_ROWS, client => shared_state::last_refresh(client))
    }

    fn note_refresh(&self, refresh: StoredRefresh) -> StoreFuture<'_, ()> {
        with_connection!(self, FEW_ROWS, client => shared_state::note_refresh(client, &refresh))
    }

    fn source_refreshes(&self) -> StoreFuture<'_, Vec<SourceRefresh>> {
        with_connection!(self, FEW_ROWS, client => source_refresh::all(client))
    }

    fn put_source_refreshes(&self, refreshes: Vec<SourceRefresh>) -> StoreFuture<'_, ()> {
        with_connection!(self, FEW_ROWS, client => source_refresh::put(client, &refreshes))
    }

    fn refresh_memory(&self, source: String) -> StoreFuture<'_, Option<String>> {
        with_connection!(self, FEW_ROWS, client => source_refresh::memory(client, &source))
    }

    fn put_refresh_memory(&self, source: String, body: String) -> StoreFuture<'_, ()> {
        with_connection!(self, FEW_ROWS, client => source_refresh::put_memory(client, &source, &body))
    }

    fn lock(&self, duty: Duty) -> StoreFuture<'_, Option<DutyLock>> {
        Box::pin(async move {
            let lock = SessionLock::take(self.pool.connector(), duty).await?;
            Ok(lock.map(DutyLock::new))
        })
    }

    fn publish_permit(&self) -> BoxFuture<'_, PublishPermit> {
        Box::pin(publish_permit::take(&self.pool))
    }

    fn watch(&self) -> StoreWatch {
        listen::watch(self.pool.connector().clone())
    }

    fn dump(&self, send: PieceSender, form: Form) -> StoreFuture<'_, ()> {
        with_connection!(self, replace::WRITING, client => dump::dump(client, &send, form))
    }

    fn receive(
        &self,
        pieces: PieceReceiver,
        base: Edition,
        memory: Remembered,
    ) -> StoreFuture<'_, ()> {
        Box::pin(replace::receive(&self.pool, pieces.0, base, memory))
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}
