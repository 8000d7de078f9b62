//! One token for all requests to a titles server.

use std::time::Duration;

use appstitch_network::{GuardedClient, Incoming, requested_wait};
use serde::Deserialize;
use tokio::{sync::Mutex, time::Instant};
use url::{Host, Url, form_urlencoded};

use super::{SweepError, TitlesServer};
use crate::api_client::{ApiClient, ApiRequest, RequestLimits};

/// A token is replaced this long before it expires, or earlier if it is short-lived.
const MARGIN: Duration = Duration::from_secs(30);
/// Shorter times are not believed; a token that expires is noticed by the status as well.
const SHORTEST: Duration = Duration::from_secs(5);
/// The life of a token whose answer does not tell.
const USUAL: Duration = Duration::from_mins(1);
/// A server that lets every token expire at once gets no further requests.
const MAX_TOKENS: u32 = 100;
const MAX_TOKEN_BYTES: usize = 64 << 10;

pub(super) struct Session<'c> {
    api: ApiClient<'c>,
    server: &'c TitlesServer,
    token: Mutex<Token>,
}

#[derive(Clone)]
struct Token {
    text: String,
    number: u32,
    ends: Instant,
    /// Whether a request was answered with it. A token that never worked is not replaced by another.
    worked: bool,
}

#[derive(Deserialize)]
struct TokenAnswer {
    access_token: String,
    expires_in: Option<u64>,
}

impl<'c> Session<'c> {
    pub(super) async fn start(
        client: &'c GuardedClient,
        server: &'c TitlesServer,
        limits: &RequestLimits,
    ) -> Result<Self, SweepError> {
        if server.address.scheme() != "https" && !is_this_machine(&server.address) {
            return Err(SweepError::NotEncrypted(server.address.to_string()));
        }
        let api = ApiClient::new(client, limits.clone());
        let token = Mutex::new(new_token(&api, server, 1).await?);
        Ok(Self { api, server, token })
    }

    pub(super) fn is_over(&self) -> bool {
        self.api.is_over()
    }

    pub(super) fn address(&self, path: &[&str]) -> Url {
        address(self.server, path)
    }

    /// The body of an answer with the status 200. An expired token is replaced once.
    pub(super) async fn get(
        &self,
        address: &Url,
        accept: &str,
        max_bytes: usize,
    ) -> Result<Vec<u8>, SweepError> {
        let token = self.current().await?;
        let mut answer = self.send(address, accept, max_bytes, &token).await?;
        if answer.status == 401 {
            let token = self.renewed(&token, address).await?;
            answer = self.send(address, accept, max_bytes, &token).await?;
        }
        let address = address.to_string();
        match answer.status {
            200 => Ok(answer.body),
            401 => Err(SweepError::Token { address }),
            403 => Err(SweepError::Forbidden { address }),
            404 => Err(SweepError::Missing { address }),
            status => Err(SweepError::Status { address, status, wait: requested_wait(&answer) }),
        }
    }

    async fn send(
        &self,
        address: &Url,
        accept: &str,
        max_bytes: usize,
        token: &Token,
    ) -> Result<Incoming, SweepError> {
        let headers = [("accept".to_owned(), accept.to_owned())];
        let bearer = Some(token.text.as_str());
        let address = address.as_str();
        let request =
            ApiRequest { method: "GET", address, headers: &headers, bearer, body: "", max_bytes };
        let failed = |error| SweepError::Request { address: address.to_owned(), error };
        let answer = self.api.send(request).await.map_err(failed)?;
        if answer.status != 401 && !token.worked {
            let mut current = self.token.lock().await;
            current.worked |= current.number == token.number;
        }
        Ok(answer)
    }

    async fn current(&self) -> Result<Token, SweepError> {
        let mut token = self.token.lock().await;
        if Instant::now() >= token.ends && token.number < MAX_TOKENS {
            *token = new_token(&self.api, self.server, token.number + 1).await?;
        }
        Ok(token.clone())
    }

    /// The token that replaces one that was refused. Requests side by side get the same.
    async fn renewed(&self, refused: &Token, address: &Url) -> Result<Token, SweepError> {
        let mut token = self.token.lock().await;
        if token.number == refused.number {
            let is_first = token.number == 1;
            if token.number >= MAX_TOKENS || !(token.worked || is_first) {
                return Err(SweepError::Token { address: address.to_string() });
            }
            *token = new_token(&self.api, self.server, token.number + 1).await?;
        }
        Ok(token.clone())
    }
}

fn address(server: &TitlesServer, path: &[&str]) -> Url {
    let mut address = server.address.clone();
    address.set_query(None);
    address.set_fragment(None);
    if let Ok(mut segments) = address.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    address
}

async fn new_token(
    api: &ApiClient<'_>,
    server: &TitlesServer,
    number: u32,
) -> Result<Token, SweepError> {
    let address = address(server, &["api", "oauth", "token"]).to_string();
    let body = form_urlencoded::Serializer::new(String::new())
        .append_pair("client_id", &server.client_id)
        .append_pair("client_secret", server.secret.reveal())
        .append_pair("grant_type", "client_credentials")
        .finish();
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let headers = [
        header("content-type", "application/x-www-form-urlencoded"),
        header("accept", "application/json"),
    ];
    let request = ApiRequest {
        method: "POST",
        address: &address,
        headers: &headers,
        bearer: None,
        body: &body,
        max_bytes: MAX_TOKEN_BYTES,
    };
    let asked = Instant::now();
    let answer = match api.send(request).await {
        Ok(answer) => answer,
        Err(error) => return Err(SweepError::Request { address, error }),
    };
    match answer.status {
        200 => {}
        404 => return Err(SweepError::Missing { address }),
        status @ (400 | 401 | 403) => return Err(SweepError::Credentials { address, status }),
        status => {
            return Err(SweepError::Status { address, status, wait: requested_wait(&answer) });
        }
    }
    // The reason of the reader is not told, because it could quote the token.
    let other_shape = || SweepError::Shape {
        address: address.clone(),
        why: "no token that can be used".to_owned(),
    };
    let TokenAnswer { access_token, expires_in } =
        serde_json::from_slice(&answer.body).map_err(|_| other_shape())?;
    let is_token =
        !access_token.is_empty() && access_token.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_token {
        return Err(other_shape());
    }
    let life = expires_in.map_or(USUAL, |seconds| Duration::from_secs(seconds.min(24 * 3600)));
    let usable = life.saturating_sub(MARGIN.min(life / 4)).max(SHORTEST);
    Ok(Token { text: access_token, number, ends: asked + usable, worked: false })
}

fn is_this_machine(address: &Url) -> bool {
    match address.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
