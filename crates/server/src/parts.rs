//! What every handler can reach.

use std::sync::{Arc, LazyLock, atomic::AtomicBool};

use appstitch_feeds::Links;
use appstitch_hooks::Hooks;
use appstitch_publish::Publisher;
use appstitch_refresh::ScheduleStatus;
use appstitch_wire::{Limits, Memory, OnceAMinute, RequestShares};
use bytes::Bytes;
use subtle::ConstantTimeEq;

use crate::{inventory::CheckTurns, metrics::Metrics, tools::ToolMount, upload_queue::UploadQueue};

/// The parts of a running service.
pub(crate) struct ServiceParts {
    pub(crate) publisher: Arc<Publisher>,
    /// `None` if the service sends no webhooks.
    pub(crate) hooks: Option<Hooks>,
    /// Set when the service is asked to stop.
    pub(crate) is_stopping: AtomicBool,
    /// `None` if the service does not refresh by itself.
    pub(crate) refresh: Option<Arc<ScheduleStatus>>,
    pub(crate) metrics: Metrics,
    /// `None` if uploads are off.
    pub(crate) deploy_token: Option<DeployToken>,
    pub(crate) limits: Limits,
    /// Where the world reaches the service, for texts that leave it.
    pub(crate) links: Links,
    pub(crate) tools: ToolMount,
    /// The memory for what clients send.
    pub(crate) memory: Arc<Memory>,
    /// The uploads that are worked on or wait.
    pub(crate) uploads: UploadQueue,
    /// The inventories that are checked or wait.
    pub(crate) inventory_checks: Arc<CheckTurns>,
    /// The inventories of each client, so that one cannot take all places.
    pub(crate) inventory_shares: RequestShares,
    /// Requests to `/admin` without the deploy token.
    pub(crate) anonymous_requests: OnceAMinute,
    /// The OpenAPI document as it is served.
    pub(crate) openapi: LazyLock<Bytes>,
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
