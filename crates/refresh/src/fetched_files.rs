//! Fetches the files of the upstreams, one after another, and reads them.

use std::collections::HashMap;

use appstitch_budget::Budget;
use appstitch_publish::{SourceUpload, StayingOrigin, Tally};
use appstitch_sources::{
    MAX_UNPACKED_BYTES, Upstream,
    fetch::{FetchError, Fetched, Fetcher, NetworkAccess, Validators},
};
use appstitch_store::FetchedFrom;

use crate::{FileOutcome, FileReport, TimeLimit, UpstreamConfig};

/// A file that was fetched and parsed.
#[derive(Debug)]
pub struct FetchedFile {
    /// Its source.
    pub upstream: Upstream,
    /// Its bytes as they were received.
    pub bytes: Vec<u8>,
    /// What is in it.
    pub upload: SourceUpload,
}

/// The results of fetching.
#[derive(Debug, Default)]
pub struct FetchedFiles {
    /// The files that changed and could be read.
    pub files: Vec<FetchedFile>,
    /// The URLs that were unchanged or failed: their documents are kept.
    pub staying: Vec<StayingOrigin>,
    /// What became of every file.
    pub reports: Vec<FileReport>,
}

/// Which files are fetched.
pub struct Wanted<'w> {
    /// The URLs.
    pub config: &'w UpstreamConfig,
    /// Only these sources; all if empty.
    pub only: &'w [Upstream],
    /// What is known of the files since the last refresh.
    pub known: &'w [FetchedFrom],
    /// The time for everything.
    pub limit: TimeLimit,
    /// The number of other tasks that share the time.
    pub other_parts: usize,
}

/// Gets told how far fetching is. Its methods must not block.
pub trait Watch: Sync {
    /// A file is asked for.
    fn started(&self, _upstream: Upstream, _address: &str) {}
    /// So many bytes were received, of so many if that is known.
    fn received(&self, _bytes: u64, _of: Option<u64>) {}
    /// The file is there, or failed.
    fn finished(&self) {}
}

impl Watch for () {}

/// Fetches and reads every changed file. Fails only if nothing can be fetched at all.
pub async fn fetch(
    wanted: Wanted<'_>,
    access: &NetworkAccess,
    watch: &dyn Watch,
) -> Result<FetchedFiles, FetchError> {
    let fetcher = Fetcher::new(access)?;
    let known: HashMap<(&str, &str), &FetchedFrom> = wanted
        .known
        .iter()
        .map(|fetched| ((fetched.source.as_str(), fetched.address.as_str()), fetched))
        .collect();
    let is_wanted = |upstream| wanted.only.is_empty() || wanted.only.contains(&upstream);
    let addresses: Vec<(Upstream, &str)> =
        wanted.config.addresses().filter(|(upstream, _)| is_wanted(*upstream)).collect();
    let mut fetch = FetchedFiles::default();
    for (index, (upstream, address)) in addresses.iter().copied().enumerate() {
        let known = known.get(&(upstream.token(), address)).map(|fetched| Validators {
            etag: fetched.etag.clone(),
            last_modified: fetched.last_modified.clone(),
        });
        let time = wanted.limit.for_file(addresses.len() - index + wanted.other_parts);
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
        let outcome = match fetched {
            Ok(Fetched::Unchanged) => FileOutcome::Unchanged,
            Ok(Fetched::File { bytes, validators }) => {
                let address = address.to_owned();
                // Reading a file takes seconds.
                let read =
                    tokio::task::spawn_blocking(move || read(upstream, address, bytes, validators));
                match read.await {
                    Ok(Ok((file, tally))) => {
                        self.files.push(file);
                        FileOutcome::Read(tally)
                    }
                    Ok(Err(why)) => FileOutcome::Failed(why),
                    Err(_) => FileOutcome::Failed("the file could not be read".to_owned()),
                }
            }
            Err(error) => FileOutcome::Failed(error.to_string()),
        };
        if !matches!(outcome, FileOutcome::Read(_)) {
            let (source, origin) = (upstream.token(), address.to_owned());
            let is_current = matches!(outcome, FileOutcome::Unchanged);
            self.staying.push(StayingOrigin { source, origin, is_current });
        }
        self.reports.push(FileReport { upstream, address: address.to_owned(), outcome });
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
