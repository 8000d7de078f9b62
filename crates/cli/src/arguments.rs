//! What the command line takes.

use std::{net::SocketAddr, path::PathBuf};

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
  curl http://127.0.0.1:8000/apps          read from it (or open http://127.0.0.1:8000/docs)
  appstitch records import FILE            put your own records into its store";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the service
    Serve(ServeArguments),
    /// Read or write whole records, for mirrors and restores
    #[command(subcommand)]
    Records(RecordsCommand),
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
    /// File that holds the secret behind /admin; APPSTITCH_DEPLOY_TOKEN gives it directly.
    /// Without either, uploads are refused
    #[arg(long, value_name = "FILE")]
    pub(crate) deploy_token_file: Option<PathBuf>,
    /// Write logs as JSON, one object a line
    #[arg(long, env = "APPSTITCH_LOG_JSON", value_parser = clap::builder::BoolishValueParser::new())]
    pub(crate) log_json: bool,
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
    /// Write the hand-given records as NDJSON
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
