//! Background work that one process does for all that use a store.

use crate::{Store, StoreError, sqlite::DutyFile};

/// Background work that one process does for all that use a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// Delivering webhooks.
    Hooks,
    /// Refreshing at regular intervals.
    Refresh,
}

impl Duty {
    /// A word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Hooks => "hooks",
            Self::Refresh => "refresh",
        }
    }
}

/// The right to do a duty, until it is dropped or the process ends.
#[derive(Debug)]
pub struct DutyLock {
    _file: DutyFile,
}

impl DutyLock {
    /// Whether this process still has the right.
    #[must_use]
    pub const fn is_held(&self) -> bool {
        // The system keeps the lock of a file until it is closed.
        true
    }
}

impl Store {
    /// Takes over a duty; `None` while another process has it, or another store of this process.
    pub async fn take(&self, duty: Duty) -> Result<Option<DutyLock>, StoreError> {
        let file = self.engine.take(duty).await?;
        Ok(file.map(|file| DutyLock { _file: file }))
    }
}
