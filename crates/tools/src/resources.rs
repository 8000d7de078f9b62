//! The resources that an assistant can read: the catalog's summary, its categories, and each app.

use appstitch_snapshot::{ReadError, Snapshot};
use percent_encoding::percent_decode_str;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

const SUMMARY: &str = "catalog://summary";
const CATEGORIES: &str = "catalog://categories";
const APP: &str = "catalog://apps/";
pub(crate) const APP_TEMPLATE: &str = "catalog://apps/{slug}";

const JSON: &str = "application/json";

pub(crate) fn all() -> Vec<Resource> {
    vec![
        Resource::new(SUMMARY, "summary")
            .with_title("Catalog summary")
            .with_description("The number of apps, in total and per source")
            .with_mime_type(JSON),
        Resource::new(CATEGORIES, "categories")
            .with_title("Categories")
            .with_description("All install methods, and the sources and vendors in the catalog")
            .with_mime_type(JSON),
    ]
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(APP_TEMPLATE, "app")
            .with_title("One app")
            .with_description("An app's record: newest version, download URL, signer, sources")
            .with_mime_type(JSON),
    ]
}

/// Reads a resource; the error is a message for the client.
pub(crate) fn read(snapshot: &Snapshot, uri: &str) -> Result<ResourceContents, String> {
    let json = match uri {
        SUMMARY => snapshot.summary().to_vec(),
        CATEGORIES => snapshot.categories().to_vec(),
        _ => {
            let slug = uri.strip_prefix(APP).ok_or_else(|| format!("unknown resource: {uri}"))?;
            let slug = percent_decode_str(slug).decode_utf8_lossy();
            let found = snapshot.app(&slug).map_err(|error: ReadError| error.to_string())?;
            snapshot.body(found).concat()
        }
    };
    let text = String::from_utf8_lossy(&json).into_owned();
    Ok(ResourceContents::text(text, uri).with_mime_type(JSON))
}
