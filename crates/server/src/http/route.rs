//! Every route of the service, and which one a path is.
//!
//! The table is used three times: to answer reads without a router, to build the router, and
//! to count requests under a bounded set of names.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::split::split_first;

/// A route of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    ListApps,
    ListDrift,
    TitleCodes,
    GetApp,
    AppSources,
    AppDrift,
    AppProvenance,
    GenerateLabel,
    Stats,
    Health,
    Metrics,
    OpenApi,
    Docs,
    DocsFile,
    Redoc,
    AdminRecords,
    AdminRecord,
    AdminSources,
    AdminSource,
    AdminUnresolved,
    AdminResolved,
    Tools,
    /// No route of ours.
    Unknown,
}

impl Route {
    pub(crate) const ALL: [Self; 23] = [
        Self::ListApps,
        Self::ListDrift,
        Self::TitleCodes,
        Self::GetApp,
        Self::AppSources,
        Self::AppDrift,
        Self::AppProvenance,
        Self::GenerateLabel,
        Self::Stats,
        Self::Health,
        Self::Metrics,
        Self::OpenApi,
        Self::Docs,
        Self::DocsFile,
        Self::Redoc,
        Self::AdminRecords,
        Self::AdminRecord,
        Self::AdminSources,
        Self::AdminSource,
        Self::AdminUnresolved,
        Self::AdminResolved,
        Self::Tools,
        Self::Unknown,
    ];

    /// The path with its parameters named, as the router and the metrics write it.
    pub(crate) const fn pattern(self) -> &'static str {
        match self {
            Self::ListApps => "/apps",
            Self::ListDrift => "/apps/drift",
            Self::TitleCodes => "/apps/jamf-index",
            Self::GetApp => "/apps/{slug}",
            Self::AppSources => "/apps/{slug}/sources",
            Self::AppDrift => "/apps/{slug}/drift",
            Self::AppProvenance => "/apps/{slug}/provenance",
            Self::GenerateLabel => "/apps/{slug}/generate-label",
            Self::Stats => "/stats",
            Self::Health => "/health",
            Self::Metrics => "/metrics",
            Self::OpenApi => "/openapi.json",
            Self::Docs => "/docs",
            Self::DocsFile => "/docs/{file}",
            Self::Redoc => "/redoc",
            Self::AdminRecords => "/admin/records",
            Self::AdminRecord => "/admin/records/{slug}",
            Self::AdminSources => "/admin/sources",
            Self::AdminSource => "/admin/sources/{source}",
            Self::AdminUnresolved => "/admin/labels/unresolved",
            Self::AdminResolved => "/admin/labels/resolved",
            Self::Tools => "/mcp",
            Self::Unknown => "unknown",
        }
    }

    /// Finds the route of a path, which is still percent-encoded.
    pub(crate) fn of(path: &str) -> Found<'_> {
        let (route, segment) = match path.strip_prefix("/apps") {
            Some("") => (Self::ListApps, ""),
            Some(rest) if rest.starts_with('/') => Self::below_apps(&rest[1..]),
            _ => Self::beside_apps(path),
        };
        Found { route, segment }
    }

    fn below_apps(path: &str) -> (Self, &str) {
        match split_first(path, b'/') {
            ("", _) => (Self::Unknown, ""),
            ("drift", None) => (Self::ListDrift, ""),
            ("jamf-index", None) => (Self::TitleCodes, ""),
            (slug, None) => (Self::GetApp, slug),
            (slug, Some("sources")) => (Self::AppSources, slug),
            (slug, Some("drift")) => (Self::AppDrift, slug),
            (slug, Some("provenance")) => (Self::AppProvenance, slug),
            (slug, Some("generate-label")) => (Self::GenerateLabel, slug),
            (_, Some(_)) => (Self::Unknown, ""),
        }
    }

    fn beside_apps(path: &str) -> (Self, &str) {
        match path {
            "/stats" => (Self::Stats, ""),
            "/health" => (Self::Health, ""),
            "/metrics" => (Self::Metrics, ""),
            "/openapi.json" => (Self::OpenApi, ""),
            "/docs" => (Self::Docs, ""),
            "/redoc" => (Self::Redoc, ""),
            "/admin/records" => (Self::AdminRecords, ""),
            "/admin/sources" => (Self::AdminSources, ""),
            "/admin/labels/unresolved" => (Self::AdminUnresolved, ""),
            "/admin/labels/resolved" => (Self::AdminResolved, ""),
            "/mcp" => (Self::Tools, ""),
            _ => [
                ("/docs/", Self::DocsFile),
                ("/admin/records/", Self::AdminRecord),
                ("/admin/sources/", Self::AdminSource),
            ]
            .into_iter()
            .find_map(|(start, route)| Some((route, path.strip_prefix(start)?)))
            .filter(|(_, name)| !name.is_empty() && !name.contains('/'))
            .unwrap_or((Self::Unknown, "")),
        }
    }
}

/// A route and the part of the path that it leaves open.
pub(crate) struct Found<'a> {
    pub(crate) route: Route,
    segment: &'a str,
}

impl Found<'_> {
    /// The slug, or file name, in the path. Bytes that are no text are replaced: such a name
    /// is unknown anyway.
    pub(crate) fn slug(&self) -> Cow<'_, str> {
        if self.segment.as_bytes().contains(&b'%') {
            percent_decode_str(self.segment).decode_utf8_lossy()
        } else {
            Cow::Borrowed(self.segment)
        }
    }
}

/// Whether a path is `/apps` or below it.
pub(crate) fn is_catalog_path(path: &str) -> bool {
    path.strip_prefix("/apps").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a path is part of the public interface, which answers any origin. Uploads and tools
/// are not.
pub(crate) fn is_public_path(path: &str) -> bool {
    let is_below = |start: &str| {
        path.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    !is_below("/admin") && !is_below("/mcp")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_found_as_its_own_route() {
        for route in Route::ALL {
            let path = route
                .pattern()
                .replace("{slug}", "firefox")
                .replace("{source}", "cask_catalog")
                .replace("{file}", "a.js");
            assert_eq!(Route::of(&path).route, route, "{path}");
        }
    }

    #[test]
    fn the_list_of_routes_is_in_the_order_of_their_numbers() {
        for (number, route) in Route::ALL.into_iter().enumerate() {
            assert_eq!(route as usize, number, "{route:?}");
        }
    }

    #[test]
    fn near_misses_are_unknown() {
        for path in [
            "",
            "/",
            "//apps",
            "/apps/",
            "/apps//sources",
            "/apps/a/b",
            "/apps/a/drift/",
            "/Apps",
            "/appsx",
            "/apps/a/",
            "/admin",
            "/admin/records/",
            "/admin/records/a/b",
            "/docs/",
            "/docs/a/b",
            "/apps/a/sources/x",
            "*",
        ] {
            assert_eq!(Route::of(path).route, Route::Unknown, "{path}");
        }
    }

    #[test]
    fn a_slug_is_decoded() {
        assert_eq!(Route::of("/apps/notepad%2B%2B").slug(), "notepad++");
        assert_eq!(Route::of("/apps/%FF/drift").slug(), "\u{fffd}");
        assert_eq!(Route::of("/apps/a%2Fb").slug(), "a/b");
    }

    #[test]
    fn catalog_paths_end_at_a_slash() {
        assert!(
            is_catalog_path("/apps") && is_catalog_path("/apps/") && is_catalog_path("/apps/x/y")
        );
        assert!(!is_catalog_path("/appstore") && !is_catalog_path("/stats"));
        assert!(is_public_path("/adminx") && !is_public_path("/admin/records"));
        assert!(is_public_path("/mcpx") && !is_public_path("/mcp"));
    }
}
