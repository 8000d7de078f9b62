//! Which apps of a list Homebrew has deprecated or disabled. Their records do not say so.

use std::collections::HashSet;

use appstitch_client::{App, AppsQuery, Client};
use futures_util::TryStreamExt;

/// The most slugs that a server looks up in one request.
const MOST_SLUGS: usize = 500;

/// The slugs of those apps; none if the server does not say. The list itself is complete without.
pub(super) async fn deprecated_among(client: &Client, slugs: &[&str]) -> HashSet<String> {
    if slugs.is_empty() {
        return HashSet::new();
    }
    let wanted: HashSet<&str> = slugs.iter().copied().collect();
    // Longer lists are most of the catalog, in which few apps are deprecated.
    let named = (slugs.len() <= MOST_SLUGS)
        .then(|| slugs.iter().map(|slug| (*slug).to_owned()).collect::<Vec<_>>());
    let query = AppsQuery { deprecated: Some(true), slugs: named, ..AppsQuery::default() };
    let apps: Result<Vec<App>, _> = client.all_apps(query).try_collect().await;
    let found = apps.unwrap_or_default().into_iter().map(|app| app.slug.to_string());
    found.filter(|slug| wanted.contains(slug.as_str())).collect()
}
