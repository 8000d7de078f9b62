//! Suggestions for a misspelled slug.

use appstitch_client::{Client, SearchQuery};

/// The maximum number of suggestions.
const MOST: u32 = 3;

/// The slugs of the apps that match a text best; none if the server does not respond.
pub(super) async fn similar_slugs(client: &Client, wanted: &str) -> Vec<String> {
    let query = SearchQuery { limit: MOST, ..SearchQuery::text(wanted) };
    let found = client.search_apps(&query).await;
    found.map(|page| page.items.into_iter().map(|hit| hit.slug).collect()).unwrap_or_default()
}
