//! Hears of commits by other processes.
//!
//! A listener needs a connection of its own, and notifications that are sent while it has none are
//! lost. So it connects again whenever its connection breaks, tells that it did, and its user also
//! looks from time to time without a reason.

use std::{future::poll_fn, time::Duration};

use tokio::{sync::watch, task::AbortHandle};
use tokio_postgres::{AsyncMessage, Client};

use super::{
    commit::CHANNEL,
    connect::{Connector, Wire},
    failure::within,
};
use crate::StoreError;

/// How long to wait before connecting again.
const PAUSE: Duration = Duration::from_millis(500);

/// How often an idle connection is tried: the other end may be gone without a word.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Hears of commits until it is dropped.
#[derive(Debug)]
pub(crate) struct Listener {
    heard: watch::Receiver<()>,
    task: AbortHandle,
}

impl Listener {
    pub(super) fn start(connector: Connector) -> Self {
        let (tell, heard) = watch::channel(());
        let task = tokio::spawn(async move {
            loop {
                // The reason is that of the next statement of the store, too.
                let _ = listen(&connector, &tell).await;
                tokio::time::sleep(PAUSE).await;
            }
        });
        Self { heard, task: task.abort_handle() }
    }

    /// Returns when something was committed, or may have been.
    pub(crate) async fn heard(&mut self) {
        if self.heard.changed().await.is_err() {
            // The task ended with its runtime.
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Listens until the connection breaks.
async fn listen(connector: &Connector, tell: &watch::Sender<()>) -> Result<(), StoreError> {
    let (client, wire) = connector.wire().await?;
    let listening = async {
        connector.prepare(&client).await?;
        within(HEARTBEAT, client.batch_execute(&format!("LISTEN {CHANNEL}"))).await?;
        // Something may have been committed while nobody listened.
        tell.send_replace(());
        beat(&client).await
    };
    tokio::select! {
        () = hear(wire, tell) => Ok(()),
        ended = listening => ended,
    }
}

/// Polls a connection until it breaks, and tells of every notification.
async fn hear(mut wire: Wire, tell: &watch::Sender<()>) {
    while let Some(Ok(message)) = poll_fn(|context| wire.poll_message(context)).await {
        if matches!(message, AsyncMessage::Notification(_)) {
            tell.send_replace(());
        }
    }
}

/// Tries the connection again and again, until it does not answer.
pub(super) async fn beat(client: &Client) -> Result<(), StoreError> {
    loop {
        tokio::time::sleep(HEARTBEAT).await;
        within(HEARTBEAT, client.check_connection()).await?;
    }
}
