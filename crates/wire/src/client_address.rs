//! Who counts as one client.

use std::net::{IpAddr, Ipv6Addr};

/// An IPv4 address, or the first half of an IPv6 address: a network of that size is what one
/// subscriber gets, with every address in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClientAddress {
    V4(u32),
    V6(u64),
}

impl ClientAddress {
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address.to_bits()),
            IpAddr::V6(address) => Self::V6(first_half(address)),
        }
    }
}

fn first_half(address: Ipv6Addr) -> u64 {
    // Half of the bits always fit.
    u64::try_from(address.to_bits() >> 64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_an_address_or_a_network_of_version_6() {
        let client = |text: &str| ClientAddress::of(text.parse().unwrap());
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
        assert_eq!(client("192.0.2.1"), client("::ffff:192.0.2.1"));
        assert_eq!(client("2001:db8:0:1::1"), client("2001:db8:0:1:ffff::2"));
        assert_ne!(client("2001:db8:0:1::1"), client("2001:db8:0:2::1"));
    }
}
