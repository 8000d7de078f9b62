//! Fetches the files of the upstreams, one after another, and reads them.

use std::collections::HashMap;

use appstitch_budget::Budget;
use appstitch_network::{FetchError, Fetched, Fetcher, GuardedClient, NetworkAccess, Validators};
use appstitch_publish::{SourceUpload, StayingOrigin, Tally};
use appstitch_sources::{FileError, MAX_UNPACKED_BYTES, Upstream};
use appstitch_store::FetchedFrom;

use crate::{
    file_report::{FetchFailure, FileReport, FileResult},
    interfaces::{self, Answered},
    remembered::Remembered,
    store_lookup::ListingMemory,
    time_limit::TimeLimit,
    titles_server::Asked,
    upstream_config::UpstreamConfig,
};

/// How many problems of a source are kept if all are to be told.
const MOST_PROBLEMS: usize = 10_000;

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
    /// What to remember when the files are published.
    pub memory: Option<ListingMemory>,
}

pub struct FetchPlan<'w> {
    pub config: &'w UpstreamConfig,
    /// Only these sources; all if empty.
    pub only: &'w [Upstream],
    pub known: &'w [FetchedFrom],
    /// What the interfaces need to know. Without it they are not asked.
    pub remembered: Option<&'w Remembered>,
    pub limit: TimeLimit,
    /// The number of other tasks that share the time.
    pub other_parts: usize,
    /// Whether all problems are told, instead of the first hundred of each file.
    pub all_problems: bool,
}

impl FetchPlan<'_> {
    fn is_chosen(&self, upstream: Upstream) -> bool {
        self.only.is_empty() || self.only.contains(&upstream)
    }

    fn time_for(&self, parts_left: usize) -> std::time::Duration {
        self.limit.for_file(parts_left + self.other_parts)
    }

    fn tally(&self) -> Tally {
        if self.all_problems { Tally::with_problems(MOST_PROBLEMS) } else { Tally::default() }
    }
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
    let addresses: Vec<(Upstream, &str)> =
        plan.config.addresses().filter(|(upstream, _)| plan.is_chosen(*upstream)).collect();
    let asked = Asked {
        titles: plan.is_chosen(Upstream::MdmInstaller),
        patch_titles: plan.is_chosen(Upstream::PatchTitles),
    };
    let titles = plan.config.titles().filter(|_| asked.titles || asked.patch_titles);
    let titles = titles.zip(plan.remembered);
    let lookup = plan.config.lookup().filter(|_| plan.is_chosen(Upstream::StoreListing));
    let lookup = lookup.zip(plan.remembered);
    let mut parts = addresses.len() + usize::from(titles.is_some()) + usize::from(lookup.is_some());
    let mut fetch = FetchedFiles::default();
    for (upstream, address) in addresses {
        let known = known.get(&(upstream.token(), address)).map(|fetched| Validators {
            etag: fetched.etag.clone(),
            last_modified: fetched.last_modified.clone(),
        });
        let time = plan.time_for(parts);
        watch.started(upstream, address);
        let received = |bytes: u64, of: Option<u64>| watch.received(bytes, of);
        let fetched = fetcher.fetch(address, &known.unwrap_or_default(), time, &received).await;
        watch.finished();
        // The titles of a server that is asked are more than those of the table.
        let may_lack = upstream == Upstream::MdmInstaller && titles.is_some();
        fetch.add(upstream, address, fetched, plan.tally(), may_lack).await;
        parts -= 1;
    }
    if titles.is_none() && lookup.is_none() {
        return Ok(fetch);
    }
    let client = GuardedClient::new(access)?;
    if let Some((settings, remembered)) = titles {
        let address = interfaces::titles_address(settings);
        let patch_address = interfaces::patch_titles_address(settings);
        if asked.titles {
            watch.started(Upstream::MdmInstaller, &address);
        } else {
            watch.started(Upstream::PatchTitles, &patch_address);
        }
        let time = plan.time_for(parts);
        let answer = interfaces::titles(&client, settings, asked, time, &remembered.titles).await;
        watch.finished();
        if let Some(titles) = answer.titles {
            fetch.add_answered(Upstream::MdmInstaller, &address, titles, plan.tally()).await;
        }
        if let Some(titles) = answer.patch_titles {
            fetch.add_answered(Upstream::PatchTitles, &patch_address, titles, plan.tally()).await;
        }
        parts -= 1;
    }
    if let Some((lookup, remembered)) = lookup {
        let address = interfaces::lookup_address(lookup);
        watch.started(Upstream::StoreListing, &address);
        let (listings, memory) =
            interfaces::listings(&client, lookup, plan.time_for(parts), remembered).await;
        watch.finished();
        fetch.add_answered(Upstream::StoreListing, &address, listings, plan.tally()).await;
        fetch.memory = memory;
    }
    Ok(fetch)
}

impl FetchedFiles {
    async fn add(
        &mut self,
        upstream: Upstream,
        address: &str,
        fetched: Result<Fetched, FetchError>,
        tally: Tally,
        may_lack: bool,
    ) {
        let result = match fetched {
            Ok(Fetched::Unchanged) => FileResult::Unchanged,
            Ok(Fetched::File { bytes, validators }) => {
                self.take(upstream, address, bytes, validators, tally, may_lack).await
            }
            Err(error) => FileResult::Failed(error.into()),
        };
        self.report(upstream, address, result);
    }

    /// Adds what an interface answered.
    async fn add_answered(
        &mut self,
        upstream: Upstream,
        address: &str,
        answered: Result<Answered, FetchFailure>,
        tally: Tally,
    ) {
        let Answered { file, notes, problem } = match answered {
            Ok(answered) => answered,
            Err(failure) => return self.report(upstream, address, FileResult::Failed(failure)),
        };
        let mut result = match file {
            None => FileResult::Unchanged,
            Some(bytes) => {
                self.take(upstream, address, bytes, Validators::default(), tally, false).await
            }
        };
        if let FileResult::Read(tally) = &mut result {
            for (what, why) in notes {
                tally.note(format!("{}, {what}", upstream.token()), why);
            }
        }
        self.report(upstream, address, result);
        if let Some(failure) = problem {
            // What was found until then is published.
            let result = FileResult::Failed(failure);
            self.reports.push(FileReport { upstream, address: address.to_owned(), result });
        }
    }

    fn report(&mut self, upstream: Upstream, address: &str, result: FileResult) {
        if !matches!(result, FileResult::Read(_)) {
            let (source, origin) = (upstream.token(), address.to_owned());
            let is_current = matches!(result, FileResult::Unchanged);
            self.staying.push(StayingOrigin { source, origin, is_current });
        }
        self.reports.push(FileReport { upstream, address: address.to_owned(), result });
    }

    async fn take(
        &mut self,
        upstream: Upstream,
        address: &str,
        bytes: Vec<u8>,
        validators: Validators,
        tally: Tally,
        may_lack: bool,
    ) -> FileResult {
        let address = address.to_owned();
        // Reading a file takes seconds.
        let read =
            tokio::task::spawn_blocking(move || read(upstream, address, bytes, validators, tally));
        match read.await {
            Ok(Ok((file, tally))) => {
                self.files.push(file);
                FileResult::Read(tally)
            }
            Ok(Err(why @ FileError::NoTable)) if may_lack => FileResult::Nothing(why.to_string()),
            Ok(Err(why @ FileError::NoTable)) => FileResult::Failed(FetchFailure::new(format!(
                "{why}; a script may draw it. To read the titles from your own server, configure \
                 [titles]"
            ))),
            Ok(Err(why)) => FileResult::Failed(FetchFailure::new(why.to_string())),
            Err(_) => FileResult::Failed(FetchFailure::new("the file could not be read")),
        }
    }
}

fn read(
    upstream: Upstream,
    origin: String,
    bytes: Vec<u8>,
    validators: Validators,
    mut tally: Tally,
) -> Result<(FetchedFile, Tally), FileError> {
    let budget = &mut Budget::default();
    let upload =
        SourceUpload::read(upstream, origin, &bytes, MAX_UNPACKED_BYTES, &mut tally, budget)?;
    Ok((FetchedFile { upstream, bytes, upload: SourceUpload { validators, ..upload } }, tally))
}
