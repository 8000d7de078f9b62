//! Fetches the files of the upstreams, one after another, and reads them.

use std::collections::HashMap;

use appstitch_budget::Budget;
use appstitch_network::{FetchError, Fetched, Fetcher, NetworkAccess, Validators};
use appstitch_publish::{SourceUpload, StayingOrigin, Tally};
use appstitch_sources::{MAX_UNPACKED_BYTES, Upstream};
use appstitch_store::FetchedFrom;

use crate::{
    file_report::{FileReport, FileResult},
    time_limit::TimeLimit,
    upstream_config::UpstreamConfig,
};

#[derive(Debug)]
pub struct FetchedFile {
    pub upstream: Upstream,
    pub bytes: Vec<u8>,
    pub upload: SourceUpload,
}

#[derive(Debug, Default)]
pub struct FetchedFiles {
    pub files: Vec<FetchedFile>,
    /// The URLs that were unchanged or failed: their documents are kept.
    pub staying: Vec<StayingOrigin>,
    pub reports: Vec<FileReport>,
}

pub struct FetchPlan<'w> {
    pub config: &'w UpstreamConfig,
    /// Only these sources; all if empty.
    pub only: &'w [Upstream],
    pub known: &'w [FetchedFrom],
    pub limit: TimeLimit,
    /// The number of other tasks that share the time.
    pub other_parts: usize,
}

/// The methods must not block.
pub trait Watch: Sync {
    fn started(&self, _upstream: Upstream, _address: &str) {}
    /// `of` is the total, if it is known.
    fn received(&self, _bytes: u64, _of: Option<u64>) {}
    fn finished(&self) {}
}

impl Watch for () {}

/// Fetches and reads every changed file. Fails only if nothing can be fetched at all.
pub async fn fetch(
    plan: FetchPlan<'_>,
    access: &NetworkAccess,
    watch: &dyn Watch,
) -> Result<FetchedFiles, FetchError> {
    let fetcher = Fetcher::new(access)?;
    let known: HashMap<(&str, &str), &FetchedFrom> = plan
        .known
        .iter()
        .map(|fetched| ((fetched.source.as_str(), fetched.address.as_str()), fetched))
        .collect();
    let is_chosen = |upstream| plan.only.is_empty() || plan.only.contains(&upstream);
    let addresses: Vec<(Upstream, &str)> =
        plan.config.addresses().filter(|(upstream, _)| is_chosen(*upstream)).collect();
    let mut fetch = FetchedFiles::default();
    for (index, (upstream, address)) in addresses.iter().copied().enumerate() {
        let known = known.get(&(upstream.token(), address)).map(|fetched| Validators {
            etag: fetched.etag.clone(),
            last_modified: fetched.last_modified.clone(),
        });
        let time = plan.limit.for_file(addresses.len() - index + plan.other_parts);
        watch.started(upstream, address);
        let received = |bytes: u64, of: Option<u64>| watch.received(bytes, of);
        let fetched = fetcher.fetch(address, &known.unwrap_or_default(), time, &received).await;
        watch.finished();
        fetch.add(upstream, address, fetched).await;
    }
    Ok(fetch)
}

impl FetchedFiles {
    async fn add(
        &mut self,
        upstream: Upstream,
        address: &str,
        fetched: Result<Fetched, FetchError>,
    ) {
        let result = match fetched {
            Ok(Fetched::Unchanged) => FileResult::Unchanged,
            Ok(Fetched::File { bytes, validators }) => {
                let address = address.to_owned();
                // Reading a file takes seconds.
                let read =
                    tokio::task::spawn_blocking(move || read(upstream, address, bytes, validators));
                match read.await {
                    Ok(Ok((file, tally))) => {
                        self.files.push(file);
                        FileResult::Read(tally)
                    }
                    Ok(Err(why)) => FileResult::Failed(why),
                    Err(_) => FileResult::Failed("the file could not be read".to_owned()),
                }
            }
            Err(error) => FileResult::Failed(error.to_string()),
        };
        if !matches!(result, FileResult::Read(_)) {
            let (source, origin) = (upstream.token(), address.to_owned());
            let is_current = matches!(result, FileResult::Unchanged);
            self.staying.push(StayingOrigin { source, origin, is_current });
        }
        self.reports.push(FileReport { upstream, address: address.to_owned(), result });
    }
}

fn read(
    upstream: Upstream,
    origin: String,
    bytes: Vec<u8>,
    validators: Validators,
) -> Result<(FetchedFile, Tally), String> {
    let mut tally = Tally::default();
    let budget = &mut Budget::default();
    let upload =
        SourceUpload::read(upstream, origin, &bytes, MAX_UNPACKED_BYTES, &mut tally, budget)
            .map_err(|why| why.to_string())?;
    Ok((FetchedFile { upstream, bytes, upload: SourceUpload { validators, ..upload } }, tally))
}
