//! `appstitch refresh`: fetches the upstreams and publishes one revision.
//!
//! A source that cannot be fetched, cannot be read or shrinks suspiciously keeps its last good
//! data. The other sources are still published, and the exit code is 1.

mod report;

use std::sync::Arc;

use anyhow::anyhow;
use appstitch_publish::{Publisher, StayingOrigin};
use appstitch_refresh::{
    FetchPlan, FetchedFiles, Refreshed, TimeLimit, UpstreamConfig, fetch, publish, shrinks,
};
use appstitch_resolver::LiveOptions;
use appstitch_sources::{Upstream, UpstreamEntry};
use appstitch_store::Store;

use crate::{
    arguments::RefreshArguments,
    exit::Failure,
    interrupt::unless_interrupted,
    labels, open_store,
    secrets::required_deploy_token,
    upload::{self, UploadResult},
};
use report::{Bars, Report};

/// A change is published as a whole or not at all.
const WHILE_PUBLISHING: &str = "the catalog is either as before or refreshed";

pub(crate) async fn run(arguments: RefreshArguments) -> Result<(), Failure> {
    let config = UpstreamConfig::read(arguments.config.as_deref()).map_err(Failure::wrong_use)?;
    let access = arguments.access.read()?;
    let token_file = arguments.resolving.github_token_file.as_deref();
    let options = labels::live_options(arguments.time_limit, token_file, access.clone())?;
    let limit = TimeLimit::start(arguments.time_limit);
    let token = match &arguments.server {
        Some(server) if !arguments.dry_run => {
            let token = required_deploy_token(&arguments.token)?;
            // A wrong token must not be noticed only after all files are fetched.
            wait(limit, server, labels::check_access(server, &token)).await?;
            Some(token)
        }
        _ => None,
    };
    let opened = match arguments.server {
        None => Some(open(&arguments).await?),
        Some(_) => None,
    };
    let known = match &opened {
        Some((_, publisher)) => publisher.fetched().await.map_err(Failure::unreachable)?,
        None => Vec::new(),
    };
    let plan = FetchPlan {
        config: &config,
        only: &arguments.only,
        known: &known,
        limit,
        other_parts: usize::from(arguments.resolving.resolve_labels),
    };
    let bars = Bars::default();
    let fetch = async { fetch(plan, &access, &bars).await.map_err(Failure::unreachable) };
    let mut fetch = unless_interrupted(fetch, "nothing is published").await?;
    let mut report = Report::default();
    let in_time = |options: LiveOptions| LiveOptions {
        time_limit: limit.for_labels(options.time_limit),
        ..options
    };
    if arguments.dry_run {
        report.files = fetch.reports;
    } else {
        let allow_shrink = arguments.allow_shrink;
        match (&opened, &arguments.server, &token) {
            (Some((store, publisher)), _, _) => {
                let publish = async {
                    publish(publisher, fetch, allow_shrink).await.map_err(Failure::unreachable)
                };
                let Refreshed { reports, published } =
                    unless_interrupted(publish, WHILE_PUBLISHING).await?;
                (report.files, report.published) = (reports, published);
                if arguments.resolving.resolve_labels {
                    let result = labels::after_refresh(store, publisher, in_time(options)).await;
                    report.resolved(result);
                }
            }
            (None, Some(server), Some(token)) => {
                let labels = labels_in(&fetch);
                report.files = std::mem::take(&mut fetch.reports);
                let send = send(server, token, fetch, allow_shrink, &mut report);
                let send = wait(limit, server, send);
                unless_interrupted(send, WHILE_PUBLISHING).await?;
                if arguments.resolving.resolve_labels {
                    let resolve = resolve_for_server(server, token, &labels, in_time(options));
                    report.resolved(wait(limit, server, resolve).await);
                }
            }
            _ => {}
        }
    }
    report.print();
    if report.failed() {
        return Err(Failure::no(anyhow!(
            "some sources could not be refreshed; their last good data is kept"
        )));
    }
    if report.is_unresolved() {
        return Err(Failure::no(anyhow!(
            "the sources are refreshed, but the labels could not be resolved"
        )));
    }
    Ok(())
}

async fn open(arguments: &RefreshArguments) -> Result<(Store, Arc<Publisher>), Failure> {
    let store = open_store::open(&arguments.store.store).await?;
    let priority = arguments.priority.refresh_priority.into();
    let publisher = open_store::publisher(store.clone(), priority).await?;
    Ok((store, publisher))
}

/// Sends everything to a server as one change, without sources that shrink suspiciously.
///
/// An upload replaces all documents of a source, so either all files of a source are sent or none.
async fn send(
    server: &str,
    token: &str,
    fetch: FetchedFiles,
    allow_shrink: bool,
    report: &mut Report,
) -> Result<(), Failure> {
    let mut files: Vec<(Upstream, Vec<u8>)> =
        fetch.files.into_iter().map(|file| (file.upstream, file.bytes)).collect();
    for StayingOrigin { source, .. } in &fetch.staying {
        files.retain(|(upstream, _)| upstream.token() != *source);
        report.fail(source, "not sent: another file of this source failed");
    }
    while !files.is_empty() {
        match upload::send(server, token, &files, allow_shrink).await? {
            UploadResult::Accepted(summary) => {
                upload::print_summary(&summary);
                return Ok(());
            }
            UploadResult::Shrinks(shrink) => {
                let count = files.len();
                files.retain(|(upstream, _)| upstream.token() != shrink.source);
                if files.len() == count {
                    return Err(Failure::no(anyhow!("upload rejected: {shrink}")));
                }
                report.fail(&shrink.source, &shrinks(shrink.removed, shrink.present));
            }
        }
    }
    Ok(())
}

fn labels_in(fetch: &FetchedFiles) -> Vec<UpstreamEntry> {
    let files = fetch.files.iter().filter(|file| file.upstream == Upstream::LabelTool);
    files.flat_map(|file| file.upload.entries.iter().cloned()).collect()
}

/// Runs the labels that were just sent. The server has no route that returns its labels.
async fn resolve_for_server(
    server: &str,
    token: &str,
    labels: &[UpstreamEntry],
    options: LiveOptions,
) -> Result<Option<labels::Report>, Failure> {
    if labels.is_empty() {
        let why = "label_tool was not refreshed, so there are no labels to run";
        return Err(Failure::no(anyhow!(why)));
    }
    labels::after_upload(server, token, labels, options).await
}

/// Waits for a server, but not longer than the time that is left.
async fn wait<T>(
    limit: TimeLimit,
    server: &str,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    match tokio::time::timeout(limit.left(), work).await {
        Ok(result) => result,
        Err(_) => Err(Failure::server_unavailable(server, "it did not answer in time")),
    }
}
