//! Restricts fetching to addresses of the public internet.

use std::{
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};
use thiserror::Error;

use crate::public_address::is_public;

/// How long to look up a name that a proxy will look up, too.
const LOOKUP_TIME: Duration = Duration::from_secs(5);

#[derive(Debug, Error)]
#[error("the host name has no public address")]
pub(crate) struct PrivateName;

/// Whether a URL's host may be public. An IP address is checked here; a name is checked when it
/// is resolved.
pub(crate) fn is_public_host(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    host.parse::<IpAddr>().map_or(!host.is_empty(), is_public)
}

/// Resolves names to public addresses only. The client connects to exactly these addresses, so
/// a name cannot resolve to a private one between check and connection.
pub(crate) struct PublicResolver;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|address| is_public(address.ip())).collect();
            if public.is_empty() {
                return Err(PrivateName.into());
            }
            let addresses: Addrs = Box::new(public.into_iter());
            Ok(addresses)
        })
    }
}

/// Whether a name leads to a private address, for a request through a proxy. The proxy makes the
/// connection and chooses the address, so a name that cannot be looked up here is left to it.
pub(crate) async fn is_private_name(host: &str) -> bool {
    let lookup = tokio::net::lookup_host((host, 0));
    match tokio::time::timeout(LOOKUP_TIME, lookup).await {
        Ok(Ok(found)) => found.into_iter().any(|address| !is_public(address.ip())),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_is_an_address_is_judged_at_once() {
        let public = |url: &str| is_public_host(&Url::parse(url).unwrap());
        assert!(public("https://example.com/") && public("http://1.1.1.1:8080/"));
        for url in [
            "http://127.0.0.1/",
            "http://[::1]/",
            "http://0x7f000001/",
            "http://2130706433/",
            "http://10.1/",
            "http://[fec0::1]/",
            "http://[2001:0:4136:e378:8000:63bf:f5ff:fffe]/",
        ] {
            assert!(!public(url), "{url}");
        }
    }
}
