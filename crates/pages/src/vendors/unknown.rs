//! The page for a vendor that does not exist, with vendors of similar names.

use askama::Template;

use super::{Row, near::near};
use crate::{
    Frame, PageError, Section, Site,
    short::{self, short},
};

/// How many vendors are suggested.
const SUGGESTIONS: usize = 8;

#[derive(Template)]
#[template(path = "vendor_unknown.html")]
struct UnknownVendor {
    frame: Frame,
    wanted: String,
    search: String,
    suggestions: Vec<Row>,
}

/// The page for a vendor that does not exist.
pub fn unknown_vendor(site: &Site<'_>, wanted: &str) -> Result<String, PageError> {
    let suggestions = near(site.snapshot.vendors(), wanted, SUGGESTIONS);
    let page = UnknownVendor {
        frame: site.frame(Section::Vendors, "Unknown vendor", "/vendors").not_indexed(),
        wanted: short(wanted, short::NAME),
        search: short(wanted, 200),
        suggestions: suggestions.into_iter().map(Row::of).collect(),
    };
    Ok(page.render()?)
}
