//! The page for a vendor that does not exist, with vendors of similar names.

use askama::Template;

use super::row::Row;
use crate::{
    frame::{Frame, Section},
    short::{self, short},
    site::{PageError, Site},
};

const SUGGESTIONS: usize = 8;

#[derive(Template)]
#[template(path = "vendor_unknown.html")]
struct UnknownVendor {
    frame: Frame,
    wanted: String,
    search: String,
    suggestions: Vec<Row>,
}

pub fn unknown_vendor(site: &Site<'_>, wanted: &str) -> Result<String, PageError> {
    let suggestions = site.snapshot.vendors().nearest(wanted, SUGGESTIONS);
    let page = UnknownVendor {
        frame: site.frame(Section::Vendors, "Unknown vendor", "/vendors").not_indexed(),
        wanted: short(wanted, short::NAME),
        search: short(wanted, 200),
        suggestions: suggestions.into_iter().map(Row::of).collect(),
    };
    Ok(page.render()?)
}
