//! The arguments of the commands that ask upstream servers.

use std::{convert::Infallible, fmt, str::FromStr};

use appstitch_network::{NetworkAccess, ProxyAddress};
use clap::Args;

use crate::exit::Failure;

/// Which hosts may be asked, and how they are reached.
#[derive(Debug, Args)]
pub(crate) struct AccessArguments {
    /// Allow requests to private, link-local and loopback addresses
    #[arg(long)]
    allow_private: bool,
    /// Proxy for requests to upstream servers: http://HOST:PORT; `http_proxy` and similar variables
    /// are not used
    #[arg(long, env = "APPSTITCH_PROXY", hide_env_values = true, value_name = "URL")]
    proxy: Option<Hidden>,
}

impl AccessArguments {
    pub(crate) fn read(&self) -> Result<NetworkAccess, Failure> {
        // An empty variable counts as unset.
        let proxy = self.proxy.as_ref().map(|proxy| proxy.0.trim());
        let proxy = proxy.filter(|proxy| !proxy.is_empty()).map(ProxyAddress::new).transpose();
        Ok(NetworkAccess {
            allow_private: self.allow_private,
            proxy: proxy.map_err(Failure::wrong_use)?,
            ..NetworkAccess::default()
        })
    }
}

/// A text that may have a password and is not printed.
#[derive(Clone)]
struct Hidden(String);

impl FromStr for Hidden {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[hidden]")
    }
}
