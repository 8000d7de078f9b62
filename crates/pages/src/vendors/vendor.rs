//! `/vendors/{name}`: a vendor's apps.

use appstitch_feeds::encoded;
use appstitch_snapshot::{DriftLine, VendorEntry};
use appstitch_types::{App, DriftScope};
use askama::Template;

use super::row::drift_path;
use crate::{
    address::{Address, app_page, vendor_page},
    chip::Chip,
    display::Count,
    frame::{Frame, Section},
    pager::Pager,
    short::{self, short},
    site::{PageError, Site},
    source_names::source_title,
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
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    path: String,
    name: String,
    slug: String,
    version: Option<String>,
    sources: String,
    /// The class and the text of a chip, if the sources disagree.
    drift: Option<(&'static str, String)>,
}

pub fn vendor(site: &Site<'_>, entry: &VendorEntry, page: usize) -> Result<String, PageError> {
    let positions = site.snapshot.apps_of_vendor(&entry.folded);
    let address = Address::new(vendor_page(&entry.name));
    let pager = Pager::new(&address, page, PER_PAGE, positions.len());
    let row = |position: &u32| {
        let drift = site.snapshot.drift_line(DriftScope::default(), *position);
        Ok(Row::of(&site.snapshot.read_app(*position)?, drift))
    };
    let rows = positions[pager.range()].iter().map(row);
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
        rows: rows.collect::<Result<_, serde_json::Error>>()?,
        pager,
    };
    Ok(page.render()?)
}

impl Row {
    fn of(app: &App, drift: Option<&DriftLine>) -> Self {
        let sources: Vec<&str> =
            app.sources.iter().map(|source| source_title(source.token())).collect();
        Self {
            path: app_page(app.slug.as_str()),
            name: short(&app.name, short::NAME),
            slug: short(app.slug.as_str(), short::NAME),
            version: app.current_version.as_deref().map(|version| short(version, short::VERSION)),
            sources: sources.join(", "),
            drift: drift.map(|line| match &line.entry.laggard {
                Some(laggard) => ("badge-behind", format!("{} behind", source_title(laggard))),
                None => ("badge-neutral", Chip::UNORDERED.text.to_owned()),
            }),
        }
    }
}
