//! What a route is, and which one a path names.

use std::{borrow::Cow, sync::Arc};

use appstitch_wire::entity_tag;
use axum::routing::MethodRouter;
use utoipa::{
    __dev::{SchemaReferences, Tags},
    Path,
    openapi::{
        RefOr, Schema,
        path::{PathItemBuilder, PathsBuilder},
    },
};

use crate::{
    message::{FixedField, Policy, ReadHandler, Verb, decode_segment, fixed_field},
    parts::ServiceParts,
    query::split_first,
};

/// A route of the service: everything that depends on it is declared here.
pub(crate) struct Route {
    /// With its parameters in braces, as the router, the metrics and the OpenAPI document write it.
    pub(crate) path: &'static str,
    /// The handler, which determines the methods.
    pub(crate) handler: Handler,
    pub(crate) policy: CachePolicy,
    pub(crate) export: Export,
    /// `None` if the route is not part of the catalog's interface.
    pub(crate) operation: Option<AddOperation>,
}

/// The schemas of the OpenAPI document by name.
pub(crate) type Schemas = Vec<(String, RefOr<Schema>)>;

/// Adds an operation to the OpenAPI document, with the schemas that it refers to.
pub(crate) type AddOperation = fn(PathsBuilder, &mut Schemas) -> PathsBuilder;

type Router = fn() -> MethodRouter<Arc<ServiceParts>>;

pub(crate) enum Handler {
    /// A read, answered from the snapshot on either wire; HEAD included.
    Get(ReadHandler),
    /// The same for something that is made on demand.
    Post(ReadHandler),
    /// A read with two answers: what programs get, and a page for clients that prefer HTML.
    Negotiated { read: ReadHandler, page: ReadHandler },
    /// A page whose form is sent to the same path: the page is a read, and the HTTP library answers
    /// POST with this router.
    Form(ReadHandler, Router),
    /// The HTTP library, with the methods of this router.
    Library(Router),
    /// Nobody: the path has a slash too many, and the one without is a route.
    Moved,
}

/// Who may read the responses of a route, and for how long they may be kept. Of several policies, the
/// greater one holds for unknown paths below them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CachePolicy {
    /// Any origin may read them; the endpoint says for how long they may be kept.
    Public,
    /// The same, but nobody keeps a failure: another server on the same store may be ahead of this one
    /// and know the position that it does not know.
    Journal,
    /// Any origin may read them, and reads may be kept under the entity tag of the revision.
    Catalog,
    /// Uploads and tools.
    Private,
}

/// The files that a static export has for a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Export {
    /// The file of the path itself.
    Path(&'static str),
    /// A file for each of several addresses; `{}` stands for their names.
    Each(Exported, &'static str),
    LiveOnly(&'static str),
}

/// Which addresses of a route are exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exported {
    /// All pages of a JSON list of all apps.
    AppPages,
    /// All pages of a JSON list of apps with drift.
    DriftPages,
    /// What programs get, and what browsers get.
    BothForms,
    /// All pages of the table of drift, of all vendors, and of the apps of each vendor.
    DriftTable,
    VendorTable,
    VendorAppTables,
    Vendors,
    Apps,
    /// The apps, with answers that have an entity tag of their own.
    AppsByContent,
    /// The apps, and those that left the catalog and whose changes are kept.
    AppsAndFormerApps,
    AppFiles,
    /// Every name that leads to an app.
    Aliases,
    ArchiveParts,
    /// The identifiers of the patch source's titles.
    PatchTitles,
    /// The index of the catalog's files, what signs it, and the files of the revision.
    CatalogIndex,
    CatalogSignatures,
    CatalogFiles,
    SitemapParts,
    Badges,
    SourceBadges,
    CatalogBadges,
    Assets,
    DocumentationFiles,
}

/// For routes that depend on what the client sends.
pub(crate) const UPLOADS: &str = "uploads need a live server";

impl Route {
    pub(crate) const fn get(path: &'static str, read: ReadHandler, export: Export) -> Self {
        Self::new(path, Handler::Get(read), export)
    }

    /// Something that is made on demand.
    pub(crate) const fn post(path: &'static str, read: ReadHandler, export: Export) -> Self {
        Self::new(path, Handler::Post(read), export)
    }

    /// A route that needs the HTTP library.
    pub(crate) const fn library(path: &'static str, router: Router, export: Export) -> Self {
        Self::new(path, Handler::Library(router), export)
    }

    /// A route that needs the HTTP library and is not part of the public interface, with the reason why
    /// it cannot be exported.
    pub(crate) const fn private(path: &'static str, router: Router, reason: &'static str) -> Self {
        let route = Self::library(path, router, Export::LiveOnly(reason));
        Self { policy: CachePolicy::Private, ..route }
    }

    /// A route of the public interface whose endpoint says how long a response may be kept.
    pub(crate) const fn new(path: &'static str, handler: Handler, export: Export) -> Self {
        Self { path, handler, policy: CachePolicy::Public, export, operation: None }
    }

    /// The same for what a revision determines.
    pub(crate) const fn catalog(self) -> Self {
        Self { policy: CachePolicy::Catalog, ..self }
    }

    pub(crate) const fn journal(self) -> Self {
        Self { policy: CachePolicy::Journal, ..self }
    }

    /// The same in the OpenAPI document.
    pub(crate) const fn documented<P: Path + SchemaReferences + Tags<'static>>(self) -> Self {
        Self { operation: Some(add_operation::<P>), ..self }
    }

    /// The same with a page for clients that prefer HTML.
    pub(crate) const fn or_page(self, page: ReadHandler) -> Self {
        let handler = match self.handler {
            Handler::Get(read) => Handler::Negotiated { read, page },
            other => other,
        };
        Self { handler, ..self }
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

fn add_operation<P: Path + SchemaReferences + Tags<'static>>(
    paths: PathsBuilder,
    schemas: &mut Schemas,
) -> PathsBuilder {
    P::schemas(schemas);
    // The derived document adds the tags, but it needs every path in one attribute.
    let mut operation = P::operation();
    operation.tags = Some(P::tags().into_iter().map(str::to_owned).collect());
    let add = |item: PathItemBuilder, method| item.operation(method, operation.clone());
    let item = P::methods().into_iter().fold(PathItemBuilder::new(), add);
    paths.path(P::path(), item.build())
}

/// How long catalog data may be kept.
const CATALOG: &FixedField =
    fixed_field!("cache-control", "public, max-age=300, stale-while-revalidate=3600");

pub(crate) struct RouteMatch<'a> {
    /// The number of the route in its table; one more than the last if there is none.
    pub(crate) number: usize,
    pub(crate) route: Option<&'static Route>,
    policy: CachePolicy,
    /// The segment that the route leaves open, still percent-encoded.
    pub(crate) segment: &'a str,
}

impl RouteMatch<'_> {
    /// Whether only the HTTP library can answer. A browser's preflight of a public path needs
    /// nothing of it.
    pub(crate) fn needs_library(&self, verb: Verb) -> bool {
        let is_library = self.route.is_some_and(|route| match route.handler {
            Handler::Library(_) => true,
            Handler::Form(..) => verb == Verb::Post,
            _ => false,
        });
        is_library && !(verb == Verb::Options && self.is_public())
    }

    pub(crate) fn is_public(&self) -> bool {
        self.policy != CachePolicy::Private
    }

    /// The header fields of a response that is made from the revision with an entity tag.
    #[inline]
    pub(crate) fn policy(&self, verb: Verb, etag: &str) -> Policy {
        match self.policy {
            CachePolicy::Catalog if verb.is_read() => {
                Policy::Catalog { etag: entity_tag(etag), cache_control: CATALOG }
            }
            CachePolicy::Private => Policy::Private,
            _ => Policy::Public,
        }
    }
}

/// The last segment of a path, decoded: what a route of the library leaves open.
pub(crate) fn last_segment(path: &str) -> Cow<'_, str> {
    decode_segment(path.rsplit('/').next().unwrap_or_default())
}

/// Routes by the segments of their paths. Segments are compared as they are sent, so an encoded
/// name of a route is a slug.
pub(crate) struct RouteTree {
    root: Branch,
    /// The policies of unknown paths by their first segment. An unknown path is answered as the routes
    /// in the same folder are, and nothing below a private path is public.
    folders: Vec<(&'static str, CachePolicy)>,
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
static MOVED: Route = Route::new("unknown", Handler::Moved, Export::LiveOnly("it is a redirect"));

impl RouteTree {
    pub(crate) fn new(routes: &'static [Route]) -> Self {
        let mut root = Branch::default();
        let mut folders: Vec<(&'static str, CachePolicy)> = Vec::new();
        for (number, route) in routes.iter().enumerate() {
            let mut branch = &mut root;
            for segment in route.path.split('/').skip(1) {
                branch = branch.grow(segment);
            }
            branch.route = Some((number, route));
            let (first, rest) = first_segment(route.path);
            if rest.is_some() || route.policy == CachePolicy::Private {
                match folders.iter_mut().find(|(name, _)| *name == first) {
                    Some((_, policy)) => *policy = (*policy).max(route.policy),
                    None => folders.push((first, route.policy)),
                }
            }
        }
        Self { root, folders, count: routes.len() }
    }

    /// Finds the route of a path, which is still percent-encoded.
    pub(crate) fn find<'a>(&self, path: &'a str) -> RouteMatch<'a> {
        if let Some(found) = self.exact(path) {
            return found;
        }
        let trimmed = path.trim_end_matches('/');
        let is_moved = trimmed != path && self.exact(trimmed).is_some();
        let (first, _) = first_segment(path);
        let folder = self.folders.iter().find(|(name, _)| *name == first);
        let policy = folder.map_or(CachePolicy::Public, |(_, policy)| *policy);
        RouteMatch { number: self.count, route: is_moved.then_some(&MOVED), policy, segment: "" }
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
        Some(RouteMatch { number, route: Some(route), policy: route.policy, segment })
    }
}

/// The first segment of a path, and what is behind it.
fn first_segment(path: &str) -> (&str, Option<&str>) {
    path.strip_prefix('/').map_or(("", None), |path| split_first(path, b'/'))
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
    use crate::{message::FAILURE, routes::ROUTES};

    #[test]
    fn a_path_has_the_policy_of_its_route_or_of_its_folder() {
        let tree = RouteTree::new(ROUTES);
        for (policy, paths) in [
            (
                CachePolicy::Catalog,
                &[
                    "/apps",
                    "/apps/",
                    "/apps/x",
                    "/apps/x/y/z",
                    "/aliases",
                    "/aliases/x",
                    "/search",
                    "/feed.atom",
                    "/feed.json",
                    "/feed",
                    "/feed/archive/2026-08-21.atom",
                    "/vendors",
                    "/vendors/x/feed.json",
                    "/drift/",
                    "/drift/feed.atom",
                    "/drift/x",
                ][..],
            ),
            (
                CachePolicy::Journal,
                &["/changes", "/catalog/index.json", "/catalog/x/y", "/catalog/x/y/z"],
            ),
            (
                CachePolicy::Public,
                &[
                    "", "*", "/", "//apps", "/appstore", "/feed.xml", "/feed.atom/", "/search/x",
                    "/stats", "/changes/x", "/badge/x/y/z", "/adminx", "/mcpx",
                ],
            ),
            (CachePolicy::Private, &["/admin", "/admin/records", "/admin/x", "/mcp", "/mcp/x"]),
        ] {
            for path in paths {
                assert_eq!(tree.find(path).policy, policy, "{path}");
            }
        }
    }

    #[test]
    fn only_reads_of_the_catalog_may_be_kept() {
        let tree = RouteTree::new(ROUTES);
        let fields = |policy: Policy| {
            policy.fields().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>()
        };
        let of = |verb, path| tree.find(path).policy(verb, "W/\"x\"");
        let public = fields(Policy::Public);
        let catalog = |cache_control: &str| {
            let revision = ["etag: W/\"x\"".to_owned(), format!("cache-control: {cache_control}")];
            [&public[..], &revision].concat()
        };
        assert_eq!(fields(of(Verb::Get, "/apps/x")), catalog(CATALOG.value));
        assert_eq!(fields(of(Verb::Head, "/apps").cached(FAILURE)), catalog("no-store"));
        assert_eq!(fields(of(Verb::Post, "/apps/x/generate-label")), public);
        assert_eq!(fields(of(Verb::Get, "/health").cached(FAILURE)), public);
        assert!(fields(of(Verb::Get, "/admin/labels/unresolved")).is_empty());
        assert!(fields(of(Verb::Post, "/mcp")).is_empty());
    }

    #[test]
    fn every_path_is_found_as_its_own_route() {
        let tree = RouteTree::new(ROUTES);
        for (number, route) in ROUTES.iter().enumerate() {
            let path = route
                .path
                .replace("{slug}", "firefox")
                .replace("{name}", "google-chrome")
                .replace("{vendor}", "mozilla")
                .replace("{source}", "cask_catalog")
                .replace("{id}", "ops")
                .replace("{ids}", "ops,firefox")
                .replace("{selection}", "mozilla")
                .replace("{file}", "a.js");
            let found = tree.find(&path);
            assert_eq!(found.number, number, "{path}");
            assert_eq!(found.segment.is_empty(), path == route.path, "{path}");
        }
    }

    #[test]
    fn near_misses_are_unknown() {
        let tree = RouteTree::new(ROUTES);
        for path in [
            "", "//apps", "/apps//sources", "/apps/a/b", "/Apps", "/appsx", "/admin",
            "/admin/records/a/b", "/docs/a/b", "/apps/a/sources/x", "*",
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
