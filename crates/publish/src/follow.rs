//! Follows a store that other processes write to.

use std::{sync::Arc, time::Duration};

use tokio::time;

use crate::Publisher;

/// How often the store is checked for changes by other processes.
const INTERVAL: Duration = Duration::from_secs(2);

/// Serves what other processes write to the store. Never returns.
pub async fn follow(publisher: Arc<Publisher>) {
    let mut ticks = time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(time::MissedTickBehavior::Delay);
    let mut store_answers = true;
    loop {
        ticks.tick().await;
        let followed = publisher.follow_store().await;
        // Log only the first failure and the recovery.
        match (&followed, store_answers) {
            (Err(error), true) => {
                tracing::warn!(%error, "cannot read the store; still serving the last revision");
            }
            (Ok(()), false) => tracing::info!("the store is readable again"),
            _ => {}
        }
        store_answers = followed.is_ok();
    }
}
