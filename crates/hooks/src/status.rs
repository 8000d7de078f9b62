//! What an operator sees of a hook and its deliveries. Secrets are not part of it.

use appstitch_feeds::BodyFormat;
use appstitch_store::{JournalPosition, StoredDelivery, StoredHook};
use jiff::Timestamp;
use serde::Serialize;

use crate::{filter::HookFilter, settings::shown_url, stored::Hook};

appstitch_types::words! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum HookState {
        /// It gets every change.
        Enabled = "enabled",
        /// The last attempt failed, and there will be another.
        Failing = "failing",
        /// Nothing is sent until it is enabled.
        Disabled = "disabled",
        /// Nothing is sent: its row in the store is damaged, or another version wrote it.
        Unreadable = "unreadable",
    }
}

impl HookState {
    pub(crate) const fn of(hook: &StoredHook) -> Self {
        if hook.progress.disabled.is_some() {
            Self::Disabled
        } else if hook.progress.attempts > 0 {
            Self::Failing
        } else {
            Self::Enabled
        }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct HookList {
    /// Ordered by name.
    pub hooks: Vec<HookStatus>,
    /// Those that nothing else is known of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<UnreadableHook>,
}

/// A hook that cannot be read from its row in the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnreadableHook {
    pub id: String,
    pub reason: String,
}

/// A hook, without its secrets.
#[derive(Debug, Clone, Serialize)]
pub struct HookStatus {
    pub id: String,
    /// Where it sends, without parts that may be secret.
    pub url: String,
    pub format: BodyFormat,
    pub filter: HookFilter,
    pub state: HookState,
    pub reason: Option<String>,
    /// The token of the last change that was delivered.
    pub cursor: String,
    /// The failed attempts to deliver the same message.
    pub attempts: u32,
    /// The first of these failures.
    pub failing_since: Option<Timestamp>,
    pub next_attempt: Option<Timestamp>,
    /// Until when the previous secret signs, too.
    pub previous_secret_until: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl HookStatus {
    pub(crate) fn of(hook: Hook, now: Timestamp) -> Self {
        let Hook { stored, filter, format, .. } = hook;
        let state = HookState::of(&stored);
        let StoredHook { id, url, previous_secret, created_at, progress, .. } = stored;
        Self {
            url: shown_url(&url, format),
            id,
            format,
            filter,
            state,
            cursor: token(&progress.cursor),
            attempts: progress.attempts,
            failing_since: progress.failing_since,
            next_attempt: progress.next_attempt.filter(|_| state == HookState::Failing),
            reason: progress.disabled,
            previous_secret_until: previous_secret
                .map(|(_, until)| until)
                .filter(|until| *until > now),
            created_at,
        }
    }
}

fn token(position: &JournalPosition) -> String {
    format!("{}-{}", position.epoch, position.seq)
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeliveryStatus {
    pub at: Timestamp,
    pub webhook_id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub changes: u64,
    pub delivered: bool,
    pub status: Option<u16>,
    pub elapsed_ms: u64,
    pub error: Option<String>,
}

impl From<StoredDelivery> for DeliveryStatus {
    fn from(delivery: StoredDelivery) -> Self {
        let StoredDelivery { at, message, kind, changes, status, elapsed_ms, error } = delivery;
        let delivered = error.is_none();
        Self { at, webhook_id: message, kind, changes, delivered, status, elapsed_ms, error }
    }
}
