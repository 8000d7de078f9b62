//! `/apps` for people: every app, by source, vendor, deprecation, version and drift.

mod request;

pub use request::AppsRequest;

use appstitch_types::Source;
use askama::Template;

use crate::{
    address::Address,
    app_row::AppRow,
    controls::Choice,
    frame::{Frame, Section},
    pager::Pager,
    site::{PageError, Site},
    source_names::source_title,
};
use request::deprecated_word;

pub const PER_PAGE: usize = 50;

#[derive(Template)]
#[template(path = "apps.html")]
struct AppsPage {
    frame: Frame,
    sources: Vec<Choice>,
    vendor: String,
    deprecated: Vec<Choice>,
    versions: Vec<Choice>,
    standings: Vec<Choice>,
    is_filtered: bool,
    /// The address of the drift of the same vendor, if only apps whose sources differ are shown.
    drift: Option<String>,
    rows: Vec<AppRow>,
    has_vendors: bool,
    pager: Pager,
}

pub fn apps(site: &Site<'_>, request: &AppsRequest) -> Result<String, PageError> {
    let found = site.snapshot.browse(&request.browsing());
    let pager = Pager::new(&request.address(), request.page, PER_PAGE, found.total());
    let rows = AppRow::all(site, &found.page(pager.range()))?;
    let title = if request.deprecated == Some(true) { "Deprecated apps" } else { "Apps" };
    let frame = site
        .frame(Section::Apps, title, &request.name())
        .described("Every app of the catalog with its newest version, and who is behind.");
    let offset = pager.range().start.to_string();
    let json = request.for_programs().with("limit", PER_PAGE.to_string()).with("offset", offset);
    // Programs have no filter for drift and versions here.
    let is_same = !request.drifting && !request.without_version;
    let frame = if is_same { frame.with_json(json.to_string()) } else { frame };
    let frame = if request.is_filtered() { frame.not_indexed() } else { frame };
    let source = |source: Source| {
        Choice::new(source.token(), source_title(source.token()), request.source.as_deref())
    };
    let deprecated = request.deprecated.map(deprecated_word);
    let page = AppsPage {
        frame,
        sources: Source::ALL.map(source).into(),
        vendor: request.vendor.clone().unwrap_or_default(),
        deprecated: vec![
            Choice::new("true", "deprecated", deprecated),
            Choice::new("false", "not deprecated", deprecated),
        ],
        versions: vec![Choice::new(
            AppsRequest::NO_VERSION,
            "without a version",
            request.without_version.then_some(AppsRequest::NO_VERSION),
        )],
        standings: vec![Choice::new(
            AppsRequest::DRIFTING,
            "sources differ",
            request.drifting.then_some(AppsRequest::DRIFTING),
        )],
        is_filtered: request.is_filtered(),
        drift: request.drifting.then(|| drift_path(request)),
        rows,
        has_vendors: true,
        pager,
    };
    Ok(page.render()?)
}

fn drift_path(request: &AppsRequest) -> String {
    let vendor = request.vendor.clone().unwrap_or_default();
    Address::new("/drift").with("vendor", vendor).to_string()
}
