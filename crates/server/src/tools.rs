//! The tool server at `/mcp`: stateless, with JSON responses.
//!
//! `access` checks who may reach it, `direct` answers plain tool calls without the detour through the
//! SDK, and `held_response` keeps the memory of large responses reserved until they are sent.

mod access;
mod direct;
mod held_response;

pub use access::ToolAccess;

use std::sync::Arc;

use appstitch_budget::Reserved;
use appstitch_tools::{ToolServer, error_response, message_fault, message_id};
use appstitch_wire::{
    ClientAddress, Limits, Memory,
    request_body::{self, BodyFault, BodyLimits, HeldBody, Pace},
};
use axum::{
    body::Body,
    http::{HeaderValue, Method, Request, Response, StatusCode, header, request::Parts},
    response::IntoResponse,
};
use bytes::Bytes;
use http_body_util::{BodyExt, Collected, Full};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use tower::ServiceExt;

use self::held_response::hold;
use crate::{
    http_error::HttpError,
    response::{busy, detail, json_of},
};

/// Far more than any message of the protocol needs.
const MAX_REQUEST_BYTES: usize = 1 << 20;
/// More than most messages and responses need. Their memory cannot be taken by larger ones.
const SMALL_BYTES: usize = 16 << 10;
/// How much memory a large message takes at most while it is read, compared to its size.
const READING: u64 = 24;

/// The headers that a page may send beside the basic ones, and may read.
const REQUEST_HEADERS: HeaderValue = HeaderValue::from_static(
    "accept, authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
);
const RESPONSE_HEADERS: HeaderValue = HeaderValue::from_static("mcp-session-id, x-request-id");

#[derive(Clone)]
pub(crate) struct ToolMount {
    server: ToolServer,
    access: Arc<ToolAccess>,
    protocol: StreamableHttpService<ToolServer, NeverSessionManager>,
    /// Shared: the mount is cloned for every request.
    limits: Arc<Limits>,
    memory: Arc<Memory>,
}

impl ToolMount {
    pub(crate) fn new(
        server: ToolServer,
        access: ToolAccess,
        limits: Limits,
        memory: Arc<Memory>,
    ) -> Self {
        // We check hosts and origins ourselves, for plain calls and the SDK alike.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(MAX_REQUEST_BYTES)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let of_request = server.clone();
        let protocol = StreamableHttpService::new(
            move || Ok(of_request.clone()),
            Arc::new(NeverSessionManager::default()),
            config,
        );
        Self { server, access: Arc::new(access), protocol, limits: Arc::new(limits), memory }
    }

    /// Answers one request within the time limits.
    pub(crate) async fn answer(self, request: Request<Body>) -> Response<Body> {
        let (parts, mut body) = request.into_parts();
        let expects_continue = parts.headers.contains_key(header::EXPECT);
        if let Some(objection) = self.access.objection(&parts.uri, &parts.headers) {
            request_body::reject(&mut body, expects_continue).await;
            return detail(StatusCode::FORBIDDEN, objection.to_owned());
        }
        let origin = parts.headers.get(header::ORIGIN).cloned();
        let mut response = match parts.method {
            Method::POST => self.receive(parts, body, expects_continue).await,
            Method::OPTIONS if origin.is_some() => preflight(),
            _ => {
                request_body::reject(&mut body, expects_continue).await;
                method_not_allowed()
            }
        };
        if let Some(origin) = origin {
            let headers = response.headers_mut();
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, RESPONSE_HEADERS);
            headers.insert(header::VARY, HeaderValue::from_static("origin"));
        }
        response
    }

    async fn receive(self, parts: Parts, mut body: Body, expects_continue: bool) -> Response<Body> {
        let client = parts.extensions.get::<ClientAddress>().copied();
        let share = self.memory.of_client(client);
        let limits = BodyLimits {
            bytes: self.largest_message(),
            pace: Pace {
                grace: self.limits.body_grace,
                bytes_per_second: self.limits.body_rate,
                total: self.limits.tool_body_time,
            },
            memory: &share.pools.large,
            small: Some((&share.pools.small, SMALL_BYTES)),
        };
        let HeldBody { bytes, reserved } =
            match request_body::receive(&mut body, expects_continue, limits).await {
                Ok(held) => held,
                Err(fault) => return rejected(&fault),
            };
        let reading = match self.reserve_reading(bytes.len()) {
            Ok(reading) => reading,
            Err(fault) => return rejected(&fault),
        };
        let time = self.limits.request_time;
        let response = tokio::time::timeout(time, self.speak(parts, bytes.into())).await;
        drop((reserved, reading));
        let response = response.unwrap_or_else(|_| HttpError::TookTooLong.into_response());
        hold(response, SMALL_BYTES as u64, share).await
    }

    /// The size of the largest message that can be read with the memory that there is. A client's
    /// part of it has room for several such messages while they arrive.
    fn largest_message(&self) -> usize {
        let readable = self.memory.reading().size() / (1 + READING);
        usize::try_from(readable).unwrap_or(usize::MAX).clamp(SMALL_BYTES, MAX_REQUEST_BYTES)
    }

    /// Reserves what reading a message of this size takes. A small one takes little.
    fn reserve_reading(&self, message: usize) -> Result<Option<Reserved>, BodyFault> {
        if message <= SMALL_BYTES {
            return Ok(None);
        }
        let reading = self.memory.reading().reserve(message as u64 * READING);
        reading.map(Some).map_err(|_| BodyFault::Busy)
    }

    async fn speak(self, parts: Parts, body: Bytes) -> Response<Body> {
        if let Some(response) = direct::answer(&self.server, &parts.headers, &body) {
            return response;
        }
        match message_fault(&body) {
            Some(fault) => json_of(StatusCode::BAD_REQUEST, &fault),
            None => self.by_protocol(parts, body).await,
        }
    }

    async fn by_protocol(self, parts: Parts, body: Bytes) -> Response<Body> {
        let request = Request::from_parts(parts, Full::new(body.clone()));
        let response = match self.protocol.oneshot(request).await {
            Ok(response) => response.map(Body::new),
            Err(never) => match never {},
        };
        let status = response.status();
        let is_error = status.is_client_error() || status.is_server_error();
        if !is_error || is_json(&response) {
            return response;
        }
        as_json_rpc(&body, response).await
    }
}

fn is_json(response: &Response<Body>) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
}

/// An error of the SDK, which is plain text, as an error response to the message.
async fn as_json_rpc(message: &[u8], response: Response<Body>) -> Response<Body> {
    const INVALID_REQUEST: i32 = -32600;
    const INTERNAL_ERROR: i32 = -32603;
    let status = response.status();
    let text = response.into_body().collect().await.map(Collected::to_bytes);
    let text = text.unwrap_or_default();
    let code = if status.is_server_error() { INTERNAL_ERROR } else { INVALID_REQUEST };
    let error = error_response(&message_id(message), code, &String::from_utf8_lossy(&text));
    json_of(status, &error)
}

fn rejected(fault: &BodyFault) -> Response<Body> {
    let (status, why) = match fault {
        BodyFault::TooLarge { limit } => {
            (StatusCode::PAYLOAD_TOO_LARGE, format!("The request is larger than {limit} bytes"))
        }
        BodyFault::Busy => return busy(),
        BodyFault::Slow => {
            let why = "The body took too long to arrive; send it again";
            (StatusCode::REQUEST_TIMEOUT, why.to_owned())
        }
        BodyFault::Incomplete(_) => {
            (StatusCode::BAD_REQUEST, "The request is incomplete".to_owned())
        }
    };
    detail(status, why)
}

fn method_not_allowed() -> Response<Body> {
    let mut response = HttpError::MethodNotAllowed.into_response();
    let allowed = HeaderValue::from_static("POST, OPTIONS");
    response.headers_mut().insert(header::ALLOW, allowed);
    response
}

fn preflight() -> Response<Body> {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    let methods = HeaderValue::from_static("POST, OPTIONS");
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    response
}
