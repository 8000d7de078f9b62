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

/// A place in the journal of changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookPlace {
    /// The epoch of the journal.
    pub epoch: String,
    /// The number of a change; 0 is before the first.
    pub seq: u64,
}

/// A webhook. Times have a precision of milliseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredHook {
    /// The name that the operator gave it.
    pub id: String,
    /// Where to send. It may contain a secret.
    pub url: String,
    /// The key that signs.
    pub secret: StoredSecret,
    /// The key before, which also signs until a time.
    pub previous_secret: Option<(StoredSecret, Timestamp)>,
    /// Which changes are sent, encoded by the caller.
    pub filter: String,
    /// The format of the bodies, in one word.
    pub format: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// How far it is.
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
}

/// How far a hook is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookProgress {
    /// The last change that was delivered.
    pub cursor: HookPlace,
    /// The last change of the delivery that is being tried.
    pub pending: Option<HookPlace>,
    /// When a replay was asked for that is not delivered yet.
    pub replay_at: Option<Timestamp>,
    /// The failed attempts to deliver the same message.
    pub attempts: u32,
    /// The first of these failures.
    pub failing_since: Option<Timestamp>,
    /// Nothing is sent before this time.
    pub next_attempt: Option<Timestamp>,
    /// Why nothing is sent any more.
    pub disabled: Option<String>,
}

impl HookProgress {
    /// The progress of a hook that gets every change after a place.
    #[must_use]
    pub fn after(cursor: HookPlace) -> Self {
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
    /// The hook's generation when it was read.
    pub generation: u64,
    /// The hook's cursor when it was read.
    pub from: HookPlace,
    /// How far the hook is afterwards.
    pub progress: HookProgress,
}

/// One attempt to deliver a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDelivery {
    /// When it started.
    pub at: Timestamp,
    /// The identifier of the message.
    pub message: String,
    /// The type of the message.
    pub kind: String,
    /// The number of changes it tells.
    pub changes: u64,
    /// The status of the answer.
    pub status: Option<u16>,
    /// How long it took.
    pub elapsed_ms: u64,
    /// What went wrong.
    pub error: Option<String>,
}

/// The result of writing a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookWrite {
    /// It is written.
    Done,
    /// Somebody else wrote it since it was read. Nothing is changed.
    Moved,
    /// There are too many hooks. Nothing is changed.
    Full,
}
