//! Work that would block an async thread.

use crate::PublishError;

/// Runs work that would block an async thread.
pub(crate) async fn blocking<T, W>(work: W) -> Result<T, PublishError>
where
    T: Send + 'static,
    W: FnOnce() -> Result<T, PublishError> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(|_| PublishError::WorkerGone)?
}
