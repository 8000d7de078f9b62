//! What `serve` says to a person who starts it on a terminal: where to go, and what is loaded.

use std::{
    io::{self, IsTerminal},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use appstitch_publish::Publisher;
use appstitch_store::StoreAddress;
use appstitch_types::SourceStatusResponse;
use jiff::Timestamp;

use crate::words::counted;

/// Greets on a terminal only: other programs read one line.
pub(super) fn greet(address: SocketAddr, store: &StoreAddress, publisher: &Publisher) {
    if io::stdout().is_terminal() {
        eprint!("{}", greeting(address, store, &Loaded::of(publisher)));
    }
}

struct Loaded {
    apps: u64,
    is_sample: bool,
    /// When the last file of a source was received.
    received_at: Option<Timestamp>,
}

impl Loaded {
    fn of(publisher: &Publisher) -> Self {
        let apps = publisher.current().stats().total_apps;
        // The publisher made the bytes of this type.
        let status: Option<SourceStatusResponse> =
            serde_json::from_slice(&publisher.source_status()).ok();
        let sources = status.map(|status| status.sources).unwrap_or_default();
        let received_at = sources.iter().filter_map(|source| source.received_at).max();
        // Nothing but the sample has entries that were never received.
        let has_entries = sources.iter().any(|source| source.documents > 0);
        Self { apps, is_sample: has_entries && received_at.is_none(), received_at }
    }

    fn in_words(&self, store: &StoreAddress) -> String {
        let apps = counted(self.apps, "app");
        match self.received_at {
            Some(time) => format!("{apps} loaded; the sources were last received at {time:.0}"),
            None if self.is_sample => format!(
                "{apps} of the sample catalog loaded; for all apps, run\n  appstitch refresh --store {store}"
            ),
            None if self.apps == 0 => {
                format!("no apps loaded; to load them, run\n  appstitch refresh --store {store}")
            }
            None => format!("{apps} loaded"),
        }
    }
}

fn greeting(address: SocketAddr, store: &StoreAddress, loaded: &Loaded) -> String {
    let address = SocketAddr::new(reachable(address.ip()), address.port());
    format!(
        "  pages       http://{address}/\n  \
           API         http://{address}/docs\n  \
           assistants  http://{address}/mcp\n\
         {}\n\
         press Ctrl-C to stop\n",
        loaded.in_words(store)
    )
}

/// An address that a browser on this machine can open, for a server that listens on all addresses.
fn reachable(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(address: &str, loaded: &Loaded) -> Vec<String> {
        let store = "sqlite:a.db".parse().unwrap();
        greeting(address.parse().unwrap(), &store, loaded).lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_addresses_can_be_opened() {
        let loaded = Loaded { apps: 1, is_sample: false, received_at: None };
        let shown = lines("0.0.0.0:8000", &loaded);
        assert_eq!(
            shown[..4],
            [
                "  pages       http://127.0.0.1:8000/",
                "  API         http://127.0.0.1:8000/docs",
                "  assistants  http://127.0.0.1:8000/mcp",
                "1 app loaded",
            ]
        );
        assert_eq!(lines("[::]:80", &loaded)[0], "  pages       http://[::1]:80/");
        assert_eq!(lines("192.0.2.1:80", &loaded)[0], "  pages       http://192.0.2.1:80/");
    }

    #[test]
    fn what_is_loaded_is_named() {
        let says = |apps, is_sample, received_at: Option<&str>| {
            let received_at = received_at.map(|time| time.parse().unwrap());
            lines("127.0.0.1:1", &Loaded { apps, is_sample, received_at })[3..].join("\n")
        };
        let refresh = "run\n  appstitch refresh --store sqlite:a.db";
        assert_eq!(
            says(24, true, None),
            format!(
                "24 apps of the sample catalog loaded; for all apps, {refresh}\npress Ctrl-C to stop"
            )
        );
        assert!(
            says(0, false, None).starts_with(&format!("no apps loaded; to load them, {refresh}"))
        );
        assert!(says(5257, false, Some("2026-11-18T20:18:54.25Z")).starts_with(
            "5257 apps loaded; the sources were last received at 2026-11-18T20:18:54Z\n"
        ));
    }
}
