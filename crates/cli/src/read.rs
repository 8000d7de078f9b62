//! The commands that read from a server, as tables or as JSON.

mod alias;
mod app;
mod apps;
mod changes;
mod compare;
mod details;
mod drift;
mod health;
mod history;
mod label;
mod listing;
mod outdated;
mod search;
mod source_status;
mod sources;
mod stats;
mod suggest;
pub(crate) mod table;

pub(crate) use alias::run as alias;
pub(crate) use app::run as app;
pub(crate) use apps::list as apps;
pub(crate) use changes::run as changes;
pub(crate) use compare::run as compare;
pub(crate) use details::run as details;
pub(crate) use drift::run as drift;
pub(crate) use health::run as health;
pub(crate) use history::run as history;
pub(crate) use label::run as label;
pub(crate) use outdated::run as outdated;
pub(crate) use search::search;
pub(crate) use sources::run as sources;
pub(crate) use stats::run as stats;

use anyhow::anyhow;
use appstitch_client::{Client, ErrorKind, RawResponse, ResponseError};
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

/// Invalid parameters are wrong use, and any other rejected request is a negative answer. Other errors
/// mean that the server is unusable.
fn failure(error: ResponseError) -> Failure {
    match (error.kind, error.status) {
        (ErrorKind::Unreachable, _) => Failure::server_unavailable(&origin(&error), &error.detail)
            .hint("start one with `appstitch serve`, or name another with --server or APPSTITCH_SERVER"),
        // The client does not report unknown slugs and names as errors, so the path itself does not
        // exist.
        (_, Some(StatusCode::NOT_FOUND)) => Failure::unreachable(error)
            .hint("check that --server or APPSTITCH_SERVER is the URL of an appstitch server"),
        (_, Some(StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY)) => {
            Failure::wrong_use(error)
        }
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
async fn get_of_app(
    client: &Client,
    slug: &str,
    route: &str,
    pairs: &[(&'static str, String)],
) -> Result<RawResponse, Failure> {
    known(client, slug, client.get_app_raw(slug, route, pairs).await).await
}

/// The response about an app. Says so if the app was found by another of its names; an unknown one
/// is an error.
async fn known(
    client: &Client,
    name: &str,
    response: Result<Option<RawResponse>, ResponseError>,
) -> Result<RawResponse, Failure> {
    let Some(raw) = response.map_err(failure)? else {
        let error = anyhow!("App with slug '{name}' not found");
        // The client follows a name of one app.
        return Err(match client.find_alias(name).await {
            Ok(Some(found)) if found.matches.len() > 1 => Failure::no(error)
                .hint(format!("several apps have this name; `appstitch alias {name}` lists them")),
            _ => unknown(client, name, error).await,
        });
    };
    if let Some(slug) = &raw.canonical_slug {
        eprintln!("{name} is another name of {slug}");
    }
    Ok(raw)
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

/// The error for an unknown slug or name, with suggestions.
async fn unknown(client: &Client, name: &str, error: anyhow::Error) -> Failure {
    let failure = Failure::no(error);
    match suggest::similar_slugs(client, name).await.as_slice() {
        [] => failure,
        names => failure.hint(format!("did you mean {}?", names.join(" or "))),
    }
}
