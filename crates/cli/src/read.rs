//! The commands that read from a server, as tables or as JSON.

mod app;
mod apps;
mod drift;
mod label;
mod listing;
mod sources;
mod stats;
mod suggest;
mod table;

pub(crate) use app::run as app;
pub(crate) use apps::{list as apps, search};
pub(crate) use drift::run as drift;
pub(crate) use label::run as label;
pub(crate) use sources::run as sources;
pub(crate) use stats::run as stats;

use anyhow::anyhow;
use appstitch_client::{Client, ErrorKind, RawResponse, ResponseError};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{StatusCode, Url};

use crate::{
    arguments::ServerArguments,
    exit::{self, Failure},
};

/// A client for the command's server.
fn client(server: &ServerArguments) -> Result<Client, Failure> {
    Client::builder(&server.server)
        .user_agent(concat!("appstitch/", env!("CARGO_PKG_VERSION")))
        .cache(true)
        .build()
        .map_err(|error| {
            Failure::wrong_use(anyhow!("invalid server '{}': {}", error.url, error.detail))
        })
}

/// A rejected request is a negative answer. Any other error means that the server is unusable.
fn failure(error: ResponseError) -> Failure {
    match (error.kind, error.status) {
        (ErrorKind::Unreachable, _) => Failure::server_unavailable(&origin(&error), &error.detail)
            .hint("start one with `appstitch serve`, or name another with --server or APPSTITCH_SERVER"),
        // The client does not report unknown slugs as errors, so the path itself does not exist.
        (_, Some(StatusCode::NOT_FOUND)) => Failure::unreachable(error)
            .hint("check that --server or APPSTITCH_SERVER is the URL of an appstitch server"),
        (_, Some(status)) if status.is_client_error() => Failure::no(error),
        _ => Failure::unreachable(error),
    }
}

/// The part of a URL that names the server.
fn origin(error: &ResponseError) -> String {
    Url::parse(&error.url)
        .map_or_else(|_| error.url.clone(), |url| url.origin().ascii_serialization())
}

/// The response to a request about an app.
async fn get_of_app(client: &Client, slug: &str, detail: &str) -> Result<RawResponse, Failure> {
    // In a URL, these would select another path.
    let raw = if matches!(slug, "" | "." | "..") {
        None
    } else {
        let path = format!("apps/{}{detail}", utf8_percent_encode(slug, NON_ALPHANUMERIC));
        client.get_raw(&path, &[]).await.map_err(failure)?
    };
    match raw {
        Some(raw) => Ok(raw),
        None => Err(unknown(client, slug).await),
    }
}

/// The response of a route that exists on every server.
async fn get(
    client: &Client,
    path: &str,
    pairs: &[(&'static str, String)],
) -> Result<RawResponse, Failure> {
    let raw = client.get_raw(path, pairs).await.map_err(failure)?;
    raw.ok_or_else(|| Failure::unreachable(anyhow!("the server does not have /{path}")))
}

fn print_body(body: &[u8]) -> Result<(), Failure> {
    exit::print(&format!("{}\n", String::from_utf8_lossy(body)))
}

fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    print_body(&serde_json::to_vec(value).map_err(Failure::unreachable)?)
}

/// The error for an unknown slug, with suggestions.
async fn unknown(client: &Client, slug: &str) -> Failure {
    let failure = Failure::no(anyhow!("App with slug '{slug}' not found"));
    match suggest::similar_slugs(client, slug).await.as_slice() {
        [] => failure,
        names => failure.hint(format!("did you mean {}?", names.join(" or "))),
    }
}
