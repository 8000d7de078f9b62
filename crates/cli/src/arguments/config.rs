//! The arguments of `appstitch config`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::network::AccessArguments;

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Read a configuration file and show, source by source, what is fetched and how often
    Check(CheckConfigArguments),
}

#[derive(Debug, Args)]
pub(crate) struct CheckConfigArguments {
    /// The file; without one, the built-in configuration
    pub(crate) file: Option<PathBuf>,
    /// Fetch every source once, which can take minutes, and show the results. Nothing is published
    #[arg(long)]
    pub(crate) connect: bool,
    #[command(flatten)]
    pub(crate) access: AccessArguments,
}
