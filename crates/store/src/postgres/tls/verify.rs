//! Which certificates of servers are accepted.

use std::{path::Path, sync::Arc};

use rustls_platform_verifier::Verifier;
use tokio_rustls::rustls::{
    CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime, pem, pem::PemObject},
};

use super::Chain;
use crate::{error::StoreError, postgres::address::Trust};

/// The verifier for the server's certificate.
pub(super) fn verifier(
    trust: &Trust,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, StoreError> {
    match trust {
        Trust::Anything => Ok(Arc::new(AnyServer { authority: None, provider })),
        Trust::Authority(file) => {
            let authority = Some(authority(file, &provider)?);
            Ok(Arc::new(AnyServer { authority, provider }))
        }
        Trust::Host(file) => Ok(authority(file, &provider)?),
        Trust::System => {
            let verifier = Verifier::new(provider);
            Ok(Arc::new(verifier.map_err(|error| StoreError::Tls(error.to_string()))?))
        }
    }
}

fn authority(
    file: &Path,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, StoreError> {
    let invalid = |why: String| StoreError::Tls(format!("{}: {why}", file.display()));
    let mut roots = RootCertStore::empty();
    for certificate in certificates(file)? {
        roots.add(certificate).map_err(|error| invalid(error.to_string()))?;
    }
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|error| invalid(error.to_string()))
}

pub(super) fn certificates(file: &Path) -> Result<Chain, StoreError> {
    let certificates: Result<Chain, pem::Error> =
        CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    match certificates {
        Ok(certificates) if certificates.is_empty() => {
            Err(StoreError::Tls(format!("{} contains no certificate", file.display())))
        }
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(unreadable(file, &error)),
    }
}

pub(super) fn unreadable(file: &Path, error: &pem::Error) -> StoreError {
    StoreError::Tls(format!("cannot read {}: {error}", file.display()))
}

/// Accepts any server, or any server with a certificate of an authority. The server must have the key
/// of its certificate in any case.
#[derive(Debug)]
struct AnyServer {
    authority: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(authority) = &self.authority else { return Ok(ServerCertVerified::assertion()) };
        // The name is compared last, so a wrong name means that all the rest is right.
        match authority.verify_server_cert(certificate, intermediates, host, ocsp, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
