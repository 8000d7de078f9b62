//! The short way without a connection, for benchmarks that count instructions.

use axum::http::StatusCode;
use tokio::time::Instant;

use super::{
    answer::Found,
    head::HeadWriter,
    request::{Reading, read_request, slots},
};
use crate::{http::ready_now, service::Service};

/// Answers requests in memory as a connection would, one after the other.
pub struct InMemoryReads<'a> {
    service: &'a Service,
    head: HeadWriter,
}

impl<'a> InMemoryReads<'a> {
    /// Answers from what a service holds.
    #[must_use]
    pub fn new(service: &'a Service) -> Self {
        Self { service, head: HeadWriter::new() }
    }

    /// The status of an answer and how many bytes it is; `None` where the answer is not ready, or
    /// the request is none for the short way.
    pub fn answer(&mut self, request: &[u8]) -> Option<(StatusCode, usize)> {
        let started = Instant::now();
        let mut slots = slots();
        let Reading::Read(request) = read_request(request, &mut slots) else { return None };
        let asked = request.asked();
        let found = Found::lookup(self.service, &asked)?;
        let ready = ready_now(&found.snapshot, found.resource, &asked)?;
        let status = ready.status();
        let payload = found.complete(self.service, &asked, ready, started, &mut self.head);
        let body = payload.map_or(0, |payload| payload.length());
        Some((status, self.head.bytes().len() + body))
    }
}
