//! What every handler can reach.

use std::sync::{Arc, LazyLock, atomic::AtomicBool};

use appstitch_catalog_files::PublicKey;
use appstitch_feeds::Links;
use appstitch_hooks::Hooks;
use appstitch_publish::Publisher;
use appstitch_refresh::ScheduleStatus;
use appstitch_wire::{Limits, Memory, OnceAMinute, RequestShares};
use bytes::Bytes;
use subtle::ConstantTimeEq;

use crate::{
    catalog_shelf::CatalogShelf, check_queue::CheckQueue, export_shelf::ExportShelf,
    metrics::Metrics, patch_settings::PatchSettings, tools::ToolMount, upload_queue::UploadQueue,
};

pub(crate) struct ServiceParts {
    pub(crate) publisher: Arc<Publisher>,
    /// `None` if the service sends no webhooks.
    pub(crate) hooks: Option<Hooks>,
    /// Set when the service is asked to stop.
    pub(crate) is_stopping: AtomicBool,
    /// `None` without a refresh schedule.
    pub(crate) refresh: Option<Arc<ScheduleStatus>>,
    pub(crate) metrics: Metrics,
    /// `None` if uploads are off.
    pub(crate) deploy_token: Option<DeployToken>,
    pub(crate) limits: Limits,
    /// The public base URL of the service.
    pub(crate) links: Links,
    pub(crate) patch: PatchSettings,
    pub(crate) catalog: Arc<CatalogShelf>,
    pub(crate) exports: Arc<ExportShelf>,
    pub(crate) tools: ToolMount,
    pub(crate) memory: Arc<Memory>,
    pub(crate) uploads: UploadQueue,
    pub(crate) inventory_checks: Arc<CheckQueue>,
    /// The inventories of each client, so that one cannot take all slots.
    pub(crate) inventory_shares: RequestShares,
    /// Requests to `/admin` without the deploy token.
    pub(crate) anonymous_requests: OnceAMinute,
    pub(crate) openapi: LazyLock<Bytes>,
}

impl ServiceParts {
    /// The keys that sign the catalog: those of this service, or of the origin of a mirror. The one that
    /// signs now comes first.
    pub(crate) fn catalog_keys(&self) -> Vec<PublicKey> {
        let received = self.publisher.received();
        match received {
            Some(received) => received.keys(),
            None => self.catalog.keys().cloned().collect(),
        }
    }
}

/// The secret behind the uploads. It is never printed.
pub struct DeployToken(Box<str>);

impl DeployToken {
    /// Trims the secret; `None` if nothing is left.
    #[must_use]
    pub fn new(secret: &str) -> Option<Self> {
        let secret = secret.trim();
        (!secret.is_empty()).then(|| Self(secret.into()))
    }

    /// Compares in constant time, so that timing does not reveal how much of a guess is right.
    pub(crate) fn is(&self, guess: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(guess).into()
    }
}
