//! `appstitch mcp`: the tools over standard input and output.
//!
//! The tools read a store, which they never change, or forward everything to a running server.

mod lines;
mod relay;

use std::sync::Arc;

use anyhow::anyhow;
use appstitch_publish::follow;
use appstitch_tools::{RESULT_BYTES, ToolServer};
use rmcp::{ServiceExt, service::ServerInitializeError};
use tokio::signal::unix::{SignalKind, signal};

use crate::{arguments::ToolOrigin, exit::Failure, logging, open_store};
use relay::Relay;

/// Serves until the client closes the connection or a signal arrives.
pub(crate) async fn run(origin: ToolOrigin) -> Result<(), Failure> {
    // Standard output belongs to the protocol; logs go to standard error.
    logging::start(false)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(Failure::unreachable)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Failure::unreachable)?;
    tokio::select! {
        ended = converse(origin) => ended,
        _ = terminate.recv() => Ok(()),
        _ = interrupt.recv() => Ok(()),
    }
}

async fn converse(origin: ToolOrigin) -> Result<(), Failure> {
    let store = match origin {
        ToolOrigin::Server(server) => {
            lines::forward(Relay::connect(&server).await?).await;
            return Ok(());
        }
        ToolOrigin::Store(store) => store,
    };
    let publisher = open_store::reader(&store).await?;
    let following = tokio::spawn(follow(Arc::clone(&publisher)));
    let ended = serve(ToolServer::new(publisher, RESULT_BYTES)).await;
    following.abort();
    ended
}

async fn serve(tools: ToolServer) -> Result<(), Failure> {
    let lines = lines::open();
    let running = match tools.serve((lines.messages, lines.answers)).await {
        Ok(running) => running,
        // The client closed the connection without a message; that is not an error.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => {
            tracing::debug!(%error, "initialization failed");
            let why = "the first message was not an `initialize` request";
            return Err(Failure::no(anyhow!(why)));
        }
    };
    running.waiting().await.map_err(Failure::unreachable)?;
    lines.written.await.map_err(Failure::unreachable)
}
