//! What a route is, and which one a path names.

use std::{borrow::Cow, sync::Arc};

use axum::routing::MethodRouter;
use utoipa::{Path, openapi::path::PathsBuilder};

use crate::{
    message::{FixedField, ReadHandler, Verb, decode_segment, fixed_field, is_public_path},
    parts::ServiceParts,
    split::split_first,
};

/// A route of the service.
pub(crate) struct Route {
    /// The path with its parameter named, as the router, the metrics and the OpenAPI document
    /// write it.
    pub(crate) pattern: &'static str,
    pub(crate) handler: Handler,
    /// Adds the route to the OpenAPI document.
    pub(crate) describe: Option<Describe>,
}

/// Adds a route to the paths of the OpenAPI document.
pub(crate) type Describe = fn(PathsBuilder) -> PathsBuilder;

/// Who answers a route.
pub(crate) enum Handler {
    /// A read, answered from the snapshot on either wire; HEAD included.
    Get(ReadHandler),
    /// The same for something that is made on demand.
    Post(ReadHandler),
    /// A read with two answers: what programs get, and a page for clients that prefer HTML.
    Negotiated {
        /// What programs get.
        read: ReadHandler,
        /// What browsers get.
        page: ReadHandler,
    },
    /// A page whose form is sent to the same path: the page is a read, and the HTTP library answers
    /// POST with this router.
    Form(ReadHandler, fn() -> MethodRouter<Arc<ServiceParts>>),
    /// The HTTP library, with the methods of this router.
    Library(fn() -> MethodRouter<Arc<ServiceParts>>),
    /// Nobody: the path has a slash too many, and the one without is a route.
    Moved,
}

impl Route {
    /// A read in the OpenAPI document.
    pub(crate) const fn get<P: Path>(pattern: &'static str, read: ReadHandler) -> Self {
        let describe: Describe = PathsBuilder::path_from::<P>;
        Self { pattern, handler: Handler::Get(read), describe: Some(describe) }
    }

    /// Something that is made on demand, in the OpenAPI document.
    pub(crate) const fn post<P: Path>(pattern: &'static str, read: ReadHandler) -> Self {
        let describe: Describe = PathsBuilder::path_from::<P>;
        Self { pattern, handler: Handler::Post(read), describe: Some(describe) }
    }

    /// A read that is not part of the catalog's interface.
    pub(crate) const fn get_undocumented(pattern: &'static str, read: ReadHandler) -> Self {
        Self { pattern, handler: Handler::Get(read), describe: None }
    }

    /// The same route with a page for clients that prefer HTML.
    pub(crate) const fn or_page(self, page: ReadHandler) -> Self {
        let handler = match self.handler {
            Handler::Get(read) => Handler::Negotiated { read, page },
            other => other,
        };
        Self { pattern: self.pattern, handler, describe: self.describe }
    }

    /// A page whose form is sent to the same path.
    pub(crate) const fn form(
        pattern: &'static str,
        page: ReadHandler,
        router: fn() -> MethodRouter<Arc<ServiceParts>>,
    ) -> Self {
        Self { pattern, handler: Handler::Form(page, router), describe: None }
    }

    /// A route that needs the HTTP library.
    pub(crate) const fn library(
        pattern: &'static str,
        router: fn() -> MethodRouter<Arc<ServiceParts>>,
    ) -> Self {
        Self { pattern, handler: Handler::Library(router), describe: None }
    }

    /// The same in the OpenAPI document.
    pub(crate) const fn library_documented<P: Path>(
        pattern: &'static str,
        router: fn() -> MethodRouter<Arc<ServiceParts>>,
    ) -> Self {
        let describe: Describe = PathsBuilder::path_from::<P>;
        Self { pattern, handler: Handler::Library(router), describe: Some(describe) }
    }

    /// The methods of a read, as `allow` lists them; the library lists its own.
    pub(crate) fn allowed(&self) -> Option<&'static FixedField> {
        match self.handler {
            Handler::Get(_) | Handler::Negotiated { .. } => Some(fixed_field!("allow", "GET,HEAD")),
            Handler::Form(..) => Some(fixed_field!("allow", "GET,HEAD,POST")),
            Handler::Post(_) => Some(fixed_field!("allow", "POST")),
            Handler::Library(_) | Handler::Moved => None,
        }
    }
}

/// The route of a path.
pub(crate) struct RouteMatch<'a> {
    /// The number of the route in its table; one more than the last if there is none.
    pub(crate) number: usize,
    pub(crate) route: Option<&'static Route>,
    /// The segment that the route leaves open, still percent-encoded.
    pub(crate) segment: &'a str,
}

impl RouteMatch<'_> {
    /// Whether only the HTTP library can answer. A browser's preflight of a public path needs
    /// nothing of it.
    pub(crate) fn needs_library(&self, verb: Verb, path: &str) -> bool {
        let is_library = self.route.is_some_and(|route| match route.handler {
            Handler::Library(_) => true,
            Handler::Form(..) => verb == Verb::Post,
            _ => false,
        });
        is_library && !(verb == Verb::Options && is_public_path(path))
    }
}

/// The last segment of a path, decoded: what a route of the library leaves open.
pub(crate) fn last_segment(path: &str) -> Cow<'_, str> {
    decode_segment(path.rsplit('/').next().unwrap_or_default())
}

/// Routes by the segments of their patterns. Segments are compared as they are sent, so an encoded
/// name of a route is a slug.
pub(crate) struct RouteTree {
    root: Branch,
    count: usize,
}

/// The routes that begin alike.
#[derive(Default)]
struct Branch {
    /// The route that ends here.
    route: Option<(usize, &'static Route)>,
    /// What may follow, in the order of the table.
    named: Vec<(&'static str, Branch)>,
    /// What follows if the next segment is left open.
    open: Option<Box<Branch>>,
}

/// Paths with a slash too many.
static MOVED: Route = Route { pattern: "unknown", handler: Handler::Moved, describe: None };

impl RouteTree {
    pub(crate) fn new(routes: &'static [Route]) -> Self {
        let mut root = Branch::default();
        for (number, route) in routes.iter().enumerate() {
            let mut branch = &mut root;
            for segment in route.pattern.split('/').skip(1) {
                branch = branch.grow(segment);
            }
            branch.route = Some((number, route));
        }
        Self { root, count: routes.len() }
    }

    /// Finds the route of a path, which is still percent-encoded.
    pub(crate) fn find<'a>(&self, path: &'a str) -> RouteMatch<'a> {
        if let Some(found) = self.exact(path) {
            return found;
        }
        let trimmed = path.trim_end_matches('/');
        let is_moved = trimmed != path && self.exact(trimmed).is_some();
        RouteMatch { number: self.count, route: is_moved.then_some(&MOVED), segment: "" }
    }

    fn exact<'a>(&self, path: &'a str) -> Option<RouteMatch<'a>> {
        let mut rest = path.strip_prefix('/');
        let mut branch = &self.root;
        let mut segment = "";
        while let Some(path) = rest {
            let (next, others) = split_first(path, b'/');
            rest = others;
            if let Some((_, named)) = branch.named.iter().find(|(name, _)| *name == next) {
                branch = named;
            } else if next.is_empty() {
                return None;
            } else {
                branch = branch.open.as_deref()?;
                segment = next;
            }
        }
        let (number, route) = branch.route?;
        Some(RouteMatch { number, route: Some(route), segment })
    }
}

impl Branch {
    fn grow(&mut self, segment: &'static str) -> &mut Self {
        if segment.starts_with('{') {
            return self.open.get_or_insert_default();
        }
        let known = self.named.iter().position(|(name, _)| *name == segment);
        let position = known.unwrap_or_else(|| {
            self.named.push((segment, Self::default()));
            self.named.len() - 1
        });
        &mut self.named[position].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::ROUTES;

    #[test]
    fn every_pattern_is_found_as_its_own_route() {
        let tree = RouteTree::new(ROUTES);
        for (number, route) in ROUTES.iter().enumerate() {
            let path = route
                .pattern
                .replace("{slug}", "firefox")
                .replace("{name}", "google-chrome")
                .replace("{vendor}", "mozilla")
                .replace("{source}", "cask_catalog")
                .replace("{id}", "ops")
                .replace("{file}", "a.js");
            let found = tree.find(&path);
            assert_eq!(found.number, number, "{path}");
            assert_eq!(found.segment.is_empty(), path == route.pattern, "{path}");
        }
    }

    #[test]
    fn near_misses_are_unknown() {
        let tree = RouteTree::new(ROUTES);
        for path in [
            "",
            "//apps",
            "/apps//sources",
            "/apps/a/b",
            "/Apps",
            "/appsx",
            "/admin",
            "/admin/records/a/b",
            "/docs/a/b",
            "/apps/a/sources/x",
            "*",
        ] {
            let found = tree.find(path);
            assert!(found.route.is_none() && found.number == ROUTES.len(), "{path}");
        }
    }

    #[test]
    fn a_slash_too_many_is_known_for_what_it_is() {
        let tree = RouteTree::new(ROUTES);
        for path in
            ["/apps/", "/apps/a/", "/apps/a/drift/", "/docs/", "/admin/records/", "/stats//"]
        {
            let found = tree.find(path);
            assert!(matches!(found.route, Some(Route { handler: Handler::Moved, .. })), "{path}");
        }
    }

    #[test]
    fn names_of_routes_are_not_slugs_but_encoded_ones_are() {
        let tree = RouteTree::new(ROUTES);
        assert_eq!(tree.find("/apps/drift").segment, "");
        assert_eq!(tree.find("/apps/%64rift").segment, "%64rift");
        assert_eq!(tree.find("/apps/a%2Fb/drift").segment, "a%2Fb");
        // A route below a name that is a route itself.
        assert!(tree.find("/apps/drift/sources").route.is_none());
    }
}
