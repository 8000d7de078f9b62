//! Sends requests, with a limit on concurrent requests, retries and a cache.

use std::{
    io::{self, Read as _},
    time::Duration,
};

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use reqwest::{
    Method, RequestBuilder, Response, StatusCode,
    header::{
        ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, ETAG, HeaderMap, HeaderValue,
        IF_NONE_MATCH, LINK,
    },
};
use serde::{Deserialize, de::DeserializeOwned};
use tokio::sync::Semaphore;
use url::Url;

use crate::{
    ErrorKind, RawResponse, ResponseError, Slug,
    cache::{Cache, Cached},
    retry::{Retries, is_lost_connection, is_temporary},
};

/// The server sends this header with a 404 for an unknown slug or name. A 404 without it means that
/// the URL is wrong, or that the response is from another server.
const X_ERROR_CODE: &str = "x-error-code";
const NOT_FOUND_CODES: [&str; 2] = ["app_not_found", "name_not_found"];
const X_TOTAL_COUNT: &str = "x-total-count";
const GZIP: HeaderValue = HeaderValue::from_static("gzip");

/// The files of sources are large, and the server answers when the catalog is made.
const UPLOAD_TIMEOUT: Duration = Duration::from_mins(10);

pub(crate) struct Transport {
    http: reqwest::Client,
    base: Url,
    permits: Semaphore,
    retries: Retries,
    cache: Option<Cache>,
}

/// A response with its complete body.
pub(crate) struct ServerResponse {
    pub(crate) url: String,
    /// It changes when the catalog changes.
    pub(crate) etag: Option<String>,
    /// The total number of matching entries, for listings.
    pub(crate) total_count: Option<u64>,
    /// `None` if the app does not exist.
    pub(crate) body: Option<Bytes>,
    /// The links of the response, if the app does not exist.
    pub(crate) link: Option<String>,
}

/// A received response with any status.
struct AnyResponse {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Transport {
    pub(crate) fn new(
        http: reqwest::Client,
        base: Url,
        max_concurrency: usize,
        retries: Retries,
        cache: Option<Cache>,
    ) -> Self {
        Self { http, base, permits: Semaphore::new(max_concurrency), retries, cache }
    }

    /// The URL of a path below the base.
    pub(crate) fn address(
        &self,
        path: &str,
        pairs: &[(&'static str, String)],
    ) -> Result<Url, ResponseError> {
        let mut url = self.base.join(path).map_err(|error| {
            ResponseError::new(ErrorKind::InvalidUrl, path, "not a valid path").with_cause(error)
        })?;
        if !pairs.is_empty() {
            url.query_pairs_mut().extend_pairs(pairs);
        }
        Ok(url)
    }

    /// The decoded response of a route that does not name an app.
    pub(crate) async fn read<T: DeserializeOwned>(
        &self,
        path: &str,
        pairs: &[(&'static str, String)],
    ) -> Result<T, ResponseError> {
        self.get(self.address(path, pairs)?).await?.require()
    }

    /// Reads a URL, from the cache if the server responds with 304.
    pub(crate) async fn get(&self, url: Url) -> Result<ServerResponse, ResponseError> {
        let known = self.cache.as_ref().and_then(|cache| cache.get(url.as_str()));
        let etag = known.as_ref().map(|known| known.etag.as_str());
        let received = self.send(&Method::GET, &url, "application/json", etag, None).await?;
        if received.status == StatusCode::NOT_MODIFIED
            && let Some(Cached { etag, body, total_count }) = known
        {
            return Ok(ServerResponse {
                url: url.into(),
                etag: Some(etag),
                total_count,
                body: Some(body),
                link: None,
            });
        }
        let response = received.checked(url)?;
        if let (Some(cache), Some(etag), Some(body)) = (&self.cache, &response.etag, &response.body)
        {
            let (etag, body) = (etag.clone(), body.clone());
            cache.put(&response.url, Cached { etag, body, total_count: response.total_count });
        }
        Ok(response)
    }

    /// Requests something that the server generates, from a body if it needs one.
    pub(crate) async fn post(
        &self,
        url: Url,
        accept: &str,
        body: Option<Bytes>,
    ) -> Result<ServerResponse, ResponseError> {
        self.send(&Method::POST, &url, accept, None, body).await?.checked(url)
    }

    /// Sends data with the deploy token, once.
    pub(crate) async fn upload(
        &self,
        method: Method,
        url: Url,
        token: &HeaderValue,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<ServerResponse, ResponseError> {
        let _permit = self.permits.acquire().await.ok();
        let request = self
            .http
            .request(method, url.clone())
            .timeout(UPLOAD_TIMEOUT)
            .header(ACCEPT, "application/json")
            .header(ACCEPT_ENCODING, GZIP)
            .header(AUTHORIZATION, token);
        let response = fill(request)
            .send()
            .await
            .map_err(|error| ResponseError::network(ErrorKind::Unreachable, url.as_str(), error))?;
        receive(&url, response).await?.checked(url)
    }

    /// Sends a request and retries temporary failures. The request counts towards the concurrency
    /// limit until its body is complete.
    async fn send(
        &self,
        method: &Method,
        url: &Url,
        accept: &str,
        etag: Option<&str>,
        body: Option<Bytes>,
    ) -> Result<AnyResponse, ResponseError> {
        // The semaphore is never closed.
        let _permit = self.permits.acquire().await.ok();
        let mut tried = 0;
        loop {
            let mut request = self
                .http
                .request(method.clone(), url.clone())
                .header(ACCEPT, accept)
                .header(ACCEPT_ENCODING, GZIP);
            if let Some(etag) = etag {
                request = request.header(IF_NONE_MATCH, etag);
            }
            if let Some(body) = &body {
                request = request.body(body.clone());
            }
            let pause = self.retries.pause(tried);
            match (request.send().await, pause) {
                (Ok(response), Some(_)) if is_temporary(response.status()) => {}
                (Ok(response), _) => return receive(url, response).await,
                (Err(error), Some(_)) if is_lost_connection(&error) => {}
                (Err(error), _) => {
                    return Err(ResponseError::network(
                        ErrorKind::Unreachable,
                        url.as_str(),
                        error,
                    ));
                }
            }
            tokio::time::sleep(pause.unwrap_or_default()).await;
            tried += 1;
        }
    }
}

async fn receive(url: &Url, response: Response) -> Result<AnyResponse, ResponseError> {
    let (status, headers) = (response.status(), response.headers().clone());
    let mut body = response.bytes().await.map_err(|error| {
        ResponseError::network(ErrorKind::InvalidBody, url.as_str(), error).with_status(status)
    })?;
    if headers.get(CONTENT_ENCODING) == Some(&GZIP) && !body.is_empty() {
        body = unpacked(&body).map_err(|error| {
            ResponseError::new(ErrorKind::InvalidBody, url.as_str(), error.to_string())
                .with_status(status)
                .with_cause(error)
        })?;
    }
    Ok(AnyResponse { status, headers, body })
}

/// The `gzip` feature of `reqwest` would do the same with eight crates more.
fn unpacked(body: &[u8]) -> io::Result<Bytes> {
    let mut content = Vec::new();
    MultiGzDecoder::new(body).read_to_end(&mut content)?;
    Ok(content.into())
}

impl AnyResponse {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// All `Link` headers as one.
    fn links(&self) -> String {
        let links = self.headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok());
        links.collect::<Vec<_>>().join(", ")
    }

    fn checked(self, url: Url) -> Result<ServerResponse, ResponseError> {
        let etag = self.header(ETAG.as_str()).map(str::to_owned);
        let total_count = self.header(X_TOTAL_COUNT).and_then(|count| count.parse().ok());
        let code = self.header(X_ERROR_CODE);
        let is_unknown = self.status == StatusCode::NOT_FOUND
            && code.is_some_and(|code| NOT_FOUND_CODES.contains(&code));
        let link = is_unknown.then(|| self.links());
        let body = match self.status {
            status if status.is_success() => Some(self.body),
            _ if is_unknown => None,
            status => {
                let detail = detail(&self.body).unwrap_or_else(|| "no details".to_owned());
                return Err(
                    ResponseError::new(ErrorKind::Status, url.as_str(), detail).with_status(status)
                );
            }
        };
        Ok(ServerResponse { url: url.into(), etag, total_count, body, link })
    }
}

/// The `detail` of an error body: a message, or one for each problem with a parameter.
fn detail(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Body {
        detail: serde_json::Value,
    }
    let Body { detail } = serde_json::from_slice(body).ok()?;
    let sentence = match &detail {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Array(problems) => {
            let problems: Option<Vec<String>> = problems.iter().map(problem).collect();
            problems.filter(|problems| !problems.is_empty()).map(|problems| problems.join("; "))
        }
        _ => None,
    };
    Some(sentence.unwrap_or_else(|| detail.to_string()))
}

/// A problem with a parameter as text: `limit: Input should be less than or equal to 1000`.
fn problem(problem: &serde_json::Value) -> Option<String> {
    let name = problem.get("loc")?.as_array()?.last()?.as_str()?;
    Some(format!("{name}: {}", problem.get("msg")?.as_str()?))
}

/// Decodes the body of a successful response.
pub(crate) fn decode<T: DeserializeOwned>(url: &str, body: &[u8]) -> Result<T, ResponseError> {
    serde_json::from_slice(body).map_err(|error| {
        ResponseError::new(ErrorKind::InvalidBody, url, format!("invalid response body: {error}"))
            .with_status(StatusCode::OK)
            .with_cause(error)
    })
}

impl ServerResponse {
    /// The decoded body of a route that does not name an app.
    pub(crate) fn require<T: DeserializeOwned>(&self) -> Result<T, ResponseError> {
        let Some(body) = &self.body else {
            return Err(ResponseError::new(ErrorKind::Status, &self.url, "unknown route")
                .with_status(StatusCode::NOT_FOUND));
        };
        decode(&self.url, body)
    }

    /// `None` if the app does not exist.
    pub(crate) fn raw(self, canonical_slug: Option<Slug>) -> Option<RawResponse> {
        let Self { url, body, total_count, .. } = self;
        Some(RawResponse { body: body?, total_count, canonical_slug, url })
    }
}
