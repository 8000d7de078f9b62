//! A body that tells its connection when the library has taken all of it.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

use super::body::LibraryBody;
use crate::places::AnswerMark;

pub(crate) struct TrackedBody {
    body: LibraryBody,
    /// Until this is dropped, the connection is not idle.
    _mark: AnswerMark,
}

impl TrackedBody {
    pub(crate) fn new(body: LibraryBody, mark: AnswerMark) -> Self {
        Self { body, _mark: mark }
    }
}

impl Body for TrackedBody {
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
