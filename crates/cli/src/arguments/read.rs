//! The arguments of the commands that read.

use std::path::PathBuf;

use appstitch_exports::ExportFormat;
use appstitch_store::StoreAddress;
use appstitch_types::{ChangeKind, DriftScope, InstallMethod, RECORD_FIELDS, Source};
use clap::Args;

use super::{
    shared::{ServerArguments, parse_store},
    unprinted::Unprinted,
};
use crate::words::any_of;

const DRIFT_SOURCE: &str = "Filter by a source that states a version: label_tool (Installomator), cask_catalog (Homebrew Cask), or one of --include";

pub(super) const APPS_EXIT_CODES: &str =
    "Exit codes: 0 success, 1 no apps match, 2 wrong usage, 3 server unavailable";

pub(super) const DRIFT_EXIT_CODES: &str = "\
Exit codes: 0 success, with or without drift; 1 the app is unknown, --vendor or --source matches \
nothing that can be compared, or there is drift with --fail-on-drift; 2 wrong usage; 3 server \
unavailable";

pub(super) const ALIAS_EXIT_CODES: &str =
    "Exit codes: 0 success, 1 no app has this name, 2 wrong usage, 3 server unavailable";

pub(super) const CHANGES_EXIT_CODES: &str = "\
Exit codes: 0 success, with or without changes; 1 the changes since then are not available; \
2 wrong usage; 3 server unavailable";

pub(super) const OUTDATED_HELP: &str = "\
The file is the output of system_profiler, osquery, Jamf Pro, Munki, Fleet, Intune, Kandji, brew \
or mas, or a CSV table; the format is recognized by its content. Examples:
  system_profiler SPApplicationsDataType -json | appstitch outdated -
  brew info --json=v2 --installed --cask | appstitch outdated -

Exit codes: 0 success, with or without outdated apps; 1 the file is not a list of installed apps; \
2 wrong usage; 3 server or store unavailable; 4 apps are outdated, with --fail-on-outdated";

pub(super) const EXPORT_FOR_HELP: &str = "\
A file is made only if it would be complete. If not, the reasons are printed. Examples:
  appstitch export-for munki firefoxpkg > firefoxpkg.plist
  appstitch export-for osquery --output queries firefoxpkg slack
  appstitch export-for munki --output munki.tar.gz - < slugs.txt
  appstitch export-for fleet-policy --all --output policies

Exit codes: 0 success, with --all also if apps do not fit; 1 a named app is unknown or cannot be \
exported; 2 wrong usage; 3 server unavailable";

/// The tokens of sources with the names of the products.
fn named(sources: &[Source]) -> String {
    let named = sources.iter().map(|source| source.describe());
    let named = named.map(|source| format!("{} ({})", source.token, source.product));
    any_of(&named.collect::<Vec<_>>())
}

/// Accepts the token of a source only: a misspelled filter would match nothing, or everything.
fn parse_source(token: &str) -> Result<String, String> {
    match Source::from_token(token) {
        Some(source) => Ok(source.token().to_owned()),
        None => Err(format!("expected {}", named(&Source::ALL))),
    }
}

#[derive(Debug, Args)]
pub(crate) struct AppsArguments {
    /// Filter by vendor (case-insensitive)
    #[arg(long)]
    pub(crate) vendor: Option<String>,
    #[arg(
        long,
        help = format!("Filter by source: {}", named(&Source::ALL)),
        value_name = "SOURCE",
        value_parser = parse_source
    )]
    pub(crate) source: Option<String>,
    /// Exclude apps with this source
    #[arg(long, value_name = "SOURCE", value_parser = parse_source)]
    pub(crate) exclude_source: Option<String>,
    /// Show only apps that are deprecated or disabled in Homebrew
    #[arg(long, conflicts_with = "not_deprecated")]
    pub(crate) deprecated: bool,
    /// Show only apps that are not deprecated or disabled in Homebrew
    #[arg(long)]
    pub(crate) not_deprecated: bool,
    /// Filter by bundle identifier (case-insensitive)
    #[arg(long, value_name = "ID")]
    pub(crate) bundle_id: Option<String>,
    /// Filter by the Team ID of the signature (case-insensitive)
    #[arg(long, value_name = "ID")]
    pub(crate) team_id: Option<String>,
    /// Filter by install method
    #[arg(long, value_name = "METHOD", value_parser = InstallMethod::ALL.map(InstallMethod::word))]
    pub(crate) install_method: Option<String>,
    /// Show only the apps with these slugs, separated by commas
    #[arg(long, value_name = "SLUGS", value_delimiter = ',')]
    pub(crate) slugs: Option<Vec<String>>,
    #[command(flatten)]
    pub(crate) page: PageArguments,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// Words to search for, in any order; small typing errors are allowed
    #[arg(required = true)]
    pub(crate) query: Vec<String>,
    /// Filter by vendor (case-insensitive)
    #[arg(long)]
    pub(crate) vendor: Option<String>,
    #[arg(
        long,
        help = format!("Filter by source: {}", named(&Source::ALL)),
        value_name = "SOURCE",
        value_parser = parse_source
    )]
    pub(crate) source: Option<String>,
    /// Maximum number of apps
    #[arg(long, value_name = "NUMBER", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) limit: u32,
    /// Number of apps to skip
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) offset: u64,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct AppArguments {
    /// Slug of the app, or another name that only this app has
    pub(crate) slug: String,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SourcesArguments {
    /// Show what each source says about this app: its slug, or another name that only this app has
    pub(crate) slug: Option<String>,
    /// Without an app: show also when each source was last tried, why it failed, and the first entries
    /// that were rejected
    #[arg(long, short)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct AliasArguments {
    /// Name: a slug, a present or former name of a Homebrew cask, an Installomator label, a bundle
    /// identifier, a Team ID or the code of a Jamf title (case-insensitive)
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// The first version
    #[arg(value_name = "A", allow_hyphen_values = true)]
    pub(crate) first: String,
    /// The second version
    #[arg(value_name = "B", allow_hyphen_values = true)]
    pub(crate) second: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DriftArguments {
    /// Show only this app: its slug, or another name that only this app has
    pub(crate) slug: Option<String>,
    /// Filter by vendor (case-insensitive)
    #[arg(long)]
    pub(crate) vendor: Option<String>,
    #[arg(long, help = DRIFT_SOURCE, value_name = "SOURCE")]
    pub(crate) source: Option<String>,
    /// Also compare this source; can be repeated or separated by commas
    #[arg(long, value_name = "SOURCE", value_delimiter = ',', value_parser = DriftScope::ON_REQUEST.map(Source::token))]
    pub(crate) include: Vec<String>,
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

impl DriftArguments {
    /// The sources to compare.
    pub(crate) fn scope(&self) -> DriftScope {
        // The parser of the command line lets no other names through.
        DriftScope::read(&self.include.join(",")).unwrap_or_default()
    }
}

#[derive(Debug, Args)]
pub(crate) struct ChangesArguments {
    /// Show only changes after this point: `yesterday`, an age such as 2d or 12h, a day, a time such as
    /// 2026-08-22T19:31:04Z, the number of a change, or the token that an earlier call printed
    /// [default: show the newest changes]
    #[arg(long, value_name = "POINT")]
    pub(crate) since: Option<String>,
    /// Filter by kind
    #[arg(long, value_parser = ChangeKind::ALL.map(ChangeKind::word))]
    pub(crate) kind: Option<String>,
    /// Filter by vendor (case-insensitive)
    #[arg(long)]
    pub(crate) vendor: Option<String>,
    /// Filter by app
    #[arg(long)]
    pub(crate) slug: Option<String>,
    /// Filter by a field that changed
    #[arg(long, value_parser = RECORD_FIELDS)]
    pub(crate) field: Option<String>,
    /// Show the changes of an app as one
    #[arg(long)]
    pub(crate) squash: bool,
    /// Maximum number of changes; the newest are shown first
    #[arg(long, value_name = "NUMBER", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) limit: u32,
    /// Show all changes
    #[arg(long, conflicts_with = "limit", requires = "since")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) read: ReadArguments,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct OutdatedArguments {
    /// File with the installed apps; - for standard input. On a Mac, the default is the apps
    /// that are installed on it
    pub(crate) file: Option<PathBuf>,
    /// Show all apps with their verdicts, not only outdated ones
    #[arg(long)]
    pub(crate) all: bool,
    /// Suggest apps with similar names for apps that are not in the catalog; shown with --all
    #[arg(long)]
    pub(crate) suggest: bool,
    /// Print the answer as JSON
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Print the apps as CSV
    #[arg(long)]
    pub(crate) csv: bool,
    /// Exit with code 4 if apps are outdated
    #[arg(long)]
    pub(crate) fail_on_outdated: bool,
    /// When to use colors; the `NO_COLOR` variable also turns them off
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
    /// Compare with the catalog of this store instead of a server's: sqlite:PATH or postgres://…
    #[arg(long, value_name = "URL", value_parser = Unprinted(parse_store))]
    pub(crate) store: Option<StoreAddress>,
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
    /// Slug of the app, or another name that only this app has
    pub(crate) slug: String,
    /// Print a shell fragment, as in fragments/labels of Installomator
    #[arg(long, conflicts_with = "json")]
    pub(crate) shell: bool,
    /// Print the JSON of the server
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ExportForArguments {
    /// What to export for
    #[arg(value_name = "FORMAT", value_parser = ExportFormat::ALL.map(ExportFormat::name))]
    pub(crate) format: String,
    /// Slugs of apps, or other names that only one app has; - reads them from standard input, one on each
    /// line
    #[arg(value_name = "SLUG", required_unless_present = "all")]
    pub(crate) slugs: Vec<String>,
    /// Export every app that fits
    #[arg(long, conflicts_with = "slugs", requires = "output")]
    pub(crate) all: bool,
    /// Write the files to this folder, or to one archive if the name ends with .tar.gz
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
}
