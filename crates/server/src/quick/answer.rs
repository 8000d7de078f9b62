//! From what is asked to what is sent: a lookup, and the head of the answer.

use std::sync::Arc;

use tokio::time::Instant;

use super::head::HeadWriter;
use crate::{
    http::{Asked, Fields, Payload, Ready, Route, find_resource},
    request_id::RequestId,
    service::{Answered, Service},
    snapshot::{Resource, Snapshot},
};

/// What a read asks for.
pub(super) struct Found {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) resource: Resource,
    route: Route,
}

impl Found {
    /// What a read asks for, if it is there.
    pub(super) fn lookup(service: &Service, asked: &Asked<'_, impl Fields>) -> Option<Self> {
        let snapshot = service.publisher().current();
        let found = Route::of(asked.path);
        let resource = find_resource(&snapshot, &found, asked.query).ok()?;
        Some(Self { route: found.route, resource, snapshot })
    }

    /// Writes the head of an answer, notes it, and returns what is to be sent behind the head.
    pub(super) fn complete(
        &self,
        service: &Service,
        asked: &Asked<'_, impl Fields>,
        ready: Ready,
        started: Instant,
        head: &mut HeadWriter,
    ) -> Option<Payload> {
        let ready = self.keep_large(ready);
        let id = RequestId::of(asked.fields);
        head.write(&self.snapshot, self.resource, asked, &ready, &id, started);
        service.note(&Answered {
            method: "GET",
            path: asked.path,
            route: self.route,
            status: ready.status(),
            started: started.into_std(),
            id: &id,
        });
        ready.into_payload()
    }

    /// Moves a large body to where it is sent from fastest.
    fn keep_large(&self, ready: Ready) -> Ready {
        match (ready, self.resource.key()) {
            (Ready::Full(Payload::Parts(body), None), Some(key)) => {
                let kept = self.snapshot.kept().keep_large(key, body.parts());
                Ready::Full(kept.map_or(Payload::Parts(body), Payload::from), None)
            }
            (ready, _) => ready,
        }
    }
}
