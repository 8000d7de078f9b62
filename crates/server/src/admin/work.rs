//! What an upload holds while it is worked on: its permit and its memory.
//!
//! An upload that has arrived is completed, even if the client disconnects: a client may close its
//! sending side and still wait for the response. Permit and memory stay with the work, not with the
//! request, until it has ended.

use std::{sync::Arc, time::Instant};

use appstitch_budget::Reserved;
use appstitch_publish::{CatalogChange, Published};

use super::{rejection::UploadRejection, resources::Resources, shared::blocking};
use crate::{parts::ServiceParts, upload_queue::UploadPermit};

pub(super) struct Work {
    _permit: UploadPermit,
    resources: Resources,
}

impl Work {
    /// Waits for the permit of an upload whose body has this memory.
    pub(super) async fn begin(
        service: &ServiceParts,
        body: Reserved,
    ) -> Result<Self, UploadRejection> {
        let time = service.limits.turn_time;
        let permit = service.uploads.acquire(time).await.ok_or(UploadRejection::Busy)?;
        Ok(Self { _permit: permit, resources: Resources::new(body, Instant::now() + time) })
    }

    pub(super) async fn without_body(service: &ServiceParts) -> Result<Self, UploadRejection> {
        Self::begin(service, service.memory.uploads.reserve_nothing()).await
    }

    /// Runs a step that would block an async thread.
    pub(super) async fn step<T, S>(
        mut self,
        service: &ServiceParts,
        step: S,
    ) -> Result<(T, Self), UploadRejection>
    where
        T: Send + 'static,
        S: FnOnce(&mut Resources) -> Result<T, UploadRejection> + Send + 'static,
    {
        blocking(service, move || step(&mut self.resources).map(|made| (made, self))).await?
    }

    pub(super) async fn publish(
        self,
        service: &ServiceParts,
        change: CatalogChange,
    ) -> Result<Published, UploadRejection> {
        let publisher = Arc::clone(&service.publisher);
        let work = service.publisher.background().spawn(async move {
            let published = publisher.publish(change).await;
            drop(self);
            published
        });
        Ok(work.await.map_err(|_| UploadRejection::Failed)??)
    }
}
