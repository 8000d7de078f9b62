//! `appstitch serve`: runs the service.

mod mirror;
mod schedule;
mod welcome;

use std::{convert::Infallible, sync::Arc, time::Duration};

use anyhow::{Context, anyhow};
use appstitch_network::NetworkAccess;
use appstitch_publish::{PublishError, Publisher, load_sample};
use appstitch_server::{
    DeployToken, Hooks, Limits, PatchSettings, Service, ToolAccess, answer_while_waiting, listen,
    raise_open_files, serve,
};
use appstitch_store::{Store, StoreAddress, StoreError};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

use crate::{
    arguments::{ConnectionArguments, ServeArguments},
    catalog::keys::read_signer,
    exit::{Failure, print},
    logging,
    open_store::cannot_open,
    secrets,
};

/// How long to wait before trying again to open a store.
const STORE_PAUSE: Duration = Duration::from_secs(1);

pub(crate) async fn run(arguments: ServeArguments) -> Result<(), Failure> {
    logging::start(arguments.log_json)?;
    let deploy_token = secrets::deploy_token(&arguments.token)?;
    let deploy_token = deploy_token.as_deref().and_then(DeployToken::new);
    let access =
        ToolAccess::read(arguments.tool_origins.as_deref(), arguments.tool_hosts.as_deref())
            .map_err(|why| Failure::wrong_use(anyhow!(why)))?;
    let limits = Limits { memory_bytes: arguments.memory_limit, ..limits(&arguments.connections)? };
    let config = schedule::config(&arguments.schedule)?;
    let patch_settings = PatchSettings {
        minimum_macos: arguments.patch_minimum_macos.clone(),
        lists: config.patch_lists().clone(),
    };
    let schedule = schedule::read(&arguments.schedule, config, &arguments.public_url)?;
    let mirror = mirror::read(&arguments)?;
    let signer = read_signer(&arguments.signing)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(Failure::unreachable)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Failure::unreachable)?;

    // Bind first: if the port is in use, the store must not be touched.
    let listener = listen(arguments.listen)
        .with_context(|| format!("cannot listen on {}", arguments.listen))
        .map_err(Failure::unreachable)?;
    let address = listener.local_addr().map_err(Failure::unreachable)?;
    let (store, publisher) = tokio::select! {
        never = reject_while_waiting(&listener) => match never {},
        opened = open(&arguments) => opened.map_err(Failure::unreachable)?,
        _ = terminate.recv() => return Ok(()),
        _ = interrupt.recv() => return Ok(()),
    };
    let hooks = hooks(&arguments, &publisher, store.clone())?;
    let refresh = match mirror {
        Some(mirror) => Some(mirror::start(mirror, store, &publisher)),
        None => schedule.map(|schedule| schedule::start(schedule, store, &publisher)),
    };
    log_ready(&arguments, &publisher, deploy_token.is_some());
    print(&format!("listening on http://{address}\n"))?;
    welcome::greet(address, &arguments.store.store, &publisher);

    let service = Service::new(publisher, deploy_token, limits, access)
        .with_links(arguments.public_url)
        .with_hooks(hooks)
        .with_patch_settings(patch_settings)
        .with_refresh(refresh)
        .with_signer(signer);
    // A separate task: the server looks for the stop after every connection it accepts, and
    // looking for signals costs more.
    let stop = tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    });
    serve(listener, service, async move {
        // It ends with a signal, whatever else happens to it.
        let _ = stop.await;
    })
    .await
    .map_err(Failure::unreachable)
}

/// Answers requests with 503 if opening the store takes unusually long. Before that, they wait: a
/// store on this machine is open in a moment.
async fn reject_while_waiting(listener: &TcpListener) -> Infallible {
    const USUAL_TIME: Duration = Duration::from_secs(2);
    tokio::time::sleep(USUAL_TIME).await;
    answer_while_waiting(listener).await
}

/// The default limits with the given ones, as far as there are files to open.
fn limits(arguments: &ConnectionArguments) -> Result<Limits, Failure> {
    let mut limits = arguments.limits().map_err(|why| Failure::wrong_use(anyhow!(why)))?;
    let requested = limits.connections;
    let open_files = raise_open_files();
    if limits.fit_open_files(open_files) && arguments.max_connections.is_some() {
        tracing::warn!(
            open_files,
            requested,
            connections = limits.connections,
            "the limit of open files allows fewer connections; raise it, for example with ulimit -n"
        );
    }
    tracing::info!(
        open_files,
        connections = limits.connections,
        connections_per_client = limits.connections_per_client(),
        "connection limits"
    );
    Ok(limits)
}

/// A separate function: a snapshot held by the caller would stay in memory as long as the server
/// runs, with all bodies that were made from it.
fn log_ready(arguments: &ServeArguments, publisher: &Publisher, uploads: bool) {
    let current = publisher.current();
    tracing::info!(
        store = %arguments.store.store,
        revision = current.token(),
        apps = current.stats().total_apps,
        uploads,
        "ready"
    );
}

/// The webhooks of the store. Receivers are asked without a proxy.
fn hooks(
    arguments: &ServeArguments,
    publisher: &Arc<Publisher>,
    store: Store,
) -> Result<Hooks, Failure> {
    let allow_private = arguments.allow_private_hooks;
    let access = NetworkAccess { allow_private, ..NetworkAccess::default() };
    Hooks::new(publisher, store, &access, arguments.public_url.clone())
        .map_err(Failure::unreachable)
}

/// Opens the store and reads it. A database that is not available is waited for.
async fn open(arguments: &ServeArguments) -> anyhow::Result<(Store, Arc<Publisher>)> {
    let address = &arguments.store.store;
    let opened = available(
        address,
        || Store::open(address),
        |error| matches!(error, StoreError::Unavailable(_)),
    );
    let store = opened.await.map_err(|error| cannot_open(address, error))?;
    // It may go away meanwhile.
    let read = || open_publisher(arguments, store.clone());
    let publisher = available(address, read, PublishError::is_temporary)
        .await
        .with_context(|| format!("cannot read {address}"))?;
    Ok((store, publisher))
}

/// Tries again as long as the error is temporary; the first one is logged.
async fn available<T, E: std::fmt::Display>(
    address: &StoreAddress,
    attempt: impl AsyncFn() -> Result<T, E>,
    is_temporary: impl Fn(&E) -> bool,
) -> Result<T, E> {
    let mut is_logged = false;
    loop {
        match attempt().await {
            Err(error) if is_temporary(&error) => {
                if !is_logged {
                    tracing::warn!(store = %address, %error, "waiting for the database");
                }
                is_logged = true;
                tokio::time::sleep(STORE_PAUSE).await;
            }
            done => return done,
        }
    }
}

async fn open_publisher(
    arguments: &ServeArguments,
    store: Store,
) -> Result<Arc<Publisher>, PublishError> {
    let publisher = Publisher::open(store, arguments.priority.refresh_priority.into()).await?;
    let publisher = Arc::new(publisher);
    if !arguments.no_sample && arguments.mirror.mirror.is_none() && load_sample(&publisher).await? {
        tracing::info!("loaded the sample catalog into the empty store");
    }
    Ok(publisher)
}
