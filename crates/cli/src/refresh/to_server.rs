//! Refreshes a running server, over HTTP.

use anyhow::anyhow;
use appstitch_publish::StayingOrigin;
use appstitch_refresh::{FetchPlan, FetchedFiles, TimeLimit, fetch, shrinks};
use appstitch_resolver::LiveOptions;
use appstitch_sources::{Upstream, UpstreamEntry};

use super::{
    Order, WHILE_PUBLISHING,
    report::{Bars, Report},
};
use crate::{
    exit::Failure,
    interrupt::unless_interrupted,
    labels,
    secrets::required_deploy_token,
    upload::{self, UploadResult},
};

/// Returns whether a source that failed keeps anything: that is not known here.
pub(super) async fn refresh(
    order: &Order,
    server: &str,
    report: &mut Report,
) -> Result<bool, Failure> {
    check_addresses(order)?;
    let limit = order.limit;
    let is_dry = order.arguments.dry_run;
    let token = if is_dry {
        None
    } else {
        let token = required_deploy_token(&order.arguments.token)?;
        // A wrong token must not be noticed only after all files are fetched.
        wait(limit, server, labels::check_access(server, &token)).await?;
        Some(token)
    };
    let plan = FetchPlan {
        config: &order.config,
        only: &order.chosen,
        known: &[],
        remembered: None,
        limit,
        other_parts: usize::from(order.arguments.resolving.resolve_labels),
        all_problems: order.arguments.verbose,
    };
    let bars = Bars::default();
    let fetch = async { fetch(plan, &order.access, &bars).await.map_err(Failure::unreachable) };
    let mut fetched = unless_interrupted(fetch, "nothing is published").await?;
    let labels = labels_in(&fetched);
    report.files = std::mem::take(&mut fetched.reports);
    let Some(token) = token else { return Ok(false) };
    let send = send(server, &token, fetched, order.arguments.allow_shrink, report);
    unless_interrupted(wait(limit, server, send), WHILE_PUBLISHING).await?;
    if order.arguments.resolving.resolve_labels {
        let resolve = resolve_for_server(server, &token, &labels, order.labels_in_time());
        report.resolved(wait(limit, server, resolve).await);
    }
    Ok(false)
}

/// Tells which of the chosen sources are left out. If nothing is left, that is wrong use.
fn check_addresses(order: &Order) -> Result<(), Failure> {
    let asks = |upstream: &&Upstream| match upstream {
        Upstream::MdmInstaller | Upstream::PatchTitles => order.config.titles().is_some(),
        Upstream::StoreListing => order.config.lookup().is_some(),
        _ => false,
    };
    let asked: Vec<&str> =
        order.chosen.iter().filter(asks).map(|upstream| upstream.token()).collect();
    if asked.is_empty() {
        return Ok(());
    }
    let note = "the titles API and the listings of the App Store are asked only by a refresh into \
                a store";
    if !order.config.addresses().any(|(upstream, _)| order.chosen.contains(&upstream)) {
        let why = anyhow!("nothing to send for {}: {note}", asked.join(", "));
        return Err(Failure::wrong_use(why).hint("refresh with --store"));
    }
    eprintln!("note: {note}");
    Ok(())
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
