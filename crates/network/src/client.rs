//! The HTTP client of everything that asks other people's servers: it connects to public addresses
//! only, unless allowed, uses only the proxy it is given, and follows no redirects by itself.

use std::{sync::Arc, time::Duration};

use appstitch_types::without_credentials;
use jiff::{Timestamp, fmt::rfc2822};
use reqwest::{
    Client, Method, RequestBuilder, Response, Url,
    header::{HeaderName, HeaderValue},
    redirect,
};
use tokio::time::timeout_at;

use crate::{
    access::NetworkAccess,
    error::{FetchError, is_caused_by},
    guard::{PrivateName, PublicResolver, is_private_name, is_public_host},
    pace::{Pace, Progress},
    tls::client_builder,
};

const CONNECT_TIME: Duration = Duration::from_secs(15);
const READ_TIME: Duration = Duration::from_mins(1);

/// Headers that belong to the connection or the length of the body. The client sets them itself; a
/// value from elsewhere could make a request that does not end where its body does.
const RESERVED_HEADERS: [&str; 7] =
    ["connection", "content-length", "expect", "keep-alive", "te", "transfer-encoding", "upgrade"];

#[derive(Debug, Clone)]
pub struct GuardedClient {
    client: Client,
    access: Arc<NetworkAccess>,
}

/// A request to make exactly as it is, without following redirects.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    /// `GET`, `HEAD` or `POST`.
    pub method: &'a str,
    pub address: &'a str,
    /// Names and values that HTTP does not allow are left out.
    pub headers: &'a [(String, String)],
    pub bearer: Option<&'a str>,
    pub body: &'a str,
    /// The time until the last byte of the response.
    pub timeout: Duration,
    pub max_bytes: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    pub status: u16,
    /// The headers in the order in which the server sent them, with names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Incoming {
    /// The first header with this name, which is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The pause that the server asks for, as seconds or as a time. A time that is over is no pause.
    pub fn retry_after(&self, now: Timestamp) -> Option<Duration> {
        let text = self.header("retry-after")?.trim();
        if let Ok(seconds) = text.parse() {
            return Some(Duration::from_secs(seconds));
        }
        let time = rfc2822::DateTimeParser::new().parse_timestamp(text).ok()?;
        Some(Duration::try_from(time.duration_since(now)).unwrap_or_default())
    }
}

impl GuardedClient {
    pub fn new(access: &NetworkAccess) -> Result<Self, FetchError> {
        let mut builder = client_builder()
            // The caller decides about redirects, and each target is checked like a first URL.
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIME)
            .read_timeout(READ_TIME)
            .user_agent(access.user_agent())
            // A crate that turns on such a feature of `reqwest` does it for all clients. A label sees
            // the headers, and `curl` asks for no compression.
            .no_brotli()
            .no_deflate()
            .no_gzip()
            .no_zstd()
            // A proxy of the environment would make the connections, to whatever address.
            .no_proxy();
        for (name, address) in &access.fixed_addresses {
            builder = builder.resolve(name, *address);
        }
        if let Some(proxy) = &access.proxy {
            builder = builder.proxy(proxy.for_all()?);
        } else if !access.allow_private {
            builder = builder.dns_resolver(Arc::new(PublicResolver));
        }
        Ok(Self { client: builder.build()?, access: Arc::new(access.clone()) })
    }

    pub async fn exchange(&self, request: Outgoing<'_>) -> Result<Incoming, FetchError> {
        let response = self.begin(&request).await?;
        let head = head(&response);
        let limit = request.max_bytes as u64;
        let body = read_body(response, request.address, limit, Pace::ANY, &|_, _| {}).await?;
        Ok(Incoming { body, ..head })
    }

    /// Makes one request and reads only the head of the response. The connection is closed if there
    /// is a body, whatever its size.
    pub async fn exchange_head(&self, request: Outgoing<'_>) -> Result<Incoming, FetchError> {
        Ok(head(&self.begin(&request).await?))
    }

    async fn begin(&self, request: &Outgoing<'_>) -> Result<Response, FetchError> {
        let no_address = |_| FetchError::Address(without_credentials(request.address));
        let url = Url::parse(request.address).map_err(no_address)?;
        let method = match request.method {
            "GET" => Method::GET,
            "HEAD" => Method::HEAD,
            "POST" => Method::POST,
            other => return Err(FetchError::Method(other.to_owned())),
        };
        let has_body = method == Method::POST || !request.body.is_empty();
        self.send(&url, method, |mut builder| {
            for (name, value) in valid(request.headers) {
                builder = builder.header(name, value);
            }
            if let Some(token) = request.bearer {
                builder = builder.bearer_auth(token);
            }
            if has_body {
                builder = builder.body(request.body.to_owned());
            }
            builder.timeout(request.timeout)
        })
        .await
    }

    /// Checks the URL and sends a request to it. Returns when the head of the response is there.
    pub(crate) async fn send(
        &self,
        url: &Url,
        method: Method,
        complete: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<Response, FetchError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(FetchError::Address(without_credentials(url.as_str())));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(FetchError::Credentials(without_credentials(url.as_str())));
        }
        if !self.may_ask(url).await {
            return Err(FetchError::Private(url.to_string()));
        }
        let request = complete(self.client.request(method, url.clone()));
        request.send().await.map_err(|error| {
            if is_caused_by::<PrivateName>(&error) {
                FetchError::Private(url.to_string())
            } else {
                FetchError::Network(error)
            }
        })
    }

    /// Whether the host of a URL may be asked. Without a proxy, names are checked when they are looked
    /// up for the connection. With one, this is the only check.
    async fn may_ask(&self, url: &Url) -> bool {
        let access = &*self.access;
        if access.allow_private {
            return true;
        }
        let host = url.host_str().unwrap_or_default();
        let is_fixed = access.fixed_addresses.iter().any(|(name, _)| name == host);
        is_public_host(url) && (access.proxy.is_none() || is_fixed || !is_private_name(host).await)
    }
}

pub(crate) fn head(response: &Response) -> Incoming {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = response.headers().iter();
    let headers = headers.map(|(name, value)| (name.to_string(), text(value))).collect();
    Incoming { status: response.status().as_u16(), headers, body: Vec::new() }
}

/// Reads a body up to a limit. `progress` is called with the number of bytes received and the
/// total, if known.
pub(crate) async fn read_body(
    mut response: Response,
    address: &str,
    limit: u64,
    pace: Pace,
    progress: &(dyn Fn(u64, Option<u64>) + Sync),
) -> Result<Vec<u8>, FetchError> {
    let too_large = || FetchError::TooLarge { address: address.to_owned(), limit };
    let total = response.content_length();
    // Before anything is transferred.
    if total.is_some_and(|total| total > limit) {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let mut arrived = Progress::start(pace);
    loop {
        let Ok(chunk) = timeout_at(arrived.period_end(), response.chunk()).await else {
            arrived.next_period().map_err(|received| FetchError::TooSlow {
                address: address.to_owned(),
                received,
                time: pace.period,
            })?;
            continue;
        };
        let Some(chunk) = chunk? else { break };
        arrived.received(chunk.len() as u64);
        bytes.extend_from_slice(&chunk);
        if bytes.len() as u64 > limit {
            return Err(too_large());
        }
        progress(bytes.len() as u64, total);
    }
    Ok(bytes)
}

/// The headers that HTTP allows and that the client does not set itself.
fn valid(headers: &[(String, String)]) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    headers.iter().filter_map(|(name, value)| {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        let value = HeaderValue::from_bytes(value.as_bytes()).ok()?;
        (!RESERVED_HEADERS.contains(&name.as_str())).then_some((name, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_asks_for_a_pause_in_seconds_or_until_a_time() {
        let now = "2026-03-05T06:07:08Z".parse().unwrap();
        let asked = |value: &str| {
            let headers = vec![("retry-after".to_owned(), value.to_owned())];
            Incoming { status: 503, headers, body: Vec::new() }.retry_after(now)
        };
        assert_eq!(asked("120"), Some(Duration::from_mins(2)));
        assert_eq!(asked(" Thu, 05 Mar 2026 06:08:08 GMT"), Some(Duration::from_mins(1)));
        assert_eq!(asked("Thu, 05 Mar 2026 06:00:00 GMT"), Some(Duration::ZERO), "it is over");
        for value in ["", "soon", "-5", "99999999999999999999"] {
            assert_eq!(asked(value), None, "{value}");
        }
        let silent = Incoming { status: 503, headers: Vec::new(), body: Vec::new() };
        assert_eq!(silent.retry_after(now), None);
    }
}
