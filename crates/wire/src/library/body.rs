//! Bodies of the HTTP library.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use appstitch_bodies::Slices;
use axum::body::Body;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};

use crate::permits::ResponseMark;

/// The body of any response: ready bytes, or whatever a handler behind the router made.
pub enum LibraryBody {
    Ready(ReadyBody),
    /// What an endpoint that is not a read has made.
    Routed(Body),
}

/// The slices of a ready body that are still to be sent.
#[derive(Default)]
pub struct ReadyBody {
    slices: [Bytes; 3],
    next: usize,
}

impl Default for LibraryBody {
    fn default() -> Self {
        Self::Ready(ReadyBody::default())
    }
}

impl From<Slices> for LibraryBody {
    fn from(slices: Slices) -> Self {
        Self::Ready(ReadyBody { slices: slices.slices().clone(), next: 0 })
    }
}

impl ReadyBody {
    fn next_slice(&mut self) -> Option<Bytes> {
        while self.next < self.slices.len() {
            let slice = std::mem::take(&mut self.slices[self.next]);
            self.next += 1;
            if !slice.is_empty() {
                return Some(slice);
            }
        }
        None
    }

    fn length(&self) -> usize {
        self.slices.iter().map(Bytes::len).sum()
    }
}

impl HttpBody for LibraryBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match self.get_mut() {
            Self::Ready(body) => Poll::Ready(body.next_slice().map(|slice| Ok(Frame::data(slice)))),
            Self::Routed(body) => Pin::new(body).poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Ready(body) => body.length() == 0,
            Self::Routed(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Ready(body) => SizeHint::with_exact(body.length() as u64),
            Self::Routed(body) => body.size_hint(),
        }
    }
}

/// A body that notifies its connection when the library has taken all of it.
pub(crate) struct TrackedBody {
    body: LibraryBody,
    /// Until this is dropped, the connection is not idle.
    _mark: ResponseMark,
}

impl TrackedBody {
    pub(crate) fn new(body: LibraryBody, mark: ResponseMark) -> Self {
        Self { body, _mark: mark }
    }
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
