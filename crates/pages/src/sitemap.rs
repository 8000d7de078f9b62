//! `/sitemap.xml`: the addresses of all pages, for search engines.
//!
//! A file has at most [`PER_FILE`] addresses. If there are more, `/sitemap.xml` is an index of
//! numbered files.

use std::ops::Range;

use askama::Template;

use crate::{
    address::{app_page, vendor_page},
    site::{PageError, Site},
};

/// The number of addresses in a file, far below the 50,000 that the protocol allows: a file has about
/// 600 kB, or a few megabytes with the longest public address.
const PER_FILE: usize = 10_000;

const MOST_FILES: usize = 50_000;

/// Pages that are neither of an app nor of a vendor.
const FIXED: [&str; 7] = ["/", "/apps", "/changes", "/drift", "/vendors", "/check", "/about"];

#[derive(Template)]
#[template(path = "sitemap.xml")]
struct Sitemap {
    addresses: Vec<String>,
}

#[derive(Template)]
#[template(path = "sitemap_index.xml")]
struct SitemapIndex {
    files: Vec<String>,
}

/// The sitemap, or an index of its parts; `None` if the public address is unknown, because a sitemap
/// has whole addresses.
pub fn sitemap(site: &Site<'_>) -> Result<Option<String>, PageError> {
    let files = count(site).div_ceil(PER_FILE).min(MOST_FILES);
    if files <= 1 {
        return sitemap_part(site, 1);
    }
    let file = |number: usize| site.links.absolute(&format!("/sitemap/{number}.xml"));
    let files: Option<Vec<String>> = (1..=files).map(file).collect();
    Ok(files.map(|files| SitemapIndex { files }.render()).transpose()?)
}

/// A part of the sitemap, numbered from one on; `None` if there is none with this number.
pub fn sitemap_part(site: &Site<'_>, number: usize) -> Result<Option<String>, PageError> {
    let Some(range) = part(number, count(site)) else { return Ok(None) };
    let address = |position: usize| site.links.absolute(&page_at(site, position));
    let addresses: Option<Vec<String>> = range.map(address).collect();
    Ok(addresses.map(|addresses| Sitemap { addresses }.render()).transpose()?)
}

fn count(site: &Site<'_>) -> usize {
    FIXED.len() + site.snapshot.vendors().all().len() + site.snapshot.apps().rows().len()
}

fn part(number: usize, count: usize) -> Option<Range<usize>> {
    let start = number.checked_sub(1)?.checked_mul(PER_FILE)?;
    (start < count).then(|| start..count.min(start + PER_FILE))
}

/// The path of the page at a position: fixed pages first, then vendors, then apps.
fn page_at(site: &Site<'_>, position: usize) -> String {
    if let Some(path) = FIXED.get(position) {
        return (*path).to_owned();
    }
    let vendors = site.snapshot.vendors().all();
    let position = position - FIXED.len();
    if let Some(vendor) = vendors.get(position) {
        return vendor_page(&vendor.name);
    }
    // A catalog never has four billion apps.
    let app = u32::try_from(position - vendors.len()).unwrap_or(u32::MAX);
    app_page(site.snapshot.slug(app))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_from_one_and_end_with_the_pages() {
        assert_eq!(part(1, 7), Some(0..7));
        assert_eq!(part(0, 7), None);
        assert_eq!(part(2, 10_000), None);
        assert_eq!(part(2, 10_001), Some(10_000..10_001));
        assert_eq!(part(usize::MAX, 7), None);
    }
}
