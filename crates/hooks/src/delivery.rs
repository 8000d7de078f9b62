//! One attempt to deliver a message, from fixing its end to writing down how it ended.

use std::{sync::Arc, time::Instant};

use appstitch_store::{HookProgress, JournalPosition, StoreError, StoredDelivery};
use jiff::SignedDuration;

use crate::{
    chance,
    delivery_result::DeliveryResult,
    message::Message,
    schedule::{Failures, Verdict, judge},
    settings::check_url,
    shared::{KEPT_DELIVERIES, Shared},
    stored::Hook,
};

/// How often the result of an attempt is written if the store fails. A result that is lost makes the
/// receiver get the message again.
const WRITES: u32 = 5;
const WRITE_PAUSE: SignedDuration = SignedDuration::from_secs(1);
/// How long a hook rests after the store failed.
const STORE_PAUSE: SignedDuration = SignedDuration::from_secs(10);

pub(crate) struct Attempt {
    pub(crate) hook: Hook,
    pub(crate) message: Message,
    pub(crate) to: JournalPosition,
}

impl Attempt {
    /// Makes the attempt. The cursor moves in the transaction that writes the delivery.
    pub(crate) async fn make(self, shared: Arc<Shared>) {
        match self.fix_end(&shared).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::warn!(hook = self.hook.stored.id, %error, "cannot write to the store; the delivery waits");
                shared.clock.sleep_until(shared.clock.now() + STORE_PAUSE).await;
                return;
            }
        }
        let (result, delivery) = send(&shared, &self.hook, &self.message).await;
        let progress = self.progress_after(&result, &shared);
        self.write(&shared, progress, delivery).await;
    }

    /// Writes down where the message ends, so that a repeat after a crash is the same message. A repeat
    /// writes it again: nothing is sent while the store cannot keep the result. Returns whether the
    /// hook is still as it was read.
    async fn fix_end(&self, shared: &Shared) -> Result<bool, StoreError> {
        let stored = &self.hook.stored;
        let pending = Some(self.to.clone());
        let progress = HookProgress { pending, ..stored.progress.clone() };
        let step = Some(stored.step(progress));
        shared.store.record_delivery(stored.id.clone(), step, None, KEPT_DELIVERIES).await
    }

    fn progress_after(&self, result: &DeliveryResult, shared: &Shared) -> HookProgress {
        let id = &self.hook.stored.id;
        let message = &self.message.id;
        let before = &self.hook.stored.progress;
        let failures = Failures { attempts: before.attempts, since: before.failing_since };
        let verdict = judge(result, failures, shared.clock.now(), chance::fraction());
        let failed = |failures: Failures| HookProgress {
            pending: Some(self.to.clone()),
            attempts: failures.attempts,
            failing_since: failures.since,
            next_attempt: None,
            ..before.clone()
        };
        let error = result.error();
        match verdict {
            Verdict::Delivered => {
                tracing::debug!(hook = id, message, "delivered a message");
                HookProgress::after(self.to.clone())
            }
            Verdict::Again { failures, at } => {
                let attempts = failures.attempts;
                tracing::info!(hook = id, message, attempts, error, next_attempt = %at, "a delivery failed");
                HookProgress { next_attempt: Some(at), ..failed(failures) }
            }
            Verdict::Disable { failures, reason } => {
                tracing::warn!(hook = id, message, reason, "disabled a hook");
                HookProgress { disabled: Some(reason), ..failed(failures) }
            }
        }
    }

    async fn write(&self, shared: &Shared, progress: HookProgress, delivery: StoredDelivery) {
        let stored = &self.hook.stored;
        for _ in 0..WRITES {
            let step = Some(stored.step(progress.clone()));
            let delivery = Some(delivery.clone());
            let id = stored.id.clone();
            match shared.store.record_delivery(id, step, delivery, KEPT_DELIVERIES).await {
                Ok(_) => return,
                Err(error) => {
                    tracing::warn!(hook = stored.id, %error, "cannot write the result of a delivery");
                    shared.clock.sleep_until(shared.clock.now() + WRITE_PAUSE).await;
                }
            }
        }
        shared.clock.sleep_until(shared.clock.now() + STORE_PAUSE).await;
    }
}

/// Sends a message and counts it. Returns how it ended, and what is kept of it.
pub(crate) async fn send(
    shared: &Shared,
    hook: &Hook,
    message: &Message,
) -> (DeliveryResult, StoredDelivery) {
    let at = shared.clock.now();
    let started = Instant::now();
    // The URL may have been stored while the server allowed more.
    let result = match check_url(&hook.stored.url, shared.allow_private) {
        Ok(()) => shared.sender.send(&hook.stored.url, &hook.secrets(at), message, at).await,
        Err(reason) => DeliveryResult::NoResponse(reason),
    };
    shared.counters.count(&result);
    let delivery = StoredDelivery {
        at,
        message: message.id.clone(),
        kind: message.kind.to_owned(),
        changes: message.changes,
        status: result.status(),
        elapsed_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        error: result.error(),
    };
    (result, delivery)
}
