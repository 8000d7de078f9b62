//! Which process does the work that only one may do. Several servers can use one store, but each
//! message is sent by one of them.

use std::fs::File;

use crate::postgres::SessionLock;

/// Work that one process at a time does for all that use a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// Delivering the messages of webhooks.
    Hooks,
    /// Fetching the sources by a schedule.
    Refresh,
}

/// The right to do a duty, until it is dropped or lost, or the process ends.
#[derive(Debug)]
pub struct DutyLock(Held);

#[derive(Debug)]
enum Held {
    File { _file: File },
    Session(SessionLock),
}

impl DutyLock {
    pub(crate) fn of_file(file: File) -> Self {
        Self(Held::File { _file: file })
    }

    pub(crate) fn of_session(session: SessionLock) -> Self {
        Self(Held::Session(session))
    }

    /// Whether this process still has the right. A process that is cut off from a database loses it.
    #[must_use]
    pub fn is_held(&self) -> bool {
        match &self.0 {
            Held::File { .. } => true,
            Held::Session(session) => session.is_held(),
        }
    }

    /// Returns when the right is lost.
    pub async fn lost(&self) {
        match &self.0 {
            Held::File { .. } => std::future::pending().await,
            Held::Session(session) => session.lost().await,
        }
    }

    /// Gives the right back, so that another process can have it at once. A lock that is only dropped
    /// is given back a moment later.
    pub async fn release(self) {
        if let Held::Session(session) = self.0 {
            session.release().await;
        }
    }
}
