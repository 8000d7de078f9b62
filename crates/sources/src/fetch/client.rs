//! The HTTP client of everything that asks other people's servers: it connects to public addresses
//! only, unless allowed, and follows no redirects by itself.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use reqwest::{
    Client, Method, RequestBuilder, Response, Url,
    header::{HeaderName, HeaderValue},
    redirect,
};

use super::{
    FetchError,
    guard::{PrivateName, PublicResolver, is_public_host},
    is_caused_by,
};

const CONNECT_TIME: Duration = Duration::from_secs(15);
/// How long a server may send nothing.
const READ_TIME: Duration = Duration::from_mins(1);

/// Headers that belong to the connection or the length of the body. The client sets them itself; a
/// value from elsewhere could make a request that does not end where its body does.
const OWN_HEADERS: [&str; 7] =
    ["connection", "content-length", "expect", "keep-alive", "te", "transfer-encoding", "upgrade"];

/// An HTTP client that connects to private addresses only if allowed.
#[derive(Debug, Clone)]
pub struct GuardedClient {
    client: Client,
    allow_private: bool,
}

/// A request to make exactly as it is, without following redirects.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    /// `GET`, `HEAD` or `POST`.
    pub method: &'a str,
    /// The URL.
    pub address: &'a str,
    /// The headers. Names and values that HTTP does not allow are left out.
    pub headers: &'a [(String, String)],
    /// The token to send, if any.
    pub bearer: Option<&'a str>,
    /// The body, which is empty without one.
    pub body: &'a str,
    /// The time until the last byte of the response.
    pub timeout: Duration,
    /// The size limit of the response's body.
    pub max_bytes: usize,
}

/// The response to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    /// The status.
    pub status: u16,
    /// The headers in the order in which the server sent them, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Incoming {
    /// The first header with this name, which is in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

impl GuardedClient {
    /// A client. It connects to private addresses only if `allow_private` is set. Names in `fixed`
    /// are not looked up but lead to the given address, which is not checked.
    pub fn new(allow_private: bool, fixed: &[(String, SocketAddr)]) -> Result<Self, FetchError> {
        let mut builder = Client::builder()
            // The caller decides about redirects, and each target is checked like a first URL.
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIME)
            .read_timeout(READ_TIME)
            .user_agent(concat!("appstitch/", env!("CARGO_PKG_VERSION")))
            // Another crate of the program turns these on for all clients. A label sees the headers,
            // and `curl` asks for no compression.
            .no_brotli()
            .no_deflate()
            .no_gzip()
            .no_zstd();
        for (name, address) in fixed {
            builder = builder.resolve(name, *address);
        }
        if !allow_private {
            builder = builder.dns_resolver(Arc::new(PublicResolver));
        }
        Ok(Self { client: builder.build()?, allow_private })
    }

    /// Makes one request and reads the whole response.
    pub async fn exchange(&self, request: Outgoing<'_>) -> Result<Incoming, FetchError> {
        let address = || request.address.to_owned();
        let url = Url::parse(request.address).map_err(|_| FetchError::Address(address()))?;
        let method = match request.method {
            "GET" => Method::GET,
            "HEAD" => Method::HEAD,
            "POST" => Method::POST,
            other => return Err(FetchError::Method(other.to_owned())),
        };
        let has_body = method == Method::POST || !request.body.is_empty();
        let response = self
            .send(&url, method, |mut builder| {
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
            .await?;
        let status = response.status().as_u16();
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = response.headers().iter();
        let headers = headers.map(|(name, value)| (name.to_string(), text(value))).collect();
        let limit = request.max_bytes as u64;
        let body = read_body(response, request.address, limit, &|_, _| {}).await?;
        Ok(Incoming { status, headers, body })
    }

    /// Checks the URL and sends a request to it. Returns when the head of the response is there.
    pub(super) async fn send(
        &self,
        url: &Url,
        method: Method,
        complete: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<Response, FetchError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(FetchError::Address(url.to_string()));
        }
        if !self.allow_private && !is_public_host(url) {
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
}

/// Reads a body up to a limit. `progress` is called with the number of bytes received and the
/// total, if known.
pub(super) async fn read_body(
    mut response: Response,
    address: &str,
    limit: u64,
    progress: &(dyn Fn(u64, Option<u64>) + Sync),
) -> Result<Vec<u8>, FetchError> {
    let too_large = || FetchError::TooLarge { address: address.to_owned(), limit };
    let total = response.content_length();
    // Told at once, before anything is transferred.
    if total.is_some_and(|total| total > limit) {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() as u64 > limit {
            return Err(too_large());
        }
        progress(bytes.len() as u64, total);
    }
    Ok(bytes)
}

/// The headers that HTTP allows and that are not the client's own.
fn valid(headers: &[(String, String)]) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    headers.iter().filter_map(|(name, value)| {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        let value = HeaderValue::from_bytes(value.as_bytes()).ok()?;
        (!OWN_HEADERS.contains(&name.as_str())).then_some((name, value))
    })
}
