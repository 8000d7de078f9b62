//! Who may read what is at a path, and for how long it may be kept.

use appstitch_wire::{FixedField, Policy, Verb, entity_tag, fixed_field};

/// How long catalog data may be kept.
const CATALOG: &FixedField =
    fixed_field!("cache-control", "public, max-age=300, stale-while-revalidate=3600");

/// How long something may be kept that never changes.
pub(crate) const FINAL: &FixedField =
    fixed_field!("cache-control", "public, max-age=31536000, immutable");

/// A failure of ours passes; nobody should keep it.
pub(crate) const FAILURE: &FixedField = fixed_field!("cache-control", "no-store");

/// The policy of a path, for a revision with an entity tag.
#[inline]
pub(crate) fn policy_of(verb: Verb, path: &str, etag: &str) -> Policy {
    if is_catalog_path(path) && verb.is_read() {
        return Policy::Catalog { etag: entity_tag(etag), cache_control: CATALOG };
    }
    if is_public_path(path) { Policy::Public } else { Policy::Private }
}

/// Whether a path is `/apps` or below it, an alias, a search or a feed: what a revision determines.
fn is_catalog_path(path: &str) -> bool {
    is_below(path, "/apps") || is_below(path, "/aliases") || path == "/search" || is_feed_path(path)
}

fn is_feed_path(path: &str) -> bool {
    matches!(path, "/feed.atom" | "/feed.json")
        || ["/feed", "/vendors", "/drift"].iter().any(|start| is_below(path, start))
}

fn is_below(path: &str, start: &str) -> bool {
    path.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a path is part of the public interface, which any origin may read. Uploads and tools
/// are not.
pub(crate) fn is_public_path(path: &str) -> bool {
    !is_below(path, "/admin") && !is_below(path, "/mcp")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_end_at_a_slash() {
        for path in [
            "/apps",
            "/apps/",
            "/apps/x/y",
            "/aliases/x",
            "/search",
            "/feed.atom",
            "/feed/archive/2026-08-21.atom",
            "/vendors/x/feed.json",
            "/drift/feed.atom",
        ] {
            assert!(is_catalog_path(path), "{path}");
        }
        assert!(
            !is_catalog_path("/appstore")
                && !is_catalog_path("/feed.xml")
                && !is_catalog_path("/stats")
        );
        assert!(is_public_path("/adminx") && !is_public_path("/admin/records"));
        assert!(is_public_path("/mcpx") && !is_public_path("/mcp"));
    }

    #[test]
    fn only_reads_of_the_catalog_may_be_kept() {
        let fields = |policy: Policy| {
            policy.fields().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>()
        };
        let of = |verb, path| policy_of(verb, path, "W/\"x\"");
        let public = fields(Policy::Public);
        let catalog = |cache_control: &str| {
            let own = ["etag: W/\"x\"".to_owned(), format!("cache-control: {cache_control}")];
            [&public[..], &own].concat()
        };
        assert_eq!(fields(of(Verb::Get, "/apps/x")), catalog(CATALOG.value));
        assert_eq!(fields(of(Verb::Head, "/apps").cached(FAILURE)), catalog("no-store"));
        assert_eq!(fields(of(Verb::Post, "/apps/x/generate-label")), public);
        assert_eq!(fields(of(Verb::Get, "/health").cached(FAILURE)), public);
        assert!(fields(of(Verb::Get, "/admin/labels/unresolved")).is_empty());
        assert!(fields(of(Verb::Post, "/mcp")).is_empty());
    }
}
