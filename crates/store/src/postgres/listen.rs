//! Hears of commits by other processes.
//!
//! A listener needs a connection for itself, and notifications that are sent while it has none are
//! lost. So it connects again whenever its connection breaks, reports that it did, and its user also
//! looks from time to time without a reason.

use std::{future::poll_fn, time::Duration};

use tokio::sync::watch;
use tokio_postgres::{AsyncMessage, Client};

use super::{
    commit::CHANNEL,
    connect::{Connector, Wire},
    failure::within,
};
use crate::{error::StoreError, watch::StoreWatch};

/// How long to wait before connecting again.
const PAUSE: Duration = Duration::from_millis(500);

/// How often an idle connection is tried: the other end may be gone without a word.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// How often a database is to be looked at, in case that a notification was lost.
const LOOK: Duration = Duration::from_secs(1);

pub(super) fn watch(connector: Connector) -> StoreWatch {
    let (tell, commits) = watch::channel(());
    let task = tokio::spawn(async move {
        loop {
            // The reason is that of the next statement of the store, too.
            let _ = listen(&connector, &tell).await;
            tokio::time::sleep(PAUSE).await;
        }
    });
    StoreWatch::listening(LOOK, commits, task.abort_handle())
}

/// Listens until the connection breaks.
async fn listen(connector: &Connector, tell: &watch::Sender<()>) -> Result<(), StoreError> {
    let (client, wire) = connector.wire().await?;
    let listening = async {
        connector.prepare(&client).await?;
        within(HEARTBEAT, client.batch_execute(&format!("LISTEN {CHANNEL}"))).await?;
        // Something may have been committed while there was no listener.
        tell.send_replace(());
        beat(&client).await
    };
    tokio::select! {
        () = hear(wire, tell) => Ok(()),
        ended = listening => ended,
    }
}

/// Polls a connection until it breaks, and reports every notification.
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
