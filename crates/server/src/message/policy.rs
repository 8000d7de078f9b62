//! What answers carry for their path: who may read them, and for how long they may be kept.

use super::{asked::Verb, field::FixedField};

/// Any origin may read what is public.
pub(crate) const PUBLIC: [&FixedField; 2] = [
    fixed_field!("access-control-allow-origin", "*"),
    fixed_field!("access-control-expose-headers", "etag, link, x-request-id, x-total-count"),
];

/// How long catalog data may be kept.
const CATALOG: &FixedField =
    fixed_field!("cache-control", "public, max-age=300, stale-while-revalidate=3600");

/// How long something may be kept that never changes.
const FINAL: &FixedField = fixed_field!("cache-control", "public, max-age=31536000, immutable");

/// A failure of ours passes; nobody should keep it.
const FAILURE: &FixedField = fixed_field!("cache-control", "no-store");

/// The header fields that an answer carries for its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policy<'a> {
    /// Nothing: uploads and tools.
    Private,
    /// Any origin may read it.
    Public,
    /// Any origin may read it, and it may be kept under its entity tag.
    Catalog {
        /// The entity tag of the revision.
        etag: &'a str,
        /// For how long.
        cache_control: &'static FixedField,
    },
    /// What a document carries, in the place of everything above.
    Document(&'static [&'static FixedField]),
}

impl<'a> Policy<'a> {
    /// The policy of a path, for a revision with an entity tag.
    #[inline]
    pub(crate) fn of(verb: Verb, path: &str, etag: &'a str) -> Self {
        if is_catalog_path(path) && verb.is_read() {
            return Self::Catalog { etag, cache_control: CATALOG };
        }
        if is_public_path(path) { Self::Public } else { Self::Private }
    }

    /// The same for an answer that no revision changes any more.
    pub(crate) fn of_final(self) -> Self {
        match self {
            Self::Catalog { etag, .. } => Self::Catalog { etag, cache_control: FINAL },
            other => other,
        }
    }

    /// The same for an answer that failed.
    pub(crate) fn of_failure(self) -> Self {
        match self {
            Self::Catalog { etag, .. } => Self::Catalog { etag, cache_control: FAILURE },
            other => other,
        }
    }

    /// The fields in the order in which they are sent.
    pub(crate) fn fields(self) -> impl Iterator<Item = (&'static str, &'a str)> {
        let public = matches!(self, Self::Public | Self::Catalog { .. }).then_some(PUBLIC);
        let public = public.into_iter().flatten();
        let document = match self {
            Self::Document(fields) => fields,
            _ => &[],
        };
        let fixed = public.chain(document.iter().copied()).map(|field| (field.name, field.value));
        let catalog = match self {
            Self::Catalog { etag, cache_control } => {
                Some([("etag", etag), (cache_control.name, cache_control.value)])
            }
            Self::Private | Self::Public | Self::Document(_) => None,
        };
        fixed.chain(catalog.into_iter().flatten())
    }
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
        let fields = |policy: Policy<'static>| {
            policy.fields().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>()
        };
        let of = |verb, path| Policy::of(verb, path, "W/\"x\"");
        let public = PUBLIC.map(|field| format!("{}: {}", field.name, field.value)).to_vec();
        let catalog = |cache_control: &str| {
            let own = ["etag: W/\"x\"".to_owned(), format!("cache-control: {cache_control}")];
            [&public[..], &own].concat()
        };
        assert_eq!(fields(of(Verb::Get, "/apps/x")), catalog(CATALOG.value));
        assert_eq!(fields(of(Verb::Head, "/apps").of_failure()), catalog("no-store"));
        assert_eq!(fields(of(Verb::Post, "/apps/x/generate-label")), public);
        assert_eq!(fields(of(Verb::Get, "/health").of_failure()), public);
        assert!(fields(of(Verb::Get, "/admin/labels/unresolved")).is_empty());
        assert!(fields(of(Verb::Post, "/mcp")).is_empty());
    }
}
