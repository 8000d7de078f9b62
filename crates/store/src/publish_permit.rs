//! Which process publishes.

use std::fmt;

use futures_util::future::BoxFuture;

/// Permits a process to publish. Without it, processes that publish at once would all do the work, and
/// all but one would have to start over. It only saves work: a commit checks that no other process
/// wrote.
#[must_use]
#[derive(Default)]
pub struct PublishPermit {
    release: Option<BoxFuture<'static, ()>>,
}

impl PublishPermit {
    /// A permit that `release` gives back. Dropping `release` gives it back later.
    pub(crate) fn new(release: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { release: Some(Box::pin(release)) }
    }

    /// Lets the next process publish.
    pub async fn release(self) {
        if let Some(release) = self.release {
            release.await;
        }
    }
}

impl fmt::Debug for PublishPermit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PublishPermit")
    }
}
