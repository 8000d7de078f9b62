//! The arguments of `appstitch mcp`.

use anyhow::anyhow;
use appstitch_store::StoreAddress;
use clap::{ArgMatches, Args, parser::ValueSource};

use super::shared::StoreArguments;
use crate::exit::Failure;

pub(super) const PRECEDENCE: &str = "\
Flags take precedence over the environment: --store is used even if APPSTITCH_SERVER is set. \
Without flags, APPSTITCH_SERVER comes first, then APPSTITCH_STORE, then the default store.";

#[derive(Debug, Args)]
pub(crate) struct McpArguments {
    #[command(flatten)]
    store: StoreArguments,
    /// Forward to this running server instead of reading a store
    #[arg(long, env = "APPSTITCH_SERVER", hide_env_values = true, value_name = "URL")]
    server: Option<String>,
}

/// Where the tools get their data from.
#[derive(Debug)]
pub(crate) enum ToolOrigin {
    Store(StoreAddress),
    Server(String),
}

impl McpArguments {
    /// Chooses between store and server by the origin of their values.
    pub(crate) fn origin(self, given: &ArgMatches) -> Result<ToolOrigin, Failure> {
        let given = given.subcommand_matches("mcp");
        let from = |name| given.and_then(|given| given.value_source(name));
        // An empty variable counts as unset.
        let server = self.server.filter(|server| !server.is_empty());
        match (server, uses_server(from("store"), from("server"))) {
            (_, None) => Err(Failure::wrong_use(anyhow!("--store cannot be used with --server"))),
            (Some(server), Some(true)) => Ok(ToolOrigin::Server(server)),
            _ => Ok(ToolOrigin::Store(self.store.store)),
        }
    }
}

/// Whether the server is used; `None` if both are set on the command line. Flags take precedence
/// over the environment.
fn uses_server(store: Option<ValueSource>, server: Option<ValueSource>) -> Option<bool> {
    let (store, on_line) =
        (store == Some(ValueSource::CommandLine), Some(ValueSource::CommandLine));
    match (store, server == on_line) {
        (true, true) => None,
        (true, false) => Some(false),
        (false, _) => Some(server.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_comes_before_the_environment() {
        use ValueSource::{CommandLine, DefaultValue, EnvVariable};
        for (store, server, expected) in [
            (DefaultValue, None, Some(false)),
            (EnvVariable, None, Some(false)),
            (CommandLine, None, Some(false)),
            (DefaultValue, Some(EnvVariable), Some(true)),
            (EnvVariable, Some(EnvVariable), Some(true)),
            (CommandLine, Some(EnvVariable), Some(false)),
            (DefaultValue, Some(CommandLine), Some(true)),
            (EnvVariable, Some(CommandLine), Some(true)),
            (CommandLine, Some(CommandLine), None),
        ] {
            assert_eq!(uses_server(Some(store), server), expected, "{store:?} {server:?}");
        }
    }
}
