//! What an operator sees of a hook and its deliveries. Secrets are not part of it.

use appstitch_feeds::BodyFormat;
use appstitch_store::{HookPlace, StoredDelivery, StoredHook};
use jiff::Timestamp;
use serde::Serialize;

use crate::{HookFilter, settings::shown_url, stored::Hook};

/// How a hook is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HookState {
    /// It gets every change.
    Enabled,
    /// The last attempt failed, and there will be another.
    Failing,
    /// Nothing is sent until somebody enables it.
    Disabled,
}

impl HookState {
    pub(crate) const ALL: [Self; 3] = [Self::Enabled, Self::Failing, Self::Disabled];

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Failing => "failing",
            Self::Disabled => "disabled",
        }
    }

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

/// A hook, without its secrets.
#[derive(Debug, Clone, Serialize)]
pub struct HookStatus {
    /// Its name.
    pub id: String,
    /// Where it sends, without parts that may be secret.
    pub url: String,
    /// The format of its bodies.
    pub format: BodyFormat,
    /// Which changes it sends.
    pub filter: HookFilter,
    /// How it is.
    pub state: HookState,
    /// Why it is disabled.
    pub reason: Option<String>,
    /// The token of the last change that was delivered.
    pub cursor: String,
    /// The failed attempts to deliver the same message.
    pub attempts: u32,
    /// The first of these failures.
    pub failing_since: Option<Timestamp>,
    /// When the next attempt is made.
    pub next_attempt: Option<Timestamp>,
    /// Until when the previous secret signs, too.
    pub previous_secret_until: Option<Timestamp>,
    /// When it was created.
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

/// The token of a place in the journal.
fn token(place: &HookPlace) -> String {
    format!("{}-{}", place.epoch, place.seq)
}

/// One attempt to deliver a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeliveryStatus {
    /// When it started.
    pub at: Timestamp,
    /// The identifier of the message.
    pub webhook_id: String,
    /// The type of the message.
    #[serde(rename = "type")]
    pub kind: String,
    /// The number of changes it tells.
    pub changes: u64,
    /// Whether it arrived.
    pub delivered: bool,
    /// The status of the answer.
    pub status: Option<u16>,
    /// How long it took.
    pub elapsed_ms: u64,
    /// What went wrong.
    pub error: Option<String>,
}

impl From<StoredDelivery> for DeliveryStatus {
    fn from(delivery: StoredDelivery) -> Self {
        let StoredDelivery { at, message, kind, changes, status, elapsed_ms, error } = delivery;
        let delivered = error.is_none();
        Self { at, webhook_id: message, kind, changes, delivered, status, elapsed_ms, error }
    }
}
