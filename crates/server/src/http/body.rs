//! Bodies that are ready before anybody asks for them.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;

use crate::snapshot::{FileRange, KeptBody};

/// A body of up to three parts that share the snapshot's memory: what opens a list, its
/// rows, and what closes it.
#[derive(Debug, Default)]
pub(crate) struct ReadyBody {
    parts: [Bytes; 3],
    next: usize,
}

impl ReadyBody {
    pub(crate) fn new(parts: [Bytes; 3]) -> Self {
        Self { parts, next: 0 }
    }

    pub(crate) fn one(part: Bytes) -> Self {
        Self::new([part, Bytes::new(), Bytes::new()])
    }

    /// How many bytes are still to be sent.
    pub(crate) fn length(&self) -> usize {
        self.parts[self.next..].iter().map(Bytes::len).sum()
    }

    pub(crate) fn parts(&self) -> &[Bytes; 3] {
        &self.parts
    }

    /// All parts in one piece.
    pub(crate) fn concat(&self) -> Vec<u8> {
        self.parts.concat()
    }
}

impl Body for ReadyBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        while self.next < self.parts.len() {
            let next = self.next;
            self.next += 1;
            let part = std::mem::take(&mut self.parts[next]);
            if !part.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(part))));
            }
        }
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        self.length() == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.length() as u64)
    }
}

/// Where the bytes of a ready body are.
#[derive(Debug)]
pub(crate) enum Payload {
    Parts(ReadyBody),
    File(FileRange),
}

impl Payload {
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Parts(body) => body.length(),
            Self::File(range) => range.length(),
        }
    }
}

impl From<KeptBody> for Payload {
    fn from(kept: KeptBody) -> Self {
        match kept {
            KeptBody::Memory(bytes) => Self::Parts(ReadyBody::one(bytes)),
            KeptBody::File(range) => Self::File(range),
        }
    }
}

/// How much of an unwanted body is read, so that its sender gets to see the answer.
const LINGER_BYTES: usize = 256 << 20;
const LINGER_TIME: Duration = Duration::from_secs(10);

/// Reads on and forgets, within bounds. Closing on a client that is still sending would reset
/// its connection, and it would never see the answer.
pub(crate) async fn let_it_finish(body: &mut axum::body::Body) {
    let rest = async {
        let mut forgotten = 0;
        while let Some(Ok(frame)) = body.frame().await {
            forgotten += frame.data_ref().map_or(0, Bytes::len);
            if forgotten > LINGER_BYTES {
                return;
            }
        }
    };
    // Whether it ended or the time was up makes no difference.
    let _ = tokio::time::timeout(LINGER_TIME, rest).await;
}

/// The body of any answer: ready bytes, or whatever a handler behind the router made.
pub(crate) enum ServerBody {
    Ready(ReadyBody),
    Routed(axum::body::Body),
}

impl Body for ServerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match self.get_mut() {
            Self::Ready(body) => match Pin::new(body).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => Poll::Ready(Some(Ok(frame))),
                _ => Poll::Ready(None),
            },
            Self::Routed(body) => Pin::new(body).poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Ready(body) => body.is_end_stream(),
            Self::Routed(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Ready(body) => body.size_hint(),
            Self::Routed(body) => body.size_hint(),
        }
    }
}
