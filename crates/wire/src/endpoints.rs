//! What the wire needs of the server.

use std::pin::Pin;

use axum::{
    body::Body,
    http::{Request, Response, StatusCode},
};

use crate::{
    message::{ReadRequest, ReadResponse, Verb},
    request_id::RequestId,
};

pub trait Endpoints: Send + Sync + 'static {
    /// Answers a read, as far as that is possible at once.
    fn read(&self, read_request: &ReadRequest<'_>, attempt: Attempt) -> Read;

    fn is_read(&self, verb: Verb, path: &str) -> bool;

    /// Answers a request that is not a read: an upload, a tool call, a documentation page.
    fn route<'a>(
        &'a self,
        request: Request<Body>,
        id: &'a RequestId<'_>,
    ) -> BoxFuture<'a, Response<Body>>;

    /// The response to a request that the wire rejects.
    fn rejection(&self, rejection: Rejection, path: &str) -> ReadResponse;

    /// Counts and logs a response that is about to be sent.
    fn note(&self, read_request: &ReadRequest<'_>, response: &ReadResponse);

    /// The same for a response of [`Self::route`] to a request with this method.
    fn note_routed(&self, read_request: &ReadRequest<'_>, method: &str, status: StatusCode);
}

pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Where and when a read is tried.
#[derive(Debug, Clone, Copy)]
pub struct Attempt {
    /// Whether it runs on a worker, where it may take its time.
    pub is_on_worker: bool,
    /// The result of [`Read::After`], if that was waited for.
    pub waited: Option<bool>,
}

impl Attempt {
    /// The first attempt, on the thread that received the request. Every other connection of this
    /// thread waits for it.
    pub const FIRST: Self = Self { is_on_worker: false, waited: None };

    /// On a worker, with all the time that it takes.
    pub const ON_WORKER: Self = Self { is_on_worker: true, waited: None };
}

#[expect(
    clippy::large_enum_variant,
    reason = "nearly every read is ready, and a box would cost more than the copy"
)]
pub enum Read {
    Ready(ReadResponse),
    /// A response that is not finished yet, for example because its body is being compressed.
    Later(BoxFuture<'static, ReadResponse>),
    /// It takes more than some microseconds: a worker should try.
    OnDemand,
    /// Try again when this is done, for example when this server knows what another one on the same
    /// store has published. It tells whether it succeeded.
    After(BoxFuture<'static, bool>),
    /// It is not a read.
    Routed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rejection {
    /// An HTTP/1.1 request has exactly one `Host` field.
    Host,
    /// All connections are in use.
    NoRoom,
    /// The client has its share of the requests in progress.
    ShareUsed,
    /// Too many other requests wait for a worker, or unsent responses take all memory.
    Busy,
    /// Something of ours failed.
    Failed,
}
