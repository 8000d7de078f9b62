//! What an operator can do with hooks.

use std::sync::{Arc, Mutex, PoisonError};

use appstitch_feeds::Links;
use appstitch_network::{FetchError, NetworkAccess};
use appstitch_publish::Publisher;
use appstitch_snapshot::SinceError;
use appstitch_store::{HookProgress, HookWrite, JournalPosition, Store, StoredHook, StoredSecret};
use jiff::{SignedDuration, Timestamp};
use tokio::{
    sync::{Notify, Semaphore, watch},
    task::JoinHandle,
};

use crate::{
    clock::HookTiming,
    counters::HookCounters,
    delivery,
    error::HookError,
    message::Message,
    secret::HookSecret,
    sender::Sender,
    settings::{HookSettings, ID_RULE, is_id},
    shared::{KEPT_DELIVERIES, Shared},
    status::{DeliveryStatus, HookList, HookStatus},
    stored::Hook,
    worker::Worker,
};

const MOST_HOOKS: usize = 50;
/// How long the previous key signs, too.
const ROTATION: SignedDuration = SignedDuration::from_hours(24);
/// How often a change is tried while others change the same hook.
const ATTEMPTS: u32 = 5;
/// How many test messages are on their way at once.
const MOST_TESTS: usize = 4;

pub struct Hooks {
    shared: Arc<Shared>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
pub struct WrittenHook {
    pub status: HookStatus,
    pub is_new: bool,
    /// The generated secret, which is not shown again.
    pub secret: Option<String>,
}

impl Hooks {
    /// The hooks of a store. Nothing is delivered before [`Hooks::start`].
    pub fn new(
        publisher: &Arc<Publisher>,
        store: Store,
        access: &NetworkAccess,
        links: Links,
    ) -> Result<Self, FetchError> {
        Self::with_timing(publisher, store, access, links, HookTiming::default())
    }

    /// The same with other times.
    pub fn with_timing(
        publisher: &Arc<Publisher>,
        store: Store,
        access: &NetworkAccess,
        links: Links,
        timing: HookTiming,
    ) -> Result<Self, FetchError> {
        let shared = Shared {
            store,
            publisher: Arc::downgrade(publisher),
            sender: Sender::new(access, timing.response_timeout)?,
            links,
            clock: timing.clock,
            allow_private: access.allow_private,
            changed: Notify::new(),
            stopping: watch::Sender::new(false),
            tests: Arc::new(Semaphore::new(MOST_TESTS)),
            counters: HookCounters::default(),
            unreadable: Mutex::default(),
        };
        Ok(Self { shared: Arc::new(shared), worker: Mutex::new(None) })
    }

    /// Starts to deliver, on the publisher's background threads.
    pub fn start(&self) {
        let Some(publisher) = self.shared.publisher.upgrade() else { return };
        let worker = Worker::new(Arc::clone(&self.shared));
        let task = publisher.background().spawn(worker.run());
        *self.worker.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
    }

    /// Stops to deliver. Waits for the messages that are on their way.
    pub async fn stop(&self) {
        self.shared.stopping.send_replace(true);
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(worker) = worker {
            // It returns nothing.
            let _ = worker.await;
        }
    }

    #[must_use]
    pub fn counters(&self) -> &HookCounters {
        &self.shared.counters
    }

    pub async fn list(&self) -> Result<HookList, HookError> {
        let now = self.now();
        let mut list = HookList { hooks: Vec::new(), unreadable: Vec::new() };
        for hook in self.shared.hooks().await? {
            match hook {
                Ok(hook) => list.hooks.push(HookStatus::of(hook, now)),
                Err(unreadable) => list.unreadable.push(unreadable),
            }
        }
        Ok(list)
    }

    pub async fn get(&self, id: &str) -> Result<HookStatus, HookError> {
        Ok(HookStatus::of(self.existing(id).await?, self.now()))
    }

    /// Creates or replaces a hook. A new one gets the changes from now on; an existing one goes on
    /// where it is.
    pub async fn put(&self, id: &str, settings: HookSettings) -> Result<WrittenHook, HookError> {
        if !is_id(id) {
            return Err(HookError::Invalid(ID_RULE.to_owned()));
        }
        let given = settings.check(self.shared.allow_private).map_err(HookError::Invalid)?;
        for _ in 0..ATTEMPTS {
            let existing = self.find(id).await?;
            let is_new = existing.is_none();
            let is_bare = existing.as_ref().is_some_and(Hook::is_bare);
            let is_renewed = is_bare || settings.rotate_secret;
            let is_generated = given.is_none() && (is_new || is_renewed);
            let secret = match (&given, &existing) {
                (Some(given), _) => given.clone(),
                (None, Some(existing)) if !is_renewed => existing.secret().clone(),
                _ => HookSecret::generate()?,
            };
            let read = existing.as_ref().map(|hook| hook.stored.generation);
            let hook = self.written(id, &settings, &secret, existing)?;
            match self.shared.store.put_hook(hook.clone(), read, MOST_HOOKS).await? {
                HookWrite::Moved => continue,
                HookWrite::Full => return Err(HookError::Full(MOST_HOOKS)),
                HookWrite::Done => {}
            }
            self.shared.changed.notify_one();
            let status = HookStatus::of(Hook::read(hook)?, self.now());
            tracing::info!(hook = id, is_new, format = status.format.word(), "wrote a hook");
            return Ok(WrittenHook {
                status,
                is_new,
                secret: is_generated.then(|| secret.reveal()),
            });
        }
        Err(HookError::Busy)
    }

    /// The row of a hook with new settings.
    fn written(
        &self,
        id: &str,
        settings: &HookSettings,
        secret: &HookSecret,
        existing: Option<Hook>,
    ) -> Result<StoredHook, HookError> {
        let now = self.now();
        let filter = serde_json::to_string(&settings.filter)
            .map_err(|_| HookError::Invalid("the filter cannot be stored".to_owned()))?;
        let (progress, previous, created_at) = match existing {
            None => (HookProgress::after(self.newest()?), None, now),
            Some(hook) => {
                let (is_same, is_bare) = (hook.secret() == secret, hook.is_bare());
                let stored = hook.stored;
                let previous = match (is_same, is_bare) {
                    (true, _) => stored.previous_secret,
                    (false, false) => Some((stored.secret, now + ROTATION)),
                    (false, true) => None,
                };
                // The same message is repeated with the same identifier. Other content is another
                // message.
                let is_same_message =
                    hook.filter == settings.filter && hook.format == settings.format;
                let progress = HookProgress {
                    pending: stored.progress.pending.filter(|_| is_same_message),
                    // An attempt at another URL may succeed at once.
                    attempts: 0,
                    failing_since: None,
                    next_attempt: None,
                    // It was disabled because of what is given now.
                    disabled: stored.progress.disabled.filter(|_| !is_bare),
                    ..stored.progress
                };
                (progress, previous, stored.created_at)
            }
        };
        Ok(StoredHook {
            id: id.to_owned(),
            url: settings.url.clone(),
            secret: StoredSecret(secret.reveal()),
            previous_secret: previous,
            filter,
            format: settings.format.word().to_owned(),
            created_at,
            progress,
            generation: 0,
        })
    }

    pub async fn remove(&self, id: &str) -> Result<(), HookError> {
        if !self.shared.store.remove_hook(id.to_owned()).await? {
            return Err(HookError::Unknown(id.to_owned()));
        }
        self.shared.changed.notify_one();
        tracing::info!(hook = id, "removed a hook");
        Ok(())
    }

    /// The last deliveries of a hook, newest first.
    pub async fn deliveries(&self, id: &str) -> Result<Vec<DeliveryStatus>, HookError> {
        self.existing(id).await?;
        let deliveries = self.shared.store.deliveries(id.to_owned()).await?;
        Ok(deliveries.into_iter().map(DeliveryStatus::from).collect())
    }

    /// Sends a test message and waits for the response. The cursor does not move, and a disabled hook
    /// can be tested, too.
    pub async fn test(&self, id: &str) -> Result<DeliveryStatus, HookError> {
        let hook = self.existing(id).await?;
        hook.reject_bare()?;
        let permit = Arc::clone(&self.shared.tests).try_acquire_owned();
        let permit = permit.map_err(|_| HookError::Busy)?;
        let publisher = self.shared.publisher.upgrade().ok_or(HookError::Stopped)?;
        let shared = Arc::clone(&self.shared);
        let sending = publisher.background().spawn(async move {
            let at = shared.clock.now();
            let message = Message::test(&hook.stored.id, at, hook.format, &shared.links);
            let (_, delivery) = delivery::send(&shared, &hook, &message).await;
            drop(permit);
            delivery
        });
        let delivery = sending.await.map_err(|_| HookError::Stopped)?;
        tracing::info!(
            hook = id,
            status = delivery.status,
            error = delivery.error,
            "tested a hook"
        );
        let kept = Some(delivery.clone());
        self.shared.store.record_delivery(id.to_owned(), None, kept, KEPT_DELIVERIES).await?;
        Ok(delivery.into())
    }

    /// Sends everything after a position again: the token or number of a change, or a time.
    pub async fn replay(&self, id: &str, since: &str) -> Result<HookStatus, HookError> {
        let cursor = self.position(since)?;
        let now = self.now();
        let hook = self
            .change(id, |progress| {
                if progress.disabled.is_some() {
                    return Err(HookError::Disabled);
                }
                let replay_at = Some(now);
                Ok(HookProgress { replay_at, ..HookProgress::after(cursor.clone()) })
            })
            .await?;
        tracing::info!(hook = id, since = hook.cursor, "replays changes to a hook");
        Ok(hook)
    }

    /// Enables a disabled hook. It goes on where it was.
    pub async fn enable(&self, id: &str) -> Result<HookStatus, HookError> {
        let enabled = |progress: &HookProgress| {
            let replay_at = progress.replay_at;
            let pending = progress.pending.clone();
            let fresh = HookProgress::after(progress.cursor.clone());
            Ok(HookProgress { replay_at, pending, ..fresh })
        };
        self.existing(id).await?.reject_bare()?;
        let hook = self.change(id, enabled).await?;
        tracing::info!(hook = id, "enabled a hook");
        Ok(hook)
    }

    async fn change(
        &self,
        id: &str,
        change: impl Fn(&HookProgress) -> Result<HookProgress, HookError>,
    ) -> Result<HookStatus, HookError> {
        for _ in 0..ATTEMPTS {
            let mut hook = self.existing(id).await?;
            let read = hook.stored.generation;
            hook.stored.progress = change(&hook.stored.progress)?;
            let write = self.shared.store.put_hook(hook.stored.clone(), Some(read), MOST_HOOKS);
            if write.await? == HookWrite::Done {
                self.shared.changed.notify_one();
                return Ok(HookStatus::of(hook, self.now()));
            }
        }
        Err(HookError::Busy)
    }

    async fn existing(&self, id: &str) -> Result<Hook, HookError> {
        self.find(id).await?.ok_or_else(|| HookError::Unknown(id.to_owned()))
    }

    async fn find(&self, id: &str) -> Result<Option<Hook>, HookError> {
        let hooks = self.shared.store.hooks().await?;
        let found = hooks.into_iter().find(|hook| hook.id == id);
        Ok(found.map(Hook::read).transpose()?)
    }

    fn newest(&self) -> Result<JournalPosition, HookError> {
        let snapshot = self.shared.publisher.upgrade().ok_or(HookError::Stopped)?.current();
        let journal = snapshot.journal();
        Ok(JournalPosition { epoch: journal.epoch().to_owned(), seq: journal.newest() })
    }

    /// The position in the journal that `since` names.
    fn position(&self, since: &str) -> Result<JournalPosition, HookError> {
        let snapshot = self.shared.publisher.upgrade().ok_or(HookError::Stopped)?.current();
        let journal = snapshot.journal();
        let seq = journal.position(since, self.now()).map_err(|error| match error {
            SinceError::Gone(_) => HookError::TooOld,
            other => HookError::Invalid(other.to_string()),
        })?;
        Ok(JournalPosition { epoch: journal.epoch().to_owned(), seq })
    }

    fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }
}
