//! What an upload holds while it is worked on: its turn and its memory.
//!
//! An upload that has arrived is completed, even if the client disconnects: a client may close its
//! sending side and still wait for the answer. Turn and memory stay with the work, not with the
//! request, until it has ended.

use std::{sync::Arc, time::Instant};

use appstitch_budget::Reserved;
use appstitch_publish::{CatalogChange, Published};

use super::{outcome::blocking, refusal::UploadRefusal, resources::Resources};
use crate::{parts::ServiceParts, upload_queue::Turn};

/// The work on an upload.
pub(super) struct Work {
    _turn: Turn,
    resources: Resources,
}

impl Work {
    /// Waits for the turn of an upload whose body has this memory.
    pub(super) async fn begin(
        service: &ServiceParts,
        body: Reserved,
    ) -> Result<Self, UploadRefusal> {
        let time = service.limits.turn_time;
        let turn = service.uploads.turn(time).await.ok_or(UploadRefusal::Busy)?;
        Ok(Self { _turn: turn, resources: Resources::new(body, Instant::now() + time) })
    }

    /// Work without a body.
    pub(super) async fn without_body(service: &ServiceParts) -> Result<Self, UploadRefusal> {
        Self::begin(service, service.memory.uploads.reserve_nothing()).await
    }

    /// Runs a step that would block an async thread.
    pub(super) async fn step<T, S>(
        mut self,
        service: &ServiceParts,
        step: S,
    ) -> Result<(T, Self), UploadRefusal>
    where
        T: Send + 'static,
        S: FnOnce(&mut Resources) -> Result<T, UploadRefusal> + Send + 'static,
    {
        blocking(service, move || step(&mut self.resources).map(|made| (made, self))).await?
    }

    /// Publishes a change.
    pub(super) async fn publish(
        self,
        service: &ServiceParts,
        change: CatalogChange,
    ) -> Result<Published, UploadRefusal> {
        let publisher = Arc::clone(&service.publisher);
        let work = service.publisher.background().spawn(async move {
            let published = publisher.publish(change).await;
            drop(self);
            published
        });
        Ok(work.await.map_err(|_| UploadRefusal::Failed)??)
    }
}
