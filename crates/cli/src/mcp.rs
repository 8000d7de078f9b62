//! `appstitch mcp`: the tools over standard input and output.
//!
//! They answer from a store, which is only read, or pass everything on to a running server.

mod relay;

use std::sync::Arc;

use anyhow::{Context, anyhow};
use appstitch_server::{Limits, Publisher, ToolServer, follow};
use appstitch_store::{Store, StoreAddress};
use rmcp::{ServerHandler, ServiceExt, transport::stdio};

use crate::{arguments::McpArguments, exit::Failure, logging};
use relay::Relay;

pub(crate) async fn run(arguments: McpArguments) -> Result<(), Failure> {
    // Standard output belongs to the protocol; logs go to standard error.
    logging::start(false)?;
    if let Some(server) = &arguments.server {
        let relay = Relay::connect(server)
            .await
            .with_context(|| format!("cannot reach the tools of {server}"))
            .map_err(Failure::unreachable)?;
        return speak(relay).await;
    }
    let publisher = open(&arguments.store.store).await.map_err(Failure::unreachable)?;
    let following = tokio::spawn(follow(Arc::clone(&publisher), || {}));
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

/// Speaks until the other side has no more to say.
async fn speak(handler: impl ServerHandler) -> Result<(), Failure> {
    let running = match handler.serve(stdio()).await {
        Ok(running) => running,
        // Nobody said anything: there is nothing to serve, and nothing is wrong.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(Failure::no(anyhow!("the conversation did not begin: {error}"))),
    };
    running.waiting().await.map_err(Failure::unreachable)?;
    Ok(())
}
