//! Webhooks as a store keeps them: where to send, what to send, and how far each of them is. It is
//! not part of the catalog, so writing it does not change the store's edition.

use std::fmt;

use jiff::Timestamp;

/// The key of a hook's signatures. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredSecret(pub String);

impl fmt::Debug for StoredSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalPosition {
    pub epoch: String,
    /// The number of a change; 0 is before the first.
    pub seq: u64,
}

/// A webhook. Times have a precision of milliseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredHook {
    pub id: String,
    /// Where to send. It may contain a secret.
    pub url: String,
    pub secret: StoredSecret,
    /// The key before, which also signs until a time.
    pub previous_secret: Option<(StoredSecret, Timestamp)>,
    /// Which changes are sent, encoded by the caller.
    pub filter: String,
    /// The format of the bodies, in one word.
    pub format: String,
    pub created_at: Timestamp,
    pub progress: HookProgress,
    /// The number of writes by the operator.
    pub generation: u64,
}

impl StoredHook {
    /// A step from where the hook is.
    #[must_use]
    pub fn step(&self, progress: HookProgress) -> HookStep {
        HookStep { generation: self.generation, from: self.progress.cursor.clone(), progress }
    }

    /// The generation of the next write. A hook that is removed and created again must not get the
    /// generation it had before: a delivery may still be on its way.
    pub(crate) fn next_generation(&self, found: Option<u64>) -> u64 {
        match found {
            Some(found) => found.saturating_add(1),
            None => u64::try_from(self.created_at.as_millisecond()).unwrap_or_default(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookProgress {
    /// The last change that was delivered.
    pub cursor: JournalPosition,
    /// The last change of the delivery that is being tried.
    pub pending: Option<JournalPosition>,
    /// When a replay was asked for that is not delivered yet.
    pub replay_at: Option<Timestamp>,
    /// The failed attempts to deliver the same message.
    pub attempts: u32,
    /// The first of these failures.
    pub failing_since: Option<Timestamp>,
    /// Nothing is sent before this time.
    pub next_attempt: Option<Timestamp>,
    pub disabled: Option<String>,
}

impl HookProgress {
    /// The progress of a hook that gets every change after a position.
    #[must_use]
    pub fn after(cursor: JournalPosition) -> Self {
        Self {
            cursor,
            pending: None,
            replay_at: None,
            attempts: 0,
            failing_since: None,
            next_attempt: None,
            disabled: None,
        }
    }
}

/// A step of a hook. It counts only if the hook is where the step began: another process may have made
/// it, or the operator may have changed the hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookStep {
    pub generation: u64,
    /// The hook's cursor when it was read.
    pub from: JournalPosition,
    pub progress: HookProgress,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDelivery {
    pub at: Timestamp,
    pub message: String,
    pub kind: String,
    pub changes: u64,
    pub status: Option<u16>,
    pub elapsed_ms: u64,
    pub error: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookWrite {
    Done,
    /// It was written since it was read. Nothing is changed.
    Moved,
    /// There are too many hooks. Nothing is changed.
    Full,
}
