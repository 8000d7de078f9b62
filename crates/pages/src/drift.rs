//! `/drift`: who lags behind whom, as a plot and as a table that can be sorted and filtered.

mod csv;
mod plot;
mod request;
mod row;

pub use csv::drift_csv;
pub use request::DriftRequest;

use appstitch_snapshot::{DriftLine, DriftOrder, DriftSelection};
use appstitch_types::DriftScope;
use askama::Template;

use crate::{
    address::Address,
    controls::{Choice, Head},
    display::Count,
    frame::{Frame, Section},
    namesakes::Namesakes,
    old_finding::old_finding,
    pager::Pager,
    site::{PageError, Site},
    source_names::source_title,
};
use plot::Contest;
use row::Row;

pub const PER_PAGE: usize = 50;

/// With further sources a row is longer, and the page must not be.
const PER_WIDE_PAGE: usize = 40;

#[derive(Template)]
#[template(path = "drift.html")]
struct DriftPage {
    frame: Frame,
    drifting: Count,
    compared: Count,
    unordered: Count,
    contests: Vec<Contest>,
    unordered_path: String,
    text: String,
    vendor: String,
    leader: String,
    sort: String,
    laggards: Vec<Choice>,
    sources: Vec<Choice>,
    scopes: Vec<Choice>,
    is_filtered: bool,
    heads: Vec<Head>,
    /// The names of the columns with versions.
    sources_shown: Vec<&'static str>,
    rows: Vec<Row>,
    pager: Pager,
    csv: String,
}

pub fn drift(site: &Site<'_>, request: &DriftRequest) -> Result<String, PageError> {
    let table = site.snapshot.drift_table(request.scope);
    let lines = table.select(&request.selection);
    let is_wide = request.scope != DriftScope::default();
    let per_page = if is_wide { PER_WIDE_PAGE } else { PER_PAGE };
    let pager = Pager::new(&request.address(), request.page, per_page, lines.len());
    let sources = request.sources();
    let DriftSelection { vendor, laggard, unordered, leader, source, text, .. } =
        &request.selection;
    let choices = |chosen: Option<&str>| -> Vec<Choice> {
        let choice = |token: &&'static str| Choice::new(token, source_title(token), chosen);
        sources.iter().map(choice).collect()
    };
    let chosen = if *unordered { Some(DriftRequest::UNKNOWN) } else { laggard.as_deref() };
    let mut laggards = choices(chosen);
    laggards.push(Choice::new(DriftRequest::UNKNOWN, "order unknown", chosen));
    let named = lines.iter().map(|line| (line.entry.name.as_str(), line.entry.slug.as_str()));
    let namesakes = Namesakes::among(named);
    let row = |line: &&DriftLine| {
        let is_main = site.snapshot.is_main_variant(&line.entry.slug);
        let provenance = site.snapshot.read_provenance(line.app)?;
        let found = |token: &str| old_finding(site, &provenance, token);
        Ok(Row::of(line, &sources, &namesakes, is_main, found))
    };
    let rows = lines[pager.range()].iter().map(row).collect::<Result<_, PageError>>()?;
    let frame = site
        .frame(Section::Drift, "Drift", &request.address().to_string())
        .described(
            "Which source lags behind which: apps whose sources disagree on the newest version.",
        )
        .with_feed("Sources that fall behind or catch up", "/drift/feed");
    let frame = match json_path(request, per_page, &pager) {
        Some(path) => frame.with_json(path),
        None => frame,
    };
    let frame = if request.is_plain() { frame } else { frame.not_indexed() };
    let page = DriftPage {
        frame,
        drifting: Count(table.lines().len() as u64),
        compared: Count(table.compared()),
        unordered: Count(table.unordered() as u64),
        contests: plot::contests(table, request),
        unordered_path: request.filtered(Some(DriftRequest::UNKNOWN), None).to_string(),
        text: text.clone().unwrap_or_default(),
        vendor: vendor.clone().unwrap_or_default(),
        leader: leader.clone().unwrap_or_default(),
        sort: request.sort_word(),
        laggards,
        sources: if request.scope == DriftScope::default() {
            Vec::new()
        } else {
            choices(source.as_deref())
        },
        scopes: scopes(request),
        is_filtered: request.is_filtered(),
        heads: heads(request, &sources),
        sources_shown: sources.iter().map(|token| source_title(token)).collect(),
        rows,
        pager,
        csv: request.address().at("/drift.csv").with("page", "").to_string(),
    };
    Ok(page.render()?)
}

/// The same as JSON; `None` if the JSON lacks one of the filters.
fn json_path(request: &DriftRequest, per_page: usize, pager: &Pager) -> Option<String> {
    let DriftSelection { vendor, source, text, laggard, leader, unordered, .. } =
        &request.selection;
    if *unordered || [text, laggard, leader].iter().any(|filter| filter.is_some()) {
        return None;
    }
    let value = |text: &Option<String>| text.clone().unwrap_or_default();
    let address = Address::new("/apps/drift")
        .with("vendor", value(vendor))
        .with("source", value(source))
        .with("include", request.include())
        .with("limit", per_page.to_string())
        .with("offset", pager.range().start.to_string());
    Some(address.to_string())
}

/// What can be compared besides labels and casks.
fn scopes(request: &DriftRequest) -> Vec<Choice> {
    let chosen = request.include();
    let choice = |(value, title)| Choice::new(value, title, Some(&chosen));
    [
        ("", "labels and casks"),
        ("mdm_installer", "and Jamf titles"),
        ("store_listing", "and store listings"),
        ("mdm_installer,store_listing", "all sources"),
    ]
    .map(choice)
    .into()
}

/// The headings; each sorts by its column, and again the other way round.
fn heads(request: &DriftRequest, sources: &[&'static str]) -> Vec<Head> {
    let DriftSelection { order: current, reversed, .. } = request.selection;
    let sorting = |title, order: DriftOrder| {
        let path = request.sorted(order, current == order && !reversed).to_string();
        Head::sorting(title, path).sorted((current == order).then_some(reversed))
    };
    let mut heads = vec![sorting("App", DriftOrder::Name), sorting("Vendor", DriftOrder::Vendor)];
    heads.extend(sources.iter().map(|token| Head::plain(source_title(token))));
    heads.push(sorting("Behind by", DriftOrder::Gap));
    heads.push(sorting("Since", DriftOrder::Since));
    heads
}
