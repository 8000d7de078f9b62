//! The settings of a client.

use std::time::Duration;

use url::Url;

use crate::{Client, ResponseError, cache::Cache, retry::Retries, transport::Transport};

/// Settings of a client; each has a default.
#[derive(Debug, Clone)]
pub struct ClientBuilder {
    base: String,
    max_concurrency: usize,
    timeout: Duration,
    connect_timeout: Duration,
    retries: u32,
    user_agent: String,
    cache: bool,
}

impl ClientBuilder {
    pub(crate) fn new(base: &str) -> Self {
        Self {
            base: base.to_owned(),
            max_concurrency: 5,
            timeout: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(10),
            retries: 3,
            user_agent: concat!("appstitch-client/", env!("CARGO_PKG_VERSION")).to_owned(),
            cache: false,
        }
    }

    /// How many requests may be on their way at once; 5 if not set, at least 1.
    #[must_use]
    pub fn max_concurrency(self, max_concurrency: usize) -> Self {
        Self { max_concurrency: max_concurrency.max(1), ..self }
    }

    /// How long an answer may take in all; 30 seconds if not set.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// How long connecting may take; 10 seconds if not set.
    #[must_use]
    pub fn connect_timeout(self, connect_timeout: Duration) -> Self {
        Self { connect_timeout, ..self }
    }

    /// How often a request is tried again when no connection came about or the server is
    /// unavailable (502, 503, 504); 3 times if not set.
    #[must_use]
    pub fn retries(self, retries: u32) -> Self {
        Self { retries, ..self }
    }

    /// What the client calls itself.
    #[must_use]
    pub fn user_agent(self, user_agent: impl Into<String>) -> Self {
        Self { user_agent: user_agent.into(), ..self }
    }

    /// Whether answers are kept and only asked for again if the catalog has changed.
    #[must_use]
    pub fn cache(self, cache: bool) -> Self {
        Self { cache, ..self }
    }

    /// Makes the client.
    pub fn build(self) -> Result<Client, ResponseError> {
        let no_base = |why: &str| ResponseError::new(&self.base, why);
        let mut base =
            Url::parse(&self.base).map_err(|error| no_base("no web address").with_source(error))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(no_base("no http or https address"));
        }
        // Without it the last part of the path would be replaced, not continued.
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        let http = reqwest::Client::builder()
            .user_agent(self.user_agent)
            .timeout(self.timeout)
            .connect_timeout(self.connect_timeout)
            .build()
            .map_err(|error| ResponseError::network(&self.base, error))?;
        let cache = self.cache.then(Cache::default);
        let retries = Retries::new(self.retries);
        Ok(Client {
            transport: Transport::new(http, base, self.max_concurrency, retries, cache).into(),
        })
    }
}
