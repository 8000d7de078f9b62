//! A socket in front of a server that cuts a connection at its commit.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
};

use appstitch_cluster::Cluster;
use appstitch_store::StoreAddress;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy},
    net::{UnixListener, UnixStream},
};

/// Where the next commit is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    Nowhere,
    /// The server never gets it.
    Before,
    /// The server makes it, but its answer is lost.
    After,
    /// The server never gets it, and does not notice that the connection is cut.
    Stuck,
}

pub(super) struct Proxy {
    folder: TempDir,
    cut: Arc<AtomicU8>,
}

impl Proxy {
    pub(super) fn start(server: &Cluster) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).unwrap();
        let cut = Arc::new(AtomicU8::new(Cut::Nowhere as u8));
        let (socket, armed) = (server.socket(), Arc::clone(&cut));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (socket, armed) = (socket.clone(), Arc::clone(&armed));
                tokio::spawn(async move { forward(client, &socket, &armed).await });
            }
        });
        Self { folder, cut }
    }

    pub(super) fn address(&self) -> StoreAddress {
        let folder = self.folder.path().display();
        format!("postgres://appstitch@/catalog?host={folder}").parse().unwrap()
    }

    pub(super) fn cut_next_commit(&self, cut: Cut) {
        self.cut.store(cut as u8, Ordering::Release);
    }
}

async fn forward(client: UnixStream, socket: &Path, armed: &AtomicU8) {
    let Ok(server) = UnixStream::connect(socket).await else { return };
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let responses = tokio::spawn(async move {
        let _ = copy(&mut from_server, &mut to_client).await;
        from_server
    });
    let mut bytes = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from_client.read(&mut bytes).await {
        let is_commit = bytes[..length].windows(7).any(|part| part == b"COMMIT\0");
        let cut = if is_commit { armed.swap(Cut::Nowhere as u8, Ordering::AcqRel) } else { 0 };
        if cut == Cut::Before as u8 {
            break;
        }
        if cut == Cut::Stuck as u8 {
            responses.abort();
            // The client sees the end of the connection; the server sees it later.
            drop(from_client);
            tokio::time::sleep(std::time::Duration::from_secs(3)).await;
            return;
        }
        if cut == Cut::After as u8 {
            responses.abort();
            let _ = responses.await;
            let _ = to_server.write_all(&bytes[..length]).await;
            // The server closes the connection when it has made the commit.
            let _ = to_server.write_all(b"X\0\0\0\x04").await;
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            return;
        }
        if to_server.write_all(&bytes[..length]).await.is_err() {
            break;
        }
    }
    responses.abort();
}
