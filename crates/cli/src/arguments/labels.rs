//! The arguments of `appstitch labels`.

use std::{path::PathBuf, time::Duration};

use anyhow::anyhow;
use appstitch_labels::Architecture;
use appstitch_network::NetworkAccess;
use clap::{ArgMatches, Args, Subcommand, ValueEnum, parser::ValueSource};

use super::{
    network::AccessArguments,
    shared::{PriorityArguments, StoreArguments, TokenArguments, parse_duration},
};
use crate::exit::Failure;

const RESOLVE_NOTES: &str = "\
Without names, all labels that need a run are resolved, those that were run least recently first. \
No shell runs on this machine: labels are interpreted, and only web servers are contacted.

Exit codes: 0 success, even if some labels stay unresolved; 1 a named label stays unresolved; \
2 wrong usage or an unknown label; 3 store or server unavailable, or no request was answered";

const EXPLAIN_NOTES: &str = "\
Exit codes: 0 success; 2 wrong usage or an unknown label; 3 store unavailable";

#[derive(Debug, Subcommand)]
pub(crate) enum LabelsCommand {
    /// Find the versions and download URLs that Installomator labels compute, and publish them
    #[command(after_help = RESOLVE_NOTES)]
    Resolve(ResolveArguments),
    /// Show how a label finds its values: each statement, request and filter
    #[command(after_help = EXPLAIN_NOTES)]
    Explain(ExplainArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ResolveArguments {
    /// The labels, by any of their names [default: all labels that need a run]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Publish to this running server instead of a store; requires the deploy token
    #[arg(long, value_name = "URL", conflicts_with_all = ["older_than", "replay"])]
    pub(crate) server: Option<String>,
    /// Archive with the labels [default: the labels of the store; with --server, those at the URL
    /// of the label source]
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// Resolve only labels whose version or download URL is unknown
    #[arg(long)]
    pub(crate) only_missing: bool,
    /// Resolve only labels whose last run is older than this, such as 90s, 30m, 12h or 2d
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) older_than: Option<Duration>,
    /// Write the labels, the answers and the values as cases to this file; gzipped if it ends in .gz
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Play the cases of this file and print the values as JSON lines; uses no network and publishes
    /// nothing
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all =
            ["only_missing", "older_than", "record", "time_limit", "github_token_file"]
    )]
    pub(crate) replay: Option<PathBuf>,
    /// Time for the whole run; labels that are left come first next time [default: 30m]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) time_limit: Option<Duration>,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
    /// File with the URLs of the upstreams, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Resolve, but do not publish
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) priority: PriorityArguments,
    #[command(flatten)]
    pub(crate) token: TokenArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// The label, by any of its names; with --replay also the name of a case
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Archive with the labels [default: the labels of the store]
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// Use the answers of this file of cases instead of the network
    #[arg(long, value_name = "FILE", conflicts_with = "github_token_file")]
    pub(crate) replay: Option<PathBuf>,
    /// The architecture of the Mac
    #[arg(long, default_value = "arm64")]
    pub(crate) arch: ArchitectureName,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
    /// Print the steps as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl ResolveArguments {
    /// Rejects `--store` beside `--server`. A store from the environment gives way.
    pub(crate) fn check(&self, given: &ArgMatches) -> Result<(), Failure> {
        let given = given.subcommand_matches("labels");
        let given = given.and_then(|given| given.subcommand_matches("resolve"));
        let store = given.and_then(|given| given.value_source("store"));
        if self.server.is_some() && store == Some(ValueSource::CommandLine) {
            return Err(Failure::wrong_use(anyhow!("--store cannot be used with --server")));
        }
        Ok(())
    }
}

/// How labels reach the network.
#[derive(Debug, Args)]
pub(crate) struct NetworkArguments {
    /// File with a GitHub token, which raises the request limit; sent only to api.github.com
    #[arg(long, value_name = "FILE")]
    pub(crate) github_token_file: Option<PathBuf>,
    #[command(flatten)]
    access: AccessArguments,
}

impl NetworkArguments {
    /// Which hosts may be asked.
    pub(crate) fn access(&self) -> Result<NetworkAccess, Failure> {
        self.access.read()
    }
}

/// Resolving labels after a refresh.
#[derive(Debug, Args)]
pub(crate) struct ResolvingArguments {
    /// After publishing, find the values that labels compute and publish them, too, for at most 30m
    /// unless --time-limit is set; see `appstitch labels resolve`
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) resolve_labels: bool,
    /// File with a GitHub token, which raises the request limit; sent only to api.github.com
    #[arg(long, value_name = "FILE", requires = "resolve_labels")]
    pub(crate) github_token_file: Option<PathBuf>,
}

/// The names of the architectures.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ArchitectureName {
    Arm64,
    I386,
}

impl From<ArchitectureName> for Architecture {
    fn from(name: ArchitectureName) -> Self {
        match name {
            ArchitectureName::Arm64 => Self::Arm64,
            ArchitectureName::I386 => Self::I386,
        }
    }
}
