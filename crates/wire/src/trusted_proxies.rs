//! The proxies whose word about their clients counts.

use std::net::IpAddr;

use crate::client_address::ClientAddress;

/// Networks of proxies. Connections from them carry the requests of many clients, and the last
/// address in `X-Forwarded-For` is the one that the proxy saw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<Network>);

/// The addresses that begin with the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Network {
    address: IpAddr,
    bits: u8,
}

/// The field in which proxies name their clients.
pub(crate) const FORWARDED_FOR: &str = "x-forwarded-for";

impl TrustedProxies {
    /// Parses a comma-separated list of addresses and networks, such as `10.0.0.0/8, ::1`. The error
    /// names the invalid entry.
    pub fn read(list: &str) -> Result<Self, String> {
        let entries = list.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        let networks = entries.map(|entry| {
            Network::read(entry).ok_or_else(|| {
                format!("invalid proxy '{entry}'; use an address or a network such as 10.0.0.0/8")
            })
        });
        Ok(Self(networks.collect::<Result<_, _>>()?))
    }

    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        // Nearly always empty, or one entry.
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(address))
    }

    /// Whose request it is that came from a trusted proxy: the client that it names, or the proxy if it
    /// names none.
    pub(crate) fn client_of<'a>(
        &self,
        proxy: ClientAddress,
        fields: impl Iterator<Item = &'a [u8]>,
    ) -> ClientAddress {
        self.client(fields).map_or(proxy, ClientAddress::of)
    }

    /// The last address in `X-Forwarded-For` that is not a trusted proxy. Everything before it may
    /// have been made up by the client. None if there is no such address.
    fn client<'a>(&self, fields: impl Iterator<Item = &'a [u8]>) -> Option<IpAddr> {
        // Repeated fields are one list, in their order.
        let values: Vec<_> = fields.collect();
        for value in values.into_iter().rev() {
            for entry in std::str::from_utf8(value).ok()?.rsplit(',') {
                let address = forwarded_address(entry.trim())?;
                if !self.contains(address) {
                    return Some(address);
                }
            }
        }
        None
    }
}

impl Network {
    fn read(text: &str) -> Option<Self> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        // Clients are compared by their IPv4 address, so a mapped one would never match.
        if address.to_canonical() != address {
            return None;
        }
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            Some(bits) if bits.bytes().all(|byte| byte.is_ascii_digit()) => bits.parse().ok()?,
            Some(_) => return None,
            None => most,
        };
        (bits <= most).then_some(Self { address, bits })
    }

    fn contains(self, address: IpAddr) -> bool {
        let is_same = |one: u128, other: u128, width: u8| {
            (one ^ other).checked_shr(u32::from(width - self.bits)).unwrap_or(0) == 0
        };
        match (self.address, address) {
            (IpAddr::V4(one), IpAddr::V4(other)) => {
                is_same(one.to_bits().into(), other.to_bits().into(), 32)
            }
            (IpAddr::V6(one), IpAddr::V6(other)) => is_same(one.to_bits(), other.to_bits(), 128),
            _ => false,
        }
    }
}

/// An address; some proxies add the port, or write brackets.
fn forwarded_address(text: &str) -> Option<IpAddr> {
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    if let Some(inner) = text.strip_prefix('[') {
        return inner.split_once(']')?.0.parse().ok();
    }
    text.split_once(':')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_networks_are_read() {
        let proxies = TrustedProxies::read(" 10.0.0.0/8, 192.0.2.7 ,2001:db8::/32,").unwrap();
        for address in ["10.1.2.3", "192.0.2.7", "2001:db8:1::1", "::ffff:10.0.0.1"] {
            assert!(proxies.contains(address.parse().unwrap()), "{address}");
        }
        for address in ["11.0.0.1", "192.0.2.8", "2001:db9::1", "::1", "::10.0.0.1"] {
            assert!(!proxies.contains(address.parse().unwrap()), "{address}");
        }
        let everybody = TrustedProxies::read("0.0.0.0/0,::/0").unwrap();
        assert!(everybody.contains("203.0.113.9".parse().unwrap()));
        assert!(everybody.contains("2001:db8::1".parse().unwrap()));
        assert_eq!(TrustedProxies::read("").unwrap(), TrustedProxies::default());
        for entry in ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/+8", "proxy", "::/129", "10.0.0"] {
            let error = TrustedProxies::read(entry).unwrap_err();
            assert!(error.contains(&format!("'{entry}'")), "{error}");
        }
    }

    #[test]
    fn the_client_is_the_last_address_that_is_no_proxy() {
        let proxies = TrustedProxies::read("10.0.0.0/8").unwrap();
        for (values, client) in [
            (&["192.0.2.1"][..], Some("192.0.2.1")),
            (&["198.51.100.1, 192.0.2.1"], Some("192.0.2.1")),
            (&["198.51.100.1", "192.0.2.1, 10.1.1.1"], Some("192.0.2.1")),
            (&["192.0.2.1", "10.1.1.1"], Some("192.0.2.1")),
            (&["192.0.2.1:4711"], Some("192.0.2.1")),
            (&["[2001:db8::1]:4711"], Some("2001:db8::1")),
            (&["2001:db8::1"], Some("2001:db8::1")),
            // What stands behind a trusted address must be an address.
            (&["192.0.2.1, unknown"], None),
            (&["192.0.2.1, , 10.0.0.1"], None),
            (&["10.0.0.1"], None),
            (&[""], None),
            (&[], None),
        ] {
            let fields = values.iter().map(|value| value.as_bytes());
            let expected = client.map(|client| client.parse().unwrap());
            assert_eq!(proxies.client(fields), expected, "{values:?}");
        }
    }
}
