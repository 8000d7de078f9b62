//! The parsers of foreign bytes one by one, for the fuzzer (`xtask/fuzz`).
//!
//! This is not part of the interface: it is hidden and changes with the code behind it. The parsers
//! stay private otherwise. Through a socket, an input would take a hundred times as long.

use std::sync::Arc;

use appstitch_bodies::Payload;
use appstitch_wire::{Attempt, inspect::Inspected};
use axum::{
    body::Body,
    http::{Request, Response},
};

use crate::{
    endpoints::ServiceEndpoints, message::HeaderField, query::ListQuery, reads::condition,
    service::Service,
};

pub use appstitch_wire::inspect::{ParsedHead, RequestHead, read_head};

/// The known parameters of a query, decoded.
#[must_use]
pub fn read_query(query: &str) -> Vec<(&'static str, String)> {
    let read = ListQuery::read(Some(query));
    let values = [
        ("vendor", read.vendor),
        ("source", read.source),
        ("exclude_source", read.exclude_source),
        ("deprecated", read.deprecated),
        ("include", read.include),
        ("bundle_id", read.bundle_id),
        ("team_id", read.team_id),
        ("install_method", read.install_method),
        ("slugs", read.slugs),
        ("q", read.q),
        ("limit", read.limit),
        ("offset", read.offset),
    ];
    values.into_iter().filter_map(|(name, value)| Some((name, value?.into_owned()))).collect()
}

#[must_use]
pub fn names_token(if_none_match: &[u8], token: &str) -> bool {
    condition::already_has(&HeaderField::of([if_none_match]), token)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FastResponse {
    /// The status line and the header fields.
    pub head: Vec<u8>,
    /// The body; `None` if it is sent from a file.
    pub body: Option<Vec<u8>>,
}

/// A service that is asked without a connection.
pub struct InspectedService {
    service: Arc<Service>,
    connection: Inspected,
}

impl InspectedService {
    /// Needs a runtime.
    pub fn new(service: Service) -> std::io::Result<Self> {
        let service = Arc::new(service);
        let endpoints = Arc::new(ServiceEndpoints::new(Arc::clone(&service)));
        Ok(Self { service, connection: Inspected::new(endpoints)? })
    }

    /// The response to the first request of some bytes; `None` if they are incomplete, for the HTTP
    /// library, or have to wait.
    pub fn answer(&mut self, received: &[u8]) -> Option<FastResponse> {
        let (head, payload) = self.connection.answer(received, Attempt::ON_WORKER)?;
        let body = match payload {
            Some(Payload::Memory(slices) | Payload::Made(slices)) => Some(slices.concat()),
            Some(Payload::File(_)) => None,
            None => Some(Vec::new()),
        };
        Some(FastResponse { head: head.to_vec(), body })
    }

    /// The response of the tool server at `/mcp`.
    pub fn answer_tools(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Response<Body>> + use<> {
        self.service.parts().tools.clone().answer(request)
    }
}
