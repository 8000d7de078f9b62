//! The page of one app: everything that the catalog knows about it.
//!
//! Each part of the page has a file that collects what its part of the template shows.
//! Lists are cut so that no page gets long; what is left out is behind the links to the JSON.

mod app_file;
mod badges;
mod block;
mod exports;
mod extent;
mod facts;
mod files;
mod history;
mod install;
mod known;
mod lag;
mod names;
mod origins;
mod quoted;
mod report;
mod sources;
mod variants;

pub use app_file::AppFile;
pub(crate) use facts::architectures;
pub use files::app_file;
pub(crate) use sources::{count_entries, entry as source_entry};

use appstitch_feeds::{app_path, encoded};
use askama::Template;

use crate::{
    address::{app_page, vendor_page},
    frame::{Frame, Section},
    site::{PageError, Site},
    verdict::Verdict,
};
use badges::Badges;
use exports::Exports;
use extent::{Extent, LONGEST_PAGE};
use facts::{Facts, Notice};
use history::History;
use install::Tab;
use known::Known;
use lag::Lag;
use names::Names;
use origins::Origins;
use report::Report;
use sources::SourceRow;
use variants::VariantRow;

#[derive(Template)]
#[template(path = "app.html")]
struct AppPage {
    frame: Frame,
    slug: String,
    encoded_slug: String,
    name: String,
    version: Option<String>,
    description: Option<String>,
    vendor: Option<(String, String)>,
    homepage: Option<String>,
    standing: Verdict,
    lags: Vec<Lag>,
    notice: Option<Notice>,
    facts: Facts,
    sources: Vec<SourceRow>,
    origins: Origins,
    tabs: Vec<Tab>,
    /// The files that cannot be made, with the reasons.
    refused: Vec<(&'static str, String)>,
    history: History,
    names: Names,
    variants: Vec<VariantRow>,
    badges: Badges,
    reports: Vec<Report>,
    has_old_report: bool,
    compare: String,
    curl: String,
}

pub fn app(site: &Site<'_>, position: u32) -> Result<String, PageError> {
    let sources = site.snapshot.source_detail(position)?;
    let known = Known::read(site, position, &sources)?;
    let mut page = String::new();
    for extent in Extent::ALL {
        page = page_of(site, &known, extent)?;
        if page.len() <= LONGEST_PAGE {
            break;
        }
    }
    Ok(page)
}

fn page_of(site: &Site<'_>, known: &Known<'_>, extent: Extent) -> Result<String, PageError> {
    let slug = known.slug().to_owned();
    let path = app_page(&slug);
    let name = known.app.name.clone();
    let title = match &known.app.current_version {
        Some(version) => format!("{name} {version}"),
        None => name.clone(),
    };
    let mut frame = site
        .frame(Section::Apps, title, &path)
        .with_json(app_path(&slug))
        .with_feed(format!("New versions of {name}"), format!("{}/feed", app_path(&slug)));
    if let Some(description) = &known.details.description {
        frame = frame.described(format!("{name} for macOS: {description}"));
    }
    let exports = Exports::of(known);
    let lags = Lag::all(site, known);
    let reports = Report::all(site, known, &lags, extent);
    let encoded_slug = encoded(&slug).to_string();
    let page = AppPage {
        frame,
        encoded_slug,
        version: known.app.current_version.clone(),
        description: known.details.description.clone(),
        vendor: known.app.vendor.clone().map(|vendor| (vendor_page(&vendor), vendor)),
        homepage: known.details.homepage.as_ref().map(ToString::to_string),
        standing: Verdict::of(&known.versions, &known.standings),
        notice: Notice::of(site, known),
        facts: Facts::of(known),
        sources: SourceRow::all(site, known),
        origins: Origins::of(known, extent),
        tabs: install::tabs(site, known, &exports, extent),
        refused: exports.refused(),
        history: History::of(site.snapshot.history(&slug).ok(), extent),
        names: Names::of(known, extent),
        variants: VariantRow::all(known, extent),
        compare: variants::compare_path(known),
        badges: Badges::of(site, known, extent),
        has_old_report: reports.iter().any(|report| report.is_old),
        reports,
        lags,
        curl: format!("curl -s {}", quoted::for_shell(&site.address(&app_path(&slug)))),
        slug,
        name,
    };
    Ok(page.render()?)
}
