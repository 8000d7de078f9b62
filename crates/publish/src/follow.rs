//! Following a store that other processes write to.

use std::{sync::Arc, time::Duration};

use tokio::time;

use crate::Publisher;

/// How often the store is asked whether somebody else published.
const INTERVAL: Duration = Duration::from_secs(2);

/// Takes over what other processes write into the store, for as long as it is awaited.
pub async fn follow(publisher: Arc<Publisher>) {
    let mut ticks = time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(time::MissedTickBehavior::Delay);
    let mut store_answers = true;
    loop {
        ticks.tick().await;
        let followed = publisher.follow_store().await;
        // Told when it changes, not every time.
        match (&followed, store_answers) {
            (Err(error), true) => {
                tracing::warn!(%error, "the store cannot be read; the last revision is still served");
            }
            (Ok(()), false) => tracing::info!("the store can be read again"),
            _ => {}
        }
        store_answers = followed.is_ok();
    }
}
