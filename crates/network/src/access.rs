use std::{fmt, net::SocketAddr};

use reqwest::{Proxy, Url};

use crate::error::FetchError;

/// Which hosts a client may ask, and how it reaches them. By default, public addresses only, without
/// a proxy. The proxy variables of the environment are not used: a proxy makes the connections, so
/// the addresses would not be checked.
#[derive(Debug, Clone, Default)]
pub struct NetworkAccess {
    /// Whether private, link-local and loopback addresses may be asked.
    pub allow_private: bool,
    /// Host names that are not looked up but lead to the given address, which is not checked.
    pub fixed_addresses: Vec<(String, SocketAddr)>,
    pub proxy: Option<ProxyAddress>,
    /// The public address of the service, which servers see in the user agent: whoever runs them can
    /// find out who asks.
    pub public_address: Option<String>,
}

impl NetworkAccess {
    pub(crate) fn user_agent(&self) -> String {
        let agent = concat!("appstitch/", env!("CARGO_PKG_VERSION"));
        match &self.public_address {
            Some(address) => format!("{agent} (+{address})"),
            None => agent.to_owned(),
        }
    }
}

/// The address of a proxy. It may have a password, so it is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ProxyAddress(Url);

impl ProxyAddress {
    /// `http://HOST:PORT` or `https://HOST:PORT`, optionally with a user name and
    /// password.
    pub fn new(text: &str) -> Result<Self, FetchError> {
        let url = Url::parse(text.trim()).map_err(|_| FetchError::Proxy)?;
        let is_valid = matches!(url.scheme(), "http" | "https") && url.has_host();
        if is_valid { Ok(Self(url)) } else { Err(FetchError::Proxy) }
    }

    pub(crate) fn for_all(&self) -> Result<Proxy, FetchError> {
        Proxy::all(self.0.clone()).map_err(|_| FetchError::Proxy)
    }
}

impl fmt::Debug for ProxyAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[proxy]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_agent_has_the_public_address_if_there_is_one() {
        let mut access = NetworkAccess::default();
        assert!(access.user_agent().starts_with("appstitch/"));
        assert!(!access.user_agent().contains('('));
        access.public_address = Some("https://apps.example".to_owned());
        assert!(access.user_agent().ends_with(" (+https://apps.example)"));
    }

    #[test]
    fn a_proxy_is_never_printed() {
        for text in ["http://proxy.example:3128", " https://user:sesame@10.0.0.1:8443/\n"] {
            let proxy = ProxyAddress::new(text).unwrap();
            assert!(proxy.for_all().is_ok());
            let access = NetworkAccess { proxy: Some(proxy), ..NetworkAccess::default() };
            assert!(!format!("{access:?}").contains("sesame"));
        }
        for text in ["", "proxy:3128", "socks5://user:sesame@proxy:1080", "//user:sesame@proxy"] {
            let error = ProxyAddress::new(text).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("sesame"), "{error}");
        }
    }
}
