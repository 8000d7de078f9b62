//! The OpenAPI document. Each route is described in its file; this collects them.

mod bodies;
mod examples;

use bytes::Bytes;
use serde_json::Value;
use utoipa::{
    OpenApi,
    openapi::{ComponentsBuilder, Paths, RefOr, Response, path::PathsBuilder},
};

use crate::routes::ROUTES;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "appstitch",
        version = "0.1.0",
        description = "A public, read-only catalog of macOS applications: one stitched record per app.\n\n\
            The sources are Installomator labels (`label_tool`), Homebrew casks (`cask_catalog`), AutoPkg recipes \
            (`recipe_index`), Jamf App Installers (`mdm_installer`) and the Mac App Store (`store_listing`). The \
            `sources` of an app and `/stats` have the first four; `/sources`, the payloads and the provenance have \
            all five, and the filter `source=store_listing` finds the apps with the fifth.\n\n\
            A list is an object that has the list under the name of its entries, such as `items`, `changes`, \
            `versions`, `matches` or `sources`, beside what is true for the list as a whole. `/apps` is an array, \
            and `/apps/jamf-index` an object of arrays. A list with `limit` and `offset` has its length in \
            `x-total-count` and its pages in `link`; `/changes` continues from `next`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "apps", description = "Apps and what their sources said"),
        (name = "changes", description = "What changed, and when"),
        (name = "drift", description = "Sources that disagree on the newest version"),
        (name = "feeds", description = "Changes as Atom and JSON feeds"),
        (name = "patch source", description = "What Jamf Pro reads from an external patch source"),
        (name = "versions", description = "The order of versions"),
        (name = "labels", description = "Installer labels generated from the sources"),
        (name = "exports", description = "Apps as files for Munki, AutoPkg, Intune, Fleet and osquery"),
        (name = "catalog files", description = "The whole catalog as signed files, for mirrors"),
        (name = "inventory", description = "Installed apps, checked against the catalog"),
        (name = "service", description = "The service itself"),
    )
)]
struct Interface;

/// Whoever has a body with an entity tag can ask whether it is up to date.
fn add_not_modified(paths: &mut Paths) {
    for operation in paths.paths.values_mut().filter_map(|path| path.get.as_mut()) {
        let responses = &mut operation.responses.responses;
        if let Some(RefOr::T(found)) = responses.get("200")
            && found.headers.contains_key("etag")
        {
            let response = Response::new("The client's copy is up to date");
            responses.insert("304".to_owned(), response.into());
        }
    }
}

/// The document: the description above, the operations of the routes with their schemas, and examples.
fn document() -> Value {
    let mut document = Interface::openapi();
    let mut schemas = Vec::new();
    let operations = ROUTES.iter().filter_map(|route| route.operation);
    let paths = operations.fold(PathsBuilder::new(), |paths, add| add(paths, &mut schemas));
    document.paths = paths.build();
    add_not_modified(&mut document.paths);
    document.components = Some(ComponentsBuilder::new().schemas_from_iter(schemas).build());
    let mut document = serde_json::to_value(document).unwrap_or_default();
    examples::add(&mut document);
    document
}

/// The OpenAPI document as JSON with line breaks, for people to read.
#[must_use]
pub fn openapi_document() -> String {
    format!("{:#}\n", document())
}

pub(crate) fn body() -> Bytes {
    document().to_string().into()
}
