//! The cryptography of encrypted connections is *ring*. It takes a tenth of the time to compile, and less space in the binary, than the
//! usual choice of the TLS library. The store uses it as well, without HTTP.

use rustls::crypto::ring;

/// `reqwest::Client::builder` alone makes a client that panics, since it has no cryptography.
#[expect(clippy::disallowed_methods, reason = "the provider is installed before")]
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
