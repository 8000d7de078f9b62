//! Which IP addresses belong to the public internet.
//!
//! The blocks are those of the IANA registries of special-purpose addresses for IPv4 and IPv6, with
//! the older ones that the registries do not list any more. Some of them can be reached from
//! everywhere, but none of them has web servers, so all of them are rejected.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A block of addresses: the first one, and the number of leading bits that all of them share.
type Block<A> = (A, u32);

const fn v4(a: u8, b: u8, c: u8, d: u8, bits: u32) -> Block<Ipv4Addr> {
    (Ipv4Addr::new(a, b, c, d), bits)
}

const fn v6(a: u16, b: u16, c: u16, d: u16, bits: u32) -> Block<Ipv6Addr> {
    (Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0), bits)
}

const SPECIAL_V4: [Block<Ipv4Addr>; 19] = [
    // This network, and the unspecified address.
    v4(0, 0, 0, 0, 8),
    // Private use.
    v4(10, 0, 0, 0, 8),
    // Shared between a provider and its customers.
    v4(100, 64, 0, 0, 10),
    // Loopback.
    v4(127, 0, 0, 0, 8),
    // Azure serves secrets to its virtual machines here.
    v4(168, 63, 129, 16, 32),
    // Link-local; cloud providers serve credentials there.
    v4(169, 254, 0, 0, 16),
    // Private use.
    v4(172, 16, 0, 0, 12),
    // Protocol assignments.
    v4(192, 0, 0, 0, 24),
    // Documentation.
    v4(192, 0, 2, 0, 24),
    // Name servers for private addresses (AS112).
    v4(192, 31, 196, 0, 24),
    // Multicast relays (AMT).
    v4(192, 52, 193, 0, 24),
    // 6to4 relays.
    v4(192, 88, 99, 0, 24),
    // Private use.
    v4(192, 168, 0, 0, 16),
    // Name servers for private addresses (AS112).
    v4(192, 175, 48, 0, 24),
    // Benchmarks.
    v4(198, 18, 0, 0, 15),
    // Documentation.
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    // Multicast.
    v4(224, 0, 0, 0, 4),
    // Reserved, and the broadcast address.
    v4(240, 0, 0, 0, 4),
];

/// The only block of which addresses are given to hosts of the public internet.
const GLOBAL_UNICAST: Block<Ipv6Addr> = v6(0x2000, 0, 0, 0, 3);

/// The special blocks within [`GLOBAL_UNICAST`].
const SPECIAL_V6: [Block<Ipv6Addr>; 5] = [
    // Protocol assignments: Teredo, benchmarks, multicast relays, AS112, ORCHID and others.
    v6(0x2001, 0, 0, 0, 23),
    // Documentation.
    v6(0x2001, 0xdb8, 0, 0, 32),
    // 6to4, which embeds an IPv4 address.
    v6(0x2002, 0, 0, 0, 16),
    // Name servers for private addresses (AS112).
    v6(0x2620, 0x4f, 0x8000, 0, 48),
    // Documentation.
    v6(0x3fff, 0, 0, 0, 20),
];

/// IPv4 addresses on a network that only has IPv6 (NAT64).
const TRANSLATED: Block<Ipv6Addr> = v6(0x64, 0xff9b, 0, 0, 96);

pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !SPECIAL_V4.iter().any(|block| contains_v4(*block, address))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    if contains_v6(TRANSLATED, address) {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    contains_v6(GLOBAL_UNICAST, address)
        && !SPECIAL_V6.iter().any(|block| contains_v6(*block, address))
}

fn contains_v4((first, bits): Block<Ipv4Addr>, address: Ipv4Addr) -> bool {
    (first.to_bits() ^ address.to_bits()).leading_zeros() >= bits
}

fn contains_v6((first, bits): Block<Ipv6Addr>, address: Ipv6Addr) -> bool {
    (first.to_bits() ^ address.to_bits()).leading_zeros() >= bits
}

#[cfg(test)]
mod tests;
