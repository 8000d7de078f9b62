//! The definition of the command line.

mod backup;
mod catalog;
mod config;
#[cfg(feature = "serve")]
mod connections;
#[cfg(feature = "serve")]
mod export;
mod hooks;
mod labels;
#[cfg(feature = "serve")]
mod listen_address;
#[cfg(feature = "serve")]
mod memory_size;
mod mirror;
mod network;
mod read;
#[cfg(feature = "serve")]
mod schedule;
mod shared;
mod tools;
mod unprinted;

pub(crate) use backup::{BackupArguments, BackupKeyArguments, RestoreArguments};
pub(crate) use catalog::{
    CatalogCommand, PublishArguments, SignArguments, SigningArguments, VerifyArguments,
};
pub(crate) use config::{CheckConfigArguments, ConfigCommand};
#[cfg(feature = "serve")]
pub(crate) use connections::ConnectionArguments;
#[cfg(feature = "serve")]
pub(crate) use export::ExportFolderArguments;
pub(crate) use hooks::{
    HookAddArguments, HookFormat, HookReplayArguments, HookServerArguments, HooksCommand,
};
pub(crate) use labels::{ExplainArguments, LabelsCommand, ResolveArguments, ResolvingArguments};
pub(crate) use mirror::{FetchArguments, MirrorArguments};
pub(crate) use read::{
    AliasArguments, AppArguments, AppsArguments, ChangesArguments, ColorChoice, CompareArguments,
    DriftArguments, ExportForArguments, LabelArguments, OutdatedArguments, SearchArguments,
    SourcesArguments, StatsArguments,
};
#[cfg(feature = "serve")]
pub(crate) use schedule::{Interval, ScheduleArguments};
pub(crate) use shared::{PriorityArguments, ServerArguments, StoreArguments, TokenArguments};
pub(crate) use tools::{McpArguments, ToolOrigin};

#[cfg(feature = "serve")]
use std::net::SocketAddr;
use std::{path::PathBuf, time::Duration};

#[cfg(feature = "serve")]
use appstitch_server::{DEFAULT_MINIMUM, Links};
use appstitch_sources::Upstream;
use clap::{Args, Parser, Subcommand};

use network::AccessArguments;
use shared::parse_duration;
#[cfg(feature = "serve")]
use shared::{macos_version, public_url};

use crate::words::any_of;

#[derive(Debug, Parser)]
#[command(version, about = ABOUT, after_help = NEWCOMER)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const ABOUT: &str = "A catalog of macOS apps: what Installomator, Homebrew, AutoPkg, Jamf App Installers and the App Store know, as one record per app";

const NEWCOMER: &str = "\
Three commands to start with:
  appstitch refresh    fetch the catalog from its sources into a file
  appstitch serve      serve it on http://127.0.0.1:8000 (or a small sample)
  appstitch apps       list the apps that it serves

Exit codes: 0 success, 1 negative answer (unknown app, no match, rejected upload), \
2 wrong usage, 3 server or store unavailable";

#[cfg(feature = "serve")]
const TOOL_ORIGINS: &str = "Comma-separated origins whose pages may use the tools under /mcp, such as https://chat.example; * for all [default: this machine]";
#[cfg(feature = "serve")]
const TOOL_HOSTS: &str = "Comma-separated host names under which the tools are served, such as apps.example; * for all [default: this machine]";
#[cfg(feature = "serve")]
const PUBLIC_URL: &str =
    "Public base URL of the service, such as https://apps.example; feeds and webhooks link to it";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the service
    #[cfg(feature = "serve")]
    Serve(ServeArguments),
    /// Fetch the newest data of all sources and publish it, to a store or a running server
    Refresh(RefreshArguments),
    /// Upload files of one source to a running server; requires the deploy token
    Upload(UploadArguments),
    /// Check the configuration of `refresh` and `serve`
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Manage the webhooks of a running server; requires the deploy token
    #[command(subcommand)]
    Hooks(HooksCommand),
    /// Write everything that a store holds to one file
    #[command(after_help = backup::BACKUP_HELP)]
    Backup(BackupArguments),
    /// Restore a backup into a store
    #[command(after_help = backup::RESTORE_HELP)]
    Restore(RestoreArguments),
    /// Write, sign and verify the catalog as files that can be carried
    #[command(subcommand)]
    Catalog(CatalogCommand),
    /// Import or export whole records, for mirrors; to copy or restore a store, use `backup`
    #[command(subcommand)]
    Records(RecordsCommand),
    /// Write every public answer as files, for a static server
    #[cfg(feature = "serve")]
    #[command(after_help = export::EXPORT_HELP)]
    Export(ExportFolderArguments),
    /// Serve the tools for AI assistants (MCP) over standard input and output
    #[command(after_help = tools::PRECEDENCE)]
    Mcp(McpArguments),
    /// List apps
    #[command(after_help = read::APPS_EXIT_CODES)]
    Apps(AppsArguments),
    /// Search apps by any of their names, best match first
    #[command(after_help = read::APPS_EXIT_CODES)]
    Search(SearchArguments),
    /// Show one app
    App(AppArguments),
    /// Show the requirements, deprecation, files, other names and variants of an app
    Details(AppArguments),
    /// Find apps by any of their names
    #[command(after_help = read::ALIAS_EXIT_CODES)]
    Alias(AliasArguments),
    /// Show how recent each source is, or the sources of an app
    Sources(SourcesArguments),
    /// Show apps whose sources disagree on the newest version
    #[command(after_help = read::DRIFT_EXIT_CODES)]
    Drift(DriftArguments),
    /// Show what changed in the catalog
    #[command(after_help = read::CHANGES_EXIT_CODES)]
    Changes(ChangesArguments),
    /// Show the versions that an app had
    History(AppArguments),
    /// Compare two versions: whether the first is older, newer or the same release
    Compare(CompareArguments),
    /// Check installed apps: which are outdated, and what the newest versions are
    #[command(after_help = read::OUTDATED_HELP)]
    Outdated(OutdatedArguments),
    /// Generate an Installomator label for an app
    Label(LabelArguments),
    /// Export apps as files for another tool: Munki, AutoPkg, Intune, Fleet, osquery
    #[command(after_help = read::EXPORT_FOR_HELP)]
    ExportFor(ExportForArguments),
    /// Run Installomator labels without a Mac, to find the versions that they compute
    #[command(subcommand)]
    Labels(LabelsCommand),
    /// Show catalog statistics
    Stats(StatsArguments),
    /// Show whether a server is up, and what it does
    Health(StatsArguments),
    /// Print shell completions
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, which covers every command
    Man,
    /// Print the OpenAPI document
    #[cfg(feature = "serve")]
    Openapi,
}

#[cfg(feature = "serve")]
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Address and port to listen on; port 0 picks a free port, printed in the first line of output
    #[arg(
        long,
        env = "APPSTITCH_LISTEN",
        default_value = "127.0.0.1:8000",
        value_name = "ADDR",
        value_parser = listen_address::parse
    )]
    pub(crate) listen: SocketAddr,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Do not load the sample catalog into an empty store
    #[arg(long)]
    pub(crate) no_sample: bool,
    #[command(flatten)]
    pub(crate) token: TokenArguments,
    #[arg(long, help = TOOL_ORIGINS, env = "APPSTITCH_TOOL_ORIGINS", value_name = "LIST")]
    pub(crate) tool_origins: Option<String>,
    #[arg(long, help = TOOL_HOSTS, env = "APPSTITCH_TOOL_HOSTS", value_name = "LIST")]
    pub(crate) tool_hosts: Option<String>,
    #[arg(
        long,
        help = PUBLIC_URL,
        env = "APPSTITCH_PUBLIC_URL",
        default_value = "",
        hide_default_value = true,
        value_name = "URL",
        value_parser = public_url
    )]
    pub(crate) public_url: Links,
    #[command(flatten)]
    pub(crate) signing: SigningArguments,
    /// The macOS that the Jamf patch source requires where no source names one
    #[arg(
        long,
        env = "APPSTITCH_PATCH_MINIMUM_MACOS",
        default_value = DEFAULT_MINIMUM,
        value_name = "VERSION",
        value_parser = macos_version
    )]
    pub(crate) patch_minimum_macos: String,
    /// Allow webhooks to private, link-local and loopback addresses, and over http
    #[arg(
        long,
        env = "APPSTITCH_ALLOW_PRIVATE_HOOKS",
        value_parser = clap::builder::BoolishValueParser::new()
    )]
    pub(crate) allow_private_hooks: bool,
    /// Memory for uploads and messages to the tools, such as 512MiB or 2GiB; at least 64MiB. The
    /// served catalog is not included
    #[arg(
        long,
        env = "APPSTITCH_MEMORY_LIMIT",
        default_value = "1GiB",
        value_name = "SIZE",
        value_parser = memory_size::parse
    )]
    pub(crate) memory_limit: u64,
    #[command(flatten)]
    pub(crate) connections: ConnectionArguments,
    #[command(flatten)]
    pub(crate) schedule: ScheduleArguments,
    #[command(flatten)]
    pub(crate) mirror: MirrorArguments,
    #[command(flatten)]
    pub(crate) priority: PriorityArguments,
    /// Write logs as JSON, one object per line
    #[arg(long, env = "APPSTITCH_LOG_JSON", value_parser = clap::builder::BoolishValueParser::new())]
    pub(crate) log_json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RefreshArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Publish to this running server instead of a store; requires the deploy token
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
    #[arg(
        long,
        help = format!("Refresh only this source; can be repeated: {}", upstreams()),
        value_name = "SOURCE",
        value_parser = parse_upstream
    )]
    pub(crate) only: Vec<Upstream>,
    /// File with the addresses of the sources, the server of the titles and more; see `config check`
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Fetch and read, but do not publish: show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Show all rejected entries and changes of versions, instead of the first ones
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Time for the whole refresh, such as 90s, 30m or 2h; files that are not received by then keep
    /// their last data [default: 1h]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) time_limit: Option<Duration>,
    #[command(flatten)]
    pub(crate) access: AccessArguments,
    /// Publish even if more than a fifth of the records of a source would be removed
    #[arg(long)]
    pub(crate) allow_shrink: bool,
    #[command(flatten)]
    pub(crate) resolving: ResolvingArguments,
    #[command(flatten)]
    pub(crate) priority: PriorityArguments,
    #[command(flatten)]
    pub(crate) token: TokenArguments,
}

#[derive(Debug, Args)]
pub(crate) struct UploadArguments {
    #[arg(
        help = format!("The source of the file: {}", upstreams()),
        value_name = "SOURCE",
        value_parser = parse_upstream
    )]
    pub(crate) source: Upstream,
    /// The file as the upstream publishes it, optionally gzipped. Several files are one change; of an
    /// entry that several have, the first is used
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
    /// Upload even if more than a fifth of the records of the source would be removed
    #[arg(long)]
    pub(crate) allow_shrink: bool,
    /// Upload even if no entry of a file is accepted
    #[arg(long)]
    pub(crate) allow_empty: bool,
    #[command(flatten)]
    pub(crate) token: TokenArguments,
}

fn parse_upstream(token: &str) -> Result<Upstream, String> {
    Upstream::from_token(token).ok_or_else(|| format!("expected one of {}", tokens()))
}

/// The tokens of all upstreams.
fn tokens() -> String {
    Upstream::ALL.map(Upstream::token).join(", ")
}

/// The same with the names of the products.
fn upstreams() -> String {
    let named = Upstream::ALL.map(|upstream| {
        let product = match upstream {
            Upstream::PatchTitles => "titles of Jamf's patch catalog",
            other => other
                .source()
                .map_or("found versions of labels", |source| source.describe().product),
        };
        format!("{} ({product})", upstream.token())
    });
    any_of(&named)
}

#[derive(Debug, Subcommand)]
pub(crate) enum RecordsCommand {
    /// Replace all manual records with those of an NDJSON file; sources cannot update such apps
    Import(ImportArguments),
    /// Export every served record as NDJSON
    Export(ExportArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// File with one {"app":…,"sources":…} object per line; - for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Import even if more than a fifth of the records would be removed
    #[arg(long)]
    pub(crate) allow_shrink: bool,
    /// Import even if more than a fifth of the apps that the sources keep up to date would become
    /// manual records
    #[arg(long)]
    pub(crate) freeze: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// File to write; - or none for standard output
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Arguments::command().debug_assert();
    }

    /// All commands, with those below them.
    fn commands(command: &clap::Command) -> Vec<&clap::Command> {
        let below = command.get_subcommands().flat_map(commands);
        std::iter::once(command).chain(below).collect()
    }

    #[test]
    fn the_help_names_the_products() {
        let mut help = Arguments::command();
        let words = |text: clap::builder::StyledStr| -> String {
            text.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let text = words(help.render_help());
        for product in ["Installomator", "Homebrew", "AutoPkg", "Jamf", "App Store"] {
            assert!(text.contains(product), "{product}");
        }
        for command in ["apps", "search", "refresh", "upload"] {
            let text = words(help.find_subcommand_mut(command).unwrap().render_help());
            for source in ["label_tool (Installomator)", "mdm_installer (Jamf App Installers)"] {
                assert!(text.contains(source), "{source} in {text}");
            }
        }
    }

    /// A paragraph that is broken in the source is broken twice in a narrow window.
    #[test]
    fn the_notes_of_the_help_are_wrapped_by_the_window_alone() {
        let all = Arguments::command();
        for command in commands(&all) {
            let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let lines: Vec<&str> = notes.lines().collect();
            for pair in lines.windows(2) {
                let is_text = |line: &str| !line.is_empty() && !line.starts_with(' ');
                let is_broken = is_text(pair[0]) && is_text(pair[1]);
                assert!(!is_broken, "{}: {pair:?}", command.get_name());
            }
            for line in lines.iter().filter(|line| line.starts_with(' ')) {
                assert!(line.len() < 80, "{}: {line}", command.get_name());
            }
        }
    }
}
