//! Which routes have files. A test compares this list with the route table of the service, so a new
//! route cannot be forgotten.

/// The patterns of the routes whose answers are exported.
pub const EXPORTED: &[&str] = &[
    "/apps",
    "/apps/drift",
    "/apps/jamf-index",
    "/apps/{slug}",
    "/apps/{slug}/sources",
    "/apps/{slug}/drift",
    "/apps/{slug}/provenance",
    "/apps/{slug}/details",
    "/apps/{slug}/history",
    "/apps/{slug}/feed.atom",
    "/apps/{slug}/feed.json",
    "/aliases/{name}",
    "/changes",
    "/feed.atom",
    "/feed.json",
    "/feed/archive/{file}",
    "/vendors/{vendor}/feed.atom",
    "/vendors/{vendor}/feed.json",
    "/drift/feed.atom",
    "/drift/feed.json",
    "/stats",
    "/sources",
    "/openapi.json",
    "/docs",
    "/docs/{file}",
    "/redoc",
    "/",
    "/drift",
    "/drift.csv",
    "/changes.csv",
    "/vendors",
    "/vendors.csv",
    "/vendors/{vendor}",
    "/about",
    "/a/{slug}",
    "/a/{slug}/{file}",
    "/badge/version/{file}",
    "/badge/version/{slug}/{file}",
    "/badge/drift/{file}",
    "/badge/sources/{file}",
    "/badge/table/{file}",
    "/badge/{file}",
    "/assets/{file}",
    "/opensearch.xml",
    "/favicon.svg",
    "/robots.txt",
    "/sitemap.xml",
    "/sitemap/{file}",
];

/// The patterns of the other routes that may answer GET, and why they have no files.
pub const LEFT_OUT: &[(&str, &str)] = &[
    ("/search", "every query has another answer"),
    ("/versions/compare", "every pair of versions has another answer"),
    ("/compare", "every list of apps has another answer"),
    ("/check", "the page sends a list to a live server"),
    ("/inventory/check", "a live server reads the list"),
    ("/badge/current/{file}", "it depends on the version that somebody has"),
    ("/health", "it is about a live server"),
    ("/ready", "it is about a live server"),
    ("/metrics", "they are about a live server"),
    ("/favicon.ico", "it is a redirect, which the sample configuration has"),
    ("/mcp", "tools need a live server"),
    ("/admin/records", "uploads need a live server"),
    ("/admin/records/{slug}", "uploads need a live server"),
    ("/admin/sources", "uploads need a live server"),
    ("/admin/sources/{source}", "uploads need a live server"),
    ("/admin/labels/unresolved", "uploads need a live server"),
    ("/admin/labels/resolved", "uploads need a live server"),
    ("/admin/hooks", "webhooks need a live server"),
    ("/admin/hooks/{id}", "webhooks need a live server"),
    ("/admin/hooks/{id}/test", "webhooks need a live server"),
    ("/admin/hooks/{id}/deliveries", "webhooks need a live server"),
    ("/admin/hooks/{id}/replay", "webhooks need a live server"),
    ("/admin/hooks/{id}/enable", "webhooks need a live server"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use appstitch_server::LocalService;

    use super::*;

    #[test]
    fn every_route_is_exported_or_left_out_for_a_reason() {
        let served: BTreeSet<&str> = LocalService::patterns().collect();
        let left_out = LEFT_OUT.iter().map(|(pattern, _)| pattern);
        let known: BTreeSet<&str> = EXPORTED.iter().chain(left_out).copied().collect();
        let forgotten: Vec<_> = served.difference(&known).collect();
        assert!(forgotten.is_empty(), "new routes: export them or say why not: {forgotten:?}");
        let gone: Vec<_> = known.difference(&served).collect();
        assert!(gone.is_empty(), "no such routes: {gone:?}");
        assert_eq!(known.len(), EXPORTED.len() + LEFT_OUT.len(), "a route is listed twice");
    }

    #[test]
    fn the_manual_names_every_route_that_is_left_out() {
        let manual = include_str!("../../../docs/static.md");
        for (pattern, _) in LEFT_OUT.iter().filter(|(own, _)| !own.starts_with("/admin/")) {
            assert!(manual.contains(&format!("`{pattern}`")), "{pattern}");
        }
    }
}
