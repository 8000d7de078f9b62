//! `appstitch mcp`: the tools over standard input and output.
//!
//! They answer from a store, which is only read, or pass everything on to a running server.

mod lines;
mod relay;

use std::sync::Arc;

use anyhow::{Context, anyhow};
use appstitch_server::{Limits, Publisher, ToolServer, follow};
use appstitch_store::{Store, StoreAddress};
use rmcp::{ServerHandler, ServiceExt, service::ServerInitializeError};
use tokio::signal::unix::{SignalKind, signal};

use crate::{arguments::McpArguments, exit::Failure, logging};
use relay::Relay;

pub(crate) async fn run(arguments: McpArguments) -> Result<(), Failure> {
    // Standard output belongs to the protocol; logs go to standard error.
    logging::start(false)?;
    if let Some(server) = &arguments.server {
        reqwest::Url::parse(server)
            .with_context(|| format!("'{server}' is no web address"))
            .map_err(Failure::wrong_use)?;
        let relay = Relay::connect(server)
            .await
            .with_context(|| format!("cannot reach the tools of {server}"))
            .map_err(Failure::unreachable)?;
        return speak(relay).await;
    }
    let publisher = open(&arguments.store.store).await.map_err(Failure::unreachable)?;
    let following = tokio::spawn(follow(Arc::clone(&publisher)));
    let ended = speak(ToolServer::new(publisher, &Limits::default())).await;
    following.abort();
    ended
}

async fn open(address: &StoreAddress) -> anyhow::Result<Arc<Publisher>> {
    let store = Store::open_to_read(address).await.with_context(|| {
        format!("cannot read {address}; hint: `appstitch refresh` or `appstitch serve` makes it")
    })?;
    let publisher = Publisher::open_to_read(store).await;
    Ok(Arc::new(publisher.with_context(|| format!("cannot read {address}"))?))
}

/// Speaks until the other side has no more to say, or somebody ends it.
async fn speak(handler: impl ServerHandler) -> Result<(), Failure> {
    let mut terminate = signal(SignalKind::terminate()).map_err(Failure::unreachable)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Failure::unreachable)?;
    tokio::select! {
        ended = converse(handler) => ended,
        _ = terminate.recv() => Ok(()),
        _ = interrupt.recv() => Ok(()),
    }
}

async fn converse(handler: impl ServerHandler) -> Result<(), Failure> {
    let lines = lines::open();
    let running = match handler.serve((lines.messages, lines.answers)).await {
        Ok(running) => running,
        // Nobody said anything: there is nothing to serve, and nothing is wrong.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => {
            tracing::debug!(%error, "no conversation");
            let why = "the conversation did not begin with a request to initialize";
            return Err(Failure::no(anyhow!(why)));
        }
    };
    running.waiting().await.map_err(Failure::unreachable)?;
    lines.written.await.map_err(Failure::unreachable)
}
