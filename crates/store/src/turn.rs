//! Whose turn it is to publish.

use crate::{Engine, Store, postgres::PublishTurn};

/// The turn of a process to publish. Without it, processes that publish at once would all do the work,
/// and all but one would have to start over. It only saves work: a commit checks for itself that nobody
/// else wrote.
#[must_use]
pub struct Turn(Option<PublishTurn>);

impl Store {
    /// Waits until no other process publishes, but not for long: the other one may hang.
    pub async fn turn(&self) -> Turn {
        Turn(match &self.engine {
            // Processes seldom share a file.
            Engine::Sqlite(_) => None,
            Engine::Postgres(engine) => engine.turn().await,
        })
    }
}

impl Turn {
    /// Lets the next process publish.
    pub async fn end(self) {
        if let Some(turn) = self.0 {
            turn.end().await;
        }
    }
}
