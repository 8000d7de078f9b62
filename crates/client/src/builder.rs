use std::{fmt, time::Duration};

use appstitch_types::without_credentials;
use reqwest::header::{HeaderValue, InvalidHeaderValue};
use url::Url;

use crate::{Client, ErrorKind, ResponseError, cache::Cache, retry::Retries, transport::Transport};

/// Settings of a client. Every setting has a default.
#[derive(Clone)]
pub struct ClientBuilder {
    base: String,
    max_concurrency: usize,
    timeout: Duration,
    connect_timeout: Duration,
    retries: u32,
    user_agent: String,
    cache: bool,
    follow_canonical: bool,
    deploy_token: Option<String>,
}

/// The provider is *ring*, unless the process has chosen one already. Without any, `reqwest` panics.
#[expect(clippy::disallowed_methods, reason = "the provider is installed before")]
fn http_builder() -> reqwest::ClientBuilder {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
}

impl fmt::Debug for ClientBuilder {
    /// Without the user name and password of the base, and without the token.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = without_credentials(&self.base);
        formatter.debug_struct("ClientBuilder").field("base", &base).finish_non_exhaustive()
    }
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
            follow_canonical: true,
            deploy_token: None,
        }
    }

    /// The maximum number of concurrent requests (default: 5, minimum: 1).
    #[must_use]
    pub fn max_concurrency(self, max_concurrency: usize) -> Self {
        Self { max_concurrency: max_concurrency.max(1), ..self }
    }

    /// The timeout for a whole request (default: 30 seconds).
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// The timeout for connecting (default: 10 seconds).
    #[must_use]
    pub fn connect_timeout(self, connect_timeout: Duration) -> Self {
        Self { connect_timeout, ..self }
    }

    /// The maximum number of retries if the connection fails or the server responds with 502, 503
    /// or 504 (default: 3).
    #[must_use]
    pub fn retries(self, retries: u32) -> Self {
        Self { retries, ..self }
    }

    /// The `User-Agent` header.
    #[must_use]
    pub fn user_agent(self, user_agent: impl Into<String>) -> Self {
        Self { user_agent: user_agent.into(), ..self }
    }

    /// Whether to cache responses and revalidate them with their `ETag` (default: off).
    #[must_use]
    pub fn cache(self, cache: bool) -> Self {
        Self { cache, ..self }
    }

    /// Whether a read of one app by another of its names returns that app (default: on).
    ///
    /// An unknown slug that is another name of exactly one app gets a 404 with a link to that app.
    /// The client follows it once, on the same server only, and reports it as a debug event of
    /// `tracing`. The slug in the result, or [`RawResponse::canonical_slug`](crate::RawResponse::canonical_slug), is that of the app.
    #[must_use]
    pub fn follow_canonical(self, follow_canonical: bool) -> Self {
        Self { follow_canonical, ..self }
    }

    /// The deploy token of the server, for uploads. Other requests do not send it.
    #[must_use]
    pub fn deploy_token(self, token: impl Into<String>) -> Self {
        Self { deploy_token: Some(token.into()), ..self }
    }

    /// Builds the client. Fails if the base is not an HTTP or HTTPS URL, or if the deploy token
    /// cannot be sent.
    pub fn build(self) -> Result<Client, ResponseError> {
        let invalid =
            || ResponseError::new(ErrorKind::InvalidUrl, &self.base, "not an HTTP or HTTPS URL");
        let mut base = Url::parse(&self.base).map_err(|error| invalid().with_cause(error))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(invalid());
        }
        // Without the slash, joining a path would replace the last segment.
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        let deploy_token = self.deploy_token.as_deref().map(|token| {
            let mut value = HeaderValue::try_from(format!("Bearer {}", token.trim()))?;
            value.set_sensitive(true);
            Ok::<_, InvalidHeaderValue>(value)
        });
        let deploy_token = deploy_token.transpose().map_err(|error| {
            let why = "the deploy token contains a line break or another control character";
            ResponseError::new(ErrorKind::InvalidToken, &self.base, why).with_cause(error)
        })?;
        let http = http_builder()
            .user_agent(self.user_agent)
            .timeout(self.timeout)
            .connect_timeout(self.connect_timeout)
            .build()
            .map_err(|error| ResponseError::network(ErrorKind::Unreachable, &self.base, error))?;
        let cache = self.cache.then(Cache::default);
        let retries = Retries::new(self.retries);
        Ok(Client {
            transport: Transport::new(http, base, self.max_concurrency, retries, cache).into(),
            follow_canonical: self.follow_canonical,
            deploy_token,
        })
    }
}
