//! A service with the sample catalog, without a socket.

use std::{cell::RefCell, sync::Arc};

use appstitch_publish::{BackgroundPriority, Publisher, load_sample};
use appstitch_server::{Limits, Service, ToolAccess, inspect::InspectedService};
use appstitch_store::{Store, StoreAddress};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use http_body_util::BodyExt;
use serde::de::IgnoredAny;
use tempfile::TempDir;
use tokio::runtime::Runtime;

pub(super) struct SampleService {
    runtime: Runtime,
    service: RefCell<InspectedService>,
    /// The store, which is removed at the end.
    _folder: TempDir,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) content_type: String,
    /// `None` if it is sent from a file.
    pub(super) body: Option<Vec<u8>>,
}

impl Response {
    /// The body, if it is in memory.
    pub(super) fn body(&self) -> &[u8] {
        self.body.as_deref().unwrap_or_default()
    }

    /// Whether the body is JSON, as far as it is known.
    pub(super) fn is_json(&self) -> bool {
        self.body.as_deref().is_none_or(|body| serde_json::from_slice::<IgnoredAny>(body).is_ok())
    }
}

impl SampleService {
    pub(super) fn open() -> Result<Self, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let folder = tempfile::tempdir().map_err(|error| text(&error))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| text(&error))?;
        let address = StoreAddress::Sqlite(folder.path().join("catalog.db"));
        let service = runtime.block_on(async {
            let store = Store::open(&address).await.map_err(|error| text(&error))?;
            let publisher = Publisher::open(store, BackgroundPriority::Normal).await;
            let publisher = Arc::new(publisher.map_err(|error| text(&error))?);
            load_sample(&publisher).await.map_err(|error| text(&error))?;
            let (limits, access) = (Limits::default(), ToolAccess::default());
            let service = Service::new(publisher, None, limits, access);
            InspectedService::new(service).map(RefCell::new).map_err(|error| text(&error))
        })?;
        Ok(Self { runtime, service, _folder: folder })
    }

    /// The answer of the fast path to `GET target`, if it has one.
    pub(super) fn get(&self, target: &str) -> Option<Response> {
        let request = format!("GET {target} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        let _context = self.runtime.enter();
        let response = self.service.borrow_mut().answer(request.as_bytes())?;
        let head = String::from_utf8_lossy(&response.head);
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let content_type = head.lines().find_map(|line| line.strip_prefix("content-type: "));
        Some(Response {
            status: status.unwrap_or(0),
            content_type: content_type.unwrap_or_default().to_owned(),
            body: response.body,
        })
    }

    pub(super) fn call_tools(&self, body: &[u8]) -> Result<Response, String> {
        let request = Request::post("/mcp")
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .body(Body::from(body.to_vec()))
            .map_err(|error| error.to_string())?;
        self.runtime.block_on(async {
            let answering = self.service.borrow().answer_tools(request);
            let response = answering.await;
            let (parts, body) = response.into_parts();
            let body = body.collect().await.map_err(|error| format!("a body ends: {error}"))?;
            let content_type = parts.headers.get("content-type");
            let content_type = content_type.and_then(|value| value.to_str().ok());
            Ok(Response {
                status: StatusCode::as_u16(&parts.status),
                content_type: content_type.unwrap_or_default().to_owned(),
                body: Some(body.to_bytes().to_vec()),
            })
        })
    }
}
