//! Sending a request: a place among those on their way, tries, the cache.

use bytes::Bytes;
use reqwest::{
    Method, Response, StatusCode,
    header::{ACCEPT, ETAG, IF_NONE_MATCH},
};
use serde::Deserialize;
use tokio::sync::Semaphore;
use url::Url;

use crate::{
    ResponseError,
    cache::Cache,
    retry::{Retries, is_lost_connection, may_pass},
};

pub(crate) struct Transport {
    http: reqwest::Client,
    base: Url,
    places: Semaphore,
    retries: Retries,
    cache: Option<Cache>,
}

/// An answer that is there whole.
pub(crate) struct Answer {
    pub(crate) url: String,
    /// The entity tag: it changes when the catalog does.
    pub(crate) etag: Option<String>,
    /// `None` where there is no such thing (404).
    pub(crate) body: Option<Bytes>,
}

impl Transport {
    pub(crate) fn new(
        http: reqwest::Client,
        base: Url,
        max_concurrency: usize,
        retries: Retries,
        cache: Option<Cache>,
    ) -> Self {
        Self { http, base, places: Semaphore::new(max_concurrency), retries, cache }
    }

    /// The address of a path below the base.
    pub(crate) fn address(
        &self,
        path: &str,
        pairs: &[(&'static str, String)],
    ) -> Result<Url, ResponseError> {
        let mut url = self
            .base
            .join(path)
            .map_err(|error| ResponseError::new(path, "no address").with_source(error))?;
        if !pairs.is_empty() {
            url.query_pairs_mut().extend_pairs(pairs);
        }
        Ok(url)
    }

    /// Reads an address, from the cache if the server says that nothing changed.
    pub(crate) async fn get(&self, url: Url) -> Result<Answer, ResponseError> {
        let known = self.cache.as_ref().and_then(|cache| cache.get(url.as_str()));
        let etag = known.as_ref().map(|(etag, _)| etag.as_str());
        let (status, etag, body) = self.send(&Method::GET, &url, "application/json", etag).await?;
        if status == StatusCode::NOT_MODIFIED
            && let Some((etag, body)) = known
        {
            return Ok(Answer { url: url.into(), etag: Some(etag), body: Some(body) });
        }
        if status.is_success()
            && let (Some(cache), Some(etag)) = (&self.cache, &etag)
        {
            cache.put(url.as_str(), etag, &body);
        }
        answer(url, status, etag, body)
    }

    /// Asks for something that is made on demand.
    pub(crate) async fn post(&self, url: Url, accept: &str) -> Result<Answer, ResponseError> {
        let (status, etag, body) = self.send(&Method::POST, &url, accept, None).await?;
        answer(url, status, etag, body)
    }

    /// Sends a request, as often as it takes and may be tried. It holds its place until the body is
    /// there: a request is on its way as long as it is answered.
    async fn send(
        &self,
        method: &Method,
        url: &Url,
        accept: &str,
        etag: Option<&str>,
    ) -> Result<(StatusCode, Option<String>, Bytes), ResponseError> {
        // The semaphore is never closed, so there is always a place in the end.
        let _place = self.places.acquire().await.ok();
        let mut tried = 0;
        loop {
            let mut request = self.http.request(method.clone(), url.clone()).header(ACCEPT, accept);
            if let Some(etag) = etag {
                request = request.header(IF_NONE_MATCH, etag);
            }
            let again = match request.send().await {
                Ok(response) if may_pass(response.status()) => Err(response),
                Ok(response) => return read(url, response).await,
                Err(error) if is_lost_connection(&error) => match self.retries.pause(tried) {
                    Some(pause) => Ok(pause),
                    None => return Err(ResponseError::network(url.as_str(), error)),
                },
                Err(error) => return Err(ResponseError::network(url.as_str(), error)),
            };
            let pause = match again {
                Ok(pause) => pause,
                Err(response) => match self.retries.pause(tried) {
                    Some(pause) => pause,
                    None => return read(url, response).await,
                },
            };
            tokio::time::sleep(pause).await;
            tried += 1;
        }
    }
}

async fn read(
    url: &Url,
    response: Response,
) -> Result<(StatusCode, Option<String>, Bytes), ResponseError> {
    let status = response.status();
    let etag = response.headers().get(ETAG).and_then(|value| value.to_str().ok());
    let etag = etag.map(str::to_owned);
    let body = response.bytes().await;
    let body =
        body.map_err(|error| ResponseError::network(url.as_str(), error).with_status(status))?;
    Ok((status, etag, body))
}

fn answer(
    url: Url,
    status: StatusCode,
    etag: Option<String>,
    body: Bytes,
) -> Result<Answer, ResponseError> {
    let body = match status {
        status if status.is_success() => Some(body),
        // Only our own 404 says that there is no such thing; anybody else's is an error.
        StatusCode::NOT_FOUND if detail(&body).is_some_and(|text| text.contains("with slug")) => {
            None
        }
        _ => {
            let words = detail(&body).unwrap_or_else(|| "no reason given".to_owned());
            return Err(ResponseError::new(url.as_str(), words).with_status(status));
        }
    };
    Ok(Answer { url: url.into(), etag, body })
}

/// The sentence in an error's body; a list of faults as it is.
fn detail(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Detail {
        detail: serde_json::Value,
    }
    let Detail { detail } = serde_json::from_slice(body).ok()?;
    Some(detail.as_str().map_or_else(|| detail.to_string(), str::to_owned))
}

impl Answer {
    /// The body as a value; `None` where there is no such thing.
    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self) -> Result<Option<T>, ResponseError> {
        let Some(body) = &self.body else { return Ok(None) };
        serde_json::from_slice(body).map(Some).map_err(|error| {
            ResponseError::new(&self.url, format!("the answer cannot be read: {error}"))
                .with_status(StatusCode::OK)
                .with_source(error)
        })
    }

    /// The body as a value that must be there.
    pub(crate) fn require<T: serde::de::DeserializeOwned>(&self) -> Result<T, ResponseError> {
        self.read()?.ok_or_else(|| {
            ResponseError::new(&self.url, "the server does not know this route")
                .with_status(StatusCode::NOT_FOUND)
        })
    }
}
