//! `appstitch refresh`: fetches the upstreams and publishes one revision.
//!
//! A source that cannot be fetched, cannot be read or shrinks suspiciously keeps its last good
//! data. The other sources are still published, and the exit code is 1.

mod report;
mod resolving;
mod time_limit;

use std::{collections::HashMap, sync::Arc};

use anyhow::anyhow;
use appstitch_budget::Budget;
use appstitch_publish::{
    CatalogChange, PublishError, Publisher, SourceUpload, StayingOrigin, Tally,
};
use appstitch_resolver::LiveOptions;
use appstitch_sources::{
    MAX_UNPACKED_BYTES, Upstream,
    fetch::{Fetched, Fetcher, NetworkAccess, Validators},
};
use appstitch_store::{FetchedFrom, Store};

use crate::{
    arguments::RefreshArguments,
    deploy_token,
    exit::Failure,
    interrupt::unless_interrupted,
    labels, open_store,
    upload::{self, UploadAnswer},
    upstream_config::UpstreamConfig,
};
use report::{FileOutcome, Report};
use time_limit::TimeLimit;

/// A file that was fetched and parsed.
struct FetchedFile {
    upstream: Upstream,
    bytes: Vec<u8>,
    upload: SourceUpload,
}

/// The results of fetching.
#[derive(Default)]
struct FetchedFiles {
    files: Vec<FetchedFile>,
    /// The URLs that were unchanged or failed: their documents are kept.
    staying: Vec<StayingOrigin>,
}

/// A change is published as a whole or not at all.
const WHILE_PUBLISHING: &str = "the catalog is either as before or refreshed";

pub(crate) async fn run(arguments: RefreshArguments) -> Result<(), Failure> {
    let config = UpstreamConfig::read(arguments.config.as_deref())?;
    let access = arguments.access.read()?;
    let token_file = arguments.resolving.github_token_file.as_deref();
    let options = labels::live_options(arguments.time_limit, token_file, access.clone())?;
    let limit = TimeLimit::start(arguments.time_limit);
    let token = match &arguments.server {
        Some(server) if !arguments.dry_run => {
            let token = deploy_token::required(&arguments.token)?;
            // A wrong token must not be noticed only after all files are fetched.
            limit.wait(server, labels::check_access(server, &token)).await?;
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
    let mut report = Report::new();
    let fetch = fetch_all(&arguments, &config, &access, &known, limit, &mut report);
    let fetch = unless_interrupted(fetch, "nothing is published").await?;
    let in_time = |options: LiveOptions| LiveOptions {
        time_limit: limit.for_labels(options.time_limit),
        ..options
    };
    if !arguments.dry_run {
        let allow_shrink = arguments.allow_shrink;
        match (&opened, &arguments.server, &token) {
            (Some((store, publisher)), _, _) => {
                let publish = publish(publisher, fetch, allow_shrink, &mut report);
                unless_interrupted(publish, WHILE_PUBLISHING).await?;
                if arguments.resolving.resolve_labels {
                    let result = labels::after_refresh(store, publisher, in_time(options)).await;
                    report.resolved(result);
                }
            }
            (None, Some(server), Some(token)) => {
                let labels = resolving::labels_in(&fetch);
                let send = send(server, token, fetch, allow_shrink, &mut report);
                let send = limit.wait(server, send);
                unless_interrupted(send, WHILE_PUBLISHING).await?;
                if arguments.resolving.resolve_labels {
                    let resolve = resolving::for_server(server, token, &labels, in_time(options));
                    report.resolved(limit.wait(server, resolve).await);
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

/// Fetches every changed file, one after another.
async fn fetch_all(
    arguments: &RefreshArguments,
    config: &UpstreamConfig,
    access: &NetworkAccess,
    known: &[FetchedFrom],
    limit: TimeLimit,
    report: &mut Report,
) -> Result<FetchedFiles, Failure> {
    let fetcher = Fetcher::new(access).map_err(Failure::unreachable)?;
    let known: HashMap<(&str, &str), &FetchedFrom> = known
        .iter()
        .map(|fetched| ((fetched.source.as_str(), fetched.address.as_str()), fetched))
        .collect();
    let mut fetch = FetchedFiles::default();
    let is_wanted = |upstream| arguments.only.is_empty() || arguments.only.contains(&upstream);
    let wanted: Vec<(Upstream, &str)> =
        config.addresses().filter(|(upstream, _)| is_wanted(*upstream)).collect();
    for (index, (upstream, address)) in wanted.iter().copied().enumerate() {
        let validators = known.get(&(upstream.token(), address)).map(|fetched| Validators {
            etag: fetched.etag.clone(),
            last_modified: fetched.last_modified.clone(),
        });
        let bar = report.start(upstream, address);
        let progress = |done: u64, total: Option<u64>| bar.advance(done, total);
        // Labels are one more part of the work.
        let parts = wanted.len() - index + usize::from(arguments.resolving.resolve_labels);
        let (known, time) = (validators.unwrap_or_default(), limit.for_file(parts));
        let fetched = fetcher.fetch(address, &known, time, &progress).await;
        bar.finish();
        let outcome = match fetched {
            Ok(Fetched::Unchanged) => FileOutcome::Unchanged,
            Ok(Fetched::File { bytes, validators }) => {
                match read(upstream, address, bytes, validators) {
                    Ok((file, tally)) => {
                        fetch.files.push(file);
                        FileOutcome::Read(tally)
                    }
                    Err(why) => FileOutcome::Failed(why),
                }
            }
            Err(error) => FileOutcome::Failed(error.to_string()),
        };
        if !matches!(outcome, FileOutcome::Read(_)) {
            let (source, origin) = (upstream.token(), address.to_owned());
            let is_current = matches!(outcome, FileOutcome::Unchanged);
            fetch.staying.push(StayingOrigin { source, origin, is_current });
        }
        report.add(upstream, address, outcome);
    }
    Ok(fetch)
}

fn read(
    upstream: Upstream,
    address: &str,
    bytes: Vec<u8>,
    validators: Validators,
) -> Result<(FetchedFile, Tally), String> {
    let mut tally = Tally::default();
    let (origin, limit) = (address.to_owned(), MAX_UNPACKED_BYTES);
    let budget = &mut Budget::default();
    let upload = SourceUpload::read(upstream, origin, &bytes, limit, &mut tally, budget)
        .map_err(|why| why.to_string())?;
    Ok((FetchedFile { upstream, bytes, upload: SourceUpload { validators, ..upload } }, tally))
}

/// Publishes everything as one revision, without sources that shrink suspiciously. Files without a
/// change are published, too: the store notes that they were received.
async fn publish(
    publisher: &Arc<Publisher>,
    fetch: FetchedFiles,
    allow_shrink: bool,
    report: &mut Report,
) -> Result<(), Failure> {
    let FetchedFiles { files, mut staying } = fetch;
    let mut uploads: Vec<SourceUpload> = files.into_iter().map(|file| file.upload).collect();
    while !uploads.is_empty() || staying.iter().any(|origin| origin.is_current) {
        let (uploads_now, staying_now) = (uploads.clone(), staying.clone());
        let change =
            CatalogChange::Sources { uploads: uploads_now, staying: staying_now, allow_shrink };
        match publisher.publish(change).await {
            Ok(published) => {
                report.published(&published);
                return Ok(());
            }
            Err(PublishError::Shrinks { source_token, removed, present }) => {
                uploads.retain(|upload| upload.source != source_token);
                staying.retain(|origin| origin.source != source_token);
                report.fail(source_token, &shrinks(removed, present));
            }
            Err(error) => return Err(Failure::unreachable(error)),
        }
    }
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
            UploadAnswer::Accepted(summary) => {
                upload::tell(&summary);
                return Ok(());
            }
            UploadAnswer::Shrinks(shrink) => {
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

/// Why a shrinking source is not published.
fn shrinks(removed: usize, present: usize) -> String {
    format!(
        "{removed} of {present} entries would be removed; hint: pass --allow-shrink to remove them"
    )
}
