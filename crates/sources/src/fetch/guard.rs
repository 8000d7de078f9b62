//! Restricts fetching to addresses of the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};
use thiserror::Error;

/// A host name without a public address.
#[derive(Debug, Error)]
#[error("the host name has no public address")]
pub(super) struct PrivateName;

/// Whether a URL's host may be public. An IP address is checked here; a name is checked when it
/// is resolved.
pub(super) fn is_public_host(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    host.parse::<IpAddr>().map_or(!host.is_empty(), is_public)
}

/// Resolves names to public addresses only. The client connects to exactly these addresses, so
/// a name cannot resolve to a private one between check and connection.
pub(super) struct PublicResolver;

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

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast()
        || address.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (b == 18 || b == 19));
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    let segments = address.segments();
    // Other addresses that embed an IPv4 address are rejected; no upstream needs them.
    let translated = segments[0] == 0x64 && segments[1] == 0xff9b;
    let compatible = segments[..6] == [0; 6];
    let special = address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        || (segments[0] == 0x2001 && segments[1] == 0xdb8)
        || segments[0] == 0x2002;
    !(special || translated || compatible)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_internet_pass() {
        for address in [
            "127.0.0.1",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "192.0.0.1",
            "240.0.0.1",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2002:a00:1::",
            "::127.0.0.1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in ["1.1.1.1", "140.82.112.3", "2606:4700::1111", "::ffff:1.1.1.1"] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

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
        ] {
            assert!(!public(url), "{url}");
        }
    }
}
