//! `appstitch refresh`: fetches the upstreams and publishes one revision.
//!
//! A source that cannot be fetched, cannot be read or shrinks suspiciously keeps its last good
//! data; the others go on, and the exit code says so.

mod config;
mod report;

use std::{collections::HashMap, sync::Arc};

use anyhow::{Context, anyhow};
use appstitch_server::{CatalogChange, PublishError, Publisher, SourceUpload, Tally};
use appstitch_sources::{
    Upstream,
    fetch::{Fetched, Fetcher, Validators},
};
use appstitch_store::{FetchedFrom, Store};

use crate::{arguments::RefreshArguments, deploy_token, exit::Failure, upload};
use config::Config;
use report::{Outcome, Report};

/// A file that was fetched and can be read.
struct File {
    upstream: Upstream,
    bytes: Vec<u8>,
    upload: SourceUpload,
}

pub(crate) async fn run(arguments: RefreshArguments) -> Result<(), Failure> {
    let config = Config::read(arguments.config.as_deref())?;
    let token = match &arguments.server {
        Some(_) if !arguments.dry_run => Some(deploy_token::required(&arguments.token)?),
        _ => None,
    };
    let publisher = match arguments.server {
        None => Some(open(&arguments).await?),
        Some(_) => None,
    };
    let known = match &publisher {
        Some(publisher) => publisher.fetched().await.map_err(Failure::unreachable)?,
        None => Vec::new(),
    };
    let mut report = Report::new();
    let files = fetch_all(&arguments, &config, &known, &mut report).await?;
    if !arguments.dry_run && !files.is_empty() {
        match (&publisher, &arguments.server, &token) {
            (Some(publisher), _, _) => {
                publish(publisher, files, arguments.allow_shrink, &mut report).await?;
            }
            (None, Some(server), Some(token)) => {
                let files = files.into_iter().map(|file| (file.upstream, file.bytes)).collect();
                let summary = upload::send(server, token, files, arguments.allow_shrink).await?;
                upload::tell(&summary);
            }
            _ => {}
        }
    }
    report.print();
    if report.failed() {
        return Err(Failure::no(anyhow!(
            "not every source could be refreshed; their last good data stays"
        )));
    }
    Ok(())
}

async fn open(arguments: &RefreshArguments) -> Result<Arc<Publisher>, Failure> {
    let address = &arguments.store.store;
    let store = Store::open(address)
        .await
        .with_context(|| format!("cannot open {address}"))
        .map_err(Failure::unreachable)?;
    let priority = arguments.priority.refresh_priority.into();
    Ok(Arc::new(Publisher::open(store, priority).await.map_err(Failure::unreachable)?))
}

/// Fetches every file that changed, one source after another.
async fn fetch_all(
    arguments: &RefreshArguments,
    config: &Config,
    known: &[FetchedFrom],
    report: &mut Report,
) -> Result<Vec<File>, Failure> {
    let fetcher = Fetcher::new(arguments.allow_private).map_err(Failure::unreachable)?;
    let known: HashMap<&str, &FetchedFrom> =
        known.iter().map(|fetched| (fetched.address.as_str(), fetched)).collect();
    let mut files = Vec::new();
    for (upstream, address) in config.addresses() {
        if !arguments.only.is_empty() && !arguments.only.contains(&upstream) {
            continue;
        }
        let validators = known.get(address).map(|fetched| Validators {
            etag: fetched.etag.clone(),
            last_modified: fetched.last_modified.clone(),
        });
        let bar = report.start(upstream, address);
        let progress = |done: u64, total: Option<u64>| bar.advance(done, total);
        let fetched = fetcher.fetch(address, &validators.unwrap_or_default(), &progress).await;
        bar.finish();
        match fetched {
            Ok(Fetched::Unchanged) => report.add(upstream, address, Outcome::Unchanged),
            Ok(Fetched::File { bytes, validators }) => {
                let from = FetchedFrom {
                    address: address.to_owned(),
                    etag: validators.etag,
                    last_modified: validators.last_modified,
                };
                match read(upstream, bytes, from) {
                    Ok((file, tally)) => {
                        report.add(upstream, address, Outcome::Read(tally));
                        files.push(file);
                    }
                    Err(why) => report.add(upstream, address, Outcome::Failed(why)),
                }
            }
            Err(error) => report.add(upstream, address, Outcome::Failed(error.to_string())),
        }
    }
    Ok(files)
}

fn read(upstream: Upstream, bytes: Vec<u8>, from: FetchedFrom) -> Result<(File, Tally), String> {
    let mut tally = Tally::default();
    let mut upload =
        SourceUpload::read(upstream, &bytes[..], &mut tally).map_err(|why| why.to_string())?;
    upload.fetched = Some(from);
    Ok((File { upstream, bytes, upload }, tally))
}

/// Publishes everything as one revision; a source that shrinks suspiciously is left out.
async fn publish(
    publisher: &Arc<Publisher>,
    files: Vec<File>,
    allow_shrink: bool,
    report: &mut Report,
) -> Result<(), Failure> {
    let mut uploads: Vec<SourceUpload> = files.into_iter().map(|file| file.upload).collect();
    while !uploads.is_empty() {
        let change = CatalogChange::Sources { uploads: uploads.clone(), allow_shrink };
        match publisher.publish(change).await {
            Ok(published) => {
                report.published(&published);
                return Ok(());
            }
            Err(PublishError::Shrinks { source_token, removed, present }) => {
                uploads.retain(|upload| upload.source != source_token);
                let why = format!(
                    "{removed} of {present} entries would go; hint: pass --allow-shrink if that is meant"
                );
                report.fail(source_token, why);
            }
            Err(error) => return Err(Failure::unreachable(error)),
        }
    }
    Ok(())
}
