//! Delivers: one task that looks at all hooks whenever something changes, and one task per delivery.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use appstitch_publish::Publisher;
use appstitch_store::{Duty, DutyLock, HookProgress, StoreError, StoredHook};
use jiff::{SignedDuration, Timestamp};
use tokio::task::{Id, JoinSet};

use crate::{
    delivery::Attempt,
    message::Message,
    plan::{Planned, Step, plan},
    shared::{KEPT_DELIVERIES, Shared},
    status::HookState,
    stored::Hook,
};

/// How many messages are on their way at once.
const MOST_AT_ONCE: usize = 8;

/// How often the hooks are looked at without a reason: another process may have changed them, or may
/// have stopped to deliver.
const POLL: SignedDuration = SignedDuration::from_secs(10);

pub(crate) struct Worker {
    shared: Arc<Shared>,
    /// Held while this process is the one that delivers.
    lock: Option<DutyLock>,
    /// The hooks that have a message on its way.
    busy: HashMap<Id, String>,
    running: JoinSet<()>,
    store_answers: bool,
}

impl Worker {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            lock: None,
            busy: HashMap::new(),
            running: JoinSet::new(),
            store_answers: true,
        }
    }

    /// Delivers until the publisher is gone, or until it is asked to stop and the messages on their
    /// way have arrived.
    pub(crate) async fn run(mut self) {
        let shared = Arc::clone(&self.shared);
        let mut stopping = shared.stopping.subscribe();
        let Some(mut changes) = shared.publisher.upgrade().map(|publisher| publisher.changes())
        else {
            return;
        };
        while !*stopping.borrow_and_update() {
            changes.borrow_and_update();
            let Some(publisher) = shared.publisher.upgrade() else { return };
            let next = self.round(&publisher).await;
            drop(publisher);
            tokio::select! {
                _ = stopping.changed() => {}
                () = shared.changed.notified() => {}
                gone = changes.changed() => if gone.is_err() { return },
                Some(ended) = self.running.join_next_with_id(), if !self.running.is_empty() => {
                    let id = ended.map_or_else(|error| error.id(), |(id, ())| id);
                    self.busy.remove(&id);
                }
                () = shared.clock.sleep_until(next) => {}
            }
        }
        while self.running.join_next().await.is_some() {}
    }

    /// Starts what is due. Returns when to look again.
    async fn round(&mut self, publisher: &Arc<Publisher>) -> Timestamp {
        let now = self.shared.clock.now();
        let result = self.start_due(publisher, now).await;
        match (&result, self.store_answers) {
            (Err(error), true) => {
                tracing::warn!(%error, "cannot read the hooks from the store; deliveries wait");
            }
            (Ok(_), false) => tracing::info!("the hooks are readable again"),
            _ => {}
        }
        self.store_answers = result.is_ok();
        result.unwrap_or(now + POLL)
    }

    async fn start_due(
        &mut self,
        publisher: &Arc<Publisher>,
        now: Timestamp,
    ) -> Result<Timestamp, StoreError> {
        let mut next = now + POLL;
        let Some(hooks) = self.hooks_to_deliver().await? else { return Ok(next) };
        let mut snapshot = publisher.current();
        let mut is_followed = false;
        let busy: HashSet<String> = self.busy.values().cloned().collect();
        for hook in hooks.into_iter().filter(|hook| !busy.contains(&hook.stored.id)) {
            let mut step = plan(&hook.stored.progress, &hook.filter, snapshot.journal(), now);
            // The cursor may be of a revision that another process published.
            if step.is_reset() && !is_followed {
                if let Err(error) = publisher.follow_store().await {
                    tracing::warn!(hook = hook.stored.id, %error, "cannot read the newest revision; the reset waits");
                    continue;
                }
                is_followed = true;
                snapshot = publisher.current();
                step = plan(&hook.stored.progress, &hook.filter, snapshot.journal(), now);
            }
            match step {
                Step::Nothing => {}
                Step::Wait(time) => next = next.min(time),
                Step::Skip(to) => {
                    let progress = HookProgress::after(to);
                    self.skip(&hook.stored, progress).await?;
                }
                // The end of a delivery is a reason to look again.
                Step::Send(_) if self.running.len() >= MOST_AT_ONCE => {}
                Step::Send(planned) => {
                    let message = Message::planned(
                        &planned,
                        hook.stored.progress.replay_at,
                        hook.format,
                        &self.shared.links,
                        &snapshot,
                        now,
                    );
                    self.start(hook, message, planned);
                }
            }
        }
        Ok(next)
    }

    fn start(&mut self, hook: Hook, message: Message, planned: Planned) {
        let id = hook.stored.id.clone();
        let attempt = Attempt { hook, message, to: planned.to };
        let task = self.running.spawn(attempt.make(Arc::clone(&self.shared)));
        self.busy.insert(task.id(), id);
    }

    async fn skip(&self, hook: &StoredHook, progress: HookProgress) -> Result<(), StoreError> {
        let step = Some(hook.step(progress));
        self.shared
            .store
            .record_delivery(hook.id.clone(), step, None, KEPT_DELIVERIES)
            .await
            .map(drop)
    }

    /// The hooks, if this process is the one that delivers.
    async fn hooks_to_deliver(&mut self) -> Result<Option<Vec<Hook>>, StoreError> {
        let hooks = self.hooks().await?;
        if hooks.is_empty() || self.lock.as_ref().is_some_and(DutyLock::is_held) {
            return Ok(Some(hooks));
        }
        // A process that was cut off from the store has lost its lock, maybe to another process.
        self.lock = None;
        self.lock = self.shared.store.lock(Duty::Hooks).await?;
        if self.lock.is_none() {
            return Ok(None);
        }
        // The process that had the lock may have delivered between the two reads.
        self.hooks().await.map(Some)
    }

    async fn hooks(&self) -> Result<Vec<Hook>, StoreError> {
        let hooks = self.shared.hooks().await?;
        let state = |hook: &Result<Hook, _>| match hook {
            Ok(hook) => HookState::of(&hook.stored),
            Err(_) => HookState::Unreadable,
        };
        self.shared.counters.show(hooks.iter().map(state));
        Ok(hooks.into_iter().flatten().collect())
    }
}
