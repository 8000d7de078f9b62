//! `appstitch refresh`: fetches the upstreams and publishes one revision.
//!
//! A source that cannot be fetched, cannot be read or shrinks suspiciously keeps its last good
//! data. The other sources are still published, and the exit code is 1.

mod into_store;
mod report;
mod to_server;

use anyhow::anyhow;
use appstitch_network::NetworkAccess;
use appstitch_refresh::{TimeLimit, UpstreamConfig};
use appstitch_resolver::LiveOptions;
use appstitch_sources::Upstream;

use crate::{arguments::RefreshArguments, exit::Failure, labels, words::any_of};
use report::Report;

/// A change is published as a whole or not at all.
const WHILE_PUBLISHING: &str = "the catalog is either as before or refreshed";

/// What a refresh was asked for.
struct Order {
    arguments: RefreshArguments,
    config: UpstreamConfig,
    /// The sources to refresh.
    chosen: Vec<Upstream>,
    access: NetworkAccess,
    limit: TimeLimit,
    labels: LiveOptions,
}

impl Order {
    fn read(arguments: RefreshArguments) -> Result<Self, Failure> {
        let config =
            UpstreamConfig::read(arguments.config.as_deref()).map_err(Failure::wrong_use)?;
        let chosen = chosen(&config, &arguments.only)?;
        let access = arguments.access.read()?;
        let token_file = arguments.resolving.github_token_file.as_deref();
        let labels = labels::live_options(arguments.time_limit, token_file, access.clone())?;
        let limit = TimeLimit::start(arguments.time_limit);
        Ok(Self { arguments, config, chosen, access, limit, labels })
    }

    /// How labels are run in the time that is left.
    fn labels_in_time(&self) -> LiveOptions {
        let time_limit = self.limit.for_labels(self.labels.time_limit);
        LiveOptions { time_limit, ..self.labels.clone() }
    }
}

pub(crate) async fn run(arguments: RefreshArguments) -> Result<(), Failure> {
    let order = Order::read(arguments)?;
    let mut report = Report::new(order.arguments.verbose);
    let keeps_data = match &order.arguments.server {
        None => into_store::refresh(&order, &mut report).await?,
        Some(server) => to_server::refresh(&order, server, &mut report).await?,
    };
    report.print();
    if report.failed() {
        let kept = if keeps_data { "; their last good data is kept" } else { "" };
        return Err(Failure::no(anyhow!("some sources could not be refreshed{kept}")));
    }
    if report.is_unresolved() {
        return Err(Failure::no(anyhow!(
            "the sources are refreshed, but the labels could not be resolved"
        )));
    }
    Ok(())
}

/// The sources of `--only`, or all. One that the configuration lacks is an error: nothing would
/// happen, and nobody would notice.
fn chosen(config: &UpstreamConfig, only: &[Upstream]) -> Result<Vec<Upstream>, Failure> {
    if let Some(missing) = only.iter().find(|upstream| !config.fetches(**upstream)) {
        let fetched: Vec<String> =
            config.upstreams().map(|upstream| upstream.token().to_owned()).collect();
        let why = anyhow!("the configuration has nothing to fetch for {}", missing.token());
        let failure = Failure::wrong_use(why);
        return Err(if fetched.is_empty() {
            failure
        } else {
            failure.hint(format!("it has {}", any_of(&fetched)))
        });
    }
    let is_chosen = |upstream: &Upstream| only.is_empty() || only.contains(upstream);
    Ok(config.upstreams().filter(is_chosen).collect())
}
