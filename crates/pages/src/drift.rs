//! `/drift`: who lags behind whom, as a plot and as a table that can be sorted and filtered.

mod csv;
mod plot;
mod request;
mod row;

pub use csv::drift_csv;
pub use request::DriftRequest;

use appstitch_catalog::DriftScope;
use appstitch_snapshot::{DriftLine, DriftOrder, DriftSelection};
use askama::Template;

use crate::{
    Count, Frame, PageError, Section, Site, address::Address, head::Head, namesakes::Namesakes,
    pager::Pager, source_title,
};
use plot::Contest;
use row::Row;

/// The number of apps on a page of drift.
pub const PER_PAGE: usize = 50;

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
    rows: Vec<Row>,
    pager: Pager,
    csv: String,
}

/// An option of a filter.
struct Choice {
    value: String,
    title: String,
    is_chosen: bool,
}

/// The page of drift.
pub fn drift(site: &Site<'_>, request: &DriftRequest) -> Result<String, PageError> {
    let table = site.snapshot.drift_table(request.scope);
    let lines = table.select(&request.selection);
    let pager = Pager::new(&request.address(), request.page, PER_PAGE, lines.len());
    let sources = request.sources();
    let DriftSelection { vendor, laggard, unordered, leader, source, text, .. } =
        &request.selection;
    let choice = |token: &&'static str| Choice {
        value: (*token).to_owned(),
        title: source_title(token).to_owned(),
        is_chosen: false,
    };
    let chosen = if *unordered { Some(DriftRequest::UNKNOWN) } else { laggard.as_deref() };
    let unknown = Choice {
        value: DriftRequest::UNKNOWN.to_owned(),
        title: "order unknown".to_owned(),
        is_chosen: false,
    };
    let mark = |choice: Choice, chosen: Option<&str>| Choice {
        is_chosen: chosen == Some(choice.value.as_str()),
        ..choice
    };
    let laggards = sources.iter().map(choice).chain([unknown]);
    let named = lines.iter().map(|line| (line.entry.name.as_str(), line.entry.slug.as_str()));
    let namesakes = Namesakes::among(named);
    let row = |line: &&DriftLine| {
        let is_main = site.snapshot.is_main_variant(&line.entry.slug);
        Row::of(line, &sources, &namesakes, is_main)
    };
    let rows = lines[pager.range()].iter().map(row).collect();
    let json = json_path(request, &pager);
    let frame = site
        .frame(Section::Drift, "Drift", &request.address().to_string())
        .described(
            "Which source lags behind which: apps whose sources disagree on the newest version.",
        )
        .with_json(json)
        .with_feed("Sources that fall behind or catch up", "/drift/feed");
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
        laggards: laggards.map(|choice| mark(choice, chosen)).collect(),
        sources: if request.scope == DriftScope::default() {
            Vec::new()
        } else {
            sources.iter().map(choice).map(|choice| mark(choice, source.as_deref())).collect()
        },
        scopes: scopes(request),
        is_filtered: request.is_filtered(),
        heads: heads(request, &sources),
        rows,
        pager,
        csv: request.address().at("/drift.csv").with("page", "").to_string(),
    };
    Ok(page.render()?)
}

/// The same as JSON, as far as it has the same filters.
fn json_path(request: &DriftRequest, pager: &Pager) -> String {
    let own = |text: &Option<String>| text.clone().unwrap_or_default();
    Address::new("/apps/drift")
        .with("vendor", own(&request.selection.vendor))
        .with("source", own(&request.selection.source))
        .with("include", request.include())
        .with("limit", PER_PAGE.to_string())
        .with("offset", pager.range().start.to_string())
        .to_string()
}

/// What can be compared besides labels and casks.
fn scopes(request: &DriftRequest) -> Vec<Choice> {
    let own = request.include();
    let choices = [
        ("", "labels and casks"),
        ("mdm_installer", "and Jamf titles"),
        ("store_listing", "and store listings"),
        ("mdm_installer,store_listing", "all sources"),
    ];
    choices
        .into_iter()
        .map(|(value, title)| Choice {
            value: value.to_owned(),
            title: title.to_owned(),
            is_chosen: own == value,
        })
        .collect()
}

/// The headings; each sorts by its column, and again the other way round.
fn heads(request: &DriftRequest, sources: &[&'static str]) -> Vec<Head> {
    let DriftSelection { order: own, reversed, .. } = request.selection;
    let sorting = |title, order: DriftOrder| {
        let path = request.sorted(order, own == order && !reversed).to_string();
        Head::sorting(title, path).sorted((own == order).then_some(reversed))
    };
    let mut heads = vec![sorting("App", DriftOrder::Name), sorting("Vendor", DriftOrder::Vendor)];
    heads.extend(sources.iter().map(|token| Head::plain(source_title(token))));
    heads.push(sorting("Behind by", DriftOrder::Gap));
    heads.push(sorting("Since", DriftOrder::Since));
    heads
}
