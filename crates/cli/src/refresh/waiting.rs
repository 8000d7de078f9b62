//! Waits for a server, but not longer than a refresh may take.

use appstitch_refresh::TimeLimit;

use crate::exit::Failure;

/// Waits for a server, but not longer than the time that is left.
pub(super) async fn wait<T>(
    limit: TimeLimit,
    server: &str,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    match tokio::time::timeout(limit.left(), work).await {
        Ok(result) => result,
        Err(_) => Err(Failure::server_unavailable(server, "it did not answer in time")),
    }
}
