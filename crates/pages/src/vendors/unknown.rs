//! The page for a vendor that does not exist, with vendors of similar names.

use appstitch_snapshot::{VendorEntry, VendorLetter, Vendors};
use appstitch_text::fold_case;
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
    let suggestions = near(site.snapshot.vendors(), wanted, SUGGESTIONS);
    let page = UnknownVendor {
        frame: site.frame(Section::Vendors, "Unknown vendor", "/vendors").not_indexed(),
        wanted: short(wanted, short::NAME),
        search: short(wanted, 200),
        suggestions: suggestions.into_iter().map(Row::of).collect(),
    };
    Ok(page.render()?)
}

/// The most vendors that are compared letter by letter, which bounds the work of a request.
const MOST_COMPARED: usize = 2000;

/// The most characters of a name that are compared.
const LONGEST: usize = 100;

/// How similar a name must be, from 0 to 1.
const SIMILAR: f64 = 0.84;

/// The vendors whose name contains the wanted one, or the other way round, then similar ones that
/// begin with the same letter.
fn near<'a>(vendors: &'a Vendors, wanted: &str, limit: usize) -> Vec<&'a VendorEntry> {
    let wanted: String = fold_case(wanted.trim()).chars().take(LONGEST).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let contains = |entry: &&VendorEntry| {
        entry.folded.contains(wanted.as_str())
            || (entry.folded.chars().count() > 3 && wanted.contains(entry.folded.as_str()))
    };
    let mut found: Vec<&VendorEntry> = vendors.all().iter().filter(contains).take(limit).collect();
    let letter = VendorLetter::of(&wanted);
    let same_letter = vendors.all().iter().filter(|entry| entry.letter() == letter);
    let mut similar: Vec<(f64, &VendorEntry)> = same_letter
        .take(MOST_COMPARED)
        .filter(|entry| !contains(entry))
        .map(|entry| {
            let name: String = entry.folded.chars().take(LONGEST).collect();
            (strsim::jaro_winkler(&name, &wanted), entry)
        })
        .filter(|(likeness, _)| *likeness >= SIMILAR)
        .collect();
    similar.sort_by(|left, right| right.0.total_cmp(&left.0));
    found.extend(similar.into_iter().map(|(_, entry)| entry));
    found.truncate(limit);
    found
}
