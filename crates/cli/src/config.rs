//! `appstitch config check`: what a configuration would fetch, and whether its servers answer.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use anyhow::anyhow;
use appstitch_network::rounded;
use appstitch_refresh::{
    FetchPlan, FileReport, FileResult, Remembered, TimeLimit, UpstreamConfig, Watch, fetch,
};
use appstitch_sources::Upstream;

use crate::{
    arguments::CheckConfigArguments, exit::Failure, interrupt::unless_interrupted, words::counted,
};

/// An app that every store has, to ask for its listing.
const KNOWN_APP: &str = "com.apple.dt.Xcode";

/// For each source.
const TIME: Duration = Duration::from_mins(10);

pub(crate) async fn check(arguments: CheckConfigArguments) -> Result<(), Failure> {
    let config = UpstreamConfig::read(arguments.file.as_deref()).map_err(Failure::wrong_use)?;
    println!("{:<14} {:<6} from", "source", "every");
    let mut is_complete = true;
    for upstream in Upstream::ALL {
        is_complete &= show(&config, upstream);
    }
    if !config.has_intervals() {
        eprintln!(
            "hint: `serve` refreshes by itself only with --refresh-every, because no source here has an interval"
        );
    }
    for (name, slugs) in config.patch_lists() {
        println!("patch list {name}: {}", counted(slugs.len(), "app"));
    }
    if arguments.connect {
        println!();
        is_complete &= connect(&arguments, &config).await?;
    }
    if is_complete { Ok(()) } else { Err(Failure::no(anyhow!("not everything can be fetched"))) }
}

/// Shows what is fetched for a source. Returns whether nothing is missing.
fn show(config: &UpstreamConfig, upstream: Upstream) -> bool {
    let token = upstream.token();
    if !config.fetches(upstream) {
        println!("{token:<14} {:<6} nothing", "-");
        return true;
    }
    let every = interval(config.every(upstream, None));
    let line = |from: &str| println!("{token:<14} {every:<6} {from}");
    for (_, address) in config.addresses().filter(|(known, _)| *known == upstream) {
        line(address);
    }
    let mut is_complete = true;
    if let Some(titles) = config.titles().filter(|_| upstream == Upstream::MdmInstaller) {
        line(&format!("{} (titles API, client {})", titles.server, titles.client_id));
        if let Err(error) = titles.with_secret() {
            eprintln!("warning: {token}: {error}");
            is_complete = false;
        }
    }
    if let Some(titles) = config.titles().filter(|_| upstream == Upstream::PatchTitles) {
        line(&format!("{} (patch catalog)", titles.server));
    }
    if let Some(lookup) = config.lookup().filter(|_| upstream == Upstream::StoreListing) {
        line(&format!("{} (lookups, country {})", lookup.address, lookup.country));
    }
    is_complete
}

/// An interval as it is written in the file.
pub(crate) fn interval(every: Duration) -> String {
    let seconds = every.as_secs();
    for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60)] {
        if seconds.is_multiple_of(length) && seconds >= length {
            return format!("{}{unit}", seconds / length);
        }
    }
    format!("{seconds}s")
}

/// Fetches each source once. Returns whether all could be read.
async fn connect(
    arguments: &CheckConfigArguments,
    config: &UpstreamConfig,
) -> Result<bool, Failure> {
    let access = arguments.access.read()?;
    let remembered = Remembered::wanting(vec![KNOWN_APP.to_owned()]);
    let mut is_complete = true;
    println!(
        "{:<14} {:>10} {:>10} {:>8} {:>8}  status",
        "source", "bytes", "time", "entries", "rejected"
    );
    for upstream in config.upstreams() {
        let times = Times::default();
        let plan = FetchPlan {
            config,
            only: &[upstream],
            known: &[],
            remembered: Some(&remembered),
            limit: TimeLimit::start(Some(TIME)),
            other_parts: 0,
            all_problems: false,
        };
        let fetch = async { fetch(plan, &access, &times).await.map_err(Failure::unreachable) };
        let fetched = unless_interrupted(fetch, "nothing was published").await?;
        for report in &fetched.reports {
            let file = fetched.files.iter().find(|file| file.upload.origin == report.address);
            let bytes = file.map(|file| file.bytes.len());
            show_answer(report, bytes, times.of(&report.address));
            is_complete &= !report.failed();
        }
    }
    Ok(is_complete)
}

fn show_answer(report: &FileReport, bytes: Option<usize>, time: Option<Duration>) {
    let FileReport { upstream, address, result } = report;
    let text = |number: Option<usize>| number.map_or("-".to_owned(), |number| number.to_string());
    let (entries, rejected, status) = match result {
        FileResult::Read(tally) => {
            (Some(tally.received - tally.rejected), Some(tally.rejected), "ok")
        }
        FileResult::Unchanged => (None, None, "ok"),
        FileResult::Nothing(why) => (None, None, why.as_str()),
        FileResult::Failed(failure) => (None, None, failure.why.as_str()),
    };
    println!(
        "{:<14} {:>10} {:>10} {:>8} {:>8}  {status}: {address}",
        upstream.token(),
        text(bytes),
        time.map_or("-".to_owned(), rounded),
        text(entries),
        text(rejected),
    );
}

/// How long each address took.
#[derive(Default)]
struct Times(Mutex<Vec<(String, Instant, Option<Duration>)>>);

impl Times {
    fn of(&self, address: &str) -> Option<Duration> {
        let times = self.0.lock().ok()?;
        times.iter().find(|(known, _, _)| known == address).and_then(|(_, _, time)| *time)
    }
}

impl Watch for Times {
    fn started(&self, _: Upstream, address: &str) {
        if let Ok(mut times) = self.0.lock() {
            times.push((address.to_owned(), Instant::now(), None));
        }
    }

    fn finished(&self) {
        if let Ok(mut times) = self.0.lock()
            && let Some((_, started, time)) = times.last_mut()
        {
            *time = Some(started.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_shown_as_they_are_written() {
        for (seconds, text) in [(86_400, "1d"), (7_200, "2h"), (5_400, "90m"), (61, "61s")] {
            assert_eq!(interval(Duration::from_secs(seconds)), text);
        }
    }
}
