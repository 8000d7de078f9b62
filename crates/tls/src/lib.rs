//! The cryptography of encrypted connections, and clients for HTTP that use it.
//!
//! It is chosen in one place: *ring*, which takes a tenth of the time to compile and a quarter of the
//! space in the binary that the usual choice of the TLS library takes.

use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};

/// The cryptography for connections that are not HTTP.
#[must_use]
pub fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// A new client for HTTP and HTTPS. Other ways to make one panic, since they do not choose the
/// cryptography.
#[expect(clippy::disallowed_methods, reason = "this is the place that prepares for it")]
pub fn client_builder() -> reqwest::ClientBuilder {
    // It fails if the process has chosen already, which is just as good.
    let _ = ring::default_provider().install_default();
    reqwest::Client::builder()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_clients_can_be_made() {
        assert!(client_builder().build().is_ok());
        assert!(client_builder().build().is_ok());
    }

    #[test]
    fn current_and_previous_protocols_are_supported() {
        let config = rustls::ClientConfig::builder_with_provider(provider());
        let versions = [&rustls::version::TLS12, &rustls::version::TLS13];
        assert!(config.with_protocol_versions(&versions).is_ok());
    }
}
