//! The PostgreSQL engine: one database for any number of processes.
//!
//! Each operation takes a connection from a small pool and runs in one transaction with a time limit.
//! Whatever fails because the server is not there, or not there yet, is [`StoreError::Unavailable`].

mod address;
mod answers;
mod batch;
mod columns;
mod commit;
mod connect;
mod dump;
mod failure;
mod hooks;
mod journal;
mod journal_head;
mod label_runs;
mod listen;
mod open;
mod password;
mod pool;
mod read;
mod read_sources;
mod replace;
mod served;
mod session_lock;
mod shared_state;
mod text;
mod tls;
mod turn;
mod write;

use std::{fmt, sync::Arc, time::Duration};

use jiff::Timestamp;
use tokio::sync::mpsc;

use crate::{
    Change, Contents, Duty, Edition, FailPoint, FetchedFrom, HookStep, HookWrite, Losses,
    LostEdition, Revision, ServedApp, ServedBy, ServedSizes, ServedState, StoreError, StoreSummary,
    StoredAnswer, StoredDelivery, StoredHook, StoredJournal, StoredLabelRun, StoredRefresh,
    backup::Piece,
};
pub use address::PostgresAddress;
use connect::Connector;
use failure::within;
pub(crate) use listen::Listener;
use pool::Pool;
pub(crate) use session_lock::SessionLock;
pub(crate) use turn::PublishTurn;

/// How long reading or writing a few rows may take.
const FEW: Duration = Duration::from_secs(15);

/// How long reading or writing many rows may take.
const MANY: Duration = Duration::from_mins(2);

/// An open PostgreSQL store.
#[derive(Clone)]
pub(crate) struct PostgresStore {
    pool: Arc<Pool>,
}

/// Runs work with a connection, within a time. Only a connection whose work succeeded is used again.
/// The work is boxed, because the states of all the statements in it are large.
macro_rules! with_connection {
    ($store:expr, $time:expr, $client:ident => $work:expr) => {{
        let mut lease = $store.pool.lease().await?;
        let $client = &mut *lease;
        let result = within($time, Box::pin($work)).await?;
        lease.give_back();
        Ok(result)
    }};
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

    pub(crate) async fn load(&self) -> Result<Contents, StoreError> {
        FailPoint::Read.reach()?;
        with_connection!(self, MANY, client => read::contents(client))
    }

    pub(crate) async fn served<A: Send + 'static>(
        &self,
        rules: String,
        uncounted: &'static str,
        prepare: fn(ServedSizes) -> A,
        take: fn(&mut A, ServedApp),
    ) -> Result<Option<(A, ServedState)>, StoreError> {
        FailPoint::Read.reach()?;
        with_connection!(self, MANY, client => {
            served::served(client, &rules, uncounted, prepare, take)
        })
    }

    pub(crate) async fn summary(
        &self,
        uncounted: &'static str,
    ) -> Result<StoreSummary, StoreError> {
        with_connection!(self, FEW, client => read::summary(client, uncounted))
    }

    pub(crate) async fn edition(&self) -> Result<Edition, StoreError> {
        with_connection!(self, FEW, client => read::edition(client))
    }

    pub(crate) async fn fetched(&self) -> Result<Vec<FetchedFrom>, StoreError> {
        with_connection!(self, FEW, client => read::fetched(client))
    }

    pub(crate) async fn revisions(&self) -> Result<Vec<Revision>, StoreError> {
        with_connection!(self, MANY, client => read::revisions(client))
    }

    pub(crate) async fn journal(&self) -> Result<StoredJournal, StoreError> {
        with_connection!(self, MANY, client => journal::read(client))
    }

    pub(crate) async fn served_before(
        &self,
    ) -> Result<Option<(ServedBy, Vec<ServedApp>)>, StoreError> {
        with_connection!(self, MANY, client => served::before(client))
    }

    pub(crate) async fn commit(&self, change: Change) -> Result<Edition, StoreError> {
        Box::pin(commit::commit(&self.pool, &change)).await
    }

    pub(crate) async fn label_runs(&self) -> Result<Vec<StoredLabelRun>, StoreError> {
        with_connection!(self, FEW, client => label_runs::all(client))
    }

    pub(crate) async fn put_label_runs(&self, runs: Vec<StoredLabelRun>) -> Result<(), StoreError> {
        with_connection!(self, FEW, client => label_runs::put(client, &runs))
    }

    pub(crate) async fn answer(&self, key: String) -> Result<Option<StoredAnswer>, StoreError> {
        with_connection!(self, FEW, client => answers::find(client, key))
    }

    pub(crate) async fn keep_answers(
        &self,
        answers: Vec<StoredAnswer>,
        used: Vec<String>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        with_connection!(self, MANY, client => answers::keep(client, &answers, &used, now))
    }

    pub(crate) async fn prune_label_runs(
        &self,
        unused_since: Timestamp,
        most_bytes: u64,
    ) -> Result<(), StoreError> {
        with_connection!(self, MANY, client => async {
            label_runs::forget_before(client, unused_since).await?;
            answers::prune(client, unused_since, most_bytes).await
        })
    }

    pub(crate) async fn hooks(&self) -> Result<Vec<StoredHook>, StoreError> {
        with_connection!(self, FEW, client => hooks::all(client))
    }

    pub(crate) async fn put_hook(
        &self,
        hook: StoredHook,
        read: Option<u64>,
        most: usize,
    ) -> Result<HookWrite, StoreError> {
        with_connection!(self, FEW, client => hooks::put(client, &hook, read, most))
    }

    pub(crate) async fn remove_hook(&self, id: String) -> Result<bool, StoreError> {
        with_connection!(self, FEW, client => hooks::remove(client, &id))
    }

    pub(crate) async fn record_delivery(
        &self,
        id: String,
        step: Option<HookStep>,
        delivery: Option<StoredDelivery>,
        keep: usize,
    ) -> Result<bool, StoreError> {
        with_connection!(self, FEW, client => {
            hooks::record(client, &id, step.as_ref(), delivery.as_ref(), keep)
        })
    }

    pub(crate) async fn deliveries(&self, id: String) -> Result<Vec<StoredDelivery>, StoreError> {
        with_connection!(self, FEW, client => hooks::deliveries(client, &id))
    }

    pub(crate) async fn dump(&self, send: mpsc::Sender<Piece>) -> Result<(), StoreError> {
        with_connection!(self, replace::WRITING, client => dump::dump(client, &send))
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

    pub(crate) async fn has_seen(&self, edition: Edition) -> Result<bool, StoreError> {
        with_connection!(self, FEW, client => shared_state::has_seen(client, &edition))
    }

    pub(crate) async fn note_loss(&self, lost: LostEdition) -> Result<bool, StoreError> {
        with_connection!(self, FEW, client => shared_state::note_loss(client, &lost))
    }

    pub(crate) async fn losses(&self) -> Result<Losses, StoreError> {
        with_connection!(self, FEW, client => shared_state::losses(client))
    }

    pub(crate) async fn last_refresh(&self) -> Result<Option<StoredRefresh>, StoreError> {
        with_connection!(self, FEW, client => shared_state::last_refresh(client))
    }

    pub(crate) async fn note_refresh(&self, refresh: StoredRefresh) -> Result<(), StoreError> {
        with_connection!(self, FEW, client => shared_state::note_refresh(client, &refresh))
    }

    pub(crate) async fn lock(&self, duty: Duty) -> Result<Option<SessionLock>, StoreError> {
        SessionLock::take(self.pool.connector(), duty).await
    }

    pub(crate) async fn turn(&self) -> Option<PublishTurn> {
        PublishTurn::take(&self.pool).await
    }

    pub(crate) fn listen(&self) -> Listener {
        Listener::start(self.pool.connector().clone())
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}
