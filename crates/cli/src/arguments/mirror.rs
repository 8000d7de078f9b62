//! The arguments of whoever takes over the catalog of another store.

use std::time::Duration;

use clap::Args;

use super::{
    network::AccessArguments,
    shared::{StoreArguments, parse_duration},
};

pub(crate) const FETCH_HELP: &str = "\
Exit codes: 0 the store has the newest catalog, 1 a file or the signature was changed, 2 wrong usage, \
3 the origin or the store is unavailable, 5 not signed with a known key, 6 the catalog needs a newer \
version of appstitch, 7 the catalog is older than the store, 8 another catalog than that of the store";

#[derive(Debug, Args)]
pub(crate) struct FetchArguments {
    /// URL of a server or of a folder with the catalog, or a local folder
    #[arg(value_name = "URL|DIR")]
    pub(crate) origin: String,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) keys: TrustArguments,
    /// Also replace the store's catalog with an older or another one
    #[arg(long)]
    pub(crate) allow_rollback: bool,
    /// Warn if the catalog is older than this, such as 14d
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) max_age: Option<Duration>,
    #[command(flatten)]
    pub(crate) access: AccessArguments,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct TrustArguments {
    /// Public key that must have signed the catalog, as text or as a file; can be given several times
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Vec<String>,
    /// Take over a catalog without verifying who made it
    #[arg(long, conflicts_with = "key")]
    pub(crate) unsigned: bool,
}

/// Origins are not asked more often than this. Without a new revision, a look costs one conditional request.
const SHORTEST_INTERVAL: Duration = Duration::from_secs(5);

/// Following another server.
#[derive(Debug, Args)]
pub(crate) struct MirrorArguments {
    /// Serve the catalog of another server, from the URL of that server or of a folder with the catalog,
    /// or from a local folder. Uploads and refreshes are off
    #[arg(
        long,
        env = "APPSTITCH_MIRROR",
        value_name = "URL|DIR",
        conflicts_with_all = ["refresh_every", "config", "resolve_labels", "signing_key_file"]
    )]
    pub(crate) mirror: Option<String>,
    /// With --mirror: public key that must have signed the catalog, as text or as a file; can be given
    /// several times
    #[arg(long = "key", env = "APPSTITCH_MIRROR_KEY", requires = "mirror", value_name = "KEY")]
    pub(crate) key: Vec<String>,
    /// With --mirror: take over a catalog without verifying who made it
    #[arg(long, requires = "mirror", conflicts_with = "key")]
    pub(crate) unsigned: bool,
    /// With --mirror: how often to look for a new revision; at least 5s. Up to a tenth is added at random
    #[arg(
        long,
        env = "APPSTITCH_MIRROR_EVERY",
        default_value = "5m",
        value_name = "DURATION",
        value_parser = interval
    )]
    pub(crate) mirror_every: Duration,
}

fn interval(text: &str) -> Result<Duration, String> {
    match parse_duration(text.trim())? {
        duration if duration < SHORTEST_INTERVAL => Err("must be at least 5s".to_owned()),
        duration => Ok(duration),
    }
}
