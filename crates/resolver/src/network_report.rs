//! What happened on the network in a run.

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NetworkReport {
    /// The number of requests that were sent, without those answered from memory.
    pub requests_sent: u64,
    /// The number of them that were answered, with any status.
    pub answered: u64,
    /// The number of answers that had not changed since an earlier run.
    pub not_modified: u64,
    /// The hosts that were not asked again because they limit the number of requests.
    pub limited_hosts: Vec<String>,
    /// Whether the API host rejected the token. The labels were run without it.
    pub token_rejected: bool,
    /// Why the store could not be used as a cache. The labels were run without it.
    pub cache_error: Option<String>,
}

impl NetworkReport {
    pub fn is_offline(&self) -> bool {
        self.requests_sent > 0 && self.answered == 0
    }
}
