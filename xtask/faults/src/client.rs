//! Requests to servers.

use std::time::Duration;

use bytes::Bytes;
use reqwest::{Method, header};
use serde_json::Value;

use crate::Finding;

/// The deploy token of the servers.
pub(crate) const TOKEN: &str = "open sesame";

/// Longer than any pause and any time limit of a server. Nothing gives up an upload before: a server
/// that is paused could still make the change afterwards.
const TIMEOUT: Duration = Duration::from_mins(4);

#[derive(Clone)]
pub(crate) struct Client(reqwest::Client);

pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) etag: String,
    pub(crate) body: Bytes,
}

impl Client {
    pub(crate) fn new() -> Result<Self, Finding> {
        let client = appstitch_network::client_builder().timeout(TIMEOUT).no_proxy().build();
        Ok(Self(client?))
    }

    pub(crate) async fn get(&self, base: &str, path: &str) -> Result<Response, reqwest::Error> {
        Response::read(self.0.get(format!("{base}{path}")).send().await?).await
    }

    pub(crate) async fn change(
        &self,
        method: Method,
        base: &str,
        path: &str,
        body: String,
    ) -> Result<Response, reqwest::Error> {
        let request = self.0.request(method, format!("{base}{path}")).bearer_auth(TOKEN);
        Response::read(request.body(body).send().await?).await
    }

    /// An answer with the status 200 of a server that nobody disturbs.
    pub(crate) async fn read(&self, base: &str, path: &str) -> Result<Response, Finding> {
        let response = self.get(base, path).await?;
        if response.status == 200 {
            return Ok(response);
        }
        Err(Finding::new(format!("{path} of an undisturbed server: {}", response.describe())))
    }
}

impl Response {
    async fn read(response: reqwest::Response) -> Result<Self, reqwest::Error> {
        let etag = response.headers().get(header::ETAG).and_then(|etag| etag.to_str().ok());
        let etag = etag.unwrap_or_default().to_owned();
        let status = response.status().as_u16();
        Ok(Self { status, etag, body: response.bytes().await? })
    }

    pub(crate) fn json(&self) -> Result<Value, Finding> {
        Ok(serde_json::from_slice(&self.body)?)
    }

    /// The sentence of an error.
    pub(crate) fn detail(&self) -> String {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        body["detail"].as_str().unwrap_or_default().to_owned()
    }

    /// The status and the beginning of the body.
    pub(crate) fn describe(&self) -> String {
        let body: String = String::from_utf8_lossy(&self.body).chars().take(300).collect();
        format!("status {}, {body}", self.status)
    }
}
