//! The arguments of `serve` that limit connections.

use std::num::NonZeroUsize;

use appstitch_server::{Limits, TrustedProxies};
use clap::Args;

const MAX_CONNECTIONS: &str = "Maximum number of open connections; for further ones, the longest idle are closed [default: 16384, or what the limit of open files allows]";
const CONNECTIONS_PER_CLIENT: &str = "Maximum number of connections of one client (an IPv4 address or an IPv6 /64 network) [default: a quarter of the maximum]";
const TRUSTED_PROXIES: &str = "Comma-separated addresses or networks of reverse proxies, such as 10.0.0.0/8; their connections have no limit per client, and their X-Forwarded-For header is used [default: none]";

#[derive(Debug, Args)]
pub(crate) struct ConnectionArguments {
    #[arg(long, help = MAX_CONNECTIONS, env = "APPSTITCH_MAX_CONNECTIONS", value_name = "COUNT")]
    pub(crate) max_connections: Option<NonZeroUsize>,
    #[arg(
        long,
        help = CONNECTIONS_PER_CLIENT,
        env = "APPSTITCH_CONNECTIONS_PER_CLIENT",
        value_name = "COUNT"
    )]
    connections_per_client: Option<NonZeroUsize>,
    #[arg(long, help = TRUSTED_PROXIES, env = "APPSTITCH_TRUSTED_PROXIES", value_name = "LIST")]
    trusted_proxies: Option<String>,
}

impl ConnectionArguments {
    /// The default limits with these. The error names the invalid value.
    pub(crate) fn limits(&self) -> Result<Limits, String> {
        let default = Limits::default();
        let trusted_proxies = self.trusted_proxies.as_deref().map(TrustedProxies::read);
        Ok(Limits {
            connections: self.max_connections.map_or(default.connections, NonZeroUsize::get),
            client_connections: self.connections_per_client.map(NonZeroUsize::get),
            trusted_proxies: trusted_proxies.transpose()?.unwrap_or_default(),
            ..default
        })
    }
}
