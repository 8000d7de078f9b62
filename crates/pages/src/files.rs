//! Small files at fixed addresses: the icon, the rules for robots, the description of the search.

use askama::Template;

use crate::site::{PageError, Site};

pub const FAVICON: &str = include_str!("../assets/favicon.svg");

/// What robots may read: pages, but not the pages of every query.
const ROBOTS: &str = "User-agent: *\nDisallow: /admin/\nDisallow: /mcp\nDisallow: /*?\n";

/// The rules for robots. With a public address, they name the sitemap.
pub fn robots(site: &Site<'_>) -> String {
    match site.links.absolute("/sitemap.xml") {
        Some(sitemap) => format!("{ROBOTS}Sitemap: {sitemap}\n"),
        None => ROBOTS.to_owned(),
    }
}

#[derive(Template)]
#[template(path = "opensearch.xml")]
struct OpenSearch {
    search: String,
    suggest: String,
    icon: String,
}

/// The `OpenSearch` description, by which a browser adds the catalog to its search engines. It needs
/// the public address; without one the addresses are paths, which some browsers accept.
pub fn opensearch(site: &Site<'_>) -> Result<String, PageError> {
    let links = site.links;
    Ok(OpenSearch {
        search: links.reference("/?q={searchTerms}"),
        suggest: links.reference("/search?q={searchTerms}&limit=10"),
        icon: links.reference("/favicon.svg"),
    }
    .render()?)
}
