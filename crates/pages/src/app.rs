//! The page of one app: everything that the catalog knows about it.
//!
//! Each part of the page has a file of its own that collects what its part of the template shows.
//! Lists are cut so that no page gets long; what is left out is behind the links to the JSON.

mod badges;
mod extent;
mod facts;
mod files;
mod history;
mod install;
mod names;
mod origins;
mod quoted;
mod report;
mod sources;

pub(crate) use facts::architectures;
pub use files::{AppFile, app_file};
pub(crate) use sources::entry as source_entry;

use appstitch_catalog::{
    App, AppDetails, AppSources, ParsedSources, Provenance, SourceVersion, Standing,
};
use appstitch_feeds::{app_path, encoded};
use askama::Template;

use crate::{Frame, PageError, Section, Site, app_page, vendor_page};
use badges::Badges;
use extent::{Extent, LONGEST_PAGE};
use facts::{Facts, Notice};
use history::History;
use install::Tab;
use names::{Names, VariantRow};
use origins::Origins;
use report::Report;
use sources::SourceRow;

/// What is known about an app, read from the snapshot.
struct Known<'a> {
    position: u32,
    app: App,
    parsed: ParsedSources<'a>,
    provenance: Provenance,
    details: AppDetails,
    versions: Vec<SourceVersion>,
    standings: Vec<Standing>,
}

impl<'a> Known<'a> {
    /// `sources` are the app's own.
    fn read(site: &Site<'_>, position: u32, sources: &'a AppSources) -> Result<Self, PageError> {
        let snapshot = site.snapshot;
        let app = snapshot.read_app(position)?;
        let parsed = ParsedSources::of(sources);
        let provenance = snapshot.read_provenance(position)?;
        let details = snapshot.details_from(position, &app, &parsed, &provenance)?;
        let versions = parsed.versions();
        let standings = standings(&app, &versions);
        Ok(Self { position, app, parsed, provenance, details, versions, standings })
    }

    fn sources(&self) -> &'a AppSources {
        self.parsed.sources()
    }

    fn slug(&self) -> &str {
        self.app.slug.as_str()
    }

    /// The version that a source states, and how it stands to the others.
    fn version_of(&self, token: &str) -> Option<(&str, Standing)> {
        let position = self.versions.iter().position(|stated| stated.source == token)?;
        Some((&self.versions[position].version, self.standings[position]))
    }
}

/// How the versions of the sources stand to each other. If the app's newest version is not the highest
/// one, the sources count differently, and none of them is behind.
fn standings(app: &App, versions: &[SourceVersion]) -> Vec<Standing> {
    let mut standings = Standing::of_all(versions);
    let is_newest = |own: &SourceVersion| app.current_version.as_ref() == Some(&own.version);
    let mut all = versions.iter().zip(&standings);
    if all.any(|(own, standing)| is_newest(own) && *standing == Standing::Behind) {
        standings.fill(Standing::Unordered);
    }
    standings
}

#[derive(Template)]
#[template(path = "app.html")]
struct AppPage {
    frame: Frame,
    slug: String,
    /// The slug as a segment of a path.
    encoded_slug: String,
    name: String,
    version: Option<String>,
    description: Option<String>,
    vendor: Option<(String, String)>,
    homepage: Option<String>,
    standing: Summary,
    notice: Option<Notice>,
    facts: Facts,
    sources: Vec<SourceRow>,
    origins: Origins,
    tabs: Vec<Tab>,
    history: History,
    names: Names,
    variants: Vec<VariantRow>,
    badges: Badges,
    reports: Vec<Report>,
    /// The path that compares the variants.
    compare: String,
    curl: String,
}

/// Whether the sources agree, in a word.
struct Summary {
    class: &'static str,
    text: &'static str,
}

impl Summary {
    fn of(standings: &[Standing]) -> Self {
        let has = |standing| standings.contains(&standing);
        let (class, text) = if standings.is_empty() {
            ("badge-neutral", "no source states a version")
        } else if has(Standing::Behind) {
            ("badge-behind", "sources differ")
        } else if has(Standing::Unordered) {
            ("badge-neutral", "cannot compare")
        } else if has(Standing::Newest) {
            ("badge-ok", "sources in step")
        } else {
            ("badge-neutral", "one source states a version")
        };
        Self { class, text }
    }
}

/// The page of the app at a position.
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
    let encoded_slug = encoded(&slug).to_string();
    let page = AppPage {
        frame,
        encoded_slug,
        version: known.app.current_version.clone(),
        description: known.details.description.clone(),
        vendor: known.app.vendor.clone().map(|vendor| (vendor_page(&vendor), vendor)),
        homepage: known.details.homepage.as_ref().map(ToString::to_string),
        standing: Summary::of(&known.standings),
        notice: Notice::of(site, known),
        facts: Facts::of(known),
        sources: SourceRow::all(site, known),
        origins: Origins::of(known, extent),
        tabs: install::tabs(site, known, extent),
        history: History::of(site.snapshot.history(&slug).ok(), extent),
        names: Names::of(known, extent),
        variants: VariantRow::all(known, extent),
        compare: names::compare_path(known),
        badges: Badges::of(site, known, extent),
        reports: Report::all(site, known, extent),
        curl: format!("curl -s {}", quoted::for_shell(&site.address(&app_path(&slug)))),
        slug,
        name,
    };
    Ok(page.render()?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_source_is_behind_if_the_newest_version_is_not_the_highest() {
        use Standing::{Behind, Newest, Unordered};
        let of = |current: &str| {
            let app = json!({"slug": "a", "name": "A", "current_version": current, "sources": []});
            let app: App = serde_json::from_value(app).unwrap();
            let stated = |source: &str, version: &str| SourceVersion {
                source: source.to_owned(),
                version: version.to_owned(),
                parsed_ok: true,
            };
            standings(&app, &[stated("label_tool", "5.2"), stated("cask_catalog", "53.1")])
        };
        assert_eq!(of("53.1"), [Behind, Newest]);
        assert_eq!(of("5.2"), [Unordered, Unordered]);
    }
}
