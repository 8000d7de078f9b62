//! Notices that there is no network.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use url::Url;

#[derive(Debug)]
pub(crate) struct FailedHosts {
    enough: usize,
    hosts: Mutex<BTreeSet<String>>,
}

impl FailedHosts {
    /// `enough` different hosts show that there is no network.
    pub(crate) fn new(enough: usize) -> Self {
        Self { enough: enough.max(1), hosts: Mutex::default() }
    }

    /// Notes the host of a URL. Returns whether enough different hosts failed.
    pub(crate) fn add(&self, url: &Url) -> bool {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.insert(url.authority().to_owned());
        hosts.len() >= self.enough
    }
}
