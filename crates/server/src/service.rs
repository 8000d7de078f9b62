//! What every request can reach.

use std::{sync::Arc, time::Instant};

use axum::http::StatusCode;
use subtle::ConstantTimeEq;

use crate::{
    Limits, Publisher, ToolAccess, ToolServer, http::Route, metrics::Metrics,
    request_id::RequestId, tools::ToolMount,
};

/// A running service's parts.
pub struct Service {
    publisher: Arc<Publisher>,
    metrics: Metrics,
    deploy_token: Option<DeployToken>,
    limits: Limits,
    tools: ToolMount,
}

impl Service {
    /// Puts a service together. Without a deploy token uploads are off.
    #[must_use]
    pub fn new(
        publisher: Arc<Publisher>,
        deploy_token: Option<DeployToken>,
        limits: Limits,
        access: ToolAccess,
    ) -> Self {
        let server = ToolServer::new(Arc::clone(&publisher), &limits);
        let tools = ToolMount::new(server, access, &limits);
        Self { publisher, metrics: Metrics::default(), deploy_token, limits, tools }
    }

    /// What publishes revisions and holds the current one.
    #[must_use]
    pub fn publisher(&self) -> &Arc<Publisher> {
        &self.publisher
    }

    pub(crate) fn tools(&self) -> &ToolMount {
        &self.tools
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Counts and logs an answer.
    pub(crate) fn note(&self, answered: &Answered<'_>) {
        let elapsed = answered.started.elapsed();
        tracing::debug!(
            method = answered.method,
            path = answered.path,
            status = answered.status.as_u16(),
            elapsed_us = elapsed.as_micros(),
            request_id = answered.id.as_str(),
            "answered a request"
        );
        self.metrics.count(answered.route, answered.status, elapsed);
    }

    pub(crate) fn deploy_token(&self) -> Option<&DeployToken> {
        self.deploy_token.as_ref()
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }
}

/// What is told about an answer.
pub(crate) struct Answered<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) route: Route,
    pub(crate) status: StatusCode,
    pub(crate) started: Instant,
    pub(crate) id: &'a RequestId,
}

/// The secret behind the uploads. It is never printed.
pub struct DeployToken(Box<str>);

impl DeployToken {
    /// Takes the secret without blanks around it; `None` if nothing is left.
    #[must_use]
    pub fn new(secret: &str) -> Option<Self> {
        let secret = secret.trim();
        (!secret.is_empty()).then(|| Self(secret.into()))
    }

    /// Compares in a time that does not tell how much of a guess was right.
    pub(crate) fn is(&self, guess: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(guess).into()
    }
}
