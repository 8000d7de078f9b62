//! The arguments of the commands that read.

use clap::Args;

use super::ServerArguments;

pub(super) const APPS_EXIT_CODES: &str =
    "Exit codes: 0 success, 1 no apps match, 2 wrong usage, 3 server unavailable";

pub(super) const DRIFT_EXIT_CODES: &str = "\
Exit codes: 0 success, with or without drift; 1 the app is unknown, --vendor or --source matches
nothing that can be compared, or there is drift with --fail-on-drift; 2 wrong usage; 3 server
unavailable";

#[derive(Debug, Args)]
pub(crate) struct AppsArguments {
    /// Filter by vendor (case-insensitive)
    #[arg(long)]
    pub(crate) vendor: Option<String>,
    /// Filter by source: `label_tool`, `cask_catalog`, `recipe_index` or `mdm_installer`
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: Option<String>,
    /// Exclude apps with this source
    #[arg(long, value_name = "SOURCE")]
    pub(crate) exclude_source: Option<String>,
    #[command(flatten)]
    pub(crate) page: PageArguments,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// Text to search for (case-insensitive)
    pub(crate) query: String,
    /// Maximum number of apps
    #[arg(long, value_name = "NUMBER", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct AppArguments {
    /// Slug of the app
    pub(crate) slug: String,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct DriftArguments {
    /// Show only this app
    pub(crate) slug: Option<String>,
    /// Filter by vendor (case-insensitive)
    #[arg(long)]
    pub(crate) vendor: Option<String>,
    /// Filter by a source that states a version: `label_tool` or `cask_catalog`
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: Option<String>,
    #[command(flatten)]
    pub(crate) page: PageArguments,
    /// Exit with code 1 if there is drift
    #[arg(long)]
    pub(crate) fail_on_drift: bool,
    /// Show all drift, and again when it changes; check at this interval
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
    /// Maximum number of rows
    #[arg(long, value_name = "NUMBER", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) limit: u32,
    /// Number of rows to skip
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) offset: u64,
    /// Show all rows
    #[arg(long, conflicts_with = "limit")]
    pub(crate) all: bool,
}

/// The arguments of every command that reads.
#[derive(Debug, Args)]
pub(crate) struct ReadArguments {
    /// Print the JSON of the server
    #[arg(long)]
    pub(crate) json: bool,
    /// When to use colors; the `NO_COLOR` variable also turns them off
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
    /// Slug of the app
    pub(crate) slug: String,
    /// Print a shell fragment for the label tool
    #[arg(long, conflicts_with = "json")]
    pub(crate) shell: bool,
    /// Print the JSON of the server
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
}
