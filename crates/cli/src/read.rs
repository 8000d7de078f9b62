//! The commands that read: what a server says, as tables or as it is sent.

mod app;
mod apps;
mod drift;
mod label;
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
use appstitch_client::{Client, ResponseError};

use crate::{
    arguments::ServerArguments,
    exit::{self, Failure},
};

/// A client of the server that the command names.
fn client(server: &ServerArguments) -> Result<Client, Failure> {
    Client::builder(&server.server)
        .user_agent(concat!("appstitch/", env!("CARGO_PKG_VERSION")))
        .cache(true)
        .build()
        .map_err(Failure::wrong_use)
}

/// A server's refusal is an answer; anything else means that it cannot be had.
fn failure(error: ResponseError) -> Failure {
    let refused = error.status.is_some_and(|status| status.is_client_error());
    if refused { Failure::no(error) } else { Failure::unreachable(error) }
}

/// Prints an answer as it was sent, or says that there is no such app and which may be meant.
async fn print_raw(client: &Client, slug: &str, path: &str) -> Result<(), Failure> {
    match client.get_raw(path, &[]).await.map_err(failure)? {
        Some(body) => print_body(&body),
        None => Err(unknown(client, slug).await),
    }
}

fn print_body(body: &[u8]) -> Result<(), Failure> {
    exit::print(&format!("{}\n", String::from_utf8_lossy(body)))
}

fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    print_body(&serde_json::to_vec(value).map_err(Failure::unreachable)?)
}

/// No app has this slug; perhaps one is meant that looks like it.
async fn unknown(client: &Client, slug: &str) -> Failure {
    let similar = suggest::similar_slugs(client, slug).await;
    let hint = match similar.as_slice() {
        [] => String::new(),
        names => format!("; did you mean {}?", names.join(" or ")),
    };
    Failure::no(anyhow!("App with slug '{slug}' not found{hint}"))
}

/// The part of an app's address that names it.
fn app_path(slug: &str, detail: &str) -> String {
    use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
    format!("apps/{}{detail}", utf8_percent_encode(slug, NON_ALPHANUMERIC))
}
