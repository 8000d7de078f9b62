//! Encrypts connections to the server with rustls.

mod verify;

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::{
    Socket,
    tls::{self, ChannelBinding, MakeTlsConnect, TlsConnect},
};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        ClientConfig,
        crypto::ring,
        pki_types::{
            CertificateDer, InvalidDnsNameError, PrivateKeyDer, ServerName, pem::PemObject,
        },
    },
};

use super::address::TlsChoice;
use crate::error::StoreError;

#[derive(Clone)]
pub(super) struct Tls {
    connector: TlsConnector,
}

impl Tls {
    /// Reads the certificates, also from files.
    pub(super) fn new(choice: &TlsChoice) -> Result<Self, StoreError> {
        let provider = Arc::new(ring::default_provider());
        let invalid = |error: &dyn std::error::Error| StoreError::Tls(error.to_string());
        let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| invalid(&error))?
            .dangerous()
            .with_custom_certificate_verifier(verify::verifier(&choice.trust, provider)?);
        let mut config = match &choice.identity {
            None => config.with_no_client_auth(),
            Some((certificate, key)) => {
                let chain = verify::certificates(certificate)?;
                let key = PrivateKeyDer::from_pem_file(key)
                    .map_err(|error| verify::unreadable(key, &error))?;
                config.with_client_auth_cert(chain, key).map_err(|error| invalid(&error))?
            }
        };
        // Servers require it for a handshake without a request before.
        config.alpn_protocols = vec![b"postgresql".to_vec()];
        Ok(Self { connector: TlsConnector::from(Arc::new(config)) })
    }
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = EncryptedSocket;
    type TlsConnect = Handshake;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, InvalidDnsNameError> {
        // A socket in the file system has no host. It is not encrypted, so the name is not used.
        let host = if host.is_empty() { "localhost" } else { host };
        let host = ServerName::try_from(host.to_owned())?;
        Ok(Handshake { connector: self.connector.clone(), host })
    }
}

pub(super) struct Handshake {
    connector: TlsConnector,
    host: ServerName<'static>,
}

impl TlsConnect<Socket> for Handshake {
    type Stream = EncryptedSocket;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<EncryptedSocket>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let stream = self.connector.connect(self.host, socket).await?;
            Ok(EncryptedSocket(Box::new(stream)))
        })
    }
}

pub(super) struct EncryptedSocket(Box<TlsStream<Socket>>);

impl tls::TlsStream for EncryptedSocket {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for EncryptedSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for EncryptedSocket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

type Chain = Vec<CertificateDer<'static>>;
