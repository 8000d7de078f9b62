//! Looks up an app, then lists all apps of a vendor.
//!
//! `cargo run -p appstitch-client --example first_look -- http://127.0.0.1:8000`

use appstitch_client::{AppsQuery, Client, ResponseError};
use futures_util::TryStreamExt;

/// Returns the results, one per line.
pub(crate) async fn look(base: &str) -> Result<Vec<String>, ResponseError> {
    let client = Client::builder(base).max_concurrency(5).cache(true).build()?;
    let mut lines = Vec::new();
    if let Some(app) = client.get_app("zoom").await? {
        lines.push(format!("{} {}", app.name, app.current_version.unwrap_or_default()));
    }
    let mut apps = std::pin::pin!(client.all_apps(AppsQuery::vendor("Mozilla")));
    while let Some(app) = apps.try_next().await? {
        lines.push(app.slug.to_string());
    }
    Ok(lines)
}

#[tokio::main]
async fn main() -> Result<(), ResponseError> {
    let base = std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:8000".to_owned());
    for line in look(&base).await? {
        println!("{line}");
    }
    Ok(())
}
