//! Suggestions for a misspelled slug.

use appstitch_client::{AppsQuery, Client};
use futures_util::TryStreamExt;

use crate::similar::Similar;

/// The slugs most similar to a text, by slug or by name; none if the server does not respond.
pub(super) async fn similar_slugs(client: &Client, wanted: &str) -> Vec<String> {
    let mut apps = std::pin::pin!(client.all_apps(AppsQuery::default()));
    let mut similar = Similar::to(wanted);
    while let Ok(Some(app)) = apps.try_next().await {
        similar.offer(app.slug.as_str(), &[app.slug.as_str(), app.name.as_str()]);
    }
    similar.into_names()
}
