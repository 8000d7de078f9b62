//! `/vendors/{name}`: a vendor's apps.

use appstitch_feeds::encoded;
use appstitch_snapshot::VendorEntry;
use askama::Template;

use super::row::drift_path;
use crate::{
    address::{Address, vendor_page},
    app_row::AppRow,
    display::Count,
    frame::{Frame, Section},
    pager::Pager,
    short::{self, short},
    site::{PageError, Site},
};

pub const PER_PAGE: usize = 50;

#[derive(Template)]
#[template(path = "vendor.html")]
struct VendorPage {
    frame: Frame,
    name: String,
    apps: Count,
    drifting: Count,
    drift_path: String,
    changes_path: String,
    feed: String,
    rows: Vec<AppRow>,
    has_vendors: bool,
    pager: Pager,
}

pub fn vendor(site: &Site<'_>, entry: &VendorEntry, page: usize) -> Result<String, PageError> {
    let positions = site.snapshot.apps_of_vendor(&entry.folded);
    let address = Address::new(vendor_page(&entry.name));
    let pager = Pager::new(&address, page, PER_PAGE, positions.len());
    let rows = AppRow::all(site, &positions[pager.range()])?;
    let (vendor, start) = (encoded(&entry.name), pager.range().start);
    let feed = format!("/vendors/{}/feed", encoded(&entry.folded));
    let name = short(&entry.name, short::NAME);
    let frame = site
        .frame(Section::Vendors, name.clone(), &address.to_string())
        .described(format!(
            "Every app of {name} with its newest version, its sources and their drift."
        ))
        .with_json(format!("/apps?vendor={vendor}&limit={PER_PAGE}&offset={start}"))
        .with_feed(format!("{name}: new versions"), feed.clone());
    let page = VendorPage {
        frame,
        name,
        apps: Count(entry.apps as u64),
        drifting: Count(entry.drifting as u64),
        drift_path: drift_path(&entry.name),
        changes_path: format!("/changes?vendor={vendor}"),
        feed,
        rows,
        has_vendors: false,
        pager,
    };
    Ok(page.render()?)
}
