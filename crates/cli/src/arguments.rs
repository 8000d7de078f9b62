//! What the command line takes.

mod read;

pub(crate) use read::{
    AppArguments, AppsArguments, ColorChoice, DriftArguments, LabelArguments, SearchArguments,
    StatsArguments,
};

use std::{net::SocketAddr, path::PathBuf};

use appstitch_server::BackgroundPriority;
use appstitch_sources::Upstream;
use appstitch_store::StoreAddress;
use clap::{Args, Parser, Subcommand};

/// A catalog of macOS applications, one stitched record per app
#[derive(Debug, Parser)]
#[command(version, after_help = NEWCOMER)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const NEWCOMER: &str = "\
Three commands to start with:
  appstitch serve                          run the service on http://127.0.0.1:8000 with a sample catalog
  appstitch apps                           read from it (or open http://127.0.0.1:8000/docs)
  appstitch refresh                        fill its store from the upstreams";

const TOOL_ORIGINS: &str = "Origins whose pages may use the tools under /mcp, with commas between them, such as https://chat.example; * for all [default: this machine]";
const TOOL_HOSTS: &str = "Host names under which the tools are served, with commas between them, such as apps.example; * for all [default: this machine]";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the service
    Serve(ServeArguments),
    /// Fetch the upstreams and publish one revision, into a store or to a running server
    Refresh(RefreshArguments),
    /// Send one upstream's file to a running server; needs the deploy token
    Upload(UploadArguments),
    /// Read or write whole records, for mirrors and restores
    #[command(subcommand)]
    Records(RecordsCommand),
    /// Serve the tools for AI assistants over standard input and output
    Mcp(McpArguments),
    /// List apps
    Apps(AppsArguments),
    /// Find apps by a part of their slug, name, vendor or bundle identifier
    Search(SearchArguments),
    /// Show one app
    App(AppArguments),
    /// Show what each source says about an app
    Sources(AppArguments),
    /// Show which sources disagree on the newest version
    Drift(DriftArguments),
    /// Generate an installer label for an app
    Label(LabelArguments),
    /// Show the catalog in numbers
    Stats(StatsArguments),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
    /// Print the OpenAPI document
    Openapi,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Address and port; port 0 picks a free one, and the first line on stdout says which
    #[arg(long, env = "APPSTITCH_LISTEN", default_value = "127.0.0.1:8000", value_name = "ADDR")]
    pub(crate) listen: SocketAddr,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Leave an empty store empty instead of filling it with the sample catalog
    #[arg(long)]
    pub(crate) no_sample: bool,
    /// Without a deploy token uploads are refused
    #[command(flatten)]
    pub(crate) token: TokenArguments,
    #[arg(long, help = TOOL_ORIGINS, env = "APPSTITCH_TOOL_ORIGINS", value_name = "LIST")]
    pub(crate) tool_origins: Option<String>,
    #[arg(long, help = TOOL_HOSTS, env = "APPSTITCH_TOOL_HOSTS", value_name = "LIST")]
    pub(crate) tool_hosts: Option<String>,
    #[command(flatten)]
    pub(crate) priority: PriorityArguments,
    /// Write logs as JSON, one object a line
    #[arg(long, env = "APPSTITCH_LOG_JSON", value_parser = clap::builder::BoolishValueParser::new())]
    pub(crate) log_json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PriorityArguments {
    /// What a refresh gets of the processor: what reads and other programs leave, or its full share
    #[arg(
        long,
        env = "APPSTITCH_REFRESH_PRIORITY",
        default_value = "idle",
        value_name = "PRIORITY"
    )]
    pub(crate) refresh_priority: RefreshPriority,
}

/// The names of the priorities.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum RefreshPriority {
    Idle,
    Normal,
}

impl From<RefreshPriority> for BackgroundPriority {
    fn from(priority: RefreshPriority) -> Self {
        match priority {
            RefreshPriority::Idle => Self::Idle,
            RefreshPriority::Normal => Self::Normal,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RefreshArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Publish to this running server instead of a store; needs the deploy token
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// Refresh only this source; may be given several times
    #[arg(long, value_name = "SOURCE", value_parser = parse_upstream)]
    pub(crate) only: Vec<Upstream>,
    /// File with the upstreams' addresses, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Fetch and read, but publish nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Fetch from private, link-local and loopback addresses too
    #[arg(long)]
    pub(crate) allow_private: bool,
    /// Go on even if more than a fifth of a source would be removed
    #[arg(long)]
    pub(crate) allow_shrink: bool,
    #[command(flatten)]
    pub(crate) priority: PriorityArguments,
    #[command(flatten)]
    pub(crate) token: TokenArguments,
}

#[derive(Debug, Args)]
pub(crate) struct UploadArguments {
    /// Whose file it is
    #[arg(value_name = "SOURCE", value_parser = parse_upstream)]
    pub(crate) source: Upstream,
    /// The upstream's own file, gzipped or not
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
    /// Go on even if more than a fifth of the source would be removed
    #[arg(long)]
    pub(crate) allow_shrink: bool,
    #[command(flatten)]
    pub(crate) token: TokenArguments,
}

#[derive(Debug, Args)]
pub(crate) struct McpArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Pass everything on to this running server instead of reading a store
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ServerArguments {
    /// The running server
    #[arg(
        long,
        env = "APPSTITCH_SERVER",
        default_value = "http://127.0.0.1:8000",
        value_name = "URL"
    )]
    pub(crate) server: String,
}

#[derive(Debug, Args)]
pub(crate) struct TokenArguments {
    /// File that holds the secret behind /admin; APPSTITCH_DEPLOY_TOKEN gives it directly
    #[arg(long, value_name = "FILE")]
    pub(crate) deploy_token_file: Option<PathBuf>,
}

fn parse_upstream(token: &str) -> Result<Upstream, String> {
    let tokens = Upstream::ALL.map(Upstream::token).join(", ");
    Upstream::from_token(token).ok_or_else(|| format!("use one of {tokens}"))
}

#[derive(Debug, Args)]
pub(crate) struct StoreArguments {
    /// Where the catalog is kept: sqlite:PATH
    #[arg(
        long,
        env = "APPSTITCH_STORE",
        default_value = "sqlite:appstitch.db",
        value_name = "URL"
    )]
    pub(crate) store: StoreAddress,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RecordsCommand {
    /// Replace the hand-given records by those of an NDJSON file
    Import(ImportArguments),
    /// Write every served record as NDJSON
    Export(ExportArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// One {"app":…,"sources":…} object a line; - for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Go on even if more than a fifth of the records would be removed
    #[arg(long)]
    pub(crate) allow_shrink: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// Where to write; standard output if not given
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
}
