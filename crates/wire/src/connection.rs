//! One connection, from its first byte to its last.

use std::{io, pin::pin, sync::Arc};

use tokio::{net::TcpStream, task::JoinHandle};

use crate::{
    fast_path::{End, FastPath, Opened},
    library,
    shared::Shared,
};

/// Answers a client until it disconnects, exceeds a limit, or the service stops.
pub(crate) async fn serve(shared: Arc<Shared>, opened: Opened) {
    if let Err(error) = answer(&shared, opened).await {
        tracing::debug!(%error, "a connection ended early");
    }
}

async fn answer(shared: &Arc<Shared>, opened: Opened) -> io::Result<()> {
    let Opened { arrived, permit } = opened;
    let fast_path = FastPath::new(arrived, &permit, shared);
    let stop = pin!(shared.stopped());
    let (stream, unread) = match fast_path.serve(|| shared.is_stopping(), stop).await? {
        End::Closed(stream) => {
            // The permit is free before the client sees that the connection is closed.
            drop(permit);
            drop(stream);
            return Ok(());
        }
        End::Other(stream, unread) => (stream, unread),
    };
    // An upload or a tool call is more work than a read, which must not wait for it: it goes to
    // other threads.
    let stream = stream.into_std()?;
    let of_library = Arc::clone(shared);
    let work = async move {
        let stream = TcpStream::from_std(stream)?;
        library::serve(&of_library, &permit, stream, unread).await
    };
    // If this connection is closed to make room, that ends, too.
    let mut elsewhere = AbortOnDrop(shared.runtime.spawn(work));
    (&mut elsewhere.0).await.map_err(io::Error::other)?
}

/// A task that ends when its waiter is dropped.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
