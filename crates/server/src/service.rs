//! A running service: its parts, its routes, and the one function that answers reads.

use std::{
    sync::{Arc, LazyLock, atomic::AtomicBool},
    time::Duration,
};

use appstitch_catalog_files::Signer;
use appstitch_feeds::Links;
use appstitch_hooks::Hooks;
use appstitch_publish::Publisher;
use appstitch_refresh::ScheduleStatus;
use appstitch_snapshot::Snapshot;
use appstitch_tools::ToolServer;
use appstitch_wire::{Attempt, Limits, Memory, OnceAMinute, RequestShares};
use axum::http::StatusCode;
use tokio::time::timeout;

use crate::{
    catalog_shelf::CatalogShelf,
    check_queue::CheckQueue,
    message::{ReadContext, ReadRequest, Wait},
    metrics::Metrics,
    openapi, pages,
    parts::{DeployToken, ServiceParts},
    patch_settings::PatchSettings,
    reads::{self, ReadResult},
    route::{RouteMatch, RouteTree},
    routes::ROUTES,
    tools::{ToolAccess, ToolMount},
    upload_queue::UploadQueue,
};

/// How long a request waits for changes that another server on the same store has published.
const CATCH_UP_TIME: Duration = Duration::from_secs(3);

pub struct Service {
    parts: Arc<ServiceParts>,
    routes: RouteTree,
}

impl Service {
    /// Assembles a service. Without a deploy token uploads are off.
    #[must_use]
    pub fn new(
        publisher: Arc<Publisher>,
        deploy_token: Option<DeployToken>,
        limits: Limits,
        access: ToolAccess,
    ) -> Self {
        let tools = ToolServer::new(Arc::clone(&publisher), limits.tool_bytes);
        let memory = Arc::new(Memory::new(limits.memory_bytes));
        let parts = ServiceParts {
            tools: ToolMount::new(tools, access, limits.clone(), Arc::clone(&memory)),
            memory,
            uploads: UploadQueue::new(limits.waiting_uploads),
            inventory_checks: CheckQueue::new(limits.inventory_checks.0, limits.inventory_checks.1),
            inventory_shares: RequestShares::new(limits.client_inventories),
            metrics: Metrics::new(ROUTES.iter().map(|route| route.path)),
            anonymous_requests: OnceAMinute::default(),
            openapi: LazyLock::new(openapi::body),
            publisher,
            hooks: None,
            refresh: None,
            is_stopping: AtomicBool::new(false),
            deploy_token,
            limits,
            links: Links::default(),
            patch: PatchSettings::default(),
            catalog: Arc::default(),
            exports: Arc::default(),
        };
        Self { parts: Arc::new(parts), routes: RouteTree::new(ROUTES) }
    }

    /// The same service with this public base URL. Without it, feeds have paths instead of addresses.
    #[must_use]
    pub fn with_links(self, links: Links) -> Self {
        self.with(|parts| parts.links = links)
    }

    /// The same service, which delivers these webhooks while it is served.
    #[must_use]
    pub fn with_hooks(self, hooks: Hooks) -> Self {
        self.with(|parts| parts.hooks = Some(hooks))
    }

    /// The same service with these settings of the patch source.
    #[must_use]
    pub fn with_patch_settings(self, settings: PatchSettings) -> Self {
        self.with(|parts| parts.patch = settings)
    }

    /// The same service, which signs the files of the catalog.
    #[must_use]
    pub fn with_signer(self, signer: Option<Signer>) -> Self {
        self.with(|parts| parts.catalog = Arc::new(CatalogShelf::new(signer)))
    }

    #[must_use]
    pub fn with_refresh(self, status: Option<Arc<ScheduleStatus>>) -> Self {
        self.with(|parts| parts.refresh = status)
    }

    fn with(mut self, set: impl FnOnce(&mut ServiceParts)) -> Self {
        // The parts of a service that is not served yet are not shared.
        if let Some(parts) = Arc::get_mut(&mut self.parts) {
            set(parts);
        }
        self
    }

    pub(crate) fn parts(&self) -> &Arc<ServiceParts> {
        &self.parts
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.parts.limits
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.parts.publisher.current()
    }

    pub(crate) fn route<'a>(&self, path: &'a str) -> RouteMatch<'a> {
        self.routes.find(path)
    }

    /// Answers a read from one snapshot. Only a worker may take its time.
    #[inline]
    pub(crate) fn read(
        &self,
        snapshot: &Snapshot,
        matched: &RouteMatch<'_>,
        request: &ReadRequest<'_>,
        attempt: Attempt,
    ) -> ReadResult {
        let context =
            ReadContext { snapshot, parts: &self.parts, segment: matched.segment, attempt };
        let route = matched.route.or_else(|| pages::not_found::route(request));
        let policy = matched.policy(request.verb, snapshot.etag());
        reads::answer(&context, route, request, policy)
    }

    /// Waits for what a read cannot be answered without. Returns whether it is there.
    pub(crate) fn wait(&self, wait: Wait) -> impl Future<Output = bool> + Send + use<> {
        let parts = Arc::clone(&self.parts);
        async move {
            let publisher = &parts.publisher;
            let making = async {
                match wait {
                    Wait::CatchUp => publisher.catch_up(CATCH_UP_TIME).await,
                    Wait::CatalogFiles => parts.catalog.make(publisher).await,
                    Wait::NewerCatalogFiles => {
                        publisher.catch_up(CATCH_UP_TIME).await;
                        parts.catalog.make(publisher).await
                    }
                    Wait::Exports(format, filter) => {
                        parts.exports.make(publisher, format, *filter).await
                    }
                }
            };
            timeout(parts.limits.request_time, making).await.unwrap_or(false)
        }
    }

    /// Counts and logs a response of the route with a number.
    pub(crate) fn note(
        &self,
        request: &ReadRequest<'_>,
        method: &str,
        route: usize,
        status: StatusCode,
    ) {
        let elapsed = request.started.elapsed();
        tracing::debug!(
            method,
            path = request.path,
            status = status.as_u16(),
            elapsed_us = elapsed.as_micros(),
            request_id = request.request_id.as_str(),
            "answered a request"
        );
        self.parts.metrics.count(route, status, elapsed);
    }
}
