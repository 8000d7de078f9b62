//! Requests to a server, and what their errors mean for a command.

use anyhow::anyhow;
use appstitch_client::{AppHistory, Client, ErrorKind, RawResponse, ResponseError, SearchQuery};
use jiff::Timestamp;
use reqwest::{StatusCode, Url};

use crate::{
    arguments::ServerArguments,
    exit::{self, Failure},
    words::any_of,
};

/// The most apps that are suggested for an unknown name.
const SUGGESTIONS: u32 = 3;

pub(super) fn client(server: &ServerArguments) -> Result<Client, Failure> {
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
pub(super) fn failure(error: ResponseError) -> Failure {
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

pub(super) async fn get_of_app(
    client: &Client,
    slug: &str,
    route: &str,
    pairs: &[(&'static str, String)],
) -> Result<RawResponse, Failure> {
    known(client, slug, client.get_app_raw(slug, route, pairs).await).await
}

/// The response about an app. Says so if the app was found by another of its names; an unknown one
/// is an error.
pub(super) async fn known(
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
            _ => match left_at(client, name).await {
                Some(left_at) => Failure::no(error).hint(format!(
                    "it left the catalog on {}; see `appstitch history {name}`",
                    left_at.strftime("%F")
                )),
                None => unknown(client, name, error).await,
            },
        });
    };
    if let Some(slug) = &raw.canonical_slug {
        eprintln!("{name} is another name of {slug}");
    }
    Ok(raw)
}

/// The response of a route that exists on every server.
pub(super) async fn get(
    client: &Client,
    path: &str,
    pairs: &[(&'static str, String)],
) -> Result<RawResponse, Failure> {
    let raw = client.get_raw(path, pairs).await.map_err(failure)?;
    raw.ok_or_else(|| Failure::unreachable(anyhow!("the server does not have /{path}")))
}

pub(super) fn print_body(body: &[u8]) -> Result<(), Failure> {
    exit::print(&format!("{}\n", String::from_utf8_lossy(body)))
}

pub(super) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    print_body(&serde_json::to_vec(value).map_err(Failure::unreachable)?)
}

/// When an app left the catalog; `None` if it never had it, or if the server does not respond.
async fn left_at(client: &Client, slug: &str) -> Option<Timestamp> {
    let raw = client.get_app_raw(slug, "/history", &[]).await.ok()??;
    let history: AppHistory = raw.decode().ok()?;
    history.versions.first()?.until
}

pub(super) async fn unknown(client: &Client, name: &str, error: anyhow::Error) -> Failure {
    let failure = Failure::no(error);
    match similar_slugs(client, name).await.as_slice() {
        [] => failure,
        names => failure.hint(format!("did you mean {}?", any_of(names))),
    }
}

/// The slugs of the apps that match a text best; none if the server does not respond.
async fn similar_slugs(client: &Client, wanted: &str) -> Vec<String> {
    let query = SearchQuery { limit: SUGGESTIONS, ..SearchQuery::text(wanted) };
    let found = client.search_apps(&query).await;
    found.map(|page| page.items.into_iter().map(|hit| hit.slug).collect()).unwrap_or_default()
}
