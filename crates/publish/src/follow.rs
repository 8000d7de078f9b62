//! Follows a store that other processes write to.

use std::{sync::Arc, time::Duration};

use crate::publisher::Publisher;

/// The shortest time between two polls of the store that requests ask for.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves what other processes write to the store: at once if the store reports a change or a request
/// waits for one, and otherwise within its interval. Never returns.
pub async fn follow(publisher: Arc<Publisher>) {
    let mut watch = publisher.watch_store();
    loop {
        let followed = publisher.follow_store().await;
        // Log only the first failure and the recovery.
        let is_news = publisher.store_state().note(followed.is_ok());
        match followed {
            Err(error) if is_news => {
                tracing::warn!(%error, "cannot read the store; still serving the last revision");
            }
            Ok(()) if is_news => tracing::info!("the store is readable again"),
            _ => {}
        }
        tokio::select! {
            () = watch.changed() => {}
            () = publisher.poll_requested() => tokio::time::sleep(PAUSE).await,
        }
    }
}
