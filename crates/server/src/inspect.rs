//! The parsers of foreign bytes one by one, for the fuzzer (`xtask/fuzz`).
//!
//! This is not part of the interface: it is hidden and changes with the code behind it. The parsers
//! stay private otherwise. Through a socket, an input would take a hundred times as long.

use appstitch_snapshot::Payload;
use axum::{
    body::Body,
    http::{Request, Response},
};
use tokio::time::Instant;

use crate::{
    fast_path::exchange::{Exchange, ExchangeStep, Moment},
    message::HeaderField,
    reads::{condition, query::Query},
    service::Service,
};

pub use crate::fast_path::inspect::{ParsedHead, RequestHead, read_head};

/// The known parameters of a query, decoded.
#[must_use]
pub fn read_query(query: &str) -> Vec<(&'static str, String)> {
    let read = Query::read(Some(query));
    let further = read.further.map(|further| *further).unwrap_or_default();
    let values = [
        ("vendor", read.vendor),
        ("source", read.source),
        ("exclude_source", read.exclude_source),
        ("deprecated", read.deprecated),
        ("include", read.include),
        ("bundle_id", further.bundle_id),
        ("team_id", further.team_id),
        ("install_method", further.install_method),
        ("slugs", further.slugs),
        ("q", further.q),
        ("limit", read.limit),
        ("offset", read.offset),
    ];
    values.into_iter().filter_map(|(name, value)| Some((name, value?.into_owned()))).collect()
}

/// Whether the value of `If-None-Match` names a token.
#[must_use]
pub fn names_token(if_none_match: &[u8], token: &str) -> bool {
    condition::already_has(&HeaderField::of([if_none_match]), token)
}

/// An answer of the fast path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FastAnswer {
    /// The status line and the header fields.
    pub head: Vec<u8>,
    /// The body; `None` if it is sent from a file.
    pub body: Option<Vec<u8>>,
}

/// The answer to the first request of some bytes; `None` if they are incomplete, for the HTTP
/// library, or have to wait.
#[must_use]
pub fn answer(service: &Service, received: &[u8]) -> Option<FastAnswer> {
    let mut exchange = Exchange::default();
    let moment = Moment { started: Instant::now(), is_stopping: &|| false, ends: false };
    match exchange.step(service, received, &moment) {
        ExchangeStep::Answered { payload, .. } => {
            let body = match payload {
                Some(Payload::Memory(slices)) => Some(slices.concat()),
                Some(Payload::File(_)) => None,
                None => Some(Vec::new()),
            };
            Some(FastAnswer { head: std::mem::take(exchange.head()), body })
        }
        ExchangeStep::Later | ExchangeStep::Incomplete | ExchangeStep::Other => None,
    }
}

/// The answer of the tool server at `/mcp`.
pub async fn answer_tools(service: &Service, request: Request<Body>) -> Response<Body> {
    service.parts().tools.clone().answer(request).await
}
