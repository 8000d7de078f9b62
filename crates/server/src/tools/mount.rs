//! The tool server at `/mcp`: stateless, with JSON answers.

use std::{sync::Arc, time::Duration};

use appstitch_tools::{ToolServer, message_fault};
use axum::{
    body::Body,
    http::{HeaderValue, Method, Request, Response, StatusCode, header, request::Parts},
    response::IntoResponse,
};
use bytes::Bytes;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use tower::ServiceExt;

use super::{ToolAccess, direct};
use crate::{
    http_error::HttpError,
    limits::Limits,
    response::{detail, json_of},
};

/// Far more than any message of the protocol needs.
const MAX_REQUEST_BYTES: usize = 1 << 20;

/// The headers that a page may send beside the basic ones, and may read.
const REQUEST_HEADERS: HeaderValue = HeaderValue::from_static(
    "accept, authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
);
const ANSWER_HEADERS: HeaderValue = HeaderValue::from_static("mcp-session-id, x-request-id");

/// What answers at `/mcp`.
#[derive(Clone)]
pub(crate) struct ToolMount {
    server: ToolServer,
    access: Arc<ToolAccess>,
    protocol: StreamableHttpService<ToolServer, NeverSessionManager>,
    time: Duration,
}

impl ToolMount {
    pub(crate) fn new(server: ToolServer, access: ToolAccess, limits: &Limits) -> Self {
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
        Self { server, access: Arc::new(access), protocol, time: limits.request_time }
    }

    /// Answers one request within the time limit.
    pub(crate) async fn answer(self, request: Request<Body>) -> Response<Body> {
        if let Some(objection) = self.access.objection(request.headers()) {
            return detail(StatusCode::FORBIDDEN, objection.to_owned());
        }
        let origin = request.headers().get(header::ORIGIN).cloned();
        let mut response = if request.method() == Method::OPTIONS && origin.is_some() {
            preflight()
        } else {
            tokio::time::timeout(self.time, self.speak(request))
                .await
                .unwrap_or_else(|_| HttpError::TookTooLong.into_response())
        };
        if let Some(origin) = origin {
            let headers = response.headers_mut();
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, ANSWER_HEADERS);
            headers.insert(header::VARY, HeaderValue::from_static("origin"));
        }
        response
    }

    async fn speak(self, request: Request<Body>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        if parts.method != Method::POST {
            let mut response = HttpError::MethodNotAllowed.into_response();
            let allowed = HeaderValue::from_static("POST, OPTIONS");
            response.headers_mut().insert(header::ALLOW, allowed);
            return response;
        }
        let body = match Limited::new(body, MAX_REQUEST_BYTES).collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) if error.is::<LengthLimitError>() => {
                let why = format!("The request is larger than {MAX_REQUEST_BYTES} bytes");
                return detail(StatusCode::PAYLOAD_TOO_LARGE, why);
            }
            Err(_) => {
                return detail(StatusCode::BAD_REQUEST, "The request is incomplete".to_owned());
            }
        };
        if let Some(answer) = direct::answer(&self.server, &parts.headers, &body) {
            return answer;
        }
        match message_fault(&body) {
            Some(fault) => json_of(StatusCode::BAD_REQUEST, &fault),
            None => self.by_protocol(parts, body).await,
        }
    }

    async fn by_protocol(self, parts: Parts, body: Bytes) -> Response<Body> {
        let request = Request::from_parts(parts, Full::new(body));
        match self.protocol.oneshot(request).await {
            Ok(response) => response.map(Body::new),
            Err(never) => match never {},
        }
    }
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
