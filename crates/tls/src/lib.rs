//! Clients for HTTP, with the cryptography for encrypted connections.
//!
//! It is *ring*, which takes a tenth of the time to compile, and less space in the binary, than the
//! usual choice of the TLS library. The store uses it as well, without HTTP.

use rustls::crypto::ring;

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
}
