//! What the commands that read take.

use clap::Args;

use super::ServerArguments;

#[derive(Debug, Args)]
pub(crate) struct AppsArguments {
    /// Only apps of this vendor, whatever the case
    #[arg(long)]
    pub(crate) vendor: Option<String>,
    /// Only apps that carry this source
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: Option<String>,
    /// No apps that carry this source
    #[arg(long, value_name = "SOURCE")]
    pub(crate) exclude_source: Option<String>,
    #[command(flatten)]
    pub(crate) page: PageArguments,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// What to look for
    pub(crate) query: String,
    /// How many apps at most
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct AppArguments {
    /// The app's slug
    pub(crate) slug: String,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct DriftArguments {
    /// Only this app
    pub(crate) slug: Option<String>,
    /// Only apps of this vendor, whatever the case
    #[arg(long)]
    pub(crate) vendor: Option<String>,
    /// Only entries in which this source takes part: `label_tool` or `cask_catalog`
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: Option<String>,
    #[command(flatten)]
    pub(crate) page: PageArguments,
    /// End with exit code 1 if there is drift
    #[arg(long)]
    pub(crate) fail_on_drift: bool,
    /// Show all drift, and again whenever it changes; look every so many seconds
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "60",
          conflicts_with_all = ["slug", "fail_on_drift"])]
    pub(crate) watch: Option<u64>,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct StatsArguments {
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct PageArguments {
    /// How many rows at most
    #[arg(long, value_name = "NUMBER", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) limit: u32,
    /// How many rows to skip
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) offset: u64,
    /// All rows, page by page
    #[arg(long, conflicts_with = "limit")]
    pub(crate) all: bool,
}

/// What every command that reads takes.
#[derive(Debug, Args)]
pub(crate) struct ReadArguments {
    /// Print JSON, as the server sent it
    #[arg(long)]
    pub(crate) json: bool,
    /// When to use colours; `NO_COLOR` turns them off as well
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Args)]
pub(crate) struct LabelArguments {
    /// The app's slug
    pub(crate) slug: String,
    /// Print a fragment that the label tool can run
    #[arg(long, conflicts_with = "json")]
    pub(crate) shell: bool,
    /// Print the server's answer as it is
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
}
