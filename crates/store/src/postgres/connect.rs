//! Opens single connections.

use std::{sync::Arc, time::Duration};

use tokio_postgres::{Client, Config, Connection, Socket};

use super::{
    address::PostgresAddress,
    failure::within,
    password,
    tls::{EncryptedSocket, Tls},
};
use crate::error::StoreError;

/// How long to wait for a connection to be ready.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The settings of a session. Every wait has a timeout: for a lock, for a statement, and for a
/// client that is gone. A process that vanishes while it writes keeps the others from writing until the
/// server notices: after 10 seconds if the server waits for the next statement, and after 11 seconds
/// if it is in the middle of one.
const SETTINGS: &str = "SET client_min_messages = warning;
    SET lock_timeout = '15s';
    SET statement_timeout = '120s';
    SET idle_in_transaction_session_timeout = '10s';
    SET tcp_keepalives_idle = 5;
    SET tcp_keepalives_interval = 2;
    SET tcp_keepalives_count = 3;";

#[derive(Clone)]
pub(super) struct Connector {
    config: Arc<Config>,
    tls: Tls,
    is_read_only: bool,
}

/// The side of a connection that sends and receives. It has to be polled.
pub(super) type Wire = Connection<Socket, EncryptedSocket>;

impl Connector {
    /// Reads the files of passwords and certificates.
    pub(super) fn new(address: &PostgresAddress, is_read_only: bool) -> Result<Self, StoreError> {
        let mut config = address.config.clone();
        password::add(&mut config);
        let tls = Tls::new(&address.tls)?;
        Ok(Self { config: Arc::new(config), tls, is_read_only })
    }

    /// Opens a connection. The caller polls its wire.
    pub(super) async fn wire(&self) -> Result<(Client, Wire), StoreError> {
        within(TIMEOUT, self.config.connect(self.tls.clone())).await
    }

    /// Opens a connection that is ready for statements. A task of this runtime polls its wire.
    pub(super) async fn client(&self) -> Result<Client, StoreError> {
        let (client, wire) = self.wire().await?;
        // The task ends with the client. Its error is that of the next statement, too.
        tokio::spawn(wire);
        self.prepare(&client).await?;
        Ok(client)
    }

    /// Prepares a session whose wire is being polled.
    pub(super) async fn prepare(&self, client: &Client) -> Result<(), StoreError> {
        let read_only = "SET default_transaction_read_only = on";
        let settings = format!("{SETTINGS}{}", if self.is_read_only { read_only } else { "" });
        within(TIMEOUT, client.batch_execute(&settings)).await
    }
}
