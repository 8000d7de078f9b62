//! Every block of the IANA registries, at both ends and just outside.

use super::*;

/// The registry of special-purpose IPv4 addresses, and multicast.
const REGISTRY_V4: &str = "
    0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
    192.0.0.0/24 192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32
    192.0.0.171/32 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.88.99.2/32
    192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4
    255.255.255.255/32
    224.0.0.0/4
";

/// The registry of special-purpose IPv6 addresses without those that embed an IPv4 address, then
/// multicast, site-local addresses, IPv4-compatible addresses, the old test network, NSAP and IPX.
const REGISTRY_V6: &str = "
    ::1/128 ::/128 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128
    2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28
    2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10
    ff00::/8 fec0::/10 ::/96 200::/7 400::/7 4000::/3 e000::/4
";

/// The first and the last address of a block.
fn ends(block: &str) -> (IpAddr, IpAddr) {
    let (first, bits) = block.split_once('/').unwrap();
    let bits: u32 = bits.parse().unwrap();
    match first.parse().unwrap() {
        IpAddr::V4(first) => {
            let rest = u32::MAX.checked_shr(bits).unwrap_or_default();
            (first.into(), Ipv4Addr::from_bits(first.to_bits() | rest).into())
        }
        IpAddr::V6(first) => {
            let rest = u128::MAX.checked_shr(bits).unwrap_or_default();
            (first.into(), Ipv6Addr::from_bits(first.to_bits() | rest).into())
        }
    }
}

fn public(address: &str) -> bool {
    is_public(address.parse().unwrap())
}

#[test]
fn no_special_purpose_address_passes() {
    for block in REGISTRY_V4.split_whitespace().chain(REGISTRY_V6.split_whitespace()) {
        let (first, last) = ends(block);
        for address in [first, last] {
            assert!(!is_public(address), "{address} of {block}");
            // The same address, written as IPv6.
            if let IpAddr::V4(inner) = address {
                assert!(!is_public(inner.to_ipv6_mapped().into()), "{inner} in IPv6");
            }
        }
    }
}

#[test]
fn the_addresses_around_the_blocks_pass() {
    for address in [
        "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
        "191.255.255.255", "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "198.51.99.255", "203.0.114.0", "223.255.255.255",
        "1.1.1.1", "140.82.112.3", "2000::1", "2001:200::1", "2001:db7:ffff::1", "2001:db9::1",
        "2003::1", "2606:4700::1111", "2620:4f:8001::1", "3ffe::1", "3fff:1000::1",
    ] {
        assert!(public(address), "{address}");
    }
}

#[test]
fn an_embedded_address_is_judged_like_itself() {
    for address in ["::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "64:ff9b::140.82.112.3"] {
        assert!(public(address), "{address}");
    }
    for address in [
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::10.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::169.254.169.254",
        // Outdated or local forms are rejected, whatever they embed.
        "64:ff9b:1::1.1.1.1",
        "64:ff9b:0:1::1.1.1.1",
        "::127.0.0.1",
        "::1.1.1.1",
        "::ffff:0:1.1.1.1",
        "2002:a00:1::",
        "2002:101:101::",
        "2001:0:a00:1::",
        "2001:0:4136:e378:8000:63bf:f5ff:fffe",
    ] {
        assert!(!public(address), "{address}");
    }
}
